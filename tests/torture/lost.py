"""The power goes, and what was not flushed is lost."""
import shutil
import subprocess

from disk_states import Disk, records
from ward import ENSEMBLE, SEARCH, TRAIN, Progress, reference, result_of


def record(ward, arguments):
    """Lets the program work in disk/ and returns what it did to files, each of which a loss of power may follow."""
    log = ward.folder / "record.log"
    environment = dict(ward.environment, LD_PRELOAD=str(ward.folder / "record.so"), RECORD_LOG=str(log))
    done = subprocess.run([ward.options.program, *map(str, arguments)], cwd=ward.folder / "disk", env=environment,
                          capture_output=True, timeout=300)
    return done.returncode, done.stderr.decode(errors="replace"), list(records(log))


def go_on(ward, begin, resume):
    there = any((ward.folder / "disk" / "run" / name).exists() for name in ("config.json", "search.json"))
    return record(ward, resume + ["run"] if there else begin + ["run"])


def lose_power(ward, before, calls, what):
    """Any number of calls after the state `before`, then none: leaves what is left in disk/."""
    disk = Disk(before)
    for words, data in calls[:ward.random.randrange(len(calls) + 1)]:
        disk.step(words, data)
    missing = disk.after_loss(ward.random, str(ward.folder / "disk"))
    for path in missing:
        ward.fail(f"{what}: {path} was flushed and is lost")


def check_record(ward, before, calls):
    """The calls that were recorded make the files that are there: none was overlooked."""
    disk = Disk(before)
    for words, data in calls:
        disk.step(words, data)
    for path, content in ((file, file.read_bytes()) for file in (ward.folder / "disk").rglob("*") if file.is_file()):
        folder = disk.top
        *above, name = path.relative_to(ward.folder / "disk").parts
        for part in above:
            folder = folder.now[part]
        if bytes(folder.now[name].now) != content:
            raise SystemExit(f"the record of {path} is not what was written")


def lost(ward):
    """Writes, names and renames that were not flushed are lost or reordered at any moment, once or twice in a run."""
    ward.compile("record.c", ward.folder / "record.so")
    kinds = [TRAIN, SEARCH] if ward.options.quick else [TRAIN, ENSEMBLE, SEARCH]
    count = ward.options.count or (10 if ward.options.quick else 300)
    before = ward.folder / "before"
    for name, begin, resume in kinds:
        wanted, _ = reference(ward, begin)
        for folder in ("before", "disk"):
            ward.remove(folder)
            (ward.folder / folder).mkdir()
            shutil.copy(ward.folder / "small.csv", ward.folder / folder)
        code, said, first = record(ward, begin + ["run"])
        if code != 0:
            raise SystemExit(f"an undisturbed call failed with {code}: {said}")
        check_record(ward, before, first)
        progress = Progress(f"lost, {name}", count)
        losses = 0
        for number in range(count):
            what = f"lost, {name}, number {number} of seed {ward.options.seed}"
            lose_power(ward, before, first, what)
            losses += 1
            if ward.random.random() < 0.3:
                ward.remove("again")
                shutil.copytree(ward.folder / "disk", ward.folder / "again")
                code, said, calls = go_on(ward, begin, resume)
                if code == 0:
                    lose_power(ward, ward.folder / "again", calls, what + ", again")
                    losses += 1
            code, said, _ = go_on(ward, begin, resume)
            if code != 0:
                ward.fail(f"{what}: going on ended with {code}: {said.strip()}")
            elif result_of(ward, "disk/run") != wanted:
                ward.fail(f"{what}: the models differ from those of an undisturbed run")
            elif ward.leftovers("disk/run"):
                ward.fail(f"{what}: left {ward.leftovers('disk/run')}")
            progress.step()
        progress.end(f"{count} runs, {losses} losses of power, each after one of {len(first)} calls on files")
