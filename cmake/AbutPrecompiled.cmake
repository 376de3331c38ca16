# Precompiled headers: parsing Eigen, fmt and GoogleTest takes longer than most sources take themselves. One set for the
# libraries and one for the tests, shared by all layers of a build. Sources still include what they use: a build with
# ABUT_PCH=OFF and header_check, which never takes these sets, keep that honest.
option(ABUT_PCH "precompile the headers that nearly every source includes" ON)

set(abut_common_headers <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <numbers> <optional> <span>
                        <string> <string_view> <utility> <variant> <vector>
                        <Eigen/Core> <Eigen/Geometry> <fmt/format.h>)

# abut_pch_set(NAME LIBRARY HEADER...): a library that holds nothing but the precompiled headers; LIBRARY may be empty.
function(abut_pch_set name library)
  set(source ${PROJECT_BINARY_DIR}/pch/${name}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PRIVATE abut_options Eigen3::Eigen fmt::fmt ${library})
  target_precompile_headers(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "")
endfunction()

if(ABUT_PCH)
  # A compiler cache reads preprocessed text. With this option that text names the precompiled header; without it ccache
  # declines. What is compiled stays the same. ccache also has to be told: sloppiness = pch_defines,time_macros.
  target_compile_options(abut_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  abut_pch_set(abut_pch "" ${abut_common_headers})
  if(ABUT_TESTS)
    abut_pch_set(abut_test_pch GTest::gtest ${abut_common_headers} <gtest/gtest.h>)
  endif()
endif()

# abut_precompile(TARGET SET)
function(abut_precompile target set)
  if(ABUT_PCH)
    target_precompile_headers(${target} REUSE_FROM ${set})
  endif()
endfunction()
