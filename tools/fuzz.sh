# Sourced by ./run: random bytes for parsers, random files beside other readers, many runs in a row.
# shellcheck shell=bash disable=SC2154

# build_fuzzers FOLDER KIND: libFuzzer's programs. gcc's header and library of OpenMP: clang's own would be one more package.
build_fuzzers() {
  build_target "$1" fuzzers -DCOPPICE_TESTS=ON -DCOPPICE_PROGRAM=OFF -DCOPPICE_CUDA=off "-DCOPPICE_SANITIZE=$2" \
    -DCMAKE_CXX_COMPILER=/usr/bin/clang++-14 "-DCMAKE_CXX_FLAGS=-idirafter$(g++ -print-file-name=include)" \
    -DOpenMP_CXX_FLAGS=-fopenmp=libgomp -DOpenMP_CXX_LIB_NAMES=gomp "-DOpenMP_gomp_LIBRARY=$(g++ -print-file-name=libgomp.so)"
}

run_fuzz() {
  local action=run others=()
  need_packages "${build_packages[@]}" "${fuzz_packages[@]}"
  build_fuzzers "$root/build-fuzz" fuzzer
  if [[ ${1-} == spread || ${1-} == add ]]; then
    action=$1
    shift
  fi
  if [[ $action == spread ]]; then
    build_fuzzers "$root/build-fuzz-fast" fuzzer-fast
    others=(--fast "$root/build-fuzz-fast/bin")
  fi
  [[ " $* " == *" --work "* ]] || others+=(--work "$root/build-fuzz/corpus")
  exec python3 "$root/tests/fuzz/fuzz.py" "$action" "$@" --programs "$root/build-fuzz/bin" "${others[@]}"
}

run_differential() {
  need_packages "${build_packages[@]}" "${test_packages[@]}" python3-venv
  build_target "$root/build" read_frames -DCOPPICE_TESTS=ON
  [[ ${1-} == csv ]] || make_python_venv
  exec python3 "$root/tests/differential/differential.py" "$@" --program "$root/build/bin/read_frames" \
    --other-python "$root/build/python-venv/bin/python"
}

run_soak() {
  need_packages "${build_packages[@]}" "${test_packages[@]}"
  build_target "$root/build" all -DCOPPICE_TESTS=ON
  case "${1-}" in
    library) exec "$root/build/bin/soak" library "${2-2000}" ;;
    load) exec "$root/build/bin/soak" load "${2-60}" ;;
    program) exec python3 "$root/tests/soak/program_soak.py" --program "$root/build/bin/coppice" --count "${2-200}" ;;
    *) stop "there is no soak '${1-}'; there are library, load and program" ;;
  esac
}
