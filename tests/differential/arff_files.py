"""Random arff files, and what scipy makes of them."""

import io
import warnings

from scipy.io import arff

from csv_files import NUMBERS, Refused, float_bits

PLAIN = ["x", "yy", "a-b", "no", "1st"]
QUOTED = ["'x'", "'y y'", "'a-b'", "'no, sir'", "'1st'"]


def generate(source):
    """A file that is right, or has one mistake that both must see. scipy takes the first row for how all are written, so texts are all
    quoted or none is, and there are no blanks between cells."""
    words = source.choice((PLAIN, QUOTED))
    lines = [f"% {source.random()}"] * source.randint(0, 1) + ["@relation r", ""]
    kinds = []
    for i in range(source.randint(1, 5)):
        if source.random() < 0.5:
            kinds.append(None)
            kind = source.choice(("numeric", "REAL", "integer"))
        else:
            kinds.append(source.sample(words, source.randint(1, 4)))
            kind = "{" + source.choice((",", ", ")).join(kinds[-1]) + "}"
        lines.append(f"{source.choice(('@attribute', '@ATTRIBUTE'))} a{i}{source.choice((' ', '  '))}{kind}")
    lines.append(source.choice(("@data", "@DATA")))
    for row in range(source.randint(1, 6)):
        cells = [source.choice(kind or NUMBERS) for kind in kinds]
        lines.append(",".join("?" if row > 0 and source.random() < 0.1 else cell for cell in cells))
        if source.random() < 0.1:
            lines.append(source.choice(("", "% comment")))
    mistake = source.random()
    if mistake < 0.05 and len(kinds) > 1:
        lines.append(",".join(["?"] * (len(kinds) - 1)))
    elif mistake < 0.1:
        lines = [line for line in lines if line.lower() != "@data"]
    elif mistake < 0.15 and None in kinds:
        lines.append(",".join("word" if kind is None else "?" for kind in kinds))
    elif mistake < 0.2 and any(kinds):
        lines.append(",".join("1" if kind is None else "unheard" for kind in kinds))
    return "\n".join(lines) + "\n", None


def judge(text, _, answer):
    taken, said = answer[0] == "T", answer[3:]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data, meta = arff.loadarff(io.StringIO(text))
    except Exception as error:  # whatever scipy refuses with
        return f"is taken, though scipy says {type(error).__name__}: {error}" if taken else None
    try:
        wanted = table_text(data, meta)
    except Refused as refusal:
        return f"is taken, though {refusal}" if taken else None
    if not taken:
        return f"is refused: {said}"
    return None if said == wanted else f"gives {said!r}, not {wanted!r}"


def table_text(data, meta):
    wanted = ""
    for name, kind in zip(meta.names(), meta.types()):
        numeric = kind == "numeric"
        if numeric:
            cells = ["M" if value != value else float_bits(float(value)) for value in data[name]]
        else:
            cells = ["M" if value == b"?" else "T" + value.decode() for value in data[name]]
        wanted += f"\x1d{name}\x1e{'number' if numeric else 'text'}\x1e" + "".join(cell + "\x1f" for cell in cells)
    return wanted
