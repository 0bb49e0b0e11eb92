"""`from weft.training import Example`: spaCy's path to it."""

from ._weft import Example, Optimizer, TrainingResult
from .files import train

__all__ = ["Example", "Optimizer", "TrainingResult", "train"]
