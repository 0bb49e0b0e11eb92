"""The C++ library of weft; `weft` has its names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
import os
import pathlib
from typing import Any, overload

import numpy
import numpy.typing


class StringStore:
    """Labels and other names by their 64-bit ids, which are spaCy's."""

    def add(self, text: str) -> int:
        """The id of a text, which is known from now on."""

    def __getitem__(self, key: int | str) -> Any:
        """
        The id of a text, or the text of an id. Raises KeyError for an unknown id.
        """

    def __contains__(self, key: object) -> bool: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[str]:
        """The texts, by code point; more may be added meanwhile."""

class Vocab:
    """The vocabulary that all documents of a pipeline share."""

    def __init__(self, lang: str = 'xx') -> None: ...

    @property
    def lang(self) -> str:
        """The code of the language."""

    @property
    def strings(self) -> StringStore: ...

    @property
    def vectors(self) -> numpy.typing.NDArray[numpy.float32]:
        """
        The table of word vectors, (rows, width): a read-only view, nothing is copied.
        """

class Doc:
    """
    Tokens and what is said about them. Copies share the tokens; offsets count code points.
    """

    def __init__(self, vocab: Vocab, words: Sequence[str] | None = None, spaces: Sequence[bool] | None = None) -> None:
        """
        From words, and whether a space follows each; without `spaces` that is unknown.
        """

    @property
    def vocab(self) -> Vocab: ...

    @property
    def text(self) -> str: ...

    @property
    def has_unknown_spaces(self) -> bool: ...

    def copy(self) -> Doc:
        """The same tokens and annotation."""

    def __copy__(self) -> Doc: ...

    def __deepcopy__(self, memo: object) -> Doc: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def to_spacy(self, vocab: Any = None) -> Any:
        """
        A spaCy Doc with the same annotation; without `vocab` that of a blank pipeline.
        """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Token]: ...

    @overload
    def __getitem__(self, key: int) -> Token: ...

    @overload
    def __getitem__(self, key: slice) -> Span: ...

    @property
    def ents(self) -> tuple[Span, ...]:
        """
        The entities. Assigning spans replaces them; all other tokens are outside.
        """

    @ents.setter
    def ents(self, ents: Iterable[Span], /) -> None: ...

    @property
    def noun_chunks(self) -> Iterator[Span]:
        """
        Base noun phrases of a parsed document, in seven languages (docs/parsing.md).
        """

    def has_annotation(self, attr: int | str, *, require_complete: bool = False) -> bool:
        """
        Whether any token, or each, has a value of "TAG", "DEP", "ENT_IOB" and so on.
        """

    @property
    def sents(self) -> Iterator[Span]:
        """The sentences. Raises ValueError where nothing says where they begin."""

    @property
    def cats(self) -> dict[str, float]:
        """
        Categories and their values. What is written into the dict is the document's.
        """

    @cats.setter
    def cats(self, cats: dict[str, float], /) -> None: ...

    def _cats(self) -> dict[str, float]: ...

    @property
    def spans(self) -> dict[str, Sequence[Span]]:
        """
        Groups of spans by their keys. What is written into the dict is the document's.
        """

    @spans.setter
    def spans(self, spans: dict[str, Sequence[Span]], /) -> None: ...

    def _spans(self) -> dict[str, Sequence[Span]]: ...

    def to_json(self) -> dict[str, Any]:
        """Text, tokens and annotation as `weft apply` prints them."""

    def to_bytes(self) -> bytes:
        """The document with its annotation, as bytes that spaCy's DocBin reads."""

    def from_bytes(self, data: bytes) -> Doc:
        """
        Becomes the document of the bytes, and returns itself. Raises ValueError where it has tokens already.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

    def char_span(self, start_idx: int, end_idx: int, label: int | str = '', kb_id: int | str = '', alignment_mode: str = 'strict', span_id: int | str = '') -> Span | None:
        """
        The tokens that cover exactly these characters (code points), or None. "contract" takes those that lie inside, "expand" those that they touch.
        """

    def to_array(self, attr_ids: int | str | Sequence[int | str]) -> numpy.typing.NDArray[numpy.uint64]:
        """
        Attributes as numbers, (tokens,) of one and (tokens, attributes) of several. ORTH, NORM, PREFIX, SUFFIX and SHAPE alone are a read-only view of the document; all else is a copy.
        """

    def from_array(self, attrs: int | str | Sequence[int | str], array: numpy.typing.NDArray[numpy.uint64]) -> Doc:
        """
        Sets annotation that `to_array` gives, and returns the document; attributes of words have to be those of the document. Ids have to be known to the vocabulary's strings.
        """

    def _repr_html_(self) -> str:
        """
        The text with its entities marked, as notebooks show it; `weft render` draws more.
        """

class Span:
    """Tokens [start, end) of a document, which it keeps alive."""

    def __init__(self, doc: Doc, start: int, end: int, label: int | str = '', kb_id: int | str = '', span_id: int | str = '') -> None: ...

    @property
    def doc(self) -> Doc: ...

    @property
    def text(self) -> str:
        """Without a space behind the last token."""

    @property
    def text_with_ws(self) -> str: ...

    @property
    def lemma_(self) -> str:
        """The lemmas of its tokens, spaced as they are."""

    @property
    def confidence(self) -> float | None:
        """
        How sure the component that found the entity is, from 0 to 1; None where it does not say (docs/confidence.md).
        """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Token]: ...

    @overload
    def __getitem__(self, key: int) -> Token: ...

    @overload
    def __getitem__(self, key: slice) -> Span: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __hash__(self) -> int: ...

    @property
    def start(self) -> int:
        """First token."""

    @property
    def end(self) -> int:
        """The token behind the last."""

    @property
    def start_char(self) -> int:
        """Where it begins in the text, in code points."""

    @property
    def end_char(self) -> int:
        """Where it ends in the text, in code points."""

    @property
    def label(self) -> int: ...

    @property
    def label_(self) -> str: ...

    @property
    def kb_id(self) -> int: ...

    @property
    def kb_id_(self) -> str: ...

    @property
    def id(self) -> int: ...

    @property
    def id_(self) -> str: ...

    @property
    def root(self) -> Token:
        """The token that the others of the span hang on."""

    @property
    def sent(self) -> Span:
        """The sentence that it begins in."""

    def __eq__(self, other: object) -> bool: ...

    def __lt__(self, other: object) -> bool: ...

    def __le__(self, other: object) -> bool: ...

    def __gt__(self, other: object) -> bool: ...

    def __ge__(self, other: object) -> bool: ...

class Token:
    """A token of a document. It keeps the document alive."""

    @property
    def i(self) -> int:
        """Its number in the document."""

    @property
    def doc(self) -> Doc: ...

    @property
    def idx(self) -> int:
        """Where it begins in the text, in code points."""

    def __len__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __hash__(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def orth_(self) -> str: ...

    @property
    def orth(self) -> int: ...

    @property
    def norm_(self) -> str: ...

    @property
    def lower(self) -> int: ...

    @property
    def lower_(self) -> str: ...

    @property
    def shape_(self) -> str: ...

    @property
    def prefix_(self) -> str: ...

    @property
    def suffix_(self) -> str: ...

    @property
    def whitespace_(self) -> str:
        """The space that follows, or an empty text."""

    @property
    def text_with_ws(self) -> str: ...

    @property
    def tag(self) -> int: ...

    @tag.setter
    def tag(self, arg: int, /) -> None: ...

    @property
    def tag_(self) -> str: ...

    @tag_.setter
    def tag_(self, arg: str, /) -> None: ...

    @property
    def pos(self) -> int: ...

    @pos.setter
    def pos(self, arg: int, /) -> None: ...

    @property
    def pos_(self) -> str: ...

    @pos_.setter
    def pos_(self, arg: str, /) -> None: ...

    @property
    def lemma(self) -> int: ...

    @lemma.setter
    def lemma(self, arg: int, /) -> None: ...

    @property
    def lemma_(self) -> str: ...

    @lemma_.setter
    def lemma_(self, arg: str, /) -> None: ...

    @property
    def dep(self) -> int: ...

    @dep.setter
    def dep(self, arg: int, /) -> None: ...

    @property
    def dep_(self) -> str: ...

    @dep_.setter
    def dep_(self, arg: str, /) -> None: ...

    @property
    def ent_type(self) -> int: ...

    @property
    def ent_type_(self) -> str: ...

    @property
    def ent_kb_id(self) -> int: ...

    @property
    def ent_kb_id_(self) -> str: ...

    @property
    def ent_id(self) -> int: ...

    @property
    def ent_id_(self) -> str: ...

    @property
    def is_alpha(self) -> bool: ...

    @property
    def is_ascii(self) -> bool: ...

    @property
    def is_digit(self) -> bool: ...

    @property
    def is_lower(self) -> bool: ...

    @property
    def is_punct(self) -> bool: ...

    @property
    def is_space(self) -> bool: ...

    @property
    def is_title(self) -> bool: ...

    @property
    def is_upper(self) -> bool: ...

    @property
    def like_url(self) -> bool: ...

    @property
    def like_num(self) -> bool: ...

    @property
    def like_email(self) -> bool: ...

    @property
    def is_stop(self) -> bool: ...

    @property
    def is_bracket(self) -> bool: ...

    @property
    def is_quote(self) -> bool: ...

    @property
    def is_left_punct(self) -> bool: ...

    @property
    def is_right_punct(self) -> bool: ...

    @property
    def is_currency(self) -> bool: ...

    @property
    def morph(self) -> str:
        """The features as CoNLL-U writes them, "Case=Nom|Number=Sing"."""

    def set_morph(self, features: str) -> None: ...

    @property
    def head(self) -> Token:
        """
        The token that this one depends on; a root and a token without a label of its parse are their own.
        """

    @head.setter
    def head(self, arg: Token, /) -> None: ...

    @property
    def ent_iob(self) -> int: ...

    @property
    def ent_iob_(self) -> str:
        """"B", "I", "O", or an empty text where nothing is annotated."""

    @property
    def is_sent_start(self) -> bool | None:
        """True, False, or None where it is not known."""

    @is_sent_start.setter
    def is_sent_start(self, start: bool | None) -> None: ...

    @property
    def children(self) -> Iterator[Token]:
        """The tokens that depend on this one, in order."""

    @property
    def lefts(self) -> Iterator[Token]: ...

    @property
    def rights(self) -> Iterator[Token]: ...

    @property
    def ancestors(self) -> Iterator[Token]:
        """Its head, the head of that, and so on."""

    @property
    def subtree(self) -> Iterator[Token]:
        """This token and all below it, those on its left first."""

    @property
    def left_edge(self) -> Token:
        """The first token of its subtree."""

    @property
    def right_edge(self) -> Token:
        """The last token of its subtree."""

    @property
    def sent(self) -> Span:
        """The sentence that it stands in."""

    def nbor(self, i: int = 1) -> Token:
        """The token `i` places behind it."""

    def __eq__(self, other: object) -> bool: ...

    def __lt__(self, other: object) -> bool: ...

    def __le__(self, other: object) -> bool: ...

    def __gt__(self, other: object) -> bool: ...

    def __ge__(self, other: object) -> bool: ...

def docs_to_bytes(docs: Sequence[Doc]) -> bytes:
    """Documents as the bytes of a `.spacy` file, which spaCy's DocBin reads."""

