"""Everyday scenes under fixed steps, from 1 mm and 1 g to 10 m and many tonnes: rebound, rest, holding and sliding, heavy on light,
lifts, shakers and clamps."""

import math

import numpy

from everyday_balls import make
from everyday_scene import G, box, capsule, coulomb, cylinder, lying, plane, polyhedron, slope_normal, sphere, turned

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def write_cube(half):
    lines = ["v %.9g %.9g %.9g" % tuple(half * c for c in corner) for corner in CUBE]
    return "\n".join(lines + ["f %d %d %d %d" % tuple(i + 1 for i in face) for face in CUBE_FACES]) + "\n"


def list_shapes(s):
    """Name, shape, height of its frame over the ground where it lies, volume; s its half-size [m]."""
    frustum = [[s * k * x, s * k * y, s * z] for z, k in ((-1, 1.0), (1, 0.6)) for x in (-1, 1) for y in (-1, 1)]
    return [("ball", sphere(s), s, 4 / 3 * math.pi * s**3),
            ("crate", box(2 * s, 1.6 * s, 2 * s), s, 6.4 * s**3),
            ("can", cylinder(s, 2 * s), s, 2 * math.pi * s**3),
            ("lying can", lying(cylinder(s, 3 * s)), s, 3 * math.pi * s**3),
            ("plate", box(4 * s, 3 * s, 0.2 * s), 0.1 * s, 2.4 * s**3),
            ("lying pill", lying(capsule(s, 3 * s)), s, (3 + 4 / 3) * math.pi * s**3),
            ("frustum", polyhedron(frustum), s, 8 / 3 * (1 + 0.6 + 0.36) * s**3),
            ("mesh", {"type": "mesh", "file": "cube.obj"}, s, 8 * s**3),
            ("ring", {"type": "torus", "ring_radius": 1.5 * s, "tube_radius": 0.5 * s}, 0.5 * s, 0.75 * math.pi**2 * s**3)]


class Scale:
    """A body of half-size s that falls by its own size on a point law which it presses in by 1e-4 of it at rest."""

    def __init__(self, s, volume, density=1000.0):
        self.mass, self.height = density * volume, 2 * s
        self.stiffness = self.mass * G / (1e-4 * s)**1.5
        self.fall = math.sqrt(2 * self.height / G)
        speed = G * self.fall
        depth = (1.25 * self.mass * speed**2 / self.stiffness)**0.4
        self.step = 0.02 * 2.94 * depth / speed  # fifty to an impact


def drop(s, shape, method, e, duration, tilt=0.0, friction=None):
    name, form, height, volume = shape
    scale = Scale(s, volume)
    step = scale.step if method == "explicit" else 2e-3 * scale.fall
    scene = make(f"{name} of {2 * s:g} m falls e={e} tilt={tilt}", duration * scale.fall, method, step=step)
    if name == "mesh":
        scene.files["cube.obj"] = write_cube(s)
    more = {"rotation": turned((1, 0.6, 0), tilt)} if tilt else {}
    scene.add(name, form, [0, 0, height + scale.height], mass=scale.mass, **more).ground()
    return scene.contact(stiffness=scale.stiffness, restitution=e, friction=friction), scale


FLAT_ONLY = ("frustum", "mesh")  # these have no point contact with the ground but under hard contact
TIPPING = ("can", "lying can", "lying pill", "ring")  # where it meets the plane in one point of several, a compliant blow turns it over


def list_rebounds():
    """Flat and round bodies of three scales rebound to e^2 h."""
    for s in (5e-4, 0.05, 5.0):
        for shape in list_shapes(s):
            for method in ("explicit", "lcp"):
                for e in (0.01, 0.5, 1.0):
                    if method == "explicit" and (shape[0] in FLAT_ONLY or e == 0.01 or (e == 1.0 and shape[0] in TIPPING)):
                        continue
                    scene, scale = drop(s, shape, method, e, 2.6)

                    def judge(r, e=e, scale=scale, height=shape[2], name=shape[0]):
                        z = r.position(name)[:, 2] - height
                        after = z[r.time > 1.1 * scale.fall].max()
                        r.near(after, e * e * scale.height, 0.04 * scale.height, "first bounce [m]")
                        r.true(z.min() > -0.05 * scale.height, f"sinks by {-z.min():.3g} m")
                    yield scene.judge(judge)


