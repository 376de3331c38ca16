"""What the tests of the command share: a scene to start from, a scratch folder for each test, and one way to run abut.

The command is ./abut of this repository, or the program that the environment variable ABUT_COMMAND names.
"""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = str((ROOT / os.environ.get("ABUT_COMMAND", "abut")).resolve())

DONE, INPUT_WRONG, COULD_NOT_GO_ON, SYSTEM_ERROR = 0, 1, 2, 3

# A ball above a floor; nothing is wrong with it. Line 6 is the mass, 14 to 16 are the contact.
SCENE = """title = "ball above a floor"
[run]
duration = 0.3
[[body]]
name = "ball"
mass = 2.0
shape = { type = "sphere", radius = 0.1 }
position = [0, 0, 0.2]
[[body]]
name = "floor"
fixed = true
shape = { type = "half-space", normal = [0, 0, 1] }
[[contact]]
between = ["ball", "floor"]
normal = { law = "gonthier", stiffness = 1e6, restitution = 0.5 }
friction = { law = "bristle", mu_s = 0.45, mu_c = 0.4 }
"""


def replaced(*pairs, text=SCENE):
    """The scene with each (old, new) applied once; an old text that is not there is a mistake of the test."""
    for old, new in pairs:
        if text.count(old) == 0:
            raise ValueError(f"not in the scene: {old!r}")
        text = text.replace(old, new, 1)
    return text


class CommandTest(unittest.TestCase):
    """Each test has an empty folder as its working folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="abut-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, content, name="scene.toml"):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def abut(self, *arguments, timeout=60, **options):
        """Runs the command to its end; stdout and stderr as text."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(
            [COMMAND, *map(str, arguments)], cwd=self.folder, timeout=timeout, stdin=subprocess.DEVNULL,
            encoding="utf-8", check=False, **options)

    def start(self, *arguments, **options):
        """Starts the command; the caller ends it."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(
            [COMMAND, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, encoding="utf-8", **options)
        self.addCleanup(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def run_scene(self, text, *arguments, out="out", status=DONE):
        """Runs a scene, expects the exit status, and returns the folder of the result."""
        self.write(text)
        outcome = self.abut("run", "scene.toml", "--out", out, *arguments)
        self.assertEqual(outcome.returncode, status, outcome.stdout + outcome.stderr)
        return self.folder / out

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))


def main():
    unittest.main(verbosity=2)
