"""The reduced normal form: a table of what all combinations of pure strategies pay.

It grows exponentially with the game, and the sequence form linearly. So it is counted first, and
built only where it fits.

References
----------
von Stengel, "Efficient computation of behavior strategies", GEB 14, 1996, Sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np

from seqform.base.arrays import Floats, Index, Mask, Numbers
from seqform.base.errors import GameTooLargeError, InvalidParameterError
from seqform.base.memory import require_memory
from seqform.base.number import check_index, check_player
from seqform.base.summary import Rows, Summarized, counted
from seqform.form.from_any import Formed, form_from
from seqform.form.mixed_strategy import MixedStrategy
from seqform.form.one_shot import one_shot
from seqform.form.payoff_table import PayoffTable, payoff_table
from seqform.form.pure_strategies import count_strategies, large_number, pure_plans
from seqform.form.sequence_form import SequenceForm
from seqform.game import needs

MAX_COMBINATIONS = 10**8
"""Combinations of strategies that are built without being asked for more."""

BYTES_PER_NUMBER = 16
"""Peak memory for each number of a table, while a block of it is added up."""


@dataclass(frozen=True, eq=False, repr=False)
class NormalForm(Summarized):
    """A game as a table: a row of it, or column, or layer, is a reduced pure strategy.

    Parameters
    ----------
    form
        The game.
    plans
        For each player bool (num_strategies, num_sequences): the plan of each strategy.
    tables
        For each player, what combinations of strategies pay. In a constant-sum game of two players
        only player 0's table is kept.
    """

    form: SequenceForm
    plans: tuple[Mask, ...]
    tables: tuple[PayoffTable, ...]

    @property
    def num_strategies(self) -> tuple[int, ...]:
        """Reduced pure strategies of each player."""
        return tuple(map(len, self.plans))

    def payoffs(self, player: int) -> Floats:
        """Return what each combination pays a player, float64, in the game's unit.

        Raises
        ------
        InvalidParameterError
            If there is no such player.
        """
        check_player(player, len(self.plans))
        if player >= len(self.tables):
            return float(self.form.constant_sum or 0) - self.payoffs(0)
        return self.tables[player].to_floats()

    def to_arrays(self) -> tuple[Numbers, ...]:
        """Return what combinations pay each player: what `matrix_game` makes a game of.

        For each player an array with an axis for each player, whose entries are `Fraction` where
        the game is exact, else float64.

        Examples
        --------
        >>> from seqform import make
        >>> build_normal_form(make("matching-pennies")).to_arrays()[0].tolist()
        [[Fraction(1, 1), Fraction(-1, 1)], [Fraction(-1, 1), Fraction(1, 1)]]
        """
        found = [table.to_numbers() for table in self.tables]
        if len(found) < len(self.plans):
            found.append((self.form.constant_sum or 0) - found[0])
        return tuple(found)

    def payoff(self, strategies: Sequence[int]) -> tuple[Fraction | float, ...]:
        """Return what a combination pays each player: fractions where the game is exact.

        Parameters
        ----------
        strategies
            The number of a strategy for each player.

        Raises
        ------
        InvalidParameterError
            If a player has no such strategy.
        """
        if len(strategies) != len(self.plans):
            raise InvalidParameterError(
                f"{counted(len(strategies), 'strategy', 'strategies')} given for "
                f"{counted(len(self.plans), 'player')}"
            )
        chosen = tuple(
            check_index(strategy, len(plans), "strategy", f"of player {player}")
            for player, (strategy, plans) in enumerate(zip(strategies, self.plans, strict=True))
        )
        paid = [table[chosen] for table in self.tables]
        if len(paid) < len(self.plans):
            paid.append((self.form.constant_sum or 0) - paid[0])
        return tuple(paid)

    def actions(self, player: int, strategy: int) -> list[tuple[Hashable, Hashable]]:
        """Return the information sets that a strategy lets happen, each with the action there.

        Raises
        ------
        InvalidParameterError
            If there is no such player, or the player has no such strategy.
        """
        check_player(player, len(self.plans))
        check_index(strategy, len(self.plans[player]), "strategy", f"of player {player}")
        return [
            (self.form.infoset_label(player, infoset), self.form.actions(player, infoset)[place])
            for infoset, place in self._choices(player, strategy)
        ]

    def name(self, player: int, strategy: int) -> str:
        """Return a strategy as the places of its actions from 1 on, in the order of the sets.

        A star stands for an information set that the strategy excludes. From 10 actions on, places
        are parted by dots.
        """
        treeplex = self.form.treeplexes[player]
        places = ["*"] * treeplex.num_infosets
        for infoset, place in self._choices(player, strategy):
            places[infoset] = str(place + 1)
        return ("." if treeplex.num_actions.max(initial=0) > 9 else "").join(places) or "*"

    def _choices(self, player: int, strategy: int) -> list[tuple[int, int]]:
        """Return the information sets that a strategy reaches, and the place of its action."""
        treeplex = self.form.treeplexes[player]
        played: Index = np.flatnonzero(self.plans[player][strategy])[1:]
        infosets = treeplex.infoset_of[played]
        places = played - treeplex.first_sequence[infosets]
        return list(zip(infosets.tolist(), places.tolist(), strict=True))

    def mixed(self, player: int, weights: Numbers) -> MixedStrategy:
        """Return the mixed strategy with a weight for each pure one; see `MixedStrategy`."""
        check_player(player, len(self.plans))
        return MixedStrategy(self.plans[player], weights)

    @cached_property
    def one_shot(self) -> SequenceForm:
        """The game in which every player chooses a strategy once and for all, seeing nothing.

        It is a sequence form of one information set for each player. Up to `LARGEST_TREE`
        combinations it has a tree as well, for methods that need one.
        """
        names = [
            [self.name(player, strategy) for strategy in range(count)]
            for player, count in enumerate(self.num_strategies)
        ]
        return one_shot(self.form, self.tables, names)

    def summary(self) -> Rows:
        """Return the sizes of the table."""
        return [
            ("players", f"{len(self.plans)}"),
            ("strategies", " x ".join(f"{count:,}" for count in self.num_strategies)),
            ("combinations", f"{prod(self.num_strategies):,}"),
            ("numbers", "exact" if all(table.is_exact for table in self.tables) else "floats"),
            ("unit", self.form.unit),
        ]


def build_normal_form(game: Formed, max_combinations: int = MAX_COMBINATIONS) -> NormalForm:
    """Return the reduced normal form of a game of any number of players.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a sequence form.
    max_combinations
        Most combinations of strategies to build.

    Raises
    ------
    GameTooLargeError
        If there are more, saying how many, or they do not fit into the memory.
    InvalidParameterError
        If `max_combinations` is no number from 1 on.

    Examples
    --------
    >>> from seqform import make
    >>> normal = build_normal_form(make("kuhn"))
    >>> normal.num_strategies, normal.payoff((0, 0))
    ((27, 64), (Fraction(0, 1), Fraction(0, 1)))
    """
    if not (isinstance(max_combinations, (int, float)) and max_combinations >= 1):
        raise InvalidParameterError(
            f"max_combinations={max_combinations!r}: use a number from 1 on"
        )
    form = form_from(game)
    _require_size(form, max_combinations)
    plans = tuple(map(pure_plans, form.treeplexes))
    num_tables = 1 if needs.is_zero_sum(form) else form.num_players
    playing = [_playing(strategies) for strategies in plans]
    tables = (payoff_table(form.payoffs, player, playing) for player in range(num_tables))
    return NormalForm(form, plans, tuple(tables))


def to_arrays(game: Formed, max_combinations: int = MAX_COMBINATIONS) -> tuple[Numbers, ...]:
    """Return a game as arrays, one for each player: `NormalForm.to_arrays` of its normal form.

    Parameters and errors are those of `build_normal_form`. Of a game that `matrix_game` made, these
    are the arrays that it was made of.
    """
    return build_normal_form(game, max_combinations).to_arrays()


def _require_size(form: SequenceForm, most: float) -> None:
    """See that a normal form is small enough, before any of it is built."""
    counts = [count_strategies(treeplex).reduced for treeplex in form.treeplexes]
    combinations = prod(counts)
    made = f"{' x '.join(map(large_number, counts))} = {large_number(combinations)} combinations"
    sequences = " + ".join(f"{treeplex.num_sequences:,}" for treeplex in form.treeplexes)
    instead = f"use the sequence form, as solve does: it has {sequences} sequences"
    if combinations > most:
        raise GameTooLargeError(
            f"the reduced normal form has {made} of strategies, more than the "
            f"{most:,.0f} that are built; {instead}"
        )
    pairs = zip(counts, form.treeplexes, strict=True)
    size = sum(count * treeplex.num_sequences for count, treeplex in pairs)
    size += BYTES_PER_NUMBER * combinations * form.num_players
    require_memory(size, f"a table of {made}", instead)


def _playing(plans: Mask) -> list[Index]:
    """Return the strategies that play each sequence."""
    sequences, strategies = np.nonzero(plans.T)
    ends = np.cumsum(np.bincount(sequences, minlength=plans.shape[1]))
    return np.split(strategies, ends[:-1])  # each played by some strategy
