#!/usr/bin/python3
"""Random drops and flights of random shapes under region = "volume": no energy is made.

    test/drop_scenes.py PROGRAM [--count N] [--first N] [--only WORD,...] [--limit S] [--list] [--keep FOLDER]

Each scene follows from its number. A body falls on a half-space, the edge of a table, a wedge or another body, or two
bodies meet in free flight; shapes, sizes, poses, speeds, spins and stiffness are drawn, a blow sinks in by a hundredth of
the size. Two of three are elastic and without friction, the others have restitution 0.5 and Coulomb friction. All other
keys are left out.

    right     kinetic + gravitational + stored energy never rises above what it was before by more than 1e-6 of the energy
              turned over, or ten times volume_error where volumes of two curved bodies are sliced, and the spring never holds less than
              nothing; `lost` counts elastic drops of pairs without a depth field that lose
    stopped   exit 2: the run says what is wrong
    slow      no answer in time
    WRONG     energy made, or a failure
"""

import argparse
import csv
import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

GRAVITY = 9.81  # [m/s^2]
VOLUME_ERROR = 1e-6  # default of the scene [1]


def write_mesh(path, corners, faces):
    lines = ["v %r %r %r" % tuple(c) for c in corners] + ["f " + " ".join(str(i + 1) for i in f) for f in faces]
    path.write_text("\n".join(lines) + "\n")


def write_rock(path, draw, size, rough):
    """An icosahedron split once, its corners moved in and out: star-shaped, with dents."""
    t = 0.5 * (1 + math.sqrt(5))
    corners = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t), (0, -1, -t), (0, 1, -t), (t, 0, -1),
               (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    middles, split = {}, []

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(corners)
            corners.append(tuple(0.5 * (p + q) for p, q in zip(corners[a], corners[b])))
        return middles[key]
    for a, b, c in faces:
        d, e, f = middle(a, b), middle(b, c), middle(c, a)
        split += [(a, d, f), (b, e, d), (c, f, e), (d, e, f)]
    scaled = []
    for c in corners:
        length = math.sqrt(sum(x * x for x in c))
        factor = size * (1 + rough * draw.uniform(-1, 1)) / length
        scaled.append(tuple(factor * x for x in c))
    write_mesh(path, scaled, split)


def write_box(path, half):
    corners = [tuple(s * h for s, h in zip(signs, half)) for signs in itertools.product((-1, 1), repeat=3)]
    write_mesh(path, corners, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])


def make_shape(kind, draw, folder, name):
    """(lines of the body, radius of a ball about it [m])."""
    size = draw.uniform(0.03, 0.08)
    if kind == "sphere":
        return f'shape = {{ type = "sphere", radius = {size} }}', size
    if kind in ("cube", "box", "rod", "plate"):
        half = {"cube": [size] * 3, "box": [size * draw.uniform(0.4, 1) for _ in range(3)], "rod": [0.15 * size, 0.15 * size, size],
                "plate": [size, size, 0.15 * size]}[kind]
        return f'shape = {{ type = "box", size = {[2 * h for h in half]} }}', math.hypot(*half)
    if kind in ("cylinder", "bar", "disc"):
        radius, half = {"cylinder": (size, size * draw.uniform(0.5, 1.5)), "bar": (0.2 * size, size), "disc": (size, 0.2 * size)}[kind]
        return f'shape = {{ type = "cylinder", radius = {radius}, length = {2 * half} }}', math.hypot(radius, half)
    if kind == "capsule":
        radius, half = size * draw.uniform(0.3, 0.7), size * draw.uniform(0.4, 1)
        return f'shape = {{ type = "capsule", radius = {radius}, length = {2 * half} }}', radius + half
    if kind == "cone":
        angle, height = draw.uniform(40, 90), 1.5 * size
        return (f'shape = {{ type = "cone", angle_degrees = {angle}, height = {height} }}',
                height / math.cos(math.radians(angle / 2)))
    if kind == "ellipsoid":
        axes = [size * draw.uniform(0.5, 1) for _ in range(3)]
        return f'shape = {{ type = "ellipsoid", semi_axes = {axes} }}', max(axes)
    if kind == "polyhedron":
        points = []
        for _ in range(draw.randint(5, 12)):
            p = [draw.gauss(0, 1) for _ in range(3)]
            points.append([size * x / math.hypot(*p) for x in p])
        return f'shape = {{ type = "polyhedron", vertices = {points} }}', size
    if kind == "box mesh":
        half = [size * draw.uniform(0.4, 1) for _ in range(3)]
        write_box(folder / f"{name}.obj", half)
        return f'shape = {{ type = "mesh", file = "{name}.obj" }}', math.hypot(*half)
    if kind == "rock":
        write_rock(folder / f"{name}.obj", draw, size, 0.15)
        return f'shape = {{ type = "mesh", file = "{name}.obj" }}', 1.15 * size
    if kind == "bracket":
        thick, width = 0.4 * size, 0.6 * size
        return (f'shape = [{{ type = "box", size = [{2 * size}, {width}, {thick}] }}, {{ type = "box", size = [{thick}, {width}, {size}], '
                f'position = [{thick / 2 - size}, 0, {thick / 2 + size / 2}] }}]'), 1.8 * size
    if kind in ("nut", "holed plate", "cup"):
        height = {"nut": 0.8, "holed plate": 0.3, "cup": 1.2}[kind] * size
        hole = size * draw.uniform(0.3, 0.7)
        bottom = 0.35 * height if kind == "cup" else -size
        outer = f'{{ type = "box", size = [{2 * size}, {2 * size}, {height}] }}'
        if kind == "cup":
            outer = f'{{ type = "cylinder", radius = {size}, length = {height} }}'
        return (f'shape = {{ type = "cell", part = [{outer}, {{ type = "cylinder", radius = {hole}, length = {4 * size}, '
                f'position = [0, 0, {bottom + 2 * size if kind == "cup" else 0}], complement = true }}] }}'), math.hypot(size, size, height)
    raise ValueError(kind)


