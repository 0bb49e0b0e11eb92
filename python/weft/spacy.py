"""Documents to and from spaCy, and the component "weft" for pipelines of spaCy.

    nlp = spacy.blank("en")
    nlp.add_pipe("weft", config={"path": "model", "n_threads": 4})

spaCy finds the component by its entry point; no import is needed. Annotations here are types, not texts: some
versions of spaCy do not resolve texts in the signature of a factory.
"""

import os
import tempfile
from itertools import groupby
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import Any, Iterable, Iterator, Sequence

import spacy
import srsly
from spacy.attrs import NORM, ORTH, SPACY
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.util import minibatch

from . import _weft
from .files import load, vocab_of

_GIVEN = [ORTH, SPACY, NORM]  # what the tokens of a document are


def to_spacy(docs: Iterable[_weft.Doc], vocab: Any = None) -> list[Doc]:
    """spaCy documents with all annotation, by way of DocBin's bytes."""
    docs = list(docs)
    if vocab is None:
        vocab = spacy.blank(docs[0].vocab.lang if docs else "xx").vocab
    return list(DocBin().from_bytes(_weft.docs_to_bytes(docs)).get_docs(vocab))


def from_spacy(docs: Iterable[Doc], vocab: _weft.Vocab | None = None) -> list[_weft.Doc]:
    """weft documents with all annotation, by way of DocBin's bytes. User data stay with spaCy."""
    docs = list(docs)
    if vocab is None:
        vocab = vocab_of(docs[0].vocab.lang if docs else "xx")
    return _weft.docs_from_bytes(DocBin(docs=docs).to_bytes(), vocab)


def _unpacked(data: bytes) -> _weft.Language:
    """The pipeline of WeftComponent.to_bytes: its files by their names, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        files = srsly.msgpack_loads(data)
        if not isinstance(files, dict):
            raise ValueError("these bytes are of no component 'weft': they hold no files")
        for name, content in files.items():
            parts = PurePosixPath(name).parts
            if not parts or parts[0] != "pipeline" or ".." in parts:
                raise ValueError(f"these bytes are of no component 'weft': {name!r} lies outside of its folder")
            path = Path(folder, *parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return load(Path(folder) / "pipeline")


class WeftComponent:
    """A weft pipeline as one component: annotates spaCy's documents on the tokens that they have.

    Columns that the pipeline sets replace those of the document; categories and groups of spans are added.
    """

    def __init__(self, name: str, path: str, exclude: Sequence[str], n_threads: int) -> None:
        if n_threads < 1:
            raise ValueError(f"the component '{name}': n_threads is a number from 1 on, not {n_threads}")
        self.name = name
        self._path = path
        self._exclude = list(exclude)
        self._n_threads = n_threads
        self._nlp: _weft.Language | None = None
        self._words: _weft._SpacyWords | None = None
        self._packed: bytes | None = None
        if os.path.exists(path):
            self.pipeline

    @property
    def pipeline(self) -> _weft.Language:
        """The weft pipeline. A component that spaCy reads from disk or bytes finds it there, not under `path`."""
        if self._nlp is None:
            self._nlp = load(self._path, exclude=self._exclude) if self._packed is None else _unpacked(self._packed)
        return self._nlp

    def __call__(self, doc: Doc) -> Doc:
        self._copy(self.pipeline(self._tokens_of([doc])[0]), doc)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        nlp = self.pipeline
        for batch in minibatch(stream, size=batch_size * self._n_threads):
            docs = self._tokens_of(batch)
            _weft._annotate(nlp, docs, self._n_threads)
            for doc, annotated in zip(batch, docs):
                self._copy(annotated, doc)
                yield doc

    def score(self, examples: Iterable[Any]) -> dict[str, Any]:
        """The scores of the pipeline's components, by weft's scorers."""
        examples = list(examples)
        vocab = self.pipeline.vocab
        predicted = from_spacy((example.predicted for example in examples), vocab)
        reference = from_spacy((example.reference for example in examples), vocab)
        return self.pipeline.score(map(_weft.Example, predicted, reference))

    def to_disk(self, path: str | Path, exclude: Sequence[str] = ()) -> None:
        self.pipeline.to_disk(Path(path) / "pipeline")

    def from_disk(self, path: str | Path, exclude: Sequence[str] = ()) -> "WeftComponent":
        self._nlp = load(Path(path) / "pipeline")
        self._words = self._packed = None
        return self

    def to_bytes(self, exclude: Sequence[str] = ()) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            self.pipeline._save_copy(Path(folder) / "pipeline")
            files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            packed = {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
        return srsly.msgpack_dumps(packed)  # type: ignore[no-any-return]

    def from_bytes(self, data: bytes, exclude: Sequence[str] = ()) -> "WeftComponent":
        self._nlp = _unpacked(data)
        self._words, self._packed = None, data
        return self

    def __getstate__(self) -> dict[str, Any]:
        # A pipeline is pickled as its folder; one of bytes has none.
        return {**self.__dict__, "_words": None, "_nlp": self._nlp if self._packed is None else None}

    def _tokens_of(self, docs: list[Doc]) -> list[_weft.Doc]:
        if self._words is None:
            self._words = _weft._SpacyWords(self.pipeline.vocab)
        made = []
        # A stream may hold documents of several vocabularies, each of which knows its own words.
        for vocab, group in groupby(docs, key=attrgetter("vocab")):
            tokens = [doc.to_array(_GIVEN) for doc in group]
            made += self._words.docs(tokens, vocab.strings.__getitem__)
        return made

    def _copy(self, annotated: _weft.Doc, doc: Doc) -> None:
        attrs, columns, strings, cats, groups = _weft._annotation_of(annotated)
        for text in strings:
            doc.vocab.strings.add(text)
        if attrs:
            doc.from_array(attrs, columns)
        if cats:
            doc.cats.update(cats)
        for key, spans in groups.items():
            doc.spans[key] = [Span(doc, start, end, label, kb_id, span_id=i) for start, end, label, kb_id, i in spans]


@Language.factory(
    "weft",
    default_config={"exclude": [], "n_threads": 1},
    assigns=[
        "doc.ents", "doc.cats", "doc.spans", "token.tag", "token.pos", "token.morph", "token.lemma", "token.dep",
        "token.head",
    ],
    retokenizes=False,
)
def make_component(nlp: Language, name: str, path: str, exclude: list[str], n_threads: int) -> WeftComponent:
    """The component "weft": `path` is the folder of a pipeline, `exclude` names components that stay out."""
    return WeftComponent(name, path, exclude, n_threads)
