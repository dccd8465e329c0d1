"""Two strategies at one table."""

from __future__ import annotations

from seqform.form.profile import Profile


def seated(mine: Profile, others: Profile, seat: int) -> Profile:
    """Return the profile in which one player plays the one, and everybody else the other."""

    def of(player: int) -> Profile:
        return mine if player == seat else others

    players = range(len(mine.plans))
    return Profile(
        tuple(of(player).behaviors[player] for player in players),
        tuple(of(player).plans[player] for player in players),
    )