def list_leaning_falls():
    """A leaning body comes down on a corner or an edge, is stopped there, and lies on the ground in the end."""
    for s in (5e-4, 0.05, 5.0):
        for shape in list_shapes(s):
            for method in ("lcp", "explicit"):
                for tilt in (0.1, 5.0, 30.0):
                    if method == "explicit" and (shape[0] in FLAT_ONLY or (shape[0] in TIPPING and tilt > 1)):
                        continue
                    scene, scale = drop(s, shape, method, 0.2, 25.0, tilt, coulomb(0.5))

                    def judge(r, s=s, scale=scale, height=shape[2], name=shape[0]):
                        z = r.position(name)[:, 2]
                        r.true(z.min() > min(height, 0.1 * s) - 0.02 * s, f"sinks to {z.min():.4g} m")
                        if name not in ("ball", "lying can", "lying pill", "ring", "can"):
                            r.true(r.speed(name) < 0.02 * math.sqrt(G * s), f"still moves at {r.speed(name):.3g} m/s")
                        r.true(z[-1] < 4 * s, f"hangs at {z[-1]:.4g} m")
                    yield scene.judge(judge)


def list_holds():
    """On a slope of 20 degrees each shape that cannot roll holds at mu = 0.5 and slides with g (sin - mu cos) at 0.2."""
    n = slope_normal(20)
    for s in (5e-4, 0.05, 5.0):
        for shape in list_shapes(s):
            name, form, height, volume = shape
            if name in ("ball", "lying pill", "ring"):
                continue
            for method in ("lcp", "explicit"):
                if method == "explicit" and name not in ("crate", "plate"):
                    continue
                for mu in (0.5, 0.2):
                    scale = Scale(s, volume)
                    duration = 6 * scale.fall
                    scene = make(f"{name} of {2 * s:g} m on a slope mu={mu}", duration, method,
                                 step=2 * scale.step if method == "explicit" else 2e-3 * scale.fall)
                    if name == "mesh":
                        scene.files["cube.obj"] = write_cube(s)
                    scene.add(name, {k: v for k, v in form.items() if k != "rotation"} if name == "lying can" else form,
                              [height * 1.0 * x for x in n], mass=scale.mass,
                              rotation=turned((0, 1, 0), 20) if name != "lying can" else turned((0, 1, 0), 110)).fixed("slope", plane(n))
                    scene.contact(stiffness=scale.stiffness, restitution=0.2, friction=coulomb(mu))
                    gain = max(0.0, G * (math.sin(math.radians(20)) - mu * math.cos(math.radians(20))))

                    def judge(r, name=name, way=0.5 * gain * duration**2, s=s):
                        moved = float(numpy.linalg.norm(r.end(name) - r.position(name)[0]))
                        r.near(moved, way, 0.04 * way + 0.01 * s + 1e-5, "way [m]")
                    yield scene.judge(judge)


def list_uneven():
    """Heavy on light and light on heavy: what stands stands, and the floor carries both."""
    for below, above in ((1.0, 1.0), (0.01, 10.0), (10.0, 0.01)):
        for method in ("lcp", "explicit") if below >= 1.0 else ("lcp",):
            step = {"step": 2e-5} if method == "explicit" else {}
            region = "volume" if method == "explicit" else None
            scene = make(f"{above} kg on {below} kg", 0.5, method, **step)
            scene.add("below", box(0.2, 0.2, 0.1), [0, 0, 0.05], mass=below).add("above", box(0.2, 0.2, 0.1), [0, 0, 0.15], mass=above)
            scene.ground().contact(region=region, friction=coulomb(0.5), restitution=0.3, stiffness=1e8 if region else 1e7)
            weight = (below + above) * G
            yield scene.judge(lambda r, w=weight: (r.rests("above"), r.rests("below"), r.stays("above", 2e-3), r.stays("below", 2e-3),
                                                   r.near(float(r.force("below", "ground", 0.1)[2]), w, 0.02 * w, "load [N]")))


def list_rims():
    """What stands on a body as wide as itself, straight or tapered, flush or leaning, is carried by the one outline that they share."""
    def taper(low, high):
        return polyhedron([[k * x, k * y, 0.05 * z] for z, k in ((-1, low), (1, high)) for x in (-1, 1) for y in (-1, 1)])
    for upper in (0.05, 0.03, 0.0499, 0.01):
        for lower in (0.05, 0.03, 0.0499, 0.07):
            for base in (0.05, 0.0501):
                for tilt in (0.0, 1e-9, 1e-6, 1e-4, 1e-3, 0.01):
                    scene = make(f"rim {base} {upper} on {lower} tilt={tilt}", 0.3, "explicit", step=2e-4)
                    scene.link("upper", taper(base, upper), "prismatic", mass=1, axis=[0, 0, 1], coordinates=[0.1005],
                               child_rotation=turned((1, 0.6, 0), tilt))
                    scene.fixed("lower", taper(lower, 0.05))
                    scene.contact(region="perimeter", normal={"law": "gonthier", "young": 1e7, "poisson": 0.3, "restitution": 0.3})
                    # 9.81 N on 0.4 m of 6.5e5 N/m^2 are 38 um, more where only a part of the outline has touched.

                    def judge(r, tilt=tilt):
                        sunk = 0.1 - float(r.end("upper")[2])
                        lean = 0.05 * math.radians(tilt) * 1.5
                        r.true(5e-6 - lean < sunk < 1e-4 + lean, f"sunk by {1e3 * sunk:.4g} mm")
                        r.rests("upper", 2e-2)
                    yield scene.judge(judge)


