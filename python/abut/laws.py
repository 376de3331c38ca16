"""Contact laws as functions of arrays, made from the rows of the laws:

    force = abut.laws.gonthier(depth, rate, stiffness=1e6, restitution=0.5, impact_speed=1.0)     # a normal law
    f = abut.laws.bristle(load, slip, mu_c=0.4, mu_s=0.45)                                         # a friction law
"""

from __future__ import annotations

import functools
import inspect
import keyword
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from . import _abut
from .errors import InputError
from .scene import Scene


class FrictionForce(NamedTuple):
    """What a friction law answers, for each point."""

    force: Any  #: on the first body [N]; shaped like the slip
    deflection_rate: Any  #: of the bristles [m/s]
    dwell: Any  #: in effect, 0 sliding to 1 at rest
    dwell_rate: Any  #: [1/s]
    sticking: Any  #: whether friction holds


def make_scene(key: str, law: str, values: dict[str, Any], normal: Optional[dict[str, Any]] = None) -> Scene:
    """Two balls and the contact whose law is wanted: its keys are judged, and left ones filled in, as in any scene."""
    contact = {"between": ["a", "b"], "normal": normal or {"law": "hertz", "stiffness": 1.0}}
    contact[key] = {"law": law, **values}
    ball = {"mass": 1.0, "shape": {"type": "sphere", "radius": 1.0}}
    return Scene({"run": {"duration": 1.0}, "body": [{"name": "a", **ball}, {"name": "b", "position": [3, 0, 0], **ball}],
                  "contact": [contact]})


@functools.lru_cache(maxsize=256)
def resolve_normal(law: str, values: tuple[tuple[str, Any], ...]) -> Any:
    return _abut.NormalLaw(make_scene("normal", law, dict(values)))


@functools.lru_cache(maxsize=256)
def resolve_friction(law: str, values: tuple[tuple[str, Any], ...]) -> Any:
    return _abut.FrictionLaw(make_scene("friction", law, dict(values)))


