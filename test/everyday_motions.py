"""Everyday scenes of strikes, spins, falls and pushes: impulse, friction of spin, work, peaks, tables, and bodies nobody holds."""

import math

import numpy

from everyday_balls import make
from everyday_machines import angle
from everyday_scene import (G, box, bristle, capsule, coulomb, cylinder, lugre, plane, slope_normal, sphere, turned)


def list_thresholds():
    """A crate pushed with a part of mu N: holds below 1, and above it gains (F - mu N) / m, whatever the direction and the form."""
    forms = [("lcp", {"friction": form}) for form in ("regularised", "box", "polygon", "cone")] + [("adaptive", None), ("ncp", None)]
    for method, keys in forms:
        for degrees in (0, 30):
            for part in (0.9, 1.2):
                form = keys["friction"] if keys else ""
                scene = make(f"crate pushed {form} {degrees} with {part}", 1.0, method)
                if keys:
                    scene.head.append("lcp = { friction = \"%s\" }" % form)
                mu, mass = 0.4, 3.0
                a = math.radians(degrees)
                force = part * mu * mass * G
                body = {"type": "superquadric", "semi_axes": [0.2, 0.2, 0.1], "exponent": 4} if method == "ncp" else box(0.4, 0.4, 0.2)
                scene.add("crate", body, [0, 0, 0.1], mass=mass).ground()
                scene.force("crate", point=[0, 0, -0.1], force=[force * math.cos(a), force * math.sin(a), 0])
                scene.contact(friction=coulomb(mu), stiffness=1e7)
                # Boxes on world axes take up to sqrt(2) mu N between them, polygons of eight corners 8 % less than the circle.
                slack = 0.0 if form != "box" or not degrees else math.sqrt(2) - 1

                def judge(r, part=part, a=a, slack=slack, form=form):
                    way = float(r.end("crate")[0] * math.cos(a) + r.end("crate")[1] * math.sin(a))
                    if part < 1:
                        r.true(way < 2e-3, f"crept {way:.3g} m where it should hold")
                    elif not slack:
                        free = 0.5 * (part - 1) * 0.4 * G
                        r.near(way, free, (0.5 if form == "polygon" else 0.05) * free + 1e-3, "way [m]")
                yield scene.judge(judge)
    for law in (coulomb, bristle, lugre):
        for method in ("adaptive", "explicit", "lcp"):
            scene = make(f"friction of four corners steady {law.__name__}", 0.6, method)
            scene.add("crate", box(0.3, 0.3, 0.1), [0, 0, 0.05], mass=2, velocity=[4, 0, 0]).ground().contact(friction=law(0.3), stiffness=1e7)

            def judge(r):
                pull = -r.force("crate", "ground")[(r.time > 0.2) & (r.time < 0.5)][:, 0]
                r.near(float(pull.mean()), 0.3 * 2 * G, 0.06, "mean friction [N]")
                r.true(float(pull.std()) < 0.3, f"friction flickers by {pull.std():.3g} N")
            yield scene.judge(judge)


def list_strikes():
    """A ball strikes a rod at rest off its middle: impulse along the line of the blow, linear and angular."""
    for method in ("adaptive", "adaptive radau", "lcp", "explicit"):
        for arm in (0.0, 0.1, 0.2):
            e, m, mass, length = 0.7, 0.2, 1.0, 0.5
            scene = make(f"ball strikes rod at {arm}", 0.1, method, gravity=(0, 0, 0))
            scene.add("rod", capsule(0.02, length), [0, 0, 0], mass=mass, inertia=[0.02, 0.02, 2e-4])
            scene.add("ball", sphere(0.02), [-0.06, 0, arm], mass=m, velocity=[1, 0, 0]).contact(restitution=e, stiffness=1e9)
            impulse = (1 + e) * 1.0 / (1 / m + 1 / mass + arm**2 / 0.02)
            yield scene.judge(lambda r, p=impulse, arm=arm: (
                r.near(float(r.velocity("rod")[-1][0]), p / 1.0, 0.02 * p, "speed of the rod [m/s]"),
                r.near(float(r.spin("rod")[-1][1]), p * arm / 0.02, 0.02 * p * 10 * arm + 1e-6, "spin of the rod [rad/s]")))
        scene = make("rod falls over", 1.6, method)
        start = 0.05
        scene.link("rod", capsule(0.01, 0.98), "revolute", mass=1, axis=[0, 1, 0], child_position=[0, 0, -0.5], coordinates=[start],
                   parent_position=[0, 0, 0.02], body={"inertia": [1 / 12, 1 / 12, 1e-4]})
        scene.ground().contact("rod", "ground", restitution=0.1, stiffness=1e8)

        def judge(r):
            rate = float(numpy.abs(r.spin("rod")[:, 1]).max())
            r.near(rate, math.sqrt(3 * G * math.cos(0.05)), 0.02 * 5.4, "rate on the ground [rad/s]")
            r.above("rod", 0.005)
        yield scene.judge(judge)
        scene = make("ball rolls off table", 0.9, method)
        scene.add("ball", sphere(0.03), [-0.2, 0, 0.53], velocity=[1.5, 0, 0], angular_velocity=[0, 50, 0])
        scene.fixed("table", box(1, 1, 0.05), [-0.5, 0, 0.475]).ground()
        scene.contact("ball", "table", friction=coulomb(0.5)).contact("ball", "ground", restitution=0.5)
        # From the rim on it falls freely but for the way its half width rounds it.
        fly = math.sqrt(2 * 0.5 / G)
        yield scene.judge(lambda r, fly=fly: r.near(float(numpy.interp(0.2 / 1.5 + fly, r.time, r.position("ball")[:, 0])), 1.5 * fly, 0.03,
                                                    "way of flight [m]"))


