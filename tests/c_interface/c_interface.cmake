# What other languages call, called from C99 as they link it: the shared library. A test per topic.
enable_language(C)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
add_executable(test_c_interface ${sources})
set_target_properties(test_c_interface PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_compile_options(test_c_interface PRIVATE -Wall -Wextra -Wpedantic -Werror)
target_compile_definitions(test_c_interface PRIVATE _XOPEN_SOURCE=700)  # mkdtemp, threads
target_link_libraries(test_c_interface PRIVATE coppice_shared Threads::Threads m)
add_dependencies(tests test_c_interface)
foreach(source ${sources})
  if(source MATCHES "/([a-z_]+)_test\\.c$")
    add_test(NAME CInterface.${CMAKE_MATCH_1} COMMAND test_c_interface ${CMAKE_MATCH_1})
    set_tests_properties(CInterface.${CMAKE_MATCH_1} ${under})
  endif()
endforeach()
add_test(NAME CInterface.EveryFunction COMMAND ${CMAKE_COMMAND} -DHEADER=${PROJECT_SOURCE_DIR}/coppice/coppice_c.h
         -DTESTS=${CMAKE_CURRENT_LIST_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/every_function.cmake)
