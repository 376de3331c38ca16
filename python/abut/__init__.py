"""Contact dynamics that can be trusted, in Python. docs/python.md tells how; units are SI, axes those of the world."""

from __future__ import annotations

from typing import Any, Optional

from . import _abut, errors, laws, parts
from ._abut import Energy, Motion, PairForce, PairState, State, __version__
from .command import LivePage, Page, compare, validate, view
from .errors import InputError, InvariantError, Mistake, StepError
from .parts import *  # noqa: F403
from .record import Record, run
from .scene import Model, Scene, as_scene, load_robot
from .solids import (Closest, Interference, LcpSolution, Mass, Piece, closest_points, interference, mass_properties,
                     solve_lcp)
from .study import Study, grid, run_many
from .world import EventKind, World


class ContactPair(_abut.ContactPair):
    """Contact forces alone, for an integrator of your own: two bodies of a scene and the [[contact]] that covers them."""

    def __init__(self, scene: Any, body_a: str, body_b: str) -> None:
        super().__init__(as_scene(scene), body_a, body_b)


def __getattr__(name: str) -> Any:
    # Not imported by *, since it would hide Python's own.
    if name == "SystemError":
        return errors.SystemError
    raise AttributeError(f"module 'abut' has no attribute '{name}'")


def main(arguments: Optional[list[str]] = None) -> int:
    """The command abut, for `python -m abut`."""
    import subprocess
    import sys
    from .command import find_command
    return subprocess.call([find_command(), *(sys.argv[1:] if arguments is None else arguments)])


__all__ = ["Closest", "ContactPair", "Energy", "EventKind", "InputError", "Interference", "InvariantError",
           "LcpSolution", "LivePage", "Mass", "Mistake", "Model", "Motion", "Page", "PairForce", "PairState", "Piece",
           "Record", "Scene", "State", "StepError", "Study", "World", "__version__", "closest_points", "compare",
           "grid", "interference", "laws", "load_robot", "mass_properties", "run", "run_many", "solve_lcp", "validate", "view",
           *parts.__all__]
