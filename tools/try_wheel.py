"""try_wheel.py WHEEL: the package that is installed beside this interpreter learns, predicts and brings its program along."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import coppice

largest = 25_000_000  # bytes, without CUDA

wheel = pathlib.Path(sys.argv[1])
size = wheel.stat().st_size
assert size <= largest, f"{wheel.name} has {size} bytes; {largest} are allowed"

X = np.random.default_rng(0).uniform(-1, 1, size=(400, 2))
y = (X**2).sum(axis=1) < 0.6
fitted = coppice.CoppiceClassifier(effort="quick", ensemble="off").fit(X, y)
assert fitted.score(X, y) > 0.9, fitted.score(X, y)

beside = pathlib.Path(sys.executable).parent / "coppice"
with tempfile.TemporaryDirectory() as folder:
    fitted.model_.save(f"{folder}/m.coppice")
    for command in ([beside], [sys.executable, "-m", "coppice"]):
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
        assert coppice.__version__ in said, said
        subprocess.run([*command, "inspect", f"{folder}/m.coppice"], capture_output=True, check=True)

# Whatever they are linked with comes from the wheel or from the C library.
for name in ("lib/libcoppice.so", "bin/coppice"):
    path = pathlib.Path(coppice.__file__).parent / name
    linked = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    for part in ("libdnnl", "libfmt", "libgomp"):
        line = next(line for line in linked.splitlines() if part in line)
        assert "coppice.libs" in line, line
print(f"{wheel.name}: {size / 1e6:.1f} MB; learns, predicts and brings the program along")
