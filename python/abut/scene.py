"""Scenes and models."""

from __future__ import annotations

import os
import pathlib
import tomllib
from typing import Any, Mapping, Optional, Sequence, Union

from . import _abut, toml
from .builders import check_keys
from .errors import InputError, SystemError  # pylint: disable=redefined-builtin

PathLike = Union[str, "os.PathLike[str]"]


def find_entry(entries: Sequence[Mapping[str, Any]], part: str, place: str) -> Any:
    """An entry of a list of tables by name, a contact without a name as "a-b", or by index."""
    names = []
    for entry in entries:
        name = entry.get("name") or ("-".join(entry["between"]) if "between" in entry else "")
        names.append(name)
        if name and name == part:
            return entry
    if part.isdigit() and int(part) < len(entries):
        return entries[int(part)]
    there = ", ".join(name or f"[{i}]" for i, name in enumerate(names))
    raise InputError(f"{place} has no entry '{part}'; it has {there or 'none'}")


class Scene(_abut.Scene):
    """What a scene file says. Built from keywords with the names of TOML, read from a file or text, changed by path:

        scene = abut.Scene(run=dict(duration=3.0), body=[abut.body(name="ball", ...)], contact=[...])
        scene = abut.Scene.read_file("scene.toml")
        scene["body.ball.mass"] = 3.0
        scene.write_file("changed.toml")
    """

    def __init__(self, content: Optional[Mapping[str, Any]] = None, /, **tables: Any) -> None:
        if isinstance(content, _abut.Scene):
            super().__init__(content)
            return
        whole = {**(content or {}), **tables}
        check_keys("Scene", "", "", whole)
        super().__init__(toml.dumps(whole), "scene built in Python")

    @classmethod
    def _of(cls, inner: _abut.Scene) -> Scene:
        scene = cls.__new__(cls)
        _abut.Scene.__init__(scene, inner)
        return scene

    @classmethod
    def read_file(cls, path: PathLike, changes: Sequence[str] = ()) -> Scene:
        """`changes`: "path=value" as --set takes it, applied before the scene is read."""
        try:
            text = pathlib.Path(path).read_text(encoding="utf-8")
        except OSError as error:
            raise SystemError(f"{os.fspath(path)}: cannot be read: {error.strerror}") from error
        return cls.read_text(text, os.fspath(path), changes)

    @classmethod
    def read_text(cls, text: str, name: str = "scene", changes: Sequence[str] = ()) -> Scene:
        """From TOML in memory. `name` stands for the file in messages; files of meshes are looked for beside it."""
        scene = cls.__new__(cls)
        _abut.Scene.__init__(scene, text, name, list(changes))
        return scene

    def write_file(self, path: PathLike) -> None:
        """TOML that reads back to the same numbers, bit for bit."""
        pathlib.Path(path).write_text(self.to_toml(), encoding="utf-8")

    def to_dict(self) -> dict[str, Any]:
        """What the scene says beyond defaults, as nested dicts and lists: abut.Scene(scene.to_dict()) is the same scene.
        all_values() has the defaults as well."""
        return tomllib.loads(self.to_toml())

    def copy(self) -> Scene:
        """A scene of its own, with what was changed so far."""
        return type(self)._of(self)

    def __getitem__(self, path: str) -> Any:
        """The value of a key, given or default: None where a rule chooses."""
        parts = _abut.split_path(path)
        if not parts:
            raise InputError(f"'{path}' is not a path such as body.ball.mass")
        value: Any = self.all_values()
        place = ""
        for part in parts:
            if isinstance(value, Mapping):
                if part not in value:
                    raise InputError(f"{place or 'a scene'} has no key '{part}'; it has {', '.join(value)}")
                value = value[part]
            elif isinstance(value, list) and value and isinstance(value[0], Mapping):
                # One shape may be entered without its index.
                if len(value) == 1 and part in value[0]:
                    value = value[0][part]
                else:
                    value = find_entry(value, part, place)
            elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            else:
                raise InputError(f"{place} has nothing inside, '{part}' is not there")
            place += ("." if place else "") + part
        return value

    def __setitem__(self, path: str, value: Any) -> None:
        """Another value for one key, in microseconds: by the table of fields, with kind, unit and range."""
        self.set(path, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Scene.read_text, (self.to_toml(),)

    def __repr__(self) -> str:
        return f"<abut.Scene '{self.title}': {', '.join(self.body_names)}; {self.duration:g} s>"


SceneLike = Union[Scene, Mapping[str, Any], PathLike]


def as_scene(what: Any) -> _abut.Scene:
    """A scene from a scene, a dict or the path of a file."""
    if isinstance(what, _abut.Scene):
        return what
    if isinstance(what, Mapping):
        return Scene(what)
    return Scene.read_file(what)


def load_robot(file: PathLike, *, duration: float = 1.0, gravity: Sequence[float] = (0.0, 0.0, -9.81),
               **keys: Any) -> Scene:
    """A scene of one robot from a URDF file, under gravity. `keys` are those of `abut.robot`:

        scene = abut.load_robot("arm.urdf", name="arm", joint=[dict(name="elbow", coordinates=[0.5])])
    """
    robot = {"file": os.path.abspath(file), **keys}
    return Scene(gravity=[float(g) for g in gravity], run={"duration": float(duration)}, robot=[robot])


class Model(_abut.Model):
    """A scene made ready to run: masses, shapes, trees of meshes, every parameter. It never changes; worlds and threads
    share it."""

    def __init__(self, what: Any) -> None:
        if isinstance(what, _abut.Model):
            super().__init__(what)
        else:
            super().__init__(as_scene(what))

    @property
    def scene(self) -> Scene:
        return Scene._of(self._scene)

    def changed(self, values: Mapping[str, Any]) -> Model:
        """The same with other values, {path: value}; meshes and trees that stay are shared."""
        return Model(super().changed(dict(values)))

    def __repr__(self) -> str:
        return f"<abut.Model of {self.scene!r}>"


def as_model(what: Any) -> _abut.Model:
    """A model from a model or from all that a scene can be made of."""
    return what if isinstance(what, _abut.Model) else Model(what)
