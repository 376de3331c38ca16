#!/usr/bin/python3
"""Records that cannot be lost: runs killed at every change of a file, readers beside a writer, two writers, full and
vanished disks, closed outputs, and results that are run again.

ABUT_EVERY_WRITE=1 kills at each change instead of a fixed choice of them (./check sweeps).
"""

import csv
import itertools
import os
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np

from abut_testing import COMMAND, COULD_NOT_GO_ON, DONE, ROOT, SCENE, SYSTEM_ERROR, CommandTest, main, replaced

FIXED = 'duration = {}\nmethod = "explicit"\nstep = 1e-3\nrecord_interval = {}'
SHORT = replaced(("duration = 0.3", FIXED.format(0.15, 0.005)), ("[0, 0, 0.2]", "[0, 0, 0.12]"))
# Seconds of computing, with a few hundred samples each second of wall time.
LONG = replaced(("duration = 0.3", 'duration = 3000\nmethod = "explicit"\nstep = 1e-4\nrecord_interval = 0.01'))
MESH = """[run]
duration = 0.02
[[body]]
name = "part"
mass = 1
position = [0, 0, 0.3]
shape = { type = "mesh", file = "part.obj" }
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["part", "floor"]
region = "volume"
normal = { law = "gonthier", stiffness = 1e8, restitution = 0.5 }
"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def find_program():
    """The program itself: what is preloaded into it must not get into the launcher."""
    if "ABUT_COMMAND" in os.environ:
        return COMMAND
    subprocess.run([COMMAND, "--version"], check=True, capture_output=True)  # builds it where it is missing
    return str(ROOT / "build" / os.environ.get("ABUT_PRESET", "release") / "apps/abut/abut")


def read_columns(path):
    """Datasets by name; a failure of h5py, or columns that do not end together, is a failure of the test."""
    columns = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: columns.update({name: item[...]}) if isinstance(item, h5py.Dataset) else None)
        samples = int(file.attrs["samples"])
    for name in ("time", "body/position", "body/velocity", "energy/kinetic", "joint/q"):
        assert len(columns[name]) == samples, (name, len(columns[name]), samples)
    assert len(columns["contact/row_start"]) == samples + 1
    assert len(columns["contact/depth"]) == columns["contact/row_start"][-1]
    return columns


class KilledTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.program = find_program()
        self.shim = self.folder / "kill_at_write.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.shim, ROOT / "test/kill_at_write.c"], check=True)

    def run_killed(self, out, arguments, at=None, half=False):
        environment = dict(os.environ, LD_PRELOAD=str(self.shim), ABUT_KILL_COUNT=str(self.folder / "count"))
        if at is not None:
            environment["ABUT_KILL_AT"] = str(at)
        if half:
            environment["ABUT_KILL_HALF"] = "1"
        return subprocess.run([self.program, "run", "scene.toml", "--out", out, "--quiet", *arguments], cwd=self.folder,
                              env=environment, check=False, capture_output=True, timeout=60).returncode

    def require_beginning(self, whole, found):
        """Every column is, bit by bit, the beginning of what it is in the end."""
        for name, values in found.items():
            if values.dtype.kind != "O":
                self.assertEqual(values.tobytes(), whole[name][:len(values)].tobytes(), name)

    def require_whole_lines(self, folder, whole):
        for path in sorted(folder.glob("*.csv")):
            text = path.read_bytes()
            self.assertTrue((whole / path.name).read_bytes().startswith(text), path.name)
            self.assertTrue(text == b"" or text.endswith(b"\n"), f"{path.name} ends with {text[-40:]}")

    def kill_everywhere(self, arguments, *, num_chosen, resumes):
        self.write(SHORT)
        self.assertEqual(self.run_killed("whole", arguments), DONE)
        num_changes = int((self.folder / "count").read_text())
        self.assertGreater(num_changes, 50)
        whole = read_columns(self.folder / "whole/result.h5")
        # An older record of the same bodies lies there, which must not be lost before the new one has begun.
        self.write(replaced(("mass = 2.0", "mass = 3.0"), text=SHORT))
        self.assertEqual(self.run_killed("older", []), DONE)
        older = read_columns(self.folder / "older/result.h5")
        self.write(SHORT)
        step = 1 if os.environ.get("ABUT_EVERY_WRITE") else max(1, num_changes // num_chosen)
        outcomes = {"older": 0, "new": 0}
        for at in itertools.chain(range(1, 40, min(step, 3)), range(40, num_changes + 1, step)):
            half = at % 2 == 1
            with self.subTest(at=at, half=half):
                shutil.rmtree(self.folder / "out", ignore_errors=True)
                shutil.copytree(self.folder / "older", self.folder / "out")
                if self.run_killed("out", arguments, at, half) != -signal.SIGKILL:
                    continue  # its threads did less this time
                found = read_columns(self.folder / "out/result.h5")
                self.assertGreater(len(found["time"]), 0)
                is_older = found["energy/kinetic"].tobytes() == older["energy/kinetic"].tobytes()
                outcomes["older" if is_older else "new"] += 1
                if is_older:
                    continue
                self.require_beginning(whole, found)
                if not half:
                    self.require_whole_lines(self.folder / "out", self.folder / "whole")
                if at % 7 == 0:
                    report = self.abut("report", "out", "--quiet")
                    self.assertEqual(report.returncode, DONE, report.stderr)
                if resumes and (self.folder / "out/checkpoint.bin").exists():
                    again = self.abut("run", "--resume", "out", "--quiet")
                    self.assertEqual(again.returncode, DONE, again.stderr)
                    self.require_beginning(read_columns(self.folder / "out/result.h5"), whole)
        self.assertGreater(min(outcomes.values()), 0, outcomes)

    def test_at_every_write(self):
        self.kill_everywhere(["--csv"], num_chosen=60, resumes=False)

    def test_at_every_write_between_checkpoints(self):
        self.kill_everywhere(["--checkpoint", "0.001ms"], num_chosen=60, resumes=True)

    def test_at_any_time_at_most_a_second_is_lost(self):
        self.write(LONG)
        for seconds in (0.25, 0.9, 2.6):
            with self.subTest(seconds=seconds):
                process = self.start("run", "scene.toml", "--out", "out", "--csv")
                time.sleep(seconds)
                process.kill()
                process.communicate()
                with h5py.File(self.folder / "out/result.h5", "r") as file:
                    times, written = file["time"][...], (self.folder / "out/result.h5").stat().st_mtime
                self.assertGreater(len(times), 1)
                # The file was changed within the last second before the kill; half a second more for a busy machine.
                self.assertLess(time.time() - written, 1.5)
                with open(self.folder / "out/body.csv", newline="", encoding="utf-8") as file:
                    self.assertEqual({len(row) for row in csv.reader(file)}, {15})


class ReaderTest(CommandTest):
    def test_every_look_beside_the_writer_is_whole(self):
        self.write(LONG)
        process = self.start("run", "scene.toml", "--out", "out", "--set", "run.record_interval=1e-3")
        path, looks, last = self.folder / "out/result.h5", 0, 0
        deadline = time.monotonic() + 4
        while time.monotonic() < deadline:
            if not path.exists():
                continue
            columns = read_columns(path)
            self.assertGreaterEqual(len(columns["time"]), last)
            last, looks = len(columns["time"]), looks + 1
            if looks % 20 == 0:
                report = self.abut("report", "out", "--quiet", "--plot", "plot.svg")
                self.assertEqual(report.returncode, DONE, report.stderr)
        self.assertIsNone(process.poll(), "the run ended before the reader")
        self.assertGreater(looks, 20)
        self.assertGreater(last, 1000)


class WriterTest(CommandTest):
    def test_a_second_run_into_the_same_folder_is_refused(self):
        self.write(LONG)
        self.write(SHORT, "short.toml")
        process = self.start("run", "scene.toml", "--out", "out", "--csv")
        deadline = time.monotonic() + 20
        while not (self.folder / "out/result.h5").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        before = (self.folder / "out/body.csv").read_bytes()
        second = self.abut("run", "short.toml", "--out", "out", "--csv")
        self.assertEqual(second.returncode, SYSTEM_ERROR, second.stderr)
        self.assertIn("out/result.h5: another run is writing this record.", second.stderr)
        self.assertTrue((self.folder / "out/body.csv").read_bytes().startswith(before))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, COULD_NOT_GO_ON)
        self.assertEqual(self.abut("run", "short.toml", "--out", "out", "--quiet").returncode, DONE)

    def test_what_a_full_disk_has_is_kept_and_named(self):
        self.write(replaced(("duration = 3000", "duration = 50"), ("record_interval = 0.01", "record_interval = 1e-3"),
                            text=LONG))
        for limit in (200_000, 1_000_000, 5_000_000):
            with self.subTest(limit=limit):
                outcome = self.abut("run", "scene.toml", "--out", f"out{limit}", "--quiet",
                                    preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
                self.assertEqual(outcome.returncode, SYSTEM_ERROR, outcome.stderr)
                self.assertRegex(outcome.stderr, r"result\.h5: cannot be written: File too large\n"
                                                 r"Everything until [\d.e-]+ s is in it\.\n$")
                times = read_columns(self.folder / f"out{limit}/result.h5")["time"]
                self.assertEqual(f"Everything until {times[-1]:.9g} s", outcome.stderr.splitlines()[1][:-len(" is in it.")])

    def test_a_folder_that_vanishes_is_an_error(self):
        self.write(LONG)
        process = self.start("run", "scene.toml", "--out", "out")
        deadline = time.monotonic() + 20
        while not (self.folder / "out/result.h5").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        shutil.rmtree(self.folder / "out")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, SYSTEM_ERROR)
        self.assertIn("out/result.h5: was removed or replaced while the run went on", errors)

    def test_memory_that_runs_out_is_said(self):
        self.write(SHORT)
        statuses = set()
        for limit in range(24 << 20, 140 << 20, 2 << 20):
            outcome = self.abut("run", "scene.toml", "--out", "out", "--quiet",
                                preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
            if outcome.returncode == 127:
                continue  # not even the program could be loaded
            self.assertIn(outcome.returncode, (DONE, SYSTEM_ERROR), outcome.stderr)
            self.assertEqual(outcome.returncode == SYSTEM_ERROR, "not enough memory" in outcome.stderr, outcome.stderr)
            statuses.add(outcome.returncode)
        self.assertIn(DONE, statuses)

    def test_closed_outputs_do_not_reach_the_record(self):
        self.write(SHORT)
        for closed in ((0,), (1,), (2,), (0, 1, 2)):
            with self.subTest(closed=closed):
                line = " ".join([find_program(), "run scene.toml --out out --csv", *(f"{number}>&-" for number in closed)])
                status = subprocess.run(["sh", "-c", line], cwd=self.folder, check=False, timeout=30,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
                self.assertEqual(status, SYSTEM_ERROR if 1 in closed else DONE)
                if 1 not in closed:
                    self.assertEqual(len(read_columns(self.folder / "out/result.h5")["time"]), 31)

    def test_signals_at_any_instant_keep_everything(self):
        self.write(LONG)
        for number, delay in zip(itertools.cycle((signal.SIGINT, signal.SIGHUP, signal.SIGXCPU, signal.SIGTERM)),
                                 (0.15, 0.2, 0.3, 0.45, 0.6, 0.8)):
            with self.subTest(signal=number, delay=delay):
                process = self.start("run", "scene.toml", "--out", "out", "--csv", "--quiet")
                time.sleep(delay)
                process.send_signal(number)
                _, errors = process.communicate(timeout=10)
                self.assertEqual(process.returncode, COULD_NOT_GO_ON, errors)
                times = read_columns(self.folder / "out/result.h5")["time"]
                self.assertIn(f"interrupted at {times[-1]:.9g} s", errors)
                self.assertIn("To go on: abut run --resume out", errors)


class AgainTest(CommandTest):
    def test_a_result_alone_is_run_again_to_the_same_bits(self):
        self.write(TETRAHEDRON, "part.obj")
        self.run_scene(MESH, "--csv")
        (self.folder / "alone").mkdir()
        shutil.move(self.folder / "out/result.h5", self.folder / "alone/result.h5")
        (self.folder / "part.obj").unlink()
        answer = self.abut("rerun", "alone")
        self.assertEqual(answer.returncode, DONE, answer.stderr)
        self.assertRegex(answer.stdout, r"^same bits: \d+ datasets up to sample (\d+) of \1\n$")
        answer = self.abut("run", "alone/result.h5", "--out", "again", "--quiet")
        self.assertEqual(answer.returncode, DONE, answer.stderr)
        first, second = (read_columns(self.folder / name / "result.h5") for name in ("alone", "again"))
        for name, values in first.items():
            if values.dtype.kind != "O":
                self.assertEqual(values.tobytes(), second[name].tobytes(), name)

    def test_a_stopped_run_is_compared_as_far_as_it_came(self):
        self.write(LONG)
        process = self.start("run", "scene.toml", "--out", "out", "--quiet")
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        answer = self.abut("rerun", "out")
        self.assertEqual(answer.returncode, DONE, answer.stderr)
        self.assertIn("same bits", answer.stdout)

    def test_what_differs_is_named(self):
        out = self.run_scene(SHORT)
        with h5py.File(out / "result.h5", "r+") as file:
            file["body/position"][7, 0, 2] += 1e-12
            del file["body/position"].attrs["crc32c"]
        answer = self.abut("rerun", "out")
        self.assertEqual(answer.returncode, COULD_NOT_GO_ON, answer.stdout)
        self.assertIn("/body/position: row 7 holds ", answer.stderr)
        self.assertRegex(answer.stderr, r"1 of \d+ datasets differ\.")

    def test_a_value_that_was_changed_without_its_sum_is_noticed(self):
        out = self.run_scene(SHORT)
        with h5py.File(out / "result.h5", "r+") as file:
            file["body/position"][7, 0, 2] += 1e-12
        answer = self.abut("report", "out")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("result.h5: this file is damaged: /body/position: the sum of its values", answer.stderr)

    def test_a_record_says_what_was_asked_for(self):
        out = self.run_scene(SHORT, "--set", "title=two words")
        with h5py.File(out / "result.h5", "r") as file:
            self.assertRegex(file.attrs["command"], r"abut run scene\.toml --out out --set 'title=two words'$")

    def test_h5py_may_go_on_with_a_record(self):
        out = self.run_scene(replaced(("record_interval = 0.005", "record_interval = 1e-3"), ("duration = 0.15", "duration = 5"),
                                      text=SHORT))
        with h5py.File(out / "result.h5", "r+") as file:
            self.assertIsNotNone(file["body/position"].chunks)
            file["body/position"].resize(6000, axis=0)
            file["body/position"][5500:] = 1.0
            file.create_dataset("mine/more", data=np.arange(1000.0), compression="gzip")
            file.attrs["note"] = "mine"
        with h5py.File(out / "result.h5", "r") as file:
            self.assertEqual(file["body/position"][5999, 0, 0], 1.0)
            self.assertEqual(file["mine/more"][999], 999.0)
            self.assertEqual(len(file["time"]), 5001)


if __name__ == "__main__":
    main()
