"""The reduction of a signal game by classes of observations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from abstraction.reduction import Inverse
from seqform.build import AnyGame
from seqform.errors import UnsupportedGameError
from seqform.sequence_form import SequenceForm
from seqform.signal_form import Betting, build_signal_form
from seqform.signal_game import SignalGame
from seqform.signal_structure import Classes, SignalStructure

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class SignalReduction:
    """Merge observations by a criterion of `abstraction.signal_criteria`, or by any function from structures to classes."""

    name: str
    criterion: Callable[[SignalStructure], Classes]

    def apply(self, game: AnyGame) -> tuple[SequenceForm, Inverse]:
        """Return the quotient of a signal game and the way back to its own sequence form.

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
        inverse = Inverse(build_signal_form(structure), sequence_maps(structure, classes))
        return build_signal_form(structure, classes), inverse


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
