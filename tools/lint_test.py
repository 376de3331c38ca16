#!/usr/bin/python3
"""Proves that each rule of tools/lint can fail, and that none fires on files that keep it."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("lint", str(pathlib.Path(__file__).resolve().parent / "lint"))
LINT = importlib.util.module_from_spec(importlib.util.spec_from_loader("lint", LOADER))
LOADER.exec_module(LINT)

CLEAN = {
    "include/abut/errors.hpp": "#pragma once\n\n#include <string>\n",
    "include/abut/world.hpp": '#pragma once\n\n#include <Eigen/Core>\n\n#include "abut/errors.hpp"\n',
    "src/abut/base/error.hpp":
        '#pragma once\n\n#include <string>\n\n#include <fmt/format.h>\n\n#include "abut/errors.hpp"\n',
    "src/abut/door/world.cpp": '#include "abut/world.hpp"\n#include "abut/sim/model.hpp"\n',
    "examples/cpp/drop.cpp": "#include <abut/world.hpp>\n",
    "src/abut/math/types.hpp": '// why\n#pragma once\n\n#include <Eigen/Core>\n\n#include "abut/base/error.hpp"\n',
    "src/abut/geometry/shape.hpp": '#pragma once\n\n#include "abut/math/types.hpp"\n',
    "src/abut/contact/law/hertz.hpp": '#pragma once\n\n#include "abut/geometry/shape.hpp"\n',
    "src/abut/solve/ode/cvode.cpp": '#include <cvode/cvode.h>\n\n#include "abut/math/types.hpp"\n',
    "src/abut/scene/scene.hpp": '#pragma once\n\n#include "abut/math/types.hpp"\n',
    "src/abut/io/file_detail.hpp": "#pragma once\n\n#include <toml++/toml.h>\n",
    "src/abut/io/read.cpp":
        '#include <toml++/toml.h>\n#include "abut/io/file_detail.hpp"\n#include "abut/scene/scene.hpp"\n',
    "src/abut/sim/model.hpp": '#pragma once\n#include "abut/contact/law/hertz.hpp"\n#include "abut/scene/scene.hpp"\n',
    "src/abut/sim/model_test.cpp":
        '#include <gtest/gtest.h>\n#include <nlohmann/json.hpp>\n#include "abut/sim/model.hpp"\n',
    "src/abut/CMakeLists.txt": "abut_layer(base)\nabut_layer(math DEPENDS abut_base)\n",
    "apps/abut/main.cpp": '#include <CLI/CLI.hpp>\n\n#include "abut/sim/model.hpp"\n#include "options.hpp"\n',
    "apps/abut/options.hpp": "#pragma once\n",
    "docs/theory/hertz.md": "Stiffness in N/m\u00b3\u2044\u00b2 [Hertz 1882; Johnson 1985, 4], [2000 steps](#a), x[N = 2000].\n",
    "docs/sources.md": "| name | source |\n|---|---|\n| Hertz 1882 | ... |\n| Johnson 1985 | ... |\n",
    "CHANGELOG.md": "# Changes\n\nIn words.\n\n## [2]\n\n### Added\n- This.\n- That.\n\n### Fixed\n\n## [1]\n\n### Added\n",
    "build/release/generated.cpp": "\tnot ours \n",
}


class LintTest(unittest.TestCase):
    def lint(self, changed=None):
        """Runs the lint on the clean tree with some files changed or added; returns (exit status, output)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**CLEAN, **(changed or {})}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = LINT.main(["--root", folder])
            return status, output.getvalue()

    def assert_finds(self, changed, *messages):
        """The lint fails with exactly these findings."""
        status, output = self.lint(changed)
        self.assertEqual(status, 1, output)
        self.assertEqual(len(output.splitlines()) - 1, len(messages), output)
        for message in messages:
            self.assertIn(message, output)

    def test_clean_tree_passes(self):
        status, output = self.lint()
        self.assertEqual(status, 0, output)
        self.assertEqual(output, "lint: 20 files, 0 errors, 0 warnings\n")

    def test_link_that_leads_nowhere_fails(self):
        self.assert_finds({"docs/x.md": "[a](theory/hertz.md#b), [c](https://d.e/f), [g](#h), `[i](j.md)`\n[k](l.md)\n"},
                          "docs/x.md:2: the link l.md leads nowhere")

    def test_decision_that_is_not_listed_fails(self):
        tree = {"docs/decisions/0001-a.md": "A\n", "docs/decisions/0002-b.md": "B\n",
                "docs/decisions/README.md": "[1](0001-a.md)\n"}
        self.assert_finds(tree, "docs/decisions/0002-b.md:1: docs/decisions/README.md does not list it")

    def test_changelog_has_a_line_for_each_change(self):
        log = "Free.\n## [2]\n### Added\n- This\n  and that.\n### News\n### Added\n## [1]\n### Added\n"
        headings = "one heading for each of Added, Changed, Deprecated, Removed, Fixed, Security"
        self.assert_finds({"CHANGELOG.md": log}, "CHANGELOG.md:5: one line for each change", f"CHANGELOG.md:6: {headings}",
                          f"CHANGELOG.md:7: {headings}")

    def test_every_upward_or_sideways_include_fails(self):
        # Written out by hand from the layer diagram, independently of the table in the lint.
        allowed = {
            "base": "", "math": "base", "geometry": "base math", "contact": "base math geometry scene",
            "multibody": "base math", "solve": "base math", "scene": "base math", "io": "base math scene",
            "sim": "base math geometry contact multibody solve scene",
        }
        tree = {f"src/abut/{layer}/one.hpp": "#pragma once\n" for layer in allowed}
        expected = []
        for layer, below in allowed.items():
            for other in allowed:
                name = f"src/abut/{layer}/uses_{other}.hpp"
                tree[name] = f'#pragma once\n\n#include "abut/{other}/one.hpp"\n'
                if other != layer and other not in below.split():
                    expected.append(f"{name}:3: layer {layer} must not include layer {other}")
        self.assert_finds(tree, *expected)

    def test_source_without_a_row_fails(self):
        no_row = "docs/sources.md has no row "
        for text, line, name in [  # with < and > for brackets, so that this file cites nothing itself
            (" <Hertz 1881>", 3, "Hertz 1881"),
            (" <H. Hertz 1882>", 3, "H. Hertz 1882"),
            (" <Hertz 1882 (3); Nobody and\n/// Else 1999, 4>", 3, "Nobody and Else 1999"),
            ("\n/// see <van Nobody\n/// 2007 (3.1)-(3.4)>", 4, "van Nobody 2007"),
        ]:
            text = text.replace("<", "[").replace(">", "]")
            self.assert_finds({"src/abut/math/x.hpp": f"#pragma once\n\n/// Why:{text}\n"},
                              f"src/abut/math/x.hpp:{line}: {no_row}{name}")
        self.assert_finds({"cases/x/case.toml": "# [" + "Nobody 1999]\n"}, f"cases/x/case.toml:1: {no_row}Nobody 1999")

    def test_numbered_specification_fails(self):
        for text in ["sp" + "ec 3, 2.1", "Sp" + "ec 0 (3.1)", "by specifi" + "cation 2", "sp" + "ec\n// 1"]:
            self.assert_finds({"src/abut/math/x.cpp": f"// {text}\n"}, "src/abut/math/x.cpp:1: ")

    def test_upward_include_in_a_source_and_in_a_test_fails(self):
        line = '#include "abut/sim/model.hpp"\n'
        for name in ["src/abut/io/write.cpp", "src/abut/io/write_test.cpp", "src/abut/io/detail/write.hpp"]:
            text = ("#pragma once\n" if name.endswith("hpp") else "\n") + line
            self.assert_finds({name: text}, f"{name}:2: layer io must not include layer sim")

    def test_every_include_against_the_order_of_folders_fails(self):
        # Written out by hand, as that of the layers.
        below = {
            "": "", "/moments": " ", "/polyhedron": " /moments", "/mesh": " /moments /polyhedron",
            "/distance": " /moments /polyhedron /mesh", "/manifold": " /moments /polyhedron /mesh /distance",
            "/volume": " /moments /polyhedron /mesh /distance",
        }
        tree = {f"src/abut/geometry{folder}/one.hpp": "#pragma once\n" for folder in below}
        expected = []
        for folder, lower in below.items():
            for i, other in enumerate(below):
                name = f"src/abut/geometry{folder}/uses_{i}"
                include = f'#include "abut/geometry{other}/one.hpp"\n'
                tree[f"{name}.cpp"] = tree[f"{name}_test.cpp"] = include
                if other != folder and not (folder and other in lower.split(" ")):
                    own, lowest = ("geometry" + (place or " itself") for place in (folder, other))
                    expected.append(f"{name}.cpp:1: {own} must not include {lowest}")
        self.assertEqual(len(expected), 22)
        self.assert_finds(tree, *expected)

    def test_private_folders_belong_to_the_one_they_lie_in(self):
        line = '#include "abut/geometry/volume/detail/one.hpp"\n'
        tree = {"src/abut/geometry/volume/detail/one.hpp": "#pragma once\n", "src/abut/geometry/volume/two.cpp": line}
        self.assertEqual(self.lint(tree)[0], 0)
        tree["src/abut/geometry/mesh/detail/three.cpp"] = line
        self.assert_finds(tree, "mesh/detail/three.cpp:1: geometry/mesh must not include geometry/volume")

    def test_unknown_folder_fails(self):
        self.assert_finds({"src/abut/geometry/misc/x.hpp": "#pragma once\n"},
                          "src/abut/geometry/misc:1: a folder of geometry that FOLDERS")

    def test_upward_dependency_in_cmake_fails(self):
        self.assert_finds({"src/abut/CMakeLists.txt": "abut_layer(base)\nabut_layer(io DEPENDS abut_scene abut_sim)\n"},
                          "src/abut/CMakeLists.txt:2: layer io must not depend on layer sim")

    def test_unknown_layer_fails(self):
        self.assert_finds({"src/abut/misc/x.hpp": "#pragma once\n"}, "src/abut/misc:1: a layer that the table")

    def test_third_party_in_public_header_fails(self):
        for name in ["boost/any.hpp", "unistd.h", "span-lite"]:
            self.assert_finds({"src/abut/io/x.hpp": f"#pragma once\n#include <{name}>\n"},
                              f"src/abut/io/x.hpp:2: <{name}> in a header that other layers see")

    def test_public_headers_show_nothing_private(self):
        for line in ['#include "abut/math/types.hpp"', "#include <fmt/format.h>", "#include <nlohmann/json.hpp>"]:
            self.assert_finds({"include/abut/model.hpp": f"#pragma once\n{line}\n"}, "include/abut/model.hpp:2: ")
        self.assert_finds({"include/abut/detail/x.hpp": "#pragma once\n"}, "holds the public headers and nothing else")
        self.assert_finds({"include/abut/x.h": "#pragma once\n\n#include <vector>\n"}, "include/abut/x.h:3: <vector>")
        self.assert_finds({"src/abut/world.hpp": "#pragma once\n"}, "src/abut has a world.hpp too")

    def test_only_the_door_goes_through_the_door(self):
        self.assert_finds({"src/abut/sim/x.cpp": '#include "abut/world.hpp"\n'}, "layer sim must not go through it")

    def test_third_party_in_the_wrong_layer_fails(self):
        self.assert_finds({"src/abut/sim/x.cpp": "#include <cvode/cvode.h>\n"},
                          "src/abut/sim/x.cpp:1: <cvode/cvode.h> belongs to solve, tests, not to sim")
        self.assert_finds({"src/abut/io/x.cpp": "#include <gtest/gtest.h>\n"}, "belongs to tests, not to io")

    def test_include_not_rooted_at_abut_fails(self):
        for name in ["types.hpp", "math/types.hpp", "../math/types.hpp", "Eigen/Core"]:
            self.assert_finds({"src/abut/math/x.cpp": f'#include "{name}"\n'},
                              f'src/abut/math/x.cpp:1: "{name}" does not start at "abut/"')
        self.assert_finds({"src/abut/io/x.cpp": '#include "abut/io/../sim/model.hpp"\n'}, "hides where it leads")

    def test_angled_include_of_our_own_fails(self):
        self.assert_finds({"src/abut/math/x.cpp": "#include <abut/math/types.hpp>\n"}, "with quotes")

    def test_include_of_a_missing_file_fails(self):
        self.assert_finds({"src/abut/math/x.cpp": '#include "abut/math/typos.hpp"\n'},
                          "there is no src/abut/math/typos.hpp")
        self.assert_finds({"apps/abut/x.cpp": '#include "typos.hpp"\n'}, "apps/abut/x.cpp:1:")

    def test_private_header_used_from_another_place_fails(self):
        self.assert_finds({"apps/abut/x.cpp": '#include "abut/io/file_detail.hpp"\n'}, "is private to layer io")

    def test_test_header_may_use_gtest_but_only_tests_may_use_it(self):
        helper = {"src/abut/math/random_for_test.hpp": "#pragma once\n#include <gtest/gtest.h>\n"}
        line = '#include "abut/math/random_for_test.hpp"\n'
        self.assertEqual(self.lint({**helper, "src/abut/math/x_test.cpp": line})[0], 0)
        self.assert_finds({**helper, "src/abut/math/x.cpp": line}, "x.cpp:1: abut/math/random_for_test.hpp is for")

    def test_asking_which_region_fails(self):
        for question in ["if (patch.region == RegionKind::volume) f();", "if (RegionKind::point != kind) f();",
                         "switch (kind) { case RegionKind::perimeter: f(); }",
                         "if (settings.region == ContactDefaultSpec::Region::volume) f();",
                         "if (region != ContactRegion::point) f();", "f(std::get<VolumeRule>(rule.region));",
                         "if (std::holds_alternative<PerimeterRule>(rule.region)) f();"]:
            for name in ["src/abut/sim/run.cpp", "src/abut/contact/contact_set.cpp", "apps/abut/check.cpp"]:
                self.assert_finds({name: question + "\n"}, f"{name}:1: asks which region it is")
            for name in ["src/abut/contact/region/volume_region.cpp", "src/abut/sim/volume_region_row.cpp",
                         "src/abut/sim/run_test.cpp"]:
                self.assertEqual(self.lint({name: question + "\n"})[0], 0, name)
        for fact in ["if (region_traits(kind).joins_cells) f();", "RegionKind kind = RegionKind::point;",
                     "f(ContactDefaultSpec::Region::perimeter);", "f();  // kind == RegionKind::point"]:
            self.assertEqual(self.lint({"src/abut/sim/run.cpp": fact + "\n"})[0], 0, fact)

    def test_missing_pragma_once_fails(self):
        self.assert_finds({"src/abut/math/x.hpp": "int f();\n"}, "x.hpp:1: no #pragma once")
        self.assert_finds({"src/abut/math/x.hpp": "#include <string>\n#pragma once\n"}, "x.hpp:1: the first directive")

    def test_look_of_the_file(self):
        name = "src/abut/math/x.cpp"
        self.assert_finds({name: "int a;\n\tint b;\n"}, f"{name}:2: tab")
        self.assert_finds({name: "int a; \n"}, f"{name}:1: blank")
        self.assert_finds({name: "int a;\r\n"}, f"{name}:1: blank or carriage return")
        self.assert_finds({name: "int a;"}, f"{name}:1: no newline at the end")
        self.assert_finds({name: "// 5 \u00b5m\n"}, f"{name}:1: character U+00B5 is not ASCII")
        self.assert_finds({name: b"// 5 \xb5m\n"}, f"{name}:1: not UTF-8")
        self.assert_finds({"tools/script": "#!/bin/sh\ntrue \n"}, "tools/script:2: blank")
        self.assert_finds({"docs/x.md": "line \n"}, "docs/x.md:1: blank")

    def test_leftover_words_fail_everywhere(self):
        for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX"]:
            self.assert_finds({"src/abut/math/x.cpp": f"int a;  // {word} later\n"}, f"x.cpp:1: leftover {word}")
            self.assert_finds({"docs/x.md": f"{word}: write\n"}, f"docs/x.md:1: leftover {word}")

    def test_long_files(self):
        self.assert_finds({"src/abut/math/x.cpp": "\n" * 601}, "x.cpp:601: 601 lines")
        self.assertEqual(self.lint({"src/abut/math/x.cpp": "\n" * 600})[0], 0)
        self.assertEqual(self.lint({"docs/x.md": "\n" * 700})[0], 0)
        status, output = self.lint({"src/abut/math/x.hpp": "#pragma once\n" + "\n" * 400})
        self.assertEqual(status, 0)
        self.assertIn("x.hpp:401: warning: a header of 401 lines", output)


if __name__ == "__main__":
    unittest.main()
