# Sourced by ./run: what the tests of ONNX files need, in a Python environment of its own.
# shellcheck shell=bash disable=SC2154

onnx_modules=(onnx onnxruntime)

install_onnx() {
  local venv="$1"
  rm -rf "$venv"
  python3 -m venv "$venv" &&
    "$venv/bin/pip" install --retries 1 --timeout 30 "${onnx_modules[@]}" &&
    "$venv/bin/python" -c 'import numpy, onnx, onnxruntime' &&
    : >"$venv/complete"
}

# Installs the modules if that is possible; says so and goes on if it is not.
want_onnx() {
  local venv="$root/build/onnx-venv" log="$root/build/onnx.log"
  [[ ! -e $venv/complete ]] || return 0
  mkdir -p "$root/build"
  install_onnx "$venv" >"$log" 2>&1 ||
    say "not installed: ${onnx_modules[*]}; the tests that need them are skipped (see $log)"
}
