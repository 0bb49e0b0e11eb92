"""Helpers of training loops, under spaCy's names."""

from __future__ import annotations

import itertools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Sequence, TypeVar, Union

    _T = TypeVar("_T")


def minibatch(items: Iterable[_T], size: Union[int, Sequence[int], Iterator[int], Any]) -> Iterator[list[_T]]:
    """The items in lists of `size`: a number, a sequence, an iterator or a schedule of numbers."""
    sizes: Iterator[Any] = itertools.repeat(size) if isinstance(size, int) else iter(size)
    rest = iter(items)
    while True:
        batch = list(itertools.islice(rest, int(next(sizes))))
        if not batch:
            return
        yield batch
