"""Two strategies at one table."""

from __future__ import annotations

from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy


def seated(mine: Profile, others: Profile, seat: int) -> Profile:
    """Return the profile in which one player plays the one, and everybody else the other."""

    def of(player: int) -> Profile:
        return mine if player == seat else others

    players = range(len(mine.plans))
    return Profile(
        tuple(of(player).behaviors[player] for player in players),
        tuple(of(player).plans[player] for player in players),
    )


def seated_by_classes(
    mine: SignalStrategy, others: SignalStrategy, seat: int
) -> tuple[SequenceForm, Profile]:
    """Return the same of strategies by classes of hands, in the form of each player's own classes.

    What is paid there is what is paid in the whole game, since nobody tells members of a class
    apart.
    """
    players = (mine, others) if seat == 0 else (others, mine)
    classes = tuple(of.classes[player] for player, of in enumerate(players))
    form = build_signal_form(mine.structure, classes)
    return form, form.profile([of.behaviors[player] for player, of in enumerate(players)])
