"""Where the path of complementary pivots begins: its first basis and its perturbations.

The system is ``w - M z - z0 d = q`` in the variables z and w of each sequence, z of each
constraint, and z0. A basis holds all free variables and, of each sequence, z or w; z0 takes the
place of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seqform.base.arrays import Index, Mask
from seqform.form.complementarity import ComplementarityProblem
from seqform.form.treeplex import Treeplex
from seqform.solvers.complementarity.covering import Covering

DIGITS = 40
"""Binary digits of what is drawn."""


@dataclass(frozen=True, eq=False)
class Start:
    """The beginning of the path of a covering vector.

    Variables are numbered: z of all
    sequences, w of all sequences, z of all constraints, z0.

    Parameters
    ----------
    problem
        The complementarity problem.
    covering
        The covering vector.
    seed
        Of the perturbations.
    """

    problem: ComplementarityProblem
    covering: Covering
    seed: int = 0

    @property
    def num_pairs(self) -> int:
        """Complementary pairs."""
        return self.problem.num_sequences

    @property
    def z0(self) -> int:
        """The number of z0."""
        return self.num_pairs + self.problem.size

    def complement(self, variable: int) -> int:
        """Return the number of w for that of z, and of z for that of w."""
        return variable + self.num_pairs if variable < self.num_pairs else variable - self.num_pairs

    @cached_property
    def played(self) -> Mask:
        """Which z are basic at first: of each information set a best action at z0 = 1."""
        parts = self.problem.plans(-self.covering.numbers)
        both = zip(self.problem.treeplexes, parts, strict=True)
        return np.concatenate([_best(treeplex, payoffs) for treeplex, payoffs in both])

    @property
    def head(self) -> Index:
        """The basic variable at each place: z or w of each sequence, then the free ones."""
        pairs = np.arange(self.num_pairs)
        free = 2 * self.num_pairs + np.arange(self.problem.num_constraints)
        return np.concatenate([np.where(self.played, pairs, self.num_pairs + pairs), free])

    def is_z(self, head: Index) -> Mask:
        """Return for each sequence whether its z is among the variables of a basis."""
        found = np.zeros(self.num_pairs, dtype=np.bool_)
        found[head[head < self.num_pairs]] = True
        return found

    @cached_property
    def perturbations(self) -> tuple[Index, Index]:
        """What two infinitesimal perturbations of q add to the first basic variables.

        Each is int64 (size,), by the places of `head`. The first is of the slacks and the values,
        in the units of `ComplementarityProblem.exponents`: it makes the best responses at z0 = 1
        unique. The second, infinitesimal beside the first, is of the plans: it lets all information
        sets be reached. Both are drawn, so that no basis is degenerate but by a chance of 2**-40.
        """
        rng = np.random.default_rng(self.seed)
        drawn = rng.integers(1 << DIGITS, 2 << DIGITS, (2, self.problem.size))
        slacks, plans = drawn[0], np.zeros(self.problem.size, dtype=np.int64)
        slacks[: self.num_pairs][self.played] = 0
        plans[: self.num_pairs] = self._reach(drawn[1, self.num_pairs :])
        return slacks, plans

    def _reach(self, added: Index) -> Index:
        """Return the plans, on the sequences played, of what is added at each constraint."""
        parts, start = [], 0
        for treeplex, played in zip(
            self.problem.treeplexes, self.problem.plans(self.played), strict=True
        ):
            here = added[start : start + 1 + treeplex.num_infosets]
            parts.append(_pushed_down(treeplex, played, here))
            start += len(here)
        return np.concatenate(parts)


def _pushed_down(treeplex: Treeplex, played: Mask, added: Index) -> Index:
    """Return the plan with one action of each information set that passes on what comes to it."""
    plan = np.zeros(treeplex.num_sequences, dtype=np.int64)
    plan[0] = added[0]
    for infosets, sequences in treeplex.runs:
        arriving = added[1:][infosets] + plan[treeplex.parent_sequence[infosets]]
        plan[sequences] = played[sequences] * np.repeat(arriving, treeplex.num_actions[infosets])
    return plan


def _best(treeplex: Treeplex, payoffs: Index) -> Mask:
    """Return the empty sequence, and of each information set the best one, as a mask."""
    worth, best = payoffs.copy(), np.zeros(treeplex.num_infosets, dtype=np.int64)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        values = np.maximum.reduceat(worth[sequences], starts)
        reaching = worth[sequences] == np.repeat(values, treeplex.num_actions[infosets])
        attained = np.flatnonzero(reaching)[::-1] + sequences.start
        best[treeplex.infoset_of[attained]] = attained
        np.add.at(worth, treeplex.parent_sequence[infosets], values)
    is_best = np.zeros(treeplex.num_sequences, dtype=np.bool_)
    is_best[np.append(0, best)] = True
    return is_best
