#!/usr/bin/python3
"""Runs that are saved on the way and go on in another process: the same bits as a run that was never stopped."""

import re
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

from abut_testing import COMMAND, COULD_NOT_GO_ON, DONE, INPUT_WRONG, ROOT, SYSTEM_ERROR, CommandTest, main, replaced

# Saved at every step, or every few milliseconds where steps are many.
EVERY_STEP = "0.001ms"
# Examples that take long are cut short; the others run to their end.
SHORTER = {"cushions": 0.1, "card-house": 0.1, "brick-wall": 0.1, "peg-in-hole": 0.05, "ball-in-bowl": 0.3,
           "soft-landing": 0.3, "double-pendulum-on-plane": 0.5, "mesh-drop": 0.3, "pile-of-spheres": 0.2}
ENDLESS = replaced(("duration = 0.3", 'duration = 1e5\nmethod = "explicit"\nstep = 1e-5\nrecord_interval = 0.01'))


class ResumeTest(CommandTest):
    def read_all(self, folder):
        columns = {}
        with h5py.File(self.folder / folder / "result.h5", "r") as file:
            self.assertEqual(int(file.attrs["complete"]), 1)
            file.visititems(lambda name, item: columns.update({name: item[...]})
                            if isinstance(item, h5py.Dataset) else None)
        return columns

    def require_same(self, name, expected, found):
        self.assertEqual(sorted(expected), sorted(found), name)
        for column, values in expected.items():
            self.assertEqual(values.tobytes() if values.dtype.kind != "O" else list(values),
                             found[column].tobytes() if values.dtype.kind != "O" else list(found[column]),
                             f"{name}: {column}")

    def kill_after_checkpoint(self, interval, *arguments):
        """Killed soon after it has been saved once; whether it had not ended before."""
        shutil.rmtree(self.folder / "cut", ignore_errors=True)
        process = self.start("run", *arguments, "--out", "cut", "--checkpoint", interval, "--quiet")
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if (self.folder / "cut/checkpoint.bin").exists():
                time.sleep(0.03)
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.002)
        return process.wait() == -signal.SIGKILL

    def test_every_example_goes_on_to_the_same_bits(self):
        num_cut = 0
        for scene in sorted((ROOT / "examples").glob("*.toml")):
            options = ["--duration", SHORTER[scene.stem]] if scene.stem in SHORTER else []
            with self.subTest(scene.stem):
                whole = self.abut("run", scene, *options, "--out", "whole", "--quiet", timeout=120)
                self.assertEqual(whole.returncode, DONE, whole.stderr)
                # Saving at every step makes those last that are over in milliseconds.
                if any(self.kill_after_checkpoint(interval, scene, *options) for interval in ("5ms", EVERY_STEP)):
                    num_cut += 1
                resumed = self.abut("run", "--resume", "cut", "--quiet", timeout=120)
                self.assertEqual(resumed.returncode, DONE, resumed.stderr)
                self.require_same(scene.stem, self.read_all("whole"), self.read_all("cut"))
        # One that ended all the same goes on from its last steps.
        self.assertGreater(num_cut, 15)

    def test_a_sample_of_cases_under_all_methods(self):
        """A fixed one; ./check sweeps goes through all. Killed, and with all scratch dropped after each step."""
        for options in (["--sample", "24", "--seed", "3", "--limit", "1"],
                        ["--sample", "20", "--seed", "4", "--limit", "0.3", "--drop-scratch"]):
            answer = subprocess.run([sys.executable, ROOT / "test/resume_sweep.py", COMMAND, *options], timeout=600,
                                    check=False, capture_output=True, text=True)
            self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
            self.assertGreater(int(re.search(r"(\d+) same", answer.stdout).group(1)), 8, answer.stdout)

    def test_tables_go_on_with_the_record(self):
        self.write(replaced(("duration = 0.3", "duration = 3")))
        whole = self.abut("run", "scene.toml", "--out", "whole", "--csv", "--quiet")
        self.assertEqual(whole.returncode, DONE, whole.stderr)
        self.kill_after_checkpoint(EVERY_STEP, "scene.toml", "--csv")
        # Lines that were written after the checkpoint.
        with open(self.folder / "cut/body.csv", "a", encoding="utf-8") as file:
            file.write("not of this run\n")
        resumed = self.abut("run", "--resume", "cut", "--quiet", timeout=120)
        self.assertEqual(resumed.returncode, DONE, resumed.stderr)
        for table in ("body", "joint", "contact", "event", "energy"):
            self.assertEqual((self.folder / f"cut/{table}.csv").read_bytes(),
                             (self.folder / f"whole/{table}.csv").read_bytes(), table)
        # A table that is not what it was leaves everything alone.
        (self.folder / "cut/energy.csv").write_text("short", encoding="utf-8")
        before = self.read_all("cut")
        answer = self.abut("run", "--resume", "cut", "--duration", "4")
        self.assertEqual(answer.returncode, SYSTEM_ERROR, answer.stderr)
        self.assertIn("energy.csv: is shorter than when the run was saved", answer.stderr)
        self.require_same("ball", before, self.read_all("cut"))

    def test_checkpoints_change_nothing(self):
        self.write(replaced())
        self.abut("run", "scene.toml", "--out", "whole", "--quiet")
        self.abut("run", "scene.toml", "--out", "saved", "--checkpoint", EVERY_STEP, "--quiet")
        self.require_same("ball", self.read_all("whole"), self.read_all("saved"))

    def test_an_interrupted_run_says_how_to_go_on(self):
        self.write(ENDLESS)
        process = self.start("run", "scene.toml", "--out", "out", "--checkpoint", "10s")
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, COULD_NOT_GO_ON)
        self.assertIn("To go on: abut run --resume out", errors)
        stopped_at = float(re.search(r"interrupted at ([0-9.e+-]+) s", errors).group(1))
        # Only how far may be changed.
        done = self.abut("run", "--resume", "out", "--duration", stopped_at + 0.1)
        self.assertEqual(done.returncode, DONE, done.stderr)
        times = self.read_all("out")["time"]
        self.assertAlmostEqual(times[-1], stopped_at + 0.1, delta=1e-9)
        self.assertTrue((np.diff(times) > 0).all())

    def test_bad_requests_are_answered(self):
        self.write(replaced())
        for arguments, status, words in (
                (["run"], INPUT_WRONG, "run needs a scene file, or --resume"),
                (["run", "--resume", "nowhere"], SYSTEM_ERROR, "nowhere/checkpoint.bin"),
                (["run", "scene.toml", "--resume", "out"], INPUT_WRONG, "--resume goes on with a run as it began"),
                (["run", "scene.toml", "--checkpoint", "soon"], INPUT_WRONG, "expected a time above zero"),
                (["run", "scene.toml", "--checkpoint", "-1s"], INPUT_WRONG, "expected a time above zero")):
            answer = self.abut(*arguments)
            self.assertEqual(answer.returncode, status, answer.stderr)
            self.assertIn(words, answer.stderr)

    def test_damaged_checkpoints_are_refused(self):
        self.write(replaced())
        self.abut("run", "scene.toml", "--out", "out", "--checkpoint", EVERY_STEP, "--quiet")
        path = self.folder / "out/checkpoint.bin"
        whole = path.read_bytes()
        for damaged in (b"", b"nothing of ours", whole[:len(whole) // 2], whole[:-1], whole + b"x",
                        whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]):
            path.write_bytes(damaged)
            answer = self.abut("run", "--resume", "out")
            self.assertEqual(answer.returncode, INPUT_WRONG, answer.stderr)
            self.assertIn("no checkpoint of this program", answer.stderr)

    def test_a_checkpoint_that_does_not_fit_leaves_the_record_alone(self):
        self.write(replaced())
        self.abut("run", "scene.toml", "--out", "out", "--checkpoint", EVERY_STEP, "--quiet")
        self.abut("run", "scene.toml", "--out", "other", "--set", "body.ball.mass=3", "--checkpoint", EVERY_STEP)
        whole = self.read_all("out")
        for arguments, words in ((["--duration", "0.01"], "give a longer --duration"), ([], "one of another model")):
            if not arguments:
                shutil.copy(self.folder / "other/checkpoint.bin", self.folder / "out/checkpoint.bin")
            answer = self.abut("run", "--resume", "out/", *arguments)
            self.assertEqual(answer.returncode, INPUT_WRONG, answer.stderr)
            self.assertIn(words, answer.stderr)
            self.require_same("ball", whole, self.read_all("out"))

    def test_killed_runs_by_multistep_integrators_go_on(self):
        """Their past is in a library that has no door to it."""
        for integrator in ("bdf", "adams"):
            self.write(replaced(("duration = 0.3", f'duration = 1.0\nintegrator = "{integrator}"')))
            whole = self.abut("run", "scene.toml", "--out", "whole", "--quiet")
            self.assertEqual(whole.returncode, DONE, whole.stderr)
            self.assertTrue(self.kill_after_checkpoint(EVERY_STEP, "scene.toml"), "it ended before it was killed")
            resumed = self.abut("run", "--resume", "cut", "--quiet")
            self.assertEqual(resumed.returncode, DONE, resumed.stderr)
            self.require_same(integrator, self.read_all("whole"), self.read_all("cut"))


if __name__ == "__main__":
    main()
