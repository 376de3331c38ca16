"""The builders of all parts of a scene; parts.pyi has their keys for type checkers."""

from .builders import make_all

_ALL = make_all()
globals().update(_ALL)
__all__ = list(_ALL)
