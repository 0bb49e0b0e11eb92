"""Dicts of documents and pipelines: writes arrive at the document or the pipeline, or are errors."""

from __future__ import annotations

import copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, NoReturn

_WRITES = ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update")
_WRITES_OF_LISTS = (
    "__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend", "insert", "pop", "remove",
    "reverse", "sort",
)


def _plain(values: Any) -> Any:
    """Copies of their own, as pickling and deep copies take them."""
    if isinstance(values, dict):
        return {key: _plain(value) for key, value in values.items()}
    return [_plain(value) for value in values] if isinstance(values, list) else values


class _Written(dict):  # type: ignore[type-arg]
    """A copy of values that an owner holds; each write reads them anew, changes them and hands them over."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner
        super().__init__(self._read())

    def _read(self) -> dict[str, Any]:
        raise NotImplementedError

    def _write(self, values: dict[str, Any]) -> None:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        return dict, (_plain(self),)


def _arriving(name: str) -> Callable[..., Any]:
    def method(self: _Written, *words: Any, **named: Any) -> Any:
        values = self._read()
        result = getattr(values, name)(*words, **named)
        self._write(values)
        dict.clear(self)
        dict.update(self, self._read())
        return self if name == "__ior__" else result

    return method


for _name in _WRITES:
    setattr(_Written, _name, _arriving(_name))


class Cats(_Written):
    """doc.cats"""

    def _read(self) -> dict[str, Any]:
        return self._owner._cats()  # type: ignore[no-any-return]

    def _write(self, values: dict[str, Any]) -> None:
        self._owner.cats = values


class SpanGroups(_Written):
    """doc.spans; groups are tuples, which are replaced as a whole."""

    def _read(self) -> dict[str, Any]:
        return self._owner._spans()  # type: ignore[no-any-return]

    def _write(self, values: dict[str, Any]) -> None:
        self._owner.spans = values


class Meta(_Written):
    """nlp.meta; dicts and lists in it are replaced as a whole."""

    def _read(self) -> dict[str, Any]:
        return {key: _fixed(value, _WHOLE) for key, value in self._owner._meta().items()}

    def _write(self, values: dict[str, Any]) -> None:
        self._owner._set_meta(_plain(values))


_WHOLE = "a value of nlp.meta is replaced as a whole: nlp.meta[key] = ..."
_CONFIG = (
    "nlp.config is what the pipeline was made of, and changes nothing any more: settings are changed in the config "
    "file, by overrides (--section.key VALUE) or in copy.deepcopy(nlp.config)"
)


class _FixedDict(dict):  # type: ignore[type-arg]
    _message = ""

    def __reduce__(self) -> Any:
        return dict, (_plain(self),)

    def copy(self) -> Any:
        return copy.deepcopy(self)


class _FixedList(list):  # type: ignore[type-arg]
    _message = ""

    def __reduce__(self) -> Any:
        return list, (_plain(self),)


def _refuse(self: Any, *words: Any, **named: Any) -> NoReturn:
    raise TypeError(self._message)


for _name in _WRITES:
    setattr(_FixedDict, _name, _refuse)
for _name in _WRITES_OF_LISTS:
    setattr(_FixedList, _name, _refuse)


def _fixed(value: Any, message: str) -> Any:
    """The value, with dicts and lists that refuse to be written into."""
    made: Any
    if isinstance(value, dict):
        made = _FixedDict({key: _fixed(item, message) for key, item in value.items()})
    elif isinstance(value, list):
        made = _FixedList(_fixed(item, message) for item in value)
    else:
        return value
    made._message = message
    return made


def config(values: dict[str, Any]) -> Any:
    """nlp.config"""
    return _fixed(values, _CONFIG)
