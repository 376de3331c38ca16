"""Everyday scenes of volumetric contact, judged by hand: rest depths, rebounds, pegs and rings, seats and sockets, meshes."""

import math

import numpy

from everyday_balls import make
from everyday_scene import G, box, capsule, coulomb, cylinder, lying, plane, polyhedron, slope_normal, sphere, turned

METHODS = ("adaptive", "explicit")
SIZES = ((1e-3, 1e-3), (0.05, 1.0), (1.0, 1e3), (10.0, 1e3))  # [m], [kg]


def volume(scene, stiffness, friction=None, restitution=0.3, a="*", b="*"):
    return scene.contact(a, b, region="volume", stiffness=stiffness, friction=friction, restitution=restitution)


def settle(name, method, depth, **more):
    """A scene that lasts thirty periods of a mass on a spring that gives way by `depth` under its weight."""
    rate = math.sqrt(G / depth)
    return make(name, 30 * 2 * math.pi / rate, method, **({"step": 0.05 / rate} if method == "explicit" else {}), **more)


def cut(*parts):
    return {"type": "cell", "part": list(parts)}


def hole(shape):
    return {**shape, "complement": True}


def write_box(size):
    """OBJ text of a box about the origin."""
    x, y, z = (s / 2 for s in size)
    corners = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return "".join(f"v {a!r} {b!r} {c!r}\n" for a, b, c in corners) + "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces)


def list_feet():
    """Flat feet on level ground carry k A d, at any size."""
    for size, mass in SIZES:
        feet = {"box": (box(size, size, size), size**2, size / 2), "can": (cylinder(size / 2, size), math.pi * size**2 / 4, size / 2),
                "cone": ({"type": "cone", "angle_degrees": 60, "height": size}, math.pi * size**2 / 3, size),
                "frustum": (polyhedron([[sx * w * size, sy * w * size, z * size] for w, z in ((0.5, 0), (0.3, 1)) for sx in (-1, 1)
                                        for sy in (-1, 1)]), size**2, 0.0)}
        for foot, (shape, area, height) in feet.items():
            for method in METHODS:
                depth = 1e-3 * size
                scene = settle(f"volume {foot} of {size} stands", method, depth)
                scene.add(foot, shape, [0, 0, height + 0.1 * depth], mass=mass).ground()
                volume(scene, mass * G / (area * depth))
                yield scene.judge(lambda r, foot=foot, height=height, depth=depth, mass=mass: (
                    r.near(height - float(r.end(foot)[2]), depth, 0.02 * depth, "depth [m]"),
                    r.near(float(r.force(foot, "ground")[-1][2]), mass * G, 0.01 * mass * G, "load [N]")))


def list_round_feet():
    """Balls, capsules and cans on their sides, on the ground and in round holes: the volume that k V = m g takes."""
    for size, mass in SIZES:
        depth = 1e-3 * size
        whole = {"ball": (sphere(size), math.pi * depth**2 * (3 * size - depth) / 3),
                 "bar": (lying(cylinder(size, 4 * size)), 4 * size * segment(size, depth)),
                 "capsule": (lying(capsule(size, 4 * size)), 4 * size * segment(size, depth) + math.pi * depth**2 * (3 * size - depth) / 3)}
        for name, (shape, taken) in whole.items():
            for method in METHODS:
                scene = settle(f"volume {name} of {size} lies", method, depth)
                scene.add(name, shape, [0, 0, size], mass=mass).ground()
                volume(scene, mass * G / taken)
                yield scene.judge(lambda r, name=name, size=size, depth=depth: r.near(
                    size - float(r.end(name)[2]), depth, 0.02 * depth, "depth [m]"))
        for method in METHODS:  # curvature 1/r - 1/R both ways, so that V = pi d^2 R r / (R - r)
            scene = settle(f"volume ball of {size} in a socket", method, depth)
            scene.add("ball", sphere(size), [0, 0, 0], mass=mass)
            scene.fixed("socket", {"type": "cavity", "radius": 1.25 * size}, [0, 0, 0.25 * size])
            volume(scene, mass * G / (math.pi * depth**2 * 5 * size))
            yield scene.judge(lambda r, depth=depth: r.near(-float(r.end("ball")[2]), depth, 0.02 * depth, "depth [m]"))


def segment(radius, depth):
    return radius**2 * math.acos(1 - depth / radius) - (radius - depth) * math.sqrt(depth * (2 * radius - depth))


