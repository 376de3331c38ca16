#!/usr/bin/python3
"""Controllers outside of abut: shared libraries and programs behind a socket, when they work and when they do not."""

import json
import math
import shutil
import socket
import subprocess
import sys
import threading

import h5py

from abut_testing import COULD_NOT_GO_ON, DONE, INPUT_WRONG, ROOT, CommandTest, main

SCENE = """gravity = [0, 0, 0]
run = { duration = 0.5, method = "explicit", step = 1e-3, record_interval = 0.01 }
[[body]]
name = "sled"
mass = 2.0
inertia = [1, 1, 1]
[[joint]]
name = "slide"
type = "prismatic"
child = "sled"
axis = [1, 0, 0]
coordinates = [0.1]
motor = { mode = "torque", value = 0 }
[[sensor]]
name = "encoder"
rate = 200
kind = { type = "joint", joint = "slide" }
[[controller]]
name = "mine"
rate = 200
"""
LIBRARY = 'kind = { type = "library", file = "mine.so", joints = ["slide"], parameters = [%s] }\n'
SOCKET = 'kind = { type = "socket", address = "%s", joints = ["slide"], sensors = ["encoder"], timeout = 5 }\n'


def follow(stiffness, damping, integral, target, samples):
    """The law of examples/controllers/own_controller.c on two kilograms, exact between samples of 5 ms."""
    x, v, memory = 0.1, 0.0, 0.0
    for _ in range(samples):
        memory += integral * 0.005 * (target - x)
        a = (stiffness * (target - x) + memory - damping * v) / 2.0
        x, v = x + 0.005 * v + 0.5 * a * 0.005 ** 2, v + 0.005 * a
    return x


class Program:
    """Answers a number of samples, then closes the connection or says something else."""

    def __init__(self, answers, last=None, wait=None):
        self.server = socket.create_server(("localhost", 0))
        self.address = f"localhost:{self.server.getsockname()[1]}"
        self.answers, self.last, self.wait = answers, last, wait
        self.greeting, self.samples = None, []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        with self.server:
            connection, _ = self.server.accept()
        with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as lines:
            self.greeting = json.loads(lines.readline())
            for line in lines:
                self.samples.append(json.loads(line))
                if len(self.samples) > self.answers:
                    if self.wait is not None:
                        self.wait.wait(20)
                    if self.last is None:
                        return
                    lines.write(self.last + "\n")
                else:
                    now = self.samples[-1]
                    lines.write(json.dumps({"commands": [-40 * now["q"][0] - 8 * now["v"][0]]}) + "\n")
                lines.flush()


