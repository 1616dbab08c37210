"""The pictures of the page as SVG: mean ranks, and errors against bytes."""
from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

from ranks import Ranks

FONT = 'font-family="system-ui, sans-serif"'
INK, PALE = "#1f2933", "#9aa5b1"
# Families by colour and by shape, so that neither alone must be told apart.
COLOURS = {"ours": "#15803d", "trees": "#c2410c", "nets": "#1d4ed8", "linear": "#6b7280"}


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    family: str
    label: str = ""
    strong: bool = False  # the one that all others are compared with


def text(x: float, y: float, words: str, size: int = 12, anchor: str = "start", colour: str = INK, more: str = "") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" {more}>'
            f"{escape(words)}</text>")


def line(x1: float, y1: float, x2: float, y2: float, width: float = 1, colour: str = INK) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="{width}" fill="none"/>'


def mark(x: float, y: float, family: str, size: float, opacity: float = 1) -> str:
    style = f'fill="{COLOURS[family]}" fill-opacity="{opacity}"'
    if family == "ours":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" {style}/>'
    if family == "trees":
        return f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}" height="{2 * size:.1f}" {style}/>'
    corners = [(0, -1.2), (1.1, 0.9), (-1.1, 0.9)] if family == "nets" else [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)]
    path = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{path}" {style}/>'


def svg(width: float, height: float, title: str, parts: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" {FONT} '
            f'role="img"><title>{escape(title)}</title><rect width="100%" height="100%" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def rank_picture(ranks: Ranks, titles: dict[str, str], families: dict[str, str]) -> str:
    """Best to the left; a bar joins methods that do not differ."""
    count, width, left, top = len(ranks.methods), 760.0, 190.0, 70.0
    step = (width - 2 * left) / max(count - 1, 1)

    def at(rank: float) -> float:
        return left + (rank - 1) * step

    parts = [line(at(1), top, at(count), top)]
    for rank in range(1, count + 1):
        parts += [line(at(rank), top - 5, at(rank), top), text(at(rank), top - 10, str(rank), anchor="middle")]
    end = at(1) + ranks.difference * step
    parts += [line(at(1), 30, end, 30, 2), line(at(1), 26, at(1), 34), line(end, 26, end, 34),
              text(end + 8, 34, f"critical difference {ranks.difference:.2f}")]
    groups = ranks.groups()
    for number, (first, last) in enumerate(groups):
        y = top + 10 + 8 * number
        parts.append(line(at(ranks.means[first]) - 4, y, at(ranks.means[last]) + 4, y, 4, PALE))
    below = top + 24 + 8 * len(groups)
    half = (count + 1) // 2
    for place, (method, mean) in enumerate(zip(ranks.methods, ranks.means)):
        first_half = place < half
        y = below + 20 * (place if first_half else count - 1 - place)
        edge = left - 12 if first_half else width - left + 12
        colour = COLOURS[families[method]]
        parts.append(f'<path d="M{at(mean):.1f} {top:.1f}V{y:.1f}H{edge:.1f}" stroke="{colour}" fill="none"/>')
        words = f"{titles[method]}  {mean:.2f}" if first_half else f"{mean:.2f}  {titles[method]}"
        parts.append(text(edge + (-6 if first_half else 6), y + 4, words, anchor="end" if first_half else "start", colour=colour))
    return svg(width, below + 20 * half + 4, "Mean ranks of the errors", parts)


class Panel:
    """A frame with logarithmic axes."""

    def __init__(self, box: tuple[float, float, float, float], points: list[Point], large: bool) -> None:
        self.left, self.top, self.width, self.height = box
        self.points, self.large = points, large
        self.x_range = self.around([p.x for p in points])
        # Single tables on which a linear model is ten times worse must not press the rest together.
        highest = 1.3 * max(p.y for p in points if p.label or not large)
        self.y_range = self.around([min(p.y, highest) for p in points])

    @staticmethod
    def around(values: list[float]) -> tuple[float, float]:
        low, high = math.log10(min(values)), math.log10(max(values))
        gap = max(0.06 * (high - low), 0.03)
        return low - gap, high + gap

    def x(self, value: float) -> float:
        low, high = self.x_range
        return self.left + self.width * (math.log10(value) - low) / (high - low)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return max(self.top + self.height * (high - math.log10(value)) / (high - low), self.top)

    def frame(self) -> list[str]:
        parts = [f'<rect x="{self.left}" y="{self.top}" width="{self.width}" height="{self.height}" fill="none" stroke="{PALE}"/>']
        for power in range(math.ceil(self.x_range[0]), math.floor(self.x_range[1]) + 1):
            x = self.x(10.0**power)
            parts += [line(x, self.top, x, self.top + self.height, 0.5, "#e4e7eb"),
                      text(x, self.top + self.height + 14, bytes_told(10.0**power), 11 if self.large else 9, "middle")]
        for value in ticks(*self.y_range, 7 if self.large else 4):
            y = self.y(value)
            parts += [line(self.left, y, self.left + self.width, y, 0.5, "#e4e7eb"),
                      text(self.left - 5, y + 4, f"{value:g}", 11 if self.large else 9, "end")]
        return parts

    def marks(self) -> list[str]:
        parts = [mark(self.x(p.x), self.y(p.y), p.family, 2.5 if self.large else 6 if p.strong else 4, 0.3 if self.large else 0.9)
                 for p in self.points if not (self.large and p.label)]
        return parts + (self.labelled() if self.large else [])

    def labelled(self) -> list[str]:
        """Large marks with names; a name moves up or down, with a line to its mark, until it lies on nothing else."""
        large = sorted((p for p in self.points if p.label), key=lambda p: self.y(p.y))
        taken = [(self.x(p.x) - 9, self.x(p.x) + 9, self.y(p.y)) for p in large]
        lines, marks, names = [], [], []
        for p in large:
            x, y, width = self.x(p.x), self.y(p.y), 7.8 * len(p.label)
            right = x + 12 + width < self.left + self.width
            start = x + 12 if right else x - 12 - width
            for shift in (0, *(sign * 16 * step for step in range(1, 9) for sign in (-1, 1))):
                if self.top + 8 < y + shift < self.top + self.height - 8 and not any(
                        abs(y + shift - other) < 15 and start < stop and begin < start + width for begin, stop, other in taken):
                    break
            taken.append((start, start + width, y + shift))
            if shift:
                lines.append(line(x, y, x + 11 if right else x - 11, y + shift, 1, COLOURS[p.family]))
            marks.append(mark(x, y, p.family, 7))
            names.append(text(x + 12 if right else x - 12, y + shift + 4, p.label, 13, "start" if right else "end",
                              COLOURS[p.family], 'font-weight="600" stroke="white" stroke-width="3" paint-order="stroke"'))
        return lines + marks + names


def ticks(low: float, high: float, wanted: int) -> list[float]:
    """Round values between two powers of ten, about as many as wanted."""
    for digits in ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,)):
        found = [digit * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for digit in digits
                 if low <= math.log10(digit * 10.0**power) <= high]
        if len(found) <= wanted:
            break
    return found


