#!/usr/bin/python3
"""Every shape on every shape, under every region and method: right, or refused in words. There is no third outcome.

    test/combination_scenes.py [--sample N] [--seed N] [--only WORD,...] [--limit S] [--list]

Without --sample the whole product is run (some 40,000 scenes, hours); test/combinations_test.py runs a fixed sample.

Each scene is the plainest one there is: the lower body is fixed with its highest place at z = 0; the upper one, 1 kg on a
vertical guide so that nothing rolls off, is laid on it or let go 1 mm above it, flush or leaning a little. All keys that may be
left out are left out. Where it must come to rest follows from the heights of both surfaces over a grid, and under
region = "volume" from the volume between them, not from the program.

    right      exit 0, at rest where it should be, carried by m g, and no energy made beyond what the run prints
    refused    exit 1, nothing was run, and the words name the bodies, or the region, and what to use instead
    noted      exit 0 or 2 and wrong, but the run says so
    slow       no answer in time, of a pair that is known for it: the run says what it waits for
    WRONG      anything else
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

MASS, GRAVITY = 1.0, 9.81  # [kg], [m/s^2]
DURATION = 0.3  # [s]: thirty times the fall through 1 mm, and longer than any rebound at restitution 0.3
STEP = 0.8e-3  # [m] of the grid of heights
INF = math.inf


# Heights of the top and the bottom of a shape over (x, y), about its own origin; None where it is not.
def round_top(a, b, c, exponent=2.0):
    def height(x, y):
        rest = 1 - abs(x / a) ** exponent - abs(y / b) ** exponent
        return c * rest ** (1 / exponent) if rest >= 0 else None
    return height


def lens_top(x, y):  # two balls of 80 mm, their centres 60 mm apart, with the rim as rounded as it is by default
    square = 0.08**2 - x * x - y * y
    return math.sqrt(square) - 0.03 if square > 0.03**2 else None


def lying_top(length, radius, is_capsule):  # along x
    def height(x, y):
        beyond = max(0.0, abs(x) - length / 2)
        if beyond > 0 and not is_capsule:
            return None
        square = radius**2 - y * y - beyond**2
        return math.sqrt(square) if square >= 0 else None
    return height


def flat_top(half_x, half_y, height, hole=0.0):
    def top(x, y):
        inside = abs(x) <= half_x and abs(y) <= half_y and math.hypot(x, y) >= hole
        return height if inside else None
    return top


def frustum_top(x, y):
    m = max(abs(x), abs(y))
    return None if m > 0.05 else 0.05 if m <= 0.03 else 0.05 - 5 * (m - 0.03)


def cone_top(x, y):
    r = math.hypot(x, y)
    return -r / math.tan(math.pi / 6) if r <= 0.1 * math.tan(math.pi / 6) else None


def ring_top(ring, tube):
    def height(x, y):
        square = tube**2 - (math.hypot(x, y) - ring) ** 2
        return math.sqrt(square) if square >= 0 else None
    return height


def bowl_top(inner, outer, lip):  # a dish: lip < 0
    def height(x, y):
        square = x * x + y * y
        if square > outer**2 - lip**2:
            return None
        return lip if square >= inner**2 - lip**2 else -math.sqrt(inner**2 - square)
    return height


def bowl_bottom(outer, lip):
    return lambda x, y: None if x * x + y * y > outer**2 - lip**2 else -math.sqrt(outer**2 - x * x - y * y)


def below(top):
    return lambda x, y: None if top(x, y) is None else -top(x, y)


TURNED = "rotation = { axis = [0, 1, 0], degrees = 90 }"
CORNERS = "[[-0.05,-0.05,-0.05],[0.05,-0.05,-0.05],[0.05,0.05,-0.05],[-0.05,0.05,-0.05]," \
          "[-0.03,-0.03,0.05],[0.03,-0.03,0.05],[0.03,0.03,0.05],[-0.03,0.03,0.05]]"


def shape(text, top, bottom=None, rise=0.0):
    return {"text": text, "top": top, "bottom": bottom, "rise": rise}


def symmetric(text, top):
    return shape(text, top, below(top), top(0, 0) if top(0, 0) is not None else 0.05)


SHAPES = {
    "sphere": symmetric('type = "sphere", radius = 0.05', round_top(0.05, 0.05, 0.05)),
    "half-space": shape('type = "half-space", normal = [0, 0, 1]', lambda x, y: 0.0),
    "box": symmetric('type = "box", size = [0.12, 0.1, 0.08]', flat_top(0.06, 0.05, 0.04)),
    "cylinder": symmetric('type = "cylinder", radius = 0.04, length = 0.12, ' + TURNED, lying_top(0.12, 0.04, False)),
    "bore": shape('type = "bore", radius = 0.3, position = [0, 0, 0.3], ' + TURNED,
                  lambda x, y: 0.3 - math.sqrt(0.09 - y * y) if abs(y) < 0.3 else INF),
    "cone": shape('type = "cone", angle_degrees = 60, height = 0.1', cone_top,
                  lambda x, y: -0.1 if cone_top(x, y) is not None else None),
    "capsule": symmetric('type = "capsule", radius = 0.04, length = 0.1, ' + TURNED, lying_top(0.1, 0.04, True)),
    "ellipsoid": symmetric('type = "ellipsoid", semi_axes = [0.05, 0.07, 0.04]', round_top(0.05, 0.07, 0.04)),
    "wedge": shape('type = "wedge", normal_1 = [1, 0, 1], normal_2 = [-1, 0, 1]', lambda x, y: -abs(x)),
    "superquadric": symmetric('type = "superquadric", semi_axes = [0.05, 0.06, 0.04], exponent = 4',
                              round_top(0.05, 0.06, 0.04, 4.0)),
    "intersection": symmetric('type = "intersection", part = [{ type = "sphere", radius = 0.08, position = [0, 0, 0.03] }, '
                              '{ type = "sphere", radius = 0.08, position = [0, 0, -0.03] }]', lens_top),
    "polyhedron": shape(f'type = "polyhedron", vertices = {CORNERS}', frustum_top,
                        lambda x, y: -0.05 if frustum_top(x, y) is not None else None, 0.05),
    "mesh": symmetric('type = "mesh", file = "cube.obj"', flat_top(0.05, 0.05, 0.05)),
    "cell": symmetric('type = "cell", part = [{ type = "box", size = [0.12, 0.12, 0.1] }, '
                      '{ type = "cylinder", radius = 0.02, length = 0.2, complement = true }]',
                      flat_top(0.06, 0.06, 0.05, 0.02)),
    "torus": shape('type = "torus", ring_radius = 0.045, tube_radius = 0.015', ring_top(0.045, 0.015),
                   below(ring_top(0.045, 0.015)), 0.015),
    "cavity": shape('type = "cavity", radius = 0.3, position = [0, 0, 0.3]',
                    lambda x, y: 0.3 - math.sqrt(0.09 - x * x - y * y)),
    "bowl": shape('type = "bowl", radius = 0.06, thickness = 0.01, depth = 0.04', bowl_top(0.06, 0.07, -0.02),
                  bowl_bottom(0.07, -0.02), -0.02),
}
ENDLESS = ("half-space", "bore", "wedge", "cavity")
SLOPES = {"cavity": 0.4, "bowl": 1.0, "torus": 1.0}
REGIONS, METHODS = ("point", "volume", "perimeter"), ("adaptive", "explicit", "lcp", "ncp")
COVERAGES = ("named", "glob", "class", "default")
TILTS, STARTS = (0.0, 1e-6, 0.1, 5.0), ("laid", "dropped")  # [degrees]
VOLUME_STIFFNESS = 1e9  # [N/m^3]
NORMALS = {"point": 'law = "gonthier", stiffness = 1e7, restitution = 0.3',
           "volume": 'law = "gonthier", stiffness = 1e9, restitution = 0.3',
           "perimeter": 'law = "gonthier", young = 1e7, poisson = 0.3, restitution = 0.3'}
SINK = {"point": 0.4e-3, "perimeter": 6e-3}  # [m]: twice what the laws yield under 9.8 N; an apex on a mesh for the second
FACETS = 0.6e-3  # [m]: sagitta of the flat pieces of a round hole of 0.3 m and of a tip


def list_all():
    pairs = [(b, a) if a in ENDLESS else (a, b) for a, b in itertools.combinations_with_replacement(SHAPES, 2)]
    return list(itertools.product(pairs, REGIONS, METHODS, COVERAGES, TILTS, STARTS))


def turn(tilt):
    """Rotation by `tilt` degrees about (1, 0.6, 0)."""
    n, angle = math.hypot(1, 0.6), math.radians(tilt)
    u, v, c, s = 1 / n, 0.6 / n, math.cos(angle), math.sin(angle)
    return ((c + u * u * (1 - c), u * v * (1 - c), v * s), (u * v * (1 - c), c + v * v * (1 - c), -u * s),
            (-v * s, u * s, c))


def list_clearances(upper, lower, tilt):
    """For each piece of the leaning upper body's underside: how far above the lower body it is with its origin at 0."""
    matrix, top, rise = turn(tilt), SHAPES[lower]["top"], SHAPES[lower]["rise"]
    count = int(0.075 / STEP)
    for i, j in itertools.product(range(-count, count + 1), repeat=2):
        z = SHAPES[upper]["bottom"](i * STEP, j * STEP)
        if z is None:
            continue
        p = (i * STEP, j * STEP, z)
        x, y, height = (sum(m * q for m, q in zip(row, p)) for row in matrix)
        below_it = top(x, y)
        if below_it is not None:
            yield height - (below_it - rise)


