"""Everyday scenes of balls, crates and rollers on level and sloping ground: heights, ways, thresholds and rates."""

import itertools
import math

import numpy

from everyday_scene import G, Scene, box, bristle, capsule, coulomb, cylinder, lugre, lying, plane, slope_normal, sphere, turned

FIXED = {"explicit": 1e-4, "lcp": 1e-3, "ncp": 1e-3}
FRICTIONS = {"coulomb": coulomb, "bristle": bristle, "lugre": lugre}


def make(name, duration, method="adaptive", **more):
    """`method` may name an integrator too: "adaptive radau"."""
    method, _, integrator = method.partition(" ")
    more.setdefault("step", FIXED.get(method))
    if integrator:
        more["integrator"] = integrator
    return Scene(f"{name} {method} {integrator}".strip(), duration, method, **more)


def list_bounces():
    """Height after the first bounce is e^2 h, at any scale: stiffness by the material."""
    for size, density, young, height in ((1e-3, 2500, 1e9, 0.02), (0.02, 7800, 2e9, 0.5), (0.1, 1000, 1e7, 1.0),
                                         (10.0, 2000, 1e9, 40.0)):
        for law in ("gonthier", "kelvin-voigt", "lee-wang", "azad-featherstone"):
            for e in (0.9, 0.4):
                fall = math.sqrt(2 * height / G)
                scene = make(f"bounce r={size} {law} e={e}", 2.2 * fall)
                scene.add("ball", sphere(size), [0, 0, size + height], mass=None, density=density).ground()
                normal = {"law": law, "young": young, "poisson": 0.3, "restitution": e}
                if law == "kelvin-voigt":
                    mass = density * 4 / 3 * math.pi * size**3
                    normal = {"law": law, "stiffness": mass * (50 * math.pi / fall)**2, "restitution": e}

                def judge(r, e=e, height=height, size=size, fall=fall):
                    z, t = r.position("ball")[:, 2] - size, r.time
                    after = z[t > 1.05 * fall].max()
                    wanted = e * e * height
                    # Apex of the first bounce, unless the run ends before it: e < 1 comes down sooner.
                    r.near(after, wanted, 0.03 * height, "height of the first bounce [m]")
                yield scene.contact(normal=normal).judge(judge)
    for method in ("adaptive rk", "adaptive radau", "adaptive bdf", "adaptive adams", "explicit", "explicit semi-implicit-euler",
                   "explicit heun", "explicit rk3", "explicit rk5", "lcp"):
        scene = make("bounce by", 0.9, method)
        scene.add("ball", sphere(0.1), [0, 0, 1.1], mass=2).ground().contact(restitution=0.5, stiffness=1e6)
        yield scene.judge(lambda r: r.near(r.position("ball")[r.time > 0.5][:, 2].max() - 0.1, 0.25, 0.02, "first bounce [m]"))
    for speed in (100.0, 1000.0):
        for method in ("adaptive", "lcp", "explicit"):
            step = 1e-6 if method == "explicit" else None
            scene = make(f"ball of {speed} m/s on a wall", 0.02, method, gravity=(0, 0, 0), **({"step": step} if step else {}))
            scene.add("ball", sphere(0.05), [-0.05 - 0.01 * speed, 0, 0], mass=0.5, velocity=[speed, 0, 0])
            scene.fixed("wall", plane((-1, 0, 0)))
            scene.contact(stiffness=1e9, restitution=0.6)
            yield scene.judge(lambda r, v=speed: r.near(r.velocity("ball")[-1][0] / v, -0.6, 0.03, "rebound over impact"))


