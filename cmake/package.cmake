# What `cmake --install` lays down, and the Debian packages of it: `coppice` to run, `coppice-dev` to build with.
include(CMakePackageConfigHelpers)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/coppice)

# ---- to run: program, shared library, man page, completions ---------------------------------------------------
if(COPPICE_PROGRAM)
  install(TARGETS coppice RUNTIME COMPONENT coppice)
  # The program knows its own command line.
  set(described "")
  foreach(form man bash zsh fish)
    set(file ${PROJECT_BINARY_DIR}/described/coppice.${form})
    add_custom_command(OUTPUT ${file} COMMAND coppice describe ${form} > ${file} DEPENDS coppice
                       COMMENT "Describing the command line for ${form}" VERBATIM)
    list(APPEND described ${file})
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/described)
  add_custom_target(coppice_described ALL DEPENDS ${described})
  set(described ${PROJECT_BINARY_DIR}/described/coppice)
  install(FILES ${described}.man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME coppice.1 COMPONENT coppice)
  install(FILES ${described}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME coppice
          COMPONENT coppice)
  install(FILES ${described}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _coppice
          COMPONENT coppice)
  install(FILES ${described}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME coppice.fish
          COMPONENT coppice)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT coppice)

# What it is made of, if ./run sbom has written it.
install(FILES ${PROJECT_BINARY_DIR}/coppice.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT coppice OPTIONAL)

# ---- to build with: headers, static library, CMake and pkg-config files ---------------------------------------
file(STRINGS cmake/public_headers.txt headers REGEX "^coppice/")
foreach(header ${headers})
  if(EXISTS ${PROJECT_SOURCE_DIR}/${header})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT coppice-dev)
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/coppice/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/coppice
        COMPONENT coppice-dev)
install(TARGETS coppice_shared EXPORT coppice_shared
        LIBRARY COMPONENT coppice NAMELINK_COMPONENT coppice-dev)
install(TARGETS coppice_static EXPORT coppice_static ARCHIVE COMPONENT coppice-dev)
# Two files: who links the shared library needs none of the packages that the static one is made with.
foreach(kind shared static)
  install(EXPORT coppice_${kind} FILE coppice-${kind}.cmake NAMESPACE coppice:: DESTINATION ${cmake_files}
          COMPONENT coppice-dev)
endforeach()
configure_package_config_file(cmake/coppice-config.cmake.in ${PROJECT_BINARY_DIR}/coppice-config.cmake
                              INSTALL_DESTINATION ${cmake_files})
# While the version begins with 0, interfaces may change with its second number.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/coppice-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/coppice-config.cmake ${PROJECT_BINARY_DIR}/coppice-config-version.cmake
        DESTINATION ${cmake_files} COMPONENT coppice-dev)
list(TRANSFORM COPPICE_LINK_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE private_flags)
list(JOIN private_flags " " private_flags)
file(RELATIVE_PATH COPPICE_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/coppice.pc.in coppice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/coppice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT coppice-dev)

# ---- .deb --------------------------------------------------------------------------------------------------------
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME coppice)
set(CPACK_PACKAGE_CONTACT "The Coppice authors <maintainers@coppice.invalid>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL coppice coppice-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COPPICE_PACKAGE_NAME coppice)
set(CPACK_DEBIAN_COPPICE_DESCRIPTION "${PROJECT_DESCRIPTION}
 The program and its shared library.")
set(CPACK_DEBIAN_COPPICE-DEV_PACKAGE_NAME coppice-dev)
set(CPACK_DEBIAN_COPPICE-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COPPICE-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COPPICE-DEV_PACKAGE_DEPENDS "coppice (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_COPPICE-DEV_DESCRIPTION "${PROJECT_DESCRIPTION}
 Headers, static library, and files for CMake and pkg-config.")
include(CPack)
