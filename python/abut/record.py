"""Records of runs as numpy arrays, and runs."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import _abut, command
from .errors import InputError, StepError
from .scene import PathLike, Scene, as_model

#: Numbers of one row of a column, where it is not one.
SHAPES = {"body/position": (-1, 3), "body/orientation": (-1, 4), "body/velocity": (-1, 3),
          "body/angular_velocity": (-1, 3), "curve/segment": (2, 3)}
#: Columns that are whole numbers.
INTEGERS = {"body_a", "body_b", "patch", "kind", "row_start", "segment_start", "sticking"}


def shape_column(name: str, rows: Any) -> Any:
    """The numbers of a column in their own shape; whole numbers as such."""
    count, width = rows.shape
    if name in SHAPES:
        return rows.reshape(count, *(SHAPES[name] if width else (0, SHAPES[name][1])))
    own = rows[:, 0] if width == 1 and not name.startswith("joint/") else rows
    return own.astype(np.int64) if name.split("/")[-1] in INTEGERS else own


class Record(Mapping[str, Any]):
    """What a run has left: {"body/position": array, ...}, the columns of docs/records.md.

    Arrays are over the memory that the file was read into; only whole numbers are copied once.
    """

    def __init__(self, path: PathLike) -> None:
        (self.title, self.version, self._scene, summary, self.is_complete, self.body_names, self.joint_names,
         self._joint_slices, columns) = _abut.read_record(os.fspath(path))
        self.path = pathlib.Path(path)
        self.summary: dict[str, Any] = json.loads(summary) if summary else {}  #: what the terminal shows and more
        self.units: dict[str, str] = {name: unit for name, (unit, _) in columns.items()}
        self._columns = {name: shape_column(name, rows) for name, (_, rows) in columns.items()}

    @classmethod
    def read(cls, path: PathLike) -> Record:
        """`path`: a result.h5, or a folder with one. Also of a run that goes on or was killed."""
        return cls(path)

    # As a mapping of columns.
    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            raise InputError(f"the record has no column '{name}'; it has {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    @property
    def time(self) -> Any:
        """Of each sample [s]."""
        return self["time"]

    @property
    def scene(self) -> Scene:
        """The scene as it was run."""
        return Scene.read_text(self._scene, f"{self.path}: scene")

    def _place(self, kind: str, name: str, names: list[str]) -> int:
        if name not in names:
            raise InputError(f"the record has no {kind} '{name}'; it has {', '.join(names) or 'none'}")
        return names.index(name)

    def body(self, name: str) -> Any:
        """Structured: time, position (3), orientation (w, x, y, z), velocity (3), angular_velocity (3)."""
        place = self._place("body", name, self.body_names)
        keys = ["position", "orientation", "velocity", "angular_velocity"]
        return self._stack({"time": self.time, **{key: self[f"body/{key}"][:, place] for key in keys}})

    def joint(self, name: str) -> Any:
        """Structured: time, q, v, force, as many numbers of each as the joint has."""
        place = self._place("joint", name, self.joint_names)
        q_start, num_q, v_start, num_v = (numbers[place] for numbers in self._joint_slices)
        rates = slice(v_start, v_start + num_v)
        of = {"q": slice(q_start, q_start + num_q), "v": rates, "force": rates}
        return self._stack({"time": self.time, **{key: np.squeeze(self[f"joint/{key}"][:, part], 1)
                                                  if part.stop - part.start == 1 else self[f"joint/{key}"][:, part]
                                                  for key, part in of.items()}})

    def sensor(self, name: str) -> Any:
        """Structured: time, and the quantities that the sensor shows, as it showed them at each sample."""
        names = list(dict.fromkeys(key.split("/")[1] for key in self if key.startswith("sensor/")))
        self._place("sensor", name, names)
        return self._stack({"time": self.time, **self._group(f"sensor/{name}/")})

    @property
    def energy(self) -> Any:
        """Structured: time, and each entry of the ledger [J]."""
        return self._stack({"time": self.time, **self._group("energy/")})

    @property
    def contacts(self) -> Any:
        """Structured, a row for each patch in contact at each sample: time, sample, and the columns of /contact."""
        group = self._group("contact/")
        starts = group.pop("row_start")
        sample = np.repeat(np.arange(len(self.time)), np.diff(starts))
        return self._stack({"time": self.time[sample], "sample": sample, **group})

    @property
    def events(self) -> Any:
        """Structured: time, kind (of EventKind), body_a, body_b, patch, normal_speed."""
        return self._stack(self._group("event/"))

    def _group(self, prefix: str) -> dict[str, Any]:
        return {name[len(prefix):]: column for name, column in self._columns.items() if name.startswith(prefix)}

    @staticmethod
    def _stack(columns: Mapping[str, Any]) -> Any:
        count = len(next(iter(columns.values())))
        rows = np.empty(count, [(key, column.dtype, column.shape[1:]) for key, column in columns.items()])
        for key, column in columns.items():
            rows[key] = column
        return rows

    def to_pandas(self, what: str = "bodies", name: Optional[str] = None) -> Any:
        """A table of pandas: "bodies" (of one `name`, or of all), "contacts", "events", "energy", "joints"."""
        import pandas  # pylint: disable=import-outside-toplevel
        if what in ("bodies", "joints"):
            look, names = (self.body, self.body_names) if what == "bodies" else (self.joint, self.joint_names)
            if name is not None:
                return flatten(look(name), pandas)
            tables = {one: flatten(look(one), pandas) for one in names}
            return pandas.concat(tables, names=["body" if what == "bodies" else "joint", "row"])
        if what not in ("contacts", "events", "energy"):
            raise InputError(f"there is no table '{what}'; there are bodies, joints, contacts, events, energy")
        return flatten(getattr(self, what), pandas)

    def to_xarray(self) -> Any:
        """A dataset of xarray with the columns over time: bodies by name, joints, energies; units as attributes."""
        import xarray  # pylint: disable=import-outside-toplevel
        axes = {"body/position": ("time", "body", "axis"), "body/velocity": ("time", "body", "axis"),
                "body/angular_velocity": ("time", "body", "axis"), "body/orientation": ("time", "body", "quaternion"),
                "joint/q": ("time", "coordinate"), "joint/v": ("time", "rate"), "joint/force": ("time", "rate")}
        axes.update({key: ("time",) for key in self if key.startswith("energy/")})
        variables = {key: (of, self[key], {"unit": self.units[key]}) for key, of in axes.items()
                     if key in self and len(self[key]) == len(self.time)}
        return xarray.Dataset(variables, {"time": ("time", self.time, {"unit": "s"}), "body": self.body_names,
                                          "axis": list("xyz"), "quaternion": list("wxyz")}, {"title": self.title})

    def plot(self, what: str = "height", axes: Any = None) -> Any:
        """One plot by matplotlib: "height" (of each body), "speed", "force" (of contacts), "energy", "joints"."""
        from . import plots  # pylint: disable=import-outside-toplevel
        return plots.plot(self, what, axes)

    def report(self) -> pathlib.Path:
        """Makes the page of this record, one HTML file, and returns it."""
        return command.make_report(self.path)

    def view(self) -> pathlib.Path:
        """Opens that page in the browser."""
        return command.open_page(self.report())

    def _repr_html_(self) -> str:
        return command.embed(self.report())

    def __repr__(self) -> str:
        end = f"{self.time[-1]:g} s" if len(self.time) else "empty"
        return f"<abut.Record '{self.title}': {', '.join(self.body_names)}; {len(self.time)} samples, {end}>"


def flatten(rows: Any, pandas: Any) -> Any:
    """A structured array with vectors as a table with a column for each component."""
    columns = {}
    for key in rows.dtype.names:
        column = rows[key]
        if column.ndim == 1:
            columns[key] = column
            continue
        letters = "wxyz" if column.shape[1] == 4 else "xyz" if column.shape[1] == 3 else range(column.shape[1])
        columns.update({f"{key}_{letter}": column[:, i] for i, letter in enumerate(letters)})
    return pandas.DataFrame(columns)


def run(what: Any, out: Optional[PathLike] = None, progress: Optional[Callable[[float], None]] = None) -> Record:
    """Runs a scene (or model, dict, path) to its end, as `abut run` does, and returns the record.

    `out`: the folder for result.h5 and summary.json; otherwise one that goes when the record does. `progress` is called
    with the simulated time [s] about ten times a second. Ctrl-C ends the run after the current step with everything
    written until then. StepError where the run cannot go on; its `record` has what was recorded.
    """
    if out is None:
        with command.Scratch() as scratch:
            return run_model(as_model(what), scratch.path, progress, scratch)
    return run_model(as_model(what), pathlib.Path(out), progress, None)


def run_model(model: _abut.Model, path: pathlib.Path, progress: Optional[Callable[[float], None]],
              scratch: Optional[command.Scratch]) -> Record:
    """`scratch`: of which `path` is, where nobody named a folder."""
    name = (model._scene.title or "run") if scratch else path.name
    status, message, time, advice = _abut.run(model, os.fspath(path), name, progress)
    record = Record.read(path)
    if scratch:
        scratch.keep_for(record)
    if status == "failed":
        error = StepError(message, time, advice)
        error.record = record
        raise error
    return record
