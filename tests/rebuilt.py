"""Games made anew: with other payoffs, or entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from games.kuhn import kuhn
from games.limit_poker import LimitPoker
from seqform import TreeBuilder
from seqform.form.sequence_form import SequenceForm
from seqform.game.deals import Deck
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree


def rebuild(
    tree: GameTree,
    payoffs: Callable[[int, Sequence[Any]], Sequence[Any]] = lambda _, row: row,
    player: Callable[[int], int] = lambda p: p,
    order: Callable[[int, int], list[int]] = lambda _, n: list(range(n)),
    interior: bool = True,
) -> GameTree:
    """Write the tree down again with payoffs, players or the order of actions changed.

    With `interior` false, what inner nodes pay is pushed down to the leaves.
    """
    b = TreeBuilder(tree.num_players)
    stack: list[tuple[int, int, Sequence[Any]]] = [(0, b.root, [0] * tree.num_players)]
    while stack:
        old, new, carried = stack.pop()
        row = (
            list(tree.payoffs[tree.payoff[old]])
            if tree.payoff[old] >= 0
            else [0] * tree.num_players
        )
        if not interior:
            row = [a + c for a, c in zip(row, carried, strict=True)]
        mover, children = int(tree.player[old]), tree.children(old)
        if mover == TERMINAL:
            b.terminal(new, payoffs(old, row))
            continue
        if interior and tree.payoff[old] >= 0:
            b.reward(new, payoffs(old, row))
        infoset = int(tree.infoset[old])
        turns = order(infoset, len(children)) if mover >= 0 else list(range(len(children)))
        labels = [tree.labels[tree.label[children[i]]] for i in turns]
        if mover == CHANCE:
            probabilities = [tree.probabilities[tree.probability[children[i]]] for i in turns]
            made = b.chance(new, list(zip(labels, probabilities, strict=True)))
        else:
            made = b.decision(new, player(mover), infoset, labels)
        stack += [(children[i], node, row) for i, node in zip(turns, made, strict=True)]
    return b.freeze()


Entries = dict[tuple[int, ...], list[Fraction]]


def entries(game: SequenceForm) -> Entries:
    """Add up chance weight times payoff over the paying nodes at which the same sequences meet, as
    docs/data-model.md says."""
    tree = game.tree
    where = [{h: i for i, h in enumerate(infosets.tolist())} for infosets in game.tree_infosets]
    found: Entries = {}
    for leaf in range(tree.num_nodes):
        if tree.payoff[leaf] < 0:
            continue
        weight, sequences, node = Fraction(1), [0] * game.num_players, leaf
        while node > 0:
            parent = int(tree.parent[node])
            mover = int(tree.player[parent])
            if mover == CHANCE:
                weight *= Fraction(tree.probabilities[tree.probability[node]])
            elif sequences[mover] == 0:  # going up, the first own action met is the last one made
                h = where[mover][int(tree.infoset[parent])]
                sequences[mover] = (
                    int(game.treeplexes[mover].first_sequence[h])
                    + node
                    - int(tree.first_child[parent])
                )
            node = parent
        row = found.setdefault(tuple(sequences), [Fraction(0)] * game.num_players)
        for player, payoff in enumerate(tree.payoffs[tree.payoff[leaf]]):
            row[player] += weight * Fraction(payoff)
    return found


KUHN: Any = kuhn()


class Staked(LimitPoker):
    """Kuhn poker for other stakes."""

    factor: Any = 1

    def stake(self, state: Any) -> Any:
        return super().stake(state) * self.factor

    def payoffs(self, outcome: str, signals: Any) -> Any:
        return super().payoffs(outcome, signals).astype(np.int64) * self.unit_payoff

    unit_payoff: int = 1


def staked(factor: Any, unit_payoff: int = 1, deck: Deck = KUHN.deck) -> Any:
    others = {name: getattr(KUHN, name) for name in ("strength", "ante", "bets", "max_bets")}
    game: Any = Staked(deck, **others)
    object.__setattr__(game, "factor", factor)
    object.__setattr__(game, "unit_payoff", unit_payoff)
    return game
