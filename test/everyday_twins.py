"""Everyday scenes written in two ways that are one: mirrored, turned, renamed, in another order, in other units."""

import math

import numpy

from everyday_balls import FIXED
from everyday_scene import G, Scene, box, bristle, capsule, coulomb, cylinder, lugre, plane, polyhedron, sphere

SHAPES = {"ball": sphere(0.1), "box": box(0.2, 0.14, 0.1), "can": cylinder(0.08, 0.15), "pill": capsule(0.06, 0.16),
          "cone": {"type": "cone", "angle_degrees": 60, "height": 0.2}, "egg": {"type": "ellipsoid", "semi_axes": [0.12, 0.08, 0.07]},
          "tetra": polyhedron([[0.1, 0.1, 0.1], [0.1, -0.1, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, 0.1]]),
          "ring": {"type": "torus", "ring_radius": 0.1, "tube_radius": 0.03}}
MIRROR = numpy.diag([1.0, -1.0, 1.0])


def turn_matrix(axis, degrees):
    k = numpy.asarray(axis, float) / numpy.linalg.norm(axis)
    a, cross = math.radians(degrees), numpy.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return numpy.eye(3) + math.sin(a) * cross + (1 - math.cos(a)) * cross @ cross


class Way:
    """How a scene is written: an isometry of space, names, order, and units of length, mass and time."""

    def __init__(self, matrix=None, names=("one", "two", "ground"), backwards=False, length=1.0, mass=1.0, swapped=False):
        self.matrix = numpy.eye(3) if matrix is None else matrix
        self.names, self.backwards, self.length, self.mass, self.swapped = names, backwards, length, mass, swapped
        self.time = math.sqrt(length)  # so that gravity stays

    def place(self, p):
        return [float(x) for x in self.length * self.matrix @ numpy.asarray(p, float)]

    def direct(self, n):
        return [float(x) for x in self.matrix @ numpy.asarray(n, float)]

    def spin(self, w):
        return [float(x) for x in numpy.linalg.det(self.matrix) * self.matrix @ numpy.asarray(w, float) / self.time]

    def turn(self, axis, degrees):
        """Turn of the body in the world: of the mirrored body, which has its own frame mirrored too."""
        matrix = self.matrix @ turn_matrix(axis, degrees)
        if numpy.linalg.det(self.matrix) < 0:
            matrix = matrix @ MIRROR  # a shape is its own mirror image across y = 0, or is mirrored
        w = math.sqrt(max(0.0, 1 + numpy.trace(matrix))) / 2
        if w > 1e-3:
            q = [w, (matrix[2, 1] - matrix[1, 2]) / (4 * w), (matrix[0, 2] - matrix[2, 0]) / (4 * w), (matrix[1, 0] - matrix[0, 1]) / (4 * w)]
        else:
            values, vectors = numpy.linalg.eigh(matrix + matrix.T)
            q = [0.0, *vectors[:, 2]]
        return [float(x) / float(numpy.linalg.norm(q)) for x in q]


def write_shape(shape, way):
    if "vertices" in shape and numpy.linalg.det(way.matrix) < 0:
        shape = {**shape, "vertices": (numpy.asarray(shape["vertices"]) @ MIRROR).tolist()}
    return scale_shape(shape, way.length)


def scale_shape(shape, k):
    lengths = ("radius", "length", "size", "height", "semi_axes", "vertices", "ring_radius", "tube_radius")
    return {key: (k * numpy.asarray(v)).tolist() if key in lengths else v for key, v in shape.items()}


