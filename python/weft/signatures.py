"""The parameters of a Python function as the config system checks them: types, defaults, one line of each."""

from __future__ import annotations

import collections.abc
import functools
import inspect
import pathlib
import types
import typing
from typing import Any, Callable, Union

from .errors import UsageError

# (kind, further parts): what python/src/function_types.cc makes a type of.
Spec = tuple[Any, ...]
Convert = Callable[[Any], Any]

_PLAIN: dict[Any, str] = {bool: "boolean", int: "integer", float: "float", str: "string", type(None): "null"}
_ITERABLES = (collections.abc.Iterable, collections.abc.Iterator, collections.abc.Generator)  # schedules are, too
_SEQUENCES = (list, collections.abc.Sequence, collections.abc.Collection, set, frozenset)
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


class Parameter:
    """One parameter: what a config may say there, and what becomes of it before the call."""

    def __init__(self, name: str, type: Spec, kind: str, has_default: bool, default: Any, convert: Convert) -> None:
        self.name, self.type, self.kind = name, type, kind
        self.has_default, self.default, self.convert = has_default, default, convert


def _same(value: Any) -> Any:
    return value


def spec_of(annotation: Any) -> Spec:
    """The values that a config may give where a function has this annotation; any where it is not understood."""
    if annotation is None:
        return ("null",)
    if isinstance(annotation, typing.Hashable) and annotation in _PLAIN:
        return (_PLAIN[annotation],)
    if isinstance(annotation, type) and issubclass(annotation, pathlib.PurePath):
        return ("path",)
    if isinstance(annotation, type) and annotation.__module__ == "pydantic.v1.types":
        return _constrained(annotation)
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        strict = any(getattr(fact, "strict", None) is True for fact in parts[1:])
        inner = spec_of(parts[0])
        return ("strict", inner) if strict else inner
    if origin is typing.Literal:
        return ("choice", list(parts))
    if origin is Union or origin is types.UnionType:
        return ("union", *(spec_of(part) for part in parts))
    container = origin or annotation
    # A function of `misc` may make one of its own, of which a config knows nothing.
    if container is tuple and parts and parts[-1] is not Ellipsis:
        return ("union", ("tuple", *(spec_of(part) for part in parts)), ("object",))
    if container is tuple or container in _SEQUENCES:
        return ("union", _list_of(parts), ("object",))
    if container in _ITERABLES:
        return ("union", _list_of(parts), ("schedule",), ("object",))
    if container in _MAPPINGS:
        return ("union", ("dict", spec_of(parts[1]) if parts else ("any",)), ("object",))
    return ("any",)


def _list_of(parts: tuple[Any, ...]) -> Spec:
    return ("list", spec_of(parts[0]) if parts else ("any",))


def _constrained(kind: type) -> Spec:
    """Of a class that pydantic made of a plain type. Its bounds are left to the function."""
    from pydantic.v1 import StrictBool

    if issubclass(kind, StrictBool):
        return ("strict", ("boolean",))
    plain = next((base for base in kind.__mro__ if base in (int, float, str)), None)
    if plain is None:
        return ("any",)
    return ("strict", (_PLAIN[plain],)) if getattr(kind, "strict", False) else (_PLAIN[plain],)


def _is_path(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, pathlib.PurePath)


def convert_of(annotation: Any) -> Convert:
    """Files hold lists and texts: tuples, sets and paths are made of them."""
    if _is_path(annotation):
        return lambda value: pathlib.Path(value) if isinstance(value, str) else value
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return convert_of(parts[0])
    if origin is Union or origin is types.UnionType:
        others = [part for part in parts if part is not type(None)]
        return convert_of(others[0]) if len(others) == 1 or _is_path(others[0]) else _same
    container = origin or annotation
    if container is tuple and parts and parts[-1] is not Ellipsis:
        return _convert_places([convert_of(part) for part in parts])
    if container is tuple or container in _SEQUENCES or container in _ITERABLES:
        made = container if container in (tuple, set, frozenset) else list
        return _convert_items(made, convert_of(parts[0]) if parts else _same)
    if container in _MAPPINGS and parts:
        return _convert_values(convert_of(parts[1]))
    return _same


