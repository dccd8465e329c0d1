"""Concept: what counts as an answer, how it is certified, and how it is saved.

A solution concept is one file beside this one. Whatever prints, saves or compares solutions goes
through these two protocols, and knows no concept by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from seqform.base.registry import Registry


class Certificate(Protocol):
    """What is proven of an answer; all amounts are in the game's unit."""

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


class Concept(Protocol):
    """A solution concept."""

    name: str
    keys: tuple[str, ...]
    """The keys of a certificate's record."""
    keeps_tree: bool
    """Whether a saved answer needs the game's tree beside it to be certified again."""

    def prepare(self, game: Any) -> Any:
        """Return a game (tree, signal game or rules) in the form in which answers are certified."""

    def certify(self, game: Any, answer: Any) -> Certificate:
        """Certify an answer to a prepared game, by code that no solver shares."""

    def transfer(self, game: Any, answer: Any) -> Any:
        """Return an answer for a prepared game that was built from the game of this answer."""

    def save(self, game: Any, answer: Any, folder: Path) -> None:
        """Write an answer to a prepared game to files in a folder."""

    def load(self, game: Any, folder: Path, claims: Mapping[str, Any]) -> Any:
        """Read the answer that `save` wrote; `claims` is what result.json holds."""


CONCEPTS: Registry[Concept] = Registry("seqform.concepts", "solution concept")
