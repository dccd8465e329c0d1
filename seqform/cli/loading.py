"""From what the user typed to a game."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError, ResultFileError, UnknownNameError

if TYPE_CHECKING:
    from seqform import AnyGame, GameEntry, Solution

FILES = (".efg", ".nfg", ".gbt", ".npz")
"""How names of files that hold a game end: Gambit's formats, and our own."""

OPEN_SPIEL = "openspiel:"

SETTINGS = ".toml"
"""How names of files end that name a game of the catalogue and its parameters."""

BELOW = "@"
"""Stands between a game and the moves below which it is looked at: ``kuhn@J,Q,bet``."""


def load(
    name: str, given: list[str] | None, max_nodes: int | None = None
) -> tuple[AnyGame, dict[str, Any]]:
    """Return the game that a name stands for, and the parameters given for it.

    Parameters
    ----------
    name
        The name of a game of the catalogue, a file, ``openspiel:NAME`` or ``module:attribute``;
        with ``@MOVES`` behind it, the restricted game below these moves; of a recursive game
        ``@KEY`` is a stage, whose leads are worth what solving the whole game finds. A file .toml
        names a game and its parameters.
    given
        The parameters, each as ``key=value``; they count before those of a file.
    max_nodes
        A game of OpenSpiel is returned as its tree, of at most so many nodes.
    """
    whole, moves = split(name)
    if moves and not whole.startswith(OPEN_SPIEL):
        from seqform import is_recursive, restricted_game, solve

        game, parameters = load(whole, given, max_nodes)
        if is_recursive(game):
            solved: Any = solve(game)  # type: ignore[arg-type]
            return solved.stage(moves).source, parameters
        return restricted_game(game, moves, max_nodes), parameters
    name, parameters = resolved(whole, given_parameters(given))
    if name.startswith(OPEN_SPIEL):
        own = name.removeprefix(OPEN_SPIEL)
        return _load_open_spiel(own, parameters, max_nodes, moves), parameters
    if is_file(name):
        return _load_path(name, parameters), parameters
    if ":" not in name:
        if os.path.isdir(name):
            _refuse_folder(name)
        entry = entry_of(name)
        parameters = entry.parse(parameters)
        return entry.make(**parameters), parameters
    from seqform.io import from_module

    return from_module(name, **parameters), parameters


