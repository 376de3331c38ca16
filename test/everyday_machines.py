"""Everyday mechanisms: doors with stops, pendulums, chains, grippers, cams, belts, turntables, see-saws, springs, motors, tops."""

import math

import numpy

from everyday_balls import make
from everyday_scene import G, box, capsule, coulomb, cylinder, lying, plane, sphere, turned

METHODS = ("adaptive", "adaptive radau", "explicit", "lcp")


def list_doors():
    """A door swings to its stop and comes back with the speed it had (stiff stop) or stays (damped stop)."""
    for method in METHODS + ("ncp",):
        for damping in (0.0, 200.0):
            scene = make(f"door with stop d={damping}", 2.0, method, gravity=(0, 0, -G))
            scene.link("door", box(0.8, 0.04, 2.0), "revolute", mass=20, axis=[0, 0, 1], child_position=[-0.4, 0, 0],
                       velocities=[1.5], upper=1.0, limit_stiffness=2e4, limit_damping=damping)
            inertia = 20 * (0.8**2 + 0.04**2) / 12 + 20 * 0.16

            def judge(r, damping=damping, inertia=inertia, method=method):
                rate = r.spin("door")[-1][2]
                zeta = damping / (2 * math.sqrt(2e4 * inertia))
                back = -1.5 * math.exp(-zeta * 2.2) if damping else -1.5  # the stop only pushes: roughly
                r.near(rate, back, 0.08 if not damping else 0.3, "rate after the stop [rad/s]")
                r.true(angle(r, "door").max() < 1.0 + 1.6 * 1.5 * math.sqrt(inertia / 2e4), "the door passed its stop")
            yield scene.judge(judge)
    for method in METHODS:
        scene = make("door strikes post", 1.5, method)
        scene.link("door", box(0.8, 0.04, 2.0), "revolute", mass=20, axis=[0, 0, 1], child_position=[-0.4, 0, 0], velocities=[1.5])
        scene.fixed("post", sphere(0.05), [0.6 * math.cos(1.0) - 0.07 * math.sin(1.0), 0.6 * math.sin(1.0) + 0.07 * math.cos(1.0), 0])
        scene.contact(restitution=0.5, stiffness=1e8)
        yield scene.judge(lambda r: r.near(r.spin("door")[-1][2], -0.75, 0.05, "rate after the post [rad/s]"))


def angle(r, body, axis=(1, 0, 0)):
    x = r.axis(body, axis)
    return numpy.unwrap(numpy.arctan2(x[:, 1], x[:, 0]))


def list_pendulums():
    """A bob on a light rod: period, and the angle it comes back to after a wall with restitution e."""
    for method in METHODS + ("ncp",):
        for length in (0.01, 1.0, 30.0):
            start = 0.3
            period = 2 * math.pi * math.sqrt(length / G) * (1 + start**2 / 16)
            scene = make(f"pendulum L={length}", 3 * period, method)
            if scene.run.get("step"):
                scene.run["step"] = period / 2000
            scene.link("bob", sphere(0.001 * length), "revolute", mass=length, axis=[0, 1, 0], child_position=[0, 0, length],
                       coordinates=[start])
            yield scene.judge(lambda r, L=length: (r.near(float(r.end("bob")[0]), -L * math.sin(0.3), 0.01 * L, "place after 3 periods [m]"),
                                                   r.near(float(numpy.linalg.norm(r.end("bob"))), L, 1e-6 * L, "length of the rod [m]")))
    for method in METHODS:
        for e in (0.9, 0.5):
            scene = make(f"pendulum strikes wall e={e}", 1.5, method)
            scene.link("bob", sphere(0.05), "revolute", mass=1, axis=[0, 1, 0], child_position=[0, 0, 1], coordinates=[0.5])
            scene.fixed("wall", plane((-1, 0, 0), -0.05)).contact(restitution=e, stiffness=1e7)

            def judge(r, e=e):
                v = e * math.sqrt(2 * G * (1 - math.cos(0.5)))
                back = math.acos(1 - v * v / (2 * G))
                after = r.position("bob")[r.time > 0.7]
                r.near(float(-numpy.arcsin(after[:, 0]).min()), back, 0.015, "angle after the wall [rad]")
            yield scene.judge(judge)
        scene = make("two pendulums meet", 1.3, method)
        for name, x, q in (("a", 0.0, 0.4), ("b", -0.1, 0.0)):
            scene.link(name, sphere(0.05), "revolute", mass=1, axis=[0, 1, 0], parent_position=[x, 0, 0], child_position=[0, 0, 1],
                       coordinates=[-q])
        scene.parts.reverse()  # joints and bodies in any order
        scene.contact(restitution=1.0, stiffness=1e8)
        yield scene.judge(lambda r: r.near(float(abs(r.position("b")[:, 0] + 0.1).max()), math.sin(0.4), 0.01, "swing of the second [m]"))


