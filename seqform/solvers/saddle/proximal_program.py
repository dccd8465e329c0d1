"""The proximal program of two plans.

With A the payoffs to player 0, and b and c plans, it is the saddle point of

    x'Ay - u/2 |x - b|^2 + w/2 |y - c|^2   for   E x = e, x >= 0   and   F y = f, y >= 0,

which is a step of the proximal point method (Rockafellar, SIAM J. Control Optim. 14(5), 1976):
with u, w > 0 of that for saddle points (Section 5), and with w = 0 of that for player 0's
guarantee. There x is unique. As the payoff is bilinear and plans make a polytope, steps with u and
w small enough end at an equilibrium (Ferris, Math. Programming 50, 1991).

Players are treated alike: z = (x, y) are the plans, one after the other; C z = h holds the
constraints of both, and M z = (Ay, -A'x) what sequences gain. The conditions for a saddle point are

    M z - W (z - a) - C'v + s = 0,   C z = h,   z >= 0,   s >= 0,   s z = 0 in each entry

with a = (b, c), W the diagonal of u and w, v the values of information sets, and s what sequences
lose, next to the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class SaddleProgram:
    """A proximal program.

    Parameters
    ----------
    treeplexes
        The sequences that the two plans may use.
    payoff
        Payoffs to player 0, float64 CSR (sequences of player 0, sequences of player 1), in a unit
        in which they are about as large as plans.
    near
        The plans to stay near to, float64 (sequences of both,).
    weights
        What a unit of half the squared distance costs each player, in the unit of the payoffs.
    """

    treeplexes: tuple[Treeplex, Treeplex]
    payoff: sp.csr_array
    near: Floats
    weights: tuple[float, float]

    @property
    def num_own(self) -> int:
        """Sequences of player 0."""
        return self.treeplexes[0].num_sequences

    @cached_property
    def pull(self) -> Floats:
        """The diagonal W, float64 (sequences of both,)."""
        return np.repeat(self.weights, [treeplex.num_sequences for treeplex in self.treeplexes])

    @cached_property
    def constraints(self) -> sp.csr_array:
        """C, float64 (information sets of both and two, sequences of both)."""
        both = [treeplex.constraints()[0] for treeplex in self.treeplexes]
        return sp.csr_array(sp.block_diag(both, format="csr"))

    @cached_property
    def constraints_transposed(self) -> sp.csr_array:
        """C', float64 (sequences of both, information sets of both and two)."""
        return self.constraints.T.tocsr()

    @cached_property
    def totals(self) -> Floats:
        """The right side h: each empty sequence has weight 1, and nothing is lost after it."""
        return np.concatenate([treeplex.constraints()[1] for treeplex in self.treeplexes])

    def gains(self, plans: Floats) -> Floats:
        """Return M z: what a unit of each sequence pays its player, float64."""
        own = self.num_own
        return np.concatenate([self.payoff @ plans[own:], -(plans[:own] @ self.payoff)])


def middle_payoff(payoff: sp.csr_array) -> float:
    """Return the geometric mean of the smallest and the largest payoff's magnitude.

    In this unit payoffs are about as large as plans, which linear algebra in floats likes best.
    """
    magnitudes = np.abs(payoff.data[payoff.data != 0])
    return float(np.sqrt(magnitudes.min()) * np.sqrt(magnitudes.max())) if len(magnitudes) else 1.0