def _convert_places(converts: list[Convert]) -> Convert:
    def converted(value: Any) -> Any:
        return tuple(convert(item) for convert, item in zip(converts, value)) if isinstance(value, list) else value

    return converted


def _convert_items(made: type, convert: Convert) -> Convert:
    if made is list and convert is _same:
        return _same
    return lambda value: made(map(convert, value)) if isinstance(value, list) else value


def _convert_values(convert: Convert) -> Convert:
    if convert is _same:
        return _same
    return lambda value: {key: convert(item) for key, item in value.items()} if isinstance(value, dict) else value


def written_function(function: Any) -> Any:
    """The function whose code a call runs: of a class its constructor's, of an object that of its class."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    if hasattr(function, "__code__"):
        return function
    if isinstance(function, type):
        methods = [function.__init__, function.__new__]
    else:
        methods = [getattr(type(function), "__call__", None)]
    return next((method for method in methods if hasattr(method, "__code__")), function)


def _annotations(function: Any) -> dict[str, Any]:
    """Those of the parameters that can be made out: a name in quotes may be known to type checkers alone."""
    known = {}
    names = getattr(written_function(function), "__globals__", {})
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = parameter.annotation
        if annotation is inspect.Parameter.empty:
            continue
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, names)  # noqa: S307, the user's own code
            except Exception:
                continue
        known[name] = annotation
    return known


_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_POSITIONAL: "variadic",
    inspect.Parameter.VAR_KEYWORD: "any_name",
}


def _default(name: str, value: Any) -> Any:
    if isinstance(value, pathlib.PurePath):
        return str(value)
    if isinstance(value, (tuple, set, frozenset)):
        return [_default(name, item) for item in value]
    if isinstance(value, list):
        return [_default(name, item) for item in value]
    if isinstance(value, dict):
        return {str(key): _default(name, item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise UsageError(f"the default of {name} is {value!r}, which a config cannot hold")


def parameters_of(function: Any) -> list[Parameter]:
    """The parameters of a function in their order. Raises UsageError for a default that no config can hold."""
    annotations = _annotations(function)
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = annotations.get(name, inspect.Parameter.empty)
        spec = ("any",) if annotation is inspect.Parameter.empty else spec_of(annotation)
        has_default = parameter.default is not inspect.Parameter.empty
        default = _default(name, parameter.default) if has_default else None
        if default is None and has_default and spec[0] not in ("any", "null", "union"):
            spec = ("union", spec, ("null",))
        found.append(Parameter(name, spec, _KINDS[parameter.kind], has_default, default, convert_of(annotation)))
    return found


def takes_none(function: Any) -> bool:
    """Whether the first parameter may be None: without an annotation, or with one that admits it."""
    try:
        first = next(iter(inspect.signature(function).parameters.values()), None)
    except (TypeError, ValueError):
        return True
    if first is None or first.default is None or first.name not in (annotations := _annotations(function)):
        return True
    spec = spec_of(annotations[first.name])
    return spec in (("any",), ("null",)) or ("null",) in spec


def call_scorer(function: Any, examples: Any, settings: dict[str, Any]) -> Any:
    """Calls a scorer with those settings of its component that it takes by name."""
    named = {key: tuple(value) if key == "labels" else value for key, value in settings.items()}
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return function(examples)
    if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        taken = {parameter.name for parameter in parameters[1:] if parameter.kind in by_name}
        named = {key: value for key, value in named.items() if key in taken}
    return function(examples, **named)


def call_with(function: Any, *values: Any) -> Any:
    """Calls it with as many of the values as it takes by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function(*values)
    if any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters):
        return function(*values)
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = sum(parameter.kind in by_place for parameter in parameters)
    return function(*values[:places])