def list_slides():
    """A crate stops after v^2 / (2 mu g); on a slope it holds below mu and goes g (sin - mu cos) above."""
    shapes = {"box": (box(0.2, 0.2, 0.1), 0.05), "can": (cylinder(0.1, 0.1), 0.05)}
    for region, methods in (("point", ("adaptive", "explicit", "lcp")), ("volume", ("adaptive",)), ("perimeter", ("explicit",))):
        for (shape, (form, half)), (name, law) in itertools.product(shapes.items(), FRICTIONS.items()):
            if (region, name) not in (("volume", "lugre"), ("perimeter", "bristle")):  # which are refused, in words
                for method in methods:
                    mu, v = 0.3, 1.5
                    scene = make(f"{shape} slides {region} {name}", 1.0, method)
                    scene.add("crate", form, [0, 0, half], mass=2, velocity=[v, 0, 0]).ground()
                    scene.contact(region=region, friction=law(mu))
                    yield scene.judge(lambda r: r.near(r.end("crate")[0], 1.5**2 / (2 * 0.3 * G), 0.02, "way [m]"),
                                      lambda r: r.rests("crate"))
                    for degrees, mu in ((15, 0.35), (20, 0.25)):
                        n = slope_normal(degrees)
                        scene = make(f"{shape} on slope {degrees} {region} {name}", 1.0, method)
                        scene.add("crate", form, [half * x for x in n], mass=2, rotation=turned((0, 1, 0), degrees))
                        scene.fixed("slope", plane(n)).contact(region=region, friction=law(mu))

                        def judge(r, degrees=degrees, mu=mu, half=half, n=n):
                            a = math.radians(degrees)
                            way = float(numpy.linalg.norm(r.end("crate") - half * numpy.array(n)))
                            free = max(0.0, G * (math.sin(a) - mu * math.cos(a)))
                            if free:
                                r.near(way, 0.5 * free, 0.04 * 0.5 * free + 1e-3, "way down [m]")
                            else:
                                r.true(way < 2e-3, f"crept {way:.3g} m where it should hold")
                        yield scene.judge(judge)
    for size, mass, stiffness in ((0.005, 1e-3, 1e5), (4.0, 6e4, 1e9)):
        for method in ("adaptive", "lcp"):
            v = 10 * math.sqrt(size * 0.1)
            scene = make(f"crate of {size} m slides", 2 * v / (0.3 * G), method)
            scene.add("crate", box(size, size, size / 2), [0, 0, size / 4], mass=mass, velocity=[v, 0, 0]).ground()
            scene.contact(stiffness=stiffness, friction=coulomb(0.3))
            way = v * v / (0.6 * G)
            yield scene.judge(lambda r, way=way: r.near(r.end("crate")[0], way, 0.02 * way, "way [m]"))


def list_rollers():
    """Sliding becomes rolling: a body of inertia k m r^2 keeps 1 / (1 + k) of its speed; down a slope it gains g sin / (1 + k)."""
    shapes = {"ball": (sphere(0.1), 0.4), "log": (lying(cylinder(0.1, 0.4)), 0.5), "pill": (lying(capsule(0.1, 0.4)), None)}
    for name, (form, k) in shapes.items():
        if k is None:  # m k r^2: the cylinder has 1/2, the ball 2/5, by volume
            tube, ball = math.pi * 0.01 * 0.4, 4 / 3 * math.pi * 1e-3
            k = (0.5 * tube + 0.4 * ball) / (tube + ball)
        for region, methods in (("point", ("adaptive", "adaptive radau", "explicit", "lcp")), ("volume", ("adaptive",)),
                                ("perimeter", ("explicit",))):
            for method in methods:
                if region == "perimeter" and name != "ball":
                    continue
                v, mu = 2.0, 0.4
                scene = make(f"{name} slides then rolls {region}", 1.0, method)
                scene.add(name, form, [0, 0, 0.1], velocity=[v, 0, 0]).ground()
                # Volumes lose (1 - e^2) of what their front presses in: rolling resists, by a hundredth of the load at 0.3.
                scene.contact(region=region, friction=coulomb(mu), restitution=0.9)
                tolerance = 0.02 if region == "point" else 0.06
                yield scene.judge(lambda r, name=name, k=k, tolerance=tolerance: (
                    r.near(r.velocity(name)[-1][0], 2.0 / (1 + k), tolerance * 2, "speed of rolling [m/s]"),
                    r.near(r.spin(name)[-1][1] * 0.1, r.velocity(name)[-1][0], 0.04, "rim and path [m/s]")))
                n = slope_normal(10)
                scene = make(f"{name} rolls down {region}", 1.0, method)
                scene.add(name, form, [0.1 * x for x in n]).fixed("slope", plane(n))
                scene.contact(region=region, friction=coulomb(mu))
                gain = G * math.sin(math.radians(10)) / (1 + k)
                yield scene.judge(lambda r, name=name, gain=gain, t=tolerance: (
                    r.near(r.speed(name), gain, t * gain + 2e-3, "speed after 1 s [m/s]")))


