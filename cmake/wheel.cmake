# What the Python package holds beside its own files: the library, loaded by ctypes, and the program.
target_link_options(coppice_shared PRIVATE -s)
target_link_options(coppice PRIVATE -s)
install(PROGRAMS $<TARGET_FILE:coppice_shared> DESTINATION coppice/lib RENAME libcoppice.so COMPONENT python)
install(PROGRAMS $<TARGET_FILE:coppice> DESTINATION coppice/bin COMPONENT python)

# What they are made of, beside the package's metadata, where packages of a distribution can be told.
find_program(COPPICE_DPKG_QUERY dpkg-query)
find_program(COPPICE_PYTHON3 python3)
if(COPPICE_DPKG_QUERY AND COPPICE_PYTHON3 AND CMAKE_GENERATOR STREQUAL "Ninja")
  set(parts "${PROJECT_BINARY_DIR}/coppice.spdx.json")
  install(CODE "execute_process(COMMAND ${COPPICE_PYTHON3} ${PROJECT_SOURCE_DIR}/tools/sbom.py ${PROJECT_BINARY_DIR}
    -o ${parts} --no-files COMMAND_ERROR_IS_FATAL ANY)" COMPONENT python)
  install(FILES "${parts}" DESTINATION "${SKBUILD_METADATA_DIR}/sboms" COMPONENT python)
else()
  message(STATUS "the wheel has no list of its parts: that needs dpkg-query, python3 and Ninja")
endif()
