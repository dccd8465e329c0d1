"""How strategies are kept without vectors over all sequences: what files and forms ask of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

if TYPE_CHECKING:
    from seqform.form.local_strategy import LocalStrategy
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm


class Kept(Protocol):
    """Strategies of all players, kept by fewer numbers than the game has sequences."""

    @property
    def structure(self) -> Any:
        """What they are of: that of the game."""

    def ask(self, cards: str | Sequence[str], history: str) -> LocalStrategy:
        """Return what is done with some cards after some actions."""

    def in_form(self, form: SequenceForm) -> Profile:
        """Return the profile of the game's form that plays like this, and is kept like this."""

    def save(self, path: Path) -> None:
        """Write the strategies to a file."""


class Keeping(Protocol):
    """How profiles of a form that has no tree are kept in a file."""

    def of(self, game: SequenceForm, profile: Profile) -> Kept:
        """Return what a profile of the form is kept by.

        Raises
        ------
        UnsupportedGameError
            If it cannot be kept so.
        """

    def load(self, path: Path) -> Kept:
        """Read what `Kept.save` wrote.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, foreign, or of another game.
        """


def is_kept(value: object) -> TypeGuard[Kept]:
    """Return whether something is strategies kept so: a `SignalStrategy`, say."""
    return callable(getattr(value, "in_form", None))
