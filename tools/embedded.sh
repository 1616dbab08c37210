# Sourced by ./run: the comparison on small devices (benchmarks/embedded/versus), in a Python environment of its own.
# shellcheck shell=bash disable=SC2154

embedded_modules=(emlearn m2cgen scikit-learn numpy)

install_embedded() {
  local venv="$1"
  rm -rf "$venv"
  python3 -m venv "$venv" &&
    "$venv/bin/pip" install "${embedded_modules[@]}" &&
    "$venv/bin/python" -c 'import emlearn, m2cgen, sklearn' &&
    : >"$venv/complete"
}

# run_embedded [ARGS...]: ARGS go to benchmarks/embedded/versus.
run_embedded() {
  local venv="$root/build/embedded-venv"
  need_packages "${build_packages[@]}" "${device_test_packages[@]}" python3-venv
  build_target "$root/build" bin/coppice
  [[ -e $venv/complete ]] ||
    quietly "installing ${embedded_modules[*]}" "$root/build/embedded.log" install_embedded "$venv"
  "$venv/bin/python" -B "$root/benchmarks/embedded/versus" "$@"
}
