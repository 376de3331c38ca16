#!/usr/bin/python3
"""Robots from URDF: imported, run and compared with a computation from the file alone, and with MuJoCo where it is."""

import os
import re
import shutil
import subprocess

import h5py
import numpy as np

from abut_testing import CommandTest, DONE, INPUT_WRONG, ROOT, main
from urdf_motion import Robot

ROBOTS = ROOT / "examples/robots"
ARM = ROBOTS / "abut_arm_description/arm.urdf"
ARM_START = {"shoulder_pan_joint": 0.3, "shoulder_lift_joint": -1.1, "elbow_joint": -1.3, "wrist_1_joint": 0.4,
             "wrist_2_joint": 0.7, "wrist_3_joint": -0.2}


class RobotsTest(CommandTest):
    def run_robot(self, urdf, start, duration, keys=""):
        """Coordinates at the end by name, and those of the record as arrays."""
        text = f'[run]\nduration = {duration}\ntolerance = 1e-12\n[[robot]]\nname = "r"\nfile = "{urdf}"\n{keys}'
        for joint, value in start.items():
            text += f'[[robot.joint]]\nname = "{joint}"\ncoordinates = [{value!r}]\n'
        done = self.abut("run", self.write(text), "--out", self.folder / "out")
        self.assertEqual(done.returncode, DONE, done.stderr)
        with h5py.File(self.folder / "out/result.h5") as record:
            names = [name.decode() if isinstance(name, bytes) else name for name in record["joint/name"][()]]
            starts, counts = record["joint/q_start"][()], record["joint/num_q"][()]
            q = record["joint/q"][-1]
            bodies = [name.decode() if isinstance(name, bytes) else name for name in record["body/name"][()]]
            poses = dict(zip(bodies, record["body/position"][-1]))
        return {n[2:]: q[s] for n, s, c in zip(names, starts, counts) if c == 1}, poses

    def test_a_held_arm_against_a_computation_from_its_file(self):
        robot = Robot(ARM)
        start = np.array([ARM_START[name] for name in robot.moving])
        expected = robot.run(np.concatenate([start, np.zeros(6)]), 0.2, 100)[:6]
        found, _ = self.run_robot(ARM, ARM_START, 0.2)
        difference = np.array([found[name] for name in robot.moving]) - expected
        # Angles of up to a radian; both are right to some 1e-11.
        self.assertLess(np.abs(difference).max(), 1e-9)
        self.assertGreater(np.abs(expected - start).max(), 0.1)

    def test_sliding_fingers_and_a_tree_that_floats(self):
        # Friction and what makes one finger follow the other are only in abut; without both the two are the same.
        gripper = self.folder / "gripper.urdf"
        text = (ROBOTS / "gripper.urdf").read_text().replace('friction="0.2"', 'friction="0"')
        gripper.write_text(re.sub("<mimic.*?/>", "", text))
        for path, base, start, duration in ((gripper, "fixed", {"left": 0.01, "right": 0.02}, 0.2),
                                            (ROBOTS / "quadruped.urdf", "floating", {}, 0.1)):
            with self.subTest(path=path.name):
                robot = Robot(path, floating=base == "floating")
                names = robot.moving
                if base == "floating":
                    start = {name: {"h": 0.1, "t": 0.6, "c": -1.5}[name.split("_")[1][0]] for name in names}
                q = [start[name] for name in names]
                if base == "fixed":
                    keys = 'rotation = { axis = [1, 0, 0], radians = 0.7 }\n'
                    # The base is turned: gravity is turned the other way.
                    turn_back = np.array([[1, 0, 0], [0, np.cos(0.7), np.sin(0.7)], [0, -np.sin(0.7), np.cos(0.7)]])
                    robot.gravity = turn_back @ robot.gravity
                    expected = robot.run(q + [0.0] * len(q), duration, 60)[:len(q)]
                    place = None
                else:
                    keys = 'base = "floating"\nposition = [0, 0, 1]\n'
                    state = robot.run([0, 0, 1, *np.eye(3).ravel(), *q] + [0.0] * robot.size, duration, 30)
                    place, expected = state[:3], state[12:12 + len(q)]
                found, poses = self.run_robot(path, start, duration, keys)
                self.assertLess(np.abs(np.array([found[n] for n in names]) - expected).max(), 1e-9)
                if place is not None:
                    self.assertLess(np.abs(poses["r/trunk"] - place).max(), 1e-9)

    def test_a_finger_that_mimics_the_other(self):
        # Turned on its side, the gripper's fingers would both fall: coupled, they hold each other but for nothing.
        text = (ROBOTS / "gripper.urdf").read_text().replace('friction="0.2"', 'friction="0"')
        path = self.write(text.replace('multiplier="1" offset="0"', 'multiplier="1.5" offset="0.002"'), "mimic.urdf")
        found, _ = self.run_robot(path, {"left": 0.01, "right": 0.017}, 0.1,
                                  "rotation = { axis = [1, 0, 0], radians = 0.7 }\n")
        self.assertLess(abs(found["right"] - (1.5 * found["left"] + 0.002)), 1e-12)
        self.assertGreater(abs(found["left"] - 0.01), 1e-4)

    def test_the_arm_in_mujoco(self):
        compiler = shutil.which("cc")
        if compiler is None or not os.path.exists("/usr/include/mujoco/mujoco.h"):
            self.skipTest("libmujoco-dev is not installed (tools/setup hosts)")
        program = self.folder / "mujoco_motion"
        subprocess.run([compiler, ROOT / "test/data/mujoco_motion.c", "-o", program, "-lmujoco", "-lm"], check=True)
        # Its reader wants the meshes, and shapes have no part in this motion.
        text = re.sub(r"<(visual|collision).*?</\1>", "", ARM.read_text(), flags=re.S)
        plain = self.write(text, "plain.urdf")
        done = subprocess.run([program, plain, "0.25", "1e-4", *(f"{k}={v!r}" for k, v in ARM_START.items())], check=True,
                              cwd=self.folder, stdout=subprocess.PIPE, encoding="utf-8")
        expected = {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}
        found, _ = self.run_robot(ARM, ARM_START, 0.25)
        self.assertEqual(set(expected), set(ARM_START))
        for name, value in expected.items():
            self.assertLess(abs(found[name] - value), 1e-6, name)

    def test_a_machine_in_mjcf_moves_as_in_mujoco(self):
        compiler = shutil.which("cc")
        scene = self.folder / "scene.toml"
        done = self.abut("import", ROBOTS / "machine.xml", "-o", scene, "--duration", "0.3")
        if "libmujoco" in done.stderr or compiler is None:
            self.skipTest("abut was built without libmujoco-dev (tools/setup hosts)")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("<sensor> (line 36)", done.stdout)
        text = scene.read_text()
        self.assertIn('mode = "position", value = 0.0, gain = 2.0, force_limit = 5.0', text)
        self.assertIn('mode = "torque", value = 0.0, force_limit = 10.0', text)
        self.assertIn('type = "ellipsoid", semi_axes = [0.05, 0.08, 0.1]', text)
        program = self.folder / "mujoco_motion"
        subprocess.run([compiler, ROOT / "test/data/mujoco_motion.c", "-o", program, "-lmujoco", "-lm"], check=True)
        told = subprocess.run([program, ROBOTS / "machine.xml", "0.3", "1e-4"], check=True, cwd=self.folder,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        expected = {name: float(value) for name, value in (line.split() for line in told.splitlines())}
        run = self.abut("run", scene, "--set", "run.tolerance=1e-11", "--out", self.folder / "out")
        self.assertEqual(run.returncode, DONE, run.stderr)
        with h5py.File(self.folder / "out/result.h5") as record:
            names = [name.decode() for name in record["joint/name"][()]]
            q = dict(zip(names, (record["joint/q"][-1][s] for s in record["joint/q_start"][()])))
        for joint in ("rail", "pitch", "roll", "swivel", "knob"):  # of the ball joint the first number, w
            self.assertLess(abs(q["machine/" + joint] - expected[joint]), 1e-6, joint)

    def test_every_example_is_imported_and_runs_as_it_is(self):
        for path, base in ((ARM, "fixed"), (ROBOTS / "gripper.urdf", "fixed"), (ROBOTS / "rover.urdf", "floating"),
                           (ROBOTS / "quadruped.urdf", "floating")):
            with self.subTest(path=path.name):
                scene = self.folder / "scene.toml"
                done = self.abut("import", path, "-o", scene, "--base", base, "--duration", "0.05")
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.assertIn("written", done.stdout)
                for out in ("written-out", "linked"):
                    run = self.abut("run", scene, "--out", self.folder / out)
                    self.assertEqual(run.returncode, DONE, run.stderr)
                    self.abut("import", path, "-o", scene, "--base", base, "--duration", "0.05", "--link")
                with h5py.File(self.folder / "written-out/result.h5") as a, h5py.File(self.folder / "linked/result.h5") as b:
                    self.assertTrue(np.array_equal(a["joint/q"], b["joint/q"]))
                    self.assertEqual(list(a["body/name"]), list(b["body/name"]))

    def test_contacts_of_a_robot_by_the_names_of_its_links(self):
        scene = f'''[run]
duration = 0.3
[[robot]]
name = "dog"
file = "{ROBOTS}/quadruped.urdf"
base = "floating"
position = [0, 0, 0.36]
[[body]]
name = "floor"
fixed = true
shape = {{ type = "half-space", normal = [0, 0, 1] }}
[[contact]]
between = ["dog/*_foot", "floor"]
normal = {{ law = "gonthier", stiffness = 1e5, restitution = 0.3 }}
'''
        done = self.abut("run", self.write(scene), "--out", self.folder / "out")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("dog/FR_foot", done.stdout)

    def test_what_is_wrong_is_said_with_its_place(self):
        for old, new, message in (
            ('value="3.7"', 'value="3,7"', "39:20: value of <mass> must be a number"),
            ('<child link="shoulder_link"/>', '<child link="shouder_link"/>', "Did you mean 'shoulder_link'?"),
            ("visual/hand.dae", "visual/hand.fbx", "visual/hand.fbx"),
            ('type="continuous"', 'type="screw"', "unknown type 'screw' of joint 'wrist_2_joint'"),
            ('<link name="flange"/>', '<xacro:flange/>', "has not been expanded"),
        ):
            with self.subTest(new=new):
                text = ARM.read_text()
                self.assertIn(old, text)
                bad = self.write(text.replace(old, new, 1), "bad.urdf")
                done = self.abut("import", bad, "-o", self.folder / "never.toml", "--package",
                                 f"abut_arm_description={ARM.parent}")
                self.assertEqual(done.returncode, INPUT_WRONG, done.stdout)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.folder / "never.toml").exists())


if __name__ == "__main__":
    main()
