"""Memory that runs out."""
import subprocess

from faults import check_code, injected_predict, injected_train
from ward import LARGE, TRAIN, Progress, check_end, reference


def limited(ward, megabytes, arguments):
    """A call of the program with so many megabytes of addresses."""
    return subprocess.run(["sh", "-c", f"ulimit -v {megabytes}000; exec \"$@\"", "sh", ward.options.program, *arguments],
                          cwd=ward.folder, env=ward.environment, capture_output=True, timeout=300)


def begins(ward, megabytes):
    """Whether it comes as far as its main(): the loader and the libraries that are set up before it end it otherwise."""
    done = limited(ward, megabytes, ["--version"])
    said = done.stderr.decode(errors="replace")
    before = "error while loading shared libraries" in said or said.startswith("libgomp: Out of memory")
    return not (before and done.returncode in (1, 127))


def address_spaces(ward, call, sizes):
    """The system gives so many megabytes and no more."""
    name, begin, resume = call
    wanted, _ = reference(ward, begin)
    progress = Progress(f"address space, {name}", len(sizes))
    refused = 0
    for megabytes in sizes:
        ward.remove("run")
        done = limited(ward, megabytes, [*begin, "run"])
        if begins(ward, megabytes):
            refused += check_code(ward, done.returncode, done.stderr.decode(errors="replace"), True, f"{megabytes} MB")
        check_end(ward, begin, resume, "run", wanted, f"{megabytes} MB")
        progress.step()
    progress.end(f"{len(sizes)} sizes, {refused} ended the run with a sentence")


def memory(ward):
    """Memory runs out at one allocation after the other, threads are not to be had, and address spaces are too small."""
    ward.compile("inject.c", ward.library)
    most = ward.options.count or (25 if ward.options.quick else 2000)
    for kind in ("memory", "starved", "bare"):
        injected_train(ward, kind, True, most)
        injected_predict(ward, kind, True, most)
    injected_train(ward, "threads", True, most)
    injected_predict(ward, "threads", True, most)
    step = 25 if ward.options.quick else 5
    address_spaces(ward, TRAIN, range(50, 300, step))
    if not ward.options.quick:
        address_spaces(ward, LARGE, range(100, 400, step))
