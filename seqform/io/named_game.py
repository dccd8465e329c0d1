"""named_game: the game that a name stands for, as people type it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GAMES
from seqform.io.game_file import READERS, read_game
from seqform.io.open_spiel import from_open_spiel
from seqform.io.python_module import from_module

if TYPE_CHECKING:
    from seqform.tree.from_any import AnyGame

OPEN_SPIEL = "openspiel:"


def named_game(name: str, parameters: Mapping[str, Any]) -> AnyGame:
    """Return the game that a name stands for.

    Parameters
    ----------
    name
        The name of a game of the catalogue, a file .efg, .nfg, .gbt or .npz, ``openspiel:NAME``, or
        ``module:attribute``, where the module may be written as a file ``module.py``.
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
    """
    if name.startswith(OPEN_SPIEL):
        _refuse(parameters, f"write the parameters of {name} in brackets behind its name")
        return from_open_spiel(name.removeprefix(OPEN_SPIEL))
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
