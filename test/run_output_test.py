#!/usr/bin/python3
"""What a run leaves: HDF5, JSON, CSV and terminal text agree with each other, with the closed form, and bit for bit."""

import csv
import json
import tomllib

import h5py
import numpy as np

from abut_testing import CommandTest, INPUT_WRONG, ROOT, SCENE, SYSTEM_ERROR, main, replaced
from json_schema import is_valid

RECORDED = replaced(("duration = 0.3", "duration = 0.3\nrecord_interval = 0.01"),
                    ("position", "velocity = [0.5, 0, 0]\nposition"))
UNITS = {
    "time": "s", "body/position": "m", "body/orientation": "1", "body/velocity": "m/s",
    "body/angular_velocity": "rad/s", "joint/q": "m or rad", "joint/v": "m/s or rad/s", "joint/force": "N or N m",
    "contact/depth": "m", "contact/depth_rate": "m/s", "contact/point": "m", "contact/normal": "1",
    "contact/force": "N", "contact/normal_force": "N", "contact/slip_velocity": "m/s",
    "contact/bristle": "m", "contact/dwell": "1",
    "event/time": "s", "event/normal_speed": "m/s", "energy/kinetic": "J", "energy/residual": "J",
}
HINGED = """
[[body]]
name = "arm, \\"left\\""
mass = 1
inertia = [0.1, 0.1, 0.1]
center_of_mass = [0.2, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
child = "arm, \\"left\\""
axis = [0, 1, 0]
parent_position = [0, 2, 3]
coordinates = [0.3]
"""


def read_all(path):
    """Every dataset by name; attributes other than the summary, which holds the wall time, and the command."""
    content = {}
    with h5py.File(path, "r") as file:
        for key, value in file.attrs.items():
            if key not in ("summary", "command"):
                content["@" + key] = value

        def keep(name, item):
            if isinstance(item, h5py.Dataset):
                content[name] = item[...]
        file.visititems(keep)
    return content


