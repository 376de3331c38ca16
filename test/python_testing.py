"""What the tests of the Python package share: the module of the build folder (ABUT_PRESET, else check), as `./abut python` has
it, and scenes to start from."""

import os
import pathlib
import sys

from abut_testing import COMMAND, ROOT

BUILD = pathlib.Path(os.environ.get("ABUT_BUILD", ROOT / "build" / os.environ.get("ABUT_PRESET", "check")))
MODULE = str(BUILD / "python")
sys.path.insert(0, MODULE)
os.environ.setdefault("ABUT_COMMAND", COMMAND)

import abut  # noqa: E402


def make_scene(**run):
    """The scene of abut_testing, built in Python."""
    return abut.Scene(
        title="ball above a floor", run={"duration": 0.3, **run},
        body=[abut.body(name="ball", mass=2.0, shape=abut.sphere(radius=0.1), position=[0, 0, 0.2]),
              abut.body(name="floor", fixed=True, shape=abut.half_space(normal=[0, 0, 1]))],
        contact=[abut.contact(between=["ball", "floor"],
                              normal=abut.normal("gonthier", stiffness=1e6, restitution=0.5),
                              friction=abut.friction("bristle", mu_s=0.45, mu_c=0.4))])


ARM = """[run]
duration = 1.0
method = "explicit"
step = 1e-3
[[body]]
name = "arm"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "shoulder"
type = "revolute"
child = "arm"
axis = [0, 1, 0]
motor = { mode = "torque", value = 0.0 }
"""
