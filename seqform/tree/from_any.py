"""From any kind of game to its tree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from seqform.base.errors import InvalidGameError
from seqform.game.catalogue import GAMES, GameEntry
from seqform.game.kinds import is_form, is_other_form
from seqform.game.recursive import is_of_stages, is_recursive, is_stage_graph
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.tree.from_rules import expand
from seqform.tree.from_signals import assemble
from seqform.tree.tree import GameTree

AnyGame = GameTree | Game | SignalGame

NEEDED = ("num_players", "root", "player", "actions", "chance", "child", "infoset", "payoffs")
"""What the rules of a game must have."""

OF_SIGNALS = (
    *("num_players", "deck", "root", "player", "recipient", "actions", "child"),
    *("outcome", "stake", "payoffs"),
)
"""What a signal game must have."""


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
    raise no_game(game)


def tree_in(game: object) -> GameTree | None:
    """Return the tree that a game is, or that its form or its rules were made of, if there is one.

    Nothing is built.
    """
    known = game if isinstance(game, GameTree) else getattr(game, "tree", None)
    return known if isinstance(known, GameTree) else None


def no_game(game: object) -> InvalidGameError:
    """Return the error that says which members something lacks to be a game.

    Those of a signal game, if it has more of what only signal games have. Forms lack nothing: they
    are not held as nodes.
    """
    if is_form(game) or is_other_form(game):
        return InvalidGameError(
            f"{type(game).__name__} is a sequence form and has no tree, which this needs: give the "
            "rules or the tree that it was made of"
        )
    if instead := _instead_of(game):
        return InvalidGameError(f"{type(game).__name__} is not a game: {instead}")

    def lacking(names: Iterable[str]) -> list[str]:
        return [name for name in names if getattr(game, name, None) is None]

    rules, signals = ({*NEEDED} - {*OF_SIGNALS}), ({*OF_SIGNALS} - {*NEEDED})
    has_signals = len(lacking(signals)) / len(signals) < len(lacking(rules)) / len(rules)
    what, home = "game", "seqform.game.rules.Game"
    if has_signals:
        what, home = "signal game", "seqform.game.signals.SignalGame"
    missing = ", ".join(lacking(OF_SIGNALS if has_signals else NEEDED))
    words = f"{type(game).__name__} is not a {what}: it lacks {missing} (see {home})"
    return InvalidGameError(words)


def _instead_of(game: object) -> str:
    """Return what somebody has to do who gave what is only on the way to a game, if anything."""
    if isinstance(game, (str, PurePath)):
        text = str(game)
        known = text.replace("_", "-") in GAMES
        if known or not ("." in text or "/" in text or Path(text).exists()):
            return f"of a name give what seqform.make({text!r}) returns"
        return f"of a path give what seqform.load({text!r}) returns"
    if is_recursive(game):
        return (
            "it is a recursive game, whose stages are games. solve takes it whole, and "
            "sample_stages and play_stages play it; a solution has stage(key), a stage as a game "
            "of its own, and on the command line that is GAME@KEY"
        )
    if is_stage_graph(game):
        return (
            "it is the graph of a recursive game's stages. solve_recursive and search_recursive "
            "take it, and solve takes its `game`; a solution has stage(key), a stage as a game of "
            "its own"
        )
    if is_of_stages(game):
        return (
            "it is the solution of a recursive game, `graph.game`. Its stage(key) is the solution "
            "of one stage, whose game is `stage(key).game`"
        )
    if isinstance(game, GameEntry):
        return "of an entry of the catalogue give what its make() returns"
    if hasattr(game, "certificate") and hasattr(game, "source"):
        return "it is solved already, and its game is its `source`"
    return ""
