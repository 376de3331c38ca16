"""Everyday scenes of flat bodies: dominoes, walls, pyramids, arches, cards, wedges, ladders, tipping, seams and edges."""

import math

import numpy

from everyday_balls import make
from everyday_scene import G, box, capsule, coulomb, cylinder, lying, polyhedron, sphere, turned


def list_dominoes():
    """The first is pushed over; each takes the next along, and none sinks."""
    for region, method, number in (("point", "lcp", 5), ("point", "lcp", 20), ("volume", "adaptive", 4), ("perimeter", "explicit", 4),
                                   ("volume", "explicit", 4)):
        for ground in ("half-space", "box"):
            for mu in (0.2, 0.5):
                scene = make(f"{number} dominoes {region} on {ground} mu={mu}", 1.0 + 0.06 * number, method, limit=60)
                for i in range(number):
                    spin = {"angular_velocity": [0, 5, 0], "velocity": [5 * 0.025, 0, 5 * 0.004]} if i == 0 else {}
                    scene.add(f"d{i}", box(0.008, 0.024, 0.05), [0.025 * i, 0, 0.025], mass=0.01, **spin)
                if ground == "box":
                    scene.fixed("ground", box(2, 1, 0.1), [0, 0, -0.05])
                else:
                    scene.ground()
                scene.contact(region=region, friction=coulomb(mu), restitution=0.2, stiffness={"volume": 1e8, "perimeter": 1e5}.get(region))

                def judge(r, number=number):
                    for i in range(number):
                        up = abs(float(r.axis(f"d{i}")[-1][2]))
                        r.true(up < 0.9, f"domino {i} stands: {up:.3g}")
                        r.above(f"d{i}", 0.003)
                        r.true(abs(r.end(f"d{i}")[1]) < 5e-3, f"domino {i} moved aside by {r.end(f'd{i}')[1]:.3g} m")
                yield scene.judge(judge)


def settle(scene, names, way):
    """All these stay where they were put."""
    return scene.judge(*[lambda r, n=n: r.stays(n, way) for n in names])


def list_walls():
    """Stacks, pyramids, walls of boxes, cans and balls stand where they were built."""
    for size, mass, step in ((0.01, 1e-3, 1e-3), (0.2, 8.0, 1e-3), (10.0, 2e6, 4e-3)):
        for rows in (3, 6):
            scene = make(f"pyramid of boxes {size} m {rows} rows", 2.0, "lcp", step=step)
            names = []
            for k in range(rows):
                for i in range(rows - k):
                    names.append(f"p{k}-{i}")
                    scene.add(names[-1], box(size, size, size), [(i + 0.5 * k) * 1.02 * size, 0, (k + 0.5) * size], mass=mass)
            scene.ground().contact(friction=coulomb(0.5))
            yield settle(scene, names, 1e-4 * size)
    for form, name, high in ((box(0.1, 0.08, 0.05), "bricks", 0.05), (cylinder(0.05, 0.06), "cans", 0.06)):
        for region, method, number in (("point", "lcp", 8), ("volume", "adaptive", 3), ("perimeter", "explicit", 3),
                                       ("volume", "explicit", 3)):
            scene = make(f"stack of {number} {name} {region}", 2.0 if method == "lcp" else 0.5, method)
            names = [f"s{i}" for i in range(number)]
            for i, body in enumerate(names):
                scene.add(body, form, [0.003 * (i % 2), 0, high * (i + 0.5)])
            scene.ground().contact(region=region, friction=coulomb(0.5))
            yield settle(scene, names, 1e-5 if method == "lcp" else 1e-3).judge(lambda r, n=names[-1]: r.rests(n))
    for method in ("adaptive", "lcp", "explicit"):
        scene = make("pyramid of four balls", 1.0, method)
        for i in range(3):
            a = 2 * math.pi * i / 3
            scene.add(f"b{i}", sphere(0.1), [0.2 / math.sqrt(3) * math.cos(a), 0.2 / math.sqrt(3) * math.sin(a), 0.1])
        scene.add("top", sphere(0.1), [0, 0, 0.1 + 0.2 * math.sqrt(2 / 3)]).ground().contact(friction=coulomb(0.5), stiffness=1e7)
        yield settle(scene, ["top", "b0", "b1", "b2"], 1e-3)
    for mu, stands in ((0.4, True), (0.05, False)):
        for method in ("lcp", "adaptive"):
            scene = make(f"three logs mu={mu}", 1.0, method)
            for name, x, z in (("l", -0.1, 0.1), ("r", 0.1, 0.1), ("t", 0, 0.1 + 0.1 * math.sqrt(3))):
                scene.add(name, lying(cylinder(0.1, 0.5)), [x, 0, z])
            scene.ground().contact(region="volume" if method == "adaptive" else "point", friction=coulomb(mu))
            # The upper log holds where mu > tan(15 degrees) = 0.268 at the logs and a third of that at the ground.
            yield scene.judge(lambda r, stands=stands: (
                r.true((float(r.end("t")[2]) > 0.26) == stands, f"upper log at {float(r.end('t')[2]):.4g} m"),
                r.near(float(r.end("l")[0] + r.end("r")[0]), 0, 1e-4 if stands else 1e-2, "symmetry [m]")))


