#!/usr/bin/python3
"""A hopping carriage in two halves: the foot and its contact with the floor in a unit, the carriage and the spring between
them here. Compared with the scene that holds both, for shorter and shorter communication steps.

    examples/fmu/coupled.py ./abut [--fmi 2.0]

held    the force at the beginning of a step holds until its end: first order
mean    the step is taken, the unit set back, and the step taken again with the mean of the forces at both ends: second
        order, except where the foot touches within a step"""

import argparse
import math
import pathlib
import subprocess
import tempfile

from importer import Unit

HERE = pathlib.Path(__file__).resolve().parent
STIFFNESS, DAMPING, REST_LENGTH = 600.0, 8.0, 0.4  # N/m, N s/m, m: as in hopper.toml
MASS, GRAVITY = 3.0, 9.81  # kg, m/s^2
START, END = 0.55, 1.5  # m, s


def spring_force(z, v, foot_z, foot_v):
    """On the foot, upwards [N]."""
    return STIFFNESS * (z - foot_z - REST_LENGTH) + DAMPING * (v - foot_v)


def move(z, v, force, step):
    """The carriage under a force that holds: exact."""
    a = -GRAVITY - force / MASS
    return z + step * v + 0.5 * a * step**2, v + step * a


def look(run):
    return run.get("body.foot.position")[2], run.get("body.foot.velocity")[2]


def run_coupled(unit, step, is_mean):
    """Where the carriage and the foot are at the end [m]."""
    run = unit.instantiate()
    run.initialize()
    z, v = START, 0.0
    for k in range(round(END / step)):
        run.time = k * step
        foot_z, foot_v = look(run)
        force = spring_force(z, v, foot_z, foot_v)
        before = run.get_state() if is_mean else None
        run.set("body.foot.force", [0.0, 0.0, force])
        run.step(step)
        next_z, next_v = move(z, v, force, step)
        if is_mean:
            mean = 0.5 * (force + spring_force(next_z, next_v, *look(run)))
            run.set_state(before)
            run.free_state(before)
            run.time = k * step
            force = mean
            run.set("body.foot.force", [0.0, 0.0, force])
            run.step(step)
            next_z, next_v = move(z, v, force, step)
        z, v = next_z, next_v
    foot_z = run.get("body.foot.position")[2]
    run.terminate()
    run.free()
    return z, foot_z


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("abut")
    parser.add_argument("--fmi", default="3.0", choices=["2.0", "3.0"])
    parser.add_argument("--halvings", type=int, default=5)
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="coupled-"))
    for name in ("foot", "hopper"):
        subprocess.run([arguments.abut, "export-fmu", HERE / f"{name}.toml", "-o", folder / f"{name}.fmu", "--fmi",
                        arguments.fmi, "--quiet"], check=True)
    with Unit(folder / "hopper.fmu") as whole:
        run = whole.instantiate()
        run.initialize()
        run.step(END)
        exact = run.get("joint.rail.q"), run.get("body.foot.position")[2]
        run.free()
    print(f"one scene: carriage at {exact[0]:.9f} m, foot at {exact[1]:.9f} m")
    print("step [s]   held: error [m]  order   mean: error [m]  order")
    last = [None, None]
    with Unit(folder / "foot.fmu") as unit:
        for halving in range(arguments.halvings + 1):
            step = 2e-3 / 2**halving
            cells = []
            for kind in (0, 1):
                z, foot_z = run_coupled(unit, step, is_mean=bool(kind))
                error = max(abs(z - exact[0]), abs(foot_z - exact[1]))
                order = "" if last[kind] is None else f"{math.log2(last[kind] / error):.2f}"
                last[kind] = error
                cells.append(f"{error:15.3e}  {order:>5}")
            print(f"{step:8.2e}  {cells[0]}  {cells[1]}")


if __name__ == "__main__":
    main()
