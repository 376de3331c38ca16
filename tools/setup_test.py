#!/usr/bin/python3
"""Tests tools/setup against a make-believe Debian: every program it calls is replaced by a small script that writes
down how it was called, so that nothing is ever installed and no network or right is needed."""
import pathlib
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parent / "setup"
REAL_TOOLS = ["bash", "env", "sed", "awk", "tr", "cat", "grep", "mktemp", "tail", "rm", "touch"]

# Packages are files in $FAKE/installed; those of $FAKE/known are in the package lists.
FAKES = {
    "dpkg-query": """
shift 3
for name in "$@"; do
  if [ -e "$FAKE/installed/$name" ]; then echo "$name $(cat "$FAKE/installed/$name")"; else status=1; fi
done
exit ${status:-0}""",
    "apt-get": """
echo "apt-get $*" >>"$FAKE/calls"
case $1 in
  update)
    if [ -e "$FAKE/no-network" ]; then echo "cannot reach anything"; exit 100; fi
    touch "$FAKE/known" ;;
  install)
    if [ ! -e "$FAKE/known" ]; then echo "Unable to locate package"; exit 100; fi
    case " $* " in *" --simulate "*) exit 0 ;; esac
    if [ -e "$FAKE/stale" ]; then rm "$FAKE/stale"; echo "404 Not Found"; exit 100; fi
    for name in "$@"; do
      case $name in -* | install | *=*) ;; *) printf "${STATUS_AFTER:-installed}" >"$FAKE/installed/$name" ;; esac
    done ;;
esac""",
    "dpkg": """if [ -e "$FAKE/broken" ]; then echo "half-configured"; fi""",
    "id": """echo "${FAKE_UID:-0}" """,
}
SUDO = """
if [ "$2" = true ]; then [ -e "$FAKE/may-sudo" ]; exit; fi
echo "sudo" >>"$FAKE/calls"
shift
exec "$@" """


class SetupTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.fake = pathlib.Path(self.folder.name)
        for name in ["bin", "installed"]:
            (self.fake / name).mkdir()
        for tool in REAL_TOOLS:
            (self.fake / "bin" / tool).symlink_to(subprocess.check_output(["which", tool], text=True).strip())
        for name, script in FAKES.items():
            self.add_program(name, script)
        (self.fake / "os-release").write_text('ID=debian\nVERSION_ID="12"\n')
        (self.fake / "known").touch()

    def add_program(self, name, script):
        path = self.fake / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run_setup(self, *arguments, **environment):
        done = subprocess.run(
            [SETUP, *arguments], capture_output=True, text=True, check=False,
            env={"PATH": str(self.fake / "bin"), "FAKE": str(self.fake), "TMPDIR": str(self.fake),
                 "ABUT_OS_RELEASE": str(self.fake / "os-release"), **environment})
        return done.returncode, done.stdout, done.stderr

    def packages(self, *sets):
        return [line.split()[1] for line in self.run_setup("--list", *sets)[1].splitlines()]

    def install(self, *names):
        for name in names:
            (self.fake / "installed" / name).write_text("installed")

    def calls(self):
        path = self.fake / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_silent_and_idle_when_all_is_there(self):
        self.install(*self.packages("run", "check"))
        self.assertEqual(self.run_setup("run", "check", FAKE_UID="1000"), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_sets_are_apart(self):
        self.assertIn("g++", self.packages("run"))
        self.assertNotIn("libgtest-dev", self.packages("run"))
        self.install(*self.packages("run"))
        self.assertEqual(self.run_setup("run")[0], 0)
        self.assertEqual(self.run_setup("bench", FAKE_UID="1000")[0], 3)

    def test_root_installs_only_what_is_missing_without_updating(self):
        self.install(*self.packages("run"))
        (self.fake / "installed" / "libfmt-dev").unlink()
        (self.fake / "installed" / "cmake").unlink()
        status, _, errors = self.run_setup("run")
        self.assertEqual((status, errors), (0, "setup: installing 2 package(s): cmake libfmt-dev\n"))
        calls = self.calls()
        self.assertEqual(len(calls), 2, calls)
        self.assertIn("--simulate", calls[0])
        self.assertTrue(calls[1].endswith(" cmake libfmt-dev"), calls)
        self.assertEqual(list(self.fake.glob("abut-setup.*")), [])

    def test_unknown_package_and_stale_lists_bring_one_update(self):
        (self.fake / "known").unlink()
        self.assertEqual(self.run_setup("bench")[0], 0)
        self.assertEqual([call.split()[1] for call in self.calls()], ["install", "update", "install"])
        (self.fake / "calls").unlink()
        (self.fake / "installed" / "libbenchmark-dev").unlink()
        (self.fake / "stale").touch()
        self.assertEqual(self.run_setup("bench")[0], 0)
        self.assertEqual([call.split()[1] for call in self.calls()], ["install", "install", "update", "install"])

    def test_failed_update_installs_nothing(self):
        (self.fake / "known").unlink()
        (self.fake / "no-network").touch()
        status, _, errors = self.run_setup("bench")
        self.assertEqual(status, 3)
        self.assertIn("cannot reach anything\n", errors)
        self.assertIn("the package lists could not be updated; nothing was installed", errors)
        # apt-get calls a partly failed update a success unless told otherwise.
        self.assertEqual(self.calls()[-1], "apt-get update -o APT::Update::Error-Mode=any")

    def test_half_installed_counts_as_missing(self):
        self.install(*self.packages("run"))
        (self.fake / "installed" / "cmake").write_text("half-configured")
        status, _, errors = self.run_setup("run", FAKE_UID="1000")
        self.assertEqual(status, 3)
        self.assertIn("install -y --no-install-recommends cmake'\n", errors)
        status, _, errors = self.run_setup("run", STATUS_AFTER="unpacked")
        self.assertEqual(status, 3)
        self.assertIn("still missing after the installation: cmake", errors)

    def test_interrupted_dpkg_is_left_alone(self):
        (self.fake / "broken").touch()
        status, _, errors = self.run_setup("bench")
        self.assertEqual(status, 3)
        self.assertIn("dpkg --configure -a", errors)
        self.assertEqual(self.calls(), [])

    def test_user_without_rights_gets_one_line_to_run(self):
        for sudo, command in [(None, "su -c"), (SUDO, "sudo sh -c")]:
            if sudo:
                self.add_program("sudo", sudo)
            status, output, errors = self.run_setup("bench", FAKE_UID="1000")
            self.assertEqual((status, output), (3, ""))
            names = " ".join(self.packages("bench"))
            line = f"apt-get update && apt-get install -y --no-install-recommends {names}"
            self.assertEqual(errors.splitlines()[1], f"  {command} '{line}'")
            self.assertEqual(self.calls(), [])

    def test_user_with_sudo_installs(self):
        self.add_program("sudo", SUDO)
        (self.fake / "may-sudo").touch()
        status, _, errors = self.run_setup("bench", FAKE_UID="1000")
        self.assertEqual(status, 0, errors)
        self.assertIn("sudo", self.calls())
        self.assertTrue((self.fake / "installed" / "libbenchmark-dev").exists())

    def test_other_systems_are_refused_with_what_is_needed(self):
        (self.fake / "os-release").write_text("ID=fedora\n")
        status, _, errors = self.run_setup("run")
        self.assertEqual(status, 3)
        self.assertIn("this is fedora, not Debian", errors)
        self.assertIn("SUNDIALS 6.4", errors)
        self.assertEqual(self.run_setup("run", ABUT_NO_SETUP="1"), (0, "", ""))
        (self.fake / "os-release").write_text('ID=ubuntu\nID_LIKE="debian"\n')
        self.install(*self.packages("run"))
        self.assertEqual(self.run_setup("run"), (0, "", ""))
        (self.fake / "bin" / "dpkg-query").unlink()
        self.assertEqual(self.run_setup("run")[0], 3)

    def test_wrong_argument(self):
        status, _, errors = self.run_setup("rum")
        self.assertEqual(status, 1)
        self.assertIn("unknown argument 'rum'", errors)

    def test_list_gives_a_reason_for_each(self):
        lines = self.run_setup("--list", "run", "check", "tidy", "bench")[1].splitlines()
        self.assertTrue(all(len(line.split()) == 3 for line in lines))
        self.assertEqual(len({line.split()[1] for line in lines}), len(lines))


if __name__ == "__main__":
    unittest.main()
