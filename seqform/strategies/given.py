"""GivenStrategy: a strategy as a user gave it, maybe for some situations only.

It may leave information sets open, which are filled by a stated rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.errors import (
    InvalidStrategyError,
    UnknownNameError,
)
from seqform.base.summary import Rows, counted
from seqform.form.names import Names
from seqform.form.patterns import Matched
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exactly import (
    ExactStrategies,
    Fractions,
    filled_uniformly,
)

RULES = ("uniform", "refuse")
"""How what is left open is filled, besides from another profile."""


@dataclass(frozen=True, eq=False)
class GivenStrategy:
    """A strategy as it was given, for one player or more, maybe for some information sets only.

    Parameters
    ----------
    form
        The game.
    behaviors
        For each player float64 (num_sequences,): probabilities, and NaN where nothing is said. The
        entry of the empty sequence is 1. An information set is given as a whole or not at all, and
        sums to 1 up to the last digit where it is.
    matched
        What each pattern matched, if it was given by patterns.
    fractions
        For each player the same probabilities in fractions, None where nothing is said. None if
        they were not given in fractions, for the reason that `inexact` has.
    inexact
        Why there are no fractions, for people.
    """

    form: SequenceForm
    behaviors: tuple[Floats, ...]
    matched: tuple[Matched, ...] = ()
    fractions: tuple[Fractions, ...] | None = None
    inexact: str = "it was given in floats"

    @property
    def is_complete(self) -> bool:
        """Whether something is said of every information set of every player."""
        return not any(np.isnan(behavior).any() for behavior in self.behaviors)

    @property
    def players(self) -> tuple[int, ...]:
        """The players of whom something is said, or who have nothing to decide."""
        counts = [treeplex.num_infosets for treeplex in self.form.treeplexes]
        return tuple(p for p, count in enumerate(counts) if len(self.missing(p)) < max(1, count))

    def missing(self, player: int) -> Index:
        """Return the numbers of the player's information sets of which nothing is said."""
        first = self.form.treeplexes[player].first_sequence[:-1]
        return np.flatnonzero(np.isnan(self.behaviors[player][first]))

    def completed(self, rule: str | Profile = "uniform") -> Profile:
        """Return the profile in which what is left open is filled by a rule.

        Parameters
        ----------
        rule
            ``"uniform"``: every action equally likely. ``"refuse"``: nothing may be left open. Or a
            profile of the game: as there, such as in an equilibrium.

        Raises
        ------
        UnknownNameError
            If there is no such rule.
        InvalidStrategyError
            If the rule is ``"refuse"`` and something is left open; it names the first information
            set. If the other profile is of another game.
        """
        filled = [
            np.where(np.isnan(behavior), other, behavior)
            for behavior, other in zip(self.behaviors, self._fillers(rule), strict=True)
        ]
        return self.form.profile(filled)

    def in_fractions(self, rule: str | Profile = "uniform") -> ExactStrategies | str:
        """Return the completed strategies in fractions, or why there are none.

        Parameters
        ----------
        rule
            As for `completed`, which sees to it that there is such a rule.
        """
        if self.fractions is None:
            return self.inexact
        if not self.is_complete and rule != "uniform":
            return "what it leaves open is filled from a strategy in floats"
        return filled_uniformly(self.form, self.fractions)

    def _fillers(self, rule: str | Profile) -> Sequence[Floats]:
        treeplexes = self.form.treeplexes
        if isinstance(rule, Profile):
            if [len(b) for b in rule.behaviors] != [t.num_sequences for t in treeplexes]:
                raise InvalidStrategyError("the profile to complete from belongs to another game")
            return rule.behaviors
        if rule not in RULES:
            raise UnknownNameError.of("rule to complete a strategy", str(rule), RULES)
        if rule == "refuse":
            self._refuse_missing()
        return [treeplex.uniform() for treeplex in treeplexes]

    def _refuse_missing(self) -> None:
        for player in range(self.form.num_players):
            missing = self.missing(player)
            if len(missing):
                raise InvalidStrategyError(
                    f"{Names(self.form, player).of(int(missing[0]))}: nothing is said of it, nor "
                    f"of {counted(len(missing) - 1, 'other')}; give them, or a rule to complete by"
                )


class LeftOpen(NamedTuple):
    """What a strategy left open, and how it was filled."""

    counts: tuple[int, ...]
    """For each player how many information sets nothing is said of."""
    rule: str
    """How they were filled, for people."""

    def rows(self) -> Rows:
        """Return what was left open, in a row if anything was.

        Examples
        --------
        >>> LeftOpen((0, 1), "uniformly").rows()
        [('left open, filled uniformly', '1 information set of player 1')]
        """
        parts = [
            f"{counted(count, 'information set')} of player {player}"
            for player, count in enumerate(self.counts)
            if count
        ]
        return [(f"left open, filled {self.rule}", ", ".join(parts))] if parts else []


NOTHING_OPEN = LeftOpen((), "")


def left_open(given: Profile | GivenStrategy, rule: str | Profile) -> LeftOpen:
    """Return what a strategy leaves open that is filled by a rule; nothing of a profile."""
    how = "as in another strategy" if isinstance(rule, Profile) else "uniformly"
    if not isinstance(given, GivenStrategy):
        return LeftOpen((), how)
    players = range(given.form.num_players)
    return LeftOpen(tuple(len(given.missing(player)) for player in players), how)
