"""Helpers of training loops, under spaCy's names."""

from __future__ import annotations

import itertools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence, TypeVar, Union

    from ._weft import Span

    _T = TypeVar("_T")


def minibatch(items: Iterable[_T], size: Union[int, Sequence[int], Iterator[int], Any]) -> Iterator[list[_T]]:
    """The items in lists of `size`: a number, a sequence, an iterator or a schedule of numbers.

    Sizes that end before the items raise ValueError.
    """
    sizes: Iterator[Any] = itertools.repeat(size) if isinstance(size, int) else iter(size)
    rest = iter(items)
    for count in sizes:
        batch = list(itertools.islice(rest, int(count)))
        if not batch:
            return
        yield batch
    if next(rest, rest) is not rest:
        raise ValueError("minibatch: the sizes ended before the items")


def compounding(start: float, stop: float, compound: float) -> Iterator[float]:
    """Numbers that grow by a factor, or shrink, from `start` on and never pass `stop`."""
    within = min if stop >= start else max
    value = start
    while True:
        yield within(value, stop)
        value *= compound


def filter_spans(spans: Iterable[Span]) -> list[Span]:
    """Spans that do not overlap: the longest first, of equal ones the first in the text; in their order."""
    kept: list[Span] = []
    taken: set[int] = set()
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        places = range(span.start, span.end)
        if taken.isdisjoint(places):
            kept.append(span)
            taken.update(places)
    return sorted(kept, key=lambda span: span.start)


def fix_random_seed(seed: int = 0) -> None:
    """Sets Python's and NumPy's random numbers. Those of weft have the seed of their config."""
    from .registered import seed as set_seed

    set_seed(seed)