def write(way, kind, other, region, method, law, name, duration):
    one, two, ground = way.names
    step = FIXED.get(method)
    scene = Scene(name, duration * way.time, method, None if step is None else step * way.time,
                  gravity=tuple(G * x for x in way.direct((0, 0, -1))), limit=60)
    v = numpy.array([1.0, 0.4, -0.5]) / way.time  # speed has the unit length / time; place() multiplies by length
    bodies = [lambda: scene.add(one, write_shape(SHAPES[kind], way), way.place((0, 0, 0.3)), mass=way.mass,
                                orientation=way.turn((1, 2, 3), 50), velocity=way.place(v), angular_velocity=way.spin((2, -1, 3))),
              lambda: scene.fixed(ground, {"type": "half-space", "normal": way.direct((0, 0, 1))})]
    if other:
        bodies.insert(1, lambda: scene.add(two, write_shape(SHAPES[other], way), way.place((0.45, 0.2, 0.25)), mass=2 * way.mass,
                                           orientation=way.turn((0, 1, 1), 30)))
    for body in bodies[::-1] if way.backwards else bodies:
        body()
    force = way.mass * way.length / way.time**2
    unit = {"volume": force / way.length**3, "perimeter": force / way.length**2}.get(region, force / way.length**1.5)
    pairs = [(one, ground), (two, ground), (one, two)] if other else [(one, ground)]
    if other and way.backwards:
        pairs.reverse()
    for a, b in pairs:
        normal = {"law": "gonthier", "stiffness": {"volume": 1e8, "perimeter": 1e6}.get(region, 1e6) * unit, "restitution": 0.4,
                  "v_small": 1e-3 * way.length / way.time}
        scene.contact(*((b, a) if way.swapped else (a, b)), region=region, normal=normal, friction=law(0.3))
    return scene


WAYS = {"mirrored": Way(MIRROR), "turned by 90": Way(turn_matrix((0, 0, 1), 90)), "turned askew": Way(turn_matrix((1, 2, -1), 77)),
        "renamed and backwards": Way(names=("zulu", "alpha", "0"), backwards=True, swapped=True),
        "in millimetres": Way(length=1e-3, mass=1e-9), "in tens of metres": Way(length=30.0, mass=2.7e4)}


def list_twins():
    cases = [(kind, None, region, method) for kind in SHAPES for region, method in
             (("point", "adaptive"), ("point", "lcp"), ("volume", "adaptive"), ("perimeter", "explicit"))]
    cases += [("ball", "ball", "point", "adaptive"), ("ball", "box", "point", "adaptive"), ("pill", "pill", "point", "adaptive"),
              ("box", "box", "volume", "adaptive"), ("box", "can", "volume", "adaptive"), ("box", "box", "point", "lcp"),
              ("can", "tetra", "point", "lcp"), ("egg", "egg", "point", "ncp"), ("ball", "egg", "point", "ncp"),
              ("box", "tetra", "perimeter", "explicit"), ("can", "ball", "volume", "adaptive"), ("cone", "box", "volume", "adaptive")]
    for kind, other, region, method in cases:
        if (kind, region) in (("tetra", "point"),) and method == "adaptive":
            continue
        for law in (coulomb, bristle, lugre) if (kind, other) == ("box", None) else (coulomb,):
            for words, way in WAYS.items():
                if way.length != 1 and law is not coulomb or (region, law) in (("volume", lugre), ("perimeter", bristle)):
                    continue
                name = f"{kind} {other or ''} {region} {method} {law.__name__} {words}"
                # Until the first touches are over: later a rounding of the first may decide.
                duration = 0.35
                scene = write(way, kind, other, region, method, law, name, duration)
                scene.twin = write(Way(), kind, other, region, method, law, name + " twin", duration)

                def judge(r, way=way, method=method, other=other):
                    for mine, body in zip(way.names, ("one", "two") if other else ("one",)):
                        wanted = r.twin.position(body) @ way.matrix.T * way.length
                        t, t2 = r.time / way.time, r.twin.time
                        got = numpy.array([numpy.interp(t2, t, r.position(mine)[:, k]) for k in range(3)]).T
                        off = float(numpy.linalg.norm(got - wanted, axis=1).max() / way.length)
                        # Laws have lengths and speeds of their own at default, so that other units are another scene.
                    r.near(off, 0.0, 2e-4 if method == "adaptive" and way.length == 1 else 2e-3, f"'{body}' written in two ways, apart by [sizes of 1 m]")
                scene.may_refuse = True
                yield scene.judge(judge)


