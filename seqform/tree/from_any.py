"""From any kind of game to its tree."""

from __future__ import annotations

from typing import Any

from seqform.base.errors import InvalidGameError
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.tree.from_rules import expand
from seqform.tree.from_signals import assemble
from seqform.tree.tree import GameTree

AnyGame = GameTree | Game | SignalGame

NEEDED = ("num_players", "root", "player", "actions", "chance", "child", "infoset", "payoffs")
"""What the rules of a game must have."""


def build_tree(game: AnyGame, max_nodes: int | None = None) -> GameTree:
    """Return the tree of a game given as a tree, as a signal game, or by its rules.

    Raises
    ------
    InvalidGameError
        If `game` is none of these, or breaks a requirement of docs/data-model.md.
    GameTooLargeError
        If the tree has more than `max_nodes` nodes.
    """
    limit: dict[str, Any] = {} if max_nodes is None else {"max_nodes": max_nodes}
    if isinstance(game, GameTree):
        return game
    if isinstance(game, SignalGame):
        return assemble(game, **limit)
    if isinstance(game, Game):
        return expand(game, **limit)
    missing = [name for name in NEEDED if getattr(game, name, None) is None]
    raise InvalidGameError(
        f"{type(game).__name__} is not a game: "
        f"it lacks {', '.join(missing)} (see seqform.game.rules.Game)"
    )