def list_drops():
    """The first rebound reaches e^2 h, and energy is kept but for that."""
    bodies = {"ball": sphere(0.05), "cube": box(0.1, 0.1, 0.1), "can": cylinder(0.05, 0.1), "bar": lying(cylinder(0.05, 0.2))}
    for name, shape in bodies.items():
        for e in (0.9, 0.4):
            scene = make(f"volume {name} bounces e={e}", 0.75 if e > 0.5 else 0.5)
            scene.add(name, shape, [0, 0, 0.25]).ground()
            volume(scene, 1e9, restitution=e)
            yield scene.judge(lambda r, name=name, e=e: r.near(
                float(r.position(name)[r.time > 0.22][:, 2].max()) - 0.05, 0.2 * e * e, 0.005, "height of the first bounce [m]"))
    for first, second in (("ball", "ball"), ("cube", "cube"), ("can", "cube"), ("ball", "can")):
        scene = make(f"volume {first} strikes {second}", 0.3, gravity=(0, 0, 0))
        scene.add("a", bodies[first], [-0.15, 0, 0], mass=2, velocity=[1, 0, 0]).add("b", bodies[second], [0.05, 0, 0], mass=1)
        volume(scene, 1e10, restitution=0.5)
        yield scene.judge(lambda r: (r.near(float(r.velocity("b")[-1][0] - r.velocity("a")[-1][0]), 0.5, 0.03, "speed of parting [m/s]"),
                                     r.near(float(2 * r.velocity("a")[-1][0] + r.velocity("b")[-1][0]), 2.0, 1e-6, "momentum [N s]")))


def list_ways():
    """Crates slide v^2 / (2 mu g); balls and bars roll down at g sin / (1 + k)."""
    for name, shape, half in (("crate", box(0.2, 0.2, 0.1), 0.05), ("puck", cylinder(0.1, 0.1), 0.05)):
        scene = make(f"volume {name} slides", 0.8)
        scene.add(name, shape, [0, 0, half], velocity=[1.5, 0, 0]).ground()
        volume(scene, 1e8, coulomb(0.3))
        yield scene.judge(lambda r, name=name: r.near(float(r.end(name)[0]), 1.5**2 / (2 * 0.3 * G), 0.01, "way [m]"))
    for name, shape, k in (("ball", sphere(0.05), 0.4), ("bar", lying(cylinder(0.05, 0.2)), 0.5)):
        for degrees in (5.0, 15.0):
            normal = numpy.array(slope_normal(degrees))
            scene = make(f"volume {name} rolls down {degrees}", 0.6)
            scene.add(name, shape, list(0.05 * normal)).fixed("slope", plane(tuple(normal)))
            volume(scene, 1e9, coulomb(0.6), restitution=1.0)  # damping takes a tenth of the way on so soft a slope
            way = 0.5 * G * math.sin(math.radians(degrees)) / (1 + k) * 0.36
            yield scene.judge(lambda r, name=name, way=way: r.near(
                float(numpy.linalg.norm(r.end(name) - r.position(name)[0])), way, 0.02 * way, "way [m]"))


def list_fits():
    """Pegs, rings, plugs and lids: what fits falls freely, and rests where the shapes say."""
    block = box(0.12, 0.12, 0.1)
    through = cut(block, hole(cylinder(0.02, 0.3)))
    for method in METHODS:
        scene = make("volume peg falls through a bore", 0.3, method)
        scene.add("peg", cylinder(0.0198, 0.1), [0, 0, 0.11], mass=0.5).fixed("block", through)
        volume(scene, 1e9)
        yield scene.judge(lambda r: r.near(float(r.end("peg")[2]), 0.11 - 0.5 * G * 0.09, 1e-5, "height [m]"))
        depth = 1e-4
        scene = settle("volume nut on a bolt", method, depth)
        nut = cut(box(0.06, 0.06, 0.02), hole(cylinder(0.0105, 0.1)))
        scene.add("nut", nut, [0, 0, 0.06], mass=0.2)
        scene.fixed("bolt", cylinder(0.01, 0.1), [0, 0, 0.05]).fixed("head", box(0.1, 0.1, 0.1), [0, 0, 0])
        volume(scene, 0.2 * G / ((0.06**2 - math.pi * 0.0105**2) * depth), a="nut", b="head")
        volume(scene, 1e9, a="nut", b="bolt")
        yield scene.judge(lambda r, d=depth: r.near(float(r.end("nut")[2]), 0.06 - d, 0.03 * d, "height [m]"))
        scene = make("volume ring on a peg", 0.4, method)
        scene.add("ring", {"type": "torus", "ring_radius": 0.04, "tube_radius": 0.01}, [0, 0, 0.08], mass=0.2)
        scene.fixed("peg", cylinder(0.028, 0.1), [0, 0, 0.05]).fixed("table", box(0.3, 0.3, 0.1), [0, 0, -0.05])
        volume(scene, 1e9)
        yield scene.judge(lambda r: (r.near(float(r.end("ring")[2]), 0.01, 1e-3, "height [m]"), r.rests("ring", 0.02)))
        # All around a cone the push of its seat is not along one normal: the run says that it is taken for that.
        scene = settle("volume plug in a conical seat", method, depth)
        cone = {"type": "cone", "angle_degrees": 60, "height": 0.06}
        flip = {"rotation": turned((1, 0, 0), 180)}
        scene.add("plug", {**cone, **flip}, [0, 0, 0], mass=1)
        scene.fixed("seat", cut(box(0.2, 0.2, 0.2), hole({**cone, **flip, "height": 0.3})))
        volume(scene, G / (math.pi * (0.06 * math.tan(math.pi / 6))**2 * depth))
        yield scene.judge(lambda r, d=depth: (r.near(-float(r.end("plug")[2]), d, 0.05 * d, "depth [m]"),
                                              r.true("out of its plane" in " ".join(r.summary["notes"]), "nothing is said of the seat")))
        scene = make("volume ball hangs in a mouth", 0.4, method)
        scene.add("ball", sphere(0.055), [0, 0, -0.011], mass=0.5)
        scene.fixed("bowl", {"type": "bowl", "radius": 0.06, "thickness": 0.01, "depth": 0.09}, rotation=turned((1, 0, 0), 180))
        volume(scene, 1e9)
        mouth = -0.03 + math.sqrt(0.055**2 - (0.06**2 - 0.03**2))
        yield scene.judge(lambda r, z=mouth: (r.near(float(r.end("ball")[2]), z, 1.5e-3, "height [m]"), r.rests("ball", 0.01)))