def list_arches():
    """Voussoirs between planes through the centre stand under their weight when thick enough, at any friction above the lean."""
    for number, thick, region, method in ((5, 0.3, "point", "lcp"), (7, 0.25, "point", "lcp"), (9, 0.25, "point", "lcp"), (5, 0.3, "volume", "adaptive"),
                                          (5, 0.3, "perimeter", "explicit")):
        scene = make(f"arch of {number} stones {region}", 1.0, method, limit=60)
        for i in range(number):
            a0, a1 = math.pi * i / number, math.pi * (i + 1) / number
            middle = (a0 + a1) / 2
            c = numpy.array([(1 + thick / 2) * math.cos(middle), 0, (1 + thick / 2) * math.sin(middle)])
            corners = [[k * math.cos(a) - c[0], y, k * math.sin(a) - c[2]] for a in (a0, a1) for k in (1.0, 1.0 + thick) for y in (-0.2, 0.2)]
            scene.add(f"v{i}", polyhedron(corners), list(c), mass=None, density=2000)
        scene.ground().contact(region=region, friction=coulomb(0.7), stiffness={"volume": 1e9, "perimeter": 1e8}.get(region))
        yield settle(scene, [f"v{i}" for i in range(number)], 1e-4 if method == "lcp" else 3e-3)


def list_cards():
    """Two cards that lean on each other by the angle a hold where mu > tan(a) / 2 at the feet."""
    for degrees, mu in ((15, 0.2), (15, 0.08), (30, 0.4), (30, 0.2)):
        for step in (1e-3, 2e-3):
            a = math.radians(degrees)
            scene = make(f"cards lean {degrees} mu={mu} h={step}", 1.0, "lcp", step=step)
            for side, name in ((-1, "left"), (1, "right")):
                # The upper inner edges meet at x = 0.
                x = side * (0.044 * math.sin(a) + 0.0005 * math.cos(a))
                z = 0.044 * math.cos(a) + 0.0005 * math.sin(a)
                scene.add(name, box(0.001, 0.063, 0.088), [x, 0, z], mass=0.002, rotation=turned((0, 1, 0), -side * degrees))
            scene.ground().contact(friction=coulomb(mu))
            stands = mu > math.tan(a) / 2
            yield scene.judge(lambda r, s=stands: (
                r.true((float(r.end("left")[2]) > 0.03) == s, f"card at {float(r.end('left')[2]):.4g} m, should {'stand' if s else 'fall'}"),
                r.above("left", 4e-4), r.near(float(r.end("left")[0] + r.end("right")[0]), 0, 1e-3 if s else 0.03, "symmetry [m]")))


def list_wedges():
    """A wedge between two blocks drives them apart where its weight beats their friction."""
    for degrees, mu, heavy in ((20, 0.1, 2.0), (20, 0.5, 2.0), (45, 0.1, 2.0), (45, 0.5, 1.0)):
        for region, method in (("point", "lcp"), ("volume", "adaptive"), ("perimeter", "explicit")):
            a = math.radians(degrees)
            scene = make(f"wedge {degrees} mu={mu} m={heavy} {region}", 0.4, method)
            deep = 0.2
            tip = [[x, y, z] for y in (-0.05, 0.05) for x, z in ((-deep * math.tan(a), deep), (deep * math.tan(a), deep), (0, 0))]
            middle = 2 * deep / 3
            scene.add("wedge", polyhedron([[x, y, z - middle] for x, y, z in tip]), [0, 0, 0.1 + middle], mass=heavy)
            for side, name in ((-1, "left"), (1, "right")):
                # Blocks whose inner upper part is cut at the angle of the wedge, so that faces meet.
                face = [[side * x, y, z] for y in (-0.05, 0.05) for x, z in ((0.002, 0), (0.3, 0), (0.3, 0.2),
                                                                       (0.1 * math.tan(a), 0.2), (0.0, 0.1))]
                c = numpy.mean(face, axis=0)
                scene.add(name, polyhedron([[float(u) for u in numpy.array(p) - c] for p in face]), [float(u) for u in c], mass=1.0)
            scene.ground().contact(region=region, friction=coulomb(mu), restitution=0.1)
            # Pressed by N on each face: 2 N (sin a + mu cos a) = W; the block moves where N (cos a - mu sin a) > mu (g + W / 2).
            weight = heavy * G
            normal = weight / (2 * (math.sin(a) + mu * math.cos(a)))
            moves = normal * (math.cos(a) - mu * math.sin(a)) > mu * (G + weight / 2)
            apart = abs(normal * (math.cos(a) - mu * math.sin(a)) / (mu * (G + weight / 2)) - 1)

            def judge(r, moves=moves, apart=apart, x0=float(c[0])):
                way = float(r.end("right")[0] - r.position("right")[0][0])
                r.near(float(r.end("right")[0] + r.end("left")[0]), 0, 2e-3, "symmetry [m]")
                if apart > 0.2:
                    r.true((way > 5e-3) == moves, f"the block moved {way:.4g} m, should {'move' if moves else 'stay'}")
            yield scene.judge(judge)