def list_spins():
    """Flat ends brake spin with 2/3 mu N R; balls on a point do not; hoops roll with g sin / (1 + k)."""
    for region, method, more in (("volume", "adaptive", {}), ("volume", "adaptive", {"spin": "exact"}), ("volume", "explicit", {}),
                                 ("perimeter", "explicit", {})):
        mu, radius, spin = 0.3, 0.1, 10.0
        scene = make(f"disc spins down {region} {more.get('spin', '')}", 0.4, method)
        scene.add("disc", cylinder(radius, 0.04), [0, 0, 0.02], mass=2, angular_velocity=[0, 0, spin]).ground()
        scene.contact(region=region, friction=coulomb(mu), **more)
        # 1/2 m R^2 dw/dt = -mu m g a, a the mean lever: 2/3 R, or the radius of gyration by which the closure stands for it.
        lever = radius / math.sqrt(2) if region == "volume" and not more else 2 / 3 * radius
        rate = spin - 2 * mu * G * lever / radius**2 * 0.2
        yield scene.judge(lambda r, w=rate: (r.near(float(numpy.interp(0.2, r.time, r.spin("disc")[:, 2])), w, 0.15, "rate at 0.2 s [rad/s]"),
                                             r.near(float(r.spin("disc")[-1][2]), 0, 0.01, "rate at the end [rad/s]")))
    for method in ("adaptive", "lcp", "explicit", "ncp"):
        scene = make("ball spins upright", 1.0, method)
        scene.add("ball", sphere(0.1), [0, 0, 0.1], angular_velocity=[0, 0, 20]).ground().contact(friction=coulomb(0.5))
        yield scene.judge(lambda r: r.near(float(r.spin("ball")[-1][2]), 20, 0.05, "rate [rad/s]"))
    hoop = {"type": "torus", "ring_radius": 0.2, "tube_radius": 0.02}
    for region, method in (("point", "adaptive"), ("point", "lcp"), ("point", "explicit"), ("volume", "adaptive"), ("perimeter", "explicit")):
        n = slope_normal(8)
        scene = make(f"hoop rolls down {region}", 0.8, method, limit=60)
        scene.add("hoop", {**hoop, "rotation": turned((1, 0, 0), 90)}, [0.22 * x for x in n]).fixed("slope", plane(n))
        scene.contact(region=region, friction=coulomb(0.5), restitution=0.9)
        k = (0.2**2 + 0.75 * 0.02**2) / 0.22**2
        gain = G * math.sin(math.radians(8)) / (1 + k)
        yield scene.judge(lambda r, v=0.8 * gain: r.near(r.speed("hoop"), v, (0.03 if r.summary["notes"] == [] else 0.08) * v, "speed [m/s]"))
    for region, method in (("volume", "adaptive"), ("perimeter", "explicit")):
        scene = make(f"clutch {region}", 0.2, method)
        scene.link("drum", cylinder(0.1, 0.05), "revolute", mass=4, axis=[0, 0, 1], velocities=[20.0], body={"inertia": [0.02, 0.02, 0.02]})
        scene.link("plate", cylinder(0.1, 0.02), "prismatic", mass=1, axis=[0, 0, 1], parent_position=[0, 0, 0.0351],
                   motor={"mode": "torque", "value": -50.0 + G})
        scene.contact("plate", "drum", region=region, friction=coulomb(0.4), restitution=0.1)
        lever = (1 / math.sqrt(2) if region == "volume" else 2 / 3) * 0.1
        scene.judge(lambda r, lever=lever: r.near(float(r.spin("drum")[-1][2]), 20 - 0.4 * 50 * lever / 0.02 * 0.195, 0.6, "rate [rad/s]"))
        yield scene


