#!/usr/bin/python3
"""The package abut of Python: scenes, types, installation, what the command does for it."""

import ast
import os
import pickle
import subprocess
import sys
import urllib.request

from abut_testing import COMMAND, CommandTest, ROOT, SCENE, main
from python_testing import BUILD, abut, make_scene

import numpy as np


class SceneTest(CommandTest):
    def test_built_in_python_is_the_scene_of_the_text(self):
        self.assertEqual(make_scene().to_toml(), abut.Scene.read_text(SCENE).to_toml())

    def test_reads_back_to_the_same_numbers(self):
        scene = make_scene()
        scene["body.ball.mass"] = 1 / 3
        self.assertEqual(abut.Scene.read_text(scene.to_toml())["body.ball.mass"], 1 / 3)
        self.assertEqual(pickle.loads(pickle.dumps(scene)), scene)

    def test_keys_are_read_and_changed_by_path(self):
        scene = make_scene()
        self.assertEqual(scene["body.ball.mass"], 2.0)
        self.assertEqual(scene["run.tolerance"], 1e-6)  # a default
        self.assertEqual(scene["body.ball.shape.radius"], 0.1)
        self.assertEqual(scene["contact.ball-floor.friction.mu_c"], 0.4)
        self.assertEqual(scene["gravity[2]"], -9.81)
        other = scene.copy()
        scene["body.ball.mass"] = np.float64(3)
        scene["contact[0].normal.restitution"] = 0.7
        scene["body.ball.position"] = np.array([0, 0, 0.3])
        scene["run.method"] = "explicit"
        self.assertEqual((scene["body.ball.mass"], scene["contact[0].normal.restitution"], scene["run.method"]),
                         (3.0, 0.7, "explicit"))
        self.assertEqual(scene["body.ball.position"], [0, 0, 0.3])
        self.assertEqual(other["body.ball.mass"], 2.0)
        with self.assertRaises(abut.InputError) as caught:
            scene["body.ball.mas"]
        self.assertIn("mass", str(caught.exception))

    def test_a_wrong_value_names_the_nearest_and_changes_nothing(self):
        scene = make_scene()
        with self.assertRaises(abut.InputError) as caught:
            scene["body.ball.mas"] = 3
        self.assertIn("mass", str(caught.exception))
        with self.assertRaises(abut.InputError):
            scene["body.ball.mass"] = -1
        self.assertEqual(scene["body.ball.mass"], 2.0)

    def test_mistakes_have_their_place_as_the_command_prints_them(self):
        text = SCENE.replace("mass = 2.0", "mas = 2.0")
        path = self.write(text)
        with self.assertRaises(abut.InputError) as caught:
            abut.Scene.read_file(path)
        (mistake,) = caught.exception.mistakes
        self.assertEqual((mistake.line, mistake.found), (6, "mas"))
        self.assertIn("mass", mistake.hint + " ".join(mistake.allowed))
        printed = subprocess.run([COMMAND, "check", str(path)], capture_output=True, text=True, check=False)
        self.assertEqual(str(caught.exception).strip(), printed.stderr.strip())
        self.assertEqual(pickle.loads(pickle.dumps(caught.exception)).mistakes, caught.exception.mistakes)

    def test_a_mistake_of_a_built_scene_shows_its_line(self):
        with self.assertRaises(abut.InputError) as caught:
            abut.Scene(run={"duration": 1.0}, body=[abut.body(name="ball", mass=-1.0, shape=abut.sphere(radius=0.1))])
        (mistake,) = caught.exception.mistakes
        self.assertIn("mass = -1.0", str(caught.exception))
        self.assertGreater(mistake.line, 0)

    def test_builders_know_their_keys(self):
        with self.assertRaises(abut.InputError) as caught:
            abut.body(nam="ball")
        self.assertIn("did you mean 'name'", str(caught.exception))
        with self.assertRaises(abut.InputError) as caught:
            abut.sphere(radius=1, lenght=2)
        self.assertIn("no key 'lenght'", str(caught.exception))
        with self.assertRaises(abut.InputError):
            abut.Scene(bodies=[])

    def test_docstrings_come_from_the_table_of_fields(self):
        self.assertIn("radius [m]: Radius. (> 0; required)", abut.sphere.__doc__)
        self.assertIn("between", abut.contact.__doc__)
        self.assertIn("mu_c", abut.friction.__doc__ + abut.laws.bristle.__doc__)

    def test_every_example_goes_through_a_dict(self):
        for path in sorted((ROOT / "examples").glob("*.toml")):
            scene = abut.Scene.read_file(path)
            if "mesh" in path.name or "urdf" in path.name:
                continue  # their files lie beside the scene, and a dict has no folder
            again = abut.Scene(scene.to_dict())
            self.assertEqual(again.to_toml(), scene.to_toml(), path.name)

    def test_a_robot_is_a_scene(self):
        scene = abut.load_robot(ROOT / "examples/robots/gripper.urdf", name="g",
                                joint=[{"name": "left", "coordinates": [0.02]}])
        self.assertEqual(scene["joint.g/left.coordinates"], [0.02])
        self.assertTrue(scene["body.g/palm.fixed"])
        self.assertTrue(scene["body.g/tcp.frame"])
        self.assertEqual(abut.Scene.read_text(scene.to_toml()), scene)

    def test_a_missing_file_is_named(self):
        with self.assertRaises(abut.SystemError) as caught:
            abut.Scene.read_file("no-such.toml")
        self.assertIn("no-such.toml", str(caught.exception))
        self.assertIsInstance(caught.exception, OSError)


