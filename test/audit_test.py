#!/usr/bin/python3
"""abut audit: our own runs pass, and faults that are planted into them are found, with their size."""

import csv
import json
import math

import numpy as np

from abut_testing import CommandTest, DONE, INPUT_WRONG, ROOT, SYSTEM_ERROR, main

EXAMPLES = ROOT / "examples"
G = 9.81


class Table:
    """A CSV file as columns by the names of its headings, without units."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.headings = rows[0]
        self.names = [heading.split(" [")[0] for heading in rows[0]]
        self.rows = rows[1:]

    def of(self, body, name):
        k, b = self.names.index(name), self.names.index("body")
        return np.array([float(row[k]) for row in self.rows if row[b] == body])

    def change(self, body, name, values):
        k, b = self.names.index(name), self.names.index("body")
        for row, value in zip((row for row in self.rows if row[b] == body), values, strict=True):
            row[k] = repr(float(value))

    def scale(self, name, factor):
        k = self.names.index(name)
        for row in self.rows:
            row[k] = repr(float(row[k]) * factor)

    def drop(self, *names):
        kept = [k for k, name in enumerate(self.names) if not name.startswith(names)]
        for row in [self.headings, self.names, *self.rows]:
            row[:] = [row[k] for k in kept]

    def write(self, path):
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([self.headings, *self.rows])
        return path


class AuditTest(CommandTest):
    def run_csv(self, scene, *arguments):
        outcome = self.abut("run", scene, "--out", "run", "--csv", "--quiet", *arguments, timeout=120)
        self.assertEqual(outcome.returncode, DONE, outcome.stderr)
        return self.folder / "run/body.csv"

    def audit(self, scene, trajectory, *arguments):
        outcome = self.abut("audit", scene, trajectory, "--json", *arguments, timeout=300)
        self.assertEqual(outcome.returncode, DONE, outcome.stderr)
        return json.loads(outcome.stdout)

    def assert_close(self, value, expected, relative):
        self.assertLess(abs(value - expected), relative * abs(expected), f"{value} instead of {expected}")


class OwnRuns(AuditTest):
    def check(self, scene, *arguments, forces=2e-3):
        report = self.audit(scene, self.run_csv(scene, *arguments), "--forces", "run/contact.csv", *arguments)
        self.assertEqual(report["findings"], [])
        energy = report["energy"]
        self.assertLess(energy["made in flight [J]"], 1e-9 * energy["turnover [J]"])
        for pair in report["pairs"]:
            # Rounding; the integrator's own error is within its tolerance of 1e-6 a step.
            self.assertLess(pair["energy made [J]"], 1e-5 * energy["turnover [J]"])
            # Samples are fine enough for cubics between them.
            self.assert_close(pair["forces given"]["ratio"], 1.0, forces)
        return report

    def test_points(self):
        report = self.check(EXAMPLES / "ball-on-incline.toml")
        pair = report["pairs"][0]
        self.assertEqual(pair["touches"], 5)
        for impact in pair["impacts"]:
            if impact["restitution"] is not None:
                self.assert_close(impact["restitution"], impact["law"]["restitution"], 2e-3)
            if impact["resolved"]:
                self.assert_close(impact["depth [m]"], impact["law"]["depth [m]"], 1e-2)
        # The law dissipates along the given motion what the bodies lost to it.
        self.assert_close(pair["energy lost in these [J]"], pair["law dissipates in these [J]"], 3e-2)

    def test_several_points(self):
        pair = self.check(EXAMPLES / "box-on-slope.toml")["pairs"][0]
        self.assertLess(pair["creep"]["distance [m]"], 1e-9)
        self.assert_close(pair["rest"]["depth [m]"], pair["rest"]["law depth [m]"], 1e-3)

    def test_volume(self):
        # Friction of a volume follows the path from its first sample, where the recorded run has a longer memory.
        pair = self.check(EXAMPLES / "hosts/spin_down.toml")["pairs"][0]
        self.assert_close(pair["rest"]["depth [m]"], pair["rest"]["law depth [m]"], 1e-3)

    def test_nothing_is_found(self):
        """Corners that meet one after the other, a hole, drives, friction that creeps by its law."""
        for name in ("box-settles", "peg-in-hole", "motor-driven-arm", "ball-in-bowl", "stick-slip"):
            with self.subTest(name):
                scene = EXAMPLES / f"{name}.toml"
                table = self.run_csv(scene)
                self.assertEqual(self.audit(scene, table)["findings"], [])
                forces = self.audit(scene, table, "--forces", "run/contact.csv")["findings"]
                self.assertFalse([finding for finding in forces if "that move the bodies" in finding], forces)

    def test_hard_contact_is_a_push_without_overlap(self):
        scene = EXAMPLES / "sliding-wheel.toml"
        report = self.audit(scene, self.run_csv(scene))
        self.assertEqual(report["pairs"], [])
        self.assertTrue(any("though no shapes of the scene overlap" in finding for finding in report["findings"]))
        self.assertEqual(report["energy"]["made apart [J]"], 0.0)

    def test_velocities_from_differences(self):
        scene = EXAMPLES / "ball-on-incline.toml"
        table = Table(self.run_csv(scene))
        table.drop("velocity", "angular_velocity")
        report = self.audit(scene, table.write(self.folder / "poses.csv"))
        self.assertEqual(report["findings"], [])
        self.assertEqual(len(report["notes"]), 2, report["notes"])
        self.assertIn("velocities are differences of positions", report["notes"][0])
        impacts = report["pairs"][0]["impacts"]
        self.assert_close(impacts[0]["restitution"], impacts[0]["law"]["restitution"], 2e-2)


class PlantedFaults(AuditTest):
    def test_energy_in_flight(self):
        # The plate is smooth, so that a push sideways at 0.2 s changes nothing else.
        scene = EXAMPLES / "bouncing-ball.toml"
        table = Table(self.run_csv(scene))
        t = table.of("ball", "time")
        push = 0.5
        table.change("ball", "position_x", np.where(t > 0.2, push * (t - 0.2), 0.0))
        table.change("ball", "velocity_x", np.where(t > 0.2, push, 0.0))
        report = self.audit(scene, table.write(self.folder / "pushed.csv"))
        mass = 7800 * 4 / 3 * math.pi * 0.02**3
        self.assert_close(report["energy"]["made apart [J]"], mass * push**2 / 2, 1e-3)
        self.assertTrue(any("while nothing touches them make" in finding for finding in report["findings"]), report["findings"])

    def bounce(self, restitution):
        """Poses of a ball that falls half a metre and leaves the plate at once, by a factor of its speed."""
        touch = math.sqrt(2 * 0.48 / G)
        up = restitution * G * touch
        lines = ["t,ball.x,ball.y,ball.z,ball.qw,ball.qx,ball.qy,ball.qz,ball.vx,ball.vy,ball.vz"]
        for k in range(160):
            t = 0.003 * k
            z, v = (0.5 - G * t * t / 2, -G * t) if t < touch else (
                0.02 + up * (t - touch) - G * (t - touch) ** 2 / 2, up - G * (t - touch))
            lines.append(f"{t!r},0,0,{z!r},1,0,0,0,0,0,{v!r}")
        return self.write("\n".join(lines) + "\n", "bounce.csv"), touch

    def test_restitution(self):
        path, touch = self.bounce(0.5)
        pair = self.audit(EXAMPLES / "bouncing-ball.toml", path)["pairs"][0]
        impact = pair["impacts"][0]
        self.assert_close(impact["time [s]"], touch, 1e-4)
        self.assert_close(impact["speed [m/s]"], G * touch, 1e-4)
        self.assert_close(impact["restitution"], 0.5, 1e-3)
        self.assert_close(impact["law"]["restitution"], 0.7, 1e-2)
        self.assertEqual(pair["energy made [J]"], 0.0)

    def test_restitution_above_one(self):
        path, touch = self.bounce(1.2)
        report = self.audit(EXAMPLES / "bouncing-ball.toml", path)
        mass = 7800 * 4 / 3 * math.pi * 0.02**3
        made = mass * (G * touch) ** 2 / 2 * (1.2**2 - 1)
        self.assert_close(report["pairs"][0]["energy made [J]"], made, 1e-2)
        self.assertTrue(any("ball-plate makes" in finding for finding in report["findings"]), report["findings"])

    def slope(self):
        scene = EXAMPLES / "box-on-slope.toml"
        table = Table(self.run_csv(scene))
        return scene, table, table.of("box", "time")

    def test_creep(self):
        scene, table, t = self.slope()
        speed, start = 1e-4, 1.0
        way = np.where(t > start, speed * (t - start), 0.0)
        down = np.array([math.cos(math.radians(15)), 0.0, -math.sin(math.radians(15))])
        for i, axis in enumerate("xyz"):
            for name, change in (("position_", way), ("velocity_", np.where(t > start, speed, 0.0))):
                table.change("box", name + axis, table.of("box", name + axis) + change * down[i])
        report = self.audit(scene, table.write(self.folder / "creeps.csv"))
        creep = report["pairs"][0]["creep"]
        # Only the second half of a stretch counts, which began soon after the box came to rest.
        self.assert_close(creep["distance [m]"] / creep["time [s]"], speed, 5e-2)
        self.assertTrue(any("creeps" in finding for finding in report["findings"]), report["findings"])

    def test_penetration(self):
        scene, table, t = self.slope()
        deeper = 100e-6
        s = np.clip((t - 0.8) / 0.5, 0.0, 1.0)
        way, rate = deeper * s * s * (3 - 2 * s), deeper * 6 * s * (1 - s) / 0.5
        normal = np.array([math.sin(math.radians(15)), 0.0, math.cos(math.radians(15))])
        for i, axis in enumerate("xyz"):
            for name, change in (("position_", way), ("velocity_", rate)):
                table.change("box", name + axis, table.of("box", name + axis) - change * normal[i])
        report = self.audit(scene, table.write(self.folder / "deep.csv"))
        rest = report["pairs"][0]["rest"]
        self.assert_close(rest["depth [m]"] - rest["law depth [m]"], deeper, 1e-2)
        # Hertz: three halves of the power of the depth, at the load that is carried.
        self.assert_close(report["pairs"][0]["forces by motion"]["mean [N]"], 2 * G * math.cos(math.radians(15)), 2e-2)
        self.assertTrue(any("rests" in finding for finding in report["findings"]), report["findings"])

    def test_forces(self):
        scene = EXAMPLES / "ball-on-incline.toml"
        body = self.run_csv(scene)
        contact = Table(self.folder / "run/contact.csv")
        for axis in "xyz":
            contact.scale("force_" + axis, 1.1)
        report = self.audit(scene, body, "--forces", contact.write(self.folder / "scaled.csv"))
        pair = report["pairs"][0]
        self.assert_close(pair["forces given"]["ratio"], 1.1, 2e-3)
        self.assert_close(pair["given over motion"]["ratio"], 1.1, 1e-2)
        self.assert_close(pair["forces by motion"]["ratio"], 1.0, 2e-3)
        self.assertEqual(len(report["findings"]), 2, report["findings"])


class Words(AuditTest):
    def test_page_and_text(self):
        scene = EXAMPLES / "ball-on-incline.toml"
        body = self.run_csv(scene)
        outcome = self.abut("audit", scene, body, "--html", "page.html")
        self.assertEqual(outcome.returncode, DONE, outcome.stderr)
        self.assertIn("nothing found", outcome.stdout)
        page = (self.folder / "page.html").read_text()
        self.assertIn("ball-incline", page)
        self.assertNotIn("<script", page)
        self.assertEqual(page.count("<svg"), 2)

    def test_mistakes(self):
        scene = EXAMPLES / "ball-on-incline.toml"
        self.assertEqual(self.abut("audit", scene, "nowhere.csv").returncode, SYSTEM_ERROR)
        wrong = self.write("time,body,x,y,z,qw,qx,qy,qz\n0,bal,0,0,0,1,0,0,0\n", "log.csv")
        outcome = self.abut("audit", scene, wrong)
        self.assertEqual(outcome.returncode, INPUT_WRONG)
        self.assertIn("log.csv:2:3: the scene has no body 'bal'", outcome.stderr)
        self.assertIn("Did you mean 'ball'?", outcome.stderr)
        self.assertIn("Nothing was run.", outcome.stderr)
        outcome = self.abut("audit", scene, wrong, "--column", "position=x")
        self.assertEqual(outcome.returncode, INPUT_WRONG)
        self.assertIn("Did you mean 'position_x'?", outcome.stderr)


if __name__ == "__main__":
    main()