def list_hollows():
    """A ball that slides without friction in a bowl swings with 2 pi sqrt((R - r) / g), and rolls sqrt(7/5) slower."""
    for method in ("lcp", "explicit"):
        for name, hollow, radius in (("bowl", {"type": "bowl", "radius": 0.5, "thickness": 0.02, "depth": 0.3}, 0.5),
                                     ("cavity", {"type": "cavity", "radius": 0.5}, 0.5),
                                     ("bore", lying({"type": "bore", "radius": 0.5}, (0, 1, 0)), 0.5)):
            for mu in (0.0, 0.8):
                r, swing = 0.02, 0.1
                period = 2 * math.pi * math.sqrt((radius - r) / G * (1.4 if mu else 1.0)) * (1 + swing**2 / 16)
                step = {"step": 2e-5} if method == "explicit" else {}  # what the slope of Coulomb's law bears
                scene = make(f"ball in a {name} mu={mu}", period, method, **step)
                scene.add("ball", sphere(r), [0, (radius - r) * math.sin(swing), -(radius - r) * math.cos(swing)], mass=0.2)
                scene.fixed(name, hollow).contact(stiffness=1e8, restitution=0.2, friction=coulomb(mu) if mu else None)

                def judge(r_, reach=(radius - r) * math.sin(swing), mu=mu):
                    y = r_.position("ball")[:, 1]
                    r_.near(float(y[-1]), reach, 0.03 * reach, "place after a period [m]")
                    r_.near(float(y.min()), -reach, 0.02 * reach, "other end [m]")
                yield scene.judge(judge)


def list_layers():
    """Under ncp round bodies of three scales come to rest within their layer, and hold or slide as mu says."""
    for s in (5e-4, 0.05, 5.0):
        fall = math.sqrt(4 * s / G)
        for name, form in (("ball", sphere(s)), ("pebble", {"type": "ellipsoid", "semi_axes": [s, 1.4 * s, 0.8 * s]}),
                           ("tablet", {"type": "superquadric", "semi_axes": [s, s, 0.5 * s], "exponent": 4})):
            height = {"ball": s, "pebble": 0.8 * s, "tablet": 0.5 * s}[name]
            scene = make(f"{name} of {2 * s:g} m comes to rest", 12 * fall, "ncp", step=2e-3 * fall)
            scene.add(name, form, [0, 0, height + s], mass=1000 * 4 * s**3).ground().contact(friction=coulomb(0.3))
            yield scene.judge(lambda r, n=name, z=height, s=s, fall=fall: (
                r.near(float(r.end(n)[2]), z, 0.02 * s, "height at rest [m]"), r.rests(n, 0.01 * G * fall), r.above(n, z - 0.05 * s)))
        for mu in (0.5, 0.2):
            n, duration = slope_normal(20), 5 * fall
            scene = make(f"tablet of {2 * s:g} m on a slope mu={mu}", duration, "ncp", step=2e-3 * fall)
            scene.add("tablet", {"type": "superquadric", "semi_axes": [s, s, 0.5 * s], "exponent": 4}, [0.5 * s * x for x in n],
                      mass=1000 * 4 * s**3, rotation=turned((0, 1, 0), 20)).fixed("slope", plane(n)).contact(friction=coulomb(mu))
            gain = max(0.0, G * (math.sin(math.radians(20)) - mu * math.cos(math.radians(20))))

            def judge(r, way=0.5 * gain * duration**2, s=s):
                moved = float(numpy.linalg.norm(r.end("tablet") - r.position("tablet")[0]))
                r.near(moved, way, 0.05 * way + 0.02 * s, "way [m]")
            yield scene.judge(judge)


