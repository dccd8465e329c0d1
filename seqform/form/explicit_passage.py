"""How an explicit form is gone through: in one block, by vectors over all sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.arrays import Exact, Floats
from seqform.base.errors import InvalidStrategyError
from seqform.form.listed_paid import ListedPaid
from seqform.form.protocol import Integers, Paid, Parts, Played
from seqform.form.treeplex import Treeplex

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

ROOM = 62
"""Bits of int64, sign apart, of which one is to spare."""


class Run(NamedTuple):
    """A step: a run of a treeplex. A vector has one part, with the key 0."""

    treeplex: Treeplex
    infosets: slice
    sequences: slice

    def entries(self, parts: Parts) -> Any:
        """Return the entries of the actions."""
        return parts[0][self.sequences]

    def over_actions(self, operation: np.ufunc, parts: Parts) -> Any:
        """Return a reduction over the actions of each information set."""
        return self.treeplex.over_actions(operation, parts[0], self.infosets)

    def spread(self, values: Any) -> Any:
        """Return each value once for each action."""
        return np.repeat(values, self.treeplex.num_actions[self.infosets])

    def add(self, values: Any, parts: Parts, later: Parts) -> None:
        """Add values to the sequences that lead there."""
        np.add.at(parts[0], self.treeplex.parent_sequence[self.infosets], values)


def steps_of(treeplex: Treeplex) -> Iterator[Run]:
    """Yield the runs of a treeplex, last ones first."""
    for infosets, sequences in reversed(treeplex.runs):
        yield Run(treeplex, infosets, sequences)


class WholeBlock(NamedTuple):
    """All of a form."""

    form: SequenceForm

    @property
    def times(self) -> int:
        """It stands for itself."""
        return 1

    @property
    def is_last(self) -> bool:
        """There is no other."""
        return True

    def steps(self, player: int) -> Iterator[Run]:
        """Yield the runs of a player's treeplex."""
        return steps_of(self.form.treeplexes[player])

    def paid(self, player: int, plans: Sequence[Parts]) -> Paid:
        """Return the gradient, that of positive payoffs, and bounds on the entries' errors."""
        vectors = [plan[0] for plan in plans]
        errors = self.form.error_gradient(player, vectors)
        return ListedPaid(
            {0: self.form.gradient(player, vectors)},
            {0: self.form.absolute_gradient(player, vectors)},
            None if errors is None else {0: errors},
        )

    def numerators(self, player: int, plans: Sequence[Parts]) -> Parts:
        """Return the gradient in integers: of int64, or of Python ints, as the plans are."""
        operator = self.form.zero_sum_operator()
        if player == 0:
            return {0: operator.integer_times(plans[1][0])}
        return {0: -operator.integer_transposed_times(plans[0][0])}

    def root(self, parts: Parts) -> Any:
        """Return the entry of the empty sequence."""
        return parts[0][0]


class LaidOut(NamedTuple):
    """Vectors as they are."""

    vectors: Sequence[Exact]

    def on(self, block: WholeBlock) -> list[Parts]:
        """Return each as a vector with one part."""
        return [{0: vector} for vector in self.vectors]


class ExplicitPassage:
    """A form and a profile of it, by vectors; or a form for vectors that are given.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game.
    """

    def __init__(self, form: SequenceForm, profile: Profile | None = None) -> None:
        if profile is not None:
            check_shapes(form, profile)
        self.form, self._profile = form, profile

    @property
    def treeplexes(self) -> Sequence[Treeplex]:
        """Those of the form."""
        return self.form.treeplexes

    @property
    def behaviors(self) -> Sequence[Floats]:
        """Those of the profile."""
        return self._given.behaviors

    @property
    def _given(self) -> Profile:
        if self._profile is None:
            raise InvalidStrategyError("there is no profile here, and plans are given apart")
        return self._profile

    def blocks(self) -> Iterator[WholeBlock]:
        """Yield the form itself."""
        yield WholeBlock(self.form)

    def played(self, player: int, block: WholeBlock) -> Played:
        """Return a player's plan."""
        plan = self._given.plans[player]
        if not np.isfinite(plan).all():
            raise InvalidStrategyError("a profile with entries that are not finite proves nothing")
        return Played({0: plan}, self.form.treeplexes[player].residuals(plan))

    def laid_out(self, player: int, vectors: Sequence[Exact]) -> LaidOut:
        """Return vectors as they are."""
        return LaidOut(vectors)

    def gathered(self, player: int, block: WholeBlock, parts: Parts) -> Floats:
        """Return the vector as it is."""
        found: Floats = parts[0]
        return found

    def whole(self, plans: tuple[Exact, ...]) -> tuple[Exact, ...]:
        """Return the plans as they are."""
        return plans

    def integers(self) -> Integers:
        """Return the bounds of the form's payoffs; at most one sequence of each set is added up."""
        return integers_of(self.form)


def integers_of(form: SequenceForm) -> Integers:
    """Return the bounds by which integers of a form are chosen.

    Raises
    ------
    UnsupportedGameError
        If the game is not of two players and constant sum (R10).
    """
    operator = form.zero_sum_operator()
    bound = operator.numerator_bound()
    infosets = max(treeplex.num_infosets for treeplex in form.treeplexes)
    return Integers(operator.denominator, bound, bound * (1 + infosets), ROOM)


def check_shapes(form: SequenceForm, profile: Profile) -> None:
    """Check that a profile's plans are as long as the game's sequences are many.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game.
    """
    expected = [treeplex.num_sequences for treeplex in form.treeplexes]
    given = profile.num_sequences
    if expected != given:
        raise InvalidStrategyError(
            f"the profile has {given} sequences where the "
            f"game has {expected}; it belongs to another game"
        )
