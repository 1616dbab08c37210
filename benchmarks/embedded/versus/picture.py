"""Errors against bytes of flash, a panel for each table, as SVG."""
from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

# By colour and by dash, so that neither alone must be told apart.
FAMILIES = {
    "Coppice, 8 bits": ("#15803d", "", 3.2),
    "Coppice, floats": ("#15803d", "5 3", 2.2),
    "MLP, emlearn": ("#1d4ed8", "", 1.6),
    "tree, emlearn": ("#c2410c", "", 1.6),
    "tree, m2cgen": ("#c2410c", "2 3", 1.6),
    "forest, emlearn": ("#7c3aed", "", 1.6),
    "forest, m2cgen": ("#7c3aed", "2 3", 1.6),
}
INK, PALE = "#1f2933", "#d5dae0"
WIDTH, HEIGHT, LEFT, TOP, GAP = 300.0, 300.0, 62.0, 44.0, 66.0


@dataclass(frozen=True)
class Point:
    table: str
    family: str
    size: str
    error: float
    flash: int
    ram: int
    instructions: int


def front(points: list[Point]) -> list[Point]:
    """Those that none of them beats in both error and flash, by flash."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda p: (p.flash, p.error)):
        if not kept or point.error < kept[-1].error:
            kept.append(point)
    return kept


def text(x: float, y: float, words: str, size: int = 12, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}" {more}>{escape(words)}</text>'


def bytes_text(value: int) -> str:
    return f"{value // 1000}k" if value >= 1000 else str(value)


class Axis:
    """Logarithmic, with lines at 1, 2 and 5, or closer where these are few."""

    def __init__(self, values: list[float], begin: float, end: float) -> None:
        self.low, self.high = math.log(min(values)) - 0.08, math.log(max(values)) + 0.08
        self.begin, self.end = begin, end

    def __call__(self, value: float) -> float:
        return self.begin + (math.log(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        powers = range(math.floor(self.low / math.log(10)), math.ceil(self.high / math.log(10)) + 1)
        found: list[float] = []
        for steps in ((1, 2, 5), (1, 1.5, 2, 3, 5, 7), (1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)):
            found = [m * 10.0**e for e in powers for m in steps if self.low <= math.log(m * 10.0**e) <= self.high]
            if len(found) > 2:
                break
        return found


def panel(left: float, title: str, points: list[Point]) -> list[str]:
    """Errors of 0 would be at the bottom of everything; there they stand at half of the smallest other one."""
    least = min(p.error for p in points if p.error > 0) / 2
    error = lambda p: max(p.error, least)  # noqa: E731
    x = Axis([p.flash for p in points], left, left + WIDTH)
    y = Axis([100 * error(p) for p in points], TOP + HEIGHT, TOP)
    parts = [text(left + WIDTH / 2, TOP - 14, title, 15, more='font-weight="600"')]
    for tick in x.ticks():
        parts.append(f'<path d="M{x(tick):.1f} {TOP}V{TOP + HEIGHT}" stroke="{PALE}"/>')
        parts.append(text(x(tick), TOP + HEIGHT + 17, bytes_text(round(tick)), 11))
    for tick in y.ticks():
        parts.append(f'<path d="M{left} {y(tick):.1f}H{left + WIDTH}" stroke="{PALE}"/>')
        parts.append(text(left - 6, y(tick) + 4, f"{tick:g} %", 11, "end"))
    parts.append(text(left + WIDTH / 2, TOP + HEIGHT + 36, "bytes of flash, code and all"))
    for family, (colour, dash, width) in reversed(FAMILIES.items()):
        kept = front([p for p in points if p.family == family])
        places = [(x(p.flash), y(100 * error(p))) for p in kept]
        steps = " ".join(f"{'M' if i == 0 else f'H{px:.1f}V'}{f'{px:.1f} ' if i == 0 else ''}{py:.1f}" for i, (px, py) in enumerate(places))
        parts.append(f'<path d="{steps}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{width + 1:.1f}" fill="{colour}"/>' for px, py in places]
    return parts


def drawn(points: list[Point]) -> str:
    tables = list(dict.fromkeys(p.table for p in points))
    parts: list[str] = []
    for k, table in enumerate(tables):
        parts += panel(LEFT + k * (WIDTH + GAP), table, [p for p in points if p.table == table])
    width, height = LEFT + len(tables) * (WIDTH + GAP) - GAP + 24, TOP + HEIGHT + 92
    for k, (family, (colour, dash, thick)) in enumerate(FAMILIES.items()):
        at = LEFT + k * (width - LEFT) / len(FAMILIES)
        parts.append(f'<path d="M{at:.1f} {height - 22}h26" stroke="{colour}" stroke-width="{thick}" stroke-dasharray="{dash}"/>')
        parts.append(text(at + 32, height - 18, family, 12, "start"))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            'font-family="system-ui, sans-serif" role="img"><title>Test error against bytes of flash on a Cortex-M4</title>'
            '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")
