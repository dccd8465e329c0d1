"""A proximal step of two plans that use some of their sequences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from seqform.base.arrays import Floats, Index, Mask
from seqform.form.treeplex import Treeplex
from seqform.solvers.saddle.interior_point import saddle_plans
from seqform.solvers.saddle.proximal_program import SaddleProgram, middle_payoff


@dataclass(frozen=True, eq=False)
class Cut:
    """What is left of a treeplex: a treeplex of its own, and which sequences its sequences were.

    Its information sets are those that kept sequences lead to.
    """

    sequences: Index
    treeplex: Treeplex

    @classmethod
    def of(cls, treeplex: Treeplex, kept: Mask) -> Cut:
        """Return the treeplex on its kept sequences.

        Among these are the first, and some of each information set after any of them. What leads to
        a kept sequence is kept.
        """
        sequences, number = np.flatnonzero(kept), np.cumsum(kept) - 1
        there = kept[treeplex.parent_sequence]
        actions = np.bincount(treeplex.infoset_of[sequences[1:]], minlength=treeplex.num_infosets)
        first = np.concatenate([[1], 1 + np.cumsum(actions[there])])
        parents = number[treeplex.parent_sequence[there]]
        return cls(sequences, Treeplex(parents.astype(np.int32), first.astype(np.int32)))

    def restrict(self, plan: Floats) -> Floats:
        """Return the entries of what is left, float64 (its sequences,)."""
        return np.array(plan[self.sequences], dtype=np.float64)

    def extend(self, plan: Floats, num_sequences: int) -> Floats:
        """Return a plan of the whole treeplex that is zero elsewhere, float64 (num_sequences,)."""
        whole = np.zeros(num_sequences)
        whole[self.sequences] = plan
        return whole


def nearest_saddle(
    cuts: tuple[Cut, Cut],
    payoff: sp.csr_array,
    near: tuple[Floats, Floats],
    weights: tuple[float, float],
    gap: float,
    stop: Callable[[], bool],
) -> tuple[Floats, Floats]:
    """Return the plans of the step, or how far it came until it was to stop.

    Parameters
    ----------
    cuts
        What is left of the treeplexes.
    payoff
        Payoffs to player 0, float64 (sequences of player 0, sequences of player 1).
    near
        The plans to stay near to, float64 (sequences of a player,) each.
    weights
        What a unit of half the squared distance costs each player, in chips.
    gap
        How far from the step's end to stop: what the players may still gain, in chips.
    stop
        Asked in each iteration of the solver.

    Raises
    ------
    SolverError
        If the solver does not come to its second iteration.
    """
    unit = middle_payoff(payoff)
    scaled = weights[0] / unit, weights[1] / unit
    treeplexes = (cuts[0].treeplex, cuts[1].treeplex)
    program = SaddleProgram(treeplexes, payoff / unit, np.concatenate(near), scaled)
    plans = saddle_plans(program, gap / unit, stop)
    own = program.num_own
    return plans[:own], plans[own:]
