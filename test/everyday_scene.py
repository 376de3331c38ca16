"""An everyday scene: written as a newcomer would write it, run once, and judged by statics, kinematics or a conservation law.

    scene = Scene("box-slides", duration=2, method="lcp", step=1e-3)
    scene.add("box", box(0.2, 0.2, 0.1), [0, 0, 0.05], velocity=[2, 0, 0])
    scene.ground()
    scene.contact(friction=coulomb(0.4))
    scene.judge(lambda r: r.near(r.end("box")[0], 2**2 / (2 * 0.4 * G), 0.01, "way [m]"))

Verdicts: `right`; `refused` (exit 1, in words, before it ran); `stopped` (exit 2, in words); `told` (not right, and a note says
so); `slow`; `WRONG`.
"""

import json
import math
import subprocess
import time

import h5py
import numpy

G = 9.81  # [m/s^2]
FLOOR = {"type": "half-space", "normal": [0, 0, 1]}
# Of the energy turned over: an adaptive run keeps 1e-6 a step, and a run of many steps or touches some ten times that.
ADAPTIVE_GAIN = 3e-5


class Wrong(Exception):
    """The run is not right; the text says how."""


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    return repr(float(value)) if not isinstance(value, int) else str(value)


def sphere(radius):
    return {"type": "sphere", "radius": radius}


def box(*size):
    return {"type": "box", "size": list(size)}


def cylinder(radius, length, **more):
    return {"type": "cylinder", "radius": radius, "length": length, **more}


def capsule(radius, length, **more):
    return {"type": "capsule", "radius": radius, "length": length, **more}


def polyhedron(vertices):
    return {"type": "polyhedron", "vertices": vertices}


def plane(normal, offset=0.0):
    return {"type": "half-space", "normal": list(normal), "offset": offset}


def lying(shape, axis=(1, 0, 0)):
    """A shape with its z axis laid along y (or, turned about y, along x)."""
    return {**shape, "rotation": {"axis": list(axis), "degrees": 90}}


def turned(axis, degrees):
    return {"axis": list(axis), "degrees": degrees}


def coulomb(mu):
    return {"law": "coulomb", "mu": mu}


def bristle(mu, mu_s=None):
    return {"law": "bristle", "mu_c": mu, "mu_s": mu if mu_s is None else mu_s}


def lugre(mu):
    return {"law": "lugre", "mu_s": mu, "mu_d": mu}


def rotate(quaternion, vector):
    w, u = quaternion[..., :1], quaternion[..., 1:]
    t = 2 * numpy.cross(u, vector)
    return vector + w * t + numpy.cross(u, t)


