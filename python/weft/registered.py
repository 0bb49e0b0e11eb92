"""Functions of Python that a config can name, as spaCy's registry has them.

    @weft.registry.schedules("my_schedule.v1")
    def my_schedule(start: float, factor: float = 0.99):
        while True:
            yield start
            start *= factor

Parameters, their annotations and defaults become the signature that configs are checked against.
"""

from __future__ import annotations

import os

from . import _weft
from .errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, TypeVar

    _F = TypeVar("_F", bound=Callable[..., Any])

_REFUSED = {
    "architectures": "a network", "layers": "a layer", "factories": "a component", "optimizers": "an optimizer",
    "initializers": "initial values", "tokenizers": "a tokenizer", "languages": "a language", "models": "a network",
    "ops": "an op", "losses": "a loss",
}
# Where a kind has a page of its own.
_PAGES = {
    "architectures": "docs/examples/custom-architecture.md", "models": "docs/examples/custom-architecture.md",
    "factories": "docs/add-a-component.md", "layers": "docs/add-a-function.md", "ops": "docs/add-an-op.md",
    "languages": "docs/tokenizer.md",
}


class Function:
    """A registered function, as python/src/functions.cc takes it."""

    def __init__(self, kind: str, name: str, function: Any) -> None:
        from .signatures import parameters_of

        self.kind, self.name, self.function = kind, name, function
        self.doc = (getattr(function, "__doc__", None) or "").strip().split("\n")[0]
        self.library = _library_of(function)
        self.parameters = parameters_of(function)

    def call(self, values: dict[str, Any]) -> Any:
        """The product: the function called with the values of a block, by the names of its parameters."""
        by_place, by_name = [], {}
        for parameter in self.parameters:
            if parameter.name not in values:
                continue
            value = values[parameter.name]
            if parameter.kind == "variadic":  # the annotation is that of each
                by_place.extend(map(parameter.convert, value))
                continue
            value = parameter.convert(value)
            if parameter.kind == "any_name":
                by_name.update(value)
            elif parameter.kind == "positional":
                by_place.append(value)
            else:
                by_name[parameter.name] = value
        return self.function(*by_place, **by_name)


def _library_of(function: Any) -> str:
    """The file, and what it was when it was registered: manifests and saved pipelines name it."""
    import hashlib
    import inspect

    from .signatures import written_function

    try:
        # A class says itself where it is written: its constructor may have been made for it.
        file = inspect.getfile(function if isinstance(function, type) else written_function(function))
        with open(file, "rb") as stream:
            sign = hashlib.sha256(stream.read()).hexdigest()[:16]
    except (OSError, TypeError):
        return f"{getattr(function, '__module__', 'python')} (no file)"
    return f"{os.path.basename(file)} sha256:{sign} ({file})"


class Kind:
    """The functions of one kind: a decorator, and a way to them by their names."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._functions: dict[str, Function] = {}

    def __call__(self, name: str, func: _F | None = None) -> Callable[[_F], _F] | _F:
        if not isinstance(name, str) or not name:
            raise UsageError(f'a name comes first: @weft.registry.{self.name}("my_function.v1")')
        if _weft._is_built_in(self.name, name):
            raise UsageError(f"{name} of {self.name} is weft's own; choose another name")

        def register(function: _F) -> _F:
            self._functions[name] = Function(self.name, name, function)
            return function

        return register if func is None else register(func)

    register = __call__

    def get(self, name: str) -> Any:
        """The function that was registered under the name. Raises UsageError with the names that are there."""
        if name in self._functions:
            return self._functions[name].function
        raise UsageError(f"no function of Python is called {name} in {self.name}; there are: {', '.join(self) or 'none'}")

    def get_all(self) -> dict[str, Any]:
        return {name: entry.function for name, entry in self._functions.items()}

    def remove(self, name: str) -> None:
        """Takes a function back; catalogues that were made before keep it."""
        self._functions.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._functions))

    def __repr__(self) -> str:
        return f"weft.registry.{self.name}({', '.join(self)})"


class Registry:
    """`weft.registry`: the kinds of functions that Python can provide."""

    def __init__(self) -> None:
        self.loggers = Kind("loggers")
        self.readers = Kind("readers")
        self.schedules = Kind("schedules")
        self.batchers = Kind("batchers")
        self.scorers = Kind("scorers")
        self.callbacks = Kind("callbacks")
        self.augmenters = Kind("augmenters")
        self.misc = Kind("misc")

    def __getattr__(self, name: str) -> Any:
        if name not in _REFUSED:
            raise AttributeError(f"weft.registry has no kind '{name}'; there are: {', '.join(sorted(vars(self)))}")

        def refuse(*_: Any, **__: Any) -> Any:
            page = _PAGES.get(name, "docs/plugins.md")
            raise UsageError(
                f"{_REFUSED[name]} cannot be a function of Python: it would have to compute there. "
                f"{page} shows how one is written in C++"
            )

        return refuse

    def get(self, kind: str, name: str) -> Any:
        return getattr(self, kind).get(name)

    def has(self, kind: str, name: str) -> bool:
        return isinstance(vars(self).get(kind), Kind) and name in vars(self)[kind]

    def all(self) -> list[Function]:
        """Every registered function, as the C++ library asks for them."""
        return [entry for kind in vars(self).values() for entry in kind._functions.values()]


registry = Registry()


def spacy_registry() -> list[str]:
    """Takes over what was registered with `@spacy.registry`, of the kinds that weft has; gives the names.

    Functions that come with spaCy stay out: weft has its own of these names. The others get weft's
    objects, and may use of `nlp` all that docs/python.md lists.
    """
    import spacy

    taken = []
    for kind in vars(registry).values():
        theirs = getattr(spacy.registry, kind.name, None)
        for name, function in (theirs.get_all() if theirs is not None else {}).items():
            if _comes_with_spacy(function):
                continue
            if not _weft._is_built_in(kind.name, name):
                kind(name, func=function)
                taken.append(f"{kind.name} {name}")
    return sorted(taken)


def seed(number: int) -> None:
    """Sets Python's and NumPy's random numbers, of which registered functions draw."""
    import random

    random.seed(number)
    try:
        import numpy
    except ImportError:
        return
    numpy.random.seed(number % 2**32)


def hint_for(name: str) -> str:
    """The way out where a function is not known here, and is one of spaCy's registry; else an empty text."""
    import sys

    spacy = sys.modules.get("spacy")
    if spacy is None:
        return ""
    for kind in vars(registry):
        try:
            function = getattr(spacy.registry, kind).get_all().get(name)
        except Exception:  # a hint does without packages that cannot be imported
            continue
        if function is not None and not _comes_with_spacy(function):
            return (
                f"{name} is registered with spacy.registry, which weft does not look into: end the file with "
                "weft.spacy_registry(), or register the function with @weft.registry"
            )
    return ""


def _comes_with_spacy(function: Any) -> bool:
    own = ("spacy", "spacy_legacy", "spacy_loggers", "thinc", "srsly")
    return (getattr(function, "__module__", None) or "").split(".")[0] in own


def import_code(path: str | os.PathLike[str]) -> Any:
    """Runs a file of Python, whose functions register themselves. Exceptions of the file pass through."""
    import importlib.util
    import sys

    from .errors import NotFound

    file = os.path.abspath(path)
    if not os.path.isfile(file):
        error = NotFound(f"there is no file '{os.fspath(path)}'")
        error.file = os.fspath(path)
        raise error
    name = "weft_code_" + os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{file} is no file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
