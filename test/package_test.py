#!/usr/bin/python3
"""The library as other programs get it: installed, found by find_package and by pkg-config, added from the sources, packed
for Debian. Each way a program is built that somebody else could have written, run, and its numbers checked."""

import os
import re
import shutil
import subprocess
import zipfile

from abut_testing import ROOT, main
from package_testing import BUILD, PackageCase, require_library

EXAMPLES = ROOT / "examples/cpp"
# Building everything once more, as add_subdirectory does, takes minutes: only where it is asked for (./check package).
IS_WHOLE = os.environ.get("ABUT_WHOLE_PACKAGE") == "1"


class PackageTest(PackageCase):
    def check_programs(self, folder):
        """What the programs print, each judged by its own exit status as well."""
        print(self.call(folder / "door"), end="")
        numbers = self.call(folder / "controller_loop")
        self.assertAlmostEqual(float(re.search(r"force ([0-9.]+) N", numbers).group(1)), 20.0, delta=0.02)
        numbers = self.call(folder / "own_integrator")
        # Hertz's law under the weight: (m g / k)^(2/3). Of the depth that the last touch was found at, a step of 1e-4 s
        # at some 0.1 m/s, an eighth is still hidden after two seconds (relaxation_time is 1 s).
        rest = float(re.search(r"at rest ([0-9.]+) m", numbers).group(1))
        self.assertAlmostEqual(rest, 0.1 - (9.81 / 1e5) ** (2 / 3), delta=5e-6)
        # Without the file it is written, with it the other process goes on from it.
        first = self.call(folder / "checkpoint_in_impact", "saved")
        self.assertIn("hash", first)
        self.assertEqual(self.call(folder / "checkpoint_in_impact", "saved"), first)

    def test_found_by_cmake(self):
        prefix = self.install()
        self.call("cmake", "-S", ROOT / "test/consumer", "-B", "built", "-G", "Ninja", f"-DEXAMPLES={EXAMPLES}",
                  f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
        self.call("cmake", "--build", "built")
        self.check_programs(self.folder / "built")

    def test_found_by_pkg_config(self):
        prefix = self.install()
        flags = self.ask_pkg_config(prefix, "--cflags", "--libs")
        self.assertIn(f"{prefix}/include", [os.path.normpath(flag[2:]) for flag in flags if flag.startswith("-I")])
        # Nothing of ours beyond the headers that are installed is looked at.
        self.call("g++", "-std=c++20", "-O1", EXAMPLES / "own_integrator.cpp", "-o", "program", *flags)
        self.assertIn("energy closes", self.call(self.folder / "program", LD_LIBRARY_PATH=str(prefix / "lib")))

    def test_added_from_the_sources(self):
        self.call("cmake", "-S", ROOT / "test/consumer", "-B", "built", "-G", "Ninja", f"-DEXAMPLES={EXAMPLES}",
                  f"-DABUT_SOURCE={ROOT}", "-DCMAKE_BUILD_TYPE=Release")
        if IS_WHOLE:
            self.call("cmake", "--build", "built", timeout=3000)
            self.check_programs(self.folder / "built")
            return
        # What it compiles of its own, and that it would link the library and no command.
        objects = [line.split(":")[0] for line in self.call("ninja", "-C", "built", "-t", "targets", "all").splitlines()
                   if "own_integrator.cpp.o:" in line]
        self.call("ninja", "-C", "built", *objects)
        steps = self.call("ninja", "-C", "built", "-t", "commands", "own_integrator")
        self.assertIn("libabut.a", steps)
        self.assertNotIn("abut_serve", steps)

    def test_packed_for_debian(self):
        if shutil.which("dpkg-deb") is None:
            self.skipTest("no Debian")
        self.call("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", "packed", "-D", "CPACK_COMPONENTS_ALL=library")
        package = next((self.folder / "packed").glob("libabut-dev_*.deb"))
        self.assertIn("libsundials-dev", self.call("dpkg-deb", "--field", package, "Depends"))
        self.call("dpkg-deb", "--extract", package, "unpacked")
        self.call("cmake", "-S", ROOT / "test/consumer", "-B", "built", "-G", "Ninja", f"-DEXAMPLES={EXAMPLES}",
                  f"-DCMAKE_PREFIX_PATH={self.folder}/unpacked/usr")
        self.call("cmake", "--build", "built", "--target", "own_integrator")
        self.assertIn("energy closes", self.call(self.folder / "built/own_integrator"))

    def test_the_command_finds_the_library_of_units(self):
        if not (BUILD / "apps/abut/abut").exists():
            self.skipTest("a build without the command")
        self.call("cmake", "--install", BUILD, "--prefix", self.folder / "installed", "--component", "command")
        moved = (self.folder / "installed").rename(self.folder / "moved")
        self.call(moved / "bin/abut", "export-fmu", ROOT / "examples/fmu/foot.toml", "-o", "foot.fmu")
        with zipfile.ZipFile(self.folder / "foot.fmu") as archive:
            self.assertEqual(archive.read("binaries/x86_64-linux/foot.so"), next(moved.rglob("abut_unit.so")).read_bytes())
        next(moved.rglob("abut_unit.so")).unlink()
        done = subprocess.run([moved / "bin/abut", "export-fmu", ROOT / "examples/fmu/foot.toml", "-o", self.folder / "x.fmu"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("abut_unit.so, is in none of", done.stderr)

    def test_headers_need_nothing_of_the_sources(self):
        prefix = self.install()
        found = sorted(path.name for path in (prefix / "include/abut").iterdir())
        expected = sorted(path.name.removesuffix(".in") for path in (ROOT / "include/abut").iterdir())
        self.assertEqual(found, expected)
        for name in found:  # those of C, too
            self.write(f'#include <abut/{name}>\n#include <abut/{name}>\nint main() {{}}\n', "one.cpp")
            self.call("g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{prefix}/include", "one.cpp")


if __name__ == "__main__":
    require_library()
    main()