def list_loops():
    """A ball in an upright ring goes round above sqrt(5 g R), and falls off below; on a dome it leaves at cos = 2/3."""
    for method in ("adaptive", "explicit", "lcp"):
        for factor in (1.1, 0.8):
            depth = 0.45
            v = factor * math.sqrt(5 * G * depth)
            scene = make(f"loop {factor}", 1.2, method)
            scene.add("ball", sphere(0.05), [0, 0, -depth], velocity=[v, 0, 0])
            scene.fixed("ring", {"type": "bore", "radius": 0.5, "rotation": turned((1, 0, 0), 90)}).contact(stiffness=1e8, restitution=0.5)

            def judge(r, factor=factor):
                p = r.position("ball")
                least = float(numpy.linalg.norm(p, axis=1).min())
                r.true(least > 0.44 if factor > 1 else least < 0.4, f"nearest to the middle at {least:.4g} m")
                r.true(float(numpy.linalg.norm(p, axis=1).max()) < 0.455, "went into the ring")
            yield scene.judge(judge)
        scene = make("ball leaves dome", 1.6, method)
        scene.add("ball", sphere(0.01), [0.02, 0, math.sqrt(1.01**2 - 0.02**2)], mass=0.1).fixed("dome", sphere(1.0))
        scene.contact(stiffness=1e8, restitution=0.1)

        def judge_dome(r):
            p = r.position("ball")
            presses = numpy.linalg.norm(r.force("ball", "dome"), axis=1) > 0.0
            r.true(bool(presses.any()) and not presses[-1], "never left the dome")
            leaves = p[int(numpy.nonzero(presses)[0][-1])]
            r.near(float(leaves[2]) / float(numpy.linalg.norm(leaves)), 2 / 3, 0.03, "cosine where it leaves")
        yield scene.judge(judge_dome)


def list_vehicles():
    """A cart on four wheels rolls down with g sin m / (m + sum I / r^2); a driven one gains what its motors give."""
    for method in ("adaptive", "lcp", "explicit"):
        a = math.radians(6)
        n = slope_normal(6)
        scene = make("cart rolls down", 1.0, method, limit=60)
        scene.add("cart", box(0.5, 0.2, 0.05), [0.12 * x for x in n], mass=8, rotation=turned((0, 1, 0), 6)).fixed("slope", plane(n))
        for i, (x, y) in enumerate(((0.2, 0.14), (0.2, -0.14), (-0.2, 0.14), (-0.2, -0.14))):
            scene.link(f"wheel-{i}", sphere(0.1), "revolute", mass=1, parent="cart", axis=[0, 1, 0], parent_position=[x, y, -0.02])
        scene.contact("wheel-*", "slope", friction=coulomb(0.8), stiffness=1e7)
        gain = G * math.sin(a) * 12 / (12 + 4 * 0.4)
        yield scene.judge(lambda r, v=gain: r.near(r.speed("cart"), v, 0.02 * v, "speed after 1 s [m/s]"))
        scene = make("driven cart", 1.0, method, limit=60)
        scene.add("cart", box(0.5, 0.2, 0.05), [0, 0, 0.12], mass=8).ground()
        for i, (x, y) in enumerate(((0.2, 0.14), (0.2, -0.14), (-0.2, 0.14), (-0.2, -0.14))):
            scene.link(f"wheel-{i}", sphere(0.1), "revolute", mass=1, parent="cart", axis=[0, 1, 0], parent_position=[x, y, -0.02],
                       motor={"mode": "torque", "value": 0.5})
        scene.contact("wheel-*", "ground", friction=coulomb(0.8), stiffness=1e7)
        yield scene.judge(lambda r: r.near(float(r.velocity("cart")[-1][0]), 4 * 0.5 / 0.1 / (12 + 4 * 0.4), 0.03, "speed after 1 s [m/s]"))
        scene = make("flywheel brakes", 2.0, method, gravity=(0, 0, 0))
        scene.link("wheel", cylinder(0.1, 0.02), "revolute", mass=2, axis=[0, 0, 1], velocities=[10.0], friction={"coulomb": 0.1})
        turn = 0.5 * 0.01 * 100 / 0.1
        yield scene.judge(lambda r, q=turn: (r.near(float(angle(r, "wheel")[-1] - angle(r, "wheel")[0]), q, 0.02 * q, "turn to rest [rad]"),
                                             r.near(float(r.spin("wheel")[-1][2]), 0, 1e-6, "rate at rest")))


