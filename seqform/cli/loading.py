"""From what the user typed to a game."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.errors import InvalidParameterError, ResultFileError, UnknownNameError
from seqform.base.siblings import SIBLINGS, load_siblings, location
from seqform.game.catalogue import GAMES, GameEntry

if TYPE_CHECKING:
    from types import ModuleType

    from seqform.tree.from_any import AnyGame
    from seqform.tree.tree import GameTree


FILES = (".efg", ".npz")
"""How names of files that hold a game end: Gambit's format, and our own (`seqform.tree.file`)."""

OPEN_SPIEL = "openspiel:"


def load(
    name: str, given: list[str] | None, max_nodes: int | None = None
) -> tuple[AnyGame, dict[str, Any]]:
    """Return the game that a name stands for, and the parameters given for it.

    Parameters
    ----------
    name
        The name of a game of the catalogue, a file, ``openspiel:NAME`` or ``module:attribute``.
    given
        The parameters, each as ``key=value``.
    max_nodes
        A game of OpenSpiel is returned as its tree, of at most so many nodes.
    """
    parameters: dict[str, Any] = {}
    for item in given or []:
        key, separator, value = item.partition("=")
        if not separator or not key:
            raise InvalidParameterError(f"-p {item}: write parameters as key=value")
        parameters[key.strip()] = value.strip()
    if name.startswith(OPEN_SPIEL):
        return _load_open_spiel(name.removeprefix(OPEN_SPIEL), parameters, max_nodes), parameters
    if name.endswith(FILES):
        return _load_file(name, parameters), parameters
    if ":" not in name:
        entry = _entry(name)
        parameters = entry.parse(parameters)
        return entry.make(**parameters), parameters
    return load_attribute(name, parameters), parameters


def _entry(name: str) -> GameEntry:
    try:
        return GAMES.get(name)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"{error}; `seqform games` lists them with their parameters"
        ) from None


def _load_file(name: str, parameters: dict[str, Any]) -> GameTree:
    from seqform.io import read_efg
    from seqform.tree.file import load_tree

    if parameters:
        raise InvalidParameterError(f"{name} is a file, which has no parameters; leave out -p")
    return read_efg(name) if name.endswith(".efg") else load_tree(Path(name))


def _load_open_spiel(name: str, parameters: dict[str, Any], max_nodes: int | None) -> GameTree:
    from seqform.io import from_open_spiel

    denominator = parameters.get("chance_denominator")
    if set(parameters) - {"chance_denominator"}:
        raise InvalidParameterError(
            f"write the parameters of OpenSpiel's games in their names: "
            f"'{OPEN_SPIEL}{name.partition('(')[0]}(key=value)'"
        )
    if denominator is not None and not denominator.isdecimal():
        raise InvalidParameterError(
            f"chance_denominator={denominator}: use a whole number, at least 1"
        )
    limit = {} if max_nodes is None else {"max_nodes": max_nodes}
    return from_open_spiel(name, None if denominator is None else int(denominator), **limit)


def load_saved(name: str, parameters: dict[str, Any], trust: bool = False) -> AnyGame:
    """Return a game that a saved result names.

    Raises
    ------
    ResultFileError
        If it is named module:attribute and not trusted: that would run code that whoever saved it
        could choose. If it is named by a file, or as one of OpenSpiel's games: these are saved as
        trees.
    """
    if name.startswith(OPEN_SPIEL) or name.endswith(FILES):
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
    if ":" in name or name.endswith(FILES):
        return None
    return GAMES.get(name).known_value(parameters)


def load_attribute(name: str, parameters: dict[str, Any]) -> AnyGame:
    """Return a user's game named ``module:attribute``.

    The attribute is a game, or a class or function that makes one. The module is looked for in the
    current folder first.

    Raises
    ------
    UnknownNameError
        If there is no such module or attribute, or the module cannot be imported.
    InvalidParameterError
        If the attribute cannot be called with `parameters`.
    """
    module_name, _, attribute = name.partition(":")
    parts = module_name.split(".")
    if not all(part.isidentifier() for part in parts) or module_name.endswith(".py"):
        raise UnknownNameError(
            f"{name}: {module_name!r} is no module; write its name without folder and ending, "
            "such as bluff:Bluff"
        )
    module = _import_here(name, module_name)
    if not hasattr(module, attribute):
        raise UnknownNameError(f"{name}: module {module_name!r} has no attribute {attribute!r}")
    return _made(name, getattr(module, attribute), parameters)


def _import_here(name: str, module_name: str) -> ModuleType:
    """Import a user's module from the current folder, else from where Python looks.

    The folder leads the search path while the module is imported, as it does for a script. Then it
    goes to the end: what the module imports when it is called is still found there, but a file of
    the user's that is called like a library does not hide it from what seqform imports later.
    """
    here = str(Path.cwd())
    _check_not_taken(name, module_name.partition(".")[0], here)
    sys.path.insert(0, here)
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        raise UnknownNameError(f"{name}: there is no module {error.name!r} here") from None
    except (Exception, SystemExit) as error:  # whatever the user's own code raises while it loads
        raise UnknownNameError(
            f"{name}: the module cannot be imported: {type(error).__name__}: {error}"
        ) from error
    finally:
        if here in sys.path:
            sys.path.remove(here)
        if here not in sys.path:
            sys.path.append(here)


def _check_not_taken(name: str, module: str, here: str) -> None:
    """Check that a module of the current folder is not called like one that is loaded already."""
    load_siblings()
    wanted = location(PathFinder.find_spec(module, [here]))
    loaded = location(getattr(sys.modules.get(module), "__spec__", None))
    if module in sys.modules and wanted is not None and wanted != loaded:
        taken = "seqform has a package" if module in SIBLINGS else "there is a module"
        raise UnknownNameError(
            f"{name}: {wanted} cannot be imported, since {taken} of the same name "
            f"({loaded or 'a part of Python'}); rename yours"
        )


def _made(name: str, found: Any, parameters: dict[str, Any]) -> AnyGame:
    """Return what an attribute is, or makes."""
    from seqform.game.rules import Game
    from seqform.game.signals import SignalGame
    from seqform.tree.tree import GameTree

    is_game = isinstance(found, (GameTree, SignalGame, Game)) and not isinstance(found, type)
    if is_game and not parameters:
        return found  # type: ignore[no-any-return]
    if not callable(found):
        raise InvalidParameterError(f"{name} is not callable, so it takes no parameters")
    values = {key: _literal(value) for key, value in parameters.items()}
    try:
        return found(**values)  # type: ignore[no-any-return]
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