def docs_from_bytes(data: bytes, vocab: Vocab) -> list[Doc]:
    """The documents of a `.spacy` file's bytes, which spaCy's DocBin writes."""

class ArrowBatch:
    """
    Documents as a record batch of Arrow: text, tokens and ents with their places in characters, cats. polars, pyarrow, pandas and DuckDB take it: pyarrow.record_batch(batch).
    """

    def __len__(self) -> int: ...

    def __arrow_c_schema__(self) -> Any: ...

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Arrow's C data interface: the columns are handed over, not copied."""

def to_arrow(docs: Iterable[Doc]) -> ArrowBatch:
    """
    The texts, tokens, entities and categories of documents as one record batch of Arrow.
    """

class Example:
    """
    A document as the pipeline sees it, and the same text with the right annotation.
    """

    def __init__(self, predicted: Doc, reference: Doc) -> None:
        """Copies both. Raises DataError where they are not of the same text."""

    @staticmethod
    def from_dict(predicted: Doc, example_dict: dict[str, Any]) -> Example:
        """
        As spaCy's: `entities` (offsets or BILUO tags), `cats`, `spans`, and for each token `words`, `spaces`, `tags`, `pos`, `lemmas`, `deps`, `heads`, `sent_starts`, `morphs`.
        """

    @staticmethod
    def from_offsets(predicted: Doc, ents: Iterable[tuple[int, int, str]], misaligned: str = 'error') -> Example:
        """Entities by characters, in code points: [(0, 12, "PERSON")]."""

    @staticmethod
    def from_tags(predicted: Doc, tags: Sequence[str]) -> Example:
        """Entities by one BILUO or IOB tag for each token; "-" is not annotated."""

    @staticmethod
    def from_spans(predicted: Doc, spans: Iterable[tuple[int, int, str]]) -> Example:
        """Entities by tokens: [(0, 2, "PERSON")]."""

    @property
    def predicted(self) -> Doc:
        """The document as the pipeline sees it."""

    @property
    def x(self) -> Doc: ...

    @property
    def reference(self) -> Doc:
        """The document with the right annotation."""

    @property
    def y(self) -> Doc: ...

    @property
    def text(self) -> str: ...

    def __len__(self) -> int: ...

