"""Random libsvm files, and what scikit-learn makes of them."""

import io
import re

from sklearn.datasets import load_svmlight_file

from csv_files import NUMBERS, Refused, float_bits

WILD = ["1", "2", "3", "0", ":", ":", " ", " ", "\n", "-", ".", "#", "1:2", "2:3", " 3:1", "a", "+1", "e1"]


def generate(source):
    if source.random() < 0.4:
        return "".join(source.choices(WILD, k=source.randint(1, 25))), None
    lines = []
    for _ in range(source.randint(1, 8)):
        indices = sorted(source.sample(range(1, 12), source.randint(0, 5)))
        pairs = [f"{index}:{source.choice(NUMBERS)}" for index in indices]
        lines.append(source.choice((" ", "  ", "\t")).join([source.choice(("1", "-1", "+1", "2.5", "0")), *pairs]))
        if source.random() < 0.1:
            lines[-1] += " # comment"
        if source.random() < 0.1:
            lines.append(source.choice(("", "# comment", "   ")))
    return "\n".join(lines) + source.choice(("\n", "")), None


def is_number(words):
    """Whether a line has no label, or a number for one."""
    try:
        return not words or ":" in words[0] or float(words[0]) is not None
    except ValueError:
        return False


def judge(text, _, answer):
    # Sums over sparse rows lose the sign of a zero; a label may be any word here, and an index has no sign.
    taken, said = answer[0] == "T", answer[3:].replace("N80000000", "N00000000")
    if not all(is_number(line.split("#")[0].split(maxsplit=1)) for line in text.split("\n")):
        return "skipped"
    if re.search(r"\+\d+:", text):
        return "skipped"
    try:
        inputs, labels = load_svmlight_file(io.BytesIO(text.encode()), zero_based=False)
        if inputs.shape[0] == 0:
            raise ValueError("no rows")
    except Exception as error:  # whatever scikit-learn refuses with
        return f"is taken, though scikit-learn says {type(error).__name__}: {error}" if taken else None
    try:
        wanted = ""
        columns = inputs.toarray().T if inputs.nnz > 0 else []  # where there is no pair it makes up a column
        for i, column in enumerate([labels, *columns]):
            cells = [float_bits(float(value) + 0.0) + "\x1f" for value in column]
            wanted += f"\x1d{i or 'label'}\x1enumber\x1e" + "".join(cells)
    except Refused as refusal:
        return f"is taken, though {refusal}" if taken else None
    if not taken:
        return f"is refused: {said}"
    return None if said == wanted else f"gives {said!r}, not {wanted!r}"
