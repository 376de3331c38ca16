"""Everyday loads: pushes and motors over time, short and long; gravity from next to nothing to a star's; blows with friction."""

import math
import random

import numpy

from everyday_balls import make
from everyday_scene import G, box, capsule, coulomb, cylinder, polyhedron, sphere, turned

METHODS = ("adaptive", "adaptive radau", "adaptive bdf", "adaptive adams", "explicit", "explicit rk5", "explicit heun", "lcp", "ncp")


def list_pulses():
    """However short a push is, it gives its impulse; a step of force acts from its instant on."""
    for method in METHODS:
        step = {} if "adaptive" in method else {"step": 1e-3}
        for width in (1e-2, 1e-3, 1e-5):
            for frame in ("world", "body"):
                scene = make(f"push of {width} s {frame}", 2.0, method, gravity=(0, 0, 0), **step)
                start = 1.2345 - width / 2
                scene.add("cart", sphere(0.1), mass=2).force("cart", frame=frame, table={
                    "time": [0, start, start + width / 2, start + width], "force": [[0, 0, 0], [0, 0, 0], [20 / width, 0, 0], [0, 0, 0]]})
                yield scene.judge(lambda r: r.near(float(r.velocity("cart")[-1][0]), 5.0, 0.01, "speed after 10 N s [m/s]"))
            scene = make(f"motor for {width} s", 1.0, method, gravity=(0, 0, 0), **step)
            start = 0.61803 - width / 2
            scene.link("cart", sphere(0.1), "prismatic", mass=2, axis=[1, 0, 0], motor={
                "mode": "torque", "table": {"time": [0, start, start + width / 2, start + width], "value": [0, 0, 4 / width, 0]}})
            yield scene.judge(lambda r: r.near(float(r.velocity("cart")[-1][0]), 1.0, 5e-3, "speed after 2 N s [m/s]"))
        scene = make("force sets in", 1.0, method, gravity=(0, 0, 0), **step)
        scene.add("cart", sphere(0.1), mass=2).force("cart", table={"time": [0.3, 0.3000001], "force": [[0, 0, 0], [4, 0, 0]]})
        yield scene.judge(lambda r: (r.near(float(r.velocity("cart")[-1][0]), 1.4, 3e-3, "speed [m/s]"),
                                     r.near(float(r.end("cart")[0]), 0.49, 3e-3, "way [m]")))


def list_gravities():
    """On slopes under any gravity and at any size a box holds where mu is enough, and slides with g (sin - mu cos) where not."""
    chance = random.Random(11)
    for form in ("regularised", "box", "polygon", "cone"):
        for gravity in (1e-3, 1.62, 9.81, 274.0):
            for size in (1e-3, 0.1, 10.0):
                degrees, part = chance.uniform(5, 40), chance.choice([0.6, 0.9, 1.1, 1.5])
                slope = math.radians(degrees)
                mu = part * math.tan(slope)
                duration = 6 * math.sqrt(size / gravity)
                scene = make(f"box of {size} m on a slope under {gravity} m/s2 {form}", duration, "lcp", step=duration / 1000,
                             gravity=(0, 0, -gravity))
                scene.head.append(f'lcp = {{ friction = "{form}" }}')
                n = numpy.array([math.sin(slope), 0, math.cos(slope)])  # down an axis of boxes and polygons
                scene.add("box", box(size, size, size / 2), list(n * size / 4), mass=500 * size**3, rotation=turned((0, 1, 0), degrees))
                scene.fixed("slope", {"type": "half-space", "normal": list(n)}).contact(friction=coulomb(mu), restitution=0.2)
                way = 0.5 * max(0.0, gravity * (math.sin(slope) - mu * math.cos(slope))) * duration**2

                def judge(r, way=way, size=size):
                    moved = float(numpy.linalg.norm(r.end("box") - r.position("box")[0]))
                    r.near(moved / size, way / size, 0.02 * way / size + 1e-3, "way [sizes]")
                yield scene.judge(judge)


