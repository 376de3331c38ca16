"""Long check of the largest step that `abut check` advises: at nine tenths of it a run with explicit steps (rk4) closes
its ledger to 5 % of the energy turned over, at ten times it does not.

    step_advice_sweep.py ABUT [NAME ...]     all scenes of examples/ and cases/, or those whose path contains a NAME

Scenes that explicit steps cannot run are left out, with the word of the refusal. The books of perimeter contact close at any
step, by its guard: there ten times must stop or be noted. Runs of fewer than four steps of ten times the advice tell nothing.
Ends with 1 where nine tenths misses.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLOSES = 0.05  # of the turnover
# Runs longer than this many steps are cut short: a contact that is followed well for so long is followed well.
MOST_STEPS = 400_000
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def run(abut, arguments, seconds):
    try:
        done = subprocess.run([abut, *arguments], capture_output=True, text=True, timeout=seconds, check=False)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, "took too long"


def find_advice(abut, scene):
    code, text = run(abut, ["check", str(scene), "--set", "run.method=explicit", "--set", "run.step=1e-6"], 120)
    if code not in (0, 1) or code == 1 and "largest step" not in text:
        return None, text.strip().splitlines()[0] if text.strip() else "check failed"
    found = re.search(r"^largest step\s+rk4 ([0-9.e+-]+) (\w+)", text, re.MULTILINE)
    if not found:
        line = re.search(r"^largest step.*$", text, re.MULTILINE)
        return None, line.group(0) if line else "no advice"
    return float(found.group(1)) * UNITS[found.group(2)], re.search(r"^largest step.*$", text, re.MULTILINE).group(0)


def measure(abut, scene, step, duration, folder):
    """Worst residual over turnover and whether the run has notes; infinity where it stops; a word where it cannot run."""
    length = min(duration, MOST_STEPS * step)
    arguments = ["run", str(scene), "--out", str(folder), "--quiet", "--duration", repr(length)]
    for value in ("method=explicit", "integrator=rk4", f"step={step!r}"):
        arguments += ["--set", f"run.{value}"]
    code, text = run(abut, arguments, 240)
    if code == 2:
        # A tip that is smaller than its depth counts as gone through at any step.
        first = text.strip().splitlines()[0]
        return (first if "has gone through" in first else float("inf")), True
    if code != 0:
        return text.strip().splitlines()[0] if text.strip() else f"status {code}", False
    summary = json.loads((folder / "summary.json").read_text())
    return abs(summary["energy_worst_residual"]) / max(summary["energy_turnover"], 1e-300), bool(summary["notes"])


def find_duration(scene):
    found = re.search(r"^\s*duration\s*=\s*([0-9.e+-]+)", scene.read_text(), re.MULTILINE)
    return float(found.group(1)) if found else 1.0


def main():
    abut, names = sys.argv[1], sys.argv[2:]
    scenes = sorted((ROOT / "examples").glob("*.toml")) + sorted((ROOT / "cases").glob("*/*.toml"))
    missed = long = 0
    for scene in scenes:
        label = str(scene.relative_to(ROOT))
        if scene.name == "case.toml" or names and not any(name in label for name in names):
            continue
        step, words = find_advice(abut, scene)
        if step is None or step == float("inf"):
            print(f"{label}: left out: {words}", flush=True)
            continue
        duration = find_duration(scene)
        with tempfile.TemporaryDirectory() as folder:
            closes, _ = measure(abut, scene, 0.9 * step, duration, pathlib.Path(folder))
            if isinstance(closes, str):
                print(f"{label}: left out: {closes}", flush=True)
                continue
            beyond, is_noted = measure(abut, scene, 10.0 * step, duration, pathlib.Path(folder))
        is_told = is_noted and re.search(r'region\s*=\s*"perimeter"', scene.read_text()) is not None
        verdict = ""
        if closes > CLOSES:
            verdict, missed = "MISSES", missed + 1
        elif not isinstance(beyond, str) and beyond <= CLOSES and not is_told and duration > 40.0 * step:
            verdict, long = "could be longer", long + 1
        print(f"{label}: {step:.3g} s: {closes:.2g} at 0.9, {beyond} at 10  {verdict}", flush=True)
    print(f"{missed} miss at nine tenths of the advised step, {long} also close at ten times it")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
