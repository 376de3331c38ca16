"""Worlds: stepped, looked at, pushed, saved and gone back to."""

from __future__ import annotations

import contextlib
import enum
import os
import pathlib
from typing import Any, Iterator

from . import _abut, command
from .record import Record
from .scene import Model, PathLike, as_model


class EventKind(enum.IntEnum):
    """What begins or ends in a contact."""

    touch = 0
    lift = 1
    stick = 2
    slip = 3


class World(_abut.World):
    """A model on its way through time.

        world = abut.World("scene.toml")
        while world.time < 2.0:
            world.advance(world.time + 1e-3)
            world.set_force("crate", force=(0, 0, 50 * (0.2 - world.body("crate").position[2])))

    step() and advance() return the time reached and raise StepError where the world cannot go on. A world is used by one
    thread at a time; Python's lock is given back while it moves. `bodies`, `coordinates` and `velocities` are arrays over
    memory that the world keeps at one place: reading the property brings it up to date, the array copies nothing.
    """

    def __init__(self, what: Any, threads: int = 0) -> None:
        """`what`: a model, a scene, a dict or a path; or a world, to go on from its instant by itself. `threads`: 0 for as
        many as the scene asks for; results do not depend on them."""
        if isinstance(what, _abut.World):
            super().__init__(what)
        else:
            super().__init__(as_model(what), threads)

    @property
    def model(self) -> Model:
        return Model(self._model)

    def copy(self) -> World:
        """The same instant of the same model, going on by itself."""
        return type(self)(self)

    __copy__ = copy

    @property
    def state(self) -> _abut.State:
        """This instant; assigning goes back to one: from there on the same bits."""
        return self.save()

    @state.setter
    def state(self, state: _abut.State) -> None:
        self.load(state)

    @contextlib.contextmanager
    def recording(self, out: PathLike) -> Iterator[World]:
        """Writes what the world does inside `with` to out/result.h5: a sample at once, then one every run.record_interval,
        and all events."""
        self.start_recording(os.fspath(out))
        try:
            yield self
        finally:
            self.stop_recording()

    def view(self, duration: float = 0.0) -> pathlib.Path:
        """Opens a page with the motion of a copy over the next `duration` seconds (otherwise run.duration of the scene);
        this world stays where it is. Returns the page."""
        self._viewed = self.look_ahead(duration)  # the page goes with it
        return self._viewed.view()

    def look_ahead(self, duration: float = 0.0) -> Record:
        """The record of a copy that goes on for `duration` [s]; otherwise for run.duration of the scene."""
        twin = self.copy()
        with command.Scratch() as scratch:
            with twin.recording(scratch.path):
                twin.advance(twin.time + (duration or self.model.scene.duration))
            record = Record.read(scratch.path)
            scratch.keep_for(record)
            return record

    def _repr_html_(self) -> str:
        record = self.look_ahead()
        return command.embed(record.report())

    def __repr__(self) -> str:
        return f"<abut.World at {self.time:.9g} s, {len(self.body_names)} bodies>"
