# Altered files in one process, so that sanitizers can look at many of them (docs/reliability.md); here few of each.
add_executable(altered ${CMAKE_CURRENT_LIST_DIR}/altered.cpp)
target_link_libraries(altered PRIVATE coppice_run)
target_include_directories(altered PRIVATE ${PROJECT_SOURCE_DIR})
coppice_cold(altered)
foreach(file model checkpoint journal config results)
  add_test(NAME Altered.${file} COMMAND altered ${file} 300 1)
  set_tests_properties(Altered.${file} PROPERTIES TIMEOUT 900)
endforeach()
