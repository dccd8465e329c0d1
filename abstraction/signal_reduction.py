"""The reduction of a signal game by classes of observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from seqform.base.arrays import Ints
from seqform.base.deadline import check_time
from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import build_signal_form, sequence_maps
from seqform.form.lifted_profile import LiftedProfile
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import ByClasses, SignalStrategy
from seqform.form.whole_form import whole_form
from seqform.game.observations import Classes, SignalStructure
from seqform.game.signals import SignalGame
from seqform.links.link import EXACTLY, ReductionOptions


@dataclass(frozen=True)
class SignalReduction:
    """Merge observations by a criterion: a function from structures to classes.

    Parameters
    ----------
    name
        What the command line calls it.
    criterion
        Which observations are treated alike.
    lossless
        Whether a theorem says so.
    approximate
        The criterion with a threshold above 0, if it has one.
    theorem
        By what nothing is lost, in a few words.
    """

    name: str
    criterion: Callable[[SignalStructure], Classes]
    lossless: bool = False
    approximate: Callable[[SignalStructure, float], Classes] | None = None
    theorem: str = "its own proof"

    @property
    def takes_threshold(self) -> bool:
        """Whether the criterion has a threshold."""
        return self.approximate is not None

    def accepts(self, game: Any) -> str | None:
        """Return None for signal games of two players."""
        if not isinstance(game, SignalGame):
            return (
                f"reduction {self.name!r} is for signal games, in which chance deals cards and all "
                f"actions are public; {type(game).__name__} is not one: use 'equitable' or 'tree'"
            )
        if game.num_players != 2:
            return (
                f"reduction {self.name!r} is for 2 players and this one has {game.num_players}; "
                "build its tree and use 'equitable' or 'tree'"
            )
        return None

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SignalInverse]:
        """Return the quotient of a signal game and the way back; no tree is built.

        Raises
        ------
        UnsupportedGameError
            If the game is not a signal game of two players, or the criterion does not apply to it.
        """
        refusal = self.accepts(game)
        if refusal is not None:
            raise UnsupportedGameError(refusal)
        structure = SignalStructure(game)
        check_time("looking for classes of observations")
        if options.threshold and self.approximate is not None:
            classes = self.approximate(structure, options.threshold)
        else:
            classes = self.criterion(structure)
        check_time("building the smaller game")
        return build_signal_form(structure, classes), SignalInverse(structure, classes)


@dataclass(frozen=True, eq=False)
class SignalInverse:
    """An inverse kept as classes of observations.

    The game itself, which may be large, is built when it is asked for.

    Raises
    ------
    GameTooLargeError
        When asked for, if the game's sequences do not fit into memory.
    """

    structure: SignalStructure
    classes: Classes

    @cached_property
    def original(self) -> SequenceForm:
        """The game that was reduced."""
        return whole_form(self.structure)

    def lifted(self, profile: Profile, smaller: SequenceForm) -> LiftedProfile:
        """Return a profile of the smaller game as one of the game itself, kept by classes."""
        strategy = SignalStrategy(self.structure, self.classes, profile.behaviors)
        return LiftedProfile(self.original, ByClasses(strategy, (smaller, profile)))

    @cached_property
    def sequences(self) -> tuple[Ints, ...]:
        """For each player, int32 (num_sequences of the original,): sequences after reduction."""
        return sequence_maps(self.structure, self.structure.identity, self.classes)
