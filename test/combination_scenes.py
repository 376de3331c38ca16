#!/usr/bin/python3
"""Every shape on every shape, under every region and method: right, or refused in words. There is no third outcome.

    test/combination_scenes.py ABUT [--sample N] [--seed N] [--only WORD,...] [--limit S] [--list] [--csv FILE]

Without --sample the whole product is run (58,752 scenes, hours); test/combinations_test.py runs a fixed sample. With --each
one scene of every pair, region and method is run, its naming, tilt and start chosen by --seed.

Each scene is the plainest one there is: the lower body is fixed with its highest place at z = 0; the upper one, 1 kg on a
vertical guide so that nothing rolls off, is laid on it or let go 1 mm above it, flush or leaning a little. All keys that may be
left out are left out. Where it must come to rest follows from the heights of both surfaces in closed form and from the law's
equation (test/combination_target.py), not from the program.

    right      exit 0, at rest at the depth of the law within a factor of two (hard contact: within 1e-4 of the size), carried
               by m g, and no energy made: adaptive 1e-6 of the turnover, ten times volume_error where volumes are sliced, under
               fixed steps what the run prints
    refused    exit 1, nothing was run, and few words name the bodies, or the region, and what to use instead
    noted      exit 0 or 2 and wrong, but the run says so
    slow       no answer within --limit
    WRONG      anything else
"""

import argparse
import csv
import functools
import itertools
import json
import math
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile

from combination_shapes import ENDLESS, SHAPES, write_cube
from combination_target import GRAVITY, MASS, Target

DURATION = 0.3  # [s]: thirty times the fall through 1 mm, and longer than any rebound at restitution 0.3
REGIONS, METHODS = ("point", "volume", "perimeter"), ("adaptive", "explicit", "lcp", "ncp", "micro")
COVERAGES = ("named", "glob", "class", "default")
TILTS, STARTS = (0.0, 1e-6, 0.1, 5.0), ("laid", "dropped")  # [degrees]
NORMALS = {"point": 'law = "gonthier", stiffness = 1e7, restitution = 0.3',
           "volume": 'law = "gonthier", stiffness = 1e9, restitution = 0.3',
           "perimeter": 'law = "gonthier", young = 1e7, poisson = 0.3, restitution = 0.3'}
STEPS = {(method, region): 1e-3 if method != "explicit" else 2e-4 if region == "perimeter" else 1e-4
         for method in METHODS for region in REGIONS}  # [s]
FALL = 1e-3  # [m]
SIZE = 0.1  # [m] of the bodies
HARD = 1e-4 * SIZE  # [m] that hard contact may sink, and the layer that ncp puts over it
RESOLUTION = 1e-7  # [m] of the search for the touch, and of rest
MOST_WORDS = 600  # characters of a refusal
FLAT = ("half-space", "box", "wedge", "polyhedron", "mesh", "cell")
# What facets are above or below the surface they stand for [m]: sagittas of pieces of 1/48 of a turn, on slopes of up to 45
# degrees.
FACETS = {name: 0.0 if name in FLAT else math.sqrt(2) * (0.3 if name in ("bore", "cavity") else 0.08) *
          (1 - math.cos(math.pi / 48)) for name in SHAPES}
FACETED = {"perimeter": tuple(SHAPES), "volume": ("torus", "bowl", "cavity"), "point": ()}


def list_all():
    pairs = [(b, a) if a in ENDLESS else (a, b) for a, b in itertools.combinations_with_replacement(SHAPES, 2)]
    return list(itertools.product(pairs, TILTS, REGIONS, METHODS, COVERAGES, STARTS))


def list_each(seed):
    """One scene of every pair, region and method."""
    choose = random.Random(seed)
    chosen = {}
    for case in list_all():
        chosen.setdefault((case[0], case[2], case[3]), []).append(case)
    return [choose.choice(cases) for cases in chosen.values()]


find_target = functools.lru_cache(maxsize=64)(Target)


def make_scene(upper, lower, region, method, coverage, tilt, height):
    step = f"step = {STEPS[method, region]!r}\n" if method != "adaptive" else ""
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