def list_billiards():
    """Central, glancing and three-ball shots: momentum, and the closing speed times e along the line of centres."""
    for method in ("adaptive", "adaptive radau", "explicit", "lcp", "ncp"):
        for offset in (0.0, 0.03, 0.055):
            for masses in ((1, 1), (1, 20), (0.01, 5)):
                e = 0.8 if method != "ncp" else 0.01
                scene = make(f"shot b={offset} m={masses}", 0.5, method, gravity=(0, 0, 0))
                scene.add("cue", sphere(0.03), [-0.2, offset, 0], mass=masses[0], velocity=[2, 0, 0])
                scene.add("ball", sphere(0.03), [0, 0, 0], mass=masses[1])
                scene.contact(restitution=e, stiffness=1e10)  # stiff: the line of centres turns while they touch

                def judge(r, masses=masses, offset=offset, e=e, adaptive="adaptive" in method):
                    p = masses[0] * r.velocity("cue")[-1] + masses[1] * r.velocity("ball")[-1]
                    r.near(float(numpy.linalg.norm(p - [2 * masses[0], 0, 0])), 0, 1e-5 * masses[0], "momentum [N s]")
                    # Along the line of the blow: fixed steps take it up to a step early.
                    n = r.velocity("ball")[-1] / r.speed("ball")
                    r.near(n[1], -offset / 0.06, 1e-3 if adaptive else 0.1, "line of the blow")
                    part = (r.velocity("ball")[-1] - r.velocity("cue")[-1]) @ n / (2 * n[0])
                    r.near(part, e, 0.05, "restitution")
                yield scene.judge(judge)
    for number in (3, 6):
        for method in ("adaptive", "lcp"):
            scene = make(f"row of {number} balls with gaps", 1.5, method, gravity=(0, 0, 0))
            for i in range(number):
                scene.add(f"b{i}", sphere(0.05), [0.12 * i, 0, 0], velocity=[1.0 if i == 0 else 0.0, 0, 0])
            scene.contact(restitution=1.0, stiffness=1e7)
            yield scene.judge(lambda r, n=number: (r.near(r.velocity(f"b{n - 1}")[-1][0], 1.0, 0.01, "speed of the last"),
                                                   r.near(r.velocity("b0")[-1][0], 0.0, 0.01, "speed of the first")))
    for method in ("adaptive", "adaptive radau", "explicit", "lcp"):
        scene = make("closed room", 10.0, method, gravity=(0, 0, 0))
        for i, (p, v) in enumerate((((0.2, 0.1, 0), (3, 1, 2)), ((-0.3, 0.2, 0.1), (-1, 2, 0.5)), ((0, -0.3, -0.2), (0.5, -1, -2)))):
            scene.add(f"b{i}", sphere(0.06), p, velocity=v)
        for i, n in enumerate(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))):
            scene.fixed(f"wall-{i}", plane(n, -0.5))
        scene.contact(restitution=1.0, stiffness=1e7)

        def judge(r):
            kinetic = sum(0.5 * (r.velocity(f"b{i}")[-1]**2).sum() for i in range(3))
            start = 0.5 * (14 + 5.25 + 5.25)
            r.near(kinetic / start, 1.0, 0.01, "kinetic energy over that of the start")
            for i in range(3):
                r.true(abs(r.position(f"b{i}")).max() < 0.45, f"b{i} left the room")
        yield scene.judge(judge)


def list_bowls():
    """A ball at the bottom of a round hollow swings with 2 pi sqrt((1 + k) (R - r) / g)."""
    hollows = {"bowl": {"type": "bowl", "radius": 0.5, "thickness": 0.02}, "cavity": {"type": "cavity", "radius": 0.5},
               "bore": {"type": "bore", "radius": 0.5, "rotation": turned((1, 0, 0), 90)},
               "dish": {"type": "bowl", "radius": 0.5, "thickness": 0.02, "depth": 0.2}}
    for name, form in hollows.items():
        for region, method in (("point", "adaptive"), ("point", "explicit"), ("point", "lcp"), ("volume", "adaptive")):
            for mu in (0.0, 0.6):
                r_ball, angle = 0.05, 0.1
                period = 2 * math.pi * math.sqrt((1 + (0.4 if mu else 0)) * (0.5 - r_ball) / G)
                scene = make(f"ball swings in {name} {region} mu={mu}", 2.0 * period, method)
                scene.add("ball", sphere(r_ball), [0.45 * math.sin(angle), 0, -0.45 * math.cos(angle)])
                scene.fixed(name, form).contact(region=region, friction=coulomb(mu) if mu else None, stiffness=None if region == "volume" else 1e7)

                def judge(r, period=period):
                    x = r.position("ball")[:, 0]
                    t = r.time
                    down = [t[i] + (t[i + 1] - t[i]) * x[i] / (x[i] - x[i + 1]) for i in range(len(x) - 1) if x[i] > 0 >= x[i + 1]]
                    r.true(len(down) == 2, f"{len(down)} swings instead of 2")
                    r.near(down[1] - down[0], period, 0.02 * period, "period [s]")
                    r.near(float(numpy.abs(x).max()), 0.45 * math.sin(0.1), 2e-3, "swing [m]")
                yield scene.judge(judge)


FAMILIES = (list_bounces, list_slides, list_rollers, list_billiards, list_bowls)
