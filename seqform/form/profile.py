"""Strategy profiles: one behaviour strategy and realization plan per player."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.form.treeplex import Treeplex


@dataclass(frozen=True, eq=False)
class Profile:
    """What every player does: behaviour strategies, and the realization plans that they induce.

    Each is one float64 (num_sequences,) vector per player; the plans are always made from the
    behaviours.
    """

    behaviors: tuple[Floats, ...]
    plans: tuple[Floats, ...]

    @classmethod
    def from_behaviors(
        cls,
        treeplexes: Sequence[Treeplex],
        behaviors: Sequence[Floats],
        label: Callable[[int, int], Hashable] | None = None,
    ) -> Profile:
        """Make a profile from behaviour strategies; `SequenceForm.profile` is the short way.

        Parameters
        ----------
        treeplexes
            One per player.
        behaviors
            float64 (num_sequences,) for each player.
        label
            Names an information set, given player and number, in error messages.

        Raises
        ------
        InvalidStrategyError
            If one is not a behaviour strategy of its treeplex.
        """
        if len(behaviors) != len(treeplexes):
            raise InvalidStrategyError(
                f"{len(behaviors)} strategies given for {len(treeplexes)} players"
            )
        normalized = []
        for player, (treeplex, behavior) in enumerate(zip(treeplexes, behaviors, strict=True)):
            check_time("making plans of strategies")
            vector = _vector(behavior, player, "strategy")
            names = label and partial(label, player)
            with _of_player(player):
                normalized.append(treeplex.normalize(vector, label=names))
        return cls(
            tuple(normalized),
            tuple(t.to_plan(b) for t, b in zip(treeplexes, normalized, strict=True)),
        )

    @classmethod
    def from_plans(
        cls,
        treeplexes: Sequence[Treeplex],
        plans: Sequence[Floats],
        label: Callable[[int, int], Hashable] | None = None,
    ) -> Profile:
        """Make the profile of a solver's plans, which may be slightly off.

        Negative weights become 0, then each information set is made to sum to one.

        Parameters
        ----------
        treeplexes
            One per player.
        plans
            float64 (num_sequences,) for each player.
        label
            Names an information set, given player and number, in error messages.

        Raises
        ------
        InvalidStrategyError
            If there is not one finite plan of the right length per player.
        """
        if len(plans) != len(treeplexes):
            raise InvalidStrategyError(f"{len(plans)} plans given for {len(treeplexes)} players")
        behaviors = []
        for player, (treeplex, plan) in enumerate(zip(treeplexes, plans, strict=True)):
            vector = _vector(plan, player, "plan")
            with _of_player(player):
                treeplex.check_plan(vector, label and partial(label, player))
            behaviors.append(treeplex.to_behavior(np.maximum(vector, 0.0)))
        return cls.from_behaviors(treeplexes, behaviors, label)

    def rounded(self, treeplexes: Sequence[Treeplex], bits: int = 24) -> Profile:
        """Return the profile with probabilities in multiples of ``2**-bits``.

        See `Treeplex.round_behavior`.
        """
        return Profile.from_behaviors(
            treeplexes,
            [t.round_behavior(b, bits) for t, b in zip(treeplexes, self.behaviors, strict=True)],
        )

    @classmethod
    def uniform(cls, treeplexes: Sequence[Treeplex]) -> Profile:
        """Make the profile in which everybody chooses uniformly everywhere."""
        return cls.from_behaviors(treeplexes, [treeplex.uniform() for treeplex in treeplexes])


@contextmanager
def _of_player(player: int) -> Iterator[None]:
    """Say of errors in a strategy whose it is."""
    try:
        yield
    except InvalidStrategyError as error:
        raise InvalidStrategyError(f"player {player}, {error}") from None


def _vector(numbers: object, player: int, kind: str) -> Floats:
    try:
        return np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidStrategyError(f"player {player}: a {kind} is a vector of numbers") from None
