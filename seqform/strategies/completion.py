"""Completion: what a profile does in the information sets that its own plans never come to.

A solver of plans says nothing there. The rule is that a player who got there by a mistake goes on
as well as possible: by a best response to the other plans, as trembling hands play them (Selten,
"Reexamination of the perfectness concept for equilibrium points in extensive games", IJGT 4, 1975).
Each other player errs at each decision with probability `TREMBLE`, and then all actions are equally
likely. So every information set that chance allows is reached, and no completed action is dominated
(docs/explanation/off-path.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex

TREMBLE = 1e-3
"""How likely the others are taken to err at each decision."""

TURNS = 2
"""How often each player answers the others' latest behaviour. It changes in sets that several
players avoid, and so do answers there."""

TIE = 1e-12
"""Actions are equally good if they differ by this share of the larger; the first is taken."""


@dataclass(frozen=True, eq=False)
class Completion:
    """A profile that is complete, and how much of it was added.

    Parameters
    ----------
    profile
        Its plans are those of the profile that was completed, to the last bit.
    completed
        For each player bool (num_infosets,): the sets that the player's own plan never comes to.
    """

    profile: Profile
    completed: tuple[Mask, ...]

    @property
    def num_completed(self) -> tuple[int, ...]:
        """How many sets of each player were completed."""
        return tuple(int(sets.sum()) for sets in self.completed)


def complete(form: SequenceForm, profile: Profile) -> Completion:
    """Return a profile with best responses where its own plans never come.

    Realization plans stay as they are, and so do values, bounds and proofs.

    Parameters
    ----------
    form
        A game of any number of players, zero-sum or not.
    profile
        Of that game.

    Raises
    ------
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import build_sequence_form, build_tree, make
    >>> from seqform.strategies.read_given import given_from
    >>> form = build_sequence_form(build_tree(make("kuhn")))
    >>> bold = given_from(lambda player, infoset, actions: (0, 1), form).completed()
    >>> complete(form, bold).num_completed
    (3, 0)
    """
    completed = tuple(
        unreached(treeplex, plan)
        for treeplex, plan in zip(form.treeplexes, profile.plans, strict=True)
    )
    behaviors = list(profile.behaviors)
    for _ in range(TURNS):
        changes = [
            _answer(form, behaviors, player, sets)
            for player, sets in enumerate(completed)
            if sets.any()
        ]
        if not any(changes):
            break
    return Completion(Profile(tuple(behaviors), profile.plans), completed)


def unreached(treeplex: Treeplex, plan: Floats) -> Mask:
    """Return which information sets a plan never comes to, bool (num_infosets,)."""
    return np.asarray(plan[treeplex.parent_sequence] == 0)


def trembled(treeplex: Treeplex, behavior: Floats, tremble: float = TREMBLE) -> Floats:
    """Return the plan of a player who errs at each decision, and then plays any action."""
    return treeplex.to_plan((1 - tremble) * behavior + tremble * treeplex.uniform())


def first_best(treeplex: Treeplex, gradient: Floats) -> Index:
    """Return the first action that is best in each information set, up to rounding.

    int64 (num_infosets,), as sequences.
    """
    worth = treeplex.worth(gradient)
    best = np.zeros(treeplex.num_infosets, dtype=np.int64)
    if not treeplex.num_infosets:
        return best
    highest = treeplex.over_actions(np.maximum, worth)
    size = treeplex.over_actions(np.maximum, np.abs(worth))
    least = treeplex.to_actions(highest - TIE * size)
    places = np.flatnonzero(worth[1:] >= least) + 1
    owner = treeplex.infoset_of[places]
    best[owner[::-1]] = places[::-1]
    return best


def _answer(form: SequenceForm, behaviors: list[Floats], player: int, sets: Mask) -> bool:
    """Let a player answer the others in some sets; return whether that changes anything."""
    check_time("completing a profile")
    treeplex, before = form.treeplexes[player], behaviors[player]
    best = first_best(treeplex, form.gradient(player, _trembled_plans(form, behaviors, player)))
    after = before.copy()
    after[1:][treeplex.to_actions(sets)] = 0.0
    after[best[sets]] = 1.0
    behaviors[player] = after
    return not np.array_equal(before, after)


def _trembled_plans(form: SequenceForm, behaviors: Sequence[Floats], player: int) -> list[Floats]:
    """Return the plans of all as they tremble; the player's own, which nobody looks at, as is."""
    return [
        behavior if number == player else trembled(treeplex, behavior)
        for number, (treeplex, behavior) in enumerate(zip(form.treeplexes, behaviors, strict=True))
    ]
