# Sourced by ./run: format and static checks.
# shellcheck shell=bash disable=SC2154

# The C++ files of the repository, relative to its root, each ended by a NUL.
cpp_files() {
  (cd "$root" && find . -path './build*' -prune -o -path './.*' -prune -o -path ./runs -prune -o \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -type f -print0)
}

run_format() {
  need_packages "${format_packages[@]}"
  cpp_files | (cd "$root" && xargs -0 -r clang-format -i)
}

# Prints "SOURCE HASH HASH ..." for every compiled source: the hashes of all files of the repository that it
# includes, itself first, as the compiler recorded them.
sources_with_hashes() {
  local deps
  # ccache may have made paths relative to the build folder.
  deps="$(ninja -C "$root/build" -t deps | awk -v root="$root/" '/^[^ ]/ { print "--"; next }
    { sub(/^\.\.\//, root, $1) }
    index($1, root) == 1 { print $1 }')"
  {
    sort -u <<<"$deps" | grep -vx -e -- | xargs -r sha256sum 2>/dev/null || true
    printf '%s\n' "$deps"
  } | awk 'NF == 2 { hash[$2] = $1; next }
    $1 == "--" { if (line) print line; line = ""; next }
    { line = (line ? line : $1) " " hash[$1] }
    END { if (line) print line }' | sort -u
}

# Checks one source; the mark of success is an empty file named after the hash of all that the verdict depends on.
tidy_source() {
  local source="$1" mark="$2"
  if clang-tidy -p "$root/build" --quiet --extra-arg="-idirafter$gcc_include" "$source" 2>/dev/null; then
    : >"$mark"
  else
    say "clang-tidy: ${source#"$root/"}"
    return 1
  fi
}

run_tidy() {
  local cache="$root/build/tidy-cache" settings source hashes mark since=$SECONDS todo=()
  mkdir -p "$cache"
  # Headers such as omp.h are the compiler's own.
  gcc_include="$(g++ -print-file-name=include)"
  settings="$(clang-tidy --version; find "$root" -name .clang-tidy -not -path "$root/build*" -exec cat {} +)"
  while read -r source hashes; do
    # clang-tidy does not know nvcc's language: its files are left to nvcc's own warnings. A generated file is not ours.
    [[ -e $source && $source == *.cpp ]] || continue
    mark="$cache/$(sha256sum <<<"$settings $source $hashes" | cut -c1-32)"
    [[ -e $mark ]] || todo+=("$source" "$mark")
  done < <(sources_with_hashes)
  ((${#todo[@]})) || return 0
  export root gcc_include
  export -f tidy_source say
  say "clang-tidy on $((${#todo[@]} / 2)) changed files ..."
  # shellcheck disable=SC2016
  printf '%s\0' "${todo[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c 'tidy_source "$@"' tidy_source ||
    stop "clang-tidy has complaints, see above"
  say "clang-tidy done ($((SECONDS - since)) s)"
}

run_lint() {
  need_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}" "${lint_packages[@]}"
  (cd "$root" && shellcheck -x run .ci/run tools/*.sh)
  cpp_files | (cd "$root" && xargs -0 -r clang-format --dry-run --Werror) ||
    stop "some files are not formatted; './run format' mends them"
  # Warnings are errors in every build; the build also records which headers each source includes.
  build_target "$root/build" all -DCOPPICE_TESTS=ON -DCOPPICE_BENCHMARKS=ON
  run_tidy
  say "lint: no complaints"
}
