"""What is fixed of a game: probabilities of actions, as fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from seqform.form.patterns import Matched
from seqform.form.sequence_form import SequenceForm

Fixed = list[Fraction | None]
"""The probability of each sequence's last action; None where it is free."""


@dataclass(frozen=True, eq=False)
class Lock:
    """What is fixed of a game.

    Parameters
    ----------
    form
        The game.
    fixed
        For each player and sequence the probability of its last action, or None where it is free.
        Those of an information set sum to at most 1, and to 1 where none is free. The entry of the
        empty sequence is None.
    matched
        What each pattern matched, if it was given by patterns.
    """

    form: SequenceForm
    fixed: tuple[Fixed, ...]
    matched: tuple[Matched, ...] = ()

    @property
    def counts(self) -> tuple[int, ...]:
        """In how many information sets of each player something is fixed."""
        return tuple(
            len({int(treeplex.infoset_of[s]) for s, p in enumerate(of) if p is not None})
            for treeplex, of in zip(self.form.treeplexes, self.fixed, strict=True)
        )
