#!/usr/bin/python3
"""Several hundred everyday scenes at defaults, each judged from physics: rest, momentum, ways, periods, thresholds, symmetry.

    test/everyday_scenes.py PROGRAM [GLOB...] [--share I/N] [--list] [--keep FOLDER] [--jobs N] [--limit S]

Prints what is not right, and counts. Exit status 1 where a scene is WRONG, refused for no reason, or does not end.
"""

import argparse
import concurrent.futures
import fnmatch
import importlib
import os
import pathlib
import re
import sys
import tempfile

ROOMS = ("balls", "machines", "piles", "grounds", "twins", "motions", "fixed", "volumes", "loads", "rests")


def list_scenes():
    scenes = [scene for room in ROOMS for family in importlib.import_module("everyday_" + room).FAMILIES for scene in family()]
    names = [scene.name for scene in scenes]
    if len(set(names)) != len(names):
        raise SystemExit("two scenes are called " + next(n for n in names if names.count(n) > 1))
    return scenes


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("names", nargs="*", help="globs")
    options.add_argument("--share", default="0/1", help="every N-th scene, from the I-th on")
    options.add_argument("--list", action="store_true")
    options.add_argument("--keep", type=pathlib.Path, help="folder for scenes and records")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--limit", type=float, help="seconds a scene, instead of its own")
    options.add_argument("--verbose", action="store_true", help="right ones too")
    options = options.parse_intermixed_args()
    first, count = map(int, options.share.split("/"))
    chosen = [s for s in list_scenes() if not options.names or any(fnmatch.fnmatch(s.name, n) for n in options.names)][first::count]
    if options.list:
        print("\n".join(scene.name for scene in chosen))
        return 0
    program = str(pathlib.Path(options.program).resolve())
    counts = {}
    with tempfile.TemporaryDirectory(prefix="abut-everyday-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        root = options.keep or pathlib.Path(scratch)

        def attempt(scene):
            if options.limit:
                scene.limit = options.limit
            return scene.attempt(program, root / re.sub(r"[^\w.=-]+", "_", scene.name))
        for scene, (verdict, words, seconds) in zip(chosen, pool.map(attempt, chosen)):
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != "right" or words or options.verbose:
                print(f"{verdict:8} {seconds:5.1f} s  {scene.name}: {words}", flush=True)
    print(f"{len(chosen)} scenes: " + ", ".join(f"{n} {v}" for v, n in sorted(counts.items())))
    return int(any(counts.get(v) for v in ("WRONG", "REFUSED", "slow")))


if __name__ == "__main__":
    sys.exit(main())