def make_pile(layers):
    """Layers of 64 balls that overlap by a little and press on each other and on a floor."""
    random = np.random.default_rng(3)
    text = '[run]\nduration = 0.02\nmethod = "explicit"\nstep = 1e-4\nrecord_interval = 0.002\n'
    text += '[[body]]\nname = "floor"\nfixed = true\nshape = { type = "half-space", normal = [0, 0, 1] }\n'
    for i in range(64 * layers):
        x, y = random.uniform(0, 0.002, 2) + [0.099 * (i % 8), 0.099 * (i // 8 % 8)]
        text += f'[[body]]\nname = "ball{i}"\nshape = {{ type = "sphere", radius = 0.05 }}\n'
        text += f"position = [{x}, {y}, {0.0495 + 0.099 * (i // 64)}]\n"
    return text + ('[contact_default]\nnormal = { law = "gonthier", stiffness = 1e5, restitution = 0.5 }\n'
                   'friction = { law = "bristle", mu_s = 0.5, mu_c = 0.5 }\n')


class RunOutputTest(CommandTest):
    def assert_same_bits(self, first, second):
        one, two = read_all(first), read_all(second)
        self.assertEqual(list(one), list(two))
        for name, value in one.items():
            same = np.asarray(value).tobytes() == np.asarray(two[name]).tobytes() if not name.startswith("@") and \
                value.dtype != object else np.array_equal(value, two[name])
            self.assertTrue(same, name)

    def test_hdf5_holds_what_it_promises(self):
        out = self.run_scene(RECORDED + HINGED)
        with h5py.File(out / "result.h5", "r") as file:
            self.assertEqual(file.attrs["complete"], 1)
            self.assertEqual(file.attrs["title"], "ball above a floor")
            self.assertIn('name = "ball"', file.attrs["scene"])
            self.assertEqual(json.loads(file.attrs["summary"]), json.loads((out / "summary.json").read_text()))
            self.assertEqual(list(file["body/name"].asstr()), ["ball", "floor", 'arm, "left"'])
            self.assertEqual(list(file["joint/name"].asstr()), ["hinge"])
            samples = len(file["time"])
            shapes = {"body/position": (3, 3), "body/orientation": (3, 4), "body/velocity": (3, 3), "joint/q": (8,),
                      "joint/v": (7,), "energy/kinetic": ()}
            for name, shape in shapes.items():
                self.assertEqual(file[name].shape, (samples, *shape), name)
            rows = file["contact/row_start"][...]
            self.assertEqual(len(rows), samples + 1)
            self.assertGreater(rows[-1], 0)
            for name in ("depth", "force", "normal", "point", "sticking", "body_a", "patch"):
                self.assertEqual(len(file["contact/" + name]), rows[-1], name)
            for name, unit in UNITS.items():
                self.assertEqual(file[name].attrs["unit"], unit, name)
            for name, value in read_all(out / "result.h5").items():
                if not name.startswith("@") and value.dtype.kind == "f":
                    self.assertTrue(np.isfinite(value).all(), name)
            start = file["joint/q_start"][0]
            self.assertEqual(file["joint/q"][0, start], 0.3)
            # 1e-14: a few roundings of a unit length.
            np.testing.assert_allclose(np.linalg.norm(file["body/orientation"][...], axis=-1), 1.0, atol=1e-14)

    def test_samples_come_at_the_record_interval(self):
        for method in ("", "method = 'explicit'\nstep = 1e-3\n"):
            out = self.run_scene(replaced(("duration = 0.3\n", "duration = 0.3\n" + method), text=RECORDED))
            with h5py.File(out / "result.h5", "r") as file:
                # 1e-12 s: a few roundings of times below 1 s.
                np.testing.assert_allclose(file["time"][...], np.arange(31) * 0.01, atol=1e-12)

    def test_energies_add_up_to_the_residual(self):
        out = self.run_scene(RECORDED)
        summary = json.loads((out / "summary.json").read_text())
        kept = ("kinetic", "gravitational", "elastic", "bristle", "damping", "friction", "viscous_friction")
        total = sum(summary["energy"][name] for name in kept)
        # The residual is the difference of sums near 4 J: a few roundings.
        self.assertAlmostEqual(total - summary["energy_at_start"], summary["energy_residual"], delta=1e-13)
        # The tolerance is 1e-6 a step; 1e-5 of what was turned over allows for a few dozen steps in contact.
        self.assertLess(abs(summary["energy_residual"]), 1e-5 * summary["energy_turnover"])
        self.assertGreater(summary["energy"]["damping"], 0.1)
        self.assertEqual(summary["status"], "done")
        self.assertEqual(summary["time_reached"], 0.3)
        self.assertEqual([c["body_a"] + c["body_b"] for c in summary["contacts"]], ["ballfloor"])
        self.assertGreaterEqual(summary["contacts"][0]["touches"], 1)

    def test_free_fall_follows_the_parabola(self):
        text = replaced(("[0, 0, 0.2]", "[0, 0, 5]\nvelocity = [1, 2, 3]\nangular_velocity = [0, 0, 2]"))
        for method in ([], ["--method", "explicit", "--set", "run.step=1e-3"]):
            out = self.run_scene(text, *method)
            with h5py.File(out / "result.h5", "r") as file:
                t = file["time"][...]
                position = np.stack([t, 2 * t, 5 + 3 * t - 0.5 * 9.81 * t**2], axis=1)
                velocity = np.stack([1 + 0 * t, 2 + 0 * t, 3 - 9.81 * t], axis=1)
                # Runge-Kutta methods of order 2 and above are exact for a parabola but for rounding.
                np.testing.assert_allclose(file["body/position"][:, 0], position, atol=1e-12)
                np.testing.assert_allclose(file["body/velocity"][:, 0], velocity, atol=1e-12)
                turn = np.stack([np.cos(t), 0 * t, 0 * t, np.sin(t)], axis=1)
                # The turn is integrated with the tolerance of 1e-6, or by rk4 with an error of (w h)^4 t.
                np.testing.assert_allclose(file["body/orientation"][:, 0], turn, atol=1e-6)

    def test_a_collision_keeps_the_momentum_and_has_the_given_restitution(self):
        text = 'gravity = [0, 0, 0]\n[run]\nduration = 0.2\ntolerance = 1e-9\n'
        for name, mass, x, v in (("a", 1, 0, 2), ("b", 3, 0.3, -1)):
            text += (f'[[body]]\nname = "{name}"\nmass = {mass}\nshape = {{ type = "sphere", radius = 0.1 }}\n'
                     f"position = [{x}, 0, 0]\nvelocity = [{v}, 0, 0]\n")
        text += '[[contact]]\nbetween = ["a", "b"]\nnormal = { law = "gonthier", stiffness = 1e6, restitution = 0.6 }\n'
        out = self.run_scene(text)
        with h5py.File(out / "result.h5", "r") as file:
            v = file["body/velocity"][:, :, 0]
        # Forces on a pair are equal and opposite to the last bit; only the additions round.
        np.testing.assert_allclose(v @ [1, 3], 1 * 2 + 3 * -1, atol=1e-12)
        # The law is exact; 1e-6 is the promise for adaptive runs.
        self.assertAlmostEqual((v[-1, 1] - v[-1, 0]) / (2 - -1), 0.6, delta=1e-6)

    def test_csv_holds_the_same_numbers(self):
        out = self.run_scene(RECORDED + HINGED, "--csv")

        def table(name):
            with open(out / name, newline="", encoding="utf-8") as file:
                return list(csv.DictReader(file))

        with h5py.File(out / "result.h5", "r") as file:
            time, position = file["time"][...], file["body/position"][...]
            names = list(file["body/name"].asstr())
            rows = table("body.csv")
            self.assertEqual(len(rows), len(time) * 3)
            for i, row in enumerate(rows):
                self.assertEqual(float(row["time [s]"]), time[i // 3])
                self.assertEqual(row["body"], names[i % 3])
                self.assertEqual([float(row[f"position_{k} [m]"]) for k in "xyz"], list(position[i // 3, i % 3]))
            contacts = table("contact.csv")
            self.assertEqual([float(r["depth [m]"]) for r in contacts], list(file["contact/depth"]))
            self.assertEqual([float(r["normal_force [N]"]) for r in contacts], list(file["contact/normal_force"]))
            self.assertEqual([float(r["q [m or rad]"]) for r in table("joint.csv")],
                             list(file["joint/q"][:, file["joint/q_start"][0]]))
            self.assertEqual([float(r["kinetic [J]"]) for r in table("energy.csv")], list(file["energy/kinetic"]))
            kinds = ["touch", "lift", "stick", "slip"]
            self.assertEqual([r["kind"] for r in table("event.csv")], [kinds[k] for k in file["event/kind"]])

    def test_the_same_scene_gives_the_same_bits(self):
        first = self.run_scene(RECORDED + HINGED, out="one") / "result.h5"
        again = self.run_scene(RECORDED + HINGED, out="two") / "result.h5"
        self.assert_same_bits(first, again)
        with h5py.File(first, "r") as file:
            stored = file.attrs["scene"]
        self.assert_same_bits(first, self.run_scene(stored, out="three") / "result.h5")

    def test_the_result_does_not_depend_on_the_threads(self):
        pile = make_pile(10)  # enough bodies and contacts for the work to be shared out
        one = self.run_scene(pile, "--threads", "1", out="one") / "result.h5"
        two = self.run_scene(pile, "--threads", "2", out="two") / "result.h5"
        first, second = read_all(one), read_all(two)
        self.assertGreater(len(first["contact/depth"]), 10 * 640)
        for name, value in first.items():
            if not name.startswith("@") and value.dtype != object:
                self.assertEqual(value.tobytes(), second[name].tobytes(), name)

    def test_a_real_time_run_keeps_pace_and_gives_the_same_bits(self):
        steps = ("--method", "explicit", "--set", "run.step=0.001")
        free = read_all(self.run_scene(RECORDED, *steps, out="free") / "result.h5")
        outcome = self.abut("run", "scene.toml", *steps, "--realtime", "--out", "paced")
        self.assertIn("real time  300 steps of 1 ms", outcome.stdout)
        summary = json.loads((self.folder / "paced/summary.json").read_text())
        report = summary["realtime"]
        self.assertEqual(report["steps"], 300)
        self.assertGreaterEqual(summary["wall_time"], 0.3)
        self.assertEqual(sum(bin["steps"] for bin in report["ready_after_due"]), 300)
        self.assertEqual(sum(bin["steps"] for bin in report["ready_after_due"] if bin["from"] >= 0), report["late"])
        paced = read_all(self.folder / "paced/result.h5")
        np.testing.assert_array_equal(paced["realtime/count"], [bin["steps"] for bin in report["ready_after_due"]])
        np.testing.assert_array_equal(free["body/position"], paced["body/position"])
        self.assertEqual(set(paced) - set(free), {"realtime/bin_start", "realtime/count"})

    def test_real_time_needs_fixed_steps(self):
        self.write(SCENE)
        outcome = self.abut("run", "scene.toml", "--realtime")
        self.assertEqual(outcome.returncode, INPUT_WRONG)
        self.assertIn("--method explicit", outcome.stderr)
        self.assertEqual(self.files(), ["scene.toml"])

    def test_json_is_all_that_json_prints(self):
        self.write(SCENE)
        outcome = self.abut("run", "scene.toml", "--json")
        self.assertEqual(outcome.returncode, 0)
        self.assertEqual(outcome.stderr, "")
        self.assertEqual(json.loads(outcome.stdout), json.loads((self.folder / "out/scene/summary.json").read_text()))

    def test_quiet_prints_nothing(self):
        self.write(SCENE)
        outcome = self.abut("run", "scene.toml", "--quiet")
        self.assertEqual((outcome.returncode, outcome.stdout, outcome.stderr), (0, "", ""))
        self.assertEqual(
            self.files(), ["out", "out/scene", "out/scene/result.h5", "out/scene/summary.json", "scene.toml"])

    def test_the_terminal_shows_contacts_energy_and_files(self):
        self.write(SCENE)
        outcome = self.abut("run", "scene.toml")
        for text in ("scene \u00b7 2 bodies \u00b7 1 contact rule (point, gonthier, bristle)", "ball-floor",
                     "J at start =", "balance closes to", "accepted", "written  out/scene/result.h5"):
            self.assertIn(text, outcome.stdout)
        self.assertEqual(outcome.stderr, "")  # a short run shows no progress

    def test_overrides_change_the_run(self):
        out = self.run_scene(SCENE, "--set", "body.ball.mass=3", "--duration", "0.05", "--set", "title=changed word")
        with h5py.File(out / "result.h5", "r") as file:
            self.assertEqual(file.attrs["title"], "changed word")
            self.assertEqual(file["time"][-1], 0.05)
            self.assertIn("mass = 3", file.attrs["scene"])
        # An option that may be repeated must not swallow the scene that follows it.
        self.assertEqual(self.abut("run", "--set", "run.duration=0.05", "scene.toml", "--quiet").returncode, 0)

    def test_windows_files_unicode_and_spaces(self):
        text = SCENE.replace("ball", "B\u00e4llchen \u2211").replace("\n", "\r\n")
        self.write(b"\xef\xbb\xbf" + text.encode(), "Szene \u00f6.toml")
        outcome = self.abut("run", "Szene \u00f6.toml")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with h5py.File(self.folder / "out/Szene \u00f6/result.h5", "r") as file:
            self.assertEqual(list(file["body/name"].asstr()), ["B\u00e4llchen \u2211", "floor"])

    def test_many_bodies_are_read_and_checked_quickly(self):
        text = ["[run]\nduration = 1e-3\n"]
        text += [f'[[body]]\nname = "b{i}"\nshape = {{ type = "sphere", radius = 0.1 }}\nposition = [{i}, 0, 0]\n'
                 for i in range(10000)]
        text.append('[contact_default]\nnormal = { law = "hertz", stiffness = 1e6 }\n')
        out = self.run_scene("".join(text), "--quiet", "--set", "run.method=explicit", "--set", "run.step=1e-3",
                             "--set", "run.record_interval=1e-3")
        with h5py.File(out / "result.h5", "r") as file:
            self.assertEqual(file["body/position"].shape, (2, 10000, 3))

    def test_a_full_standard_output_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            outcome = self.abut("schema", stdout=full)
        self.assertEqual(outcome.returncode, SYSTEM_ERROR)
        self.assertIn("No space left on device", outcome.stderr)


class OtherCommandsTest(CommandTest):
    def test_check_says_where_values_come_from_and_writes_nothing(self):
        self.write(SCENE)
        outcome = self.abut("check", "scene.toml")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertRegex(outcome.stdout, r"stiffness +1e\+06 +N/m\^1.5 +given")
        self.assertRegex(outcome.stdout, r"sigma_1 .* rule: ")
        self.assertRegex(outcome.stdout, r"v_small +0.001 +m/s +default")
        self.assertIn("largest step", outcome.stdout)
        self.assertEqual(self.files(), ["scene.toml"])
        # sqrt(2 g h) over the 0.1 m below the ball.
        self.assertIn("impact 1.401 m/s", outcome.stdout)

    def test_check_warns_of_a_step_that_is_too_long(self):
        self.write(replaced(("duration = 0.3", 'duration = 1\nmethod = "explicit"\nstep = 0.1')))
        self.assertIn("warning          the step of 100 ms is longer than", self.abut("check", "scene.toml").stdout)

    def test_check_advises_on_velocity_steps(self):
        self.write(replaced(("duration = 0.3", 'duration = 1\nmethod = "lcp"\nstep = 1e-3')))
        safe = self.abut("check", "scene.toml").stdout
        self.assertRegex(safe, r"v_threshold +0.01962 +m/s +rule: 2 step g")
        self.assertNotIn("such contacts creep", safe)
        self.assertNotIn("largest step", safe)
        small = self.abut("check", "scene.toml", "--set", "lcp.v_threshold=1e-3").stdout
        self.assertIn("such contacts creep", small)

    def test_check_refuses_like_run(self):
        self.write(replaced(("mass = 2.0", "mass = -2")))
        run, check = self.abut("run", "scene.toml"), self.abut("check", "scene.toml")
        self.assertEqual((run.returncode, run.stderr), (check.returncode, check.stderr))
        self.assertEqual(run.returncode, INPUT_WRONG)

    def test_models_has_a_page_for_each_law(self):
        listing = self.abut("models").stdout
        for law in ("hertz", "kelvin-voigt", "hunt-crossley", "lee-wang", "lankarani-nikravesh", "flores", "gonthier",
                    "azad-featherstone", "coulomb", "lugre", "bristle"):
            self.assertIn(f"  {law} ", listing)
            page = self.abut("models", law)
            self.assertEqual(page.returncode, 0)
            for part in (f"{law} (", "source", "limits", "docs/theory/"):
                self.assertIn(part, page.stdout)

    def test_schema_covers_the_scene(self):
        schema = json.loads(self.abut("schema").stdout)
        self.assertEqual(set(schema["properties"]) - {"contact-default"}, {
            "title", "gravity", "run", "lcp", "ncp", "micro", "body", "joint", "robot", "coupling", "spring", "bushing",
            "force", "controller", "contact", "contact_default", "sensor", "fmu"})
        self.assertFalse(schema["additionalProperties"])
        self.assertEqual(schema["required"], ["run"])
        self.assertEqual([form["required"] for form in schema["anyOf"]], [["body"], ["robot"]])
        # One wrong value or key at each level.
        for old, new in (("mass = 2.0", "mass = -2.0"), ("mass = 2.0", 'mass = "2"'), ("stiffness", "stifness"),
                         ("duration", "durration"), ('"sphere"', '"spher"'), ('"bristle"', '"bristl"'),
                         ("mu_c = 0.4", "mu_c = -1"), ("[0, 0, 0.2]", "[0, 0.2]"), ("[run]\nduration = 0.3\n", "")):
            with self.subTest(new=new):
                self.assertFalse(is_valid(tomllib.loads(replaced((old, new))), schema))

    def test_schema_accepts_every_scene_of_the_repository(self):
        schema = json.loads(self.abut("schema").stdout)
        scenes = [SCENE + HINGED, make_pile(1)]
        scenes += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.toml"))]
        self.assertGreaterEqual(len(scenes), 3)
        for text in scenes:
            self.assertTrue(is_valid(tomllib.loads(text), schema), text)

    def test_help_and_version(self):
        self.assertRegex(self.abut("--version").stdout, r"^abut \d+\.\d+\.\d+\n$")
        outcome = self.abut("--help")
        self.assertEqual(outcome.returncode, 0)
        for command in ("run", "check", "validate", "models", "schema"):
            self.assertIn(f"\n  {command} ", outcome.stdout)
            self.assertEqual(self.abut(command, "--help").returncode, 0)


if __name__ == "__main__":
    main()
