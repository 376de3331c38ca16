"""Parts of a scene, with the names of TOML:

    abut.body(name="ball", mass=2.0, shape=abut.sphere(radius=0.1), position=[0, 0, 2])

Each gives a dict, checked for its keys; values are judged when the scene is read. The functions for shapes (sphere, box,
...) and the keys of all functions are those of the table of fields.
"""

from __future__ import annotations

import difflib
import inspect
import keyword
from typing import Any, Callable, Mapping, Optional

from . import fields
from .errors import InputError

Part = dict[str, Any]

#: Function -> the table that it builds. Shapes come on top: one function for each word of `type`.
PARTS = {"body": "body", "joint": "joint", "robot": "robot", "coupling": "coupling", "spring": "spring", "bushing": "bushing",
         "force": "force", "contact": "contact", "settings": "run", "normal": "contact.normal",
         "friction": "contact.friction", "shape": "body.shape", "motor": "joint.motor", "motion": "joint.motion"}
#: Key that chooses a form of the table -> where the form is looked for.
TAGS = {"body.shape": "type", "contact.normal": "law", "contact.friction": "law", "joint.motion": "kind"}


def refuse_key(function: str, key: str, known: list[str]) -> InputError:
    """With the nearest key, as the reader of scenes does it."""
    near = difflib.get_close_matches(key, known, 1)
    return InputError(f"{function}() has no key '{key}'" + (f"; did you mean '{near[0]}'?" if near else "")
                      + f"\nIt takes {', '.join(known)}.")


def keys_of(place: str, form: str = "") -> list[dict[str, Any]]:
    """Fields of a table; with those of its form in front."""
    own: list[dict[str, Any]] = list(fields.tables()[place]["fields"])
    if not form:
        return own
    tag = TAGS[place]
    inner: list[dict[str, Any]] = fields.tables()[f"{place}.{form}"]["fields"]
    return inner + [field for field in own if field["key"] != tag]


def forms_of(place: str) -> list[str]:
    """Words that the tag of a table may be, where each has keys of its own."""
    return [name[len(place) + 1:] for name, table in fields.tables().items()
            if name.startswith(place + ".") and "." not in name[len(place) + 1:] and table["tag"]]


def check_keys(function: str, place: str, form: str, values: Mapping[str, Any]) -> None:
    """InputError for a key that the table does not have."""
    if form and form not in forms_of(place) and forms_of(place):
        return  # the reader says which words there are
    known = [field["key"] for field in keys_of(place, form if form in forms_of(place) else "")]
    known += [field["alias"] for field in keys_of(place) if field["alias"]]
    for key in values:
        if key not in known:
            raise refuse_key(function, key, known)


def make_signature(names: list[dict[str, Any]], tag: Optional[str] = None) -> inspect.Signature:
    """For help() and the completion of notebooks."""
    parameters = [] if tag is None else [inspect.Parameter(tag, inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    # A key that is a word of Python can be given as **{"key": value} only.
    parameters += [inspect.Parameter(field["key"], inspect.Parameter.KEYWORD_ONLY,
                                     default=inspect.Parameter.empty if field["required"] else None)
                   for field in names if field["key"] != tag and not keyword.iskeyword(field["key"])]
    return inspect.Signature(parameters)


def make_builder(function: str, place: str, form: str = "") -> Callable[..., Part]:
    """The function that builds a table, or one form of it."""
    tag = TAGS.get(place)

    def build(*chosen: str, **values: Any) -> Part:
        part: Part = {}
        if form:
            part[str(tag)] = form
        elif tag is not None and chosen:
            part[tag], chosen = chosen[0], chosen[1:]
        if chosen:
            raise TypeError(f"{function}() takes its values by name: {function}(key=value, ...)")
        check_keys(function, place, form or str(part.get(str(tag), "")), values)
        part.update({key: value for key, value in values.items() if value is not None})
        return part

    build.__name__ = build.__qualname__ = function
    table = fields.tables()[f"{place}.{form}" if form else place]
    names = keys_of(place, form)
    build.__doc__ = fields.make_docstring({"doc": table["doc"], "fields": names})
    build.__signature__ = make_signature(names, None if form else tag)  # type: ignore[attr-defined]
    return build


def make_all() -> dict[str, Callable[..., Part]]:
    """Name -> builder."""
    builders = {function: make_builder(function, place) for function, place in PARTS.items()}
    for form in forms_of("body.shape"):
        name = form.replace("-", "_")
        builders[name] = make_builder(name, "body.shape", form)
    return builders
