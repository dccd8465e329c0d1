"""The game's own drawings of the states of a tree, where its rules make any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from seqform.base.errors import SeqformError
from seqform.game.catalogue import GAMES
from seqform.game.checks import checked_actions, outcomes_of
from seqform.game.rules import CHANCE
from seqform.report.reported import Reported
from seqform.tree.tree import GameTree


def rules_that_draw(of: Reported) -> Any | None:
    """Return the rules that a result's game has and draws its states by; None if there are none.

    Rules of a saved result are those of the catalogue: no code of others is run.
    """
    for game in (of.solution.source, of.solution.game):
        if hasattr(game, "draw"):
            return game
    name = of.claims.get("game")
    if not isinstance(name, str) or name not in GAMES:
        return None
    try:
        found = GAMES.get(name).make(**(of.claims.get("params") or {}))
    except (SeqformError, TypeError):  # of another version
        return None
    return found if hasattr(found, "draw") else None


def boards(rules: Any, tree: GameTree, nodes: Sequence[int]) -> list[str] | None:
    """Return the drawing of each node's state; None where the rules do not make this tree.

    Parameters
    ----------
    rules
        Of the `Game` protocol, with a method `draw(state)`.
    tree
        Of the same game.
    nodes
        Some of its nodes, each after its parent.
    """
    states: dict[int, Any] = {}
    try:
        for node in nodes:
            parent = int(tree.parent[node])
            if parent < 0:
                states[node] = rules.root()
                continue
            move = tree.labels[int(tree.label[node])]
            if move not in _moves(rules, states[parent], int(tree.player[parent])):
                return None
            states[node] = rules.child(states[parent], move)
        return [str(rules.draw(states[node])) for node in nodes]
    except SeqformError:
        return None


def _moves(rules: Any, state: Any, player: int) -> Sequence[Any]:
    if rules.player(state) != player:
        return ()
    if player == CHANCE:
        return outcomes_of(rules.chance(state))[0]
    return checked_actions(rules.actions(state))
