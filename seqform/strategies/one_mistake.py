"""After one mistake: what a profile gives away once somebody has done what it never does.

Player j comes to a decision by its own plan and there, once, takes an action that the plan never
takes, each such action being equally likely. Then all go on as the profile says. Two can go on
better than that, in information sets that the plans do not come to:

* j itself, in all sets after the mistake,
* and each other player, in the sets that only mistakes lead to. Nobody else can tell there was one.

What they could gain by that is added up over the decisions of j, each as often as play comes there,
and divided by how often that is. So it is an average over mistakes, in the game's unit. It is 0 if
everybody goes on as well as possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import check_time
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import reach_of_others
from seqform.form.treeplex import Treeplex


class AfterMistake(NamedTuple):
    """What could be gained, on average, after a mistake of one player; in the game's unit."""

    own: float
    """By the player who erred."""
    others: float
    """By all others, each alone."""


def after_mistakes(form: SequenceForm, *profiles: Profile) -> list[tuple[AfterMistake, ...] | None]:
    """Return what could be gained after one mistake of each player.

    Parameters
    ----------
    form
        A game of any number of players, zero-sum or not.
    profiles
        Of that game, all of the same plans: they differ where these never come.

    Returns
    -------
    gains
        For each profile one per player; zeros for a player whose plan leaves out no action. None
        for a game in which nobody can tell what is reached, since it was made by merging sets of a
        sequence form.

    Raises
    ------
    OutOfTimeError
        If the time limit is over.
    """
    if form.tree is None and form.signals is None:
        return [None for _ in profiles]
    reach = reach_of_others(form, profiles[0].plans)
    return [
        tuple(_after(form, profile, reach, player) for player in range(form.num_players))
        for profile in profiles
    ]


@dataclass(frozen=True, eq=False)
class _Mistakes:
    """What one player does by mistake and after it.

    Parameters
    ----------
    first
        float64 (num_sequences,): how likely each mistake is, given that the others let it happen.
    flow
        The same with all that follows: how likely each sequence is after a mistake.
    """

    first: Floats
    flow: Floats


def _after(
    form: SequenceForm, profile: Profile, reach: tuple[Floats, ...], player: int
) -> AfterMistake:
    check_time("looking for what a mistake leads to")
    treeplex, plans = form.treeplexes[player], list(profile.plans)
    behavior = profile.behaviors[player]
    mistakes = _mistakes(treeplex, behavior, plans[player])
    in_set = np.bincount(
        treeplex.infoset_of[1:], mistakes.first[1:], minlength=treeplex.num_infosets
    )
    how_often = float(in_set @ reach[player])
    if how_often == 0.0:
        return AfterMistake(0.0, 0.0)
    gradient = form.gradient(player, plans)
    missed = treeplex.worth(gradient) - _going_on(treeplex, gradient, behavior)
    own = float(mistakes.first @ missed)
    plans[player] = mistakes.flow
    others = sum(
        _missed(form, profile, other, reach[other] == 0.0, plans)
        for other in range(form.num_players)
        if other != player
    )
    return AfterMistake(max(0.0, own / how_often), max(0.0, others / how_often))


def _mistakes(treeplex: Treeplex, behavior: Floats, plan: Floats) -> _Mistakes:
    """Return the mistakes that a player's own plan comes to, and what follows them."""
    never = np.append(False, behavior[1:] == 0.0)
    counts = np.bincount(treeplex.infoset_of[1:], never[1:], minlength=treeplex.num_infosets)
    share = np.append(0.0, np.repeat(1.0 / np.maximum(counts, 1.0), treeplex.num_actions))
    first = np.where(never, plan[treeplex.sequence_parent] * share, 0.0)
    flow = first.copy()
    for _, sequences in treeplex.runs:
        flow[sequences] += flow[treeplex.sequence_parent[sequences]] * behavior[sequences]
    return _Mistakes(first, flow)


def _missed(
    form: SequenceForm, profile: Profile, player: int, free: Mask, plans: list[Floats]
) -> float:
    """Return what a player could gain after mistakes, in the sets where it is free to choose."""
    treeplex, behavior = form.treeplexes[player], profile.behaviors[player]
    gradient = form.gradient(player, plans)
    best = _going_on(treeplex, gradient, behavior, free)
    return float(best[0] - _going_on(treeplex, gradient, behavior)[0])


def _going_on(
    treeplex: Treeplex, gradient: Floats, behavior: Floats, free: Mask | None = None
) -> Floats:
    """Return what each sequence is worth if the behaviour follows, and best play where free."""
    worth = np.array(gradient, dtype=np.float64)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        values = np.add.reduceat(worth[sequences] * behavior[sequences], starts)
        if free is not None:
            best = np.maximum.reduceat(worth[sequences], starts)
            values = np.where(free[infosets], best, values)
        np.add.at(worth, treeplex.parent_sequence[infosets], values)
    return worth
