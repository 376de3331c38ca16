#!/usr/bin/python3
"""Functional mock-up units: what abut export-fmu writes, driven by the importer of examples/fmu through both versions of
the standard, and compared with abut run."""

import ctypes
import math
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest
import zipfile

import h5py

from abut_testing import COMMAND, CommandTest, INPUT_WRONG, ROOT, SCENE, main
from fmu_rules import find_description_mistakes

sys.path.insert(0, str(ROOT / "examples/fmu"))
from importer import ERROR, Unit, UnitError  # noqa: E402

VERSIONS = ("2.0", "3.0")
PORTS = """
[fmu]
inputs = ["body.ball.force", "body.ball.torque"]
outputs = ["body.ball.position", "body.ball.orientation", "body.ball.velocity", "contact.ball-floor.force",
           "contact.ball-floor.depth", "contact.ball-floor.touching", "energy.applied_force", "energy.kinetic",
           "energy.residual"]
parameters = ["contact.ball-floor.normal.restitution", "body.ball.mass", "gravity"]
"""
POSITION, VELOCITY, TOUCHING = "body.ball.position", "body.ball.velocity", "contact.'ball-floor'.touching"
FORCE = "body.ball.force"


class FmuTest(CommandTest):
    def export(self, scene=SCENE + PORTS, version="3.0", *options, name="ball"):
        path = scene if isinstance(scene, pathlib.Path) else self.write(scene)
        out = self.folder / f"{name}-{version[0]}.fmu"
        done = self.abut("export-fmu", path, "-o", out, "--fmi", version, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def load(self, *arguments, **options):
        unit = Unit(self.export(*arguments, **options))
        self.addCleanup(unit.__exit__)
        return unit

    def start(self, unit, *, start=0.0, stop=None, tolerance=None, before=lambda run: None, **options):
        run = unit.instantiate(**options)
        self.addCleanup(run.free)
        run.initialize(start, stop, tolerance, before=lambda: before(run))
        return run

    def final_sample(self, scene, *options):
        """Position and velocity of the first body at the end of abut run."""
        path = scene if isinstance(scene, pathlib.Path) else self.write(scene)
        out = self.folder / f"out-{len(list(self.folder.iterdir()))}"
        done = self.abut("run", path, "--out", out, "--quiet", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(out / "result.h5") as file:
            return list(file["body/position"][-1][0]), list(file["body/velocity"][-1][0])

    def refuses(self, words, act, *arguments, status=ERROR):
        with self.assertRaises(UnitError) as caught:
            act(*arguments)
        self.assertEqual(caught.exception.status, status)
        self.assertIn(words, str(caught.exception))


class Archive(FmuTest):
    def test_is_what_importers_take(self):
        for version in VERSIONS:
            path = self.export(version=version)
            with zipfile.ZipFile(path) as archive:
                self.assertIsNone(archive.testzip())
                names = archive.namelist()
                self.assertEqual(len(set(map(str.lower, names))), len(names))
                folder = {"2.0": "linux64", "3.0": "x86_64-linux"}[version]
                self.assertEqual(names[:3], ["modelDescription.xml", f"binaries/{folder}/ball_{version[0]}.so",
                                             "resources/scene.toml"])
                self.assertIn("documentation/index.html", names)
                self.assertIn(b"Apache License", archive.read("documentation/licenses/license.txt"))
                for entry in archive.infolist():
                    self.assertIn(entry.compress_type, (0, 8))
                    self.assertLessEqual(entry.extract_version, 20)
                    self.assertEqual(entry.flag_bits & 0b1001, 0)  # no encryption, no data descriptor
                    self.assertFalse(entry.filename.startswith(("/", "./")) or ".." in entry.filename)
            self.assertEqual(path.read_bytes(), self.export(version=version, name="ball").read_bytes())

    def test_library_needs_the_c_library_alone_and_shows_the_functions_alone(self):
        unit = self.load()
        tool = lambda *command: subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout
        dynamic = tool("readelf", "-d", "-W", unit.library_path)
        self.assertLessEqual(set(re.findall(r"NEEDED.*\[(.*)\]", dynamic)),
                             {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"})
        self.assertNotRegex(dynamic, "RPATH|RUNPATH|TEXTREL")
        self.assertRegex(tool("readelf", "-l", "-W", unit.library_path), r"GNU_STACK.* RW ")
        symbols = re.findall(r" (\w) (\w+)$", tool("nm", "-D", "--defined-only", unit.library_path), re.MULTILINE)
        self.assertEqual({kind for kind, _ in symbols}, {"T"})
        names = {name for _, name in symbols}
        self.assertEqual({name[:4] for name in names}, {"fmi2", "fmi3"})
        self.assertEqual(len([name for name in names if name.startswith("fmi3")]), 75)
        self.assertEqual(len([name for name in names if name.startswith("fmi2")]), 44)
        # By itself, with nothing in the environment.
        tool("env", "-i", sys.executable, "-c", f"import ctypes; ctypes.CDLL({str(unit.library_path)!r}, 2)")

    def test_descriptions_follow_the_rules(self):
        scenes = [SCENE + PORTS, SCENE, *(ROOT / "examples" / f"{name}.toml" for name in
                                          ("motor-driven-arm", "pushed-crate", "double-pendulum-on-plane", "stick-slip"))]
        for scene in scenes:
            for version in VERSIONS:
                with zipfile.ZipFile(self.export(scene, version)) as archive:
                    text = archive.read("modelDescription.xml").decode()
                self.assertEqual(find_description_mistakes(text), [], scene)

    def test_the_rules_find_mistakes(self):
        with zipfile.ZipFile(self.export()) as archive:
            text = archive.read("modelDescription.xml").decode()
        for old, new in (('    <InitialUnknown valueReference="12"/>\n', ""), ('start="0 0 0"', ""), ('unit="m/s"', 'unit="mm"'),
                         ('<Output valueReference="12" dependencies=""/>', ""), ('causality="independent"', 'causality="local"'),
                         ('valueReference="6"', 'valueReference="9"'), ("energy.kinetic", "energy kinetic")):
            self.assertIn(old, text)
            self.assertNotEqual(find_description_mistakes(text.replace(old, new, 1)), [], old)

    def test_meshes_travel_along(self):
        unit = self.load(ROOT / "examples/mesh-drop.toml", "3.0", "--set", "run.duration=0.02")
        self.assertGreaterEqual(len(list((unit.folder / "resources").iterdir())), 2)
        run = self.start(unit)
        body = next(name for name, v in unit.variables.items() if v.causality == "output" and name.endswith(".position"))
        run.step(0.02)
        self.assertTrue(all(map(math.isfinite, run.get(body))))

    def test_wrong_names_are_told_with_their_place(self):
        for ports, words in (
                ('inputs = ["body.bll.force"]', ["scene.toml:18:11", "there is no body 'bll'", "Did you mean 'ball'?"]),
                ('outputs = ["body.ball.position",\n  "body.ball.speed"]', ["scene.toml:19:3", "a body has no 'speed'"]),
                ('outputs = ["contact.ball-flor.force"]', ["'ball-flor' are no two bodies in [fmu] outputs.", "Did you mean 'ball-floor'?"]),
                ('outputs = ["energy.kinetics"]', ["Did you mean 'kinetic'?"]),
                ('inputs = ["joint.arm.command"]', ["there is no joint 'arm'"]),
                ('inputs = ["body.floor.force"]', ["'floor' is fixed"]),
                ('parameters = ["body.ball.masss"]', ["unknown key 'masss'", "Did you mean 'mass'?"]),
                ('parameters = ["body.ball.density"]', ["'body.ball.density' has no numbers in the scene in [fmu] parameters."]),
                ('outputs = ["body.ball.position", "body.ball.position"]', ["is named twice"]),
                ('outputs = "body.ball.position"', ["outputs must be an array of strings"])):
            done = self.abut("export-fmu", self.write(SCENE + "[fmu]\n" + ports + "\n"), "-o", "x.fmu")
            self.assertEqual(done.returncode, INPUT_WRONG, done.stdout)
            for word in words:
                self.assertIn(word, done.stderr)
            self.assertFalse((self.folder / "x.fmu").exists())


class Motion(FmuTest):
    def test_one_step_is_the_run(self):
        methods = {"adaptive": (), "explicit": ("--set", "run.method=explicit", "--set", "run.step=1e-4"),
                   "lcp": ("--set", "run.method=lcp", "--set", "run.step=1e-3")}
        for method, options in methods.items():
            expected = self.final_sample(SCENE, *options)
            for version in VERSIONS:
                run = self.start(self.load(SCENE + PORTS, version, *options))
                run.step(0.3)
                self.assertEqual((run.get(POSITION), run.get(VELOCITY)), expected, (method, version))

    def test_other_steps_agree_to_the_tolerance(self):
        # Relative error 1e-6 a step; over one bounce at 1.4 m/s that stays below some 1e-6 m.
        expected, _ = self.final_sample(SCENE)
        for version in VERSIONS:
            unit = self.load(version=version)
            for sizes in ([0.3 / 64] * 64, [0.001, 0.029, 0.07, 0.2], [0.1 + 4e-17, 0.1, 0.1]):
                run = self.start(unit, stop=0.3)
                for size in sizes:
                    run.step(size)
                self.assertAlmostEqual(run.time, 0.3, delta=1e-12)
                self.assertEqual(run.get("time"), run.time)
                self.assertAlmostEqual(run.get(POSITION)[2], expected[2], delta=5e-6)

    def test_the_clock_may_begin_anywhere(self):
        expected, _ = self.final_sample(SCENE)
        for version in VERSIONS:
            run = self.start(self.load(version=version), start=100.0)
            self.assertEqual(run.get("time"), 100.0)
            run.step(0.3)
            self.assertAlmostEqual(run.get(POSITION)[2], expected[2], delta=1e-9)

    def test_parameters_are_those_of_the_scene(self):
        expected = self.final_sample(SCENE, "--set", "contact.ball-floor.normal.restitution=0.8", "--set", "gravity=[0,0.5,-5]")
        for version in VERSIONS:
            def before(run):
                run.set("contact.'ball-floor'.normal.restitution", 0.8)
                run.set("gravity", [0.0, 0.5, -5.0])
            run = self.start(self.load(version=version), before=before)
            self.assertEqual(run.get("gravity"), [0.0, 0.5, -5.0])
            run.step(0.3)
            self.assertEqual((run.get(POSITION), run.get(VELOCITY)), expected)
            self.refuses("fixed once the unit runs", run.set, "body.ball.mass", 3.0)

    def test_start_values_are_those_of_the_description(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            run = unit.instantiate()
            self.addCleanup(run.free)
            for name, variable in unit.variables.items():
                if variable.start:
                    value = run.get(name)
                    self.assertEqual(value if isinstance(value, list) else [value], variable.start, name)
            self.assertEqual(run.get(POSITION), [0.0, 0.0, 0.2])

    def test_forces_hold_and_are_booked(self):
        for version in VERSIONS:
            run = self.start(self.load(version=version))
            work = 0.0
            for k in range(10):
                force, before = 3.0 * math.sin(k), run.get(POSITION)[0]
                run.set(FORCE, [force, 0.0, 0.0])
                self.assertEqual(run.get(FORCE), [force, 0.0, 0.0])
                run.step(0.01)
                work += force * (run.get(POSITION)[0] - before)
            # In free fall the steps of the method are exact for forces that hold.
            self.assertAlmostEqual(run.get("energy.applied_force"), work, delta=1e-12)
            self.assertAlmostEqual(run.get("energy.residual"), 0.0, delta=1e-9)

    def test_motors_and_prescribed_motion(self):
        scene = SCENE + """
[[body]]
name = "cart"
mass = 1.0
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
child = "cart"
axis = [1, 0, 0]
motor = { mode = "torque", value = 0.5 }
[[body]]
name = "arm"
mass = 1.0
inertia = [1, 1, 1]
[[joint]]
name = "hinge"
type = "revolute"
child = "arm"
axis = [0, 0, 1]
motion = { kind = "sine", offset = 0.1, amplitude = 0.2, frequency = 1 }
"""
        for version in VERSIONS:
            unit = self.load(scene, version)
            self.assertEqual([name for name, v in unit.variables.items() if v.causality == "input"],
                             ["joint.rail.command", "joint.hinge.motion", "joint.hinge.motion_rate", "body.ball.force",
                              "body.ball.torque"])
            run = self.start(unit)
            self.assertEqual(run.get("joint.rail.command"), 0.5)
            self.assertAlmostEqual(run.get("joint.hinge.motion"), 0.1, delta=1e-15)
            self.assertAlmostEqual(run.get("joint.hinge.motion_rate"), 0.4 * math.pi, delta=1e-12)
            run.step(0.1)
            self.assertAlmostEqual(run.get("joint.rail.v"), 0.05, delta=1e-12)
            self.assertAlmostEqual(run.get("joint.hinge.q"), 0.1 + 0.2 * math.sin(0.2 * math.pi), delta=1e-9)  # integrated, 1e-6
            run.set("joint.rail.command", -2.0)
            run.set("joint.hinge.motion", 0.3)
            run.set("joint.hinge.motion_rate", 1.0)
            run.step(0.1)
            self.assertAlmostEqual(run.get("joint.rail.v"), 0.05 - 0.2, delta=1e-12)
            self.assertAlmostEqual(run.get("joint.hinge.q"), 0.4, delta=1e-9)  # gone on at the rate
            self.assertAlmostEqual(run.get("joint.hinge.v"), 1.0, delta=1e-8)

    def test_coupled_with_a_carriage_outside(self):
        done = subprocess.run([sys.executable, ROOT / "examples/fmu/coupled.py", COMMAND, "--halvings", "2"], check=True,
                              capture_output=True, text=True, timeout=120)
        rows = [line.split() for line in done.stdout.split("\n")[2:] if line]
        self.assertEqual(len(rows), 3)
        for row in rows[1:]:
            self.assertAlmostEqual(float(row[2]), 1.0, delta=0.1)
            self.assertAlmostEqual(float(row[4]), 2.0, delta=0.1)


class States(FmuTest):
    def reach_impact(self, run):
        """Between two steps in the middle of the impact."""
        while not run.get(TOUCHING):
            run.step(2e-4)
        run.step(2e-4)
        self.assertTrue(run.get(TOUCHING))

    def go_on(self, run):
        trace = []
        for k in range(60):
            run.set(FORCE, [0.0, float(k % 3), 0.0])
            run.step(1e-3)
            trace.append((run.time, run.get(POSITION), run.get(VELOCITY), run.get("energy.residual")))
        return trace

    def test_go_on_to_the_same_bits(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            run = self.start(unit)
            self.reach_impact(run)
            state, time = run.get_state(), run.time
            first = self.go_on(run)
            run.terminate()
            for _ in range(2):
                run.set_state(state)
                run.time = time
                self.assertEqual(self.go_on(run), first)
            self.refuses("not allowed", run.call, "EnterInitializationMode" if version == "2.0" else "ExitInitializationMode")
            run.set_state(state)  # also after an error
            data = run.serialize(state)
            other = unit.instantiate("other")
            self.addCleanup(other.free)
            again = other.deserialize(data)
            self.assertEqual(other.serialize(again), data)
            other.set_state(again)
            other.time = time
            self.assertEqual(self.go_on(other), first)
            other.free_state(again)
            run.free_state(state)

    def test_go_on_in_another_process(self):
        code = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
from importer import Unit
with Unit(sys.argv[2]) as unit:
    run = unit.instantiate()
    run.set_state(run.deserialize(pathlib.Path(sys.argv[3]).read_bytes()))
    run.time = float(sys.argv[4])
    run.step(0.1)
    print(repr(run.get("body.ball.position")))
"""
        for version in VERSIONS:
            path = self.export(version=version)
            with Unit(path) as unit:
                run = self.start(unit)
                self.reach_impact(run)
                saved = self.folder / "state"
                saved.write_bytes(run.serialize(run.get_state()))
                time = run.time
                run.step(0.1)
                done = subprocess.run([sys.executable, "-c", code, ROOT / "examples/fmu", path, saved, repr(time)],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout.strip(), repr(run.get(POSITION)))
                run.free()

    def test_damaged_bytes_are_refused(self):
        other = self.load(SCENE.replace("mass = 2.0", "mass = 2.5") + PORTS, name="other")
        for version in VERSIONS:
            run = self.start(self.load(version=version))
            run.step(0.01)
            data = run.serialize(run.get_state())
            for bad in (data[:-1], data[:7], b"x", data[:50] + bytes([data[50] ^ 1]) + data[51:]):
                self.refuses("DeSerialize" if version == "2.0" else "Deserialize", run.deserialize, bad)
        stranger = other.instantiate()
        self.addCleanup(stranger.free)
        self.refuses("another unit", stranger.deserialize, data)

    def test_reset_is_a_new_instance(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            run = self.start(unit, before=lambda run: run.set("body.ball.mass", 5.0))
            run.set(FORCE, [1.0, 0.0, 0.0])
            run.step(0.2)
            run.reset()
            run.initialize()
            first = self.go_on(run)
            self.assertEqual(first, self.go_on(self.start(unit)))

    def test_instances_do_not_see_each_other(self):
        for version in VERSIONS:
            unit = self.load(version=version)
            alone = self.go_on(self.start(unit))
            runs = [self.start(unit) for _ in range(4)]
            traces = [None] * 4
            def work(k):
                traces[k] = self.go_on(runs[k])
            threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(traces, [alone] * 4)

    def test_many_instances_leave_nothing_behind(self):
        def resident():
            return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc/self/status").read_text()).group(1))
        unit = self.load()
        for k in range(300):
            run = unit.instantiate(str(k))
            run.initialize()
            run.step(1e-3)
            run.free_state(run.get_state())
            run.free()
            if k == 100:
                before = resident()
        self.assertLess(resident() - before, 2000)  # kB; one instance has some 100
        self.assertEqual(len(os.listdir("/proc/self/task")), threading.active_count())


if __name__ == "__main__":
    main()
