"""Dicts as TOML, one key a line, so that a mistake in a scene built in Python is shown by its line like any other."""

from __future__ import annotations

import json
from typing import Any, Iterator, Mapping, Sequence

from .errors import InputError


def write_value(value: Any, place: str) -> str:
    """As TOML. Numbers keep every bit; arrays of numpy are lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)  # nan and inf are spelled as in TOML
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{write_key(key)} = {write_value(v, f'{place}.{key}')}"
                           for key, v in value.items() if v is not None)
        return "{ " + inside + " }" if inside else "{}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(write_value(v, f"{place}[{i}]") for i, v in enumerate(value)) + "]"
    if hasattr(value, "__fspath__"):
        return json.dumps(value.__fspath__())
    raise InputError(f"{place}: a {type(value).__name__} cannot stand in a scene")


def write_key(key: Any) -> str:
    """Bare where TOML allows it."""
    text = str(key)
    return text if text and all(c.isascii() and (c.isalnum() or c in "-_") for c in text) else json.dumps(text)


def is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def is_list_of_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(is_table(entry) for entry in value)


def write_lines(scene: Mapping[str, Any]) -> Iterator[str]:
    """Simple keys first: what follows a heading belongs to it."""
    for key, value in scene.items():
        if value is not None and not is_table(value) and not is_list_of_tables(value):
            yield f"{write_key(key)} = {write_value(value, str(key))}"
    for key, value in scene.items():
        entries = [value] if is_table(value) else value if is_list_of_tables(value) else []
        heading = f"[{write_key(key)}]" if is_table(value) else f"[[{write_key(key)}]]"
        for entry in entries:
            yield heading
            for inner, what in entry.items():
                if what is not None:
                    yield f"{write_key(inner)} = {write_value(what, f'{key}.{inner}')}"


def dumps(scene: Mapping[str, Any]) -> str:
    """A scene as TOML."""
    return "\n".join(write_lines(scene)) + "\n"
