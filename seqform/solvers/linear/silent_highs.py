"""HiGHS that prints nothing, also where others make one.

Version 1.16 prints its name as soon as it takes callbacks, before it can be told not to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import highspy
from highspy import Highs


class SilentHighs(Highs):
    """A HiGHS object that is silent from the start."""

    def enableCallbacks(self) -> None:  # noqa: N802
        """Take callbacks, in silence."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


@contextmanager
def made_silent() -> Iterator[None]:
    """Within this block others too, such as cvxpy, make silent ones."""
    highspy.Highs = SilentHighs  # type: ignore[misc]
    try:
        yield
    finally:
        highspy.Highs = Highs  # type: ignore[misc]
