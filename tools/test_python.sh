#!/usr/bin/env bash
# test_python.sh PYTHON LIBRARY PROGRAM [ARGS...]: style, types and tests of the Python package; ARGS go to pytest.
set -euo pipefail
root="$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)"
python="$1"
export COPPICE_LIBRARY="$2" COPPICE_PROGRAM="$3" PYTHONPATH="$root/python"
shift 3
if [[ ! -e ${python%/bin/python}/complete ]]; then
  echo "skipped: ${python%/bin/python} is not complete; ./run test makes it where a package index can be reached"
  exit 77
fi
cd "$root"
sources=(python benchmarks/python tools/try_wheel.py)
"$python" -m ruff check -q "${sources[@]}"
"$python" -m ruff format -q --check "${sources[@]}"
"$python" -m mypy --config-file pyproject.toml python/coppice
if "$python" -c 'import basedpyright' 2>/dev/null; then
  "$python" -m basedpyright --pythonpath "$python"
else
  echo "pyright is left out: basedpyright is not installed; ./run python-test installs it"
fi
exec "$python" -m pytest -q -p no:cacheprovider python/tests "$@"
