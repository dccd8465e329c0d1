"""LaterTensor: chances of types that are made only when somebody multiplies by them.

Which stages a game has, and what is decided there, hangs on which outcomes come at all, and not on
how likely they are. So a game whose chances take a minute to be drawn is counted and described
without them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from seqform.base.arrays import Mask, Numbers
from seqform.base.errors import InvalidGameError
from seqform.recursive.chance_tensor import ChanceTensor


class LaterTensor(ChanceTensor):
    """Chances of types and outcomes of which all come, not made yet.

    Parameters
    ----------
    make
        Returns the weights of a `ChanceTensor`.
    shape
        Theirs: how many outcomes there are, and types of each seat.
    denominator
        What they add up to.
    """

    def __init__(
        self, make: Callable[[], Numbers], shape: tuple[int, int, int, int], denominator: int
    ) -> None:
        self._make, self._shape, self.denominator = make, shape, denominator

    def __getattr__(self, name: str) -> Any:
        """Return what only chances that are made have; called where there is no such attribute.

        Raises
        ------
        InvalidGameError
            R4: if the chances are not those that were announced.
        """
        if name not in ("weights", "limb", "last_limb", "_merged", "_margins"):
            raise AttributeError(name)
        made = ChanceTensor(self._make())  # aside: time may be over, or the chances be others
        announced = self._shape, self.denominator
        if (made.weights.shape, made.denominator) != announced or not made.possible.all():
            raise InvalidGameError(
                "R4: chances are not what was said of them before they were made: how many "
                "outcomes and types there are, what they add up to, and that all outcomes come"
            )
        vars(self).update(vars(made))
        return getattr(self, name)

    @property
    def num_outcomes(self) -> int:
        """How many outcomes there are."""
        return self._shape[0]

    @property
    def num_types(self) -> tuple[int, int, int]:
        """How many types each seat may have."""
        return self._shape[1:]

    @property
    def possible(self) -> Mask:
        """That all outcomes come: bool (num_outcomes,)."""
        return np.ones(self.num_outcomes, dtype=np.bool_)
