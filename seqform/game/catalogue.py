"""The catalogue: every game by name, with its parameters and the values known for it.

A game's entry stands in the game's own file; a line of pyproject.toml under ``seqform.games``
names it. `make` (`seqform.make`) makes a game of the catalogue.
"""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.base.nearest import hint
from seqform.base.number import Number, plain
from seqform.base.registry import Registry
from seqform.game import needs

TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
"""How truth values are written."""


class Parameter(NamedTuple):
    """A parameter of a game: its type and its default."""

    kind: Any
    default: object


@dataclass(frozen=True)
class KnownValue:
    """The value to player 0 at given parameters (the others are at their defaults).

    Parameters
    ----------
    value
        In the game's unit, exact.
    source
        Who says so.
    parameters
        Those that are not at their defaults.
    """

    value: Number
    source: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class GameEntry:
    """A game of the catalogue.

    Parameters
    ----------
    name
        What users type; the entry point has the same name.
    summary
        One line for people.
    factory
        Makes the game. Each of its parameters has a type (int, float, bool or str) and a default.
    known
        Values that are known of the game.
    expand
        Turns parameters that were given into those that the factory is called with, as one that
        names a file does which says others. What it returns is what results are saved with.

    Examples
    --------
    >>> from games.kuhn import KUHN
    >>> KUHN.parameters["players"]
    Parameter(kind=<class 'int'>, default=2)
    >>> KUHN.known_value({"cards": 3}).value
    Fraction(-1, 18)
    """

    name: str
    summary: str
    factory: Callable[..., Any]
    known: tuple[KnownValue, ...] = ()
    expand: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Each parameter's type and default, read from the factory's signature.

        Raises
        ------
        InvalidParameterError
            If the factory has a parameter without a default.
        """
        signature = inspect.signature(self.factory, eval_str=True)
        return {name: self._parameter(found) for name, found in signature.parameters.items()}

    def _parameter(self, found: inspect.Parameter) -> Parameter:
        if found.default is found.empty:
            raise InvalidParameterError(
                f"the factory of the game {self.name!r} must "
                f"give its parameter {found.name!r} a default"
            )
        typed = found.annotation is not found.empty
        return Parameter(found.annotation if typed else type(found.default), found.default)

    @property
    def about(self) -> str:
        """What the factory's docstring says of the game, a line a paragraph; "" if nothing."""
        return described(self.factory)

    @property
    def meanings(self) -> dict[str, str]:
        """What the factory's docstring says of parameters, by name, if it has a section of them."""
        return explained(self.factory)

    @property
    def perfect_information(self) -> bool:
        """Whether everybody always knows everything, with the default parameters."""
        return needs.declares_perfect_information(self.factory())

    def known_value(self, parameters: Mapping[str, object]) -> KnownValue | None:
        """Return the value known for exactly these parameters; those left out are the defaults."""
        defaults = {name: found.default for name, found in self.parameters.items()}
        wanted = {**defaults, **parameters}
        return next(
            (known for known in self.known if {**defaults, **known.parameters} == wanted), None
        )

    def make(self, **parameters: object) -> Any:
        """Make the game; parameters may be given as strings.

        Raises
        ------
        UnknownNameError
            For a parameter that does not exist, with the nearest that do.
        InvalidParameterError
            For a value that is not of the parameter's type, or that the game cannot have.
        """
        return self.factory(**self.parse(parameters))

    def parse(self, given: Mapping[str, object]) -> dict[str, object]:
        """Return parameters as values of the factory's types; strings are read.

        Raises
        ------
        UnknownNameError
            For a parameter that does not exist, with the nearest that do.
        InvalidParameterError
            For a value that is not of the parameter's type.
        """
        known = self.parameters
        for key in given:
            if key not in known:
                choices = f"it has {', '.join(known)}" if known else "it has none"
                raise UnknownNameError(
                    f"{self.name} has no parameter {key!r}{hint(key, known)}; {choices}"
                )
        if self.expand is not None:
            given = self.expand(dict(given))
        return {key: _convert(key, value, known[key].kind) for key, value in given.items()}


GAMES: Registry[GameEntry] = Registry("seqform.games", "game", GameEntry)


def make(name: str, /, **parameters: object) -> Any:
    """Return a game of the catalogue; underscores may stand for hyphens in its name.

    Parameters
    ----------
    name
        One of `GAMES.names()`, which `seqform games` lists with their parameters.
    **parameters
        Those of the game, as values or as strings; the others are at their defaults.

    Raises
    ------
    UnknownNameError
        For a game or parameter that does not exist, with the nearest that do.
    InvalidParameterError
        For a value that is not of the parameter's type, or that the game cannot have.

    Examples
    --------
    >>> make("leduc", ranks=4).deck.cards
    ('Ts', 'Th', 'Js', 'Jh', 'Qs', 'Qh', 'Ks', 'Kh')
    """
    return GAMES.get(name).make(**parameters)


def _convert(key: str, value: object, kind: Any) -> object:
    """Return a parameter as a value of its type; types that are not listed here are not checked."""
    try:
        if kind is bool:
            return _truth(value)
        if kind is int:
            return _whole(value)
        if kind is float:
            return _real(value)
        if kind is str:
            return _text(value)
        return kind(value) if isinstance(value, str) and isinstance(kind, type) else value
    except (TypeError, ValueError):
        raise InvalidParameterError(f"{key}={plain(value)} is {_no(kind)}") from None


def _truth(value: object) -> bool:
    if isinstance(value, str):
        if value.lower() not in TRUTH:
            raise ValueError
        return TRUTH[value.lower()]
    if not isinstance(value, bool):
        raise TypeError
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool):
        raise TypeError
    return int(value) if isinstance(value, str) else operator.index(value)  # type: ignore[arg-type]


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (str, Real)):
        raise TypeError
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _no(kind: Any) -> str:
    """Say what a value is that cannot be of a type."""
    words = {
        bool: "neither true nor false (type bool)",
        int: "no whole number (type int)",
        float: "no number (type float)",
        str: "no text (type str)",
    }
    return words.get(kind, f"not of type {getattr(kind, '__name__', kind)}")


SECTION = re.compile(r"^(\w+)\n-+$", re.MULTILINE)


def described(thing: Any) -> str:
    """Return the words before the first section, a line a paragraph, less ``Return``."""
    words = _paragraphs(_sections(thing)[0]).removeprefix("Return ")
    return words[:1].upper() + words[1:]


def explained(thing: Any) -> dict[str, str]:
    """Return what the section ``Parameters`` says of each; several may share their words."""
    parts = _sections(thing)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    entries = re.split(r"^(?=\S)", named.get("Parameters", "").strip(), flags=re.MULTILINE)
    found = {}
    for entry in filter(None, entries):
        names, _, words = entry.partition("\n")
        found.update(dict.fromkeys(names.split(", "), _paragraphs(inspect.cleandoc(words))))
    return found


def _sections(thing: Any) -> list[str]:
    """Return the words before the first section, then headers and texts in turn."""
    return SECTION.split(inspect.getdoc(thing) or "")


def _paragraphs(text: str) -> str:
    parts = re.split(r"\n{2,}", text.replace("``", "`").strip())
    return "\n".join(" ".join(part.split()) for part in parts)
