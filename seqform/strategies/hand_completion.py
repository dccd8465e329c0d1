"""Completion in games of hands of any size, locked or not: by public nodes, boards and hands.

The rule is that of `seqform.strategies.completion`. What is locked stays as it is, and nobody errs
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Mask
from seqform.base.deadline import check_time
from seqform.form.hand_paid import ROWS
from seqform.form.hand_passage import HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.locked_hand_passage import LockedHandPassage
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.completion import TREMBLE, TURNS
from seqform.strategies.evaluate.hand_response import hand_response

Tables = Mapping[int, NDArray[Any]]


def complete_by_hands(form: SequenceForm, profile: Profile) -> tuple[Profile, tuple[int, int]]:
    """Return a profile with best responses where its own plans never come, and in how many sets.

    Parameters
    ----------
    form
        A game of hands as it is, or locked by boards.
    profile
        Kept by boards and hands.

    Raises
    ------
    OutOfTimeError
        If the time limit is over.
    """
    passage = cast(HandPassage, form.through(profile))
    sets = _unreached(passage)
    counts = _counted(passage, sets[0]), _counted(passage, sets[1])
    kept = passage.strategy
    for _ in range(TURNS):
        before = kept
        for player, own in enumerate(sets):
            if own:
                kept = _answered(form, kept, player, own)
        if kept is before:
            break
    return (profile if kept is passage.strategy else kept.in_form(form)), counts


def _unreached(passage: HandPassage) -> tuple[dict[int, Mask], dict[int, Mask]]:
    """Return for each player the sets that its own plan never comes to, by public node.

    bool (num_orbits, num_hands); nodes at which there are none are left out. In locked games only
    sets in which something is left to decide count.
    """
    found: tuple[dict[int, Mask], dict[int, Mask]] = ({}, {})
    tables = passage.strategy.behaviors
    lock = passage.lock if isinstance(passage, LockedHandPassage) else None
    for block in passage.blocks():
        for player in (0, 1):
            plan, alive = passage.played(player, block).plan[ROWS], block.alive[player]
            for group in block.streets[player].groups:
                for node, above in zip(group.nodes, group.above.tolist(), strict=True):
                    never = plan[above] == 0
                    if lock is not None and node in lock.nodes[player]:
                        never &= lock.nodes[player][node].num_free[block.orbit][alive] > 0
                    if never.any():
                        orbits, _, hands = tables[player][node].shape
                        empty = np.zeros((orbits, hands), dtype=bool)
                        found[player].setdefault(node, empty)[block.orbit, alive] = never
    return found


def _counted(passage: HandPassage, sets: Mapping[int, Mask]) -> int:
    """Return how many information sets these are, on all boards."""
    structure = passage.strategy.structure
    dealt = structure.game.betting.dealt
    return sum(structure.orbits[dealt[node]].counted(of) for node, of in sets.items())


def _answered(
    form: SequenceForm, kept: HandStrategy, player: int, sets: Mapping[int, Mask]
) -> HandStrategy:
    """Return strategies in which a player answers the other's in some sets, as it trembles.

    They are the same object where nothing changes. Nothing is written elsewhere: what is locked is
    done whatever they say of it, and to round it would change plans.
    """
    check_time("completing a profile")
    others = list(kept.behaviors)
    others[1 - player] = {node: _trembled(of) for node, of in kept.behaviors[1 - player].items()}
    against = HandStrategy(kept.structure, others).in_form(form)
    best = hand_response(form, against, player).behaviors[player]
    tables = dict(kept.behaviors[player])
    for node, never in sets.items():
        wanted = best[node].astype(tables[node].dtype)
        tables[node] = np.where(never[:, None], wanted, tables[node])
    changed = [kept.behaviors[0], kept.behaviors[1]]
    changed[player] = tables
    found = HandStrategy(kept.structure, changed, in_place=True)
    is_same = all(
        np.array_equal(found.behaviors[player][node], kept.behaviors[player][node]) for node in sets
    )
    return kept if is_same else found


def _trembled(table: NDArray[Any]) -> NDArray[Any]:
    """Return what is done by hands that err at each decision, and then play any action."""
    shares = (1 - TREMBLE) * table + TREMBLE / table.shape[1]
    found: NDArray[Any] = shares.astype(table.dtype)
    return found