class ControllersTest(CommandTest):
    def build_library(self, source=None):
        source = source or (ROOT / "examples/controllers/own_controller.c").read_text()
        self.write(source, "mine.c")
        compiler = shutil.which("cc") or shutil.which("gcc")
        subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-I", str(ROOT / "include"), "mine.c", "-o",
                        "mine.so"], cwd=self.folder, check=True)

    def last_position(self):
        with h5py.File(self.folder / "out/result.h5", "r") as file:
            self.assertEqual(int(file.attrs["complete"]), 1)
            return float(file["time"][-1]), float(file["body/position"][-1][0][0])

    def run_scene(self, kind):
        self.write(SCENE + kind)
        return self.abut("run", "scene.toml", "--out", "out")

    def test_a_library_commands(self):
        self.build_library()
        done = self.run_scene(LIBRARY % "300, 20, 100, 0.25")
        self.assertEqual(done.returncode, DONE, done.stderr)
        time, x = self.last_position()
        self.assertEqual(time, 0.5)
        # Steps of 1 ms of the fourth order are exact at held forces.
        self.assertAlmostEqual(x, follow(300, 20, 100, 0.25, 100), delta=1e-12)

    def test_libraries_that_fail(self):
        self.build_library()
        done = self.run_scene(LIBRARY % "300, 20, 100")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("refuses to work", done.stderr)
        done = self.run_scene(LIBRARY % "-300, 0, 0, 0")  # pushes away
        self.assertEqual(done.returncode, COULD_NOT_GO_ON)
        self.assertIn("controller 'mine': a joint is more than 10 m away", done.stderr)
        time, x = self.last_position()
        # x'' = 150 x, with the force held for 5 ms.
        self.assertAlmostEqual(time, math.acosh(100) / math.sqrt(150), delta=0.03)
        self.write("int abut_controller_version(void) { return 1; }", "mine.c")
        self.build_library("int abut_controller_version(void) { return 1; }")
        done = self.run_scene(LIBRARY % "1")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("abut_controller_act", done.stderr)
        self.write("no library", "mine.so")
        done = self.run_scene(LIBRARY % "1")
        self.assertEqual(done.returncode, INPUT_WRONG)
        (self.folder / "mine.so").unlink()
        done = self.run_scene(LIBRARY % "1")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("scene.toml:21", done.stderr)

    def test_a_program_commands(self):
        program = Program(answers=1000)
        done = self.run_scene(SOCKET % program.address)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(program.greeting["joints"], ["slide"])
        self.assertEqual(program.greeting["period"], 0.005)
        self.assertEqual(program.greeting["sensors"][0]["name"], "encoder")
        self.assertEqual(len(program.samples), 100)
        self.assertEqual(program.samples[3]["time"], 0.015)
        self.assertEqual(program.samples[7]["sensors"][0][0], program.samples[7]["q"][0])
        _, x = self.last_position()
        self.assertAlmostEqual(x, follow(40, 8, 0, 0, 100), delta=1e-12)
        self.assertIn("of 100 answers took longer than 0.005 s", done.stdout)

    def test_a_program_that_vanishes(self):
        program = Program(answers=20)
        done = self.run_scene(SOCKET % program.address)
        self.assertEqual(done.returncode, COULD_NOT_GO_ON)
        self.assertIn("stopped at 0.1 s: controller 'mine': the program at", done.stderr)
        self.assertIn("has closed its socket", done.stderr)
        time, _ = self.last_position()
        self.assertGreaterEqual(time, 0.09)

    def test_programs_that_answer_nonsense_or_never(self):
        for last, words in (('{"commands": [1, 2]}', "2 commands for 1 joints"), ("hello", "neither"),
                            ('{"stop": "the door is open"}', "the door is open"), ('{"commands": [nan]}', "commands")):
            with self.subTest(last=last):
                program = Program(answers=2, last=last)
                done = self.run_scene(SOCKET % program.address)
                self.assertEqual(done.returncode, COULD_NOT_GO_ON)
                self.assertIn(words, done.stderr)
        hold = threading.Event()
        program = Program(answers=2, wait=hold)
        done = self.run_scene((SOCKET % program.address).replace("timeout = 5", "timeout = 0.2"))
        hold.set()
        self.assertEqual(done.returncode, COULD_NOT_GO_ON)
        self.assertIn("did not answer within 0.2 s", done.stderr)

    def test_nobody_listens(self):
        done = self.run_scene(SOCKET % "localhost:1")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("nobody listens at 'localhost:1'", done.stderr)
        done = self.run_scene(SOCKET % "elsewhere.example:80")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("is no address", done.stderr)

    def test_the_example_program(self):
        port = socket.create_server(("localhost", 0))
        number = port.getsockname()[1]
        port.close()
        process = subprocess.Popen([sys.executable, str(ROOT / "examples/controllers/program.py"), str(number), "40", "8"],
                                   stdout=subprocess.PIPE)
        try:
            for _ in range(200):
                done = self.run_scene(SOCKET % f"localhost:{number}")
                if "nobody listens" not in done.stderr:
                    break
            self.assertEqual(done.returncode, DONE, done.stderr)
            _, x = self.last_position()
            self.assertAlmostEqual(x, follow(40, 8, 0, 0, 100), delta=1e-12)
        finally:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    main()