def collect(values: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """As a key of what was resolved before."""
    return tuple(sorted((key, tuple(value) if isinstance(value, list) else value) for key, value in values.items()))


def as_numbers(value: Any) -> Any:
    return np.asarray(value, dtype=np.float64, order="C")


def normal_force(law: str, depth: Any, rate: Any, impact_speed: Any, effective_mass: Any, out: Any,
                 values: dict[str, Any]) -> Any:
    """Common to all normal laws."""
    parameters = resolve_normal(law, collect(values))
    x, v = as_numbers(depth), as_numbers(rate)
    speed, mass = as_numbers(impact_speed), as_numbers(effective_mass)
    is_one_touch = speed.ndim == 0 and mass.ndim == 0
    if not x.shape == v.shape or not is_one_touch:
        x, v, speed, mass = (np.ascontiguousarray(a) for a in np.broadcast_arrays(x, v, speed, mass))
    if out is None:
        out = np.empty(x.shape)
    flat = out.reshape(-1)
    if is_one_touch:
        parameters.calc(x, v, float(impact_speed), float(effective_mass), flat)
    else:
        parameters.calc_each(x, v, speed, mass, flat)
    return out if out.ndim else float(out)


def to_vectors(value: Any, shape: tuple[int, ...]) -> Any:
    """A row of three for each point."""
    return np.ascontiguousarray(np.broadcast_to(as_numbers(value), (*shape, 3))).reshape(-1, 3)


def to_rows(value: Any, shape: tuple[int, ...]) -> Any:
    """The same of numbers along one line, which is x."""
    rows = np.zeros((*shape, 3))
    rows[..., 0] = as_numbers(value)
    return rows.reshape(-1, 3)


def friction_force(law: str, load: Any, slip: Any, deflection: Any, dwell: Any, normal: Any, effective_mass: float,
                   max_rate: float, values: dict[str, Any]) -> FrictionForce:
    """Common to all friction laws."""
    parameters = resolve_friction(law, collect(values))
    fn, vt, s = as_numbers(load), as_numbers(slip), as_numbers(dwell)
    is_vector = normal is not None
    try:
        shape = np.broadcast_shapes(fn.shape, s.shape, vt.shape[:-1] if is_vector else vt.shape)
    except ValueError:
        hint = "" if is_vector or vt.shape[-1:] != (3,) else ": slip in rows of three needs normal="
        raise InputError(f"load of shape {fn.shape}, slip of shape {vt.shape} and dwell of shape {s.shape} do not go "
                         f"together{hint}") from None
    count = int(np.prod(shape))
    flat_load, flat_dwell = (np.ascontiguousarray(np.broadcast_to(a, shape)).reshape(-1) for a in (fn, s))
    force, z_rate = np.empty((count, 3)), np.empty((count, 3))
    now, s_rate, sticking = np.empty(count), np.empty(count), np.empty(count, bool)
    vectors = [to_vectors(a, shape) if is_vector else to_rows(a, shape) for a in (slip, deflection)]
    parameters.calc(flat_load, vectors[0], vectors[1], flat_dwell, normal if is_vector else (0.0, 0.0, 1.0),
                    float(effective_mass), float(max_rate), force, z_rate, now, s_rate, sticking)
    if is_vector:
        force, z_rate = force.reshape(*shape, 3), z_rate.reshape(*shape, 3)
    else:
        force, z_rate = force[:, 0].reshape(shape), z_rate[:, 0].reshape(shape)
    return FrictionForce(force, z_rate, now.reshape(shape), s_rate.reshape(shape), sticking.reshape(shape))


NORMAL_ARGUMENTS = """
depth [m]; rate [m/s], > 0 approaching; the force is in N, 0 without depth. impact_speed [m/s] and effective_mass [kg] are
those of the touch, from which a restitution makes the damping: one for all points, or one for each. out: an array for the
result.
"""
FRICTION_ARGUMENTS = """
load [N]; slip [m/s] of the first body over the second: numbers along one line, or with `normal` rows of three (what lies
along the normal is left out). deflection [m] and dwell are the memory of a contact, shaped like slip and load.
effective_mass [kg] and max_rate [1/s] (fastest relaxation that a fixed step can follow) matter to some laws. Returns
force on the first body, rates of the memory, and whether it sticks.
"""


def describe_key(key: dict[str, str]) -> str:
    """"stiffness [N/m]: Contact stiffness. (> 0; otherwise: ...)", indented."""
    unit = f" [{key['unit']}]" if key["unit"] != "-" else ""
    notes = [key["range"], "otherwise: " + key["otherwise"] if key["otherwise"] else ""]
    note = "; ".join(note for note in notes if note)
    return f"    {key['key']}{unit}: {key['doc']}{f' ({note})' if note else ''}"


def make_docstring(law: dict[str, Any], arguments: str) -> str:
    """From the row of the law and the table of its keys."""
    keys = "\n".join(describe_key(key) for key in law["keys"])
    return f"{law['doc']}\n\n    {law['equation']}\n\nLimits: {law['limits']}. Source: {law['source']}.\n{arguments}\n{keys}\n"


def make_function(law: dict[str, Any]) -> Callable[..., Any]:
    name = law["name"].replace("-", "_")
    scene_name = law["name"]

    def normal(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0, out: Any = None,
               **values: Any) -> Any:
        return normal_force(scene_name, depth, rate, impact_speed, effective_mass, out, values)

    def friction(load: Any, slip: Any, *, deflection: Any = 0.0, dwell: Any = 0.0, normal: Any = None,
                 effective_mass: float = 1.0, max_rate: float = np.inf, **values: Any) -> FrictionForce:
        return friction_force(scene_name, load, slip, deflection, dwell, normal, effective_mass, max_rate, values)

    functions: dict[str, Callable[..., Any]] = {"normal": normal, "friction": friction}
    function = functions[law["family"]]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = make_docstring(law, NORMAL_ARGUMENTS if law["family"] == "normal" else FRICTION_ARGUMENTS)
    own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
    own += [inspect.Parameter(key["key"], inspect.Parameter.KEYWORD_ONLY, default=None) for key in law["keys"]
            if not keyword.iskeyword(key["key"])]
    function.__signature__ = inspect.Signature(own)  # type: ignore[attr-defined]
    return function


#: All laws, {name in scenes: function}.
LAWS: dict[str, Callable[..., Any]] = {law["name"]: make_function(law) for law in _abut.list_laws()}
globals().update({function.__name__: function for function in LAWS.values()})
__all__ = ["FrictionForce", "LAWS", *(function.__name__ for function in LAWS.values())]