def list_meshes():
    """Closed meshes stand, stack and strike as the boxes they are."""
    for method in METHODS:
        depth = 1e-4
        for ground in ("plane", "mesh"):
            scene = settle(f"volume mesh stands on a {ground}", method, depth)
            scene.files = {"crate.obj": write_box((0.1, 0.2, 0.1)), "slab.obj": write_box((1.0, 1.0, 0.4))}
            scene.add("crate", {"type": "mesh", "file": "crate.obj"}, [0, 0, 0.05], mass=2)
            if ground == "plane":
                scene.ground("base")
            else:
                scene.fixed("base", {"type": "mesh", "file": "slab.obj"}, [0, 0, -0.2])
            volume(scene, 2 * G / (0.02 * depth))
            yield scene.judge(lambda r, d=depth: (r.near(0.05 - float(r.end("crate")[2]), d, 0.03 * d, "depth [m]"),
                                                  r.near(float(r.force("crate", "base")[-1][2]), 2 * G, 0.02 * G, "load [N]")))
        scene = make("volume three crates", 0.4, method)
        for k, size in enumerate((0.3, 0.2, 0.1)):
            scene.add(f"c{k}", box(size, size, 0.1), [0, 0, 0.05 + 0.1 * k], mass=1)
        scene.ground()
        volume(scene, 1e7)
        yield scene.judge(lambda r: [r.near(float(r.force(f"c{k}", "ground" if k == 0 else f"c{k - 1}")[-1][2]), (3 - k) * G, 0.02 * G,
                                            f"load below crate {k} [N]") for k in range(3)])
        scene = make("volume bar in a groove", 0.6, method)
        scene.add("bar", lying(cylinder(0.05, 0.3), (0, 1, 0)), [0, 0, 0.05 * math.sqrt(2) + 1e-3], mass=3)
        for side in (-1, 1):
            scene.fixed(f"wall{side + 1}", plane((0, side * math.sqrt(0.5), math.sqrt(0.5))))
        volume(scene, 1e9)
        yield scene.judge(lambda r: [r.near(float(numpy.linalg.norm(r.force("bar", f"wall{k}")[-1])), 3 * G / math.sqrt(2), 0.03 * G,
                                            "load of a wall [N]") for k in (0, 2)])


def list_hinges():
    """A plank on a hinge strikes a block and comes back with e of its rate; one let down on it rests."""
    for method in METHODS:
        for e in (0.8, 0.3):
            more = {"step": 2e-5} if method == "explicit" else {}
            scene = make(f"volume plank strikes block e={e}", 0.5, method, gravity=(0, 0, 0), **more)
            scene.link("plank", box(0.4, 0.05, 0.05), "revolute", mass=2, axis=[0, 0, 1], child_position=[-0.2, 0, 0], velocities=[2.0])
            scene.fixed("block", box(0.1, 0.1, 0.1), [0.35 * math.cos(0.4) - 0.0752 * math.sin(0.4),
                                                      0.35 * math.sin(0.4) + 0.0752 * math.cos(0.4), 0],
                        rotation={"axis": [0, 0, 1], "degrees": math.degrees(0.4)})
            volume(scene, 1e10, restitution=e)
            yield scene.judge(lambda r, e=e: r.near(float(r.spin("plank")[-1][2]), -2.0 * e, 0.1, "rate after the blow [rad/s]"))


FAMILIES = (list_feet, list_round_feet, list_drops, list_ways, list_fits, list_meshes, list_hinges)
