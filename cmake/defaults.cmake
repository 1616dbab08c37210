# Language, warnings and build type, the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
# Every object may become part of the shared library, which shows only what COPPICE_API marks.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O3 vectorises the kernels; asserts stay on in tests because NDEBUG is set nowhere: checks are cheap here.
# Debugging information would take a tenth of the building; -DCMAKE_CXX_FLAGS=-g brings it.
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
add_compile_options(
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion>")
# Where every processor fuses multiplications and additions, as ARM's do, compilers do so where they like; on x86-64 they do it in our
# loops alone (coppice/device/cpu/simd.h).
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>")
endif()
if(COPPICE_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
if(COPPICE_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")  # sanitized code is not for speed, and -O3 takes twice as long to compile
  if(COPPICE_SANITIZE STREQUAL "thread")
    set(sanitizers -fsanitize=thread)
  elseif(COPPICE_SANITIZE STREQUAL "fuzzer")
    # Runs are counted in millions, so this is for speed as well.
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -gline-tables-only")
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
    # What parsers are made of: libFuzzer looks through all counters after each run, so the rest has none.
    set(COPPICE_COUNTED_FOLDERS core data model api search run)
    set(COPPICE_COUNTERS -fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping)
    add_link_options(-fprofile-instr-generate)
  elseif(COPPICE_SANITIZE STREQUAL "fuzzer-fast")
    # A trap where UndefinedBehaviorSanitizer would speak, and checked indices of the standard library, cost little. What a parser
    # does not use is left out, with its counters.
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -gline-tables-only")
    set(sanitizers -fsanitize=undefined,float-cast-overflow -fno-sanitize=vptr,function -fsanitize-trap=all)
    set(COPPICE_COUNTED_FOLDERS core data model api search run)
    # Operands of comparisons take a third of the time.
    set(COPPICE_COUNTERS -fsanitize-coverage=inline-8bit-counters,pc-table
                         -fsanitize-coverage-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/uncounted.txt)
    add_compile_definitions(_GLIBCXX_ASSERTIONS COPPICE_FUZZ_FAST)
    add_compile_options(-ffunction-sections -fdata-sections)
    add_link_options(-Wl,--gc-sections,-z,start-stop-gc,--as-needed)
  else()
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${sanitizers};-fno-omit-frame-pointer>")
  add_link_options(${sanitizers})
  add_compile_definitions(COPPICE_SANITIZED)
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
