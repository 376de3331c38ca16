#!/usr/bin/python3
"""The C interface as programs in C get it: by find_package in a project without C++, by pkg-config with the compiler of C,
from the package for Debian, as a shared library. What the examples say is checked by themselves (exit status); what a
program can do wrong is answered, also under sanitizers. The binary interface is the one that is stored in test/abi.

ABUT_UPDATE_DOCS=1 stores it anew, which is right where functions or members are added; what was there has to stay."""

import os
import re
import shutil
import subprocess

from abut_testing import ROOT, main
from package_testing import BUILD, PackageCase, require_library

EXAMPLES = ROOT / "examples/c"
STORED = ROOT / "test/abi/abut-0.1.abi"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
PROTOTYPE = re.compile(r"^ABUT_API ([\w\s*]*?)(\w+)(\([^;]*\));", re.MULTILINE)


def read_functions(folder):
    """Name -> prototype, of the installed headers."""
    text = "".join(path.read_text() for path in sorted(folder.glob("c_*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return {match[2]: f"{match[1]}{match[2]}{match[3]}" for match in PROTOTYPE.finditer(text)}


class CPackageTest(PackageCase):
    def run_program(self, program, prefix):
        library = next((prefix / "lib").rglob("libabut.*")).parent  # of use to a shared library only
        print(self.call(self.folder / program, LD_LIBRARY_PATH=str(library)), end="")

    def test_headers_are_of_c_and_of_cpp(self):
        prefix = self.install()
        for header in sorted((prefix / "include/abut").glob("*.h")):
            text = f"#include <abut/{header.name}>\n#include <abut/{header.name}>\nint main(void) {{ return 0; }}\n"
            self.write(text, "one.c")
            self.write(text, "one.cpp")
            for compiler in ("gcc", "clang"):
                if shutil.which(compiler):
                    for standard in ("c99", "c11", "c17"):
                        self.call(compiler, f"-std={standard}", "-fsyntax-only", *STRICT, f"-I{prefix}/include", "one.c")
            for standard in ("c++11", "c++20"):
                self.call("g++", f"-std={standard}", "-fsyntax-only", *STRICT, f"-I{prefix}/include", "one.cpp")

    def test_found_by_cmake_in_a_project_of_c(self):
        prefix = self.install()
        self.call("cmake", "-S", ROOT / "test/consumer/c", "-B", "built", "-G", "Ninja", f"-DEXAMPLES={EXAMPLES}",
                  f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
        self.call("cmake", "--build", "built")
        programs = sorted(path.stem for path in EXAMPLES.glob("*.c"))
        self.assertGreaterEqual(len(programs), 2)
        for name in [*programs, "failures"]:
            self.run_program(f"built/{name}", prefix)

    def test_found_by_pkg_config(self):
        prefix = self.install()
        for options in (["--cflags", "--libs"], ["--static", "--cflags", "--libs"]):
            flags = self.ask_pkg_config(prefix, *options)
            for example in sorted(EXAMPLES.glob("*.c")):
                self.call("gcc", "-std=c99", "-O2", *STRICT, example, "-o", "program", *flags, "-lm")
                self.run_program("program", prefix)

    def test_failures_under_sanitizers(self):
        prefix = self.install()
        self.call("gcc", "-std=c99", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                  ROOT / "test/consumer/c/failures.c", "-o", "program", *self.ask_pkg_config(prefix, "--cflags", "--libs"))
        self.run_program("program", prefix)

    def test_packed_for_debian(self):
        if shutil.which("dpkg-deb") is None:
            self.skipTest("no Debian")
        self.call("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", "packed", "-D", "CPACK_COMPONENTS_ALL=library")
        package = next((self.folder / "packed").glob("libabut-dev_*.deb"))
        depends = self.call("dpkg-deb", "--field", package, "Depends")
        if next(BUILD.rglob("libabut.*")).suffix == ".a":
            self.assertRegex(depends, r"libstdc\+\+-\d+-dev", "a compiler of C does not bring the runtime of C++")
        self.call("dpkg-deb", "--extract", package, "unpacked")
        usr = self.folder / "unpacked/usr"
        self.assertTrue((usr / "include/abut/abut.h").exists())
        self.assertTrue(list(usr.glob("share/doc/**/c.md")))
        example = next(usr.glob("share/doc/**/own_integrator.c"))
        self.call("gcc", "-std=c99", example, "-o", "program", *self.ask_pkg_config(usr, "--cflags", "--libs"), "-lm")
        self.run_program("program", usr)

    def test_every_function_is_tested(self):
        tests = "".join(path.read_text() for path in (ROOT / "src/abut/door/c").glob("*_test.cpp"))
        page = (ROOT / "docs/c.md").read_text()
        for name in read_functions(ROOT / "include/abut"):
            self.assertIn(f"{name}(", tests)
            self.assertRegex(page, rf"\b{name.removeprefix('abut_').split('_')[0]}", name)

    def test_shared_library_shows_its_functions_and_their_version(self):
        prefix = self.install()
        library = next((prefix / "lib").rglob("libabut.*"))
        if library.suffix == ".a":  # what BUILD_SHARED_LIBS makes of the same objects
            flags = self.ask_pkg_config(prefix, "--libs")
            flags.remove("-labut")
            self.call("g++", "-shared", "-o", "libabut.so", "-Wl,-soname,libabut.so", "-Wl,-z,defs",
                      f"-Wl,--version-script={ROOT}/cmake/abut.map", "-Wl,--whole-archive", library,
                      "-Wl,--no-whole-archive", *flags)
            library = self.folder / "libabut.so"
        lines = self.call("nm", "-D", "--defined-only", "--with-symbol-versions", library).splitlines()
        symbols = {line.split()[-1] for line in lines}
        shown = {symbol.split("@")[0] for symbol in symbols if symbol.endswith("@@ABUT_0.1")}
        self.assertEqual(shown, set(read_functions(prefix / "include/abut")))
        # All else is the interface in C++, and inline functions of the standard library.
        strangers = [symbol for symbol in symbols
                     if not re.search(r"@@ABUT(_CXX)?_0\.1$|^ABUT(_CXX)?_0\.1$|^_Z\w*St|^_ZNSt|^_ZNKSt", symbol)]
        self.assertEqual(strangers, [])
        self.call("gcc", "-std=c99", EXAMPLES / "bouncing_ball.c", "-o", "program", f"-I{prefix}/include", library, "-lm")
        print(self.call(self.folder / "program", LD_LIBRARY_PATH=str(library.parent)), end="")

    def describe(self, include, name):
        """The binary interface that the headers in a folder declare. The library's own sources include them, so that
        what it defines is what they say."""
        stubs = [f"{prototype} {{ __builtin_trap(); }}\n" for prototype in read_functions(include / "abut").values()]
        text = "".join(path.read_text() for path in sorted((include / "abut").glob("c_*.h")))
        enums = re.findall(r"^typedef enum (\w+)", text, re.MULTILINE)  # some are named by no function
        stubs += [f'__attribute__((visibility("default"))) {enum} {enum}_described;\n' for enum in enums]
        self.write("#include <abut/abut.h>\n" + "".join(stubs), f"{name}.c")
        self.call("gcc", "-std=c99", "-g", "-w", "-fPIC", "-shared", "-fvisibility=hidden",
                  "-fno-eliminate-unused-debug-types", f"-I{include}", f"{name}.c", "-o", f"{name}.so",
                  f"-Wl,--version-script={ROOT}/cmake/abut.map")
        self.call("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed",
                  "--load-all-types", "--out-file", f"{name}.abi", f"{name}.so")
        # The folder of this test is not part of it.
        text = (self.folder / f"{name}.abi").read_text()
        text = re.sub(r"(path|comp-dir-path)='[^']*'", r"\1='abut.c'", text)
        return self.write(text, f"{name}.abi")

    def test_binary_interface_is_the_stored_one(self):
        if shutil.which("abidiff") is None:
            self.skipTest("no abidiff (Debian: abigail-tools)")
        prefix = self.install()
        found = self.describe(prefix / "include", "found")
        if os.environ.get("ABUT_UPDATE_DOCS") == "1":
            shutil.copy(found, STORED)
        done = subprocess.run(["abidiff", STORED, found], stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\nStored anew by ABUT_UPDATE_DOCS=1 {__file__}")
        # It would be noticed: a member in between, an argument more, a status that means something else.
        for header, before, after in (("c_values.h", "  double kinetic;", "  double kinetic, heat;"),
                                      ("c_world.h", "abut_world_step(abut_world* world, ", "abut_world_step(abut_world* world, int n, "),
                                      ("c_base.h", "ABUT_ERROR_BUSY = 3", "ABUT_ERROR_BUSY = 9"),
                                      ("c_scene.h", "ABUT_TEXT = 3", "ABUT_TEXT = 8")):
            shutil.copytree(prefix / "include", self.folder / "changed", dirs_exist_ok=True)
            path = self.folder / "changed/abut" / header
            text = path.read_text()
            self.assertIn(before, text)
            path.write_text(text.replace(before, after, 1))
            changed = self.describe(self.folder / "changed", "changed")
            done = subprocess.run(["abidiff", STORED, changed], stdout=subprocess.PIPE, encoding="utf-8", check=False)
            self.assertNotEqual(done.returncode, 0, f"{after} is not noticed")


if __name__ == "__main__":
    require_library()
    main()
