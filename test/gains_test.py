#!/usr/bin/python3
"""abut gains: which gains of a controller of forces are stable."""

import csv

from abut_testing import DONE, INPUT_WRONG, ROOT, CommandTest, main

SCENE = ROOT / "examples/arm-presses-plate.toml"


class GainsTest(CommandTest):
    def read_csv(self):
        with open(self.folder / "out/gains.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_delay_makes_unstable(self):
        done = self.abut("gains", SCENE, "--vary", "b=1e4", "--vary", "delay=1e-3,1e-2", "--duration", "2.9", "--out", "out",
                         "--set", "controller.fma.kind.force_limit=1e6")
        self.assertEqual(done.returncode, DONE, done.stderr)
        rows = self.read_csv()
        self.assertEqual([row["verdict"] for row in rows], ["stable", "unstable"])
        self.assertAlmostEqual(float(rows[0]["mean_force_N"]), 10 + 1e4 * 0.002, delta=0.01)
        self.assertIn("stable   b from 1e+04 to 1e+04 at delay = 0.001", done.stdout)
        self.assertIn("none     no b is stable at delay = 0.01", done.stdout)
        self.assertIn("<svg", (self.folder / "out/gains.svg").read_text())

    def test_threads_change_nothing(self):
        texts = []
        for threads in (1, 2):
            done = self.abut("gains", SCENE, "--vary", "b=5e3:5e4:3", "--duration", "0.8", "--out", "out", "--threads", threads)
            self.assertEqual(done.returncode, DONE, done.stderr)
            texts.append((self.folder / "out/gains.csv").read_text())
        self.assertEqual(*texts)

    def test_mistakes_are_named(self):
        for arguments, words in ((["--vary", "bb=1"], "no number at controller.fma.kind.bb"), (["--vary", "b"], "KEY=FROM:TO:COUNT"),
                                 (["--vary", "b=1:x:3"], "'x' is no number"), ([], "say what to vary"),
                                 (["--controller", "fmb", "--vary", "b=1"], "did you mean 'fma'")):
            with self.subTest(arguments=arguments):
                done = self.abut("gains", SCENE, *arguments)
                self.assertEqual(done.returncode, INPUT_WRONG)
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    main()