def resolved(name: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a game by its name and all its parameters, also where a file says them."""
    if not name.lower().endswith(SETTINGS):
        return name, parameters
    from seqform.io import read_settings

    settings = read_settings(name)
    return settings.game, {**settings.parameters, **parameters}


def _refuse_folder(name: str) -> None:
    """Refuse a folder that is named where a game is to be, unless a game has that name."""
    from seqform import GAMES

    if name in GAMES:
        return
    if not os.path.exists(os.path.join(name, "result.json")):
        raise InvalidParameterError(
            f"{name} is a folder, and a game is a name, a file or module:attribute; "
            "`seqform games` lists names"
        )
    raise InvalidParameterError(
        f"{name} is a folder that holds what was solved: `seqform show {name}` shows the "
        f"strategies, `seqform verify {name}` checks them, and `seqform report {name}` makes a page"
    )


def split(name: str) -> tuple[str, str]:
    """Return a game and the moves below which it is looked at, if any: ``kuhn@J,Q,bet``.

    Files and folders may have the sign in their names, and labels may have a slash.
    """
    if is_file(name):
        return name, ""
    for place, letter in enumerate(name):
        whole = name[:place]
        if letter == BELOW and ("/" not in whole or is_file(whole) or whole.startswith(OPEN_SPIEL)):
            return whole, name[place + 1 :]
    return name, ""


def is_file(name: str) -> bool:
    """Return whether a game is named by a file, as its ending says, or because there is one.

    A name of the catalogue is the game, even if there is such a file; write ``./kuhn`` for that.
    """
    if name.lower().endswith(FILES):
        return True
    if name.lower().endswith(SETTINGS) or not os.path.isfile(name):
        return False
    from seqform import GAMES

    return name not in GAMES


def load_or_result(name: str, given: list[str] | None, trust: bool = False) -> AnyGame | Solution:
    """Return the game that a name stands for, or the saved result of a folder.

    A name of the catalogue is the game, even if there is such a folder; write ``./kuhn`` for that.
    """
    from seqform import GAMES

    if split(name)[1] and not os.path.isdir(name):
        return load(name, given)[0]
    is_path = os.path.isdir(name) or ("/" in name and ":" not in name and not is_file(name))
    if is_path and name not in GAMES:
        return _load_path(name, given_parameters(given), trust)  # type: ignore[no-any-return]
    return load(name, given)[0]


def given_parameters(given: list[str] | None) -> dict[str, Any]:
    """Return the parameters that were given as ``key=value``."""
    parameters: dict[str, Any] = {}
    for item in given or []:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise InvalidParameterError(f"-p {item}: write parameters as key=value")
        if (key := key.strip()) in parameters:
            raise InvalidParameterError(f"-p {item}: {key} was given before; leave one of both out")
        parameters[key] = value.strip()
    return parameters


def entry_of(name: str) -> GameEntry:
    """Return the entry of a game of the catalogue; an unknown name is an error that helps."""
    from seqform import GAMES

    try:
        return GAMES.get(name)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"{error}; `seqform games` lists them with their parameters"
        ) from None


def _load_path(path: str, parameters: dict[str, Any], trust: bool = False) -> Any:
    """Return what a file or folder holds."""
    import seqform

    if parameters:
        kind = "file" if is_file(path) else "folder"
        raise InvalidParameterError(f"{path} is a {kind}, which has no parameters; leave out -p")
    return seqform.load(path, partial(load_saved, trust=trust))


def _load_open_spiel(
    name: str, parameters: dict[str, Any], max_nodes: int | None, moves: str
) -> AnyGame:
    from seqform.io import from_open_spiel

    denominator = parameters.get("chance_denominator")
    if set(parameters) - {"chance_denominator"}:
        raise InvalidParameterError(
            "write the parameters of OpenSpiel's games in their names: "
            f"'{OPEN_SPIEL}{name.partition('(')[0]}(key=value)'"
        )
    if denominator is not None and not denominator.isdecimal():
        raise InvalidParameterError(
            f"chance_denominator={denominator}: use a whole number, at least 1"
        )
    limit: dict[str, Any] = {} if max_nodes is None else {"max_nodes": max_nodes}
    number = None if denominator is None else int(denominator)
    return from_open_spiel(name, number, at=moves, **limit)


def load_saved(name: str, parameters: dict[str, Any], trust: bool = False) -> AnyGame:
    """Return a game that a saved result names.

    Raises
    ------
    ResultFileError
        If it is named module:attribute and not trusted: that would run code that whoever saved it
        could choose. If it is named by a file, or as one of OpenSpiel's games: these are saved as
        trees.
    """
    if name.startswith(OPEN_SPIEL) or is_file(split(name)[0]):
        raise ResultFileError(
            f"the result names the game {name!r}, which is saved with its tree, and there is none"
        )
    if ":" in name and not trust:
        module, _, attribute = name.partition(":")
        raise ResultFileError(
            f"the result names the game {name!r}: loading it would import the Python module "
            f"{module!r}, from the current folder first, "
            f"and call {attribute!r} with {parameters}; give --trust if you trust that code"
        )
    return load(name, [f"{key}={value}" for key, value in parameters.items()])[0]


def known_value(name: str, parameters: dict[str, Any]) -> Any:
    """Return the value that the catalogue knows for a game, if any."""
    from seqform import GAMES

    if ":" in name or BELOW in name or is_file(name):
        return None
    return GAMES.get(name).known_value(parameters)
