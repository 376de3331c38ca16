# The page of the viewer: built by web/build.mjs from TypeScript with what npm provides, and put into the program. A
# machine without Node.js or network still gets the command: the page is then one line that says what was missing
# (docs/decisions/0007).
find_program(ABUT_NODE NAMES node nodejs)
find_program(ABUT_NPM npm)
enable_language(ASM)

function(abut_embed_page target)
  set(folder ${PROJECT_BINARY_DIR}/web)
  set(page ${folder}/page.html)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  add_custom_command(
    OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DNODE=${ABUT_NODE} -DNPM=${ABUT_NPM} -DWEB=${PROJECT_SOURCE_DIR}/web -DOUT=${folder}
            -P ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/package.json
            ${PROJECT_SOURCE_DIR}/web/package-lock.json ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake
    COMMENT "Building the page"
    VERBATIM)
  file(CONFIGURE OUTPUT ${folder}/embedded_page.S CONTENT [[
    .section .rodata
    .global abut_page_begin
    .global abut_page_end
abut_page_begin:
    .incbin "@page@"
abut_page_end:
    .byte 0
    .section .note.GNU-stack, "", @progbits
]])
  set_source_files_properties(${folder}/embedded_page.S TARGET_DIRECTORY ${target} PROPERTIES OBJECT_DEPENDS ${page})
  target_sources(${target} PRIVATE ${folder}/embedded_page.S ${page})
endfunction()
