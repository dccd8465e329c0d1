"""A user's own game or function, named ``module:attribute`` as in ``bluff:Bluff``.

Such code is a guest: it runs in our process, and neither ends it nor reads what is typed.
`sys.exit` and `os._exit` become errors while it is called, and standard input is at its end. If it
forks, the child ends where it would go on as a second one of us.
"""

from __future__ import annotations

import os
import posix
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from seqform.base.errors import InvalidParameterError, SeqformError, UnknownNameError
from seqform.base.interrupt import Ended
from seqform.base.siblings import location, step_aside
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from types import ModuleType

    from seqform.tree.from_any import AnyGame


@contextmanager
def guest() -> Iterator[None]:
    """Run a block that calls a user's own code.

    Raises
    ------
    SystemExit
        If the code ends the process, in whatever way.
    """
    home, leave = os.getpid(), os._exit

    def refuse(status: int) -> NoReturn:
        if os.getpid() == home:
            raise SystemExit(status)
        leave(status)

    os._exit = posix._exit = refuse
    try:
        with _no_input():
            yield
    finally:
        os._exit = posix._exit = leave
        if os.getpid() != home:
            leave(0)


@contextmanager
def _no_input() -> Iterator[None]:
    """Have nothing to read on standard input, for this process and those that it starts."""
    with open(os.devnull, encoding="utf-8") as nothing:
        text, kept = sys.stdin, os.dup(0)
        sys.stdin = nothing
        os.dup2(nothing.fileno(), 0)
        try:
            yield
        finally:
            os.dup2(kept, 0)
            os.close(kept)
            sys.stdin = text


def from_module(name: str, /, **parameters: Any) -> AnyGame:
    """Return a game that a Python module holds or makes.

    Parameters
    ----------
    name
        ``module:attribute``; the module is looked for in the current folder first. The attribute is
        a game, or a class or function that makes one.
    parameters
        What the attribute is called with. Texts are read as Python numbers and truth values where
        they are such.

    Raises
    ------
    UnknownNameError
        If there is no such module or attribute, or the module cannot be imported.
    InvalidParameterError
        If the attribute cannot be called with `parameters`.
    """
    with guest():
        return _made(name, _attribute(name), parameters)


def function_named(name: str) -> Callable[..., Any]:
    """Return a function that a Python module holds.

    Parameters
    ----------
    name
        ``module:function``; the module is looked for in the current folder first.

    Raises
    ------
    UnknownNameError
        If there is no such module or attribute, or the module cannot be imported.
    InvalidParameterError
        If it is not a function.
    """
    found = attribute_named(name)
    if not callable(found):
        raise InvalidParameterError(f"{name} is no function; give one of a state")
    return found  # type: ignore[no-any-return]


def attribute_named(name: str) -> Any:
    """Return whatever a Python module holds under a name ``module:attribute``.

    Raises
    ------
    UnknownNameError
        If there is no such module or attribute, or the module cannot be imported.
    """
    with guest():
        return _attribute(name)


def _attribute(name: str) -> Any:
    """Return what a module holds under a name, written ``module:attribute``."""
    module_name, _, attribute = name.partition(":")
    parts = module_name.split(".")
    if not all(part.isidentifier() for part in parts) or module_name.endswith(".py"):
        raise UnknownNameError(
            f"{name}: {module_name!r} is not the name of a module; write its name without "
            "folder and ending, such as bluff:Bluff"
        )
    module = _import_here(name, module_name)
    if not hasattr(module, attribute):
        raise UnknownNameError(f"{name}: module {module_name!r} has no attribute {attribute!r}")
    return getattr(module, attribute)


def _import_here(name: str, module_name: str) -> ModuleType:
    """Import a user's module from the current folder, else from where Python looks.

    The folder leads the search path while the module is imported, as it does for a script. Then it
    goes to the end, where later imports by the module still find it. So a user's file that has the
    name of a library does not hide that library from later imports by seqform.
    """
    here = str(Path.cwd())
    _check_not_taken(name, module_name.partition(".")[0], here)
    sys.path.insert(0, here)
    try:
        return import_module(module_name)
    except ModuleNotFoundError as error:
        raise UnknownNameError(f"{name}: there is no module {error.name!r} here") from None
    except (MemoryError, Ended):
        raise
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
    """Check that a module of the current folder is not called like one that is loaded already.

    Only the packages beside seqform may be: they make room.
    """
    wanted = location(PathFinder.find_spec(module, [here]))
    if wanted is not None:
        step_aside(module, wanted)
    loaded = location(getattr(sys.modules.get(module), "__spec__", None))
    if module in sys.modules and wanted is not None and wanted != loaded:
        raise UnknownNameError(
            f"{name}: {wanted} cannot be imported, since there is a module of the same name "
            f"({loaded or 'a part of Python'}); rename yours"
        )


def _made(name: str, found: Any, parameters: dict[str, Any]) -> AnyGame:
    """Return what an attribute is, or makes."""
    is_game = isinstance(found, (GameTree, SignalGame, Game)) and not isinstance(found, type)
    if is_game and not parameters:
        return found  # type: ignore[no-any-return]
    if not callable(found):
        raise InvalidParameterError(f"{name} is not callable, so it takes no parameters")
    values = {key: _literal(value) for key, value in parameters.items()}
    try:
        return found(**values)  # type: ignore[no-any-return]
    except (SeqformError, MemoryError, Ended):
        raise
    except (Exception, SystemExit) as error:  # whatever the user's own code raises
        what = "" if isinstance(error, TypeError) else f"{type(error).__name__}: "
        raise InvalidParameterError(
            f"{name} cannot be called with {parameters or 'no parameters'}: {what}{error}"
        ) from error


def _literal(text: object) -> object:
    """Read a parameter that is text as a Python number or truth value, if it is one."""
    from ast import literal_eval

    if not isinstance(text, str):
        return text
    try:
        return literal_eval(text.capitalize() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):
        return text
