"""`from weft.tokens import Doc, DocBin`: spaCy's path to them."""

from __future__ import annotations

import os

from . import _weft
from ._weft import Doc, Span, Token, Vocab

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Iterator, Union

__all__ = ["Doc", "DocBin", "Span", "Token"]


class DocBin:
    """Documents on their way to a `.spacy` file, or from one, with all annotation and no user data."""

    def __init__(self, *, docs: Iterable[Doc] = ()) -> None:
        self._docs: list[Doc] = []
        for doc in docs:
            self.add(doc)

    def __len__(self) -> int:
        return len(self._docs)

    def add(self, doc: Doc) -> None:
        """Adds the document as it is now."""
        self._docs.append(doc.copy())

    def get_docs(self, vocab: Vocab) -> Iterator[Doc]:
        """The documents, in that vocabulary."""
        yield from _weft.docs_from_bytes(self.to_bytes(), vocab)

    def merge(self, other: DocBin) -> None:
        """Adds the documents of another one."""
        self._docs += other._docs

    def to_bytes(self) -> bytes:
        return _weft.docs_to_bytes(self._docs)

    def from_bytes(self, bytes_data: bytes) -> DocBin:
        """Takes the place of its documents, and returns itself."""
        self._docs = _weft.docs_from_bytes(bytes_data, Vocab())
        return self

    def to_disk(self, path: Union[str, os.PathLike[str]]) -> None:
        with open(path, "wb") as file:
            file.write(self.to_bytes())

    def from_disk(self, path: Union[str, os.PathLike[str]]) -> DocBin:
        with open(path, "rb") as file:
            return self.from_bytes(file.read())
