"""Everyday scenes on meshes and in holes: terrains, troughs, cups, pegs, rings, drawers, gears; and scenes written in two ways."""

import math

import numpy

from everyday_balls import make
from everyday_scene import G, box, coulomb, cylinder, lying, slope_normal, sphere, turned

REGIONS = (("volume", "adaptive"), ("volume", "explicit"), ("perimeter", "explicit"), ("point", "lcp"))


def write_terrain(height, size=2.0, cells=16, bottom=-0.5):
    """OBJ text of a closed block whose top is z = height(x, y)."""
    n = cells + 1
    axis = [-size / 2 + size * i / cells for i in range(n)]
    lines = [f"v {x!r} {y!r} {height(x, y)!r}" for y in axis for x in axis] + [f"v {x!r} {y!r} {bottom!r}" for y in axis for x in axis]
    top, low = (lambda i, j: 1 + j * n + i), (lambda i, j: 1 + n * n + j * n + i)
    faces = []
    for j in range(cells):
        for i in range(cells):
            a, b, c, d = top(i, j), top(i + 1, j), top(i + 1, j + 1), top(i, j + 1)
            faces += [(a, b, c), (a, c, d)]
            a, b, c, d = low(i, j), low(i + 1, j), low(i + 1, j + 1), low(i, j + 1)
            faces += [(a, c, b), (a, d, c)]
    rim = [(i, 0) for i in range(cells)] + [(cells, j) for j in range(cells)] + [(i, cells) for i in range(cells, 0, -1)] + \
        [(0, j) for j in range(cells, 0, -1)]
    for k, p in enumerate(rim):
        q = rim[(k + 1) % len(rim)]
        faces += [(top(*p), low(*p), low(*q)), (top(*p), low(*q), top(*q))]
    return "\n".join(lines) + "\n" + "\n".join("f %d %d %d" % f for f in faces) + "\n"


BODIES = {"ball": (sphere(0.1), 0.1), "box": (box(0.2, 0.2, 0.2), 0.1), "can": (cylinder(0.1, 0.2), 0.1),
          "log": (lying(cylinder(0.1, 0.3)), 0.1)}


def list_terrains():
    """Flat, sloping and V-shaped meshes: the heights, speeds and ways of the same bodies on planes."""
    for name, (form, half) in BODIES.items():
        for region, method in REGIONS:
            scene = make(f"{name} dropped on flat mesh {region}", 1.0, method, limit=60)
            scene.files["ground.obj"] = write_terrain(lambda x, y: 0.0, cells=10)
            scene.add(name, form, [0.03, 0.02, half + 0.05]).fixed("ground", {"type": "mesh", "file": "ground.obj"})
            scene.contact(region=region, friction=coulomb(0.5), restitution=0.2)
            yield scene.judge(lambda r, n=name, h=half: (r.near(float(r.end(n)[2]), h, 3e-3, "height at rest [m]"),
                                                         r.near(float(numpy.hypot(*(r.end(n)[:2] - [0.03, 0.02]))), 0, 3e-3, "way aside [m]")))
            for degrees, mu in ((12, 0.5), (25, 0.2)):
                a = math.radians(degrees)
                scene = make(f"{name} on sloping mesh {degrees} {region}", 0.5, method, limit=60)
                scene.files["ground.obj"] = write_terrain(lambda x, y, a=a: -x * math.tan(a), cells=10, bottom=-2.0)
                n = slope_normal(degrees)
                scene.add(name, form, [half * c for c in n], rotation=turned((0, 1, 0), degrees))
                scene.fixed("ground", {"type": "mesh", "file": "ground.obj"}).contact(region=region, friction=coulomb(mu))
                k = {"ball": 0.4, "log": 0.5}.get(name)
                slide = G * (math.sin(a) - mu * math.cos(a))
                rate = max(0.0, slide) if k is None else max(slide, G * math.sin(a) / (1 + k))

                def judge(r, name=name, rate=rate):
                    r.near(r.speed(name), 0.5 * rate, 0.04 * 0.5 * rate + 5e-3, "speed after half a second [m/s]")
                yield scene.judge(judge)
    for name in ("ball", "log"):
        for region, method in REGIONS:
            scene = make(f"{name} settles in valley mesh {region}", 2.5, method, limit=60)
            scene.files["ground.obj"] = write_terrain(lambda x, y: 0.5 * abs(x), cells=16)
            scene.add(name, BODIES[name][0], [0.25, 0, 0.125 + 0.1 * math.sqrt(1.25) + 0.01])
            scene.fixed("ground", {"type": "mesh", "file": "ground.obj"}).contact(region=region, friction=coulomb(0.6), restitution=0.1)
            yield scene.judge(lambda r, n=name: (r.near(float(r.end(n)[2]), 0.1 * math.sqrt(1.25), 0.06, "height [m]"), r.above(n, 0.1),
                                                 r.near(float(r.end(n)[1]), 0, 5e-3, "way along the valley [m]")))