def calc_facets(case):
    (upper, lower), _, region, *_ = case
    return sum(FACETS[name] for name in (upper, lower) if name in FACETED[region])


def find_bounds(case, target, num_points):
    """Least and most that the upper body may be below the touch [m]."""
    _, _, region, method, _, start = case
    if method == "lcp":
        return -HARD, HARD
    if method == "ncp":
        return -HARD, 2 * HARD
    depth = target.calc_static_depth(region)
    # Several points share the load, by how they lie: each has between all of it and an even part.
    shared = depth * num_points ** (-2 / 3) if region == "point" else depth
    # What a body travels until the end of the step in which it touches lasts for a second ([Gonthier 2007 (3.45)]).
    late = math.sqrt(2 * GRAVITY * FALL) * STEPS["explicit", region] if (method, start) == ("explicit", "dropped") else 0.0
    beside = calc_facets(case) + RESOLUTION
    return 0.5 * shared - beside, 2.0 * depth + late + beside


def judge_rest(out, case, target):
    poses = [row for row in read_rows(out / "body.csv") if row["body"] in ("upper", "body1")]
    contacts = [row for row in read_rows(out / "contact.csv") if float(row["time"]) >= 0.8 * DURATION]
    z, v = float(poses[-1]["position_z"]), float(poses[-1]["velocity_z"])
    if not (math.isfinite(z) and math.isfinite(v)):
        return "not a number"
    at_end = [row for row in contacts if row["time"] == contacts[-1]["time"] and float(row["normal_force"]) > 0]
    least, most = find_bounds(case, target, max(1, len(at_end)))
    sunk = target.touch - z
    if not least <= sunk <= most:
        return f"sunk by {1e3 * sunk:.4g} mm, expected {1e3 * least:.4g} to {1e3 * most:.4g} mm"
    if abs(v) > 2e-3:
        return f"not at rest: {1e3 * v:.3g} mm/s"
    times = [float(row["time"]) for row in poses if float(row["time"]) >= 0.8 * DURATION]
    force = sum(float(row["force_z"]) * (1 if row["body_a"] in ("upper", "body1") else -1) for row in contacts) / len(times)
    if abs(force - MASS * GRAVITY) > 0.02 * MASS * GRAVITY:
        return f"carried by {force:.4g} N, not {MASS * GRAVITY:.4g} N"
    return ""


def calc_allowed_part(case):
    """Of the turnover, that may be made under adaptive [1]."""
    (upper, lower), _, region, *_ = case
    is_sliced = region == "volume" and not {upper, lower} <= {"half-space", "box", "wedge", "polyhedron", "mesh", "sphere"}
    return 1e-5 if is_sliced else 1e-6  # ten times volume_error


def judge_energy(out, case):
    """Without friction nothing may be stored that was not there; under fixed steps the run says what the step made."""
    stored = ("kinetic", "gravitational", "elastic", "bristle", "spring")
    is_adaptive = case[3] == "adaptive"
    low, rise, residual = math.inf, 0.0, 0.0
    for row in read_rows(out / "energy.csv"):
        made = 0.0 if is_adaptive else float(row["relaxation"]) + float(row["geometry"]) - float(row["time_stepping"])
        total = sum(float(row[key]) for key in stored) - made
        low = min(low, total)
        rise, residual = max(rise, total - low), max(residual, float(row["residual"]))
        if float(row["elastic"]) < -1e-12:
            return f"{-float(row['elastic']):.2g} J less than nothing is stored"
    summary = json.loads((out / "summary.json").read_text())
    turnover, printed = float(summary["energy_turnover"]), abs(float(summary["energy_worst_residual"]))
    rounding = 1e-10  # [J], of half a joule of weight in some thousand steps, and what solvers of complementarity leave
    if is_adaptive:
        made, allowed = max(rise, residual), calc_allowed_part(case) * turnover + rounding
    else:
        made, allowed = rise, printed * (1 + 1e-6) + rounding
    return f"{made:.2g} J made, {turnover:.2g} J turned over" if made > allowed else ""