def list_words():
    """Names of any kind, globs and defaults that overlap: which entry holds for which pair."""
    for a, b in (("gr\u00f6\u00dfe", "\u0431\u043e\u0434\u0435\u043d"), ("a b", "c  d"), ("x.y", "[0]"), ("1", "2"), ("a/b", "..\\c"), ("'q'", "\"d\""), ("true", "nan"),
                 ("ball-floor", "floor-ball"), ("a" * 200, "b" * 200), ("-", "--"), ("{x}", "$HOME"), ("<b>", "&amp;")):
        scene = Scene(f"names {a[:8]} and {b[:8]}", 0.6)
        scene.add(a, sphere(0.1), [0, 0, 0.2]).fixed(b, {"type": "half-space", "normal": [0, 0, 1]})
        scene.contact(a, b, restitution=0.2)
        scene.may_refuse = True
        yield scene.judge(lambda r, a=a: r.above(a, 0.09))
    rules = (("later wins", [("b*", "ground", 0.9), ("ball", "ground", 0.3)], 0.3), ("later glob wins", [("ball", "ground", 0.9), ("b*", "*", 0.3)], 0.3),
             ("swapped names", [("ground", "ball", 0.9), ("*", "b?ll", 0.5)], 0.5), ("one class", [("*", "*", 0.7)], 0.7),
             ("default and entry", [("default", "", 0.9), ("ball", "ground", 0.4)], 0.4), ("default alone", [("default", "", 0.6)], 0.6),
             ("other pair named", [("*", "*", 0.8), ("peg", "ground", 0.1)], 0.8))
    for name, entries, e in rules:
        for method, step in (("adaptive", None), ("explicit", 1e-4), ("lcp", 1e-3)):
            scene = Scene(f"rule: {name} {method}", 1.2, method, step)
            scene.add("ball", sphere(0.1), [0, 0, 1.1]).add("peg", sphere(0.1), [5, 0, 0.1]).ground()
            for a, b, restitution in entries:
                if a == "default":
                    scene.parts.append('[contact_default]\nnormal = { law = "gonthier", stiffness = 1e7, restitution = %r }\n' % restitution)
                else:
                    scene.contact(a, b, restitution=restitution, stiffness=1e7)
            if not any(a in ("default", "*") for a, _, _ in entries):
                scene.contact("peg", "ground", restitution=0.1, stiffness=1e7)
            yield scene.judge(lambda r, e=e: r.near(float(r.position("ball")[(r.time > 0.5)][:, 2].max()) - 0.1, e * e, 0.03, "first bounce [m]")
                              if e < 0.7 else r.near(float(r.position("ball")[(r.time > 0.5)][:, 2].max()) - 0.1, e * e, 0.1, "first bounce [m]"))


def list_long():
    """Ten seconds at rest: nothing creeps, sinks or wanders."""
    for kind in ("ball", "box", "can", "egg"):
        for region, method in (("point", "adaptive"), ("point", "explicit"), ("point", "lcp"), ("point", "ncp"), ("volume", "adaptive"),
                               ("perimeter", "explicit")):
            if method == "ncp" and kind in ("box", "can"):
                continue
            if kind == "egg" and region == "perimeter":
                continue
            for slope in (0, 8):
                if slope and kind in ("ball", "egg"):
                    continue
                half = {"ball": 0.1, "box": 0.05, "can": 0.075, "egg": 0.07}[kind]
                n = (math.sin(math.radians(slope)), 0.0, math.cos(math.radians(slope)))
                step = FIXED.get(method)
                scene = Scene(f"ten seconds {kind} {region} {method} slope {slope}", 10.0, method, step, limit=60)
                scene.add(kind, SHAPES[kind], [half * x for x in n], rotation={"axis": [0, 1, 0], "degrees": slope})
                scene.fixed("ground", plane(n)).contact(region=region, friction=coulomb(0.4))
                yield scene.judge(lambda r, k=kind: (r.stays(k, 1e-3), r.stays(k, 5e-6, since=5.0)))


FAMILIES = (list_twins, list_words, list_long)
