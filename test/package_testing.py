"""What the tests of the installed library share: the build that is installed, programs that are run, where it lies."""

import os
import pathlib
import subprocess
import sys

from abut_testing import CommandTest, ROOT

BUILD = pathlib.Path(os.environ.get("ABUT_BUILD", ROOT / "build" / os.environ.get("ABUT_PRESET", "check")))


class PackageCase(CommandTest):
    def call(self, *command, timeout=300, folder=None, status=0, **environment):
        done = subprocess.run([*map(str, command)], cwd=folder or self.folder, timeout=timeout, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, status, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self):
        self.call("cmake", "--install", BUILD, "--prefix", self.folder / "installed", "--component", "library")
        # Found where it lies, not where it was told to lie.
        return (self.folder / "installed").rename(self.folder / "moved")

    def ask_pkg_config(self, prefix, *options):
        folder = next(prefix.rglob("abut.pc")).parent
        return self.call("pkg-config", *options, "abut", PKG_CONFIG_PATH=str(folder)).split()


def require_library():
    if not (BUILD / "package/abut-config.cmake").exists():
        sys.exit(f"{BUILD} has no library to install: build its target abut")
