#!/usr/bin/python3
"""Reports, comparisons, pages and plots as files; the live server as a process."""

import json
import re
import signal
import socket
import struct
import urllib.error
import urllib.request
import xml.etree.ElementTree

from abut_testing import COULD_NOT_GO_ON, CommandTest, DONE, INPUT_WRONG, SYSTEM_ERROR, main, replaced


class PagesTest(CommandTest):
    def run_scene(self):
        self.write(replaced())
        self.assertEqual(self.abut("run", "scene.toml", "--quiet").returncode, DONE)

    def check(self, arguments, status, text):
        done = self.abut(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(text, done.stderr + done.stdout)
        return done

    def test_report_is_one_file_without_addresses(self):
        self.run_scene()
        done = self.check(["report", "out/scene"], DONE, "written  out/scene/report.html")
        self.assertEqual(done.stderr, "")
        page = (self.folder / "out/scene/report.html").read_text()
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertIn("connect-src 'none'", page)
        self.assertEqual(re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:)', page), [])
        self.check(["report", "out/scene/result.h5", "-o", "other.html", "--quiet"], DONE, "")
        self.assertEqual((self.folder / "other.html").read_text(), page)

    def test_report_says_what_is_wrong(self):
        self.check(["report", "nothing"], SYSTEM_ERROR, "nothing: there is no such file")
        self.check(["report", "."], SYSTEM_ERROR, ".: there is no result.h5 in this folder")
        self.write("text", "a.h5")
        self.check(["report", "a.h5"], INPUT_WRONG, "a.h5: this is not an HDF5 file")
        self.check(["report"], INPUT_WRONG, "result is required")

    def test_plots(self):
        self.run_scene()
        self.check(["report", "out/scene", "--plot", "a.svg"], DONE, "written  a.svg")
        tree = xml.etree.ElementTree.parse(self.folder / "a.svg")
        texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("ball above a floor", texts)
        self.assertIn("Normal force  [N]", texts)
        self.check(["run", "scene.toml", "--plot", "b.png"], DONE, "b.png")
        data = (self.folder / "b.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">I", data[16:20])[0], 1640)  # 820 wide, twice as fine
        self.check(["run", "scene.toml", "--plot", "c.pdf"], INPUT_WRONG, "must end in .svg or .png")

    def test_compare(self):
        self.write(replaced())
        done = self.check(["compare", "scene.toml", "--normal", "gonthier,hunt-crossley", "--method", "adaptive,rk4"],
                          DONE, "4 variants")
        self.assertIn("hunt-crossley, rk4", done.stdout)
        result = json.loads((self.folder / "out/scene-compare/compare.json").read_text())
        numbers = [variant["numbers"] for variant in result["variants"]]
        # The ball falls 0.1 m with 2 kg and rebounds: m v (1 + e) and its weight while it touches.
        speed = (2 * 9.81 * 0.1) ** 0.5
        self.assertGreater(numbers[0]["impulse [N s]"], 2 * speed * 1.5)
        # One motion by two methods: rk4 at half of its longest stable step is 2e-3 off at the peak.
        for first, second in [(0, 1), (2, 3)]:
            self.assertAlmostEqual(numbers[first]["peak force [N]"] / numbers[second]["peak force [N]"], 1, delta=5e-3)
        self.assertEqual(json.loads(self.abut("compare", "scene.toml", "--friction", "none,coulomb", "--json").stdout)
                         ["variants"][1]["variant"], "coulomb")

    def test_compare_gives_methods_settings_of_their_own(self):
        self.write(replaced())
        done = self.check(["compare", "scene.toml", "--method", "adaptive,lcp:step=0.002,lcp:step=0.001:friction=cone",
                           "--json"], DONE, "")
        variants = json.loads(done.stdout)["variants"]
        self.assertEqual([v["variant"] for v in variants],
                         ["adaptive", "lcp:step=0.002", "lcp:step=0.001:friction=cone"])
        self.assertEqual([v["numbers"]["steps"] for v in variants[1:]], [150, 300])  # of 0.3 s
        # A step for all goes to those that take one and have none.
        done = self.check(["compare", "scene.toml", "--method", "adaptive,lcp,rk4:step=5e-5", "--set", "run.step=0.003"],
                          DONE, "run.step = 0.003 is for lcp; not for adaptive, rk4:step=5e-5")
        self.assertRegex(done.stdout, r"lcp .* 100 ")
        self.check(["compare", "scene.toml", "--method", "adaptive,radau", "--set", "run.step=0.003"], INPUT_WRONG,
                   "none of the methods adaptive, radau takes it")
        self.check(["compare", "scene.toml", "--method", "adaptive,lcp:frction=cone"], INPUT_WRONG, "friction")
        self.check(["compare", "scene.toml", "--method", "adaptive,lcp:0.001"], INPUT_WRONG, "'0.001' is not key=value")

    def test_compare_says_what_is_wrong(self):
        self.write(replaced())
        self.check(["compare", "scene.toml"], INPUT_WRONG, "there is nothing to compare")
        self.check(["compare", "scene.toml", "--normal", "gontier,hertz"], INPUT_WRONG, "Did you mean 'gonthier'?")
        self.check(["compare", "scene.toml", "--method", "rk4,rk9"], INPUT_WRONG, "there is no 'rk9'")
        self.assertFalse((self.folder / "out").exists())

    def test_compare_goes_on_when_a_variant_fails(self):
        self.write(replaced(("duration = 0.3", 'duration = 0.3\nmethod = "explicit"\nstep = 0.02')))
        done = self.abut("compare", "scene.toml", "--method", "adaptive,euler", "--set",
                         "contact[0].normal.stiffness=1e12")
        self.assertEqual(done.returncode, COULD_NOT_GO_ON)
        self.assertRegex(done.stdout, r"adaptive +1\.5")
        self.assertIn("stopped at 0.2 s: the motion has gained", done.stdout)
        self.assertTrue((self.folder / "out/scene-compare/compare.html").exists())

    def test_compare_tells_which_variants_cannot_be_and_runs_the_others(self):
        self.write(replaced())
        done = self.abut("compare", "scene.toml", "--method", "adaptive,lcp", "--normal", "gonthier,hertz",
                         "--set", 'contact[0].region="volume"')
        self.assertEqual(done.returncode, COULD_NOT_GO_ON, done.stderr)
        self.assertIn("hertz, adaptive  ", done.stdout)
        self.assertRegex(done.stdout, r"gonthier, lcp was not run: .*region = \"volume\" needs method")
        result = json.loads((self.folder / "out/scene-compare/compare.json").read_text())
        self.assertEqual([v["variant"] for v in result["variants"]], ["gonthier, adaptive", "hertz, adaptive"])
        self.assertEqual([v["variant"] for v in result["not_run"]], ["gonthier, lcp", "hertz, lcp"])
        self.assertIn("variant hertz, lcp was not run", (self.folder / "out/scene-compare/compare.html").read_text())

    def test_check_and_validate_reports(self):
        self.write(replaced())
        self.check(["check", "scene.toml", "--report", "check.html"], DONE, "written  check.html")
        page = (self.folder / "check.html").read_text()
        for text in ["restitution", "given", "sigma_1", "rule", "largest step, rk4"]:
            self.assertIn(text, page)
        self.check(["check", "scene.toml", "--report"], DONE, "written  out/scene-check.html")
        self.check(["validate", "hertz-impact", "--report"], DONE, "written  out/validation.html")
        self.assertIn("hertz-impact", (self.folder / "out/validation.html").read_text())
        self.check(["validate", "hertz-impact", "--report", "v.html"], DONE, "written  v.html")
        page = (self.folder / "v.html").read_text()
        for text in ["hertz-impact", "agrees", "<svg", "published"]:
            self.assertIn(text, page)


class ViewTest(CommandTest):
    def start_view(self, *arguments):
        process = self.start("view", *arguments, "--port", "0")
        self.address = re.search(r"http://\S+", process.stdout.readline()).group(0)
        return process

    def get(self, path, **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=headers), timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def test_serves_only_the_page_and_ends_on_interrupt(self):
        self.write(replaced())
        process = self.start_view("scene.toml")
        self.assertTrue(self.address.startswith("http://127.0.0.1:"))
        self.assertEqual(self.get("")[0], 200)
        for path in ["../../etc/passwd", "%2e%2e/scene.toml", "scene.toml", "pause"]:
            self.assertEqual(self.get(path)[0], 404, path)
        self.assertEqual(self.get("", Host="example.org")[0], 403)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), DONE)

    def test_busy_port(self):
        self.write(replaced())
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = self.abut("view", "scene.toml", "--port", port)
        self.assertEqual(done.returncode, SYSTEM_ERROR)
        self.assertIn(f"127.0.0.1:{port} cannot be used: the port is busy", done.stderr)

    def test_wrong_scene_starts_nothing(self):
        self.write(replaced(("mass = 2.0", "mass = -2.0")))
        done = self.abut("view", "scene.toml")
        self.assertEqual(done.returncode, INPUT_WRONG)
        self.assertIn("mass must be > 0 kg", done.stderr)


if __name__ == "__main__":
    main()
