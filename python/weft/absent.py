"""Names of spaCy's classes that weft's do not have, and the way that leads to the same here."""

from __future__ import annotations

from ._weft import Doc, Language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_COMPONENT = (
    "components of weft are C++: docs/add-a-component.md shows how one is written; functions of Python that run "
    "before and after annotation belong around nlp.pipe, or into a pipeline of spaCy with the component \"weft\""
)
_CUSTOM = "documents have no attributes of the user's own: keep them beside, nlp.pipe(..., as_tuples=True) carries them"

LANGUAGE = {
    "component": _COMPONENT,
    "factory": _COMPONENT,
    "add_pipe": (
        "a pipeline is made whole: weft.blank(lang, [names]), or weft.from_config for components with settings"
    ),
    "select_pipes": (
        "components are chosen when a pipeline is loaded, weft.load(path, enable=...), or left out of one update, "
        "nlp.update(..., exclude=...)"
    ),
    "pipeline": "nlp.component_names lists the components, nlp.get_pipe(name) gives one",
    "tokenizer": (
        "nlp.make_doc(text) gives tokens; rules of tokens are changed by [nlp.tokenizer] of the config or by a plugin "
        "(docs/tokenizer.md)"
    ),
    "Defaults": (
        "weft has no language classes, so there are no Defaults to change: `before_creation` gets the empty pipeline, "
        "and a plugin in C++ changes tokenizer and stop words there (docs/examples/customize-language.md)"
    ),
}
DOC = {"_": _CUSTOM, "set_extension": _CUSTOM, "user_data": _CUSTOM}


class Absent:
    """A name that is not there: reading and writing it raise AttributeError, which says the way out."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, instance: Any, owner: Any = None) -> NoReturn:
        raise AttributeError(self._message)

    def __set__(self, instance: Any, value: Any) -> NoReturn:
        raise AttributeError(self._message)


def explain(owner: type, names: dict[str, str]) -> None:
    for name, message in names.items():
        setattr(owner, name, Absent(f"{owner.__name__}.{name}: {message}"))


explain(Language, LANGUAGE)
explain(Doc, DOC)