def list_records():
    """What a run says of itself: the peak of a blow, tables that stay within their entries, bodies that count twice or pass through."""
    for method in ("adaptive", "adaptive radau", "explicit"):
        scene = make("peak of a hertzian blow", 0.35, method, **({"step": 1e-5} if method == "explicit" else {}))
        scene.add("ball", sphere(0.1), [0, 0, 0.6], mass=2).ground().contact(normal={"law": "hertz", "stiffness": 1e8})
        v = math.sqrt(2 * G * 0.5)
        depth = (1.25 * 2 * v * v / 1e8)**0.4
        for _ in range(20):  # m v^2 / 2 + m g d = 2/5 k d^2.5
            depth = (2.5 / 1e8 * (v * v + 2 * G * depth))**0.4
        yield scene.judge(lambda r, f=1e8 * depth**1.5: r.near(r.summary["contacts"][0]["peak_force"], f, 2e-3 * f, "peak [N]"))
        scene = make("table stays within", 2.0, method)
        scene.link("slide", sphere(0.1), "prismatic", axis=[1, 0, 0], mass=1,
                   motion={"kind": "table", "time": [0, 0.5, 1.0, 1.5, 2.0], "value": [0, 0, 1, 1, 0]})
        yield scene.judge(lambda r: (r.true(float(r.position("slide")[:, 0].min()) > -1e-9, "swings out below"),
                                     r.true(float(r.position("slide")[:, 0].max()) < 1 + 1e-9, "swings out above")))
        scene = make("two balls that nothing covers", 1.0, method, gravity=(0, 0, 0))
        scene.add("a", sphere(0.1), [-0.5, 0, 0], velocity=[1, 0, 0]).add("b", sphere(0.1), [0, 0, 0])
        scene.fixed("wall", plane((-1, 0, 0), -3.0)).contact("a", "wall")
        yield scene.judge(lambda r: r.true(any("'a'" in n or "a-b" in n or " a " in n for n in r.summary["notes"]), "no word of a pair that passes"))
    scene = make("shapes that overlap", 0.1)
    scene.entry("body", {"name": "two", "density": 1000, "position": [0, 0, 1], "shape": [sphere(0.1), {**sphere(0.1), "position": [0.05, 0, 0]}]})
    scene.ground().contact()
    yield scene.judge(lambda r: r.true(any("overlap" in n or "twice" in n for n in r.summary["notes"]), "mass counted twice without a word"))


def list_corners():
    """Boxes that fall on edges and corners lose energy and come to lie flat."""
    for region, method in (("point", "adaptive"), ("point", "lcp"), ("volume", "adaptive"), ("perimeter", "explicit"), ("point", "explicit")):
        for axis, degrees in (((0, 1, 0), 44), ((1, 2, 0.5), 54), ((1, 0, 0), 1e-4), ((1, 1, 0), 3)):
            for form, name, heights in ((box(0.2, 0.14, 0.1), "box", (0.05, 0.07, 0.1)), (cylinder(0.06, 0.1), "can", (0.05, 0.06))):
                scene = make(f"{name} falls on its edge {axis} {degrees} {region}", 2.0, method, limit=60)
                scene.add(name, form, [0, 0, 0.3], rotation=turned(axis, degrees)).ground()
                scene.contact(region=region, friction=coulomb(0.5), restitution=0.3)

                def judge(r, name=name, heights=heights):
                    z = float(r.end(name)[2])
                    r.true(min(abs(z - h) for h in heights) < 2e-3 or r.speed(name) > 0.02, f"rests at {z:.5g} m")
                    r.above(name, min(heights) - 4e-3)
                yield scene.judge(judge)


FAMILIES = (list_thresholds, list_strikes, list_spins, list_loops, list_vehicles, list_records, list_corners)