class Target:
    """Where the upper body comes to rest."""

    def __init__(self, upper, lower, tilt):
        self.clearances = sorted(list_clearances(upper, lower, tilt))
        self.touch = -self.clearances[0]
        # Of what may touch beside a crest or a valley: corners in a hollow, edges on a ring.
        self.slope = max(SLOPES.get(name, math.tan(math.radians(5.0))) for name in (upper, lower))
        self.margin = STEP * self.slope if {upper, lower} & set(SLOPES) else 1e-5

    def calc_volume(self, depth):
        total = 0.0
        for clearance in self.clearances:
            into = depth - (clearance - self.clearances[0])
            if into <= 0:
                break
            total += into
        return total * STEP * STEP

    def calc_volume_depth(self):
        """Depth at which the volume between the two carries the weight [m]."""
        low, high = 0.0, 0.05
        for _ in range(40):
            middle = 0.5 * (low + high)
            if VOLUME_STIFFNESS * self.calc_volume(middle) < MASS * GRAVITY:
                low = middle
            else:
                high = middle
        return high


def make_scene(upper, lower, region, method, coverage, tilt, height):
    step = {"adaptive": "", "explicit": f"step = {2e-4 if region == 'perimeter' else 1e-4}\n"}.get(method, "step = 1e-3\n")
    names = ("body1", "body2") if coverage == "class" else ("upper", "lower")
    inertia = "inertia = [0.01, 0.01, 0.01]\n" if upper in ENDLESS else ""
    between = {"named": f'["{names[0]}", "{names[1]}"]', "glob": '["upp*", "low*"]', "class": '["body*", "body*"]'}
    entry = "[contact_default]\n" if coverage == "default" else f"[[contact]]\nbetween = {between[coverage]}\n"
    return f"""[run]
duration = {DURATION}
method = "{method}"
{step}
[[body]]
name = "{names[0]}"
mass = {MASS}
{inertia}shape = {{ {SHAPES[upper]['text']} }}

[[body]]
name = "{names[1]}"
fixed = true
position = [0, 0, {-SHAPES[lower]['rise']}]
shape = {{ {SHAPES[lower]['text']} }}

[[joint]]
name = "guide"
type = "prismatic"
child = "{names[0]}"
axis = [0, 0, 1]
coordinates = [{height!r}]
child_rotation = {{ axis = [1, 0.6, 0], degrees = {tilt} }}

{entry}region = "{region}"
normal = {{ {NORMALS[region]} }}
"""


