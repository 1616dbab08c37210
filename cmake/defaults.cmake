# Language, warnings and build type, the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O3 vectorises the kernels; asserts stay on in tests because NDEBUG is set nowhere: checks are cheap here.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
add_compile_options(
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Werror>")
if(COPPICE_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")  # sanitized code is not for speed, and -O3 takes twice as long to compile
  add_compile_options(
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(COPPICE_SANITIZED)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# coppice_folder(NAME DEPENDS ...): the library of one folder, from every source file in it.
# What a folder does on a GPU lies in its subfolder cuda/; no_cuda/ holds the same functions for builds without.
function(coppice_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/${COPPICE_CUDA_FOLDER}/*.cpp)
  add_library(coppice_${name} STATIC ${sources})
  target_include_directories(coppice_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(coppice_${name} PUBLIC ${ARG_DEPENDS})
endfunction()
