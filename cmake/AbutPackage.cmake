# The library as other programs get it: the layers in one archive, or one shared library, the headers of include/abut, and
# what find_package and pkg-config read; packages for Debian by CPack (docs/decisions/0036, docs/library.md).
#
#   cmake --install build/release --prefix DIR     or     cpack --config build/release/CPackConfig.cmake -B DIR
#
# Two components: `library`, and `command` with the program abut.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(abut_layers GLOBAL PROPERTY abut_layers)
list(TRANSFORM abut_layers REPLACE "(.+)" "$<TARGET_OBJECTS:abut_\\1>" OUTPUT_VARIABLE objects)
add_library(abut ${objects})
add_library(abut::abut ALIAS abut)
set(third_parties fmt::fmt SUNDIALS::cvodes SUNDIALS::nvecserial PkgConfig::tomlplusplus Threads::Threads)
target_link_libraries(abut PRIVATE ${third_parties})
target_include_directories(abut INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_features(abut INTERFACE cxx_std_20)
# While versions begin with 0 a minor one may change what programs see.
set_target_properties(abut PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(BUILD_SHARED_LIBS)
  # Which version of the interface a symbol belongs to; test/c_package_test.py compares what is shown.
  set(abut_symbols ${PROJECT_SOURCE_DIR}/cmake/abut.map)
  target_link_options(abut PRIVATE LINKER:--version-script=${abut_symbols})
  set_target_properties(abut PROPERTIES LINK_DEPENDS ${abut_symbols})
endif()

# What a program that links the archive has to link besides: nothing for a shared library, which knows itself.
set(abut_link_items)
if(NOT BUILD_SHARED_LIBS)
  # By the files themselves: the targets of some of these packages hold more than is linked, or need the C language.
  set(abut_link_items ${tomlplusplus_LINK_LIBRARIES})
  list(FILTER abut_link_items INCLUDE REGEX "tomlplusplus")
  foreach(name fmt sundials_cvodes sundials_nvecserial)
    find_library(ABUT_LIBRARY_${name} ${name} REQUIRED)
    mark_as_advanced(ABUT_LIBRARY_${name})
    list(APPEND abut_link_items ${ABUT_LIBRARY_${name}})
  endforeach()
  # The last ones for programs in C, which the compiler of C links.
  list(APPEND abut_link_items -pthread -lstdc++ -lm)
endif()

file(GLOB abut_public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/abut/*.hpp ${PROJECT_SOURCE_DIR}/include/abut/*.h)
install(TARGETS abut ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
                     LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES ${abut_public_headers} ${PROJECT_BINARY_DIR}/include/abut/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/docs/library.md ${PROJECT_SOURCE_DIR}/docs/c.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/cpp ${PROJECT_SOURCE_DIR}/examples/c ${PROJECT_SOURCE_DIR}/examples/hosts
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT library)

# Both find the library from where they lie themselves, so that the installed tree can be moved.
set(abut_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
file(RELATIVE_PATH abut_prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/abut-config.cmake.in
                              ${PROJECT_BINARY_DIR}/package/abut-config.cmake.gen
                              INSTALL_DESTINATION ${abut_cmake_folder} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/abut-config.cmake INPUT
     ${PROJECT_BINARY_DIR}/package/abut-config.cmake.gen)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/abut-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
list(JOIN abut_link_items " " abut_pc_libraries)
configure_file(${PROJECT_SOURCE_DIR}/cmake/abut.pc.in ${PROJECT_BINARY_DIR}/package/abut.pc.gen @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/package/abut.pc INPUT ${PROJECT_BINARY_DIR}/package/abut.pc.gen)
install(FILES ${PROJECT_BINARY_DIR}/package/abut-config.cmake ${PROJECT_BINARY_DIR}/package/abut-config-version.cmake
        DESTINATION ${abut_cmake_folder} COMPONENT library)
install(FILES ${PROJECT_BINARY_DIR}/package/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME abut)
  set(CPACK_PACKAGE_CONTACT "abut <maintainers@abut.invalid>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "contact dynamics that can be trusted")
  set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_COMPONENTS_ALL library)
  if(ABUT_COMMAND)
    list(APPEND CPACK_COMPONENTS_ALL command)
  endif()
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libabut-dev)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "contact dynamics that can be trusted: library for C++ and C programs")
  set(CPACK_COMPONENT_COMMAND_DESCRIPTION "contact dynamics that can be trusted: the command abut")
  if(BUILD_SHARED_LIBS)
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
  else()
    # The C++ runtime as well: a compiler of C does not bring it.
    string(REGEX MATCH "^[0-9]+" compiler ${CMAKE_CXX_COMPILER_VERSION})
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
        "libfmt-dev, libsundials-dev, libtomlplusplus-dev, libstdc++-${compiler}-dev | libstdc++-dev")
  endif()
  set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME abut)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
  include(CPack)
endif()