class Scene:
    def __init__(self, name, duration, method="adaptive", step=None, gravity=(0, 0, -G), limit=30.0, **run):
        self.name, self.limit, self.method = name, limit, method
        self.head = [f"gravity = {toml(list(gravity))}"] if tuple(gravity) != (0, 0, -G) else []
        self.run = {"duration": duration, "method": method, **({} if step is None else {"step": step}), **run}
        self.parts, self.files, self.judges = [], {}, []
        self.passive = True  # nothing feeds energy in
        self.may_refuse = False  # a refusal in words is a right answer
        self.gain = ADAPTIVE_GAIN
        self.twin = None  # the same scene, written in another way

    def entry(self, kind, keys):
        self.parts.append(f"[[{kind}]]\n" + "".join(f"{json.dumps(k) if not k.isidentifier() else k} = {toml(v)}\n" for k, v in keys.items()
                                                  if v is not None))
        return self

    def add(self, name, shape, position=(0, 0, 0), mass=1.0, **more):
        return self.entry("body", {"name": name, "mass": None if "density" in more else mass, "shape": shape,
                                   "position": list(position), **more})

    def fixed(self, name, shape, position=(0, 0, 0), **more):
        return self.entry("body", {"name": name, "fixed": True, "shape": shape, "position": list(position), **more})

    def ground(self, name="ground"):
        return self.entry("body", {"name": name, "fixed": True, "shape": FLOOR})

    def link(self, name, shape, joint, mass=1.0, body=None, **keys):
        """A body that hangs on a joint."""
        self.entry("body", {"name": name, "mass": mass, "shape": shape, **(body or {})})
        return self.joint(name + "-joint", joint, name, **keys)

    def joint(self, name, kind, child, **keys):
        if "motor" in keys or "motion" in keys:
            self.passive = False
        return self.entry("joint", {"name": name, "type": kind, "child": child, **keys})

    def spring(self, a, b, **keys):
        return self.entry("spring", {"between": [a, b], **keys})

    def force(self, body, **keys):
        self.passive = False
        return self.entry("force", {"body": body, **keys})

    def contact(self, a="*", b="*", region=None, stiffness=None, restitution=0.3, friction=None, normal=None, **more):
        stiffness = stiffness or {"volume": 1e9, "perimeter": 1e6}.get(region, 1e6)
        normal = normal or {"law": "gonthier", "stiffness": stiffness, "restitution": restitution}
        return self.entry("contact", {"between": [a, b], "region": region, "normal": normal, "friction": friction, **more})

    def judge(self, *functions):
        self.judges += functions
        return self

    def text(self):
        run = "[run]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in self.run.items())
        return "\n".join(self.head + [run] + self.parts)

    def write(self, folder):
        for name, content in self.files.items():
            (folder / name).write_text(content)
        (folder / "scene.toml").write_text(self.text())

    def attempt(self, program, folder):
        """Runs it in `folder`, after its twin; (verdict, words, seconds)."""
        if self.twin is not None:
            verdict, words, seconds = self.twin.attempt(program, folder / "twin")
            if verdict not in ("right", "told"):
                return ("refused" if verdict == "REFUSED" and self.may_refuse else verdict), "twin: " + words, seconds
        folder.mkdir(parents=True, exist_ok=True)
        self.write(folder)
        start = time.time()
        try:
            done = subprocess.run([program, "run", "scene.toml", "--out", "out", "--quiet"], cwd=folder, timeout=self.limit,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
        except subprocess.TimeoutExpired:
            return "slow", f"no answer in {self.limit:g} s", time.time() - start
        seconds = time.time() - start
        words = " ".join(done.stdout.split())
        if done.returncode == 1:
            return ("refused" if self.may_refuse else "REFUSED"), words[-300:], seconds
        if done.returncode not in (0, 2):
            return "WRONG", f"exit status {done.returncode}: {words[-300:]}", seconds
        result = Result(folder / "out")
        if self.twin is not None:
            result.twin = Result(folder / "twin" / "out")
        if done.returncode == 2:
            return "stopped", str(result.summary.get("message") or words[-300:]), seconds
        try:
            result.check_books(self)
            for function in self.judges:
                function(result)
        except Wrong as reason:
            notes = result.summary["notes"]
            return ("told" if notes else "WRONG"), f"{reason}" + (f" NOTES {notes}" if notes else ""), seconds
        except (KeyError, IndexError, ValueError, OSError) as reason:
            return "WRONG", f"the record cannot be judged: {reason!r}", seconds
        return "right", "; ".join(result.summary["notes"]), seconds


class Result:
    def __init__(self, folder):
        self.folder = folder
        try:
            self.summary = json.loads((folder / "summary.json").read_text())
        except OSError:
            self.summary = {"notes": []}
        self.file = None

    def read(self, name):
        if self.file is None:
            self.file = h5py.File(self.folder / "result.h5")
        return self.file[name][()]

    @property
    def time(self):
        return self.read("time")

    def index(self, body):
        return [n.decode() for n in self.read("body/name")].index(body)

    def position(self, body):
        return self.read("body/position")[:, self.index(body)]

    def velocity(self, body):
        return self.read("body/velocity")[:, self.index(body)]

    def turn(self, body):
        return self.read("body/orientation")[:, self.index(body)]

    def spin(self, body):
        return self.read("body/angular_velocity")[:, self.index(body)]

    def axis(self, body, axis=(0, 0, 1)):
        """A vector of the body's frame in the world, over time."""
        return rotate(self.turn(body), numpy.asarray(axis, float))

    def end(self, body):
        return self.position(body)[-1]

    def speed(self, body):
        return float(numpy.linalg.norm(self.velocity(body)[-1]))

    def force(self, a, b, last=None):
        """Sum of the contact forces on a from b at each sample, or their mean over the last seconds [N]."""
        time_, start = self.time, self.read("contact/row_start")
        rows = numpy.repeat(numpy.arange(len(time_)), numpy.diff(start))
        total, first, second = numpy.zeros((len(time_), 3)), self.read("contact/body_a"), self.read("contact/body_b")
        force = self.read("contact/force")
        for one, other, sign in ((a, b, 1), (b, a, -1)):
            chosen = (first == self.index(one)) & (second == self.index(other))
            numpy.add.at(total, rows[chosen], sign * force[chosen])
        return total if last is None else total[time_ > time_[-1] - last].mean(axis=0)

    def touches(self, a, b):
        pair = {self.index(a), self.index(b)}
        return [t for t, k, i, j in zip(self.read("event/time"), self.read("event/kind"), self.read("event/body_a"),
                                        self.read("event/body_b")) if k == 0 and {int(i), int(j)} == pair]

    # What is asked --------------------------------------------------------------------------------------------------
    @staticmethod
    def near(got, want, tolerance, what):
        if not abs(got - want) <= tolerance:
            raise Wrong(f"{what}: {got:.6g}, must be {want:.6g} within {tolerance:.2g}")

    @staticmethod
    def true(condition, what):
        if not condition:
            raise Wrong(what)

    def rests(self, body, speed=2e-3):
        v, w = numpy.linalg.norm(self.velocity(body)[-1]), numpy.linalg.norm(self.spin(body)[-1])
        if not v <= speed:
            raise Wrong(f"'{body}' does not rest: {v:.3g} m/s, {w:.3g} rad/s")

    def stays(self, body, way, since=0.0):
        p = self.position(body)[self.time >= since]
        moved = float(numpy.linalg.norm(p - p[0], axis=1).max())
        if not moved <= way:
            raise Wrong(f"'{body}' moves by {moved:.4g} m, must stay within {way:.2g} m")

    def above(self, body, height):
        low = float(self.position(body)[:, 2].min())
        if not low >= height:
            raise Wrong(f"'{body}' sinks to {low:.5g} m, must stay above {height:.5g} m")

    def check_books(self, scene):
        """Nothing is infinite, the ledger closes, and nothing feeds energy into what nothing drives."""
        if not numpy.isfinite(self.read("body/position")).all() or not numpy.isfinite(self.read("body/velocity")).all():
            raise Wrong("the motion is not finite")
        turnover = max(self.summary["energy_turnover"], 1e-300)
        # An adaptive run says so from 0.2 % on, one of fixed steps from 1 %: below that it prints it and is right.
        bound = 2e-3 if scene.method == "adaptive" else 1e-2
        if abs(self.summary["energy_worst_residual"]) > bound * turnover + 1e-15:
            raise Wrong(f"residual {self.summary['energy_worst_residual'] / turnover:.2g} of the turnover")
        if not scene.passive:
            return
        stored = sum(self.read(f"energy/{name}") for name in ("kinetic", "gravitational", "elastic", "bristle", "spring"))
        rise = float((stored - numpy.minimum.accumulate(stored)).max())
        # Velocities of fixed steps live half a step beside positions, so that their sum swings by what moves within one.
        bound = scene.gain if scene.method == "adaptive" else 5e-2
        if rise > bound * turnover + 1e-11 * max(1.0, float(abs(stored).max())):
            raise Wrong(f"energy rises by {rise / turnover:.2g} of the turnover ({rise:.3g} J)")


def slope_normal(degrees):
    a = math.radians(degrees)
    return (math.sin(a), 0.0, math.cos(a))
