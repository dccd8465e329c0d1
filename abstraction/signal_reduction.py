"""The reduction of a signal game by classes of observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seqform.build import AnyGame
from seqform.errors import UnsupportedGameError
from seqform.memory import require_memory
from seqform.sequence_form import SequenceForm
from seqform.signal_counts import count_sequences
from seqform.signal_form import Betting, build_signal_form
from seqform.signal_game import SignalGame
from seqform.signal_structure import Classes, SignalStructure

Ints = NDArray[np.int32]

BYTES_PER_SEQUENCE = 60
"""Measured on decks of 5 to 8 ranks: 46 for the game's treeplexes, a profile and its certificate."""


@dataclass(frozen=True)
class SignalReduction:
    """Merge observations by a criterion of `abstraction.signal_criteria`, or by any function from structures to classes."""

    name: str
    criterion: Callable[[SignalStructure], Classes]

    def apply(self, game: AnyGame, max_nodes: int | None = None) -> tuple[SequenceForm, SignalInverse]:
        """Return the quotient of a signal game and the way back to its own sequence form; no tree is built.

        Raises
        ------
        UnsupportedGameError
            If the game is not a signal game, or the criterion does not apply to it.
        """
        if not isinstance(game, SignalGame):
            raise UnsupportedGameError(
                f"criterion {self.name!r} is for signal games, in which chance deals cards and all actions are public, and "
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
        size = sum(count_sequences(self.structure)[1])
        require_memory(BYTES_PER_SEQUENCE * size, f"a profile with {size:,} sequences", "use a smaller deck")
        return build_signal_form(self.structure)

    @cached_property
    def sequences(self) -> tuple[Ints, ...]:
        """For each player, int32 (num_sequences of the original): a sequence of the reduced game."""
        return sequence_maps(self.structure, self.classes)


def sequence_maps(structure: SignalStructure, classes: Classes) -> tuple[Ints, ...]:
    """Return, for each player, the quotient's sequence of each sequence of the game."""
    maps = []
    for player in (0, 1):
        fine, coarse = (Betting(structure, of, player) for of in (structure.identity, classes))
        parts = [np.zeros(1, dtype=np.int32)]
        for at, stage in enumerate(fine.stage):  # both have the same public nodes in the same order
            count = fine.num_actions[at]
            first = coarse.first_sequence[at] + count * classes[player][stage]
            parts.append((first[:, None] + np.arange(count)).ravel().astype(np.int32))
        maps.append(np.concatenate(parts))
    return tuple(maps)
