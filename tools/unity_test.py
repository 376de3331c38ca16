#!/usr/bin/python3
"""Tests which sources cmake/AbutUnity.cmake lets share a translation unit, on sources made for it."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Prints the unit of each source instead of making a target.
SCRIPT = """cmake_minimum_required(VERSION 3.25)
function(set_property kind first)
  if(kind STREQUAL "SOURCE")
    cmake_path(GET first FILENAME name)
    list(POP_BACK ARGN unit)
    message("${name} ${unit}")
  endif()
endfunction()
function(set_target_properties)
endfunction()
function(target_compile_options)
endfunction()
include("%s/cmake/AbutUnity.cmake")
abut_unity(target %s)
"""
HELPER = "namespace abut {\n\nnamespace {\n\n%s\n\n}  // namespace\n\n%s\n}  // namespace abut\n"


class UnityTest(unittest.TestCase):
    def units(self, *texts, unity="ON"):
        """The unit of each source, None for those that stand alone."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            sources = [folder / f"s{i}.cpp" for i in range(len(texts))]
            for source, text in zip(sources, texts):
                source.write_text(text)
            (folder / "run.cmake").write_text(SCRIPT % (ROOT, " ".join(map(str, sources))))
            done = subprocess.run(["cmake", f"-DABUT_UNITY={unity}", "-P", folder / "run.cmake"], capture_output=True,
                                  text=True, check=True, timeout=60)
        found = dict(line.split() for line in done.stderr.splitlines())
        return [int(found[source.name]) if source.name in found else None for source in sources]

    def test_what_has_nothing_in_common_shares(self):
        self.assertEqual(self.units(HELPER % ("double mix(double x) { return x; }", ""),
                                    HELPER % ("double blend(double x) { return x; }", "")), [0, 0])

    def test_each_kind_of_declaration_keeps_apart(self):
        for own in ["double mix(double x) { return x; }", "constexpr double mix = 3.0;", "struct mix {\n  int a;\n};",
                    "class mix;", "enum class mix { a, b };", "using mix = std::map<int, int>;",
                    "const std::array<int, 2> mix{1, 2};", "template <typename T>\nT mix(T x) {\n  return x;\n}",
                    "std::vector<int>\nmix(int x);", "const char* const mix[] = {\"a\"};"]:
            other = HELPER % ("int other(int x) { return x; }", "int call() { return mix(3); }")
            self.assertEqual(self.units(HELPER % (own, ""), other), [0, 1], own)
            self.assertEqual(self.units(other, HELPER % (own, "")), [0, 1], own)
        self.assertEqual(self.units("#define MIX(x) x\n", "int MIX;\n"), [0, 1])

    def test_words_that_are_no_names_do_not_count(self):
        own = HELPER % ("double mix(double x) { return x; }", "")
        self.assertEqual(self.units(own, "// mix well\nconst char* text = \"mix [a; b]\";\nint mixed;\n"), [0, 0])
        self.assertEqual(self.units(HELPER % ("using testing::values;", ""), HELPER % ("using testing::values;", "")), [0, 0])

    def test_names_outside_anonymous_namespaces_are_for_all(self):
        self.assertEqual(self.units(HELPER % ("int a(int x);", "int shared(int x) { return x; }\n"),
                                    HELPER % ("int b(int x);", "int c() { return shared(1); }\n")), [0, 0])

    def test_alone_stand_sources_that_leak(self):
        self.assertEqual(self.units("int a;\n", "using namespace abut;\n", "int b;\n"), [0, None, 0])
        self.assertEqual(self.units("const char* folder = ABUT_SOURCE_DIR;\n", "int b;\n"), [None, 0])

    def test_units_are_full_with_eight(self):
        self.assertEqual(self.units(*[f"int a{i};\n" for i in range(10)]), [0] * 8 + [1] * 2)
        self.assertEqual(self.units("int a;\n", "int b;\n", unity="OFF"), [None, None])


if __name__ == "__main__":
    unittest.main()
