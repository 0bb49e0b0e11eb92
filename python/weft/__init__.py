"""weft: trains and runs NLP pipelines, with the words that spaCy's users know.

    import weft

    nlp = weft.load("model")                      # a folder that weft or spaCy 3 saved
    doc = nlp("Ada Lovelace was born in London.")
    print([(ent.text, ent.label_) for ent in doc.ents])
    for doc in nlp.pipe(texts, n_threads=4): ...  # lazily, in order, without the GIL

    weft.train("train.cfg", "out", {"paths.train": "train.spacy", "paths.dev": "dev.spacy"})

Offsets count code points. Errors of the library are a ``weft.Error``, which knows file, line and
column of a mistake. ``weft.to_spacy`` and ``weft.from_spacy`` hand documents over, and
``nlp.add_pipe("weft", config={"path": "model"})`` puts a pipeline into one of spaCy.
"""

from __future__ import annotations

from . import absent as _absent  # noqa: F401
from ._weft import (
    ArrowBatch,
    Doc,
    Example,
    Language,
    Optimizer,
    Pipe,
    Schedule,
    Span,
    StringStore,
    Token,
    TrainingResult,
    Vocab,
    __version__,
    docs_from_bytes,
    docs_to_bytes,
    to_arrow,
)
from .errors import (
    ConfigError,
    DataError,
    DeviceError,
    DivergedError,
    Error,
    MemoryLimitError,
    NotFound,
    PluginError,
    Problem,
    SystemFailure,
    UsageError,
)
from .files import assemble, blank, convert, from_config, info, load, train
from .registered import registry, spacy_registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable

    from . import language, tokens, training, util, vocab  # noqa: F401
else:

    def __getattr__(name):
        """Modules that spaCy has under these names too, imported when they are first used."""
        if name in ("language", "tokens", "training", "util", "vocab"):
            from importlib import import_module

            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

__all__ = [
    "ArrowBatch", "ConfigError", "DataError", "DeviceError", "DivergedError", "Doc", "Error", "Example", "Language",
    "MemoryLimitError", "NotFound", "Optimizer", "Pipe", "PluginError", "Problem", "Schedule", "Span", "StringStore",
    "SystemFailure",
    "Token", "TrainingResult", "UsageError", "Vocab", "__version__", "assemble", "blank", "convert",
    "docs_from_bytes", "docs_to_bytes", "from_config", "from_spacy", "info", "load", "registry", "spacy_registry",
    "to_arrow", "to_spacy", "train",
]


def to_spacy(docs: Iterable[Doc], vocab: Any = None) -> list[Any]:
    """spaCy documents with the same annotation; without `vocab` that of a blank pipeline.

    One call for many documents is faster than one for each.
    """
    from .spacy import to_spacy

    return to_spacy(docs, vocab)


def from_spacy(docs: Any, vocab: Vocab | None = None) -> Any:
    """A document of spaCy, or a list of several, with all annotation; in the language's vocab without `vocab`."""
    from .spacy import Doc, from_spacy

    return from_spacy([docs], vocab)[0] if isinstance(docs, Doc) else from_spacy(docs, vocab)
