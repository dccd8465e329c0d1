"""named_game: the game that a name stands for, as people type it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GAMES
from seqform.io.game_file import READERS, read_game
from seqform.io.game_settings import ENDING, read_settings
from seqform.io.open_spiel import from_open_spiel
from seqform.io.python_module import from_module
from seqform.tree.restricted import restricted_game

if TYPE_CHECKING:
    from seqform.tree.from_any import AnyGame

OPEN_SPIEL = "openspiel:"


def named_game(name: str, parameters: Mapping[str, Any]) -> AnyGame:
    """Return the game that a name stands for.

    Parameters
    ----------
    name
        The name of a game of the catalogue, a file .toml that names one and its parameters, a file
        .efg, .nfg, .gbt or .npz, ``openspiel:NAME``, or
        ``module:attribute``, where the module may be written as a file ``module.py``.
        With ``@MOVE`` or ``@(MOVE,MOVE)`` behind it, the restricted game below these moves.
    parameters
        Those of the game; texts are read.

    Raises
    ------
    SeqformError
        If there is no such game, or it cannot have these parameters.

    Examples
    --------
    >>> named_game("leduc", {"ranks": "4"}).deck.cards[0]
    'Ts'
    >>> named_game("kuhn@(J,Q,bet)", {}).num_nodes
    3
    """
    name, moves = _split(name)
    if name.startswith(OPEN_SPIEL):
        _refuse(parameters, f"write the parameters of {name} in brackets behind its name")
        return from_open_spiel(name.removeprefix(OPEN_SPIEL), at=moves)
    game = _whole_game(name, parameters)
    return restricted_game(game, moves) if moves else game


def _split(name: str) -> tuple[str, str]:
    """Return a game and the moves below which it is looked at; a file may have the sign in it."""
    whole, _, moves = name.partition("@")
    if Path(name).suffix.lower() in READERS or not moves:
        return name, ""
    in_brackets = moves.startswith("(") and moves.endswith(")")
    return whole, moves[1:-1] if in_brackets else moves


def _whole_game(name: str, parameters: Mapping[str, Any]) -> AnyGame:
    if name.lower().endswith(ENDING):
        settings = read_settings(name)
        return _whole_game(settings.game, {**settings.parameters, **parameters})
    if Path(name).suffix.lower() in READERS:
        _refuse(parameters, f"{name} is a file, which has no parameters")
        return read_game(Path(name))
    module, colon, attribute = name.partition(":")
    if colon:
        return from_module(f"{module.removesuffix('.py')}:{attribute}", **parameters)
    return GAMES.get(name).make(**parameters)  # type: ignore[no-any-return]


def _refuse(parameters: Mapping[str, Any], why: str) -> None:
    if parameters:
        raise InvalidParameterError(f"{why}: leave out {', '.join(parameters)}")
