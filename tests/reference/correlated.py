"""Correlated equilibria by their definitions: distributions over pairs of pure strategies.

Every pair has a variable, and every deviation of every pure strategy a constraint. What pairs pay
is found by playing them on the tree. Only tiny games can be solved so.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linprog

from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE

Strategy = dict[int, int]
"""What is done at each information set of the tree that own moves can reach."""


def pure_strategies(form: SequenceForm, player: int) -> list[Strategy]:
    return list(_below(form, player, 0))


def _below(form: SequenceForm, player: int, sequence: int) -> Any:
    """Yield reduced strategies for all that follows an own sequence."""
    treeplex = form.treeplexes[player]
    followers = [h for h in range(treeplex.num_infosets) if treeplex.parent_sequence[h] == sequence]
    yield from _joined(form, player, followers)


def continuations(form: SequenceForm, player: int, infoset: int) -> list[Strategy]:
    """Return the reduced strategies from an information set (the form's number) on."""
    return list(_joined(form, player, [infoset]))


def _joined(form: SequenceForm, player: int, infosets: list[int]) -> Any:
    treeplex, names = form.treeplexes[player], form.tree_infosets[player]

    def at(infoset: int) -> Any:
        for action in range(int(treeplex.num_actions[infoset])):
            sequence = int(treeplex.first_sequence[infoset]) + action
            for rest in _below(form, player, sequence):
                yield {int(names[infoset]): action, **rest}

    for parts in product(*(list(at(infoset)) for infoset in infosets)):
        yield {h: a for part in parts for h, a in part.items()}


def played(form: SequenceForm, strategies: tuple[Strategy, Strategy]) -> np.ndarray:
    """Return what both players are paid; object (2,), fractions."""
    tree = form.tree
    assert tree is not None
    total, stack = np.array([Fraction(0), Fraction(0)], dtype=object), [(0, Fraction(1))]
    while stack:
        node, weight = stack.pop()
        if tree.payoff[node] >= 0:
            paid = tree.payoffs[int(tree.payoff[node])]
            total += [weight * Fraction(amount) for amount in paid]
        children, mover = tree.children(node), int(tree.player[node])
        if mover >= 0:
            move = strategies[mover][int(tree.infoset[node])]
            stack.append((children[move], weight))
        elif mover == CHANCE:
            for child in children:
                chance = Fraction(tree.probabilities[int(tree.probability[child])])
                stack.append((child, weight * chance))
    return total


def obeys(form: SequenceForm, player: int, strategy: Strategy, sequence: int) -> bool:
    """Return whether a strategy makes all moves of a sequence."""
    treeplex, names = form.treeplexes[player], form.tree_infosets[player]
    while sequence > 0:
        infoset = int(treeplex.infoset_of[sequence])
        move = sequence - int(treeplex.first_sequence[infoset])
        if strategy.get(int(names[infoset])) != move:
            return False
        sequence = int(treeplex.sequence_parent[sequence])
    return True


def deviations(form: SequenceForm, player: int, kind: str) -> list[tuple[int, Strategy]]:
    """Return who may deviate, as the sequence they have to play up to, and to what."""
    treeplex = form.treeplexes[player]
    if kind == "nfcce":
        return [(0, strategy) for strategy in pure_strategies(form, player)]
    found = []
    for infoset in range(treeplex.num_infosets):
        reached = [int(treeplex.parent_sequence[infoset])]
        if kind == "efce":
            first = int(treeplex.first_sequence[infoset])
            reached = list(range(first, first + int(treeplex.num_actions[infoset])))
        others = continuations(form, player, infoset)
        found += [(sequence, other) for sequence in reached for other in others]
    return found


def best_correlated(form: SequenceForm, kind: str, weights: tuple[float, float]) -> float:
    """Return the most of the weighted payoffs over correlated equilibria of a kind."""
    strategies = [pure_strategies(form, player) for player in (0, 1)]
    pairs = list(product(*strategies))
    paid = {(i, j): played(form, (a, b)) for (i, a), (j, b) in product(*map(enumerate, strategies))}
    worth = np.array(list(paid.values()), dtype=float)
    rows = []
    for player in (0, 1):
        for sequence, other in deviations(form, player, kind):
            row = np.zeros(len(pairs))
            for place, pair in enumerate(pairs):
                if obeys(form, player, pair[player], sequence):
                    changed = [*pair]
                    changed[player] = {**pair[player], **other}
                    now = played(form, (changed[0], changed[1]))[player]
                    row[place] = float(now) - worth[place, player]
            rows.append(row)
    found = linprog(
        -worth @ np.array(weights),
        A_ub=np.array(rows) if rows else None,
        b_ub=np.zeros(len(rows)) if rows else None,
        A_eq=np.ones((1, len(pairs))),
        b_eq=[1.0],
    )
    assert found.status == 0, found.message
    return -float(found.fun)
