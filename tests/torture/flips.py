"""Files that are not what was written."""
import ctypes
import shutil
import sys
from pathlib import Path

from ward import TRAIN, Progress, reference, result_of


class ModelLibrary:
    """Models in memory, by the C interface."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        self.c.coppice_text_data.restype = ctypes.POINTER(ctypes.c_char)
        self.c.coppice_text_size.restype = ctypes.c_size_t

    def bytes_after_reading(self, data):
        """What is written again; None if the bytes are refused."""
        model = ctypes.c_void_p()
        if self.c.coppice_model_from_bytes(data, ctypes.c_size_t(len(data)), ctypes.byref(model)) != 0:
            return None
        text = ctypes.c_void_p()
        self.c.coppice_model_bytes(model, ctypes.byref(text))
        made = ctypes.string_at(self.c.coppice_text_data(text), self.c.coppice_text_size(text))
        self.c.coppice_text_free(text)
        self.c.coppice_model_free(model)
        return made


def flipped(ward, data):
    """One bit is another, or a stretch is missing, doubled or zero."""
    place = ward.random.randrange(len(data))
    how = ward.random.randrange(8)
    length = ward.random.randrange(1, 64)
    if how == 0:
        return data[:place] + data[place + length:]
    if how == 1:
        return data[:place] + data[max(0, place - length):]
    if how == 2:
        return data[:place] + bytes(len(data[place:place + length])) + data[place + length:]
    return data[:place] + bytes([data[place] ^ (1 << ward.random.randrange(8))]) + data[place + 1:]


def flip_models(ward, model):
    library = ModelLibrary(ward.options.library)
    if library.bytes_after_reading(model) != model:
        ward.fail("a model is written otherwise than it was read")
    count = 3000 if ward.options.quick else 100_000  # they are cheap
    progress = Progress("flips, model", len(model) + count)
    for size in range(len(model)):
        if library.bytes_after_reading(model[:size]) is not None:
            ward.fail(f"a model cut to {size} bytes was taken")
        progress.step()
    taken = 0
    for number in range(count):
        made = library.bytes_after_reading(flipped(ward, model))
        taken += made is not None
        if made not in (None, model):
            ward.fail(f"an altered model was taken (number {number} of seed {ward.options.seed})")
        progress.step()
    progress.end(f"{len(model)} lengths, {count} alterations, {taken} of them without effect")


def flips(ward):
    """Altered models, checkpoints, journals and configurations are noticed, or make no difference."""
    if ward.options.library is None:
        print("skipped: --library names the shared library")
        sys.exit(77)
    _, begin, resume = TRAIN
    wanted, _ = reference(ward, begin)
    flip_models(ward, wanted["model.coppice"])
    count = ward.options.count or (15 if ward.options.quick else 1000)
    for name in ("checkpoints/net-0.state", "journal.jsonl", "config.json"):
        progress = Progress(f"flips, {Path(name).name}", count)
        noticed = 0
        for number in range(count):
            ward.remove("run")
            shutil.copytree(ward.folder / "reference", ward.folder / "run")
            file = ward.folder / "run" / name
            file.write_bytes(flipped(ward, file.read_bytes()))
            code, said = ward.call(resume + ["run"])
            what = f"{name}, number {number} of seed {ward.options.seed}"
            noticed += code == 2
            if code not in (0, 2) or (code == 2 and len(said.splitlines()) != 1):
                ward.fail(f"{what}: ended with {code}: {said.strip()[-300:]}")
            if result_of(ward, "run") != wanted:
                ward.fail(f"{what}: the models differ")
            progress.step()
        progress.end(f"{count} alterations, {noticed} noticed, the others without effect")
