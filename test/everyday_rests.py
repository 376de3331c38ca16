"""Everyday scenes of bodies that stand on, lean against and lie in each other: loads, heights, and who falls."""

import math

from everyday_balls import make
from everyday_scene import G, box, coulomb, cylinder, plane, sphere, turned
from everyday_volumes import cut, hole

REGIONS = (("volume", "adaptive"), ("volume", "explicit"), ("perimeter", "explicit"), ("point", "lcp"))


def carries(r, ground, bodies, weight, part=0.05):
    """The ground carries so many newtons of these bodies, within a part of them."""
    r.near(sum(float(r.force(body, ground, last=0.05)[2]) for body in bodies), weight, part * weight, f"load on '{ground}' [N]")


def list_leaning():
    """A ladder holds where tan(lean) > (1 - mu^2) / (2 mu); books hold up one that leans."""
    for region, method in REGIONS:
        for mu in (0.6, 0.2):
            a = math.radians(60)
            scene = make(f"ladder mu={mu} {region}", 0.6, method, limit=60)
            c, s = math.cos(a), math.sin(a)
            scene.add("ladder", box(0.04, 0.3, 2.0), [c + 0.02 * s, 0, s + 0.02 * c], mass=8, rotation=turned((0, 1, 0), -30))
            scene.ground().fixed("wall", plane((1, 0, 0)))
            scene.contact(region=region, friction=coulomb(mu), stiffness={"perimeter": 1e7}.get(region))
            stands = math.tan(a) > (1 - mu * mu) / (2 * mu)
            yield scene.judge(lambda r, stands=stands: r.true((float(r.end("ladder")[2]) > 0.85) == stands,
                                                              f"ladder at {float(r.end('ladder')[2]):.3g} m, stands: {stands}"))
        scene = make(f"books lean {region}", 0.6, method, limit=60)
        names = [f"b{k}" for k in range(3)]
        for k, name in enumerate(names):
            scene.add(name, box(0.03, 0.15, 0.2), [0.0305 * k, 0, 0.1], mass=0.5)
        a = math.radians(15)
        scene.add("lean", box(0.03, 0.15, 0.2), [0.078 + 0.1 * math.sin(a) + 0.015 * math.cos(a), 0, 0.1 * math.cos(a) + 0.015 * math.sin(a)],
                  mass=0.5, rotation=turned((0, 1, 0), -15))
        scene.ground().contact(region=region, friction=coulomb(0.5), restitution=0.1)
        yield scene.judge(lambda r, names=names: ([r.true(r.axis(n)[-1][2] > 0.98, f"{n} fell") for n in names],
                                                  carries(r, "ground", [*names, "lean"], 2 * G)))


def list_standing():
    """Cans on a tray, a vase on a table of loose legs, a lid over its hole: each at its height, all of the weight below."""
    rims = [((0.01, 0.3, 0.04), (-0.195, 0, 0.03)), ((0.01, 0.3, 0.04), (0.195, 0, 0.03)),
            ((0.38, 0.01, 0.04), (0, -0.145, 0.03)), ((0.38, 0.01, 0.04), (0, 0.145, 0.03))]
    for region, method in REGIONS:
        scene = make(f"cans on tray {region}", 0.4, method, limit=90)
        scene.add("tray", [{**box(0.4, 0.3, 0.01), "position": [0, 0, 0.005]}, *({**box(*s), "position": list(p)} for s, p in rims)]).ground()
        cans = [f"can{i}" for i in range(3)]
        for name, x, y in zip(cans, (-0.1, 0.03, 0.1), (0.05, -0.04, 0.06)):
            scene.add(name, cylinder(0.03, 0.08), [x, y, 0.05], mass=0.3)
        # So soft that the tray does not swing faster than a fixed step of 0.1 ms follows.
        scene.contact(region=region, friction=coulomb(0.4), restitution=0.2, stiffness={"volume": 1e7}.get(region))
        yield scene.judge(lambda r, cans=cans: ([r.near(float(r.end(c)[2]), 0.05, 1e-3, "height [m]") for c in cans],
                                                carries(r, "ground", ["tray"], 1.9 * G)))
        scene = make(f"vase on table {region}", 0.4, method, limit=120)
        legs = [f"leg{k}" for k in range(4)]
        for k, name in enumerate(legs):
            scene.add(name, cylinder(0.03, 0.5), [0.3 * (-1)**k, 0.2 * (-1)**(k // 2), 0.25], mass=1)
        scene.add("top", box(0.8, 0.6, 0.03), [0, 0, 0.515], mass=6).add("vase", cylinder(0.05, 0.2), [0.1, 0.05, 0.63], mass=2)
        scene.ground().contact(region=region, friction=coulomb(0.5), restitution=0.1)
        yield scene.judge(lambda r, legs=legs: (r.near(float(r.end("top")[2]), 0.515, 2e-3, "height [m]"), r.rests("vase", 5e-3),
                                                carries(r, "ground", legs, 12 * G)))
    for method in ("adaptive", "explicit"):
        scene = make("lid over hole volume", 0.5, method, limit=60)
        scene.fixed("road", cut({**box(1.2, 1.2, 0.2), "position": [0, 0, -0.1]}, hole(cylinder(0.31, 1.0))))
        scene.add("lid", cylinder(0.35, 0.03), [0.01, 0.02, 0.02], mass=60, rotation=turned((1, 0.3, 0), 0.5))
        scene.contact(region="volume", friction=coulomb(0.3), stiffness=1e8)
        yield scene.judge(lambda r: (r.near(float(r.end("lid")[2]), 0.015, 2e-3, "height [m]"), carries(r, "road", ["lid"], 60 * G)))
        scene = make("cup over ball volume", 0.4, method, limit=60)
        scene.add("cup", {"type": "bowl", "radius": 0.06, "thickness": 0.005}, [0, 0, 0.0001], mass=0.2, rotation=turned((1, 0, 0), 180))
        scene.add("ball", sphere(0.02), [0.02, 0, 0.02], mass=0.1).ground().contact(region="volume", friction=coulomb(0.3))
        yield scene.judge(lambda r: (r.near(float(r.end("cup")[2]), 0, 1e-4, "height [m]"), carries(r, "ground", ["cup", "ball"], 0.3 * G)))


FAMILIES = (list_leaning, list_standing)
