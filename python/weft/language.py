"""`from weft.language import Language`: spaCy's path to it."""

from ._weft import Language, Pipe

__all__ = ["Language", "Pipe"]