def list_chains():
    """Four links fall and come to lie on the ground."""
    for method in ("adaptive", "lcp"):
        for friction in (None, coulomb(0.05)):  # with more they stand as an arch
            scene = make(f"chain falls {'with' if friction else 'without'} friction", 4.0, method, limit=60)
            rod = {**capsule(0.02, 0.16), "rotation": turned((0, 1, 0), 90)}
            for i in range(4):
                keys = {"parent": f"l{i - 1}"} if i else {"parent_position": [0, 0, 0.02]}
                scene.link(f"l{i}", rod, "revolute", mass=0.2, axis=[0, 1, 0], child_position=[-0.1, 0, 0],
                           coordinates=[-0.9 if i == 0 else 0.5], damping=0.002, **({**keys, "parent_position": [0.1, 0, 0]} if i else keys))
            scene.ground().contact("l*", "ground", friction=friction, restitution=0.2)

            def judge(r):
                for i in range(4):
                    r.near(float(r.end(f"l{i}")[2]), 0.02, 1e-3, f"height of link {i} [m]")
                    r.above(f"l{i}", 0.012)
                    r.rests(f"l{i}", 0.01)
            yield scene.judge(judge)


def list_grippers():
    """Two fingers press with F on either side: they hold m g below 2 mu F and let go above."""
    for load, form, half in (("ball", sphere(0.04), 0.04), ("box", box(0.08, 0.06, 0.06), 0.04)):
        for region, method in (("point", "adaptive"), ("point", "lcp"), ("point", "explicit"), ("volume", "adaptive"),
                               ("perimeter", "explicit"), ("volume", "explicit")):
            if load == "box" and region == "point" and method != "lcp":
                continue
            for factor in (0.7, 1.4):
                force, mu, mass = 20.0, 0.5, factor * 2 * 0.5 * 20.0 / G
                scene = make(f"gripper {load} {region} load={factor}", 0.6, method)
                for side, name in ((-1, "left"), (1, "right")):
                    scene.link(name, box(0.02, 0.08, 0.08), "prismatic", mass=0.5, axis=[1, 0, 0],
                               parent_position=[side * (half + 0.0105), 0, 0], motor={"mode": "torque", "value": -side * force})
                scene.add(load, form, [0, 0, 0], mass=mass)
                scene.contact(load, "left", region=region, friction=coulomb(mu), stiffness={None: 1e7}.get(region))
                scene.contact(load, "right", region=region, friction=coulomb(mu), stiffness={None: 1e7}.get(region))

                def judge(r, load=load, factor=factor, mass=mass, mu=mu, force=force):
                    z = float(r.end(load)[2])
                    if factor < 1:
                        r.near(z, 0.0, 6e-3, "height of what is held [m]")
                        r.rests(load, 0.01)
                    else:
                        # Until the fingers close it falls freely for half a millimetre of their way; then it slides by the rest.
                        gain = G - 2 * mu * force / mass
                        reach = 0.5 * gain * 0.6**2
                        r.true(z < -min(0.5 * reach, 0.03), f"held {z:.3g} m though too heavy")
                yield scene.judge(judge)


