"""`from weft.tokens import Doc`: spaCy's path to it."""

from ._weft import Doc, Span, Token

__all__ = ["Doc", "Span", "Token"]
