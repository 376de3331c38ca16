"""Geometry and complementarity as functions: volumes of interference, closest points, mass properties, LCP."""

from __future__ import annotations

import functools
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np

from . import _abut
from .errors import InputError
from .scene import Scene

ORIGIN = (0.0, 0.0, 0.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class Piece(NamedTuple):
    """One connected piece of the volume in which two shapes interfere, in world axes."""

    volume: float  #: [m^3]
    centroid: Any  #: [m]
    inertia: Any  #: at unit density about the centroid [m^5]
    area_vector: Any  #: along the normal from B into A; its length is the area of contact [m^2]


class Closest(NamedTuple):
    """Where two shapes are nearest, or deepest in each other."""

    distance: float  #: [m], < 0 where they overlap
    normal: Any  #: unit, from B into A
    point_a: Any  #: on the surface of A [m]
    point_b: Any  #: on the surface of B [m]


class Mass(NamedTuple):
    """Of a homogeneous body."""

    mass: float  #: [kg]
    volume: float  #: [m^3]
    center_of_mass: Any  #: [m]
    inertia: Any  #: about the centre of mass [kg m^2]


class LcpSolution(NamedTuple):
    """x with w = A x + b; see solve_lcp()."""

    x: Any
    w: Any
    status: str  #: "solved", "not_converged", "no_solution", "singular"
    method: str  #: which one answered
    iterations: int
    residual: float
    message: str

    @property
    def is_solved(self) -> bool:
        return self.status == "solved"


@functools.lru_cache(maxsize=256)
def place_text(text: str) -> Any:
    # Fixed, so that shapes without a volume need no mass.
    return _abut.PlacedShape(Scene.read_text(text, "shape built in Python"))


def place(shape: Mapping[str, Any]) -> Any:
    """A shape as the library has it, read as that of a body would be."""
    if not isinstance(shape, Mapping):
        raise InputError(f"a {type(shape).__name__} is no shape: abut.sphere(radius=...) makes one, for example")
    from . import toml  # pylint: disable=import-outside-toplevel
    body = {"name": "body", "fixed": True, "shape": dict(shape)}
    return place_text(toml.dumps({"run": {"duration": 1.0}, "body": [body]}))


class Interference:
    """The volume in which two shapes interfere, in any pose; prepared once. Relative error of curved volumes 1e-6 unless
    said otherwise; flat faces and meshes are exact to rounding."""

    def __init__(self, a: Mapping[str, Any], b: Mapping[str, Any], relative_error: float = 1e-6) -> None:
        self._inner = _abut.Interference(place(a), place(b), relative_error)

    def pieces(self, position_a: Any = ORIGIN, orientation_a: Any = UPRIGHT, position_b: Any = ORIGIN,
               orientation_b: Any = UPRIGHT) -> list[Piece]:
        """The connected pieces, none where nothing overlaps."""
        return [Piece(*piece) for piece in self._inner.calc(position_a, orientation_a, position_b, orientation_b)]

    def volume(self, position_a: Any = ORIGIN, orientation_a: Any = UPRIGHT, position_b: Any = ORIGIN,
               orientation_b: Any = UPRIGHT) -> float:
        """Of all pieces [m^3]."""
        return sum(piece.volume for piece in self.pieces(position_a, orientation_a, position_b, orientation_b))


def interference(a: Mapping[str, Any], b: Mapping[str, Any], position_a: Any = ORIGIN, orientation_a: Any = UPRIGHT,
                 position_b: Any = ORIGIN, orientation_b: Any = UPRIGHT) -> list[Piece]:
    """The connected pieces of the volume in which shapes A and B interfere. Orientations are quaternions (w, x, y, z)."""
    return Interference(a, b).pieces(position_a, orientation_a, position_b, orientation_b)


def closest_points(a: Mapping[str, Any], b: Mapping[str, Any], position_a: Any = ORIGIN, orientation_a: Any = UPRIGHT,
                   position_b: Any = ORIGIN, orientation_b: Any = UPRIGHT) -> Closest:
    """Distance of two shapes and where it is taken: of convex shapes that are apart, and of all pairs with a model of
    contact at points, overlapping or not."""
    return Closest(*_abut.closest_points(place(a), place(b), position_a, orientation_a, position_b, orientation_b))


def mass_properties(shape: Mapping[str, Any], density: float = 1000.0) -> Mass:
    """Of a closed shape of this density [kg/m^3], in the frame that the shape is placed in."""
    return Mass(*_abut.mass_properties(place(shape), float(density)))


def solve_lcp(A: Any, b: Any, lower: Any = 0.0, upper: Any = np.inf, couplings: Sequence[tuple[int, int, float]] = (),
              tolerance: float = 1e-12, method: str = "automatic") -> LcpSolution:
    """Mixed linear complementarity problem with bounds:

        w = A x + b,  lower <= x <= upper,
        x_i = lower_i => w_i >= 0;  x_i = upper_i => w_i <= 0;  otherwise w_i = 0.

    Bounds may be infinite; a row free on both sides is an equation. couplings: (row, normal, factor) makes the bounds of a
    row follow another unknown, |x_row| <= factor x_normal, as friction does. method: automatic, block_pivoting, lemke,
    gauss_seidel.
    """
    b = np.atleast_1d(np.asarray(b, float))
    matrix = np.asarray(A, float)
    if matrix.shape != (b.size, b.size):
        raise InputError(f"A has the shape {matrix.shape}, and b {b.size} numbers: A must be square, b as long")
    least, most = (np.broadcast_to(np.asarray(bound, float), b.shape) for bound in (lower, upper))
    return LcpSolution(*_abut.solve_lcp(matrix, b, least, most, list(couplings), tolerance, method))