def list_prescribed():
    """Cams, rams, belts, turntables and lifts: kinematics gives where the pushed body must be."""
    for method in ("adaptive", "explicit"):
        e, big, small = 0.02, 0.06, 0.02
        scene = make("cam lifts follower", 2.0, method)
        scene.link("cam", lying({**cylinder(big, 0.05), "position": [e, 0, 0]}), "revolute", axis=[0, 1, 0],
                   motion={"kind": "rate", "rate": -math.pi})
        scene.link("follower", sphere(small), "prismatic", mass=0.5, axis=[0, 0, 1],
                   coordinates=[math.sqrt((big + small)**2 - e * e)])
        scene.contact(stiffness=1e8, restitution=0.1)

        def judge(r):
            t = r.time
            wanted = e * numpy.sin(math.pi * t) + numpy.sqrt((big + small)**2 - (e * numpy.cos(math.pi * t))**2)
            r.near(float(abs(r.position("follower")[:, 2] - wanted).max()), 0, 2e-4, "distance from the cam's curve [m]")
        yield scene.judge(judge)
    for method in ("adaptive", "explicit", "lcp"):
        for region in ("point", "volume"):
            if region == "volume" and method == "lcp":
                continue
            belt, mu = 1.2, 0.4
            ride = belt / (mu * G)
            for form, name, flat in ((box(0.1, 0.1, 0.1), "parcel", True), (sphere(0.05), "ball", False)):
                if region == "point" and flat and method != "lcp":
                    continue
                scene = make(f"{name} on belt {region}", 1.5, method)
                scene.link("belt", box(8, 0.5, 0.1), "prismatic", mass=50, axis=[1, 0, 0], parent_position=[0, 0, -0.05],
                           motion={"kind": "rate", "rate": belt})
                scene.add(name, form, [0, 0, 0.05]).contact(region=region, friction=coulomb(mu), restitution=0.9)
                if flat:
                    yield scene.judge(lambda r, n=name: (r.near(r.velocity(n)[-1][0], belt, 0.01, "speed [m/s]"),
                                                         r.near(r.end(n)[0], belt * 1.5 - belt * ride / 2, 0.02, "way [m]")))
                else:
                    yield scene.judge(lambda r, n=name: (r.near(r.velocity(n)[-1][0], belt * 2 / 7, 0.06, "speed [m/s]"),
                                                         r.near(r.spin(n)[-1][1] * 0.05, -belt * 5 / 7, 0.06, "rim [m/s]")))
            for rate, holds in ((2.0, True), (5.0, False)):
                scene = make(f"coin on turntable {region} {rate} rad/s", 1.0, method)
                flat = region == "volume" or method == "lcp"
                scene.link("table", box(2, 2, 0.1) if flat else plane((0, 0, 1), 0.05), "revolute", mass=10, axis=[0, 0, 1],
                           parent_position=[0, 0, -0.05], motion={"kind": "rate", "rate": rate}, body={"inertia": [1, 1, 1]})
                scene.add("coin", cylinder(0.02, 0.01), [0.3, 0, 0.005], mass=0.01, velocity=[0, 0.3 * rate, 0],
                          angular_velocity=[0, 0, rate])
                scene.contact(region=region, friction=coulomb(0.4))
                # 0.3 w^2 against mu g = 3.92: 1.2 holds, 7.5 does not.

                def judge(r, holds=holds):
                    way = float(abs(numpy.linalg.norm(r.position("coin")[:, :2], axis=1) - 0.3).max())
                    r.true(way < 2e-3 if holds else way > 0.05, f"the coin moved {way:.3g} m out")
                yield scene.judge(judge)
    for method in ("adaptive", "explicit", "lcp"):
        scene = make("ram pushes three balls", 1.0, method)
        scene.link("ram", box(0.1, 0.2, 0.2), "prismatic", axis=[1, 0, 0], parent_position=[-0.05, 0, 0.1], mass=5,
                   motion={"kind": "rate", "rate": 0.5})
        for i in range(3):
            scene.add(f"b{i}", sphere(0.05), [0.1 + 0.15 * i, 0, 0.05])
        scene.ground().contact("b*", "*", restitution=0.2)

        def judge(r):
            for i in range(3):
                r.true(r.end(f"b{i}")[0] >= 0.5 + 0.05 - 2e-3 + 0.1 * i, f"the ram went into b{i}: {r.end(f'b{i}')[0]:.4g}")
                r.true(r.velocity(f"b{i}")[-1][0] > 0.45, f"b{i} is left behind")
        yield scene.judge(judge)
        scene = make("lift starts", 1.0, method)
        scene.link("lift", plane((0, 0, 1)), "prismatic", axis=[0, 0, 1], mass=5, body={"inertia": [1, 1, 1]},
                   motion={"kind": "table", "time": [0, 0.25, 0.5, 0.75, 1.0], "value": [0, 0.05, 0.2, 0.45, 0.8]})
        scene.add("man", sphere(0.1), [0, 0, 0.1], mass=70).contact(restitution=0.1, stiffness=1e8)
        yield scene.judge(lambda r: r.near(float(r.end("man")[2]), 0.9, 5e-3, "height [m]"))


