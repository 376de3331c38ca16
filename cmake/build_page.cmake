# Run by the build (AbutPage.cmake): -DNODE= -DNPM= -DWEB= -DOUT=. Leaves OUT/page.html: the page, or the reason why
# there is none. A missing page never fails the build of the program; it is tried again the next time.
file(MAKE_DIRECTORY ${OUT})

function(give_up reason)
  file(WRITE ${OUT}/page.html "${reason}\n")
  file(TOUCH ${OUT}/missing)
  message(STATUS "no page: ${reason}")
endfunction()

if(NOT NODE OR NOT NPM)
  give_up("Node.js or npm was not found when it was built")
  return()
endif()

# npm is asked only when the list of packages has changed.
file(SHA256 ${WEB}/package-lock.json wanted)
set(stamp ${OUT}/node_modules/.abut-${wanted})
if(NOT EXISTS ${stamp})
  file(COPY ${WEB}/package.json ${WEB}/package-lock.json DESTINATION ${OUT})
  execute_process(COMMAND ${NPM} ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error
                  WORKING_DIRECTORY ${OUT} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 180)
  if(NOT status EQUAL 0)
    file(WRITE ${OUT}/npm.log "${output}")
    give_up("npm could not fetch three, uplot and esbuild (log in ${OUT}/npm.log)")
    return()
  endif()
  file(TOUCH ${stamp})
endif()
execute_process(COMMAND ${NODE} ${WEB}/build.mjs ${OUT} ${OUT} RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "web/build.mjs failed:\n${output}")
endif()
file(REMOVE ${OUT}/missing)
