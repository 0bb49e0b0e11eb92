"""`from weft.vocab import Vocab`: spaCy's path to it."""

from ._weft import StringStore, Vocab

__all__ = ["StringStore", "Vocab"]