FREE = ("sphere", "cube", "box", "rod", "plate", "cylinder", "bar", "disc", "capsule", "cone", "ellipsoid", "polyhedron", "box mesh",
        "rock", "bracket", "nut", "holed plate", "cup")
NO_FIELD = ("cone", "ellipsoid", "rock")
CURVED = ("cylinder", "bar", "disc", "capsule", "cone", "ellipsoid", "nut", "holed plate", "cup", "sphere")
GROUNDS = ("half-space", "table", "wedge", "body", "flight")


def random_turn(draw):
    axis = [draw.gauss(0, 1) for _ in range(3)]
    # Often near flush: faces, edges and corners that all but touch at once are where kernels and axes go wrong.
    degrees = draw.choice((0.0, 1e-6, 0.1, 5.0, 45.0, draw.uniform(0, 180), draw.uniform(0, 180)))
    return f"rotation = {{ axis = {axis}, degrees = {degrees} }}"


def make_scene(number, folder):
    """Writes scene.toml; returns (kind of body, kind of ground or other body, whether it is elastic)."""
    draw = random.Random(f"drop {number}")
    ground, kind = draw.choice(GROUNDS), draw.choice(FREE)
    text, radius = make_shape(kind, draw, folder, "a")
    elastic, speed = number % 3 != 0, draw.uniform(0.3, 1.5)
    other, other_text, reach = ground, "", 0.0
    if ground in ("body", "flight"):
        other = draw.choice(FREE)
        other_text, reach = make_shape(other, draw, folder, "b")
    elif ground == "half-space":
        other_text = 'shape = { type = "half-space", normal = [0, 0, 1] }'
    elif ground == "wedge":
        other_text = 'shape = { type = "wedge", normal_1 = [1, 0, 1], normal_2 = [-1, 0, 1] }'
    else:
        other_text, reach = 'shape = { type = "box", size = [0.4, 0.4, 0.2], position = [0.2, 0, -0.1] }', 0.0
    direction = [draw.gauss(0, 0.4), draw.gauss(0, 0.4), 1.0] if reach > 0 else [0, 0, 1.0]
    length = math.hypot(*direction)
    direction = [x / length for x in direction]
    gap = 0.01
    position = [(radius + reach + gap) * x for x in direction]
    if ground == "table":
        position[0] += draw.uniform(-0.8, 0.8) * radius
    aim = [0.3 * (radius + reach) * draw.uniform(-1, 1) if reach > 0 else 0.0 for _ in range(2)]
    velocity = [-speed * x for x in direction]
    position[0] += aim[0]
    position[1] += aim[1]
    spin = [draw.choice((0.0, draw.gauss(0, 5))) for _ in range(3)]
    # A blow at this speed sinks in by about a hundredth of the size: k L^2 d^2 / 2 = m v^2 / 2.
    depth = radius * draw.uniform(0.003, 0.02)
    stiffness = 500 * radius * speed**2 / depth**2
    friction = "" if elastic else 'friction = { law = "coulomb", mu_s = 0.3, mu_c = 0.3 }\n'
    gravity = "gravity = [0, 0, 0]\n" if ground == "flight" else ""
    free_b = f"velocity = [0, 0, 0]\nangular_velocity = {[draw.gauss(0, 3) for _ in range(3)]}\n" if ground == "flight" else "fixed = true\n"
    (folder / "scene.toml").write_text(f"""{gravity}[run]
duration = {0.15 + 2 * (gap + 0.4 * radius) / speed}

[[body]]
name = "a"
density = 1000
position = {position}
{random_turn(draw)}
velocity = {velocity}
angular_velocity = {spin}
{text}

[[body]]
name = "b"
{free_b}{random_turn(draw) if reach > 0 else ""}
{other_text}

[[contact]]
between = ["a", "b"]
region = "volume"
normal = {{ law = "gonthier", stiffness = {stiffness}, restitution = {1.0 if elastic else 0.5} }}
{friction}""")
    return kind, other, elastic