def list_tipping():
    """A push at height h tips a tall box where F > m g b / (2 h), and shoves it where F > mu m g."""
    for height, force, mu, answer in ((0.35, 10.0, 0.8, "stays"), (0.35, 16.0, 0.8, "tips"), (0.05, 50.0, 0.3, "slides"), (0.05, 10.0, 0.3, "stays")):
        for region, method in (("point", "lcp"), ("point", "adaptive"), ("point", "explicit"), ("volume", "adaptive"), ("perimeter", "explicit")):
            scene = make(f"push {force} N at {height} {region}", 0.8, method)
            scene.add("box", box(0.2, 0.2, 0.4), [0, 0, 0.2], mass=5.0).ground()
            scene.force("box", point=[0, 0, height - 0.2], force=[force, 0, 0])
            scene.contact(region=region, friction=coulomb(mu), stiffness={"point": 1e7}.get(region))

            def judge(r, answer=answer):
                lean, way = math.acos(min(1, float(r.axis("box")[-1][2]))), float(r.end("box")[0])
                got = "tips" if lean > 0.05 else "slides" if way > 0.01 else "stays"
                r.true(got == answer, f"{got} ({lean:.3g} rad, {way:.3g} m) where it {answer}")
            yield scene.judge(judge)
    for over in (0.09, 0.11):
        for region, method in (("point", "lcp"), ("volume", "adaptive"), ("perimeter", "explicit")):
            scene = make(f"plank {over} over the edge {region}", 0.7, method)
            scene.add("plank", box(0.2, 0.05, 0.02), [over - 0.1, 0, 0.01], mass=0.5)
            scene.fixed("table", box(1, 1, 0.1), [-0.5, 0, -0.05]).contact(region=region, friction=coulomb(0.5))
            yield scene.judge(lambda r, over=over: (r.stays("plank", 1e-3) if over < 0.1 else
                                                    r.true(float(r.end("plank")[2]) < -0.02, f"hangs at {float(r.end('plank')[2]):.4g} m")))


def list_seams():
    """What slides or rolls over the seams of a floor of boxes goes on as on a whole one; off its end it falls freely."""
    for form, name, half in ((box(0.1, 0.1, 0.1), "box", 0.05), (cylinder(0.05, 0.1), "can", 0.05), (sphere(0.05), "ball", 0.05),
                             (lying(cylinder(0.05, 0.2)), "log", 0.05), (lying(capsule(0.05, 0.2)), "pill", 0.05)):
        for region, method in (("point", "lcp"), ("volume", "adaptive"), ("perimeter", "explicit"), ("volume", "explicit")):
            scene = make(f"{name} over seams {region}", 0.8, method)
            scene.add(name, form, [0.1, 0, half], velocity=[1.0, 0, 0])
            for i in range(5):
                scene.fixed(f"tile-{i}", box(0.2, 1, 0.1), [0.1 + 0.2 * i, 0, -0.05])
            scene.contact(region=region, friction=coulomb(0.05) if name in ("box", "can") else None)
            speed = 1.0 - 0.05 * G * 0.8 if name in ("box", "can") else 1.0
            yield scene.judge(lambda r, n=name, v=speed, half=half: (r.near(r.velocity(n)[-1][0], v, 0.03, "speed [m/s]"),
                                                          r.near(float(abs(r.position(n)[:, 2] - half).max()), 0, 3e-3, "jumps by [m]")))


def list_pins():
    """A ball strikes pins: momentum along its way is what it brought, less what the floor took."""
    for method, region in (("lcp", "point"), ("adaptive", "volume")):
        scene = make(f"bowling {region}", 0.6, method, limit=60)
        scene.add("ball", sphere(0.11), [-0.5, 0, 0.11], mass=6, velocity=[4, 0, 0], angular_velocity=[0, 4 / 0.11, 0])
        pins = []
        for row in range(3):
            for i in range(row + 1):
                pins.append(f"pin{row}{i}")
                scene.add(pins[-1], cylinder(0.05, 0.38), [0.26 * row, 0.3 * (i - row / 2), 0.19], mass=1.5)
        scene.ground().contact(region=region, friction=coulomb(0.2), restitution=0.4)

        def judge(r, pins=pins):
            r.true(float(r.axis("pin00")[-1][2]) < 0.95 or float(r.end("pin00")[0]) > 0.05, "the head pin stands")
            r.near(float(r.end("ball")[1]), 0, 1e-3, "way aside [m]")
            r.near(float(r.end("pin10")[1] + r.end("pin11")[1]), 0, 5e-3, "symmetry of the second row [m]")
            for p in pins:
                r.above(p, 0.04)
        yield scene.judge(judge)


FAMILIES = (list_dominoes, list_walls, list_arches, list_cards, list_wedges, list_tipping, list_seams, list_pins)
