"""Type stubs of what is made from tables: the builders of scenes (parts.pyi) and the laws (laws.pyi). test/python_test.py
compares them, and writes them anew with ABUT_UPDATE_DOCS=1."""

import keyword

from abut import _abut, builders, fields

PARTS_HEAD = '''"""Made from the tables of fields: every part of a scene with its keys. What they mean is in the docstrings."""

from typing import Any, Literal, Mapping, Optional, Sequence

from numpy.typing import ArrayLike

Part = dict[str, Any]

'''

#: Arrays of numpy may stand where numbers do.
KINDS = {kind: "ArrayLike" for kind in ("Sequence[float]", "Sequence[Sequence[float]]",
                                        "Sequence[float] | Sequence[Sequence[float]]")}

LAWS_HEAD = '''"""Made from the rows of the laws."""

from typing import Any, Callable, NamedTuple, Optional

class FrictionForce(NamedTuple):
    force: Any
    deflection_rate: Any
    dwell: Any
    dwell_rate: Any
    sticking: Any

LAWS: dict[str, Callable[..., Any]]

'''


def write_argument(field):
    """A required key has no default, so that a type checker misses it."""
    kind = KINDS.get(field["kind"], field["kind"])
    if field["single"]:  # one table for a list of one
        kind = f"Mapping[str, Any] | {kind}"
    return f"{field['key']}: {kind}" if field["required"] else f"{field['key']}: Optional[{kind}] = None"


def wrap(start, arguments, end):
    """`start(arguments) end`, at most 120 columns."""
    lines, line = [], start
    for i, argument in enumerate(arguments):
        piece = argument + (", " if i + 1 < len(arguments) else end)
        if len(line) + len(piece.rstrip()) > 118:
            lines.append(line.rstrip())
            line = "    "
        line += piece
    return "\n".join([*lines, line]) + "\n"


def make_parts_stub():
    text = PARTS_HEAD
    places = dict(builders.PARTS)
    forms = {form.replace("-", "_"): form for form in builders.forms_of("body.shape")}
    for name in [*places, *forms]:
        place, form = (places[name], "") if name in places else ("body.shape", forms[name])
        tag = builders.TAGS.get(place)
        keys = [field for field in builders.keys_of(place, form) if field["key"] != tag]
        if tag and not form:  # keys of the form, whatever it is
            own = next(field for field in fields.tables()[place]["fields"] if field["key"] == tag)
            known = {field["key"] for field in keys}
            for other in builders.forms_of(place):
                for field in builders.keys_of(place, other):
                    if field["key"] not in known and field["key"] != tag:
                        keys.append({**field, "required": False})
                        known.add(field["key"])
            arguments = [f"{tag}: {own['kind']}"]
        else:
            arguments = []
        named = [write_argument(field) for field in sorted(keys, key=lambda field: not field["required"])
                 if not keyword.iskeyword(field["key"])]
        text += wrap(f"def {name}(", [*arguments, *(["*"] if named else []), *named], ") -> Part: ...")
    names = ", ".join(f'"{name}"' for name in [*places, *forms])
    return text + "\n" + wrap("__all__ = [", names.split(", "), "]")


def make_laws_stub():
    text = LAWS_HEAD
    names = []
    for law in _abut.list_laws():
        name = law["name"].replace("-", "_")
        names.append(name)
        keys = [f"{key['key']}: Any = None" for key in law["keys"] if not keyword.iskeyword(key["key"])]
        if law["family"] == "normal":
            first = ["depth: Any", "rate: Any = 0.0", "*", "impact_speed: Any = 0.0", "effective_mass: Any = 1.0",
                     "out: Optional[Any] = None"]
            result = "Any"
        else:
            first = ["load: Any", "slip: Any", "*", "deflection: Any = 0.0", "dwell: Any = 0.0", "normal: Any = None",
                     "effective_mass: float = 1.0", "max_rate: float = ..."]
            result = "FrictionForce"
        text += wrap(f"def {name}(", [*first, *keys], f") -> {result}: ...")
    return text


STUBS = {"parts.pyi": make_parts_stub, "laws.pyi": make_laws_stub}
