"""The exceptions of weft: one base class, a class for each cause, and the places of mistakes."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes longer to import than all of weft
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

    Place = tuple[Optional[str], Optional[int], Optional[int]]


class Problem:
    """One finding about a config; ``str(problem)`` is the line that the command prints."""

    def __init__(
        self,
        kind: str,
        severity: str,
        place: Place,
        path: str | None,
        message: str,
        suggestion: str | None,
        text: str,
    ) -> None:
        self.kind = kind
        self.severity = severity
        self.file, self.line, self.column = place
        self.path = path
        self.message = message
        self.suggestion = suggestion
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Problem({self._text!r})"


class Error(Exception):
    """An error of the library. ``str(error)`` is the message that the command prints.

    ``file``, ``line``, ``column``, ``path`` and ``suggestion`` are those of the first problem of a config,
    or say where data are wrong; None where that is not known. ``problems`` lists all that is wrong with a
    config.
    """

    kind: str = "internal"
    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    suggestion: str | None = None
    problems: tuple[Problem, ...] = ()


class UsageError(Error, ValueError):
    """A call that makes no sense, such as an update of a pipeline that is not initialised."""

    kind = "usage"


class NotFound(Error, FileNotFoundError):
    """A file or a folder that is not there."""

    kind = "usage"


class ConfigError(Error, ValueError):
    """A config with mistakes; ``problems`` has all of them."""

    kind = "config"


class DataError(Error, ValueError):
    """A corpus or a pipeline on disk that is wrong or damaged, or annotation that makes no sense."""

    kind = "data"


class DeviceError(Error, RuntimeError):
    """A GPU that is missing or refused."""

    kind = "device"


class PluginError(Error, ImportError):
    """A plugin library that cannot be used."""

    kind = "plugin"


class SystemFailure(Error, OSError):
    """The operating system said no: permission, disk, missing folder."""

    kind = "system"


class MemoryLimitError(Error, MemoryError):
    """There is not enough memory, or a budget is used up."""

    kind = "memory"


class DivergedError(Error, ArithmeticError):
    """Training met a NaN or an infinity; nothing of the step was applied."""

    kind = "diverged"


_CLASSES: dict[str, type[Error]] = {
    kind.kind: kind
    for kind in (
        UsageError, ConfigError, DataError, DeviceError, PluginError, SystemFailure, MemoryLimitError, DivergedError,
    )
}


def make_error(kind: str, message: str, place: Place, problems: Sequence[Any]) -> Error:
    """The exception for an error of the C++ library, which calls this."""
    error = _CLASSES.get(kind, Error)(message)
    error.problems = tuple(Problem(*problem) for problem in problems)
    error.file, error.line, error.column = place
    if error.problems:
        first = error.problems[0]
        error.file, error.line, error.column = first.file, first.line, first.column
        error.path, error.suggestion = first.path, first.suggestion
    return error
