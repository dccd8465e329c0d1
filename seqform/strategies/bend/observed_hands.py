"""Decisions in hands that were played: from a table of hands to how often each action was seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Index
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError, UnsupportedGameError
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import TERMINAL
from seqform.strategies.play.sample import texts_of_hand
from seqform.tree.tree import GameTree


class Step(NamedTuple):
    """A decision on the way to an end."""

    player: int
    sequence: int


def count_hands(hands: Iterable[tuple[str, list[str]]], form: SequenceForm) -> tuple[Index, ...]:
    """Return how often the players in other seats took each action.

    Parameters
    ----------
    hands
        Where each was said; and the seat of the strategy that was judged, what chance did, and what
        the players did, as `seqform.strategies.play.sample` writes them.
    form
        A game that has a tree.

    Returns
    -------
    counts
        For each player int64 (num_sequences,).

    Raises
    ------
    InvalidStrategyError
        If a hand cannot be one of the game, or may be two.
    UnsupportedGameError
        If the game has no tree.
    """
    tree = form.tree
    if tree is None:
        raise UnsupportedGameError(
            "hands are looked up in a game's tree, and this one has none: give decisions "
            "(player, infoset, action, count)"
        )
    ends, played = _ends(tree), Counter[tuple[int, int]]()
    for where, (seat, deal, actions) in hands:
        check_time("reading hands")
        if seat.strip() not in map(str, range(form.num_players)):
            raise InvalidStrategyError(f"{where}there is no seat {seat!r}")
        found = ends.get((deal, actions), [])
        if len(found) != 1:
            wrong = "is no hand of" if not found else "may be two hands of"
            raise InvalidStrategyError(f"{where}{actions!r} after {deal!r} {wrong} this game")
        played[found[0], int(seat)] += 1
    counts = tuple(np.zeros(t.num_sequences, dtype=np.int64) for t in form.treeplexes)
    local = _local_infosets(form, tree)
    for (end, judged), times in played.items():
        for step in _steps(form, tree, local, end):
            if step.player != judged:
                counts[step.player][step.sequence] += times
    return counts


def _ends(tree: GameTree) -> dict[tuple[str, str], list[int]]:
    """Return the ends of the game by what is written of them."""
    found: dict[tuple[str, str], list[int]] = {}
    for end in np.flatnonzero(tree.player == TERMINAL).tolist():
        check_time("looking up hands")
        found.setdefault(texts_of_hand(tree, end), []).append(end)
    return found


def _local_infosets(form: SequenceForm, tree: GameTree) -> Index:
    """Return each information set's number among those of its player, by that in the tree."""
    local: Index = np.zeros(len(tree.infoset_player), dtype=np.int64)
    for numbers in form.tree_infosets:
        local[numbers] = np.arange(len(numbers))
    return local


def _steps(form: SequenceForm, tree: GameTree, local: Index, end: int) -> list[Step]:
    """Return the decisions on the way to an end."""
    steps, node = [], end
    while node > 0:
        above = int(tree.parent[node])
        player = int(tree.player[above])
        if player >= 0:
            first = form.treeplexes[player].first_sequence
            place = node - int(tree.first_child[above])
            steps.append(Step(player, int(first[local[int(tree.infoset[above])]]) + place))
        node = above
    return steps
