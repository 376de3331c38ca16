#!/usr/bin/python3
"""Runs the notebooks of examples/notebooks: their code cells in order, each notebook in a process of its own. What they say
is asserted in their cells."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from abut_testing import COMMAND, CommandTest, ROOT, main

BUILD = pathlib.Path(os.environ.get("ABUT_BUILD", ROOT / "build" / os.environ.get("ABUT_PRESET", "check")))
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))

# As a notebook does it: one namespace, cell after cell, an error says which.
RUNNER = """
import json, sys, traceback
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
names = {"__name__": "__main__"}
for number, cell in enumerate(cells, 1):
    if cell["cell_type"] == "code":
        try:
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        except BaseException:
            traceback.print_exc()
            sys.exit(f"cell {number}:\\n" + "".join(cell["source"]))
"""


class NotebooksTest(CommandTest):
    def run_notebook(self, path):
        environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "MPLBACKEND": "Agg", "ABUT_COMMAND": COMMAND}
        return subprocess.run([sys.executable, "-c", RUNNER, str(path)], cwd=self.folder, env=environment, timeout=300,
                              capture_output=True, text=True, check=False)

    def test_there_are_ten(self):
        self.assertEqual(len(NOTEBOOKS), 10)

    def test_they_hold_no_outputs(self):
        for path in NOTEBOOKS:
            notebook = json.loads(path.read_text())
            self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), path.name)

    def test_a_wrong_cell_is_found(self):
        path = self.write(json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1\n", "assert x == 2"]}]}), "bad.ipynb")
        done = self.run_notebook(path)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("assert x == 2", done.stderr)


def add_test(path):
    def test(self):
        done = self.run_notebook(path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
    setattr(NotebooksTest, f"test_{path.stem.replace('-', '_')}", test)


for notebook_path in NOTEBOOKS:
    add_test(notebook_path)

if __name__ == "__main__":
    main()
