"""The same bytes however the program is run."""
import shutil

from ward import LARGE, TAUGHT, TRAIN, Progress, reference, result_of


def same(ward):
    """Any number of threads, a low priority, an emulated processor: no byte of a model may differ."""
    for name, begin, _ in [TRAIN] if ward.options.quick else [TRAIN, LARGE, TAUGHT]:
        wanted, _ = reference(ward, begin)
        ways = {f"{threads} threads": ([], ["--threads", threads]) for threads in ("1", "2", "3", "8", "16")}
        ways["nice 19"] = (["nice", "-n", "19"], [])
        progress = Progress(f"same bytes, {name}", len(ways))
        for way, (prefix, flags) in ways.items():
            compare(ward, begin, wanted, f"{name}, {way}", prefix, flags)
            progress.step()
        progress.end(f"{len(ways)} ways: {', '.join(ways)}")
    if shutil.which("valgrind") is None or ward.options.quick:
        print("same bytes under valgrind: " + ("left out of the quick form" if ward.options.quick else "there is no valgrind"))
        return
    # It emulates no AVX-512: products choose their kernels by the processor, so the others do without, too.
    ward.environment["ONEDNN_MAX_CPU_ISA"] = "AVX2"
    wanted, _ = reference(ward, TRAIN[1])
    progress = Progress("same bytes, valgrind", 1)
    compare(ward, TRAIN[1], wanted, "train under valgrind", ["valgrind", "-q", "--error-exitcode=9"], ["--threads", "2"], 3000)
    progress.end("no error of memory either")


def compare(ward, begin, wanted, what, prefix, flags, limit=300):
    ward.remove("run")
    code, said = ward.call([*begin[:-1], *flags, "-o", "run"], prefix=prefix, limit=limit)
    if code != 0:
        ward.fail(f"{what}: ended with {code}: {said.strip()[-300:]}")
    elif result_of(ward, "run") != wanted:
        ward.fail(f"{what}: the models differ")
