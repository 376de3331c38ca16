"""Made from the rows of the laws."""

from typing import Any, Callable, NamedTuple, Optional

class FrictionForce(NamedTuple):
    force: Any
    deflection_rate: Any
    dwell: Any
    dwell_rate: Any
    sticking: Any

LAWS: dict[str, Callable[..., Any]]

def hertz(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, stiffness_b: Any = None, thickness: Any = None,
    thickness_b: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None, poisson_b: Any = None,
    yield_b: Any = None, exponent: Any = None) -> Any: ...
def kelvin_voigt(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None,
    poisson_b: Any = None, yield_b: Any = None, exponent: Any = None, damping: Any = None, restitution: Any = None,
    restitution_slope: Any = None, restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def hunt_crossley(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, stiffness_b: Any = None, thickness: Any = None,
    thickness_b: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None, poisson_b: Any = None,
    yield_b: Any = None, exponent: Any = None, damping: Any = None, restitution: Any = None,
    restitution_slope: Any = None, restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def lee_wang(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None,
    poisson_b: Any = None, yield_b: Any = None, exponent: Any = None, damping: Any = None, restitution: Any = None,
    restitution_slope: Any = None, restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def lankarani_nikravesh(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, stiffness_b: Any = None, thickness: Any = None,
    thickness_b: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None, poisson_b: Any = None,
    yield_b: Any = None, exponent: Any = None, restitution: Any = None, restitution_slope: Any = None,
    restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def flores(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, stiffness_b: Any = None, thickness: Any = None,
    thickness_b: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None, poisson_b: Any = None,
    yield_b: Any = None, exponent: Any = None, restitution: Any = None, restitution_slope: Any = None,
    restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def gonthier(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, stiffness_b: Any = None, thickness: Any = None,
    thickness_b: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None, poisson_b: Any = None,
    yield_b: Any = None, exponent: Any = None, restitution: Any = None, restitution_slope: Any = None,
    restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def azad_featherstone(depth: Any, rate: Any = 0.0, *, impact_speed: Any = 0.0, effective_mass: Any = 1.0,
    out: Optional[Any] = None, stiffness: Any = None, young: Any = None, poisson: Any = None, young_b: Any = None,
    poisson_b: Any = None, yield_b: Any = None, damping: Any = None, restitution: Any = None,
    restitution_slope: Any = None, restitution_table: Any = None, v_small: Any = None, damper: Any = None) -> Any: ...
def none(load: Any, slip: Any, *, deflection: Any = 0.0, dwell: Any = 0.0, normal: Any = None,
    effective_mass: float = 1.0, max_rate: float = ...) -> FrictionForce: ...
def coulomb(load: Any, slip: Any, *, deflection: Any = 0.0, dwell: Any = 0.0, normal: Any = None,
    effective_mass: float = 1.0, max_rate: float = ..., mu: Any = None, mu_s: Any = None, mu_c: Any = None,
    v_stribeck: Any = None, v_eps: Any = None) -> FrictionForce: ...
def lugre(load: Any, slip: Any, *, deflection: Any = 0.0, dwell: Any = 0.0, normal: Any = None,
    effective_mass: float = 1.0, max_rate: float = ..., mu_s: Any = None, mu_d: Any = None, sigma_0: Any = None,
    sigma_1: Any = None, sigma_2: Any = None, v_stribeck: Any = None) -> FrictionForce: ...
def bristle(load: Any, slip: Any, *, deflection: Any = 0.0, dwell: Any = 0.0, normal: Any = None,
    effective_mass: float = 1.0, max_rate: float = ..., mu_c: Any = None, mu_s: Any = None, sigma_0: Any = None,
    sigma_1: Any = None, sigma_2: Any = None, v_stribeck: Any = None, tau_dwell: Any = None, v_eps: Any = None,
    regularisation: Any = None) -> FrictionForce: ...