def bytes_told(count: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.3g} B"


def legend(x: float, y: float) -> list[str]:
    parts = []
    for family, words in (("ours", "Coppice"), ("trees", "boosted trees"), ("nets", "other nets"), ("linear", "linear")):
        parts += [mark(x, y - 4, family, 5), text(x + 10, y, words)]
        x += 30 + 7 * len(words)
    return parts


def bytes_picture(points: list[Point], reference: str) -> str:
    """All tables in one frame: small marks are tables, large ones the geometric means of a method."""
    panel = Panel((70, 40, 660, 420), points, True)
    parts = panel.frame()
    if panel.y_range[0] < 0 < panel.y_range[1]:
        parts.append(line(70, panel.y(1), 730, panel.y(1), 1, COLOURS["ours"]))
    parts += panel.marks() + legend(80, 24)
    parts += [text(400, 496, "bytes of the model", anchor="middle"),
              text(18, 250, f"error / {reference}'s", anchor="middle", more='transform="rotate(-90 18 250)"')]
    return svg(760, 510, "Error against bytes of the model, all tables", parts)


def each_picture(tables: dict[str, list[Point]]) -> str:
    """A frame per table with errors as they are."""
    columns, width, height = 3, 250.0, 190.0
    parts = legend(60, 20)
    for number, (name, points) in enumerate(tables.items()):
        left, top = number % columns * width, 34 + number // columns * height
        panel = Panel((left + 48, top + 22, width - 62, height - 56), points, False)
        parts += [text(left + 48, top + 14, name, 13, more='font-weight="600"'), *panel.frame(), *panel.marks()]
    rows = math.ceil(len(tables) / columns)
    return svg(columns * width, 34 + rows * height, "Error against bytes of the model, table by table", parts)
