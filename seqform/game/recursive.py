"""Recursive games: stages whose ends are payoffs, or lead on to another stage.

A recursive game (Everett, "Recursive games", Contributions to the theory of games III, 1957) is a
set of *stages*. Each is an extensive-form game, and each of its leaves ends all play with a payoff,
or leads on to a stage: the next hand of a tournament, with other stacks. All players learn which
stage that is, and who sits where in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeGuard, runtime_checkable

from seqform.base.number import Number

Seats = tuple[int, ...]
"""For each seat of the next stage, the seat in which that player sits now."""


class Leaf(NamedTuple):
    """An end of a stage."""

    at: Hashable
    """The terminal state of rules; the outcome of a stage of outcomes; the history, which is the
    tuple of all actions and deals, of any other game."""
    payoffs: tuple[Number, ...]
    """What the stage pays each seat there; of a stage of outcomes nothing."""


class Next(NamedTuple):
    """Where a leaf leads on to."""

    key: Hashable
    seats: Seats
    """For each seat there, the seat of this stage in which its player sits."""


class End(NamedTuple):
    """What play ends with, in place of what the stage pays there."""

    payoffs: tuple[Number, ...]
    """For each seat of this stage."""


@runtime_checkable
class RecursiveGame(Protocol):
    """A game whose stages lead on to stages; players are numbered by their seats in the first one.

    A game may say ``rewards = True``: then payoffs at leaves that lead on are added up. Without it
    they have to be 0. It may say ``pays_chips = True``: then what stages pay are chips that
    change hands. These count only by where `leads_to` says that they lead, and where play ends it
    has to return an `End`. It may give ``keys()``, the keys of all stages, so that they are counted
    before any is made; ``stage_label(key)``, a text; and ``unit``, what payoffs are counted in.

    For `search_recursive` it may give ``guess(key)``, what a stage may be worth to each seat, where
    the search begins, such as chips by the independent chip model; and ``entry_fee``, of which
    gains are told as shares.
    """

    @property
    def num_players(self) -> int:
        """How many players there are, in every stage."""

    @property
    def endless(self) -> Sequence[Number]:
        """What endless play pays each player."""

    def start(self) -> Hashable:
        """Return the key of the first stage."""

    def stage(self, key: Any) -> Any:
        """Return the stage of a key: rules, a tree, a signal game, or a `StageForm`.

        Keys whose stages are one object share all that is made of it.
        """

    def leads_to(self, key: Any, leaf: Leaf) -> Next | End | tuple[Hashable, Seats] | None:
        """Return where a leaf leads on to; None if play ends with what the stage pays there."""


def is_recursive(game: object) -> TypeGuard[RecursiveGame]:
    """Return whether something is a recursive game."""
    return callable(getattr(game, "leads_to", None)) and callable(getattr(game, "stage", None))


def is_stage_graph(value: object) -> bool:
    """Return whether something is a `StageGraph`."""
    return is_recursive(getattr(value, "game", None)) and hasattr(value, "stages")


class StagesKind:
    """The base of `RecursiveSolution`, which is asked for without loading what it needs."""


def is_of_stages(value: object) -> TypeGuard[Any]:
    """Return whether something is a `RecursiveSolution`."""
    return isinstance(value, StagesKind)
