"""From any kind of game to its tree."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from seqform.base.errors import InvalidGameError, InvalidParameterError, UnknownNameError
from seqform.form.from_signals import count_nodes
from seqform.game.observations import SignalStructure
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.tree.from_rules import expand
from seqform.tree.from_signals import MAX_NODES, assemble
from seqform.tree.tree import GameTree

AnyGame = GameTree | Game | SignalGame


def build_tree(game: AnyGame, max_nodes: int | None = None) -> GameTree:
    """Return the tree of a game given as a tree, as a signal game, or by its rules.

    Raises
    ------
    InvalidGameError
        If `game` is none of these, or breaks a requirement of docs/data-model.md.
    GameTooLargeError
        If the tree has more than `max_nodes` nodes.
    """
    limit = {} if max_nodes is None else {"max_nodes": max_nodes}
    if isinstance(game, GameTree):
        return game
    if isinstance(game, SignalGame):
        return assemble(game, **limit)
    if isinstance(game, Game):
        return expand(game, **limit)
    missing = [
        name
        for name in (
            "num_players",
            "root",
            "player",
            "actions",
            "chance",
            "child",
            "infoset",
            "payoffs",
        )
        if getattr(game, name, None) is None
    ]
    raise InvalidGameError(
        f"{type(game).__name__} is not a game: it lacks {', '.join(missing)} (see "
        f"seqform.game.rules.Game)"
    )


def is_too_large(game: AnyGame, max_nodes: int | None = None) -> bool:
    """Tell whether a game has a tree of more than `max_nodes` nodes but, being a two-player signal game, can do without."""
    if not isinstance(game, SignalGame) or game.num_players != 2:
        return False
    return count_nodes(SignalStructure(game)) > (MAX_NODES if max_nodes is None else max_nodes)


def load_attribute(name: str, parameters: dict[str, Any]) -> AnyGame:
    """Return a user's game named ``module:attribute``: a game, or a class or function that makes one.

    The module is looked for in the current folder first.

    Raises
    ------
    UnknownNameError
        If there is no such module or attribute.
    InvalidParameterError
        If the attribute cannot be called with `parameters`.
    """
    module_name, _, attribute = name.partition(":")
    if not all(part.isidentifier() for part in module_name.split(".")) or module_name.endswith(
        ".py"
    ):
        raise UnknownNameError(
            f"{name}: {module_name!r} is no module; write its name without folder and ending, "
            f"such as bluff:Bluff"
        )
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise UnknownNameError(f"{name}: there is no module {error.name!r} here") from None
    except (Exception, SystemExit) as error:  # whatever the user's own code raises while it loads
        raise UnknownNameError(
            f"{name}: the module cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not hasattr(module, attribute):
        raise UnknownNameError(f"{name}: module {module_name!r} has no attribute {attribute!r}")
    found = getattr(module, attribute)
    is_game = isinstance(found, (GameTree, SignalGame, Game)) and not isinstance(found, type)
    if is_game and not parameters:
        return found  # type: ignore[no-any-return]
    if not callable(found):
        raise InvalidParameterError(f"{name} is not callable, so it takes no parameters")
    try:
        return found(**{key: _literal(value) for key, value in parameters.items()})  # type: ignore[no-any-return]
    except TypeError as error:
        raise InvalidParameterError(
            f"{name} cannot be called with {parameters}: {error}"
        ) from error


def _literal(text: str) -> object:
    """Read a parameter of a user's own game as a Python number or truth value, else as text."""
    from ast import literal_eval

    try:
        return literal_eval(text.capitalize() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):
        return text
