"""Support: the sequences that a basis of a stage's program is made of.

A vertex of the program is given by what is basic: columns of seat 0's plan, and rows of seat 1's
sequences that are tight. That says more than what is played. A sequence may be basic, and yet never
played: then the other seat's plan makes it as good as what is played, and has to go on doing so
when payoffs change a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Mask, is_first
from seqform.exact.basis import Basis
from seqform.form.treeplex import Treeplex


class Support(NamedTuple):
    """The sequences of a basis.

    Parameters
    ----------
    mine, theirs
        Those of seats 0 and 1, bool (num_sequences,). In each information set there is one at
        least.
    """

    mine: Mask
    theirs: Mask

    @classmethod
    def of(cls, basis: Basis, treeplexes: Sequence[Treeplex]) -> Support:
        """Return that of a basis of seat 0's program."""
        mine, theirs = treeplexes
        columns, rows = basis.columns[: mine.num_sequences], basis.rows[1 + mine.num_infosets :]
        return cls(completed(mine, columns), completed(theirs, ~rows))

    def basis(self, treeplexes: Sequence[Treeplex]) -> Basis | None:
        """Return the basis of these sequences; None if there are not as many as a basis has."""
        mine, theirs = treeplexes
        columns = np.append(self.mine, np.ones(1 + theirs.num_infosets, dtype=np.bool_))
        rows = np.append(np.zeros(1 + mine.num_infosets, dtype=np.bool_), ~self.theirs)
        fits = np.count_nonzero(columns) + np.count_nonzero(rows) == len(rows)
        return Basis(columns, rows) if fits else None


def completed(treeplex: Treeplex, kept: Mask, among: Mask | None = None) -> Mask:
    """Return sequences of which some are in each information set.

    Where there are none, the sequence above may be basic for that reason alone, at zero. It changes
    places with one below, which is as good: that is zero as well.

    Parameters
    ----------
    kept
        bool (num_sequences,).
    among
        Those to choose from, alike, of each information set one at least; by default all.
    """
    found = kept.copy()
    for infosets, sequences in reversed(treeplex.runs):
        none = treeplex.over_actions(np.logical_or, found, infosets) == 0
        found[treeplex.parent_sequence[infosets][none]] = False
        here = np.repeat(none, treeplex.num_actions[infosets])
        here = here if among is None else here & among[sequences]
        places = np.flatnonzero(here) + sequences.start
        found[places[is_first(treeplex.infoset_of[places])]] = True
    found[0] = True
    return found
