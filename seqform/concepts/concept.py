"""Concept: what counts as an answer, how it is certified, and how it is saved.

A solution concept is one file beside this one. Whatever prints, saves or compares solutions goes
through these two protocols, and knows no concept by name.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from math import nan
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from seqform.base.registry import Registry


class Certificate(Protocol):
    """What is proven of an answer; all amounts are in the game's unit.

    A certificate may give more, by attributes of the names of `Given`. It may also have the
    methods ``certainty(unit)``, which says in a sentence how sure the answer is and why, and
    ``highlights(unit)``: the rows that stand in the short answer beside that.
    """

    @property
    def values(self) -> tuple[Any, ...]:
        """What the answer pays each player."""

    @property
    def gap(self) -> float:
        """Upper bound on the answer's distance from the concept; 0 if the answer is exact."""

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return what is proven for people: name and text of each row of a table."""

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values; a saved result claims just this."""


class Given(NamedTuple):
    """What a certificate gives beyond what all of them do.

    Parameters
    ----------
    lower, upper
        Bounds on the value to player 0 of a constant-sum game; NaN where it gives no two numbers.
    is_constant_sum
        Whether it is known that the game is for two players whose payoffs sum to a constant.
    nash_gap, exploitability
        The sum of the players' gains from best responses, and that by their number; NaN without.
    bound
        What no answer exceeds by the objective; None without one.
    is_proof
        Whether it proves what it says; of a search only the line of play is checked.
    """

    lower: float = nan
    upper: float = nan
    is_constant_sum: bool = False
    nash_gap: float = nan
    exploitability: float = nan
    bound: Any | None = None
    is_proof: bool = True


def given(certificate: Certificate | None) -> Given:
    """Return what a certificate gives; nothing without one."""
    names = {name for name in Given._fields if hasattr(certificate, name)}
    found: dict[str, Any] = {name: getattr(certificate, name) for name in names}
    for name in names & {"lower", "upper", "nash_gap", "exploitability"}:
        number = found[name]  # or something else, such as a bound for each player
        found[name] = float(number) if isinstance(number, Real) else nan
    return Given(**found)


class Concept(Protocol):
    """A solution concept."""

    name: str
    keys: tuple[str, ...]
    """The keys of a certificate's record."""
    keeps_tree: bool
    """Whether a saved answer needs the game's tree beside it to be certified again."""

    @abstractmethod
    def prepare(self, game: Any) -> Any:
        """Return a game (tree, signal game or rules) in the form in which answers are certified."""

    @abstractmethod
    def certify(self, game: Any, answer: Any) -> Certificate:
        """Certify an answer to a prepared game, by code that no solver shares."""

    @abstractmethod
    def transfer(self, game: Any, answer: Any) -> Any:
        """Return an answer for a prepared game that was built from the game of this answer."""

    @abstractmethod
    def save(self, game: Any, answer: Any, folder: Path) -> None:
        """Write an answer to a prepared game to files in a folder."""

    @abstractmethod
    def load(self, game: Any, folder: Path, claims: Mapping[str, Any]) -> Any:
        """Read the answer that `save` wrote; `claims` is what result.json holds."""


CONCEPTS: Registry[Concept] = Registry("seqform.concepts", "solution concept", Concept)
