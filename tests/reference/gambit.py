"""Gambit as a judge: its games, and what they hold.

For pygambit 17. Its nodes are named by selectors: `H.path("bet", ...)` is every node two below the
root whose first branch is "bet".
"""

from __future__ import annotations

import io
from fractions import Fraction
from typing import Any

import pygambit
from pygambit import H

from seqform.exact.plan_proof import ExactEquilibrium
from seqform.form.sequence_form import SequenceForm
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.tree import GameTree


def read(text: str) -> Any:
    """Return Gambit's game of the text of an .efg file."""
    return pygambit.read_efg(io.StringIO(text))


def num_nodes(game: Any) -> int:
    """Count the nodes of a game, a level at a time."""
    total, steps = 0, []
    while level := len(game.get_histories(H.path(*steps))):
        total += level
        steps.append(...)
    return total


def num_infosets(game: Any) -> list[int]:
    """Count each player's information sets."""
    return [len(game.get_infosets(player)) for player in game.players]


def game_of(tree: GameTree) -> Any:
    """Write a tree down in Gambit node by node; actions are named 0, 1, ..."""
    game = pygambit.ExtensiveGame(players=[str(p) for p in range(tree.num_players)])
    paths: dict[int, tuple[str, ...]] = {0: ()}
    infosets: dict[int, Any] = {}
    for node in range(tree.num_nodes):
        here = H.path(*paths[node])
        branches = {str(i): child for i, child in enumerate(tree.children(node))}
        if tree.player[node] == TERMINAL:
            payoffs = zip(game.players, tree.payoffs[tree.payoff[node]], strict=True)
            game.make_outcome(here, dict(payoffs), f"leaf {node}")
        elif tree.player[node] == CHANCE:
            chances = {b: tree.probabilities[tree.probability[c]] for b, c in branches.items()}
            game.append_event(here, chances)
        elif (h := int(tree.infoset[node])) in infosets:
            game.append_infoset(here, infosets[h])
        else:
            game.append_move(here, str(tree.player[node]), list(branches))
            infosets[h] = here
        paths.update({child: (*paths[node], b) for b, child in branches.items()})
    return game


def largest_regret(tree: GameTree, form: SequenceForm, behaviors: list[list[Fraction]]) -> Fraction:
    """Return the most that a player gains by deviating, as Gambit finds in its own fractions.

    `behaviors` are by the form's sequences.
    """
    game = game_of(tree)
    infosets = {
        int(infoset): (player, h)
        for player in range(form.num_players)
        for h, infoset in enumerate(form.tree_infosets[player])
    }
    data = []
    for player in game.players:
        rows = []
        for history in game.get_infosets(player):
            node = 0
            for step in history:
                node = int(tree.children(node)[int(step.action)])
            owner, h = infosets[int(tree.infoset[node])]
            first, last = form.treeplexes[owner].first_sequence[h : h + 2]
            rows.append(behaviors[owner][first:last])
        data.append(rows)
    return Fraction(game.mixed_behavior_profile(data, rational=True).max_regret())


def exact_behaviors(form: SequenceForm, exact: ExactEquilibrium) -> list[list[Fraction]]:
    """Return behaviour strategies in fractions, the first action where nobody comes."""
    behaviors = []
    for treeplex, plan in zip(form.treeplexes, exact.plans, strict=True):
        behavior = [Fraction(1)] * treeplex.num_sequences
        for h in range(treeplex.num_infosets):
            first, last = treeplex.first_sequence[h : h + 2]
            reach = int(plan[treeplex.parent_sequence[h]])
            for i in range(first, last):
                behavior[i] = Fraction(int(plan[i]), reach) if reach else Fraction(int(i == first))
        behaviors.append(behavior)
    return behaviors
