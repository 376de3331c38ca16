#!/usr/bin/python3
"""What Python adds: laws on a million points beside the same loop in C++, a step of a small world in a loop with a callback
beside advance(), and a look at each kind of numbers. Processor times, the best of several.

    ./abut python bench/python_bench.py        (g++ and the built library are needed for the comparison)"""

import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

import abut

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / os.environ.get("ABUT_PRESET", "release")
POINTS = 1_000_000

# The library's own law, compiled as the library is, called in a loop: nothing of Python, nothing that is copied.
PROGRAM = r"""
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <vector>
#include "abut/contact/law/normal_law.hpp"
int main(int, char** argv) {
  const std::size_t n = %d;
  std::vector<double> x(n), v(n), f(n);
  std::ifstream in(argv[1], std::ios::binary);
  in.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(8 * n));
  in.read(reinterpret_cast<char*>(v.data()), static_cast<std::streamsize>(8 * n));
  abut::NormalLawParameters law;
  law.stiffness = 1e6;
  law.restitution = abut::Restitution::make_constant(0.5);
  const abut::NormalCoefficients c = abut::make_normal_coefficients(law, 1e6, 1.0, 1.0);
  double best = 1e9;
  for (int k = 0; k < 20; ++k) {
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < n; ++i) f[i] = abut::calc_normal_force(c, x[i], v[i]).total;
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  double sum = 0;
  for (const double each : f) sum += each;
  std::printf("%%.9g %%.17g\n", best, sum);
}
""" % POINTS


def best_of(act, repetitions=20):
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        act()
        times.append(time.process_time() - start)
    return min(times)


def compare_law():
    depth, rate = np.random.default_rng(1).random((2, POINTS)) * [[1e-3], [0.2]]
    rate -= 0.1
    force = np.empty(POINTS)
    ours = best_of(lambda: abut.laws.gonthier(depth, rate, stiffness=1e6, restitution=0.5, impact_speed=1.0,
                                              effective_mass=1.0, out=force))
    print(f"gonthier on {POINTS:,} points            {1e3 * ours:7.2f} ms")
    library = BUILD / "src/abut/libabut.a"
    if not library.exists():
        print(f"{library} is not built: no comparison with C++")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "loop.cpp").write_text(PROGRAM)
        (folder / "points").write_bytes(depth.tobytes() + rate.tobytes())
        subprocess.run(["g++", "-std=c++20", "-O3", "-DNDEBUG", "-DFMT_SHARED", "-ffp-contract=off", f"-I{ROOT}/src",
                        f"-I{ROOT}/include", "-isystem", "/usr/include/eigen3", "loop.cpp", "-o", "loop", library, "-lfmt"],
                       cwd=folder, check=True)
        seconds, total = map(float, subprocess.run(["./loop", "points"], cwd=folder, check=True, capture_output=True,
                                                   text=True).stdout.split())
    same = abs(total - force.sum()) <= 1e-12 * POINTS * force.max()
    print(f"  the same loop in C++                  {1e3 * seconds:7.2f} ms   ratio {ours / seconds:.2f}"
          f"{'' if same else '   BUT OTHER FORCES'}")


def make_scene():
    return abut.Scene(
        run=dict(duration=1.0, method="explicit", step=1e-5),
        body=[abut.body(name="ball", mass=2.0, shape=abut.sphere(radius=0.1), position=[0, 0, 0.2]),
              abut.body(name="floor", fixed=True, shape=abut.half_space(normal=[0, 0, 1]))],
        contact=[abut.contact(between=["ball", "floor"], normal=abut.normal("gonthier", stiffness=1e6, restitution=0.5))])


def compare_steps(steps=20_000):
    model = abut.Model(make_scene())

    def inside():
        abut.World(model).advance(steps * 1e-5)

    def loop():
        world, seen = abut.World(model), []

        def callback(time_now):
            seen[:] = [time_now]

        for _ in range(steps):
            callback(world.step())

    alone, ours = best_of(inside, 5), best_of(loop, 5)
    print(f"a step of a small world               {1e6 * alone / steps:8.2f} us; a loop in Python with a callback adds "
          f"{1e6 * (ours - alone) / steps:.2f} us")


def show_looks(count=20_000):
    world = abut.World(make_scene())
    for name, look in {"world.coordinates": lambda: world.coordinates, "world.bodies": lambda: world.bodies,
                       "world.body(name)": lambda: world.body("ball"), "world.energy": lambda: world.energy,
                       "world.contacts": lambda: world.contacts}.items():
        def repeat(look=look):
            for _ in range(count):
                look()
        print(f"{name:<38}{1e6 * best_of(repeat, 5) / count:8.2f} us")


if __name__ == "__main__":
    compare_law()
    compare_steps()
    show_looks()