def has_field(kind, other):
    """Ellipsoids carry a field where the other body has nothing better, cones against cones."""
    return kind not in NO_FIELD or other not in NO_FIELD or "ellipsoid" in (kind, other) or kind == other == "cone"


def judge_energy(out, limit):
    """(words where energy was made, relative change of the energy from first to last)."""
    low, rise, first, last, lowest, at = math.inf, 0.0, None, 0.0, 0.0, 0.0
    with open(out / "energy.csv", newline="") as file:
        for row in csv.DictReader(file):
            row = {key.split(" ")[0]: float(value) for key, value in row.items()}
            last = row["kinetic"] + row["gravitational"] + row["elastic"] + row["bristle"]
            first = last if first is None else first
            low = min(low, last)
            if last - low > rise:
                rise, at = last - low, row["time"]
            lowest = min(lowest, row["elastic"])
    turnover = json.loads((out / "summary.json").read_text())["energy_turnover"]
    change = (last - first) / turnover if turnover > 0 else 0.0
    if not math.isfinite(last):
        return "not a number", change
    if rise > limit * turnover + 1e-12:
        return f"made {rise / turnover:.3g} of the turnover by {at:.4g} s", change
    if lowest < -limit * turnover - 1e-12:
        return f"stored {lowest / turnover:.3g} of the turnover", change
    return "", change


def attempt(program, folder, number, limit=20.0):
    """(verdict, words)."""
    kind, other, elastic = make_scene(number, folder)
    out = folder / "out"
    for old in out.glob("*"):
        old.unlink()
    name = f"{number}: {kind}, {other}{'' if elastic else ', damped'}"
    try:
        done = subprocess.run([program, "run", str(folder / "scene.toml"), "--out", str(out), "--csv", "--quiet"], timeout=limit,
                              text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, NO_COLOR="1"), check=False)
    except subprocess.TimeoutExpired:
        return "slow", name
    if done.returncode == 2:
        return "stopped", f"{name}: {' '.join(done.stdout.split())[-300:]}"
    if done.returncode != 0:
        return "WRONG", f"{name}: exit status {done.returncode}: {' '.join(done.stdout.split())[-300:]}"
    is_sliced = kind in CURVED and other in CURVED
    wrong, change = judge_energy(out, 10 * VOLUME_ERROR if is_sliced else 1e-6)
    if wrong:
        return "WRONG", f"{name}: {wrong}"
    if elastic and change < -1e-3:
        return ("WRONG" if has_field(kind, other) else "lost"), f"{name}: lost {-change:.3g} of the turnover"
    return "right", name


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--count", type=int, default=1000)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--only", default="", help="words that the description of a scene must hold, with commas")
    arguments.add_argument("--limit", type=float, default=20.0, help="seconds for one run")
    arguments.add_argument("--list", action="store_true", help="print every answer")
    arguments.add_argument("--keep", help="folder in which the last scene is left")
    options = arguments.parse_args()
    counts = {}
    with tempfile.TemporaryDirectory(prefix="abut-drops-") as name:
        folder = pathlib.Path(options.keep or name)
        folder.mkdir(exist_ok=True)
        for number in range(options.first, options.first + options.count):
            if options.only:
                kind, other, elastic = make_scene(number, folder)
                described = f"{number}: {kind}, {other}{'' if elastic else ', damped'}"
                if not all(word in described for word in options.only.split(",")):
                    continue
            verdict, words = attempt(os.path.abspath(options.program), folder, number, options.limit)
            counts[verdict] = counts.get(verdict, 0) + 1
            if options.list or verdict != "right":
                print(f"{verdict:8} {words}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts.get("WRONG") else 0


if __name__ == "__main__":
    sys.exit(main())
