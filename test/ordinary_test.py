#!/usr/bin/python3
"""Ordinary scenes that were once wrong without a word: each is right now, or the run says what is wrong with it."""

import csv
import json
import math

from abut_testing import CommandTest, main

FLOOR = """[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
"""


def make_run(duration, method="adaptive", step=None):
    return f'[run]\nduration = {duration}\nmethod = "{method}"\n' + ("" if step is None else f"step = {step}\n")


def make_body(name, shape, position, more=""):
    return f'[[body]]\nname = "{name}"\nmass = 1.0\nposition = {position}\nshape = {{ {shape} }}\n{more}\n'


def make_contact(region="point", stiffness=1e6, friction=""):
    text = ('[[contact]]\nbetween = ["*", "*"]\n' + f'region = "{region}"\n'
            f'normal = {{ law = "gonthier", stiffness = {stiffness}, restitution = 0.3 }}\n')
    return text + (f"friction = {{ {friction} }}\n" if friction else "")


class OrdinaryTest(CommandTest):
    def attempt(self, text):
        """Notes of the run, and the last row of each body by its name."""
        out = self.run_scene(text, "--csv")
        summary = json.loads((out / "summary.json").read_text())
        rows = {}
        with open(out / "body.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                row = {key.split(" ")[0]: value for key, value in row.items()}
                rows[row["body"]] = {key: float(value) for key, value in row.items() if key != "body"}
        return summary, rows

    def expect_note(self, text, words):
        notes = self.attempt(text)[0]["notes"]
        self.assertTrue(any(words in note for note in notes), f"no '{words}' in {notes}")

    def expect_no_note(self, text, words):
        notes = self.attempt(text)[0]["notes"]
        self.assertFalse(any(words in note for note in notes), notes)

    def test_a_free_joint_takes_the_state_of_its_body(self):
        # Free fall for half a second; lcp is behind by g h t / 2 = 2.5 mm.
        for method, step in (("adaptive", None), ("explicit", 1e-3), ("lcp", 1e-3), ("ncp", 1e-3)):
            body = make_body("b", 'type = "box", size = [0.1, 0.2, 0.3]', [1, 2, 3], "velocity = [1, 0, 0]")
            joint = '[[joint]]\nname = "t"\ntype = "free"\nchild = "b"\n'
            row = self.attempt(make_run(0.5, method, step) + body + joint)[1]["b"]
            self.assertAlmostEqual(row["position_x"], 1.5, delta=1e-9, msg=method)
            self.assertAlmostEqual(row["position_z"], 3 - 9.81 / 8, delta=3e-3, msg=method)

    def test_motors_book_the_torque_that_acts(self):
        # A tenth of a newton metre for a second on 0.01 kg m^2: 10 rad/s and half a joule.
        for method in ("lcp", "ncp"):
            text = ("gravity = [0, 0, 0]\n" + make_run(2, method, 1e-3) +
                    '[[body]]\nname = "d"\nmass = 2\nshape = { type = "cylinder", radius = 0.1, length = 0.02 }\n'
                    '[[joint]]\nname = "p"\ntype = "revolute"\nchild = "d"\naxis = [0, 0, 1]\n'
                    'motor = { mode = "torque", table = { time = [0, 1, 1.0001, 2], value = [0.1, 0.1, 0, 0] } }\n')
            summary, _ = self.attempt(text)
            self.assertLess(abs(summary["energy_worst_residual"]), 1e-9, method)  # [J]: rounding
            self.assertEqual(summary["notes"], [], method)

    def test_coulomb_holds_under_perimeter(self):
        slope = math.radians(12)
        n = (math.sin(slope), 0, math.cos(slope))
        ground = ('[[body]]\nname = "slope"\nfixed = true\n'
                  f'shape = {{ type = "half-space", normal = [{n[0]}, 0, {n[2]}] }}\n')
        box = make_body("b", 'type = "box", size = [0.2, 0.2, 0.1]', [0.05 * x for x in n],
                        "rotation = { axis = [0, 1, 0], degrees = 12 }")
        for step in (1e-4, 3e-4):
            rows = [self.attempt(make_run(duration, "explicit", step) + ground + box +
                                 make_contact("perimeter", 1e6, 'law = "coulomb", mu = 0.4'))[1]["b"]
                    for duration in (1.0, 1.5)]
            way = math.dist(*[[row["position_" + k] for k in "xyz"] for row in rows])
            self.assertLess(way, 0.5e-6, step)  # [m]: below 1e-6 m/s

    def test_overlaps_at_the_start_are_told(self):
        box = 'type = "box", size = [0.2, 0.2, 0.2]'
        for region, method, step, stiffness in (("volume", "adaptive", None, 1e9), ("volume", "explicit", 1e-4, 1e9),
                                                ("perimeter", "explicit", 1e-4, 1e6)):
            scene = make_run(0.05, method, step) + FLOOR + make_contact(region, stiffness)
            self.expect_note(scene + make_body("b", box, [0, 0, 0.09]), "starts 10 mm inside")
            self.expect_no_note(scene + make_body("b", box, [0, 0, 0.1]), "starts")
        balls = "".join(make_body(name, 'type = "sphere", radius = 0.1', [x, 0, 0]) for name, x in (("a", 0), ("b", 0.19)))
        self.expect_note("gravity = [0, 0, 0]\n" + make_run(0.1) + balls + make_contact(), "starts 10 mm inside")

    def test_facets_of_perimeters_are_told(self):
        scene = make_run(0.1, "explicit", 1e-4) + FLOOR + make_contact("perimeter")
        self.expect_note(scene + make_body("b", 'type = "sphere", radius = 0.1', [0, 0, 0.1]), "flat facets")
        self.expect_no_note(scene + make_body("b", 'type = "box", size = [0.2, 0.2, 0.2]', [0, 0, 0.1]), "facets")

    def test_faces_that_spin_on_their_corners_are_told(self):
        for method, step in (("adaptive", None), ("lcp", 1e-3)):
            scene = make_run(0.3, method, step) + FLOOR + make_contact(friction='law = "coulomb", mu = 0.2')
            disc = 'type = "cylinder", radius = 0.1, length = 0.02'
            self.expect_note(scene + make_body("d", disc, [0, 0, 0.01], "angular_velocity = [0, 0, 20]"), "turned on a face")
            self.expect_no_note(scene + make_body("d", disc, [0, 0, 0.01], "velocity = [1, 0, 0]"), "turned on a face")

    def test_rebounds_that_ncp_leaves_out_are_told(self):
        ball = 'type = "sphere", radius = 0.1'
        hertz = '[contact_default]\nnormal = { law = "hertz", stiffness = 1e7 }\n'
        scene = make_run(0.5, "ncp", 1e-3) + FLOOR
        self.expect_note(scene + make_body("b", ball, [0, 0, 0.4]) + hertz, "[contact_default]: its law hertz")
        self.expect_no_note(scene + make_body("b", ball, [0, 0, 0.1]) + hertz, "hertz")

    def test_joints_beyond_their_limits_are_told(self):
        def make(start):
            return (make_run(0.1) + '[[body]]\nname = "b"\nmass = 1\nshape = { type = "sphere", radius = 0.1 }\n'
                    '[[joint]]\nname = "rail"\ntype = "prismatic"\nchild = "b"\naxis = [1, 0, 0]\n'
                    f"coordinates = [{start}]\nupper = 0.5\nlimit_stiffness = 1e4\n")
        self.expect_note(make(1.0), "joint 'rail' starts 0.5 beyond its upper limit")
        self.expect_no_note(make(0.5), "beyond")

    def test_polygons_of_redundant_corners_make_no_energy(self):
        # A plate and a disc of tons on a floor of one block; Lemke's answer made 2.6e10 J of 1.1e7 J in one step.
        ground = '[[body]]\nname = "g"\nfixed = true\nposition = [0, 0, -0.34935]\nshape = { type = "box", size = [46.58, 46.58, 0.6987] }\n'
        plate = make_body("a", 'type = "box", size = [2.329, 2.329, 0.04658]', [0.0, 0.0, 4.690606000000001],
                          "rotation = { axis = [-0.6076, -0.3543, -0.2691], degrees = 107.7 }\n"
                          "velocity = [-0.1962572516876765, 0.40457074200935494, 0]\n"
                          "angular_velocity = [-2.414641986091548, -2.5044129364564167, 1.8059032058801372]")
        disc = make_body("b", 'type = "cylinder", radius = 1.1645, length = 0.06987',
                         [-0.11537866000000001, 0.41339750000000003, 7.951206000000001],
                         "rotation = { axis = [-0.08211, -0.117, 0.5835], degrees = 72.21 }")
        scene = (make_run(8.359, "lcp", 0.01393) + '[lcp]\nfriction = "polygon"\n' + ground +
                 plate.replace("mass = 1.0", "mass = 123200.0") + disc.replace("mass = 1.0", "mass = 62910.0") +
                 make_contact(friction='law = "coulomb", mu = 0.153'))
        summary = self.attempt(scene)[0]
        self.assertLess(summary["energy"]["kinetic"], 1.2e7)
        self.expect_no_note(scene, "gave")

    def test_cans_beside_each_others_axes_rest(self):
        cans = "".join(make_body(f"b{i}", 'type = "cylinder", radius = 0.05, length = 0.1', [0.005 * i, 0, 0.05 + 0.1 * i])
                       for i in range(2))
        summary, rows = self.attempt(make_run(0.2) + FLOOR + cans + make_contact("volume", 1e9))
        self.assertLess(abs(rows["b1"]["velocity_z"]), 1e-3)
        self.assertEqual(summary["notes"], [])

    def test_what_is_dropped_into_a_round_hole_rests(self):
        bore = ('[[body]]\nname = "hole"\nfixed = true\nshape = { type = "bore", radius = 0.3, position = [0, 0, 0.3], '
                'rotation = { axis = [0, 1, 0], degrees = 90 } }\n')
        for shape, height, lean in (('type = "box", size = [0.12, 0.1, 0.08]', 0.045196010845019194, 0),  # two edges at once
                                    ('type = "torus", ring_radius = 0.045, tube_radius = 0.015', 0.02235106108743517, 5)):
            guide = ('[[joint]]\nname = "guide"\ntype = "prismatic"\nchild = "b"\naxis = [0, 0, 1]\n'
                     f"coordinates = [{height}]\nchild_rotation = {{ axis = [1, 0.6, 0], degrees = {lean} }}\n")
            body = f'[[body]]\nname = "b"\nmass = 1\nshape = {{ {shape} }}\n'
            summary, rows = self.attempt(make_run(0.3) + body + bore + guide + make_contact("volume", 1e9))
            self.assertEqual(summary["status"], "done", summary["message"])
            self.assertLess(abs(rows["b"]["velocity_z"]), 1e-3)


if __name__ == "__main__":
    main()