class _Examples:
    """Examples on their way to a batcher: an iterator."""

    def __iter__(self) -> _Examples: ...

    def __next__(self) -> Example: ...

class Schedule:
    """A schedule of a config: a function of the step, counted from 0."""

    def __call__(self, step: int) -> float: ...

    def to_generator(self, start: int = 0) -> Iterator[float]:
        """The values from a step on."""

    def __iter__(self) -> Iterator[float]: ...

def _is_built_in(kind: str, name: str) -> bool: ...

class Optimizer:
    """Steps of training and the state between them."""

class Pipe:
    """A component of a pipeline, which it keeps alive."""

    @property
    def name(self) -> str: ...

    @property
    def labels(self) -> list[str]: ...

    @property
    def is_trainable(self) -> bool: ...

    def add_label(self, label: str) -> bool:
        """False where the label is known already."""

class Language:
    """
    A pipeline. It may be used from many threads at once; training waits until no other thread uses it.
    """

    @property
    def lang(self) -> str: ...

    @property
    def vocab(self) -> Vocab: ...

    @property
    def pipe_names(self) -> list[str]:
        """The components that run, in order."""

    @property
    def component_names(self) -> list[str]:
        """All components, disabled ones too."""

    def get_pipe(self, name: str) -> Pipe:
        """A component by its name."""

    @property
    def pipe_labels(self) -> dict[str, list[str]]:
        """The labels of each component that shows them."""

    @property
    def config(self) -> dict[str, Any]:
        """
        The filled config, variables as they are written; writing into it is an error.
        """

    @property
    def config_text(self) -> str:
        """The config as a .cfg file holds it."""

    @property
    def meta(self) -> dict[str, Any]:
        """
        What meta.json has beyond that which follows from the pipeline. What is written into the dict is saved.
        """

    def _meta(self) -> dict[str, Any]: ...

    def _set_meta(self, values: dict[str, Any]) -> None: ...

    @property
    def path(self) -> pathlib.Path | None:
        """The folder that holds this pipeline; None once it was trained further."""

    @overload
    def __call__(self, text: str) -> Doc:
        """Annotates a text, without the GIL."""

    @overload
    def __call__(self, text: Doc) -> Doc:
        """Annotates a document in place, and returns it."""

    def make_doc(self, text: str) -> Doc:
        """The tokens of a text, without annotation."""

    def evaluate(self, examples: Iterable[Example], *, n_threads: int = 1) -> dict[str, Any]:
        """
        Predicts, compares with the references and gives the scores. The examples stay as they are.
        """

    def score(self, examples: Iterable[Example]) -> dict[str, Any]:
        """
        The scores of examples whose predicted documents are annotated already.
        """

    def _save_copy(self, path: str | os.PathLike) -> None:
        """As to_disk, for a folder that goes away: `path` stays as it is."""

    def to_disk(self, path: str | os.PathLike) -> None:
        """Writes the pipeline's folder in one step; spaCy opens it too."""

    def __reduce__(self) -> tuple[Any, ...]: ...

    def __copy__(self) -> object: ...

    def pipe(self, texts: Iterable[Any], *, as_tuples: bool = False, batch_size: int | None = None, n_threads: int = 1) -> Iterator[Any]:
        """
        Documents of texts (or documents, or of an Arrow column of texts), lazily and in order, without the GIL; with `as_tuples`, pairs of a document and its context. n_threads is never part of a result, batch_size in two cases alone: docs/python.md.
        """

    def initialize(self, get_examples: Iterable[Example] | Callable[[], Iterable[Example]] | None = None) -> Optimizer:
        """
        Gives the components labels, shapes and fresh parameters, as [initialize] says.
        """

    def update(self, examples: Iterable[Example], *, drop: float = 0.0, sgd: Optimizer | None = None, losses: dict[str, float] | None = None, exclude: Sequence[str] = (), annotates: Sequence[str] = (), n_threads: int = 1) -> dict[str, float]:
        """One update; the losses are added to `losses`, which is returned."""

