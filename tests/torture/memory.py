"""Memory that runs out."""
import subprocess

from faults import check_code, injected_predict, injected_run
from ward import LARGE, TRAIN, Progress, check_end, reference


def limited(ward, megabytes, arguments):
    """A call of the program with so many megabytes of addresses."""
    return subprocess.run(["sh", "-c", f"ulimit -v {megabytes}000; exec \"$@\"", "sh", ward.options.program, *arguments],
                          cwd=ward.folder, env=ward.environment, capture_output=True, timeout=300)


def begins(ward, megabytes):
    """Whether its main() has room to say a word. Below that the loader ends it, or libgomp, which is set up before it; where
    exactly is a matter of a page, of the length of the arguments too."""
    return limited(ward, megabytes, ["--version"]).returncode == 0


def address_spaces(ward, call, sizes):
    """The system gives so many megabytes and no more."""
    name, begin, resume = call
    wanted, _ = reference(ward, begin)
    sizes = sizes[ward.slice[0]::ward.slice[1]]
    progress = Progress(f"address space, {name}", len(sizes))
    refused, begun = 0, 0
    for megabytes in sizes:
        ward.remove("run")
        done = limited(ward, megabytes, [*begin, "run"])
        if begins(ward, megabytes):
            begun += 1
            refused += check_code(ward, done.returncode, done.stderr.decode(errors="replace"), True, f"{megabytes} MB")
        check_end(ward, begin, resume, "run", wanted, f"{megabytes} MB")
        progress.step()
    if 2 * begun < len(sizes):
        ward.fail(f"{name}: began in {begun} of {len(sizes)} address spaces, the largest of {sizes[-1]} MB")
    progress.end(f"{len(sizes)} sizes, {begun} let it begin, {refused} ended the run with a sentence")


def memory(ward):
    """Memory runs out at one allocation after the other, threads are not to be had, and address spaces are too small."""
    ward.compile("inject.c", ward.library)
    most = ward.options.count or (25 if ward.options.quick else 10**9)
    kinds = ward.kinds(("memory", "starved", "bare", "threads", "addresses"))
    for kind in kinds:
        if kind != "addresses":
            injected_run(ward, kind, True, most)
            injected_predict(ward, kind, True, most)
    if "addresses" in kinds:
        step = 25 if ward.options.quick else 5
        address_spaces(ward, TRAIN, range(50, 300, step))
        if not ward.options.quick:
            address_spaces(ward, LARGE, range(100, 400, step))
