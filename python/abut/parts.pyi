"""Made from the tables of fields: every part of a scene with its keys. What they mean is in the docstrings."""

from typing import Any, Literal, Mapping, Optional, Sequence

from numpy.typing import ArrayLike

Part = dict[str, Any]

def body(*, name: str, fixed: Optional[bool] = None, frame: Optional[bool] = None, mass: Optional[float] = None,
    density: Optional[float] = None, inertia: Optional[ArrayLike] = None, center_of_mass: Optional[ArrayLike] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None, velocity: Optional[ArrayLike] = None,
    angular_velocity: Optional[ArrayLike] = None,
    shape: Optional[Mapping[str, Any] | Sequence[Mapping[str, Any]]] = None,
    visual: Optional[Mapping[str, Any] | Sequence[Mapping[str, Any]]] = None) -> Part: ...
def joint(*, name: str,
    type: Literal["fixed", "revolute", "prismatic", "spherical", "universal", "planar", "translational", "free"],
    child: str, parent: Optional[str] = None, closes_loop: Optional[bool] = None, axis: Optional[ArrayLike] = None,
    axis_2: Optional[ArrayLike] = None, parent_position: Optional[ArrayLike] = None,
    parent_orientation: Optional[ArrayLike] = None, parent_rotation: Optional[Mapping[str, Any]] = None,
    child_position: Optional[ArrayLike] = None, child_orientation: Optional[ArrayLike] = None,
    child_rotation: Optional[Mapping[str, Any]] = None, coordinates: Optional[ArrayLike] = None,
    velocities: Optional[ArrayLike] = None, stiffness: Optional[float] = None, rest: Optional[float] = None,
    damping: Optional[float] = None, lower: Optional[float] = None, upper: Optional[float] = None,
    limit_stiffness: Optional[float] = None, limit_damping: Optional[float] = None,
    friction: Optional[Mapping[str, Any]] = None, motor: Optional[Mapping[str, Any]] = None,
    motion: Optional[Mapping[str, Any]] = None) -> Part: ...
def robot(*, file: str, name: Optional[str] = None, packages: Optional[Sequence[str]] = None,
    base: Optional[Literal["fixed", "floating"]] = None, parent: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None, scale: Optional[float] = None,
    collision: Optional[Literal["hull", "mesh", "none"]] = None, visual: Optional[bool] = None,
    self_contact: Optional[bool] = None, repair: Optional[bool] = None,
    joint: Optional[Sequence[Mapping[str, Any]]] = None) -> Part: ...
def coupling(*, joint: str, of: str, name: Optional[str] = None, ratio: Optional[float] = None,
    offset: Optional[float] = None, stiffness: Optional[float] = None, damping: Optional[float] = None) -> Part: ...
def spring(*, between: Sequence[str], name: Optional[str] = None, point_a: Optional[ArrayLike] = None,
    point_b: Optional[ArrayLike] = None, stiffness: Optional[float] = None, damping: Optional[float] = None,
    rest_length: Optional[float] = None) -> Part: ...
def bushing(*, child: str, stiffness: ArrayLike, name: Optional[str] = None, parent: Optional[str] = None,
    parent_position: Optional[ArrayLike] = None, parent_orientation: Optional[ArrayLike] = None,
    parent_rotation: Optional[Mapping[str, Any]] = None, child_position: Optional[ArrayLike] = None,
    child_orientation: Optional[ArrayLike] = None, child_rotation: Optional[Mapping[str, Any]] = None,
    damping: Optional[ArrayLike] = None) -> Part: ...
def force(*, body: str, name: Optional[str] = None, point: Optional[ArrayLike] = None,
    force: Optional[ArrayLike] = None, torque: Optional[ArrayLike] = None, table: Optional[Mapping[str, Any]] = None,
    frame: Optional[Literal["world", "body"]] = None) -> Part: ...
def contact(*, between: Sequence[str], name: Optional[str] = None, enabled: Optional[bool] = None,
    region: Optional[Literal["point", "volume", "perimeter"]] = None, normal: Optional[Mapping[str, Any]] = None,
    friction: Optional[Mapping[str, Any]] = None, relaxation_time: Optional[float] = None,
    initial_dwell: Optional[float] = None, spin: Optional[Literal["closure", "exact"]] = None,
    spin_scale: Optional[float] = None, volume_error: Optional[float] = None,
    volume_normal: Optional[Literal["field", "geometric", "principal"]] = None, normal_memory: Optional[float] = None,
    cells: Optional[Literal["joined", "connected", "separate"]] = None,
    memory: Optional[Literal["continuous", "faithful"]] = None,
    normals: Optional[Literal["patch", "both", "a", "b"]] = None, stiffness_factor: Optional[float] = None,
    energy_guard: Optional[bool] = None) -> Part: ...
def settings(*, duration: float, method: Optional[Literal["adaptive", "explicit", "lcp", "ncp", "micro"]] = None,
    integrator: Optional[Literal["auto", "rk", "radau", "bdf", "adams", "euler", "semi-implicit-euler", "heun", "rk3", "rk4", "rk5"]] = None,
    start: Optional[Literal["given", "equilibrium"]] = None, tolerance: Optional[float] = None,
    step: Optional[float] = None, max_step: Optional[float] = None, record_interval: Optional[float] = None,
    threads: Optional[int] = None, max_steps: Optional[int] = None) -> Part: ...