def list_balances():
    """See-saws: the side with the larger moment goes down; equal ones stay."""
    for method in ("adaptive", "explicit", "lcp"):
        for arm, mass in ((0.5, 2.0), (0.5, 2.4), (0.5, 1.6)):
            scene = make(f"see-saw {mass} kg", 1.0, method)
            scene.link("plank", box(1.4, 0.2, 0.02), "revolute", mass=3, axis=[0, 1, 0], parent_position=[0, 0, 0.3],
                       damping=0.5)
            scene.add("left", sphere(0.05), [-1.0 * arm, 0, 0.36], mass=mass)
            scene.add("right", sphere(0.05), [arm, 0, 0.36], mass=2.0)
            scene.contact("left", "plank", stiffness=1e7, restitution=0.1, friction=coulomb(0.8))
            scene.contact("right", "plank", stiffness=1e7, restitution=0.1, friction=coulomb(0.8))

            def judge(r, mass=mass):
                lean = math.asin(max(-1, min(1, float(r.axis("plank", (1, 0, 0))[-1][2]))))
                if mass == 2.0:
                    r.near(lean, 0.0, 2e-3, "lean [rad]")
                else:
                    r.true(lean * (mass - 2.0) > 0.01, f"leans the wrong way: {lean:.3g} rad")
            yield scene.judge(judge)


def list_springs():
    """A weight on a spring: depth m g / k and period; a spring between two carts parts them by momentum."""
    for method in METHODS + ("ncp",):
        for mass, k in ((1e-3, 4.0), (1.0, 400.0), (2e4, 1e6)):
            w = math.sqrt(k / mass)
            scene = make(f"weight on spring m={mass}", 2.25 * 2 * math.pi / w, method)
            if scene.run.get("step"):
                scene.run["step"] = 2 * math.pi / w / 2000
            length = 4 * mass * G / k
            scene.link("weight", sphere(0.1 * length), "prismatic", mass=mass, axis=[0, 0, 1])
            scene.spring("weight", "world", point_b=[0, 0, length], stiffness=k, rest_length=length)
            yield scene.judge(lambda r, s=mass * G / k: (r.near(float(r.end("weight")[2]), -s, 0.03 * s, "middle of the swing [m]"),
                                                         r.near(float(r.position("weight")[:, 2].min()), -2 * s, 0.02 * s, "depth [m]")))
        scene = make("carts part", 1.0, method, gravity=(0, 0, 0))
        for name, x, mass in (("a", 0.0, 1.0), ("b", 0.2, 3.0)):
            scene.link(name, sphere(0.02), "prismatic", mass=mass, axis=[1, 0, 0], parent_position=[x, 0, 0])
        scene.spring("a", "b", stiffness=100, rest_length=0.3)
        yield scene.judge(lambda r: (r.near(1.0 * r.velocity("a")[-1][0] + 3.0 * r.velocity("b")[-1][0], 0, 1e-6, "momentum"),))
        scene = make("jack-in-the-box", 1.0, method)
        scene.link("plate", plane((0, 0, 1)), "prismatic", mass=0.1, axis=[0, 0, 1], coordinates=[-0.05], stiffness=2000,
                   rest=0.0, upper=0.0, limit_stiffness=1e6, limit_damping=100, body={"inertia": [1, 1, 1]})
        scene.add("jack", sphere(0.05), [0, 0, 0.0], mass=0.2).contact(restitution=0.2, stiffness=1e7)
        # Spring and weights: (1/2 k s^2 - (m + M) g s) (m / (m + M)) is the jack's; it rises by that over m g.
        energy = (0.5 * 2000 * 0.05**2 - 0.3 * G * 0.05) * 0.2 / 0.3
        yield scene.judge(lambda r, h=energy / (0.2 * G): r.near(float(r.position("jack")[:, 2].max()) - 0.05, h, 0.08 * h, "rise [m]"))


