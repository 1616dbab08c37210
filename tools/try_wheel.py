"""try_wheel.py WHEEL off|on: the package that is installed beside this interpreter, with CUDA or without, learns, predicts and
brings its program along."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import coppice

wheel = pathlib.Path(sys.argv[1])
with_cuda = sys.argv[2] == "on"
largest = 60_000_000 if with_cuda else 25_000_000  # bytes
size = wheel.stat().st_size
assert size <= largest, f"{wheel.name} has {size} bytes; {largest} are allowed"

X = np.random.default_rng(0).uniform(-1, 1, size=(400, 2))
y = (X**2).sum(axis=1) < 0.6
fitted = coppice.CoppiceClassifier(effort="quick", ensemble="off").fit(X, y)
assert fitted.score(X, y) > 0.9, fitted.score(X, y)

try:
    on_gpu = coppice.CoppiceClassifier(effort="quick", ensemble="off", device="cuda").fit(X, y)
    assert with_cuda and on_gpu.score(X, y) > 0.9
    where = "on a GPU too"
except NotImplementedError as error:  # there is no GPU, or the build has nothing for one
    assert with_cuda != ("has no CUDA" in str(error)), error
    where = "on the processor"

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
print(f"{wheel.name}: {size / 1e6:.1f} MB; learns {where}, predicts and brings the program along")
