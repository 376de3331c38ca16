#!/usr/bin/python3
"""Tests the bookkeeping of ./check: order, verdicts, counts and exit status, with make-believe tools."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAST_TEST_LOG = """[  PASSED  ] 12 tests.
[  PASSED  ] 1 test.
"""


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name in ["tools", "test", "bin", "web/src", "web/test"]:
            (self.root / name).mkdir(parents=True)
        shutil.copy(ROOT / "check", self.root)
        shutil.copy(ROOT / "tools" / "lib.sh", self.root / "tools")
        (self.root / "CMakePresets.json").write_text("{}")
        self.script("tools/setup", "exit 0")
        self.script("tools/lint", "echo 'lint: fine'")
        self.script("tools/format", "echo 'format: fine'")
        self.script("tools/a_test.py", "print('Ran 3 tests')", "#!/usr/bin/python3")
        self.script("test/b_test.py", "print('Ran 4 tests')", "#!/usr/bin/python3")
        self.script("abut", 'if [ "$2" = --list ]; then printf "one  First\\ntwo  Second\\nthree  x\\n"; exit; fi\n'
                    'echo "abut $* preset $ABUT_PRESET"; shift 3; echo "$(($# * 10)) checks: $(($# * 9)) ok, $# !=, 0 FAIL"')
        self.script("bin/cmake", 'echo "cmake $*" >>"$CALLS"')
        self.script("bin/ctest", "echo \"ctest $*\" >>\"$CALLS\"; echo '100% tests passed, 0 tests failed out of 2'")
        self.script("bin/npm", "mkdir -p node_modules")
        self.script("bin/node", "echo '# pass 5'; echo \"node $*\" >>\"$CALLS\"")
        for name in ["package.json", "package-lock.json", "tsconfig.json", "build.mjs", "test/a.test.ts", "test/browser.mjs"]:
            (self.root / "web" / name).write_text("{}\n")
        for name in ["combination_scenes.py", "drop_scenes.py", "everyday_scenes.py", "step_advice_sweep.py",
                     "resume_sweep.py", "record_test.py", "package_test.py", "c_package_test.py"]:
            (self.root / "test" / name).write_text("import sys; print(sys.argv)\n")
        (self.root / "build/asan/src/abut").mkdir(parents=True)
        self.script("build/asan/src/abut/test_io", "echo '[  PASSED  ] 6 tests.'")
        for preset in ["check", "asan", "tsan"]:
            log = self.root / "build" / preset / "Testing" / "Temporary" / "LastTest.log"
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(LAST_TEST_LOG)

    def script(self, name, text, first_line="#!/bin/sh"):
        path = self.root / name
        path.write_text(f"{first_line}\n{text}\n")
        path.chmod(0o755)

    def check(self, *arguments):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ABUT_", "CMAKE_"))}
        path = f"{self.root / 'bin'}:{kept['PATH']}"
        done = subprocess.run([self.root / "check", *arguments], cwd="/", capture_output=True, text=True, check=False,
                              timeout=60, env={**kept, "PATH": path, "CALLS": str(self.root / "calls"),
                                   "CMAKE_BUILD_PARALLEL_LEVEL": "2"})
        return done.returncode, done.stdout, done.stderr

    def steps(self, output):
        """(verdict, step) of every step that ran."""
        lines = [line.split() for line in output.splitlines() if line.endswith(" s") and line[:2] in ("ok", "sk", "FA")]
        return [(line[0], line[1]) for line in lines]

    def test_all_steps_in_order(self):
        status, output, errors = self.check()
        names = ["setup", "lint", "format", "tools", "build", "unit", "headers", "command", "web", "browser",
                 "validate", "asan"]
        self.assertEqual(self.steps(output), [("ok", name) for name in names])
        self.assertEqual((status, output.splitlines()[-1], errors), (0, "12 passed, 0 failed", ""))
        for line in ["13 test cases passed", "100% tests passed, 0 tests failed out of 2", "Ran 3 tests", "Ran 4 tests",
                     "30 checks: 27 ok, 3 !=, 0 FAIL"]:
            self.assertIn(line, output)
        calls = (self.root / "calls").read_text()
        for call in ["cmake --preset check\n", "--target abut_command abut abut_python test_long\n", "--target header_check\n",
                     "cmake --preset asan\n", "--target unit_tests\n", "--tests-regex ^long_\n"]:
            self.assertIn(call, calls)
        shares = [(self.root / "build" / "check-logs" / f"validate-{i}.txt").read_text() for i in range(2)]
        for share, names in zip(shares, ["one three", "two"]):
            self.assertRegex(share, rf"abut validate --report \S+ {names} preset check")

    def test_each_unit_test_runs_once_or_optimised_too(self):
        self.check("unit")
        calls = (self.root / "calls").read_text()
        self.assertIn("--target abut_command abut abut_python unit_tests\n", calls)
        self.assertIn("--exclude-regex ^long_\n", calls)
        self.assertNotIn("--tests-regex ^long_\n", calls)

    def test_all_has_the_rest(self):
        status, output, _ = self.check("--all")
        self.assertEqual([name for _, name in self.steps(output)][-6:],
                         ["asan", "tsan", "sweeps", "package", "damage", "tidy"])
        self.assertEqual((status, output.splitlines()[-1]), (0, "17 passed, 0 failed"))
        calls = (self.root / "calls").read_text()
        for call in ["--target abut_command abut abut_python unit_tests\n", "cmake --preset tsan\n", "cmake --preset tidy\n"]:
            self.assertIn(call, calls)
        self.assertIn("--sample", (self.root / "build" / "check-logs" / "sweeps.log").read_text())
        (self.root / "test" / "drop_scenes.py").write_text("raise SystemExit(1)\n")
        self.assertEqual(self.check("sweeps")[0], 1)

    def test_scripts_run_side_by_side_and_all_failures_count(self):
        meet = "import pathlib, sys, time\npathlib.Path(sys.argv[0] + '.here').touch()\n" \
               "other = pathlib.Path(sys.argv[0]).with_name('{}_test.py.here')\n" \
               "for _ in range(500):\n    time.sleep(0.01)\n    if other.exists(): sys.exit({})\nsys.exit('alone')\n"
        self.script("test/b_test.py", meet.format("c", 0), "#!/usr/bin/python3")
        self.script("test/c_test.py", meet.format("b", "'went wrong'"), "#!/usr/bin/python3")
        status, output, _ = self.check("command")
        self.assertEqual(status, 1)
        self.assertIn("2 scripts, 1 failed", output)
        self.assertIn("went wrong", output)
        self.assertNotIn("alone", output)

    def test_fast_leaves_out_the_sanitizers(self):
        status, output, _ = self.check("--fast")
        self.assertEqual((status, output.splitlines()[-1]), (0, "11 passed, 0 failed"))
        self.assertNotIn("asan", (self.root / "calls").read_text())

    def test_every_step_can_fail_and_stops_the_rest(self):
        broken = {"setup": "tools/setup", "lint": "tools/lint", "format": "tools/format", "tools": "tools/a_test.py",
                  "build": "bin/cmake", "unit": "bin/ctest", "command": "test/b_test.py", "web": "bin/node",
                  "validate": "abut"}
        names = ["setup", "lint", "format", "tools", "build", "unit", "headers", "command", "web", "browser",
                 "validate", "asan"]
        for step, file in broken.items():
            text = (self.root / file).read_text()
            (self.root / file).write_text(f"{text.splitlines()[0]}\nimport sys; sys.exit('went wrong')\n" if
                                          file.endswith(".py") else "#!/bin/sh\necho went wrong: Failure\nexit 1\n")
            status, output, _ = self.check()
            (self.root / file).write_text(text)
            place = names.index(step)
            self.assertEqual(self.steps(output)[-1], ("FAILED", step))
            self.assertEqual((status, output.splitlines()[-1]), (1, f"{place} passed, 1 failed"))
            self.assertIn("went wrong", output)
            self.assertIn(f"not run: {' '.join(names[place + 1:])}\n", output)

    def test_the_browser_step_can_fail(self):
        self.script("bin/node", "case \"$*\" in *browser*) echo broken; exit 1 ;; esac")
        status, output, _ = self.check("--keep-going", "--fast")
        self.assertEqual([name for verdict, name in self.steps(output) if verdict == "FAILED"], ["browser"])
        self.assertEqual(status, 1)

    def test_headers_and_sanitizers_can_fail(self):
        self.script("bin/cmake", 'case "$*" in *header_check* | *build/asan*) echo broken; exit 1 ;; esac')
        status, output, _ = self.check("--keep-going")
        self.assertEqual((status, output.splitlines()[-1]), (1, "10 passed, 2 failed"))
        self.assertEqual([name for verdict, name in self.steps(output) if verdict == "FAILED"], ["headers", "asan"])

    def test_a_failure_early_in_a_step_is_not_forgotten(self):
        self.script("bin/cmake", 'case "$*" in "--preset asan") exit 1 ;; esac')
        self.assertEqual(self.check("asan")[0], 1)

    def test_keep_going_counts_all_failures_but_needs_the_packages(self):
        self.script("tools/lint", "exit 1")
        self.script("bin/ctest", "exit 8")
        status, output, _ = self.check("--keep-going", "--fast")
        self.assertEqual((status, output.splitlines()[-1]), (1, "9 passed, 2 failed"))
        self.script("tools/setup", "exit 3")
        status, output, _ = self.check("--keep-going", "--fast")
        self.assertEqual((status, output.splitlines()[-1]), (1, "0 passed, 1 failed"))

    def test_only_format_may_be_skipped(self):
        self.script("tools/format", "echo 'no clang-format here'; exit 77")
        status, output, _ = self.check("lint", "format")
        self.assertEqual((status, output.splitlines()[-1]), (0, "1 passed, 0 failed"))
        self.assertEqual(self.steps(output)[-1], ("skip", "format"))
        self.script("abut", "exit 77")
        self.assertEqual(self.check("validate")[0], 1)

    def test_no_scripts_is_a_failure(self):
        (self.root / "test" / "b_test.py").unlink()
        status, output, _ = self.check("command")
        self.assertEqual(status, 1)
        self.assertIn("no test scripts found", output)

    def test_unit_builds_first(self):
        _, output, _ = self.check("unit")
        self.assertEqual(self.steps(output), [("ok", "build"), ("ok", "unit")])

    def test_verbose_keeps_the_verdict(self):
        self.script("tools/lint", "echo found something; exit 1")
        status, output, _ = self.check("--verbose", "lint")
        self.assertEqual((status, output.splitlines()[-1]), (1, "0 passed, 1 failed"))
        self.assertIn("found something", output)

    def test_wrong_arguments(self):
        self.assertEqual(self.check("--quick")[0], 2)
        status, _, errors = self.check("unti")
        self.assertEqual(status, 2)
        self.assertIn("there is no step 'unti'", errors)


if __name__ == "__main__":
    unittest.main()