def list_blows():
    """Free bodies that strike: nothing is made, and with restitution 1 no damper takes anything, whatever friction does."""
    chance = random.Random(101)

    def make_shape(s):
        part = [chance.uniform(0.5, 1.5) for _ in range(3)]
        return chance.choice([("box", box(*(2 * s * p for p in part))), ("ball", sphere(s)), ("can", cylinder(s, 2 * s * part[0])),
                              ("pill", capsule(0.6 * s, 2 * s * part[0])), ("cone", {"type": "cone", "angle_degrees": 60, "height": 2 * s}),
                              ("egg", {"type": "ellipsoid", "semi_axes": [s * p for p in part]}),
                              ("hull", polyhedron([[s * chance.gauss(0, 1) for _ in range(3)] for _ in range(10)])),
                              ("cushion", {"type": "superquadric", "semi_axes": [s * p for p in part], "exponent": 4})])

    def make_turn():
        return turned([chance.gauss(0, 1) for _ in range(3)], chance.uniform(0, 360))
    for i in range(60):
        size, e, mu = 10**chance.uniform(-3, 1), chance.choice([0, 1.0, 1.0, 1.0]), chance.choice([0.1, 0.5, 2.0])
        speed = size * 10**chance.uniform(-0.5, 1)
        (one, first), (two, second) = make_shape(size), make_shape(size)
        duration = 8 * size / speed
        scene = make(f"{one} strikes {two} {i} e={e} mu={mu}", duration, "lcp", step=duration / 10**chance.uniform(2, 3.5), gravity=(0, 0, 0))
        scene.head.append('lcp = { friction = "%s" }' % chance.choice(["regularised", "box", "polygon", "cone"]))
        scene.add("one", first, [-4 * size, 0, 0], mass=1000 * size**3 * 10**chance.uniform(-1, 1), velocity=[speed, 0, 0], rotation=make_turn(),
                  angular_velocity=[chance.gauss(0, 0.3 * speed / size) for _ in range(3)])
        scene.add("two", second, [0, size * chance.uniform(-0.7, 0.7), size * chance.uniform(-0.7, 0.7)],
                  mass=1000 * size**3 * 10**chance.uniform(-1, 1), rotation=make_turn())
        scene.contact(normal={"law": "hunt-crossley", "stiffness": 1e6, "restitution": e}, friction=coulomb(mu) if mu else None)

        def judge(r, e=e):
            kinetic = r.read("energy/kinetic")
            r.true(kinetic[-1] <= kinetic[0] * (1 + 1e-3), f"made {kinetic[-1] / kinetic[0] - 1:.3g} of the energy")
            if e == 1.0:
                r.near(float(r.read("energy/damping")[-1] / kinetic[0]), 0, 1e-6, "part that a damper took, which there is not")
        yield scene.judge(judge)


def list_guides():
    """A body on a guide strikes an inclined face: its normal speed after the blow is e times that before, whatever friction does."""
    chance = random.Random(7)
    for degrees in (10, 25, 33, 40):
        for mu in (0.0, 0.2, 0.5):
            for e in (0.1, 0.7):
                slope, turn = math.radians(degrees), chance.uniform(0, 2 * math.pi)
                scene = make(f"guided ball on {degrees} degrees mu={mu} e={e}", 0.5, "lcp", step=5e-4)
                scene.link("ball", sphere(0.05), "prismatic", mass=1, axis=[0, 0, 1], coordinates=[0.4])
                scene.fixed("face", {"type": "half-space", "normal": [
                    math.sin(slope) * math.cos(turn), math.sin(slope) * math.sin(turn), math.cos(slope)]})
                scene.contact(friction=coulomb(mu) if mu else None, restitution=e)
                drop = 0.4 - 0.05 / math.cos(slope)
                fall = math.sqrt(2 * drop / G)

                def judge(r, e=e, drop=drop, fall=fall):
                    after = r.time > 1.02 * fall
                    r.near(float(r.position("ball")[after][:, 2].max()) - (0.4 - drop), e * e * drop, 0.02 * drop, "first bounce [m]")
                yield scene.judge(judge)


def find_distance(p, d, q, e):
    """Of the segments p + t d and q + u e, |t|, |u| <= 1, by the rectangle's inside and its four sides."""
    best = math.inf
    w = p - q
    a, b, c = d @ d, d @ e, e @ e
    pairs = [((b * (e @ w) - c * (d @ w)) / (a * c - b * b), (a * (e @ w) - b * (d @ w)) / (a * c - b * b))]
    pairs += [(t, (e @ (w + t * d)) / c) for t in (-1, 1)] + [(-(d @ (w - u * e)) / a, u) for u in (-1, 1)]
    for t, u in pairs:
        t, u = max(-1, min(1, t)), max(-1, min(1, u))
        best = min(best, float(numpy.linalg.norm(w + t * d - u * e)))
    return best


def list_pills():
    """A pill on a guide falls on another at any angle, and comes to rest where the two touch."""
    chance = random.Random(21)
    for i in range(30):
        radius, length = 0.03, chance.uniform(0.05, 0.12)
        axes = [numpy.array([chance.gauss(0, 1) for _ in range(3)]) for _ in range(2)]
        axes = [a / numpy.linalg.norm(a) for a in axes]
        turns = [{"axis": [-a[1] + 1e-9, a[0], 0.0], "degrees": math.degrees(math.acos(a[2]))} for a in axes]
        aside = numpy.array([chance.uniform(-0.02, 0.02), chance.uniform(-0.02, 0.02), 0.0])
        scene = make(f"pill {i} on pill", 0.6, "lcp", step=2e-4)
        scene.link("upper", {**capsule(radius, length), "rotation": turns[0]}, "prismatic", mass=1, axis=[0, 0, 1], parent_position=list(aside),
                   coordinates=[0.3])
        scene.fixed("lower", {**capsule(radius, length), "rotation": turns[1]}).contact(restitution=0.1, friction=coulomb(0.3))
        low, high = 0.0, 0.3  # the upper one comes from above: the highest place of touch
        rise = numpy.linspace(high, low, 3001)
        near = [find_distance(aside + [0, 0, z], 0.5 * length * axes[0], numpy.zeros(3), 0.5 * length * axes[1]) for z in rise]
        rest = next(float(z) for z, d in zip(rise, near) if d <= 2 * radius)
        yield scene.judge(lambda r, z=rest: (r.near(float(r.end("upper")[2]), z, 3e-4, "height at rest [m]"), r.rests("upper", 5e-3)))


FAMILIES = (list_pulses, list_gravities, list_blows, list_guides, list_pills)
