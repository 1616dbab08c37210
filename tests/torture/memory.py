"""Memory that runs out."""
import subprocess

from faults import injected_predict, injected_train
from ward import TRAIN, Progress, check_end, reference


def memory(ward):
    """Memory runs out at one allocation after the other, and address spaces are too small."""
    ward.compile_injector()
    most = ward.options.count or (25 if ward.options.quick else 2000)
    injected_train(ward, "memory", True, most)
    injected_predict(ward, "memory", True, most)
    name, begin, resume = TRAIN
    wanted, _ = reference(ward, begin)
    sizes = range(50, 300, 25 if ward.options.quick else 5)
    progress = Progress("address space", len(sizes))
    refused = 0
    for megabytes in sizes:
        ward.remove("run")
        done = subprocess.run(["sh", "-c", f"ulimit -v {megabytes}000; exec \"$@\"", "sh", ward.options.program, *begin, "run"],
                              cwd=ward.folder, env=ward.environment, capture_output=True, timeout=300)
        said = done.stderr.decode(errors="replace")
        loaded = "error while loading shared libraries" not in said
        refused += done.returncode == 2
        if loaded and done.returncode not in (0, 2):
            ward.fail(f"{megabytes} MB: ended with {done.returncode}: {said.strip()[-300:]}")
        check_end(ward, begin, resume, "run", wanted, f"{megabytes} MB")
        progress.step()
    progress.end(f"{len(sizes)} sizes, {refused} ended the run with a sentence")
