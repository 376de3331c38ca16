#!/usr/bin/python3
"""A fixed few of test/drop_scenes.py: random bodies that fall, fly and meet under region = "volume" make no energy."""

import pathlib
import unittest

import drop_scenes
from abut_testing import COMMAND, CommandTest

# The first of each kind: half-space, table, wedge, other body, free flight, with and without friction; all that takes less than a
# second. Then the ones that once went wrong: pieces that join and break off (152, 241, 253, 290, 982), pairs without a field (132,
# 223, 257), cells with parts cut away (124, 172, 235, 242, 389) and pieces that have just begun (1339, 2203).
NUMBERS = (*range(0, 5), *range(7, 30), 124, 132, 152, 172, 223, 235, 241, 242, 253, 257, 290, 389, 982, 1339, 2203)


class DropsTest(CommandTest):
    def test_no_drop_makes_energy(self):
        wrong = []
        for number in NUMBERS:
            verdict, words = drop_scenes.attempt(COMMAND, pathlib.Path(self.folder), number, limit=60.0)
            if verdict != "right":
                wrong.append(f"{verdict} {words}")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
