# One library and one test program for each layer of src/abut. Sources are found by globbing, so that a new law or region
# needs no edit here: `x.cpp` goes into the library, `x_test.cpp` beside it into the layer's tests.

add_library(abut_options INTERFACE)
# What is installed, and what is private.
target_include_directories(abut_options INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
# No fused multiply-add: the same bits whatever the compiler finds profitable (docs/decisions/0003).
target_compile_options(abut_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                              -ffp-contract=off)
# Two warnings of g++ 12 that fire on std::string and std::optional inlined by -O3 without cause.
target_compile_options(abut_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
# g++ searches its memory for what it may forget whenever that has doubled; below 1 GB that costs more than it frees.
target_compile_options(abut_options INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)

if(ABUT_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  # The test programs without the command, which a sanitizer build need not have.
  add_custom_target(unit_tests)
endif()

# abut_tell_source_dir(SOURCE...): the folder of the sources, told only to the files that ask for it, so that a compiler
# cache can serve all others from another clone.
function(abut_tell_source_dir)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    file(STRINGS ${source} asks REGEX ABUT_SOURCE_DIR LIMIT_COUNT 1)
    if(asks)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS ABUT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
endfunction()

# Each program as several tests of ctest, of every n-th case each, so that the longest one does not keep one core busy
# while the others are idle. Layers with few cases have empty shares, which pass at once.
function(abut_add_tests name)
  set(shares 4)
  math(EXPR last "${shares} - 1")
  foreach(share RANGE ${last})
    add_test(NAME ${name}_${share} COMMAND test_${name} ${ARGN})
    set_tests_properties(${name}_${share} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=${shares};GTEST_SHARD_INDEX=${share}")
  endforeach()
endfunction()

function(abut_layer name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(abut_${name} STATIC ${sources})
    set_property(GLOBAL APPEND PROPERTY abut_layers ${name})
    set(visibility PUBLIC)
    target_link_libraries(abut_${name} PRIVATE ${ARG_PRIVATE})
    abut_precompile(abut_${name} abut_pch)
    abut_unity(abut_${name} ${sources})
  else()
    add_library(abut_${name} INTERFACE)
    set(visibility INTERFACE)
  endif()
  target_link_libraries(abut_${name} ${visibility} abut_options ${ARG_DEPENDS})
  if(ABUT_TESTS AND tests)
    add_executable(test_${name} ${tests})
    target_link_libraries(test_${name} PRIVATE abut_${name} ${ARG_PRIVATE} GTest::gtest_main)
    abut_tell_source_dir(${tests})
    abut_precompile(test_${name} abut_test_pch)
    abut_unity(test_${name} ${tests})
    abut_add_tests(${name})
    add_dependencies(unit_tests test_${name})
    foreach(test IN LISTS tests)
      file(STRINGS ${test} long_suites REGEX "^TEST.*Long," LIMIT_COUNT 1)
      string(REGEX REPLACE "cpp$" "hpp" helper ${test}) # what tests share
      if(long_suites OR EXISTS ${helper})
        set_property(GLOBAL APPEND PROPERTY abut_long_tests ${test})
        set_property(GLOBAL APPEND PROPERTY abut_long_test_libraries abut_${name} ${ARG_PRIVATE})
      endif()
    endforeach()
  endif()
endfunction()

# test_long: the suites that sanitizers would make too slow, of all layers, as an optimised program of their own, because
# ./check runs the others under sanitizers and need not compile them twice. Built by name only. Called from another folder
# than the layers', because the properties of a source (its unit) hold for all targets of a folder.
function(abut_long_tests)
  get_property(tests GLOBAL PROPERTY abut_long_tests)
  get_property(libraries GLOBAL PROPERTY abut_long_test_libraries)
  list(REMOVE_DUPLICATES libraries)
  add_executable(test_long EXCLUDE_FROM_ALL ${tests})
  target_link_libraries(test_long PRIVATE ${libraries} GTest::gtest_main)
  abut_tell_source_dir(${tests})
  abut_precompile(test_long abut_test_pch)
  abut_unity(test_long ${tests})
  abut_add_tests(long --gtest_filter=*Long.*)
endfunction()