class _DocStream:
    """What Language.pipe gives: an iterator."""

    def __iter__(self) -> _DocStream: ...

    def __next__(self) -> Any: ...

class _SpacyWords:
    def __init__(self, vocab: Vocab) -> None: ...

    def docs(self, tokens: list[Any], text_of: Callable[[int], str]) -> list[Doc]: ...

def _annotate(nlp: Language, docs: list[Doc], n_threads: int) -> None: ...

def _annotation_of(doc: Doc) -> tuple[list[int], Any, list[str], dict[str, float], dict[str, list[tuple[int, int, str, str, str]]]]: ...

def load(path: str | os.PathLike, *, exclude: Sequence[str] = [], disable: Sequence[str] = [], enable: Sequence[str] = [], code: Sequence[str] = [], gpu: int = -1) -> Language:
    """
    A saved pipeline, of weft or of spaCy 3. `exclude` leaves components out, `disable` reads and does not run them, `enable` disables all others; `code` lists plugins.
    """

def blank(lang: str, pipeline: Sequence[str] = [], *, code: Sequence[str] = []) -> Language:
    """
    A pipeline to be initialised: components with the defaults of their factories.
    """

def from_config(config: str | os.PathLike, overrides: dict[str, Any] = {}, *, code: Sequence[str] = ()) -> Language:
    """
    The pipeline of a config file, to be initialised. Raises ConfigError with all problems.
    """

