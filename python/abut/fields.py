"""The tables of fields, from which builders, their docstrings and their type stubs are made."""

from __future__ import annotations

import functools
import math
from typing import Any, Mapping

from . import _abut


@functools.lru_cache(maxsize=None)
def tables() -> dict[str, dict[str, Any]]:
    """All tables by their place in a scene: "body", "body.shape.sphere", "contact.normal", ..."""
    return _abut.field_tables()


def describe_range(field: Mapping[str, Any]) -> str:
    """"> 0", ">= 0, <= 1", or empty."""
    parts = []
    if math.isfinite(field["minimum"]):
        parts.append(f"{'>' if field['exclusive'] else '>='} {field['minimum']:g}")
    if math.isfinite(field["maximum"]):
        parts.append(f"<= {field['maximum']:g}")
    return ", ".join(parts)


def describe(field: Mapping[str, Any]) -> str:
    """One line of a docstring: the key with unit, range, and what holds where it is not given."""
    unit = field["unit"]
    notes = [describe_range(field)]
    if field["required"]:
        notes.append("required")
    elif field["otherwise"]:
        notes.append(f"otherwise: {field['otherwise']}")
    elif not math.isnan(field["fallback"]):
        notes.append(f"otherwise {field['fallback']:g}")
    text = "; ".join(note for note in notes if note)
    return f"{field['key']}{f' [{unit}]' if unit and unit != '1' else ''}: {field['doc']}{f' ({text})' if text else ''}"


def make_docstring(table: Mapping[str, Any]) -> str:
    """The whole table as a docstring."""
    return str(table["doc"]) + "\n\n" + "\n".join("    " + describe(field) for field in table["fields"])
