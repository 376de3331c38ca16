#!/usr/bin/python3
"""Contact of abut in Simbody and MuJoCo, built from the installed library as anybody else would, and a trajectory that
MuJoCo made itself under `abut audit`. What is not installed is left out, in words."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from abut_testing import CommandTest, DONE, ROOT, main

BUILD = pathlib.Path(os.environ.get("ABUT_BUILD", ROOT / "build" / os.environ.get("ABUT_PRESET", "check")))
HOSTS = ROOT / "examples/hosts"


class HostsTest(CommandTest):
    @classmethod
    def setUpClass(cls):
        found = [path for path in ("/usr/include/simbody/Simbody.h", "/usr/include/mujoco/mujoco.h") if os.path.exists(path)]
        if not found:
            raise unittest.SkipTest("neither libsimbody-dev nor libmujoco-dev is installed (tools/setup hosts)")

    def call(self, *command, timeout=600):
        done = subprocess.run([*map(str, command)], cwd=self.folder, timeout=timeout, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_hosts(self):
        self.call("cmake", "--install", BUILD, "--prefix", self.folder / "abut", "--component", "library")
        self.call("cmake", "-S", HOSTS, "-B", "hosts", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.folder}/abut",
                  f"-DCMAKE_BUILD_TYPE={os.environ.get('ABUT_HOSTS_BUILD', 'Release')}")
        self.call("cmake", "--build", "hosts")
        for host, package in (("simbody_host", "libsimbody-dev"), ("mujoco_host", "libmujoco-dev")):
            program = self.folder / "hosts" / host
            if not program.exists():
                print(f"{host} was not built: {package} is not installed")
                continue
            # Each program judges itself by its own limits.
            text = self.call(program, HOSTS)
            print(text, end="")
            self.assertEqual(text.count("agrees"), 3)
        if (self.folder / "hosts/mujoco_log").exists():
            self.check_audit()

    def audit(self, scene, name):
        self.call(self.folder / "hosts/mujoco_log", name, self.folder)
        outcome = self.abut("audit", scene, f"{name}.csv", "--spin-in-body-axes", "--forces", f"{name}-forces.csv", "--json")
        self.assertEqual(outcome.returncode, DONE, outcome.stderr)
        return json.loads(outcome.stdout)

    def check_audit(self):
        """MuJoCo's default contact is soft and overdamped, and creeps: docs/audit.md has these numbers."""
        report = self.audit(HOSTS / "drop.toml", "drop")
        pair = report["pairs"][0]
        first = pair["impacts"][0]
        self.assertAlmostEqual(first["restitution"], 0.11, delta=0.02)
        self.assertAlmostEqual(pair["sliding"]["friction"], 0.3, delta=0.003)  # as it was told
        self.assertAlmostEqual(pair["given over motion"]["ratio"], 1.0, delta=0.02)  # its forces move its bodies
        self.assertTrue(any("parts" in finding for finding in report["findings"]), report["findings"])
        report = self.audit(ROOT / "examples/box-on-slope.toml", "slope")
        creep = report["pairs"][0]["creep"]
        self.assertAlmostEqual(creep["distance [m]"] / creep["time [s]"], 0.95e-3, delta=0.1e-3)
        self.assertTrue(any("creeps" in finding for finding in report["findings"]), report["findings"])


if __name__ == "__main__":
    if not (BUILD / "package/abut-config.cmake").exists():
        sys.exit(f"{BUILD} has no library to install: build its target abut")
    main()