def assemble(config: str | os.PathLike, output: str | os.PathLike | None = None, overrides: dict[str, Any] = {}, *, code: Sequence[str] = ()) -> Language:
    """
    Puts a pipeline together without training, from sourced and plain components.
    """

def _find_pipeline(name: str, folders: Sequence[str]) -> pathlib.Path: ...

def _devices() -> dict[str, Any]: ...

class TrainingResult:
    """The outcome of a training run."""

    @property
    def nlp(self) -> Language:
        """The pipeline as the last step left it."""

    @property
    def best_score(self) -> float | None:
        """None where nothing was evaluated."""

    @property
    def best_step(self) -> int: ...

    @property
    def scores(self) -> dict[str, Any]:
        """The scores of the last evaluation, as meta.json has them."""

    @property
    def log(self) -> list[dict[str, Any]]:
        """Step and score of each evaluation."""

    @property
    def steps(self) -> int: ...

    @property
    def end(self) -> str:
        """How the run ended, in words."""

    @property
    def path(self) -> pathlib.Path | None:
        """The folder of the best pipeline; None where nothing was saved."""

    def _repr_html_(self) -> str:
        """Step and score of each evaluation, as notebooks show it."""

    def __repr__(self) -> str: ...

def train(config: str | os.PathLike, output: str | os.PathLike | None = None, overrides: dict[str, Any] = {}, *, resume: bool = False, overwrite: bool = False, code: Sequence[str] = (), n_threads: int = 0, gpu: int = -1) -> TrainingResult:
    """
    Trains the pipeline of a config, as `weft train` does: n_threads=0 takes all cores. Ctrl-C ends the run behind a step; what it has is saved before KeyboardInterrupt is raised.
    """

def convert(input: str | os.PathLike, output: str | os.PathLike, *, converter: str = 'auto', n_sents: int = 1, lang: str = '', misaligned: str = 'error') -> dict[str, Any]:
    """
    Converts annotated documents; the endings of the names say the formats. Returns counts, and in `lost` the kinds of annotation that the output has no place for.
    """

def _run_command(words: Sequence[str]) -> int: ...
