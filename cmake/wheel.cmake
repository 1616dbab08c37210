# What the Python package holds beside its own files: the library, loaded by ctypes, and the program.
target_link_options(coppice_shared PRIVATE -s)
target_link_options(coppice PRIVATE -s)
install(PROGRAMS $<TARGET_FILE:coppice_shared> DESTINATION coppice/lib RENAME libcoppice.so COMPONENT python)
install(PROGRAMS $<TARGET_FILE:coppice> DESTINATION coppice/bin COMPONENT python)
