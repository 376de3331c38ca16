# Several sources in one translation unit: with Eigen half of the compile time is instantiating templates, which the next
# source would instantiate again (CONTRIBUTING.md, "Where the time goes"). With -DABUT_UNITY=OFF, as in the presets dev
# and tidy, each source stands alone, which also shows a missing #include.
#
# Anonymous namespaces of one unit are one namespace. So two sources share a unit only when no name that either declares
# in an anonymous namespace, or as a macro, occurs as a word in the other: then nothing is defined twice, and no call
# finds another function than it finds alone. CMake looks again whenever a source changes.
option(ABUT_UNITY "compile several sources at once" ON)
set(abut_unity_batch 8) # 0.6 to 1.5 GB and 10 s a unit; larger ones keep one core busy at the end of a build

# _abut_own_names(TEXT NAMES): what a source declares for itself. Anonymous namespaces begin, end and hold their
# declarations in the first column (clang-format sees to that).
function(_abut_own_names text names_name)
  string(REGEX MATCHALL "\n(#define +[A-Za-z_0-9]+|namespace {\n|}  // namespace\n|[A-Za-z_][^\n]*)" lines "${text}")
  set(names)
  set(inside NO)
  foreach(line IN LISTS lines)
    if(line MATCHES "^\nnamespace {")
      set(inside YES)
    elseif(line MATCHES "^\n}  // namespace")
      set(inside NO)
    elseif(line MATCHES "^\n#define +([A-Za-z_0-9]+)")
      list(APPEND names ${CMAKE_MATCH_1})
    elseif(inside AND line MATCHES "^\n(struct|class|enum class|enum) +([A-Za-z_0-9]+)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(inside AND line MATCHES "^\nusing +([A-Za-z_0-9]+)( *=)?")
      if(CMAKE_MATCH_2) # otherwise a name of elsewhere, which may be said twice
        list(APPEND names ${CMAKE_MATCH_1})
      endif()
    elseif(inside AND NOT line MATCHES "^\n(template|TEST|TEST_F|TEST_P|INSTANTIATE_TEST_SUITE_P)[ (<]"
           AND line MATCHES "([A-Za-z_0-9]+) *[({=]")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${names_name} "${names}" PARENT_SCOPE)
endfunction()

# _abut_study(FILE NAMES WORDS): its own names, and " each word of its code once ".
function(_abut_study file names_name words_name)
  file(READ ${file} text)
  string(REGEX REPLACE "[];[\\]" " " text "\n${text}") # what would split or join the elements of a list
  # Twice, because a match eats the line break that the next one begins with.
  string(REPLACE "\n" "\n\n" names_text "${text}")
  _abut_own_names("${names_text}" names)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z_0-9]*" words "${text}")
  list(REMOVE_DUPLICATES words)
  list(JOIN words " " words)
  set(${names_name} "${names}" PARENT_SCOPE)
  set(${words_name} " ${words} " PARENT_SCOPE)
endfunction()

# abut_unity(TARGET SOURCE...): each source joins the first unit of the target in which it fits.
function(abut_unity target)
  if(NOT ABUT_UNITY)
    return()
  endif()
  set(units 0)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} leaks REGEX "^using namespace|^void. operator |ABUT_SOURCE_DIR" LIMIT_COUNT 1)
    if(leaks)
      continue() # names, or definitions, that its neighbours must not see
    endif()
    _abut_study(${source} names words)
    set(unit 0)
    while(unit LESS units)
      set(fits YES)
      if(count_${unit} EQUAL abut_unity_batch)
        set(fits NO)
      endif()
      foreach(name IN LISTS names)
        if(fits AND words_${unit} MATCHES " ${name} ")
          set(fits NO)
        endif()
      endforeach()
      foreach(name IN LISTS names_${unit})
        if(fits AND words MATCHES " ${name} ")
          set(fits NO)
        endif()
      endforeach()
      if(fits)
        break()
      endif()
      math(EXPR unit "${unit} + 1")
    endwhile()
    if(unit EQUAL units)
      math(EXPR units "${units} + 1")
      set(count_${unit} 0)
    endif()
    math(EXPR count_${unit} "${count_${unit}} + 1")
    list(APPEND names_${unit} ${names})
    string(APPEND words_${unit} "${words}")
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A class of one source may hold what is of its anonymous namespace; g++ takes every #included file for a header.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()
