#!/usr/bin/python3
"""A fixed sample of test/combination_scenes.py: shapes, regions, methods, ways to name a pair, tilts, laid or dropped."""

import pathlib
import random
import unittest

import combination_scenes
from abut_testing import COMMAND, CommandTest
from combination_shapes import ENDLESS, write_cube

MEETING, OTHERS = 300, 60  # of scenes that may meet, and of those that no pair can take; a minute of processor time


def may_meet(case):
    """Whether some pair can have this region under this method (docs/combinations.md)."""
    (upper, _), _, region, method, *_ = case
    return upper not in ENDLESS and (region == "point" or method == "explicit" or (region, method) == ("volume", "adaptive"))


class CombinationsTest(CommandTest):
    def test_every_scene_is_right_or_refused(self):
        write_cube(self.folder)
        cases, choose = combination_scenes.list_all(), random.Random(22)
        chosen = choose.sample([case for case in cases if may_meet(case)], MEETING) + \
            choose.sample([case for case in cases if not may_meet(case)], OTHERS)
        counts, wrong = {}, []
        for case in sorted(chosen, key=lambda case: case[:2]):
            is_slow = combination_scenes.is_known_to_be_slow(case)
            verdict, words = combination_scenes.attempt(COMMAND, pathlib.Path(self.folder), case, 2 if is_slow else 20)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict not in ("right", "refused") and not (verdict == "slow" and is_slow):
                wrong.append(f"{verdict}: {combination_scenes.describe(case)}: {words}")
        self.assertEqual(wrong, [])
        self.assertGreater(counts["right"], MEETING // 3)  # a table that refuses everything would pass the rest


if __name__ == "__main__":
    unittest.main()
