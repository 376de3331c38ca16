#!/usr/bin/python3
"""A fixed sample of test/combination_scenes.py: shapes, regions, methods, ways to name a pair, tilts, laid or dropped."""

import pathlib
import random
import unittest

import combination_scenes
from abut_testing import COMMAND, CommandTest

COUNT = 320  # a minute and a half of two cores


class CombinationsTest(CommandTest):
    def test_every_scene_is_right_or_refused_or_says_what_is_wrong(self):
        combination_scenes.write_cube(self.folder)
        cases = random.Random(22).sample(combination_scenes.list_all(), COUNT)
        counts, wrong = {}, []
        for case in cases:
            limit = 5.0 if combination_scenes.is_known_to_be_slow(case) else 30.0
            verdict, words = combination_scenes.attempt(COMMAND, pathlib.Path(self.folder), case, limit)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict == "WRONG":
                wrong.append(f"{combination_scenes.describe(case)}: {words}")
        self.assertEqual(wrong, [])
        self.assertGreater(counts["right"], COUNT // 6)  # a table that refuses everything would pass the rest
        self.assertEqual(counts.get("noted", 0), 0)


if __name__ == "__main__":
    unittest.main()
