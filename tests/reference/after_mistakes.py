"""What a mistake leads to, leaf by leaf, with every pure way to go on tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from seqform import TreeBuilder, build_sequence_form
from seqform.form.from_tree import sequences_at_nodes
from seqform.form.sequence_form import SequenceForm

Behaviors = list[dict[int, list[float]]]
"""For each player, the probabilities of the actions of each of the tree's information sets."""


class Play:
    """A profile on a tree, walked from node to node."""

    def __init__(self, form: SequenceForm, profile: Any) -> None:
        self.tree = form.tree
        self.plans, self.at = profile.plans, sequences_at_nodes(form)
        self.behaviors: Behaviors = []
        for player, treeplex in enumerate(form.treeplexes):
            first, mine = treeplex.first_sequence.tolist(), {}
            for number, infoset in enumerate(form.tree_infosets[player].tolist()):
                mine[infoset] = profile.behaviors[player][
                    first[number] : first[number + 1]
                ].tolist()
            self.behaviors.append(mine)

    def children(self, node: int) -> range:
        start = int(self.tree.first_child[node])
        return range(start, start + int(self.tree.num_children[node]))

    def chance(self, node: int) -> float:
        """Return chance's part in the reach of a node."""
        found = 1.0
        while node > 0:
            if self.tree.probability[node] >= 0:
                found *= float(self.tree.probabilities[self.tree.probability[node]])
            node = int(self.tree.parent[node])
        return found

    def reach(self, node: int, without: int) -> float:
        """Return the reach of a node without one player's part."""
        others = (p for p in range(self.tree.num_players) if p != without)
        return self.chance(node) * prod(float(self.plans[p][self.at[p, node]]) for p in others)

    def nodes(self, infoset: int) -> list[int]:
        return [n for n in range(self.tree.num_nodes) if self.tree.infoset[n] == infoset]

    def below(self, node: int) -> Iterator[int]:
        yield node
        for child in self.children(node):
            yield from self.below(child)

    def worth(self, node: int, player: int, changed: dict[int, int]) -> float:
        """Return what is paid from a node on, if some information sets play a pure action."""
        tree, paid = self.tree, 0.0
        if tree.payoff[node] >= 0:
            paid = float(tree.payoffs[tree.payoff[node]][player])
        for place, child in enumerate(self.children(node)):
            if tree.player[node] < 0:
                share = float(tree.probabilities[tree.probability[child]])
            elif int(tree.infoset[node]) in changed:
                share = float(changed[int(tree.infoset[node])] == place)
            else:
                share = self.behaviors[tree.player[node]][int(tree.infoset[node])][place]
            if share:
                paid += share * self.worth(child, player, changed)
        return paid


def after_mistakes(form: SequenceForm, profile: Any) -> list[tuple[float, float]]:
    """Return the own gain and the others', for a mistake of each player."""
    play = Play(form, profile)
    return [_after(play, player) for player in range(form.num_players)]


def _after(play: Play, player: int) -> tuple[float, float]:
    mistakes, own, often = list(_mistakes(play, player)), 0.0, 0.0
    for starts in mistakes:
        often += sum(weight for _, weight in starts)
        below = {
            int(play.tree.infoset[node])
            for child, _ in starts
            for node in play.below(child)
            if play.tree.player[node] == player
        }
        own += _gain(play, player, starts, below)
    others, every = 0.0, [start for starts in mistakes for start in starts]
    for other, behaviors in enumerate(play.behaviors):
        if other != player:
            free = {
                infoset
                for infoset in behaviors
                if all(play.reach(node, other) == 0 for node in play.nodes(infoset))
            }
            others += _gain(play, other, every, free)
    return (own / often, others / often) if often else (0.0, 0.0)


def _mistakes(play: Play, player: int) -> Iterator[list[tuple[int, float]]]:
    """Yield where each mistake leads, and how likely."""
    for infoset, behavior in play.behaviors[player].items():
        never = [place for place, probability in enumerate(behavior) if probability == 0]
        nodes = play.nodes(infoset)
        own = float(play.plans[player][play.at[player, nodes[0]]])
        for place in never:
            if own > 0:
                yield [
                    (play.children(node)[place], own / len(never) * play.reach(node, player))
                    for node in nodes
                ]


def _gain(play: Play, player: int, starts: list[tuple[int, float]], free: set[int]) -> float:
    """Return the most that a player gains by pure actions in some information sets."""
    sets = sorted(free & {int(play.tree.infoset[n]) for c, _ in starts for n in play.below(c)})
    sizes = [len(play.behaviors[player][infoset]) for infoset in sets]
    now = sum(w * play.worth(c, player, {}) for c, w in starts)
    ways = (dict(zip(sets, choice, strict=True)) for choice in product(*map(range, sizes)))
    return max(sum(w * play.worth(c, player, way) for c, w in starts) for way in ways) - now


def who_does_it() -> Any:
    """Return a game in which player 0 does a task, or lets player 1: both gain if it is right."""
    b = TreeBuilder(2)
    mine, theirs = b.decision(b.root, 0, "who", ["I", "you"])
    for player, node in enumerate((mine, theirs)):
        right, wrong = b.decision(node, player, "how", ["right", "wrong"])
        b.terminal(right, (1, 1))
        b.terminal(wrong, (0, 0))
    return build_sequence_form(b.freeze())
