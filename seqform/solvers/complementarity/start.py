"""Where the path of complementary pivots begins: its first basis and the perturbation.

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
        Of the perturbation.
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
    def perturbation(self) -> Index:
        """What an infinitesimal perturbation of q adds to each sequence's basic variable.

        int64 (num_sequences,). It is drawn so that no basis on the path is degenerate, except by a
        chance of about 2**-40. All information sets are reached, and all plans kept positive, by
        what is added at each constraint; so there is no ray but the one that the path comes from.
        """
        rng = np.random.default_rng(self.seed)
        drawn = rng.integers(1 << 40, 1 << 41, self.problem.size)
        return np.where(self.played, self._reach(drawn[self.num_pairs :]), drawn[: self.num_pairs])

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
