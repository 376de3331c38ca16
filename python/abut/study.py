"""Many runs of one model with other values, on all cores."""

from __future__ import annotations

import itertools
import json
from typing import Any, Mapping, Sequence, Union

import numpy as np

from . import _abut
from .errors import InputError
from .scene import as_model

Values = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]


def list_changes(values: Values) -> list[dict[str, Any]]:
    """A dict for each run, from {path: array} or from the list itself."""
    if not isinstance(values, Mapping):
        return [dict(one) for one in values]
    columns = {path: np.asarray(column) for path, column in values.items()}
    sizes = {len(column) for column in columns.values() if column.ndim}
    if len(sizes) > 1:
        raise InputError(f"values for {', '.join(map(str, sorted(sizes)))} runs at once: give each path as many")
    count = sizes.pop() if sizes else 1
    return [{path: (column[i] if column.ndim else column[()]).tolist() if hasattr(column, "tolist") else column
             for path, column in columns.items()} for i in range(count)]


def grid(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each value of a path with each of the others: for run_many."""
    columns = [np.asarray(column).tolist() for column in values.values()]
    return [dict(zip(values, one)) for one in itertools.product(*columns)]


class Study(Sequence[Any]):
    """What the runs came to, in the order of the values."""

    def __init__(self, values: list[dict[str, Any]], measures: list[str], names: list[str], parts: Any) -> None:
        self.values = values  #: what was changed in each run
        self.status: list[str]  #: "done" or "failed"
        self.message: list[str]  #: why, where failed
        self.status, self.message, self.time, measured, self.bodies, self._summaries = parts
        #: `time`: reached [s]; `bodies`: structured (runs, bodies), at the end
        self.measures = {name: measured[:, i] for i, name in enumerate(measures)}  #: an array for each measure
        self.body_names = names

    def summary(self, index: int) -> dict[str, Any]:
        """Of one run, as in its summary.json; wall time is left out."""
        summary: dict[str, Any] = json.loads(self._summaries[index])
        return summary

    def body(self, name: str) -> Any:
        """A body at the end of each run: structured array."""
        if name not in self.body_names:
            raise InputError(f"there is no body '{name}'; there are {', '.join(self.body_names)}")
        return self.bodies[:, self.body_names.index(name)]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: Any) -> Any:
        return {**self.values[index], **{name: column[index] for name, column in self.measures.items()},
                "status": self.status[index]}

    def to_pandas(self) -> Any:
        """A row for each run: its values, its measures, its status."""
        import pandas  # pylint: disable=import-outside-toplevel
        return pandas.DataFrame([self[i] for i in range(len(self))])

    def __repr__(self) -> str:
        return f"<abut.Study of {len(self)} runs, {sum(s == 'done' for s in self.status)} done>"


def run_many(what: Any, values: Values, measures: Union[Sequence[str], Mapping[str, str]] = (), threads: int = 0) -> Study:
    """Runs a model (or scene, dict, path) once for each set of values, on all cores and without Python in the loop.

    `values`: {path: array} with one number for each run, or a list of {path: value}; grid() makes one of all combinations.
    `measures`: expressions of docs/validation.md, such as "max(height(ball))", or {name: expression}; NaN where a run does
    not answer. `threads`: 0 for all cores. The bits of the results do not depend on it.
    """
    model = as_model(what)
    changes = list_changes(values)
    named = dict(measures) if isinstance(measures, Mapping) else {text: text for text in measures}
    scene = model._scene
    parts = _abut.run_many(model, changes, list(named.values()), threads, scene.title or "run")
    return Study(changes, list(named), scene.body_names, parts)
