"""The process ends at any moment."""
import signal
import subprocess

from ward import ENSEMBLE, LARGE, SEARCH, TAUGHT, TRAIN, Progress, check_end, reference


def kill(ward):
    """SIGKILL at random moments, some of them several times in one run."""
    kinds = [TRAIN, TAUGHT, SEARCH] if ward.options.quick else [TRAIN, ENSEMBLE, TAUGHT, LARGE, SEARCH]
    if ward.options.gpu:
        kinds = [(f"{name}, GPU", [*begin[:-1], "--device", "cuda", "-o"], resume) for name, begin, resume in kinds if name != "search"]
    count = ward.options.count or (6 if ward.options.quick else 250)
    for name, begin, resume in kinds:
        wanted, seconds = reference(ward, begin)
        progress = Progress(f"kill, {name}", count)
        kills = 0
        for number in range(count):
            ward.remove("run")
            for _ in range(ward.random.choice([1, 1, 2, 3])):
                there = any((ward.folder / "run" / file).exists() for file in ("config.json", "search.json"))
                process = ward.start(resume + ["run"] if there else begin + ["run"])
                try:
                    process.wait(ward.random.uniform(0, 1.05 * seconds))
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
            check_end(ward, begin, resume, "run", wanted, f"kill, {name}, number {number} of seed {ward.options.seed}")
            progress.step()
        progress.end(f"{count} runs, {kills} kills")
