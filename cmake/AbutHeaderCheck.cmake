# `header_check` compiles every header of src/abut alone: one generated source each, with that single #include. Not part
# of the default build. No optimisation and no debug information, so a header costs little more than parsing it; objects
# are written all the same, because they are what lets ninja skip the headers that did not change.
function(abut_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/src/abut/*.hpp)
  set(sources)
  foreach(header IN LISTS headers)
    string(REPLACE "/" "__" name ${header})
    set(source ${CMAKE_BINARY_DIR}/header_check/${name}.cpp)
    file(GENERATE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "no headers found under ${CMAKE_SOURCE_DIR}/src/abut")
  endif()
  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  target_compile_options(header_check PRIVATE -O0 -g0)
  # What a public header may use, and no more; the HDF5 folder is for the private ones of io.
  target_link_libraries(header_check PRIVATE abut_options Eigen3::Eigen fmt::fmt)
  target_include_directories(header_check SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
  set_target_properties(header_check PROPERTIES CXX_CLANG_TIDY "" EXPORT_COMPILE_COMMANDS OFF)
endfunction()

abut_header_check()
