"""Strategy profiles: one behaviour strategy and realization plan per player."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.base.number import check_player, plain
from seqform.base.pictures import Pictured
from seqform.base.summary import counted
from seqform.form.treeplex import Treeplex
from seqform.game.kinds import ProfileKind

if TYPE_CHECKING:
    from seqform.form.keeping import Kept
    from seqform.form.local_strategy import PlayerStrategy
    from seqform.form.names import Named
    from seqform.form.sequence_form import SequenceForm


class Profile(ProfileKind, Pictured):
    """What every player does: behaviour strategies, and the realization plans that they induce.

    Each is one float64 (num_sequences,) vector per player; the plans are always made from the
    behaviours. A profile that knows its `form` is asked by names: ``profile[player]`` maps each
    information set to what is done there, ``profile[player, infoset]`` is one of these, and
    ``profile[player, infoset, action]`` a probability. Names are the game's own, or how these are
    written.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import solve
    >>> solve(kuhn()).profile[1, "K:bet", "call"]
    1.0
    """

    picture = "profile"

    def __init__(
        self, behaviors: tuple[Floats, ...], plans: tuple[Floats, ...], *, form: Named | None = None
    ) -> None:
        self._vectors, self._form = (behaviors, plans), form

    @property
    def behaviors(self) -> tuple[Floats, ...]:
        """Behaviour strategies."""
        return self._vectors[0]

    @property
    def plans(self) -> tuple[Floats, ...]:
        """Realization plans."""
        return self._vectors[1]

    @property
    def form(self) -> Named | None:
        """The form by whose names it is asked, if it knows one."""
        return self._form

    def __repr__(self) -> str:
        return f"{type(self).__name__}(behaviors={self.behaviors!r}, plans={self.plans!r})"

    @property
    def num_sequences(self) -> list[int]:
        """How many sequences each player's plan has."""
        return [len(plan) for plan in self.plans]

    @property
    def kept(self) -> Kept | None:
        """What the profile is kept by in place of vectors, if it is: classes, say, or boards."""
        return None

    @property
    def in_signals(self) -> tuple[SequenceForm, Profile] | None:
        """The form and the profile of a smaller signal game that this one was lifted from, if any.

        It is as well looked at there.
        """
        return None

    def __getitem__(self, key: Any) -> Any:
        """Return what a player, an information set or an action is given.

        Raises
        ------
        UnknownNameError
            With the nearest name there is.
        InvalidParameterError
            If there is no such player, the key is none of the three, or the profile was made
            without a form.
        """
        names = key if isinstance(key, tuple) else (key,)
        if self.form is None:
            raise InvalidParameterError(
                "this profile was made of treeplexes, which have no names: "
                "make it with form.profile(behaviors)"
            )
        if not 1 <= len(names) <= 3:
            raise InvalidParameterError(
                f"a profile has no {plain(key)}: ask for [player], [player, infoset] or "
                "[player, infoset, action]"
            )
        strategy = self._strategies[check_player(names[0], len(self.form.treeplexes))]
        if len(names) == 1:
            return strategy
        return strategy[names[1]] if len(names) == 2 else strategy.probability(*names[1:])

    @cached_property
    def _strategies(self) -> list[PlayerStrategy]:
        from seqform.form.local_strategy import PlayerStrategy

        form = cast("Named", self.form)
        vectors = zip(self.behaviors, self.plans, strict=True)
        return [PlayerStrategy(form, player, *each) for player, each in enumerate(vectors)]

    def of(self, form: Named) -> Self:
        """Return the same profile asked by the names of another form, with the same sequences."""
        if self.form is form:
            return self
        other = copy(self)
        other.__dict__.pop("_strategies", None)  # those of the other names
        other._form = form
        return other

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
        made = normalized(treeplexes, behaviors, label)
        return cls(made, tuple(t.to_plan(b) for t, b in zip(treeplexes, made, strict=True)))

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
            raise InvalidStrategyError(
                f"{counted(len(plans), 'plan')} given for {counted(len(treeplexes), 'player')}"
            )
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


def normalized(
    treeplexes: Sequence[Treeplex],
    behaviors: Sequence[Floats],
    label: Callable[[int, int], Hashable] | None = None,
) -> tuple[Floats, ...]:
    """Return behaviour strategies that sum to one; for errors see `Profile.from_behaviors`."""
    if len(behaviors) != len(treeplexes):
        raise InvalidStrategyError(
            f"{counted(len(behaviors), 'strategy', 'strategies')} given for "
            f"{counted(len(treeplexes), 'player')}"
        )
    found = []
    for player, (treeplex, behavior) in enumerate(zip(treeplexes, behaviors, strict=True)):
        check_time("making plans of strategies")
        vector = _vector(behavior, player, "strategy")
        names = label and partial(label, player)
        with _of_player(player):
            found.append(treeplex.normalize(vector, label=names))
    return tuple(found)


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
