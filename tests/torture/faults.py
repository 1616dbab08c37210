"""One call of the program's fails after the other (inject.c)."""
from ward import TRAIN, Progress, check_end, reference


def numbers_to_try(ward, total, most):
    numbers = range(1, total + 1) if total <= most else sorted(ward.random.sample(range(1, total + 1), most))
    return numbers[ward.slice[0]::ward.slice[1]]


def count_calls(ward, arguments, kind):
    ward.call(arguments, (kind, 0))
    return int((ward.folder / "count").read_text())


def check_code(ward, code, said, may_fail, what):
    """Whether a call ended as it may; true if it ended with a sentence."""
    if code not in ((0, 2) if may_fail else (0,)):
        ward.fail(f"{what}: ended with {code}: {said.strip()[-300:]}")
    if code == 2 and (len(said.splitlines()) != 1 or not said.startswith("coppice: ")):
        ward.fail(f"{what}: said {said!r}")
    return code == 2


def injected_output(ward, kind, may_fail, most, name, call, file):
    """A file that was there before is replaced as a whole or not at all."""
    out = ward.folder / file
    out.parent.mkdir(exist_ok=True)
    total = count_calls(ward, call, kind)
    new = out.read_bytes()
    numbers = numbers_to_try(ward, total, most)
    progress = Progress(f"{kind}, {name}", len(numbers))
    refused = 0
    for number in numbers:
        what = f"{kind} at call {number} of {name}"
        out.write_bytes(b"precious")
        code, said = ward.call(call, (kind, number))
        refused += check_code(ward, code, said, may_fail, what)
        if out.read_bytes() not in ((new,) if code == 0 else (new, b"precious")):
            ward.fail(f"{what}: ended with {code} and another file than the old or the new one")
        if ward.leftovers(out.parent):
            ward.fail(f"{what}: left {ward.leftovers(out.parent)}")
        progress.step()
    progress.end(f"{len(numbers)} of {total} calls, {refused} ended it with a sentence")


def injected_predict(ward, kind, may_fail, most):
    reference(ward, TRAIN[1])
    call = ["predict", "reference", "small.csv", "-o", "out/rows.csv", "--threads", "1"]
    injected_output(ward, kind, may_fail, most, "predict", call, "out/rows.csv")


def injected_report(ward, kind, may_fail, most):
    reference(ward, TRAIN[1])
    injected_output(ward, kind, may_fail, most, "report", ["report", "reference"], "reference/report.html")


def injected_run(ward, kind, may_fail, most, call=TRAIN):
    """One call fails, then another in the next run, until each, or `most` of them, has."""
    name, begin, resume = call
    begin = begin[:-1] + ["--threads", "1", "-o"]
    wanted, _ = reference(ward, begin)
    ward.remove("run")
    total = count_calls(ward, begin + ["run"], kind)
    numbers = numbers_to_try(ward, total, most)
    progress = Progress(f"{kind}, {name}", len(numbers))
    refused = 0
    for number in numbers:
        ward.remove("run")
        what = f"{kind} at call {number} of {name}"
        code, said = ward.call(begin + ["run"], (kind, number))
        refused += check_code(ward, code, said, may_fail, what)
        if ward.leftovers("run"):
            ward.fail(f"{what}: left {ward.leftovers('run')}")
        check_end(ward, begin, resume, "run", wanted, what)
        progress.step()
    progress.end(f"{len(numbers)} of {total} calls, {refused} ended the run with a sentence")
