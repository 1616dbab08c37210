"""try_wheel.py WHEEL off|on: the package that is installed beside this interpreter, with CUDA or without, learns, predicts and
brings its program along."""

import importlib.metadata
import json
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

beside = pathlib.Path(sys.executable).parent / "coppice"


def of_program(device: str) -> bytes:
    """The model that the wheel's program makes of the same rows."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "table.csv"
        rows = [f"{a!r},{b!r},{int(label)}" for (a, b), label in zip(X.tolist(), y, strict=True)]
        table.write_text("\n".join(["column1,column2,target", *rows, ""]))
        command = [beside, "train", table, "--target", "target", "--task", "classification", "-o", f"{folder}/run"]
        flags = ["--effort", "quick", "--ensemble", "off", "--device", device, "--quiet"]
        subprocess.run([*command, *flags], capture_output=True, check=True)
        return (pathlib.Path(folder) / "run" / "model.coppice").read_bytes()


def of_estimator(device: str) -> bytes:
    estimator = coppice.CoppiceClassifier(effort="quick", ensemble="off", device=device, row_order="given").fit(X, y.astype(int))
    assert estimator.score(X, y.astype(int)) > 0.9
    return estimator.model_.bytes()


assert of_estimator("cpu") == of_program("cpu")
try:
    assert of_estimator("cuda") == of_program("cuda") and with_cuda
    where = "on a GPU too, as the program does"
except NotImplementedError as error:  # there is no GPU, or the build has nothing for one
    assert with_cuda != ("has no CUDA" in str(error)), error
    where = f"on the processor ({error})"

with tempfile.TemporaryDirectory() as folder:
    fitted.model_.save(f"{folder}/m.coppice")
    for command in ([beside], [sys.executable, "-m", "coppice"]):
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
        assert coppice.__version__ in said, said
        subprocess.run([*command, "inspect", f"{folder}/m.coppice"], capture_output=True, check=True)

# The list of parts tells the very packages that were put into the wheel.
listed = next(file for file in importlib.metadata.files("coppice") or [] if file.name == "coppice.spdx.json")
assert listed.parts[-2] == "sboms", listed
parts = {part["name"]: part["versionInfo"] for part in json.loads(listed.read_text())["packages"]}
assert parts["coppice"] == coppice.__version__ and any(name.startswith("libdnnl") for name in parts), sorted(parts)

# Whatever they are linked with comes from the wheel or from the C library.
for name in ("lib/libcoppice.so", "bin/coppice"):
    path = pathlib.Path(coppice.__file__).parent / name
    linked = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    for part in ("libdnnl", "libfmt", "libgomp"):
        line = next(line for line in linked.splitlines() if part in line)
        assert "coppice.libs" in line, line
    assert "libmpi" not in linked, linked  # whatever was installed where the wheel was made
print(f"{wheel.name}: {size / 1e6:.1f} MB; learns {where}, predicts and brings the program along")
