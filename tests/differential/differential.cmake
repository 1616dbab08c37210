# Random files read here and by others (differential.py); those that others are missing for are skipped.
add_executable(read_frames ${CMAKE_CURRENT_LIST_DIR}/read_frames.cpp)
target_link_libraries(read_frames PRIVATE coppice_data)
target_include_directories(read_frames PRIVATE ${PROJECT_SOURCE_DIR})
coppice_cold(read_frames)
if(PYTHON)
  foreach(kind csv arff libsvm)
    add_test(NAME Differential.${kind}
             COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/differential.py ${kind} --count 5000 --program $<TARGET_FILE:read_frames>
                     --other-python ${PROJECT_SOURCE_DIR}/build/python-venv/bin/python)
    set_tests_properties(Differential.${kind} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endif()