def list_holes():
    """A peg falls to the bottom of its hole; a ring falls over its peg; a ball comes to rest in a cup, a socket, a box."""
    for clearance in (1e-3, 2e-4):
        for method in ("adaptive", "explicit"):
            for shape in ("round", "square"):
                scene = make(f"{shape} peg {clearance}", 0.4, method, limit=60)
                radius = 0.02
                peg = cylinder(radius, 0.06) if shape == "round" else box(2 * radius, 2 * radius, 0.06)
                hole = cylinder(radius + clearance, 0.08) if shape == "round" else box(2 * (radius + clearance), 2 * (radius + clearance), 0.08)
                scene.add("peg", peg, [0.3 * clearance, 0, 0.02], mass=0.3)
                scene.fixed("block", {"type": "cell", "part": [{**box(0.12, 0.12, 0.08), "position": [0, 0, -0.04]},
                                                               {**hole, "complement": True}]})
                scene.contact(region="volume", friction=coulomb(0.2), stiffness=1e9)
                yield scene.judge(lambda r: (r.near(float(r.end("peg")[2]), -0.01, 1e-3, "height at rest [m]"), r.rests("peg", 0.01)))
    for region, method in (("volume", "adaptive"), ("perimeter", "explicit"), ("volume", "explicit")):
        scene = make(f"ring falls over peg {region}", 1.0, method, limit=60)
        scene.add("ring", {"type": "torus", "ring_radius": 0.05, "tube_radius": 0.01}, [0.02, 0, 0.25], mass=0.1)
        scene.fixed("peg", cylinder(0.01, 0.2), [0, 0, 0.1]).ground()
        scene.contact(region=region, friction=coulomb(0.2))
        yield scene.judge(lambda r: r.near(float(r.end("ring")[2]), 0.01, 1e-3, "height at rest [m]"))
        scene = make(f"ball in cup {region}", 1.0, method, limit=60)
        scene.add("ball", sphere(0.03), [0.01, 0, 0.1])
        scene.fixed("cup", {"type": "bowl", "radius": 0.05, "thickness": 0.005}, [0, 0, 0.055])
        scene.contact(region=region, friction=coulomb(0.4))
        yield scene.judge(lambda r: (r.above("ball", 0.033), r.true(float(abs(r.end("ball")[:2]).max()) < 0.015, "left the bottom")))
        scene = make(f"ball held in socket {region}", 0.5, method, limit=60)
        scene.add("ball", sphere(0.049), [0, 0, 0], mass=0.5)
        scene.fixed("socket", {"type": "bowl", "radius": 0.05, "thickness": 0.01, "depth": 0.08}, rotation=turned((1, 0, 0), 180))
        scene.contact(region=region)
        # It hangs on the rim of the mouth, 0.04 m wide and 0.03 m below the middle.
        yield scene.judge(lambda r: (r.near(float(r.end("ball")[2]), math.sqrt(0.049**2 - 0.04**2) - 0.03, 2e-4, "height in the socket [m]"),))
    for method in ("adaptive", "lcp"):
        scene = make("balls in a crate of planks", 1.5, method, limit=60)
        planks = [((0.4, 0.4, 0.02), (0, 0, -0.01)), ((0.02, 0.4, 0.2), (-0.21, 0, 0.1)), ((0.02, 0.4, 0.2), (0.21, 0, 0.1)),
                  ((0.4, 0.02, 0.2), (0, -0.21, 0.1)), ((0.4, 0.02, 0.2), (0, 0.21, 0.1))]
        scene.entry("body", {"name": "crate", "fixed": True, "shape": [{**box(*s), "position": list(p)} for s, p in planks]})
        names = [f"b{i}" for i in range(6)]
        for i, name in enumerate(names):
            scene.add(name, sphere(0.05), [0.11 * (i % 3 - 1), 0.06 * (i // 3), 0.06 + 0.11 * (i // 3)], mass=0.5, velocity=[0.3, 0.1, 0])
        scene.contact(friction=coulomb(0.3), restitution=0.3)

        def judge(r, names=names):
            for n in names:
                r.above(n, 0.048)
                r.true(abs(r.position(n)[:, :2]).max() < 0.155, f"{n} went into a wall")
        yield scene.judge(judge)


def list_drawers():
    """A drawer between guides: pulled in the middle it moves with (F - 2 mu N) / m; pulled too far aside it jams."""
    for arm, jams in ((0.0, False), (0.08, False), (0.6, True)):
        for region, method in (("point", "lcp"), ("volume", "adaptive")):
            mu, length, width, force = 0.3, 0.3, 0.2, 20.0
            scene = make(f"drawer pulled {arm} aside {region}", 0.3, method)
            scene.link("drawer", box(length, width, 0.1), "planar", mass=2.0, axis=[0, 0, 1])
            for side, name in ((-1, "left"), (1, "right")):
                scene.fixed(name, box(2, 0.1, 0.1), [0, side * (width / 2 + 0.0502), 0])
            scene.force("drawer", point=[length / 2, arm, 0], force=[force, 0, 0])
            scene.contact(region=region, friction=coulomb(mu), restitution=0.1)
            # Corners press with N = F arm / length each way: it jams where 2 mu N > F.

            def judge(r, arm=arm, jams=jams, mu=mu, length=length, force=force):
                way = float(r.end("drawer")[0])
                free = 0.5 * max(0.0, force - 2 * mu * force * arm / length) / 2.0 * 0.09
                if jams:
                    r.true(way < 5e-3, f"moved {way:.3g} m though jammed")
                else:
                    r.near(way, free, 0.15 * free, "way [m]")
            yield scene.judge(judge)


def write_gear(teeth, root, tip, width):
    """OBJ text of a star-shaped prism with straight teeth."""
    outline = []
    for i in range(teeth):
        for part, radius in ((0.0, root), (0.3, root), (0.42, tip), (0.58, tip), (0.7, root)):
            a = 2 * math.pi * (i + part - 0.5) / teeth
            if part == 0.0:
                continue
            outline.append((radius * math.cos(a), radius * math.sin(a)))
    n = len(outline)
    lines = [f"v {x!r} {y!r} {z!r}" for z in (-width / 2, width / 2) for x, y in outline] + [f"v 0 0 {-width / 2!r}", f"v 0 0 {width / 2!r}"]
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [(1 + i, 1 + j, 1 + n + j), (1 + i, 1 + n + j, 1 + n + i), (2 * n + 1, 1 + j, 1 + i), (2 * n + 2, 1 + n + i, 1 + n + j)]
    return "\n".join(lines) + "\n" + "\n".join("f %d %d %d" % f for f in faces) + "\n"


def list_gears():
    """One wheel turns the other: by its teeth in whole, by friction without slip."""
    for region, method in (("volume", "adaptive"), ("perimeter", "explicit")):
        scene = make(f"gears 12 and 18 {region}", 1.5, method, limit=90)
        for name, teeth, x, keys in (("small", 12, 0.0, {"motion": {"kind": "rate", "rate": 3.0}}), ("large", 18, 0.152, {"damping": 0.02})):
            scene.files[name + ".obj"] = write_gear(teeth, 0.055 * teeth / 12, 0.068 * teeth / 12 if teeth == 12 else 0.0955, 0.02)
            scene.link(name, {"type": "mesh", "file": name + ".obj"}, "revolute", mass=1.0, axis=[0, 0, 1], parent_position=[x, 0, 0],
                       **({"coordinates": [math.pi / 18]} if name == "large" else {}), **keys)
        scene.contact(region=region, restitution=0.1, stiffness={"volume": 1e10, "perimeter": 1e7}.get(region))

        def judge(r):
            turn = numpy.unwrap(numpy.arctan2(r.axis("large", (1, 0, 0))[:, 1], r.axis("large", (1, 0, 0))[:, 0]))
            r.near(float(turn[-1] - turn[0]), -3.0 * 1.5 * 12 / 18, 0.2, "turn of the large wheel [rad]")
        yield scene.judge(judge)
    for region, method in (("volume", "adaptive"), ("point", "adaptive"), ("point", "lcp")):
        scene = make(f"friction wheels {region}", 1.0, method)
        form = (lambda radius: cylinder(radius, 0.02)) if region == "volume" or method == "lcp" else sphere
        scene.link("driver", form(0.05), "revolute", axis=[0, 0, 1], motion={"kind": "rate", "rate": 10.0})
        scene.link("carriage", sphere(1e-3), "prismatic", mass=0.1, axis=[1, 0, 0], motor={"mode": "torque", "value": -30.0})
        scene.link("follower", form(0.1), "revolute", mass=0.5, axis=[0, 0, 1], parent="carriage", parent_position=[0.15, 0, 0])
        scene.contact("driver", "follower", region=region, friction=coulomb(0.5), stiffness={"volume": 1e10}.get(region, 1e7))
        yield scene.judge(lambda r: r.near(float(r.spin("follower")[-1][2]), -5.0, 0.05, "rate of the follower [rad/s]"))


FAMILIES = (list_terrains, list_holes, list_drawers, list_gears)
