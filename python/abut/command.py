"""What the command does for Python: pages, validation, comparison."""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import weakref
import webbrowser
from typing import Any, Optional, Sequence

from .errors import InputError, SystemError  # pylint: disable=redefined-builtin


class Scratch:
    """A folder that goes when what it was made for does, or when that is never made."""

    def __init__(self) -> None:
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="abut-"))
        self.is_kept = False

    def __enter__(self) -> Scratch:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None and not self.is_kept:
            shutil.rmtree(self.path, ignore_errors=True)

    def keep_for(self, owner: object) -> None:
        self.is_kept = True
        weakref.finalize(owner, shutil.rmtree, self.path, ignore_errors=True)


def find_command() -> str:
    """The command: that of ABUT_COMMAND, the one that was built or installed with this package, or that of the path."""
    here = pathlib.Path(__file__).absolute().parent  # not resolved: in a build folder it is a link
    # Installed beside the modules; in a build folder two levels up.
    places = [pathlib.Path(os.environ.get("ABUT_COMMAND", "/")),
              here / "bin" / "abut", here.parent.parent / "apps" / "abut" / "abut"]
    for place in places:
        if os.access(place, os.X_OK) and place.is_file():
            return str(place)
    found = shutil.which("abut")
    if found is None:
        raise SystemError("the command abut is not there: it makes pages and validates; build or install it")
    return found


def call(*arguments: Any) -> str:
    """What the command prints. Its exit status becomes the exception that C++ would have thrown."""
    done = subprocess.run([find_command(), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode == 1:
        raise InputError(done.stderr.strip() or done.stdout.strip())
    if done.returncode not in (0, 2):
        raise SystemError(done.stderr.strip() or f"abut {arguments[0]} ended with status {done.returncode}")
    return done.stdout


def make_report(record: pathlib.Path, page: Optional[pathlib.Path] = None) -> pathlib.Path:
    """The page of a record: one HTML file beside it."""
    page = page or (record if record.is_dir() else record.parent) / "report.html"
    call("report", record, "--out", page)
    return page


def open_page(page: pathlib.Path) -> pathlib.Path:
    """In the browser, where there is one; returns the page in any case."""
    webbrowser.open(page.absolute().as_uri())
    return page


def embed(page: pathlib.Path) -> str:
    """The page for a cell of a notebook, in a frame of its own: its styles and scripts stay inside."""
    return (f'<iframe srcdoc="{html.escape(page.read_text(encoding="utf-8"))}" '
            'style="width: 100%; height: 640px; border: 0" sandbox="allow-scripts"></iframe>')


class Page:
    """A page that a notebook shows and a browser opens."""

    def __init__(self, path: pathlib.Path, data: Any) -> None:
        self.path = path
        self.data = data  #: the same as numbers

    def view(self) -> pathlib.Path:
        return open_page(self.path)

    def _repr_html_(self) -> str:
        return embed(self.path)

    def __repr__(self) -> str:
        return f"<abut.Page {self.path}>"


class LivePage:
    """A scene that runs in the browser, with sliders that start it again, as `abut view` serves it; until stop(), or until
    this goes."""

    def __init__(self, scene: Any, speed: float = 1.0) -> None:
        with Scratch() as scratch:
            path = write_scene(scene, scratch.path)
            # Not asked for by Ctrl-C, which in a notebook is for the cell.
            self._process = subprocess.Popen([find_command(), "view", str(path), "--port", "0", "--speed", str(speed)],
                                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                             encoding="utf-8", start_new_session=True)
            weakref.finalize(self, self._end, self._process)
            assert self._process.stdout is not None
            found = re.search(r"http://\S+", self._process.stdout.readline())
            if found is None:
                raise InputError(self._process.communicate()[1].strip())
            scratch.keep_for(self)
        self.url = found.group(0)

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        process.terminate()
        process.communicate()

    def stop(self) -> None:
        """Ends it."""
        self._end(self._process)

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.url)}" style="width: 100%; height: 640px; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<abut.LivePage {self.url}>"


def view(scene: Any, speed: float = 1.0) -> LivePage:
    """Runs a scene live in the browser, `speed` simulated seconds for each second."""
    page = LivePage(scene, speed)
    webbrowser.open(page.url)
    return page


def write_scene(scene: Any, folder: pathlib.Path) -> pathlib.Path:
    """A scene as a file for the command; meshes are looked for beside the scene they came from."""
    from .scene import as_scene  # pylint: disable=import-outside-toplevel
    if isinstance(scene, (str, os.PathLike)):
        return pathlib.Path(scene)
    path = folder / "scene.toml"
    path.write_text(as_scene(scene).to_toml(), encoding="utf-8")
    return path


def compare(scene: Any, normal: Sequence[str] = (), friction: Sequence[str] = (), method: Sequence[str] = (),
            out: Optional[Any] = None) -> Page:
    """Runs a scene under several laws and methods, each with each, as `abut compare` does: `data` has the numbers,
    view() shows the runs side by side."""
    if out is None:
        with Scratch() as scratch:
            page = compare(scene, normal, friction, method, scratch.path)
            scratch.keep_for(page)
            return page
    path = pathlib.Path(out)
    path.mkdir(parents=True, exist_ok=True)
    options = []
    for option, names in (("--normal", normal), ("--friction", friction), ("--method", method)):
        if names:
            options += [option, ",".join([names] if isinstance(names, str) else names)]
    printed = call("compare", write_scene(scene, path), "--out", path, "--json", *options)
    return Page(path / "compare.html", json.loads(printed))


def validate(*cases: str) -> list[dict[str, Any]]:
    """Computes the published results again (of the given cases, else all): a dict for each check, with expected and
    obtained values, tolerance and source."""
    checks: list[dict[str, Any]] = json.loads(call("validate", "--json", *cases))
    return checks
