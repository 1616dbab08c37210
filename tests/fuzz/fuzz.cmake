# Parsers under random bytes (docs/testing.md). Every build replays the committed corpus and alters it at random; builds with
# COPPICE_SANITIZE=fuzzer, by clang, have one program of libFuzzer per parser instead, which also tells which lines it reaches.
set(fuzz_parsers_on_core gzip)
set(fuzz_parsers_on_data csv arff libsvm amat idx)
set(fuzz_parsers_on_model model)
set(fuzz_parsers_on_run checkpoint journal results summary config search)
# fuzz_targets_on(FOLDER SOURCES...): parsers that need no more than this folder.
function(fuzz_targets_on folder)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/)
  add_library(fuzz_on_${folder} STATIC ${ARGN})
  target_link_libraries(fuzz_on_${folder} PUBLIC coppice_${folder})
  coppice_cold(fuzz_on_${folder})
endfunction()
fuzz_targets_on(core gzip.cpp)
fuzz_targets_on(data tables.cpp)
fuzz_targets_on(model model.cpp)
fuzz_targets_on(run checkpoint.cpp journal.cpp settings.cpp)

if(COPPICE_SANITIZE STREQUAL "fuzzer")
  add_custom_target(fuzzers)
  foreach(folder core data model run)
    # One program for all parsers of a folder, and their names.
    list(TRANSFORM fuzz_parsers_on_${folder} REPLACE "(.+)" "COPPICE_FUZZ_TARGET(\\1)" OUTPUT_VARIABLE targets)
    list(JOIN targets "," targets)
    add_executable(parsers_of_${folder} ${CMAKE_CURRENT_LIST_DIR}/libfuzzer.cpp)
    target_compile_definitions(parsers_of_${folder} PRIVATE "COPPICE_FUZZ_TARGETS=${targets}")
    target_link_libraries(parsers_of_${folder} PRIVATE fuzz_on_${folder})
    target_link_options(parsers_of_${folder} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers parsers_of_${folder})
    foreach(parser ${fuzz_parsers_on_${folder}})
      add_custom_command(TARGET parsers_of_${folder} POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink parsers_of_${folder}
                         fuzz_${parser} WORKING_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    endforeach()
  endforeach()
  return()
endif()

add_executable(fuzz_replay ${CMAKE_CURRENT_LIST_DIR}/replay.cpp)
target_link_libraries(fuzz_replay PRIVATE fuzz_on_core fuzz_on_data fuzz_on_model fuzz_on_run)
# Writes the first files of a corpus where they are no text.
add_executable(fuzz_seeds ${CMAKE_CURRENT_LIST_DIR}/seeds.cpp)
target_link_libraries(fuzz_seeds PRIVATE coppice_run)
if(PYTHON)
  foreach(parser ${fuzz_parsers_on_core} ${fuzz_parsers_on_data} ${fuzz_parsers_on_model} ${fuzz_parsers_on_run})
    add_test(NAME Fuzz.${parser} COMMAND ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/fuzz.py replay ${parser}
                                         --programs $<TARGET_FILE_DIR:fuzz_replay> --runs 100000)
    set_tests_properties(Fuzz.${parser} PROPERTIES TIMEOUT 600)
  endforeach()
endif()
