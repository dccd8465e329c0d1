"""What a player's sequences are paid on a block where every sequence has its own bounds."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

from seqform.form.protocol import Parts
from seqform.form.treeplex import HIGHER_ORDERS


class ListedPaid(NamedTuple):
    """See `seqform.form.protocol.Paid`.

    Parameters
    ----------
    gradient
        What each sequence is paid.
    magnitude
        What it would be if all payoffs were positive.
    errors
        What errors of the entries add at most; None where each is rounded once.
    """

    gradient: Parts
    magnitude: Parts
    errors: Parts | None

    def raised(self, share: float) -> Parts:
        """Return the gradient with bounds on its errors added."""
        return {part: of + self.gradient[part] for part, of in self._bounds(share).items()}

    def off(self, share: float, plan: Parts) -> float:
        """Bound how far off the product with a plan is."""
        return fsum(float((of * plan[part]).sum()) for part, of in self._bounds(share).items())

    def _bounds(self, share: float) -> Parts:
        found = {part: share * size for part, size in self.magnitude.items()}
        if self.errors is not None:
            for part, errors in self.errors.items():
                found[part] += HIGHER_ORDERS * errors
        return found