def list_motors():
    """Motors: the limit of force decides whether the arm is held; a driven wheel gains at most mu g."""
    for method in METHODS:
        for limit in (6.0, 4.0):
            scene = make(f"arm held with {limit} N m", 3.0, method)
            scene.link("arm", sphere(0.02), "revolute", mass=1, axis=[0, -1, 0], child_position=[-0.5, 0, 0], damping=0.3,
                       motor={"mode": "position", "value": 0.0, "gain": 500, "derivative_gain": 20, "force_limit": limit})

            def judge(r, limit=limit):
                lean = math.asin(float(r.end("arm")[2]) / 0.5)
                if limit > 0.5 * G:
                    r.near(lean, -0.5 * G / 500, 2e-3, "lean [rad]")
                else:
                    r.true(lean < -0.3, f"held by a motor too weak: {lean:.3g} rad")
            yield scene.judge(judge)
        scene = make("wheel spins up", 1.0, method)
        scene.add("wheel", lying(cylinder(0.2, 0.05)), [0, 0, 0.2], mass=5, angular_velocity=[0, 60, 0]).ground()
        scene.contact(friction=coulomb(0.3), stiffness=1e7)
        yield scene.judge(lambda r: r.near(r.velocity("wheel")[-1][0], 0.3 * G, 0.05, "speed [m/s]"))


def list_tops():
    """Tops: slow precession m g l / (I w); free spins keep energy and angular momentum."""
    for method in ("adaptive", "adaptive rk", "explicit", "lcp"):
        scene = make("gyroscope", 2.0, method)
        spin, arm = 400.0, 0.1
        scene.link("rotor", {**lying(cylinder(0.05, 0.02), (0, 1, 0))}, "spherical", mass=1, child_position=[-arm, 0, 0],
                   velocities=[spin, 0, G * arm / (0.5 * 0.05**2 * spin)])

        def judge(r):
            turn = angle(r, "rotor")
            rate = (turn[-1] - turn[0]) / r.time[-1]
            r.near(rate, G * arm / (0.5 * 0.05**2 * spin), 0.03 * 2, "precession [rad/s]")
            r.near(float(r.end("rotor")[2]), 0, 5e-3, "height [m]")
        yield scene.judge(judge)
        scene = make("book tumbles", 10.0, method, gravity=(0, 0, 0))
        scene.add("book", box(0.2, 0.13, 0.03), [0, 0, 0], angular_velocity=[0.05, 10, 0.05])

        def judge_book(r):
            inertia = numpy.array([0.13**2 + 0.03**2, 0.2**2 + 0.03**2, 0.2**2 + 0.13**2]) / 12
            momentum = [sum(inertia[k] * (a[i] @ w) * a[i] for k, a in enumerate(axes)) for i, w in enumerate(r.spin("book"))] \
                if (axes := [r.axis("book", e) for e in numpy.eye(3)]) else []
            momentum = numpy.array(momentum)
            r.near(float(numpy.linalg.norm(momentum - momentum[0], axis=1).max() / numpy.linalg.norm(momentum[0])), 0, 0.01,
                   "angular momentum, relative change")
            r.true(float(r.axis("book", (0, 1, 0))[:, 1].min()) < 0, "the book never turned over")
        yield scene.judge(judge_book)


FAMILIES = (list_doors, list_pendulums, list_chains, list_grippers, list_prescribed, list_balances, list_springs, list_motors,
            list_tops)
