# The package as strangers meet it: installed into a folder of the build, then used by projects of their own.
set(prefix ${PROJECT_BINARY_DIR}/prefix)
add_test(NAME Package.Install COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DPREFIX=${prefix}
         -P ${CMAKE_CURRENT_LIST_DIR}/install.cmake)
set_tests_properties(Package.Install PROPERTIES FIXTURES_SETUP package)

# package_project(NAME SOURCE): builds and tests a project that finds the package.
function(package_project name source)
  set(folder ${PROJECT_BINARY_DIR}/package/${name})
  add_test(NAME Package.${name} COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${folder}
    --build-generator ${CMAKE_GENERATOR}
    --build-options -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
  set_tests_properties(Package.${name} PROPERTIES FIXTURES_REQUIRED package TIMEOUT 600)
endfunction()
package_project(Examples ${PROJECT_SOURCE_DIR}/examples)
package_project(Consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)

if(PYTHON)
  add_test(NAME Package.Sbom COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/sbom_test.py ${PROJECT_BINARY_DIR})
  set_tests_properties(Package.Sbom PROPERTIES SKIP_RETURN_CODE 77)
endif()
add_test(NAME Package.Hardening COMMAND ${CMAKE_CURRENT_LIST_DIR}/hardening.sh $<TARGET_FILE:coppice> $<TARGET_FILE:coppice_shared>)
set_tests_properties(Package.Hardening PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME Package.Symbols COMMAND ${CMAKE_CURRENT_LIST_DIR}/symbols.sh $<TARGET_FILE:coppice_shared>)
add_test(NAME Includes.Order COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_includes_test.sh
         ${PROJECT_SOURCE_DIR}/tools/check_includes.sh)
