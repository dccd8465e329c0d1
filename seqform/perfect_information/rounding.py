"""How far the rounding errors of backward induction in floats may add up."""

from __future__ import annotations

from typing import NamedTuple

UNIT_ROUNDOFF = 2.0**-53


class Extent(NamedTuple):
    """How large and how deep a game is."""

    depth: int
    """Nodes on the longest path."""
    widest: int
    """Outcomes of chance at one node, at most."""
    payments: int
    """Nodes on one path that pay, at most."""
    largest_payoff: float
    """The largest amount that is paid at one node, in the game's unit."""
    is_exact: bool
    """Whether all payoffs and probabilities are integers or fractions."""
    sums_to_zero: bool
    """Whether what the players are paid adds up to 0 at every node."""

    def rounding(self) -> float:
        """Bound the difference between a gain as computed and the true one, in the game's unit.

        On its way to the root, a payoff passes three operations at each node: one addition of
        rewards, one product, and the sum over chance's outcomes. That makes ``c`` roundings in all.
        All that is paid on a path is at most ``B``. Each computed value is then off by at most ``c
        u B`` to first order (Higham, "Accuracy and Stability of Numerical Algorithms", Section
        3.1). A gain is the difference of two such values. The factor 1.01 covers the higher orders,
        and probabilities whose sum is one up to 1e-9 only. Exact games have no rounding errors.
        """
        if self.is_exact:
            return 0.0
        paid = self.payments * self.largest_payoff
        roundings = self.depth * (self.widest + 3) + 3
        tiny = 2.0**-1022 * self.depth * (self.widest + 1)  # what may vanish below the least float
        return 2 * 1.01 * roundings * UNIT_ROUNDOFF * paid + tiny
