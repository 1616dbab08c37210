# Sourced by ./run: format and static checks.
# shellcheck shell=bash disable=SC2154

# The C++ files of the repository, relative to its root, each ended by a NUL.
cpp_files() {
  (cd "$root" && find . -path './build*' -prune -o -path './.*' -prune -o -path ./runs -prune -o \
    \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -type f -print0)
}

run_format() {
  need_packages "${format_packages[@]}"
  cpp_files | (cd "$root" && xargs -0 -r clang-format -i)
}

# Prints "UNIT FILE FILE ..." for everything that is compiled from C++: a unit made by the build or a source of its
# own, and the files of the repository that it includes, through whichever others.
units_with_files() {
  local units
  # A file that the build makes is not ours to check, and clang-tidy does not know nvcc's language: that is left to
  # nvcc's own warnings.
  mapfile -t units < <(sed -n 's/^ *"file": "\(.*\.\(cpp\|cxx\)\)",\{0,1\}$/\1/p' "$root/build-lint/compile_commands.json" |
    sort -u | grep -e '/Unity/' -e "^$root/\(coppice\|cli\|experiments\|tests\|benchmarks\|examples\)/")
  {
    cpp_files | (cd "$root" && xargs -0 grep -H '^ *# *include *"')
    grep -H '^#include "' "${units[@]}" /dev/null || true
    printf '%s\n' "${units[@]}"
  } | awk -v root="$root/" '
    { sub(/^\.\//, root) }
    /#/ {
      file = $0; sub(/:[^:]*$/, "", file)
      split($0, part, "\"")
      folder = file; sub(/[^\/]*$/, "", folder)
      # From the root of the repository, beside the file, or by its whole path.
      includes[file] = includes[file] " " (part[2] ~ /^\// ? part[2] : root part[2] " " folder part[2])
      next
    }
    function visit(file,    list, count, i) {
      if (file in seen) return
      seen[file] = 1
      print_list = print_list " " file
      count = split(includes[file], list, " ")
      for (i = 1; i <= count; ++i) visit(list[i])
    }
    { delete seen; print_list = ""; visit($0); print substr(print_list, 2) }'
}

# Checks one unit; the mark of success is an empty file named after the hash of all that the verdict depends on.
tidy_unit() {
  local unit="$1" mark="$2"
  if clang-tidy -p "$root/build-lint" --quiet --extra-arg="-idirafter$gcc_include" \
    --extra-arg=-Wno-unknown-warning-option "$unit" 2>/dev/null; then
    : >"$mark"
  else
    say "clang-tidy: ${unit#"$root/"}"
    return 1
  fi
}

run_tidy() {
  local cache="$root/build-lint/tidy-cache" settings unit files mark since=$SECONDS todo=()
  mkdir -p "$cache"
  # Headers such as omp.h are the compiler's own.
  gcc_include="$(g++ -print-file-name=include)"
  settings="$(clang-tidy --version; find "$root" -name .clang-tidy -not -path "$root/build*" -exec cat {} +)"
  while read -r unit files; do
    # shellcheck disable=SC2086
    mark="$cache/$({
      printf '%s\n' "$settings"
      sha256sum "$unit" $files 2>/dev/null || true
    } | sha256sum | cut -c1-32)"
    [[ -e $mark ]] || todo+=("$unit" "$mark")
  done < <(units_with_files)
  ((${#todo[@]})) || return 0
  export root gcc_include
  export -f tidy_unit say
  say "clang-tidy on $((${#todo[@]} / 2)) units of sources ..."
  # shellcheck disable=SC2016
  printf '%s\0' "${todo[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c 'tidy_unit "$@"' tidy_unit ||
    stop "clang-tidy has complaints, see above"
  say "clang-tidy done ($((SECONDS - since)) s)"
}

run_lint() {
  need_packages "${build_packages[@]}" "${test_packages[@]}" "${bench_packages[@]}" "${lint_packages[@]}"
  (cd "$root" && shellcheck -x run .ci/run tools/*.sh tests/package/*.sh)
  cpp_files | (cd "$root" && xargs -0 -r clang-format --dry-run --Werror) ||
    stop "some files are not formatted; './run format' mends them"
  "$root/tools/check_includes.sh" || stop "some files include what they may not, see above"
  # Nothing is compiled: clang-tidy reads the same units, larger ones, and says what clang warns of.
  configured_folder "$root/build-lint" -DCOPPICE_TESTS=ON -DCOPPICE_BENCHMARKS=ON -DCOPPICE_CUDA=auto \
    -DCOPPICE_UNITY_SIZE=20
  # Which sources are checked together follows from what is in them.
  cmake "$root/build-lint" >/dev/null
  run_tidy
  say "lint: no complaints"
}
