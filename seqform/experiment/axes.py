"""Axes: what an experiment is swept over, and how the values are read from the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from seqform.base.errors import InvalidParameterError, UnknownNameError
from seqform.experiment.named import Value, read_value, split


class Role(Enum):
    """What the values of an axis are; the value of each member is a sentence for the user."""

    GAME = "games: NAME, NAME(key=value,...), a file .efg, .nfg, .npz or .py, or module:attribute"
    PARAMETER = "parameters of the game"
    REDUCTION = "reductions: NAME, NAME(threshold=t), a table of buckets FILE.csv, auto, or none"
    METHOD = "methods: NAME, NAME(option=value,...), module:attribute of your own, or auto"
    OPTION = "options of the method"
    SEED = "seeds, of the game or of the method"
    OWN = "what only the experiment's own measure knows"


BY_NAME = {role.name.lower(): role for role in (Role.GAME, Role.REDUCTION, Role.METHOD, Role.SEED)}
"""The axes whose names say what they are."""


@dataclass(frozen=True)
class Axis:
    """One thing that an experiment varies; each combination of values of all axes is a point.

    Parameters
    ----------
    name
        One word in the singular, with underscores: ``deck``, ``criterion``, ``max_bets``. It is a
        column of the rows, and the flags ``--deck`` and ``--decks`` of the command line. The column
        of an axis whose name is also that of a result is ``asked_gap``, with the name after it.
    values
        Scalars of JSON: texts, numbers, truth values, None.
    quick
        Those of ``--quick``, which takes seconds; by default all.
    help
        A few words for people.
    role
        What the values are. The axes ``game``, ``reduction``, ``method`` and ``seed`` have these
        roles by their names; any other is `Role.OWN` unless it is given.
    plural
        By default `name` with an s.
    read
        Makes a value of a word of the command line, or of a TOML file; raises ValueError with what
        to write instead. By default numbers and truth values are read as such.
    gives
        Of a value, the parameters of the game (`Role.PARAMETER`) or the options of the method
        (`Role.OPTION`) that it stands for. By default ``{name: value}``.
    words
        Makes the values of a text where commas do not stand between them, such as ``turns of
        QsJh2h``, or one text with commas. A text of a TOML file is read by it too. It raises
        `InvalidParameterError` with what to write instead.

    Examples
    --------
    >>> axis = Axis("deck", ("5x3", "6x3"), quick=("5x3",), role=Role.PARAMETER,
    ...             gives=lambda deck: dict(zip(("ranks", "suits"), map(int, deck.split("x")))))
    >>> axis.given("6x3")
    {'ranks': 6, 'suits': 3}
    """

    name: str
    values: tuple[Value, ...]
    quick: tuple[Value, ...] = ()
    help: str = ""
    role: Role | None = None
    plural: str = ""
    read: Callable[[str], Value] = read_value
    gives: Callable[[Any], Mapping[str, Value]] | None = None
    words: Callable[[str], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", self.role or BY_NAME.get(self.name, Role.OWN))
        object.__setattr__(self, "plural", self.plural or f"{self.name}s")

    def given(self, value: Value) -> dict[str, Value]:
        """Return the parameters or options that a value stands for."""
        return dict(self.gives(value)) if self.gives else {self.name: value}

    def taking(self, values: Iterable[Any]) -> Axis:
        """Return the axis with other values, texts read as those of the command line.

        Raises
        ------
        InvalidParameterError
            If there are none, one cannot be read, or one is given twice.
        """
        read = tuple(self._read(value) for each in values for value in self._meant(each))
        if not read:
            raise InvalidParameterError(f"{self.name}: give at least one value")
        doubled = [value for value, times in Counter(read).items() if times > 1]
        if doubled:
            raise InvalidParameterError(f"{self.name}: {doubled[0]!r} is given twice")
        return replace(self, values=read, quick=read)

    def split(self, text: str) -> Sequence[str]:
        """Return the texts of the values in a text of the command line."""
        return split(text) if self.words is None else (text,)

    def _meant(self, value: Any) -> Sequence[Any]:
        """Return the values that one may stand for."""
        if self.words is None or not isinstance(value, str):
            return (value,)
        try:
            return self.words(value)
        except InvalidParameterError as error:
            raise InvalidParameterError(f"{self.name}: {error}") from None

    def _read(self, value: Any) -> Value:
        if value is not None and not isinstance(value, (str, int, float, bool)):
            raise InvalidParameterError(f"{self.name}: {value!r} is no text or number")
        try:
            found = self.read(value) if isinstance(value, str) else value
            self.given(found)  # what it stands for is found out now, and not in the last row
        except ValueError as error:
            raise InvalidParameterError(f"{self.name}: {value!r}: {error}") from None
        return found


def replaced(axes: Sequence[Axis], given: Mapping[str, Any], experiment: str) -> tuple[Axis, ...]:
    """Return axes with other values; names in singular or plural, hyphens may be underscores.

    Parameters
    ----------
    axes
        Of the experiment.
    given
        Values by the name of the axis: one, a sequence, or a text with commas between them.
    experiment
        Its name, for error messages.

    Raises
    ------
    UnknownNameError
        If there is no such axis, with the nearest that there is.
    InvalidParameterError
        If a value cannot be read.
    """
    by_word = {word: axis for axis in axes for word in (axis.name, axis.plural)}
    taken: dict[str, Iterable[Any]] = {}
    for name, values in given.items():
        word = name.replace("-", "_")
        if word not in by_word:
            raise UnknownNameError.of(f"axis of {experiment}", name, by_word)
        axis = by_word[word]
        several = axis.split(values) if isinstance(values, str) else values
        taken[axis.name] = several if isinstance(several, Iterable) else (several,)
    return tuple(axis.taking(taken[axis.name]) if axis.name in taken else axis for axis in axes)
