"""Tables of states that were visited, with or without a limit to their size."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from seqform.base.errors import InvalidParameterError


class BoundedTable(OrderedDict[Any, Any]):
    """A table that forgets its oldest entries.

    In a depth-first pass these are the smallest subgames.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __setitem__(self, state: Any, entry: Any) -> None:
        super().__setitem__(state, entry)
        if len(self) > self.size:
            self.popitem(last=False)


def new_table(size: int | None) -> dict[Any, Any]:
    """Return a table that keeps at most `size` states; None: all of them.

    Raises
    ------
    InvalidParameterError
        If `size` is negative.
    """
    if size is not None and size < 0:
        raise InvalidParameterError(f"a table of size {size}: use 0 or more")
    return {} if size is None else BoundedTable(size)