def is_good_refusal(text):
    names_bodies = any(f"'{name}'" in text for name in ("upper", "lower", "body1", "body2"))
    names_region = "region = " in text and "method" in text
    says_what = any(word in text for word in ("Use ", "needs ", "Give ", "takes "))
    return (names_bodies or names_region) and says_what and len(text) <= MOST_WORDS


def is_known_to_be_slow(case):
    """Volumes of blocks on the rim of a bowl, flush but for a millionth of a degree: 3 ms a look. Adaptive runs of a frustum there
    may also stop, since its one piece breaks into two and joins again by the last bit of its height."""
    (upper, lower), tilt, region, *_ = case
    return region == "volume" and upper in ("box", "polyhedron") and lower == "bowl" and 0 < tilt < 1e-3


def attempt(program, folder, case, limit=20):
    """What became of a scene: (verdict, words)."""
    (upper, lower), tilt, region, method, coverage, start = case
    is_endless = upper in ENDLESS
    target = None if is_endless else find_target(upper, lower, tilt)
    height = 0.0 if is_endless else target.touch + (FALL if start == "dropped" else 0.1 * RESOLUTION + calc_facets(case))
    path, out = folder / "scene.toml", folder / "out"
    path.write_text(make_scene(upper, lower, region, method, coverage, tilt, height))
    for old in out.glob("*"):
        old.unlink()
    done = subprocess.run([program, "run", str(path), "--out", str(out), "--csv", "--quiet"], text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, NO_COLOR="1"), check=False,
                          preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit + 1)))
    if done.returncode == -signal.SIGXCPU:
        return "slow", f"no answer in {limit} s of processor time"
    text = " ".join(done.stdout.replace(str(folder), "").split())
    if done.returncode == 1:
        return ("refused" if is_good_refusal(text) else "WRONG"), text[:600]
    if done.returncode == 2:
        return "noted", text[:400]
    if done.returncode != 0:
        return "WRONG", f"exit status {done.returncode}: {text[-200:]}"
    if is_endless:
        return "WRONG", "both are endless: must be refused"
    wrong = judge_rest(out, case, target) or judge_energy(out, case)
    if not wrong:
        return "right", ""
    notes = json.loads((out / "summary.json").read_text()).get("notes", [])
    return ("noted" if notes else "WRONG"), wrong + (f"; noted: {'; '.join(notes)[:200]}" if notes else "")


def describe(case):
    (upper, lower), tilt, region, method, coverage, start = case
    return f"{upper} on {lower}, {region}, {method}, {coverage}, {tilt:g} degrees, {start}"


def measure_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def choose_cases(options):
    cases = list_each(options.seed) if options.each else list_all()
    cases = [case for case in cases if all(word in describe(case) for word in options.only.split(",") if word)]
    if options.sample is None:
        return cases
    return sorted(random.Random(options.seed).sample(cases, min(options.sample, len(cases))), key=lambda case: case[:2])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--each", action="store_true", help="one scene of every pair, region and method")
    arguments.add_argument("--sample", type=int, help="only so many, chosen by --seed")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", default="", help="words that the description of a scene must hold, with commas")
    arguments.add_argument("--limit", type=int, default=20, help="seconds of processor time for one run")
    arguments.add_argument("--list", action="store_true", help="print every answer")
    arguments.add_argument("--csv", help="a file that takes every answer, with its processor time")
    options = arguments.parse_args()
    counts = {}
    table = csv.writer(open(options.csv, "a", encoding="utf-8", newline="", buffering=1)) if options.csv else None
    with tempfile.TemporaryDirectory(prefix="abut-combinations-") as name:
        folder = pathlib.Path(name)
        write_cube(folder)
        for case in choose_cases(options):
            before = measure_seconds()
            verdict, words = attempt(os.path.abspath(options.program), folder, case, options.limit)
            counts[verdict] = counts.get(verdict, 0) + 1
            if table:
                table.writerow([verdict, f"{measure_seconds() - before:.2f}", *case[0], *case[1:], words])
            if options.list or verdict not in ("right", "refused"):
                print(f"{verdict:8} {describe(case)}: {words}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 0 if set(counts) <= {"right", "refused"} else 1


if __name__ == "__main__":
    sys.exit(main())
