"""A game in sequence form as each player sees it: the own sets level by level, and what is paid."""

from __future__ import annotations

from dataclasses import dataclass

from abstraction.integer_table import as_integers
from abstraction.levels import Levels
from seqform.base.arrays import Exact, Ints, Numbers
from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class Side:
    """One player's side of a sequence form.

    Parameters
    ----------
    player
        Whose it is.
    levels
        The player's information sets and sequences.
    places
        For each player, the sequence that each payoff is after, int32 (num_payoffs,).
    numbers
        What this player is paid there, as integers in a unit of their own, (num_payoffs,).
    """

    player: int
    levels: Levels
    places: list[Ints]
    numbers: Exact


def sides(form: SequenceForm) -> list[Side]:
    """Return every player's side; numbers that players share are made integers once."""
    found: list[Side] = []
    shared: Numbers | None = None
    for player, treeplex in enumerate(form.treeplexes):
        places, numbers = form.payoffs.entries(player)
        integers = found[-1].numbers if found and numbers is shared else as_integers(numbers)
        found.append(Side(player, Levels(treeplex), places, integers))
        shared = numbers
    return found
