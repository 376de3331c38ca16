#!/usr/bin/python3
"""Does a run that was killed and gone on with in another process leave the bits of one that was never stopped? For every
example and case as it is run there, and every example and case scene under every method that takes it.

usage: test/resume_sweep.py ABUT [--drop-scratch] [--sample N] [--seed N] [--limit S] [--only GLOB]... [--list]

Each run is made whole within --limit seconds of wall time (shortened by tens where it takes longer), then once more,
saved at every step or every few milliseconds and killed soon after it was saved for the first time, and gone on with.
One line a run: "same", "DIFFERS" with the datasets, "refused" where the scene does not go with the method,
"slow" where nothing of it ends in time, "short" where it had ended before it could be killed (it goes on from its
last steps then, and is compared all the same). Exit status: 0 all the same, 1 some differ.

With --drop-scratch a run is not killed: after each of its steps all that is not saved of it is made anew.
"""
import argparse
import fnmatch
import importlib.machinery
import importlib.util
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Saved at every step, or every few milliseconds where steps are many.
INTERVALS = ("5ms", "0.001ms")
OTHER_METHODS = (("adaptive", ()), ("explicit", ("run.step=1e-4",)), ("lcp", ("run.step=1e-3",)),
                 ("ncp", ("run.step=1e-3",)))
# They are adaptive, and have a past of many steps.
MULTISTEP = ("bdf", "adams")


def load_result_hashes():
    loader = importlib.machinery.SourceFileLoader("result_hashes", str(ROOT / "tools/result_hashes"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("result_hashes", loader))
    loader.exec_module(module)
    return module


hashes = load_result_hashes()


def list_runs():
    """(name, scene, overrides) of all runs, in a fixed order."""
    runs = hashes.list_runs()
    scenes = {}
    for _, scene, _ in runs:
        scenes.setdefault(scene.resolve(), scene)
    for path, scene in scenes.items():
        own = tomllib.loads(path.read_text())["run"].get("method", "adaptive")
        for method, sets in OTHER_METHODS:
            if method != own:
                runs.append((f"{scene.relative_to(ROOT).with_suffix('')} under {method}", scene,
                             (f"run.method={method}", *sets)))
        for integrator in MULTISTEP:
            runs.append((f"{scene.relative_to(ROOT).with_suffix('')} by {integrator}", scene,
                         ("run.method=adaptive", f"run.integrator={integrator}")))
    return runs


def find_differences(folder, process):
    """Of the records in cut/ and whole/: one line, or nothing."""
    expected = hashes.hash_record(f"{folder}/whole/result.h5")
    try:
        found = hashes.hash_record(f"{folder}/cut/result.h5")
    except OSError as error:
        return f"DIFFERS: the record cannot be read: {error} {process.stderr.strip()[:200]}"
    names = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    if not names:
        return ""
    return f"DIFFERS in {len(names)} of {len(expected)}: {', '.join(names[:6])} {process.stderr.strip()[:200]}"


class Interrupted:
    """One run with its folder, made whole, and killed and gone on with or robbed of its scratch."""

    def __init__(self, command, scene, overrides, limit, drops_scratch):
        self.command, self.limit, self.drops_scratch = command, limit, drops_scratch
        self.arguments = [str(scene), *(part for text in overrides for part in ("--set", text))]
        self.duration = tomllib.loads(scene.read_text())["run"]["duration"]

    def abut(self, folder, *arguments, limit):
        return subprocess.run([self.command, "run", *arguments, "--quiet"], cwd=folder, timeout=limit, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def judge(self):
        with tempfile.TemporaryDirectory(prefix="abut-resume-") as folder:
            for _ in range(4):
                try:
                    whole = self.abut(folder, *self.arguments, "--duration", repr(self.duration), "--out", "whole",
                                      limit=self.limit)
                    break
                except subprocess.TimeoutExpired:
                    self.duration /= 10.0
            else:
                return "slow"
            if whole.returncode not in (0, 2):
                return "refused"
            return self.compare_dropped(folder) if self.drops_scratch else self.compare_killed(folder)

    def compare_dropped(self, folder):
        try:
            dropped = self.abut(folder, *self.arguments, "--duration", repr(self.duration), "--out", "cut",
                                "--drop-scratch", limit=60 * self.limit)
        except subprocess.TimeoutExpired:
            return "slow"
        return find_differences(folder, dropped) or "same"

    def compare_killed(self, folder):
        was_killed = False
        for interval in INTERVALS:
            was_killed = self.kill(folder, interval)
            if was_killed:
                break
        if not (pathlib.Path(folder) / "cut/checkpoint.bin").exists():
            return "short"
        resumed = self.abut(folder, "--resume", "cut", limit=30 * self.limit)
        return find_differences(folder, resumed) or ("same" if was_killed else "short")

    def kill(self, folder, interval):
        """Whether it was still running when it was killed."""
        saved = pathlib.Path(folder) / "cut/checkpoint.bin"
        saved.unlink(missing_ok=True)
        process = subprocess.Popen(
            [self.command, "run", *self.arguments, "--duration", repr(self.duration), "--out", "cut", "--checkpoint",
             interval], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30 * self.limit
        while process.poll() is None and time.monotonic() < deadline:
            if saved.exists():
                time.sleep(0.02)
                break
            time.sleep(0.001)
        process.kill()
        process.communicate()
        return process.returncode == -signal.SIGKILL


def main():
    parser = argparse.ArgumentParser(description="runs that are killed and gone on with, of every example and case")
    parser.add_argument("abut", help="the program")
    parser.add_argument("--drop-scratch", action="store_true", help="make all that is not saved anew, instead of killing")
    parser.add_argument("--sample", type=int, help="that many, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=5.0, help="wall time of one whole run [s]")
    parser.add_argument("--only", action="append", metavar="GLOB", help="runs whose names match")
    parser.add_argument("--list", action="store_true", help="print the names of the runs")
    options = parser.parse_args()
    runs = [run for run in list_runs()
            if not options.only or any(fnmatch.fnmatch(run[0], pattern) for pattern in options.only)]
    if options.sample is not None:
        runs = random.Random(options.seed).sample(runs, min(options.sample, len(runs)))
    if options.list:
        print("\n".join(run[0] for run in runs))
        return 0
    command = str(pathlib.Path(options.abut).resolve())
    counts = {}
    for name, scene, overrides in runs:
        answer = Interrupted(command, scene, overrides, options.limit, options.drop_scratch).judge()
        counts[answer.split()[0]] = counts.get(answer.split()[0], 0) + 1
        print(f"{answer:8}  {name}", flush=True)
    print(f"{len(runs)} runs: " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if "DIFFERS" in counts else 0


if __name__ == "__main__":
    sys.exit(main())
