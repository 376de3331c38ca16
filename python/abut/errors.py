"""What goes wrong, with the text and the place that the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence

if TYPE_CHECKING:
    from .record import Record


class Mistake(NamedTuple):
    """One thing that is wrong with what was given."""

    file: str  #: or the name that was given for the text; empty for what was built in code
    line: int  #: from 1; 0 where there is no such place
    column: int  #: from 1, in characters
    message: str  #: one sentence
    hint: str  #: what would help; may be empty
    found: str  #: the word or value that stands there
    allowed: list[str]  #: the words that may stand there; empty where any number or text may


class InputError(ValueError):
    """A scene, a name or a value is wrong; nothing was changed. str() is a report of all mistakes with their places;
    `mistakes` has them one by one."""

    def __init__(self, report: str, mistakes: Sequence[Mistake] = ()) -> None:
        super().__init__(report)
        self.mistakes: list[Mistake] = list(mistakes)


class SystemError(OSError):  # pylint: disable=redefined-builtin
    """A file or the machine refused; str() names the file."""


class InvariantError(RuntimeError):
    """The library has contradicted itself: a defect of abut. Drop the world that was being worked on; please report."""


class StepError(RuntimeError):
    """A world cannot go on. It still shows its last instant."""

    def __init__(self, message: str, time: float, advice: str) -> None:
        super().__init__(message + ("\n" + advice if advice else ""))
        self.message = message  #: why
        self.time = time  #: reached [s]
        self.advice = advice  #: what to try then
        self.record: Optional[Record] = None  #: what was recorded until then, of abut.run()

    def __reduce__(self) -> tuple[type, tuple[str, float, str]]:
        return type(self), (self.message, self.time, self.advice)