class CommandFunctionsTest(CommandTest):
    def test_compare(self):
        page = abut.compare(make_scene(), normal=["gonthier", "hunt-crossley"], out=self.folder / "compared")
        self.assertEqual(page.path, self.folder / "compared" / "compare.html")
        self.assertTrue(page.path.is_file())
        self.assertGreaterEqual(str(page.data).count("hunt-crossley"), 1)
        with self.assertRaises(abut.InputError):
            abut.compare(make_scene(), normal="no-such-law")

    def test_view_is_live(self):
        page = abut.LivePage(make_scene())
        with urllib.request.urlopen(page.url, timeout=30) as answer:
            self.assertIn(b"<html", answer.read(400).lower())
        self.assertIn(page.url, page._repr_html_())
        page.stop()
        with self.assertRaises(OSError):
            urllib.request.urlopen(page.url, timeout=5)
        with self.assertRaises(abut.InputError):
            abut.LivePage(self.write("nonsense"))

    def test_validate(self):
        names = subprocess.run([COMMAND, "validate", "--list"], capture_output=True, text=True, check=True).stdout.split("\n")
        checks = abut.validate(names[0].split()[0])
        self.assertTrue(checks)


class TypesTest(CommandTest):
    def test_stubs_follow_the_tables(self):
        sys.path.insert(0, str(ROOT / "python" / "packaging"))
        import make_stubs
        for name, make in make_stubs.STUBS.items():
            path = ROOT / "python" / "abut" / name
            if os.environ.get("ABUT_UPDATE_DOCS"):
                path.write_text(make())
            self.assertEqual(path.read_text(), make(), f"{name} is old: run this with ABUT_UPDATE_DOCS=1")

    def test_compiled_names_are_in_their_stub(self):
        """And nothing else is."""
        stub = {node.name: node for node in ast.parse((ROOT / "python/abut/_abut.pyi").read_text()).body
                if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        from abut import _abut
        self.assertEqual(set(stub), {name for name, thing in vars(_abut).items() if callable(thing)})
        for name, node in stub.items():
            if isinstance(node, ast.ClassDef):
                said = {n.name for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")}
                said |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
                own = {n for n in vars(getattr(_abut, name)) if not n.startswith("__") and not n.startswith("_pybind")}
                self.assertEqual(said, own, name)

    def mypy(self, *arguments):
        return subprocess.run(["mypy", "--no-error-summary", f"--cache-dir={BUILD}/mypy-cache",
                               f"--config-file={ROOT}/pyproject.toml", *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, "MYPYPATH": str(ROOT / "python")}, cwd=self.folder)

    def test_mypy_agrees(self):
        good = self.write("import abut\nimport numpy as np\nball = abut.sphere(radius=0.1, position=np.zeros(3))\n"
                          "scene = abut.Scene(run={'duration': 1.0}, body=[abut.body(name='a', shape=ball, mass=1)])\n"
                          "world = abut.World(scene)\nt: float = world.advance(0.1)\nx = world.body('a').position + 1.0\n"
                          "f = abut.laws.gonthier(1e-3, 0.0, stiffness=1e6)\n", "good.py")
        done = self.mypy("-p", "abut")
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.mypy(str(good)).stdout, "")
        bad = self.write("import abut\nabut.sphere(radius='wide')\nabut.World({}).advance('now')\nabut.sphere(radus=1.0)\n",
                         "bad.py")
        self.assertEqual(self.mypy(str(bad)).stdout.count("error:"), 3)


class InstallTest(CommandTest):
    def test_pip_installs_without_network(self):
        venv, python = self.folder / "venv", self.folder / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", venv], check=True)
        environment = {**os.environ, "ABUT_PRESET": BUILD.name, "PIP_NO_INDEX": "1"}
        environment.pop("ABUT_COMMAND", None)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT], env=environment, capture_output=True,
                              text=True, check=False, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        code = ("import abut; w = abut.World({'run': {'duration': 1.0}, 'body': [dict(name='a', mass=1.0, "
                "shape=abut.sphere(radius=1.0))]}); w.advance(1.0); print(abut.__file__, w.body('a').position[2])")
        place, height = subprocess.run([python, "-c", code], cwd="/", env=environment, capture_output=True, text=True,
                                       check=True).stdout.split()
        self.assertTrue(place.startswith(str(venv)), place)
        self.assertAlmostEqual(float(height), -9.81 / 2, delta=1e-9)
        printed = subprocess.run([self.folder / "venv/bin/abut", "--version"], env=environment, capture_output=True, text=True,
                                 check=True).stdout
        self.assertIn(abut.__version__, printed)


if __name__ == "__main__":
    main()
