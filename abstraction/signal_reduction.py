"""The reduction of a signal game by classes of observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import UnsupportedGameError
from seqform.form.from_signals import build_signal_form, sequence_maps
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure
from seqform.game.signals import SignalGame
from seqform.form.signal_strategy import whole_form
from seqform.tree.from_any import AnyGame

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class SignalReduction:
    """Merge observations by a criterion of `abstraction.signal_criteria`, or by any function from structures to classes."""

    name: str
    criterion: Callable[[SignalStructure], Classes]

    def apply(
        self, game: AnyGame, max_nodes: int | None = None
    ) -> tuple[SequenceForm, SignalInverse]:
        """Return the quotient of a signal game and the way back to its own sequence form; no tree is built.

        Raises
        ------
        UnsupportedGameError
            If the game is not a signal game, or the criterion does not apply to it.
        """
        if not isinstance(game, SignalGame):
            raise UnsupportedGameError(
                f"criterion {self.name!r} is for signal games, in which chance deals cards and "
                f"all actions are public, and "
                f"{type(game).__name__} is none; use 'equitable' or 'tree'"
            )
        structure = SignalStructure(game)
        classes = self.criterion(structure)
        return build_signal_form(structure, classes), SignalInverse(structure, classes)


@dataclass(frozen=True, eq=False)
class SignalInverse:
    """An inverse kept as classes of observations; the game itself, which may be large, is built when it is asked for.

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

    @cached_property
    def sequences(self) -> tuple[Ints, ...]:
        """For each player, int32 (num_sequences of the original): a sequence of the reduced game."""
        return sequence_maps(self.structure, self.structure.identity, self.classes)
