"""Budgets: how much work may be done, counted in steps, so that it is the same on every machine."""

from __future__ import annotations

from math import inf

from seqform.base.errors import OutOfTimeError


class Budget:
    """Steps that are left for some work.

    Parameters
    ----------
    steps
        How many there are; infinity for no limit.
    """

    def __init__(self, steps: float = inf) -> None:
        self.left = steps

    @property
    def is_over(self) -> bool:
        """Whether none are left."""
        return self.left <= 0

    def spend(self, steps: float) -> None:
        """Take steps from what is left.

        Raises
        ------
        OutOfTimeError
            If there are not as many.
        """
        self.left -= steps
        if self.left <= 0:
            raise OutOfTimeError("the steps allowed for this were used up")
