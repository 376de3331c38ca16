#!/usr/bin/python3
"""Runs that do not reach their end: interrupted, killed, out of disk, diverged. What was recorded stays readable."""

import json
import os
import pty
import resource
import select
import signal
import time

import h5py
import numpy as np

from abut_testing import COULD_NOT_GO_ON, CommandTest, SYSTEM_ERROR, main, replaced

# Days of computing: never ends by itself within a test.
ENDLESS = {
    "explicit": replaced(
        ("duration = 0.3", 'duration = 1e5\nmethod = "explicit"\nstep = 1e-5\nrecord_interval = 0.01')),
    "adaptive": replaced(("duration = 0.3", "duration = 1e6\nmax_step = 1e-4\nrecord_interval = 0.01")),
}
# One hundred thousand samples of a ball at rest: about 50 MB.
MANY_SAMPLES = replaced(("duration = 0.3", 'duration = 10\nmethod = "explicit"\nstep = 1e-4\nrecord_interval = 1e-4'))


class InterruptTest(CommandTest):
    def read_result(self):
        """The file's `complete` mark, its times, and a failure for any number that is not finite."""
        with h5py.File(self.folder / "out/result.h5", "r") as file:
            def check(name, item):
                if isinstance(item, h5py.Dataset) and item.dtype.kind == "f":
                    self.assertTrue(np.isfinite(item[...]).all(), name)
            file.visititems(check)
            times = file["time"][...]
            self.assertEqual(len(file["body/position"]), len(times))
            return int(file.attrs["complete"]), times

    def start_endless(self, method):
        self.write(ENDLESS[method])
        process = self.start("run", "scene.toml", "--out", "out")
        deadline = time.monotonic() + 20
        # Running once the file of this run, not of an earlier one, has a sample in it.
        while time.monotonic() < deadline:
            try:
                complete, times = self.read_result()
                if complete == 0 and len(times) > 0:
                    return process
            except (OSError, KeyError, RuntimeError, AssertionError):
                pass  # read in the middle of a write
            time.sleep(0.05)
        self.fail("no sample was written within 20 s")

    def test_ctrl_c_and_sigterm_end_with_a_complete_file(self):
        for method in ENDLESS:
            for number in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(method=method, signal=number):
                    process = self.start_endless(method)
                    process.send_signal(number)
                    _, errors = process.communicate(timeout=5)
                    self.assertEqual(process.returncode, COULD_NOT_GO_ON)
                    self.assertRegex(errors, r"interrupted at \d.* s\. Everything until then is in out/result\.h5\.")
                    complete, times = self.read_result()
                    self.assertEqual(complete, 1)
                    summary = json.loads((self.folder / "out/summary.json").read_text())
                    self.assertEqual(summary["status"], "interrupted")
                    self.assertEqual(summary["time_reached"], times[-1])

    def test_a_killed_run_leaves_a_readable_file_without_a_summary(self):
        # Of an earlier run, which must not be taken for that of this one.
        self.run_scene(replaced(("duration = 0.3", "duration = 0.01")))
        self.assertTrue((self.folder / "out/summary.json").exists())
        process = self.start_endless("explicit")
        process.kill()
        process.communicate()
        complete, times = self.read_result()
        self.assertEqual(complete, 0)
        self.assertGreater(len(times), 0)
        self.assertFalse((self.folder / "out/summary.json").exists())

    def test_a_full_disk_is_a_system_error_with_the_path(self):
        self.write(MANY_SAMPLES)
        for limit, arguments, name in ((1000, [], "result.h5"), (500000, [], "result.h5"), (500000, ["--csv"], "")):
            with self.subTest(limit=limit, arguments=arguments):
                outcome = self.abut("run", "scene.toml", "--out", "out", *arguments,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(outcome.returncode, SYSTEM_ERROR, outcome.stderr)
                self.assertRegex(outcome.stderr, rf"out/.*{name}.*: cannot be written: File too large")

    def test_a_run_that_diverges_says_what_where_and_what_to_try(self):
        # Steps of a hundred times the contact's time constant: the energy grows without bound.
        for integrator, step, law in (("rk4", 5e-3, "gonthier"), ("semi-implicit-euler", 1e-2, "gonthier"),
                                      ("rk5", 3e-2, "kelvin-voigt")):
            with self.subTest(integrator=integrator, law=law):
                run = f'duration = 20\nmethod = "explicit"\nintegrator = "{integrator}"\nstep = {step}'
                self.write(replaced(("duration = 0.3", run), ("gonthier", law), ("1e6", "1e9")))
                outcome = self.abut("run", "scene.toml", "--out", "out")
                self.assertEqual(outcome.returncode, COULD_NOT_GO_ON, outcome.stdout)
                self.assertRegex(outcome.stderr, r"stopped at [\d.e-]+ s: .*ball-floor")
                self.assertIn('Try method = "adaptive"', outcome.stderr)
                self.assertIn("is in out/result.h5.", outcome.stderr)
                complete, times = self.read_result()
                self.assertEqual(complete, 1)
                self.assertGreater(len(times), 0)
                summary = json.loads((self.folder / "out/summary.json").read_text(), parse_constant=self.fail)
                self.assertEqual(summary["status"], "failed")

    def test_max_steps_stops_with_a_reason(self):
        for method in ([], ["--method", "explicit", "--set", "run.step=1e-3"]):
            out = self.run_scene(replaced(("[run]", "[run]\nmax_steps = 20")), *method, status=COULD_NOT_GO_ON)
            summary = json.loads((out / "summary.json").read_text())
            self.assertIn("max_steps = 20", summary["message"])
            self.assertEqual(summary["steps"]["accepted"], 20)


class ProgressTest(CommandTest):
    def read_terminal(self, *arguments, until, limit=15):
        """Standard error of the command on a terminal, until a text appears or the limit [s] is over."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        process = self.start(*arguments, stderr=follower)
        os.close(follower)
        seen, deadline = b"", time.monotonic() + limit
        while until not in seen and time.monotonic() < deadline and process.poll() is None:
            if select.select([leader], [], [], 0.1)[0]:
                seen += os.read(leader, 65536)
        self.stop(process)
        return seen.decode()

    def test_a_terminal_shows_a_bar(self):
        self.write(ENDLESS["explicit"])
        seen = self.read_terminal("run", "scene.toml", until=b"left")
        self.assertRegex(seen, "\r[\u2588\u2591]{32}  " r"[\d.e+-]+ of 100000 s simulated in \d+\.\d s, about .* left")

    def test_quiet_shows_none(self):
        self.write(ENDLESS["explicit"])
        self.assertEqual(self.read_terminal("run", "scene.toml", "--quiet", until=b"left", limit=2), "")

    def test_a_file_gets_plain_lines(self):
        self.write(ENDLESS["explicit"])
        process = self.start("run", "scene.toml")
        self.assertTrue(select.select([process.stderr], [], [], 15)[0], "no line within 15 s")
        self.assertRegex(process.stderr.readline(), r"^[\d.e+-]+ of 100000 s simulated in \d+\.\d s, about .* left\n$")


if __name__ == "__main__":
    main()