def read_rows(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            yield {key.split(" ")[0]: value for key, value in row.items()}


def judge_rest(out, target, region, method):
    poses = [row for row in read_rows(out / "body.csv") if row["body"] in ("upper", "body1")]
    z, v = float(poses[-1]["position_z"]), float(poses[-1]["velocity_z"])
    if not (math.isfinite(z) and math.isfinite(v)):
        return "not a number"
    grid = STEP * target.slope + STEP**2 / 0.08  # what the grid of heights may miss
    sunk = target.touch - z
    if method == "lcp" or method == "ncp":
        # A layer of ncp is 1e-4 of the size; so is what hard contact may sink.
        least, most = -grid - 1e-5, grid + (1e-5 if method == "lcp" else 1e-4)
    elif region == "volume":
        depth = target.calc_volume_depth()
        least, most = 0.4 * depth - grid, 2.5 * depth + grid
    else:
        least, most = -grid - (FACETS if region == "perimeter" else 0.0), SINK[region] + grid
    if not least <= sunk <= most:
        return f"sunk by {1e3 * sunk:.4g} mm, expected {1e3 * least:.4g} to {1e3 * most:.4g} mm"
    if abs(v) > 2e-3:
        return f"not at rest: {1e3 * v:.3g} mm/s"
    times = [float(row["time"]) for row in poses if float(row["time"]) >= 0.8 * DURATION]
    force = sum(float(row["force_z"]) * (1 if row["body_a"] in ("upper", "body1") else -1)
                for row in read_rows(out / "contact.csv") if float(row["time"]) >= 0.8 * DURATION) / len(times)
    if abs(force - MASS * GRAVITY) > 0.02 * MASS * GRAVITY:
        return f"carried by {force:.4g} N, not {MASS * GRAVITY:.4g} N"
    return ""


def judge_energy(out, method):
    """Without friction nothing may be stored that was not there; under fixed steps the run says what the step made."""
    stored = ("kinetic", "gravitational", "elastic", "bristle", "spring")
    low, rise, turnover, residual, first = INF, 0.0, 0.0, 0.0, None
    for row in read_rows(out / "energy.csv"):
        made = 0.0 if method == "adaptive" else float(row["relaxation"]) - float(row["time_stepping"])
        total = sum(float(row[key]) for key in stored)
        first = total if first is None else first
        low, rise = min(low, total - made), max(rise, total - made - min(low, total - made))
        turnover, residual = max(turnover, float(row["kinetic"]), first - total), max(residual, abs(float(row["residual"])))
        if float(row["elastic"]) < -1e-9:
            return f"{-float(row['elastic']):.2g} J less than nothing is stored"
    allowed = 1e-5 * turnover + 1e-9 + (0.0 if method == "adaptive" else 2 * residual)
    return f"{rise:.2g} J made, {turnover:.2g} J turned over" if rise > allowed else ""


def is_good_refusal(text):
    names_bodies = any(f"'{name}'" in text for name in ("upper", "lower", "body1", "body2"))
    names_region = "region = " in text and "method" in text
    return (names_bodies or names_region) and any(word in text for word in ("Use ", "needs ", "Give ", "takes "))


def is_known_to_be_slow(case):
    """Two curved surfaces that lie close along a line are sliced finely: tens of milliseconds a look. So is the wall of a
    bowl with anything but a ball or a plane, and a ring has four thousand facets."""
    (upper, lower), region, *_ = case
    if region != "volume":
        return False
    curved = ("ellipsoid", "cone", "capsule", "cylinder", "cell")
    if "bore" in (upper, lower) and upper in curved:
        return True
    if "cell" in (upper, lower) and upper in curved and lower in curved:  # its hole is the second curved surface
        return True
    return "torus" in (upper, lower) or ("bowl" in (upper, lower) and not {upper, lower} & {"sphere", "half-space"})


def attempt(program, folder, case, limit=20.0):
    """What became of a scene: (verdict, words)."""
    (upper, lower), region, method, coverage, tilt, start = case
    is_endless = upper in ENDLESS
    target = None if is_endless else Target(upper, lower, tilt)
    # Laid a little above, so that what the grid of heights misses is no overlap.
    height = 0.0 if is_endless else target.touch + (1e-3 if start == "dropped" else target.margin)
    path, out = folder / "scene.toml", folder / "out"
    path.write_text(make_scene(upper, lower, region, method, coverage, tilt, height))
    for old in out.glob("*"):
        old.unlink()
    try:
        done = subprocess.run([program, "run", str(path), "--out", str(out), "--csv", "--quiet"], timeout=limit, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=dict(os.environ, NO_COLOR="1"), check=False)
    except subprocess.TimeoutExpired:
        return ("slow" if is_known_to_be_slow(case) else "WRONG"), f"no answer in {limit:g} s"
    text = " ".join(done.stdout.replace(str(folder), "").split())
    if done.returncode == 1:
        return ("refused" if is_good_refusal(text) else "WRONG"), text[:400]
    if done.returncode == 2:
        return "noted", text[:400]
    if done.returncode != 0:
        return "WRONG", f"exit status {done.returncode}: {text[-200:]}"
    if is_endless:
        return "WRONG", "both are endless: must be refused"
    wrong = judge_rest(out, target, region, method) or judge_energy(out, method)
    if not wrong:
        return "right", ""
    notes = json.loads((out / "summary.json").read_text()).get("notes", [])
    return ("noted" if notes else "WRONG"), wrong + (f"; noted: {'; '.join(notes)[:200]}" if notes else "")


def write_cube(folder):
    corners = [(x, y, z) for x in (-0.05, 0.05) for y in (-0.05, 0.05) for z in (-0.05, 0.05)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    lines = ["v %g %g %g" % c for c in corners] + ["f %d %d %d %d" % tuple(i + 1 for i in f) for f in faces]
    (folder / "cube.obj").write_text("\n".join(lines) + "\n")


def describe(case):
    (upper, lower), region, method, coverage, tilt, start = case
    return f"{upper} on {lower}, {region}, {method}, {coverage}, {tilt:g} degrees, {start}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--sample", type=int, help="only so many, chosen by --seed")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="", help="words that the description of a scene must hold, with commas")
    arguments.add_argument("--limit", type=float, default=20.0, help="seconds for one run")
    arguments.add_argument("--list", action="store_true", help="print every answer")
    options = arguments.parse_args()
    cases = [case for case in list_all() if all(word in describe(case) for word in options.only.split(",") if word)]
    if options.sample is not None:
        cases = random.Random(options.seed).sample(cases, min(options.sample, len(cases)))
    counts = {}
    with tempfile.TemporaryDirectory(prefix="abut-combinations-") as name:
        folder = pathlib.Path(name)
        write_cube(folder)
        for case in cases:
            verdict, words = attempt(os.path.abspath(options.program), folder, case, options.limit)
            counts[verdict] = counts.get(verdict, 0) + 1
            if options.list or verdict in ("WRONG", "noted"):
                print(f"{verdict:8} {describe(case)}: {words}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts.get("WRONG") else 0


if __name__ == "__main__":
    sys.exit(main())
