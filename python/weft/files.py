"""The functions that read and write files: those of the C++ library, which say NotFound where a file is missing."""

from __future__ import annotations

import functools
import os
import sys

from . import _weft
from ._weft import Doc, Language, TrainingResult, Vocab
from .errors import Error, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Mapping, Sequence, Union

    _Path = Union[str, os.PathLike[str]]
    _Code = Union[_Path, Sequence[_Path]]
    _Names = Union[str, Iterable[str]]


def _found(path: _Path, kind: str) -> _Path:
    if os.path.exists(path):
        return path
    error = NotFound(f"there is no {kind} '{os.fspath(path)}'")
    error.file = os.fspath(path)
    raise error


def _folder_of(path: _Path) -> _Path:
    """The folder of a pipeline: as it is named, or that of an installed package, as spacy.load finds it."""
    if os.path.exists(path):
        return path
    folder = _weft._find_pipeline(os.fspath(path), sys.path)
    if folder.exists():
        return folder
    error = NotFound(f"there is no folder {os.fspath(path)!r}, and no installed package of that name with a pipeline")
    error.file = os.fspath(path)
    raise error


def _libraries(code: _Code) -> list[str]:
    """Runs the files of Python among `code`, whose functions register themselves; gives the plugins."""
    from .registered import import_code

    if isinstance(code, (str, os.PathLike)):
        code = [code]
    for file in code:
        if os.fspath(file).endswith(".py"):
            import_code(file)
    return [os.fspath(file) for file in code if not os.fspath(file).endswith(".py")]


def _names(names: _Names) -> list[str]:
    """One name may stand without a list, as in spaCy."""
    return [names] if isinstance(names, str) else list(names)


def load(
    path: _Path,
    *,
    exclude: _Names = (),
    disable: _Names = (),
    enable: _Names = (),
    code: _Code = (),
    gpu: int = -1,
) -> Language:
    """A saved pipeline, of weft or of spaCy 3: its folder, or the name of an installed package.

    `exclude` leaves components out, `disable` reads and does not run them, `enable` disables all others.
    `code` lists plugin libraries and files of Python; `gpu` is the number of a GPU, -1 the CPU.
    """
    return _weft.load(
        _folder_of(path),
        exclude=_names(exclude),
        disable=_names(disable),
        enable=_names(enable),
        code=_libraries(code),
        gpu=gpu,
    )


def load_again(
    path: _Path, exclude: Sequence[str], disable: Sequence[str], enable: Sequence[str], gpu: int
) -> Language:
    """The pipeline that was pickled as its folder."""
    return load(path, exclude=exclude, disable=disable, enable=enable, gpu=gpu)


@functools.cache
def vocab_of(lang: str) -> Vocab:
    """The vocabulary of documents that come from elsewhere: it knows the language's stop words and numbers."""
    try:
        return _weft.blank(lang, [], code=[]).vocab
    except Error:  # no language's code
        return _weft.Vocab(lang)


def doc_again(data: bytes, lang: str) -> Doc:
    """The document that was pickled, in the vocabulary that all of its language share here."""
    return _weft.Doc(vocab_of(lang)).from_bytes(data)


def blank(lang: str, pipeline: _Names = (), *, code: _Code = ()) -> Language:
    """A pipeline to be initialised: components with the defaults of their factories."""
    return _weft.blank(lang, _names(pipeline), code=_libraries(code))


def from_config(config: _Path, overrides: Mapping[str, Any] = {}, *, code: _Code = ()) -> Language:
    """The pipeline of a config file, to be initialised. Raises ConfigError with all problems."""
    return _weft.from_config(_found(config, "config"), dict(overrides), code=_libraries(code))


def assemble(
    config: _Path, output: _Path | None = None, overrides: Mapping[str, Any] = {}, *, code: _Code = ()
) -> Language:
    """Puts a pipeline together without training, from sourced and plain components."""
    return _weft.assemble(_found(config, "config"), output, dict(overrides), code=_libraries(code))


def train(
    config: _Path,
    output: _Path | None = None,
    overrides: Mapping[str, Any] = {},
    *,
    resume: bool = False,
    overwrite: bool = False,
    code: _Code = (),
    n_threads: int = 0,
    gpu: int = -1,
) -> TrainingResult:
    """Trains the pipeline of a config, as `weft train` does; `n_threads=0` takes all cores.

    Ctrl-C ends the run behind a step; its state is saved before KeyboardInterrupt is raised. The
    environment's overrides are those of the command and are not looked at here.
    """
    _found(config, "config")
    return _weft.train(
        config, output, dict(overrides), resume=resume, overwrite=overwrite, code=_libraries(code), n_threads=n_threads, gpu=gpu
    )


def convert(
    input: _Path, output: _Path, *, converter: str = "auto", n_sents: int = 1, lang: str = "", misaligned: str = "error"
) -> dict[str, int]:
    """Converts annotated documents; the endings of the names say the formats.

    `lang` is the language whose rules cut running text, `misaligned` the fate of entities that are no
    tokens: "error", "drop", "expand" or "contract". Returns counts of documents, tokens and entities.
    """
    _found(input, "file or folder")
    return _weft.convert(input, output, converter=converter, n_sents=n_sents, lang=lang, misaligned=misaligned)


def info(path: _Path | None = None) -> dict[str, Any]:
    """This build and its devices; with `path`, the card (meta.json) of a pipeline."""
    if path is None:
        return {"weft": _weft.__version__, **_weft._devices()}
    import json

    with open(_found(os.path.join(path, "meta.json"), "pipeline: no"), encoding="utf-8") as file:
        card: dict[str, Any] = json.load(file)
    return card