def normal(
    law: Literal["hertz", "kelvin-voigt", "hunt-crossley", "lee-wang", "lankarani-nikravesh", "flores", "gonthier", "azad-featherstone"],
    *, stiffness: Optional[float] = None, stiffness_b: Optional[float] = None, thickness: Optional[float] = None,
    thickness_b: Optional[float] = None, young: Optional[float] = None, poisson: Optional[float] = None,
    young_b: Optional[float] = None, poisson_b: Optional[float] = None, yield_b: Optional[float] = None,
    exponent: Optional[float] = None, damping: Optional[float] = None, restitution: Optional[float] = None,
    restitution_slope: Optional[float] = None, restitution_table: Optional[Mapping[str, Any]] = None,
    v_small: Optional[float] = None, damper: Optional[Literal["blow", "touch"]] = None) -> Part: ...
def friction(law: Literal["none", "coulomb", "lugre", "bristle"], *, mu: Optional[float] = None,
    mu_s: Optional[float] = None, mu_c: Optional[float] = None, v_stribeck: Optional[float] = None,
    v_eps: Optional[float] = None, mu_d: Optional[float] = None, sigma_0: Optional[float] = None,
    sigma_1: Optional[float] = None, sigma_2: Optional[float] = None, tau_dwell: Optional[float] = None,
    regularisation: Optional[Literal["printed", "smooth"]] = None) -> Part: ...
def shape(
    type: Literal["sphere", "half-space", "box", "cylinder", "bore", "cone", "capsule", "ellipsoid", "wedge", "polyhedron", "mesh", "cell", "superquadric", "intersection", "torus", "cavity", "bowl"],
    *, name: Optional[str] = None, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None, radius: Optional[float] = None, normal: Optional[ArrayLike] = None,
    offset: Optional[float] = None, size: Optional[ArrayLike] = None, length: Optional[float] = None,
    angle: Optional[float] = None, angle_degrees: Optional[float] = None, height: Optional[float] = None,
    semi_axes: Optional[ArrayLike] = None, normal_1: Optional[ArrayLike] = None, normal_2: Optional[ArrayLike] = None,
    vertices: Optional[ArrayLike] = None, file: Optional[str] = None, scale: Optional[float] = None,
    stretch: Optional[ArrayLike] = None, weld: Optional[float] = None, smooth: Optional[bool] = None,
    hull: Optional[bool] = None, surface: Optional[bool] = None, crease_degrees: Optional[float] = None,
    part: Optional[Sequence[Mapping[str, Any]]] = None, exponent: Optional[float] = None,
    exponent_z: Optional[float] = None, sharpness: Optional[float] = None, ring_radius: Optional[float] = None,
    tube_radius: Optional[float] = None, thickness: Optional[float] = None,
    depth: Optional[float] = None) -> Part: ...
def motor(*, mode: Literal["torque", "velocity", "position"], value: Optional[float] = None,
    table: Optional[Mapping[str, Any]] = None, gain: Optional[float] = None, derivative_gain: Optional[float] = None,
    force_limit: Optional[float] = None) -> Part: ...
def motion(kind: Literal["rate", "sine", "table", "file"], *, start: Optional[float] = None,
    rate: Optional[float] = None, offset: Optional[float] = None, amplitude: Optional[float] = None,
    frequency: Optional[float] = None, phase: Optional[float] = None, time: Optional[ArrayLike] = None,
    value: Optional[ArrayLike] = None, file: Optional[str] = None, column: Optional[str] = None) -> Part: ...
def sphere(*, radius: float, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def half_space(*, normal: ArrayLike, offset: Optional[float] = None, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def box(*, size: ArrayLike, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def cylinder(*, radius: float, length: Optional[float] = None, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def bore(*, radius: float, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def cone(*, angle: Optional[float] = None, angle_degrees: Optional[float] = None, height: Optional[float] = None,
    name: Optional[str] = None, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def capsule(*, radius: float, length: float, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def ellipsoid(*, semi_axes: ArrayLike, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def wedge(*, normal_1: ArrayLike, normal_2: ArrayLike, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def polyhedron(*, vertices: ArrayLike, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def mesh(*, file: str, scale: Optional[float] = None, stretch: Optional[ArrayLike] = None,
    weld: Optional[float] = None, smooth: Optional[bool] = None, hull: Optional[bool] = None,
    surface: Optional[bool] = None, crease_degrees: Optional[float] = None, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def cell(*, part: Sequence[Mapping[str, Any]], name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def superquadric(*, semi_axes: ArrayLike, exponent: float, exponent_z: Optional[float] = None,
    name: Optional[str] = None, position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def intersection(*, part: Sequence[Mapping[str, Any]], sharpness: Optional[float] = None, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def torus(*, ring_radius: float, tube_radius: float, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def cavity(*, radius: float, name: Optional[str] = None, position: Optional[ArrayLike] = None,
    orientation: Optional[ArrayLike] = None, rotation: Optional[Mapping[str, Any]] = None) -> Part: ...
def bowl(*, radius: float, thickness: float, depth: Optional[float] = None, name: Optional[str] = None,
    position: Optional[ArrayLike] = None, orientation: Optional[ArrayLike] = None,
    rotation: Optional[Mapping[str, Any]] = None) -> Part: ...

__all__ = ["body", "joint", "robot", "coupling", "spring", "bushing", "force", "contact", "settings", "normal",
    "friction", "shape", "motor", "motion", "sphere", "half_space", "box", "cylinder", "bore", "cone", "capsule",
    "ellipsoid", "wedge", "polyhedron", "mesh", "cell", "superquadric", "intersection", "torus", "cavity", "bowl"]
