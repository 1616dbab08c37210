# Sourced by ./run: the comparisons with peers (benchmarks/versus, benchmarks/tables, benchmarks/reading), each in a Python environment of its own.
# shellcheck shell=bash disable=SC2154

# python3-dev holds the headers that torch.compile needs.
peers_packages=(python3-venv python3-dev)
peers_modules=(torch scikit-learn numpy)
reading_modules=(numpy polars duckdb pandas lightgbm)
tables_modules=(scikit-learn pandas lightgbm catboost pytabkit)

# PyTorch's own index has a build for CPUs; that of PyPI brings gigabytes of CUDA, but works without a GPU too.
install_torch() {
  "$1/bin/pip" install --retries 0 --timeout 15 --index-url https://download.pytorch.org/whl/cpu torch ||
    "$1/bin/pip" install torch
}

# The current releases, whatever they are; compare.py prints which.
install_peers() {
  local venv="$1"
  rm -rf "$venv"
  # Debian's own python3: that is the one the packages above belong to.
  /usr/bin/python3 -m venv "$venv" &&
    "$venv/bin/pip" install --upgrade pip &&
    install_torch "$venv" &&
    "$venv/bin/pip" install "${peers_modules[@]}" &&
    "$venv/bin/python" -c 'import numpy, sklearn, torch' &&
    : >"$venv/complete"
}

# run_peers [ARGS...]: ARGS go to compare.py.
run_peers() {
  local venv="$root/build/peers-venv"
  need_packages "${peers_packages[@]}"
  [[ -e $venv/complete ]] ||
    quietly "installing ${peers_modules[*]}" "$root/build/peers.log" install_peers "$venv"
  # What torch.compile has compiled is kept for the next time.
  export TORCHINDUCTOR_CACHE_DIR="$root/build/peers-cache"
  "$venv/bin/python" "$root/benchmarks/versus/compare.py" "$@"
}

# XGBoost without what it depends on: that is NumPy, SciPy and a library for several GPUs.
install_tables() {
  local venv="$1"
  rm -rf "$venv"
  /usr/bin/python3 -m venv "$venv" &&
    "$venv/bin/pip" install --upgrade pip &&
    install_torch "$venv" &&
    "$venv/bin/pip" install "${tables_modules[@]}" &&
    "$venv/bin/pip" install --no-deps xgboost &&
    "$venv/bin/python" -c 'import catboost, lightgbm, pandas, pytabkit, sklearn, torch, xgboost' &&
    : >"$venv/complete"
}

# run_tables [ARGS...]: ARGS go to benchmarks/tables.
run_tables() {
  local venv="$root/build/tables-venv"
  need_packages "${peers_packages[@]}"
  [[ -e $venv/complete ]] ||
    quietly "installing torch xgboost ${tables_modules[*]}" "$root/build/tables.log" install_tables "$venv"
  "$venv/bin/python" "$root/benchmarks/tables" "$@"
}

install_reading() {
  local venv="$1"
  rm -rf "$venv"
  /usr/bin/python3 -m venv "$venv" &&
    "$venv/bin/pip" install --upgrade pip &&
    "$venv/bin/pip" install "${reading_modules[@]}" &&
    "$venv/bin/python" -c 'import duckdb, lightgbm, numpy, pandas, polars' &&
    : >"$venv/complete"
}

# want_reading: sets `venv`.
want_reading() {
  venv="$root/build/reading-venv"
  need_packages "${peers_packages[@]}"
  [[ -e $venv/complete ]] ||
    quietly "installing ${reading_modules[*]}" "$root/build/reading.log" install_reading "$venv"
}

# run_reading [ARGS...], run_predicting [ARGS...]: ARGS go to benchmarks/reading, to its predicting.py.
run_reading() {
  local venv
  want_reading
  "$venv/bin/python" -B "$root/benchmarks/reading" "$root/build/lib/libcoppice.so" "$@"
}
run_predicting() {
  local venv
  want_reading
  "$venv/bin/python" -B "$root/benchmarks/reading/predicting.py" "$root/build/bin/coppice" "$@"
}
