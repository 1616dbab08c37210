#!/usr/bin/env python3
"""The picture of benchmarks/embedded/versus, of made-up points."""
import pathlib
import sys
import unittest
import xml.etree.ElementTree as tree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks/embedded/versus"))
from picture import FAMILIES, Point, drawn, front

SVG = "{http://www.w3.org/2000/svg}"


def point(error: float, flash: int, family: str = "tree, emlearn", table: str = "a") -> Point:
    return Point(table, family, "", error, flash, 0, 0)


class Picture(unittest.TestCase):
    def test_the_front_is_what_nothing_beats(self) -> None:
        points = [point(0.2, 1000), point(0.3, 500), point(0.25, 2000), point(0.1, 4000), point(0.2, 1500), point(0.4, 500)]
        self.assertEqual([(p.error, p.flash) for p in front(points)], [(0.3, 500), (0.2, 1000), (0.1, 4000)])
        self.assertEqual(front([]), [])

    def test_it_has_a_panel_per_table_and_a_mark_per_point_of_a_front(self) -> None:
        points = [point(0.2, 1000), point(0.1, 4000), point(0.0, 9000, "Coppice, 8 bits"), point(0.3, 50_000, table="b<")]
        root = tree.fromstring(drawn(points))
        self.assertEqual(len(root.findall(f"{SVG}circle")), 4)
        texts = [node.text for node in root.findall(f"{SVG}text")]
        for words in ("a", "b<", *FAMILIES):
            self.assertEqual(texts.count(words), 1, words)

    def test_less_is_lower_and_further_left(self) -> None:
        marks = tree.fromstring(drawn([point(0.4, 1000), point(0.2, 3000), point(0.1, 30_000)])).findall(f"{SVG}circle")
        across, down = ([float(mark.get(name)) for mark in marks] for name in ("cx", "cy"))
        self.assertEqual(across, sorted(across))
        self.assertEqual(down, sorted(down))


if __name__ == "__main__":
    unittest.main()
