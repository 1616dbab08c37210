# Many runs in one process, many calls at once (docs/reliability.md); here few of each.
add_executable(soak ${CMAKE_CURRENT_LIST_DIR}/soak.cpp ${CMAKE_CURRENT_LIST_DIR}/runs.cpp ${CMAKE_CURRENT_LIST_DIR}/load.cpp)
target_link_libraries(soak PRIVATE coppice_run Threads::Threads)
target_include_directories(soak PRIVATE ${PROJECT_SOURCE_DIR})
coppice_cold(soak)
add_dependencies(tests soak)
if(NOT COPPICE_SANITIZE)  # sanitizers have a heap of their own
  add_test(NAME Soak.library COMMAND soak library 100)
endif()
add_test(NAME Soak.load COMMAND soak load 3)
set_tests_properties(Soak.load ${under})
if(PYTHON AND NOT threaded)
  add_test(NAME Soak.program COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/program_soak.py --program $<TARGET_FILE:coppice> --count 8)
endif()
