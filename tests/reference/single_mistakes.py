"""After one mistake of the opponent, is a behaviour still a best response? Played on the tree.

Of each information set that only one mistake leads to, and nothing leads to without it, the
beliefs are those that the mistake leaves: the opponent played by its behaviour everywhere else.
Then what best play gets from there, and what a behaviour gets, are added up over the tree, in
fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree

Behaviors = list[dict[tuple[int, int], Fraction]]
"""For each player the probability of (information set of the tree, position of the action)."""


def behaviors_of(form: SequenceForm, listed: tuple[object, object]) -> Behaviors:
    """Return behaviours by the tree's own information sets, from those by sequences."""
    tree = form.tree
    own = [[h for h in range(tree.num_infosets) if tree.infoset_player[h] == p] for p in (0, 1)]
    found: Behaviors = [{}, {}]
    for player, treeplex in enumerate(form.treeplexes):
        by_label = {tree.infoset_labels[h]: h for h in own[player]}
        for h in range(treeplex.num_infosets):
            first = treeplex.first_sequence[h]
            for position in range(treeplex.num_actions[h]):
                infoset = by_label[form.infoset_label(player, h)]
                found[player][infoset, position] = listed[player][first + position]  # type: ignore[index]
    return found


def losses(tree: GameTree, behaviors: Behaviors, player: int) -> dict[int, Fraction]:
    """Return what a player's behaviour loses from each information set that is judged."""
    other = behaviors[1 - player]
    mistakes = [None, *(key for key, share in other.items() if not share)]
    seen = {mistake: _weights(tree, other, player, mistake) for mistake in mistakes}
    own = np.flatnonzero(tree.player == player).tolist()
    reached = {
        mistake: {int(tree.infoset[n]) for n in own if weights[n]}
        for mistake, weights in seen.items()
    }
    judged: dict[int, Fraction] = {}
    for infoset in {h for found in reached.values() for h in found}:
        if infoset in reached[None]:
            judged[infoset] = _loss(tree, behaviors[player], player, infoset, seen[None])
            continue
        leading = [mistake for mistake in mistakes if infoset in reached[mistake]]
        if len(leading) == 1 and infoset not in _without(tree, player, leading[0]):
            judged[infoset] = _loss(tree, behaviors[player], player, infoset, seen[leading[0]])
    return judged


def _without(tree: GameTree, player: int, mistake: tuple[int, int]) -> set[int]:
    """Return the information sets that can be reached without a mistake, by others or none."""
    reached = {0}
    for node in range(tree.num_nodes):
        for position, child in enumerate(_children(tree, node)):
            erred = tree.player[node] == 1 - player and mistake == (tree.infoset[node], position)
            chance = tree.probability[child]
            if node in reached and not erred and (chance < 0 or tree.probabilities[chance] > 0):
                reached.add(child)
    return {int(tree.infoset[node]) for node in reached if tree.player[node] == player}


def _children(tree: GameTree, node: int) -> range:
    return range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])


def _weights(
    tree: GameTree,
    behavior: dict[tuple[int, int], Fraction],
    player: int,
    mistake: tuple[int, int] | None,
) -> dict[int, Fraction]:
    """Return with what chance and opponent come to each node."""
    weights = {0: Fraction(1)}
    for node in range(tree.num_nodes):
        for position, child in enumerate(_children(tree, node)):
            mover, share = tree.player[node], Fraction(1)
            if mover == CHANCE:
                share = Fraction(tree.probabilities[tree.probability[child]])
            elif mover != player:
                key = int(tree.infoset[node]), position
                share = behavior[key]
                if mistake is not None and key[0] == mistake[0]:
                    share = Fraction(key == mistake)
            weights[child] = weights[node] * share
    return weights


def _loss(
    tree: GameTree,
    behavior: dict[tuple[int, int], Fraction],
    player: int,
    infoset: int,
    weights: dict[int, Fraction],
) -> Fraction:
    """Return what best play from an information set gets more than a behaviour."""

    def leaves(node: int) -> Iterator[tuple[Fraction | None, int]]:
        """Yield what is paid, and the player's next nodes, below a node."""
        if tree.payoff[node] >= 0:
            yield weights[node] * Fraction(tree.payoffs[tree.payoff[node]][player]), -1
        if tree.player[node] == player:
            yield None, node
        elif tree.player[node] != TERMINAL:
            for child in _children(tree, node):
                yield from leaves(child)

    def worth(infoset: int, nodes: list[int], best: bool) -> Fraction:
        totals = []
        for position in range(int(tree.infoset_num_actions[infoset])):
            total, after = Fraction(0), defaultdict(list)
            for node in nodes:
                for paid, following in leaves(int(tree.first_child[node]) + position):
                    if paid is None:
                        after[int(tree.infoset[following])].append(following)
                    else:
                        total += paid
            total += sum(worth(h, below, best) for h, below in after.items())
            totals.append(total)
        if best:
            return max(totals)
        return sum(
            (behavior[infoset, position] * total for position, total in enumerate(totals)),
            Fraction(0),
        )

    nodes = [n for n in range(tree.num_nodes) if tree.infoset[n] == infoset]
    return worth(infoset, nodes, True) - worth(infoset, nodes, False)