def list_driven():
    """A lift that speeds up presses with m (g + a); a table shaken harder than g throws; a clamp holds with mu N or not."""
    for method in ("lcp", "explicit"):
        times = [0.05 * i for i in range(21)]
        scene = make("crate in a lift", 1.0, method)
        scene.link("lift", plane((0, 0, 1)), "prismatic", axis=[0, 0, 1], mass=5, body={"inertia": [1, 1, 1]},
                   motion={"kind": "table", "time": times, "value": [t * t for t in times]})
        scene.add("crate", box(0.4, 0.4, 0.4), [0, 0, 0.2], mass=20).contact(restitution=0.2, stiffness=1e8, friction=coulomb(0.5))

        def judge(r):
            load = r.force("crate", "lift")[(r.time > 0.5) & (r.time < 0.8), 2].mean()
            r.near(float(load), 20 * (G + 2), 0.03 * 20 * (G + 2), "load [N]")
        yield scene.judge(judge)
        for part in (0.7, 2.0):
            a, w = 0.02, math.sqrt(part * G / 0.02)
            scene = make(f"shaken at {part} g", 3.0 * 2 * math.pi / w, method)
            times = [i / 40 * 2 * math.pi / w for i in range(121)]
            scene.link("table", plane((0, 0, 1)), "prismatic", axis=[0, 0, 1], mass=5, body={"inertia": [1, 1, 1]},
                       motion={"kind": "table", "time": times, "value": [a * (1 - math.cos(w * t)) for t in times]})
            scene.add("crate", box(0.2, 0.2, 0.1), [0, 0, 0.05], mass=1).contact(restitution=0.01 if method == "lcp" else 0.1, stiffness=1e7)

            def judge(r, part=part):
                above = float((r.position("crate")[:, 2] - 0.05 - r.position("table")[:, 2]).max())
                r.true(above < 2e-4 if part < 1 else above > 5e-3, f"lifts off by {above:.3g} m")
            yield scene.judge(judge)
        for mu in (0.3, 0.6):
            scene = make(f"plate in a clamp mu={mu}", 0.4, method, **({"step": 2e-5} if method == "explicit" else {}))
            scene.fixed("jaw", plane((1, 0, 0)))
            scene.add("plate", box(0.02, 0.2, 2.0), [0.01, 0, 0], mass=2)
            scene.link("press", box(0.02, 0.05, 0.05), "prismatic", axis=[1, 0, 0], mass=1, parent_position=[0.03, 0, 0],
                       motor={"mode": "torque", "value": -20.0})
            scene.contact(region="volume" if method == "explicit" else None, friction=coulomb(mu), restitution=0.1,
                          stiffness=1e9 if method == "explicit" else 1e7)
            # Two faces of 20 N each against 19.6 N: 12 N or 24 N.
            fall = 0.5 * (G - 2 * mu * 20 / 2) * 0.16 if mu < 0.49 else 0.0
            yield scene.judge(lambda r, fall=fall: r.near(-float(r.end("plate")[2]), fall, 0.06 * fall + 1e-3, "fall [m]"))


def list_thin():
    """Sheets and coins that travel farther in a step than they are thick stay on their side, or the run stops and says so."""
    forms = (("coin", cylinder(0.012, 0.002), 0.001), ("disc", cylinder(0.05, 0.001), 5e-4), ("sheet", box(0.3, 0.3, 2e-4), 1e-4),
             ("wafer", polyhedron([[x, y, z] for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-5e-4, 5e-4)]), 5e-4))
    for name, form, half in forms:
        for ground, below in (("floor", None), ("slab", box(40, 40, 1e-3))):
            for step in (1e-3, 1e-2):
                for tilt in (0, 1, 30, 90):
                    for speed in (0.0, 20.0):
                        scene = make(f"{name} on {ground} h={step} tilt={tilt} v={speed}", 1.0, "lcp", step=step)
                        scene.add(name, form, [0, 0, 0.3], mass=0.02, velocity=[0, 0, -speed], rotation=turned((1, 0.3, 0), tilt))
                        if below:
                            scene.fixed(ground, below, [0, 0, -5e-4])
                        else:
                            scene.ground(ground)
                        scene.contact(restitution=0.2, friction=coulomb(0.3))
                        yield scene.judge(lambda r, n=name, half=half: r.above(n, 0.9 * half))
    for first, second in ((0.0, 0.0), (10.0, 0.0), (30.0, -30.0)):
        for step in (1e-3, 1e-2):
            scene = make(f"sheet meets sheet at {first} and {second} h={step}", 0.05, "lcp", step=step, gravity=(0, 0, 0))
            scene.add("one", box(0.3, 0.3, 2e-4), [0, 0, -0.1], mass=0.1, velocity=[0, 0, first or 1e-3])
            scene.add("other", box(0.3, 0.3, 2e-4), [0.01, 0.02, 0.1], mass=0.1, velocity=[0, 0, second]).contact(restitution=0.5)
            yield scene.judge(lambda r: r.true(r.end("other")[2] > r.end("one")[2], "they pass each other"))


FAMILIES = (list_rebounds, list_leaning_falls, list_holds, list_uneven, list_rims, list_hollows, list_layers, list_driven, list_thin)
