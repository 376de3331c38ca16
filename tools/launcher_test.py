#!/usr/bin/python3
"""Tests ./abut on a small project of its own: the "program" is a shell script that the build copies into place, so that
a build takes a fraction of a second and needs no compiler."""
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES NONE)
set(made ${CMAKE_BINARY_DIR}/apps/abut/abut)
add_custom_command(OUTPUT ${made} DEPENDS ${CMAKE_SOURCE_DIR}/src/program.sh
  COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/make.sh ${CMAKE_SOURCE_DIR} ${made} VERBATIM)
add_custom_target(abut_command DEPENDS ${made})
set(module ${CMAKE_BINARY_DIR}/python/abut/_abut.so)
add_custom_command(OUTPUT ${module} DEPENDS ${CMAKE_SOURCE_DIR}/python/module.cpp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/python/abut
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/python/module.cpp ${module} VERBATIM)
add_custom_target(abut_python DEPENDS ${module})
"""
PRESETS = """{"version": 6, "configurePresets": [
  {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"},
  {"name": "other", "inherits": "release"}]}
"""
MAKE = 'set -e\nsh -n "$1/src/program.sh"\necho built >>"$1/builds"\nsleep 0.2\ncp "$1/src/program.sh" "$2"\n'
PROGRAM = '#!/bin/sh\necho "in $(pwd): $*"\nexit 7\n'


class LauncherTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.root = self.folder / "a tree"  # a blank in the path, as on real machines
        for name in ["tools", "include", "src", "apps", "cmake", "web/src", "python"]:
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "abut", self.root)
        shutil.copy(ROOT / "tools" / "lib.sh", self.root / "tools")
        self.write("tools/setup", "#!/bin/sh\nexit 0\n")
        self.write("CMakeLists.txt", CMAKE_LISTS)
        self.write("CMakePresets.json", PRESETS)
        self.write("cmake/make.sh", MAKE)
        self.write("web/package-lock.json", "{}\n")
        self.write("src/program.sh", PROGRAM)
        self.write("python/module.cpp", "the module\n")

    def write(self, name, text):
        path = self.root / name
        path.write_text(text)
        path.chmod(0o755)

    def environment(self, extra):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ABUT_", "CMAKE_"))}
        return {**kept, **extra}

    def launch(self, *arguments, command=None, cwd=None, **environment):
        done = subprocess.run([command or self.root / "abut", *arguments], cwd=cwd or self.folder, capture_output=True,
                              text=True, check=False, timeout=60, env=self.environment(environment))
        return done.returncode, done.stdout, done.stderr

    def builds(self):
        path = self.root / "builds"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def test_a_page_is_built_when_it_is_wanted_and_missing(self):
        self.write("tools/setup", '#!/bin/sh\necho "setup $*" >>"${0%/*}/../calls"\n')
        self.launch("run", "scene.toml")
        self.assertEqual((self.root / "calls").read_text(), "setup run\n")
        for command in ["report", "view", "compare"]:
            (self.root / "calls").write_text("")
            self.assertEqual(self.launch(command, "x")[0], 7)
            self.assertEqual((self.root / "calls").read_text(), "setup run\nsetup web\n")
        page = self.root / "build" / "release" / "web" / "page.html"
        page.parent.mkdir(parents=True)
        page.write_text("<!doctype html>")
        (self.root / "calls").write_text("")
        self.launch("report", "x")
        self.assertEqual((self.root / "calls").read_text(), "")
        self.launch("run", "scene.toml", "--plot", "a.png")
        self.assertEqual((self.root / "calls").read_text(), "setup plot\n")

    def test_builds_once_and_hands_over_arguments_folder_and_status(self):
        status, output, errors = self.launch("run", "my scene.toml", "")
        self.assertEqual((status, output), (7, f"in {self.folder}: run my scene.toml \n"), errors)
        self.assertEqual(errors, "abut: building abut (first time takes about 1 minute)\n")
        self.assertEqual(self.launch("x"), (7, f"in {self.folder}: x\n", ""))
        self.assertEqual(self.builds(), 1)

    def test_python_has_the_module_on_its_path(self):
        show = 'import sys, pathlib; print([(pathlib.Path(p) / "abut/_abut.so").read_text() for p in sys.path if "build" in p])'
        status, output, errors = self.launch("python", "-c", show)
        self.assertEqual((status, output), (0, "['the module\\n']\n"), errors)
        self.assertEqual(self.launch("python", "-c", "raise SystemExit(5)"), (5, "", ""))
        self.assertEqual(self.builds(), 1)
        self.write("python/module.cpp", "changed\n")
        self.assertIn("changed", self.launch("python", "-c", show)[1])
        (self.root / "build/release/python/abut/_abut.so").unlink()
        self.assertEqual(self.launch("python", "-c", "pass"), (0, "", "abut: building the module of Python\n"))

    def test_works_through_links_from_any_folder(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "first").symlink_to("../a tree/abut")
        (elsewhere / "second").symlink_to("first")
        status, output, _ = self.launch("x", command=elsewhere / "second", cwd=elsewhere)
        self.assertEqual((status, output), (7, f"in {elsewhere}: x\n"))
        status, output, _ = self.launch("x", command="./abut", cwd=self.root)
        self.assertEqual((status, output), (7, f"in {self.root}: x\n"))

    def test_builds_again_when_a_source_changes_even_to_an_older_date(self):
        self.launch()
        self.write("src/program.sh", PROGRAM.replace("in $", "now in $"))
        status, output, errors = self.launch()
        self.assertEqual((status, output), (7, f"now in {self.folder}: \n"))
        self.assertEqual(errors, "abut: building abut again: its sources changed\n")
        self.assertEqual(self.launch()[2], "")
        os.utime(self.root / "src" / "program.sh", (0, 0))
        self.assertNotEqual(self.launch()[2], "")

    def test_builds_again_in_a_moved_tree(self):
        self.launch()
        moved = self.folder / "moved"
        self.root.rename(moved)
        self.root = moved
        status, output, errors = self.launch("x")
        self.assertEqual((status, output), (7, f"in {self.folder}: x\n"), errors)
        self.assertEqual(self.builds(), 2)

    def test_failed_build_shows_the_end_of_the_log(self):
        self.write("src/program.sh", "if then\n")
        status, output, errors = self.launch("x")
        self.assertEqual((status, output), (3, ""))
        self.assertIn(f"the build failed; the end of {self.root}/build/abut-release.log:", errors)
        self.assertIn("FAILED", errors)
        self.write("src/program.sh", PROGRAM)
        self.assertEqual(self.launch("x")[0], 7)
        # A program that exists but could not be brought up to date must not run as if it had been.
        self.write("src/program.sh", "if then\n")
        self.assertEqual(self.launch("x")[:2], (3, ""))
        self.assertEqual(self.launch("x")[:2], (3, ""))

    def test_failed_configuration_ends_with_3(self):
        self.write("CMakeLists.txt", "message(FATAL_ERROR no-such-library)\n")
        status, _, errors = self.launch()
        self.assertEqual(status, 3)
        self.assertIn("no-such-library", errors)

    def test_missing_packages_end_with_3_before_any_build(self):
        self.write("tools/setup", "#!/bin/sh\necho needs-this >&2\nexit 3\n")
        self.assertEqual(self.launch(), (3, "", "needs-this\n"))
        self.assertEqual(self.builds(), 0)

    def test_build_folder_that_cannot_be_written(self):
        self.write("build", "a file in the way")
        self.assertEqual(self.launch(), (3, "", f"abut: cannot write to {self.root}/build\n"))

    def test_no_build(self):
        status, _, errors = self.launch(ABUT_NO_BUILD="1")
        self.assertEqual(status, 3)
        self.assertIn(f"there is no {self.root}/build/release/apps/abut/abut", errors)
        self.launch()
        self.write("src/program.sh", "if then\n")
        self.assertEqual(self.launch("x", ABUT_NO_BUILD="1"), (7, f"in {self.folder}: x\n", ""))

    def test_other_preset(self):
        self.assertEqual(self.launch(ABUT_PRESET="other")[0], 7)
        self.assertTrue((self.root / "build" / "other" / "apps" / "abut" / "abut").exists())
        self.assertFalse((self.root / "build" / "release").exists())

    def test_two_first_runs_build_once(self):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        runs = [subprocess.Popen([self.root / "abut", str(i)], env=self.environment({}), **pipes) for i in range(2)]
        for i, run in enumerate(runs):
            output, errors = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 7, errors)
            self.assertTrue(output.endswith(f": {i}\n"), output)
        self.assertEqual(self.builds(), 1)

    def test_a_running_program_does_not_hold_the_lock(self):
        self.write("src/program.sh", "#!/bin/sh\necho ready\nread line\n")
        with subprocess.Popen([self.root / "abut"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, env=self.environment({})) as running:
            self.assertEqual(running.stdout.readline(), "ready\n")
            self.write("src/program.sh", PROGRAM)
            self.assertEqual(self.launch()[0], 7)
            running.communicate("\n", timeout=10)

    def test_shows_the_percentage_on_a_terminal(self):
        main_end, other_end = pty.openpty()
        done = subprocess.run([self.root / "abut"], stdout=subprocess.PIPE, stderr=other_end, check=False, timeout=60,
                              env=self.environment({}))
        os.close(other_end)
        seen = os.read(main_end, 10000).decode()
        os.close(main_end)
        self.assertEqual(done.returncode, 7)
        self.assertIn("building 100 %", seen)

    def test_costs_little_when_nothing_is_to_do(self):
        self.launch()
        times = []
        for _ in range(5):
            start = time.monotonic()
            self.launch()
            times.append(time.monotonic() - start)
        # The best of five, because the machine may be busy; measured: 0.02 s.
        self.assertLess(min(times), 0.3)


if __name__ == "__main__":
    unittest.main()
