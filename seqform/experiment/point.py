"""Point: one combination of the values of all axes, which a measure turns into one row or a few."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from seqform.base.errors import InvalidParameterError
from seqform.experiment.axes import Axis, Role
from seqform.experiment.named import Value, read_named

KEY_LENGTH = 16
"""Hexadecimal digits of a key: 64 bits."""


NO_INPUTS = ("memory", "bracketed")
"""Fields of a point that its key does not hang on; the second repeats what others have."""


@dataclass(frozen=True)
class Bracketed:
    """What is written in brackets after the name of a game and of a method."""

    parameters: Mapping[str, Value] = field(default_factory=dict)
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Point:
    """The inputs of one row, or of a few that are made together.

    Parameters
    ----------
    experiment, version
        The name of the experiment, and the version of its measure.
    values
        The value of each axis: ``point["deck"]``.
    game
        The name of the game without its parameters. It, the reduction and the method are empty
        where there is no such axis.
    parameters
        Those of the game, of all axes together.
    reduction, threshold
        The name of the reduction, and up to what it merges.
    method, options
        The name of the method, and its options, of all axes together.
    seed
        None where there is no such axis.
    files
        The SHA-256 of each file that the game or the reduction is read from.
    memory
        Bytes that the point needs, as declared; it is no input.
    bracketed
        Those of the parameters and options that no axis of their own gives.
    """

    experiment: str
    version: int
    values: Mapping[str, Value]
    game: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    reduction: str = ""
    threshold: float = 0.0
    method: str = ""
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    memory: int = 0
    bracketed: Bracketed = Bracketed()

    def __getitem__(self, axis: str) -> Any:
        """Return the value of an axis."""
        return self.values[axis]

    @property
    def inputs(self) -> dict[str, Any]:
        """All that a row hangs on, as JSON values."""
        known = vars(self) | {"values": dict(self.values)}
        return {name: value for name, value in known.items() if name not in NO_INPUTS}

    @property
    def key(self) -> str:
        """The beginning of the SHA-256 of the inputs: what finished rows are known by.

        Examples
        --------
        >>> Point("e", 1, {"deck": "5x3"}).key == Point("e", 1, {"deck": "5x3"}, memory=8).key
        True
        >>> Point("e", 1, {"deck": "5x3"}).key == Point("e", 2, {"deck": "5x3"}).key
        False
        """
        return hashlib.sha256(canonical(self.inputs).encode()).hexdigest()[:KEY_LENGTH]

    def read_from(self, files: Mapping[str, str]) -> Point:
        """Return the point with the SHA-256 of the files that it is read from."""
        return replace(self, files=files)

    def __str__(self) -> str:
        """Return the values of the axes that have one.

        Examples
        --------
        >>> print(Point("e", 1, {"board": "QsJh2h", "oop": None, "pot": 180}))
        board QsJh2h, pot 180
        """
        given = {name: value for name, value in self.values.items() if value is not None}
        return ", ".join(f"{name} {value}" for name, value in given.items())


def canonical(content: Any) -> str:
    """Return JSON that is the same text for the same content."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), default=dict)


def point_of(experiment: str, version: int, axes: Mapping[str, Axis], values: Any) -> Point:
    """Return the point of a value for each axis, and what the values stand for.

    Raises
    ------
    InvalidParameterError
        If a parameter or option is given twice, or a value is not written as its role wants it.
    """
    by_role: dict[Role | None, dict[str, Value]] = {role: {} for role in Role}
    for name, value in values.items():
        axis = axes[name]
        if axis.role in (Role.PARAMETER, Role.OPTION):
            _add(by_role[axis.role], axis.given(value), name)
        else:
            by_role[axis.role][name] = value
    game = _named(by_role[Role.GAME], by_role[Role.PARAMETER])
    method = _named(by_role[Role.METHOD], by_role[Role.OPTION])
    reduction = _named(by_role[Role.REDUCTION], {})
    seeds = [int(seed) for seed in by_role[Role.SEED].values() if seed is not None]
    return Point(
        experiment,
        version,
        values,
        *game,
        reduction[0],
        _threshold(reduction[1]),
        *method,
        seeds[0] if seeds else None,
        bracketed=Bracketed(*(_named(by_role[role], {})[1] for role in (Role.GAME, Role.METHOD))),
    )


def _named(found: dict[str, Value], more: dict[str, Value]) -> tuple[str, dict[str, Value]]:
    """Return the one name of a role, and its options with those of other axes."""
    if len(found) > 1:
        raise InvalidParameterError(f"axes {' and '.join(found)} say the same thing: leave out one")
    name, options = read_named(str(next(iter(found.values()), "")))
    _add(options, more, "an axis")
    return name, options


def _add(options: dict[str, Value], more: Mapping[str, Value], what: str) -> None:
    twice = sorted(set(options) & set(more))
    if twice:
        raise InvalidParameterError(f"{twice[0]} is given twice: by {what}, and elsewhere")
    options.update(more)


def _threshold(options: dict[str, Value]) -> float:
    unknown = sorted(set(options) - {"threshold"})
    value = options.get("threshold", 0.0)
    if unknown or isinstance(value, (str, bool)) or value is None:
        raise InvalidParameterError(
            f"a reduction takes one option, threshold=NUMBER, and not {options}"
        )
    return float(value)
