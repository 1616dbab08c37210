"""Random csv files, and what Python's csv module and float make of them."""

import csv
import io
import random
import re
import struct

MISSING = {"", "?", "na", "n/a", "nan", "null"}
WILD = ["a", "b", "1", "2", "0", ".", "-", "+", "e", ",", ",", ",", ";", "|", '"', '"', "\n", "\n", "\n", " ", "\t", "\r\n", "NA", "nan", "inf",
        "1,5", '""', '"x"', "é"]
NUMBERS = ["0", "-0", "1", "7.25", "-3.5", ".5", "1.", "+4", "1e3", "-2.5E-7", "1e38", "3.4028235e38", "1e-46", "1e-400", "123456789012345678",
           "0.1", "16777217", "00012", "1e22", "9007199254740993", "4.35", "2.2250738585072011e-308"]
TEXTS = ["a", "b b", "x,y", "semi;colon", 'say "hi"', "two\nlines", "tab\there", "é", "0x10", "1e", "--1", "1.2.3", "", "NA", "?", "null", " pad ", "|"]


def wild(random):
    """Letters that mean something to a reader, in any order."""
    return "".join(random.choices(WILD, k=random.randint(1, 40))), None


def tidy(random):
    """A table, and its text in one of the ways in which tables are written. Returns the cells too."""
    delimiter = random.choice(",;\t|")
    width, height = random.randint(2, 6), random.randint(1, 12)
    kinds = [random.choice(("number", "text")) for _ in range(width)]
    kinds[random.randrange(width)] = "number"
    header = [f"{random.choice('abcxyz')}{'_' * i}n" for i in range(width)]
    rows = []
    for _ in range(height):
        rows.append([random.choice(NUMBERS) if kind == "number" and random.random() < 0.95 else random.choice(TEXTS) for kind in kinds])
    rows[0] = [random.choice(NUMBERS) if kind == "number" else cell for kind, cell in zip(kinds, rows[0])]
    quoting = random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    if quoting == csv.QUOTE_MINIMAL:  # blanks around a cell without quotes are no part of it
        rows = [[cell.strip() for cell in row] for row in rows]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=random.choice(("\n", "\r\n")), quoting=quoting)
    writer.writerow(header)
    writer.writerows(rows)
    text = out.getvalue()
    if random.random() < 0.2:
        text = text.rstrip("\r\n")
    if random.random() < 0.1:
        text = "\ufeff" + text
    return text, delimiter


def number(cell):
    """As float does it, but for underscores and digits of other scripts, which are text here."""
    try:
        return float(cell) if "_" not in cell and cell.isascii() else None
    except ValueError:
        return None


def is_missing(cell):
    value = number(cell)
    return cell.strip().lower() in MISSING or (value is not None and value != value)


class Refused(Exception):
    pass


def float_bits(value):
    """The nearest float, as it lies in memory; what is infinite, or beyond floats, is refused."""
    try:
        if abs(value) < float("inf"):
            return "N" + struct.pack(">f", value).hex()
    except OverflowError:
        pass
    raise Refused(f"{value} is no float")


def column_text(name, cells):
    values = [None if is_missing(cell) else number(cell) for cell in cells]
    numeric = all(value is not None or is_missing(cell) for value, cell in zip(values, cells))
    if numeric:
        shown = ["M" if value is None else float_bits(value) for value in values]
    else:
        shown = ["M" if is_missing(cell) else "T" + cell for cell in cells]
    return f"\x1d{name}\x1e{'number' if numeric else 'text'}\x1e" + "".join(cell + "\x1f" for cell in shown)


def split(text, delimiter):
    """The records by the csv module, blank lines left out. Blanks around cells are taken off, as they are here."""
    if delimiter == " ":
        records = [line.split() for line in re.split("\r?\n", text)]
        return [record for record in records if record]
    try:
        # A line end is \n or \r\n; the module would take others too, so it sees lines.
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        lines = [re.sub("^ +$", "", line) for line in lines]  # a line of blanks is no record
        lines = [line + "\n" for line in lines[:-1]] + lines[-1:]
        return [record for record in csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True) if record]
    except csv.Error as error:
        raise Refused(str(error)) from None


def expected(text, delimiter, has_header):
    """What read_frames must say of the table; raises Refused."""
    records = split(text, delimiter)
    if not records:
        raise Refused("no data")
    width = len(records[0])
    if any(len(record) != width for record in records):
        raise Refused("ragged")
    names = [f"column{i + 1}" for i in range(width)]
    if has_header:
        names = [cell.strip() or name for cell, name in zip(records[0], names)]
        records = records[1:]
    if len(set(names)) < width:
        raise Refused("two columns have one name")
    if not records:
        raise Refused("no rows")
    return "".join(column_text(name, cells) for name, cells in zip(names, zip(*records)))


def without_blanks(text):
    """Which blanks stand inside quotes the csv module does not tell."""
    return re.sub("[ \t\x0b\x0c\r]*([\x1d\x1e\x1f\n])[ \t]*", r"\1", re.sub("T[ \t]+", "T", text))


def judge(text, delimiter, answer):
    """What is wrong with an answer, or nothing; 'skipped' where the csv module has no say."""
    taken, found, header, said = answer[0] == "T", answer[1], answer[2], answer[3:]
    if delimiter is not None:
        if found != delimiter or header != "H":
            return f"delimiter {delimiter!r} and a header are taken for {found!r} and {header!r}"
        return verdict(text, found, True, taken, said, str)
    if found == " " and '"' in text:
        return "skipped"
    if found != "\t":  # to the csv module a tab is no blank
        text, said = text.replace("\t", " "), said.replace("\t", " ") if taken else said
    found = "," if found == "?" else found
    wrong = verdict(text, found, header == "H", taken, said, without_blanks)
    if wrong and '" ' in text:  # nor does it take blanks between a quote and a delimiter
        tight = re.sub('" +(?=[,;|\t\r\n]|$)', '"', text)
        wrong = verdict(tight, found, header == "H", taken, said, lambda shown: re.sub("[ \r]", "", shown))
    return wrong


def verdict(text, delimiter, has_header, taken, said, seen):
    try:
        wanted = expected(text, delimiter, has_header)
    except Refused as refusal:
        return f"is taken, though {refusal}" if taken else None
    if not taken:
        return f"is refused: {said}"
    return None if seen(said) == seen(wanted) else f"gives {said!r}, not {wanted!r}"


def generate(source: random.Random):
    return (tidy if source.random() < 0.4 else wild)(source)
