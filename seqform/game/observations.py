"""A two-player signal game in two parts: the public tree, and what players observe of the deals.

A *stage* is a number of signals dealt at which somebody decides or the game ends. At each stage a
player has a list of *observations* (the signals seen so far), and every deal is one observation of
each player. Strategies are built on *classes* of observations: maps from the observations of a
player and stage to numbers without gaps. If every observation is a class by itself, the result is
the game itself; anything coarser is an abstraction of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seqform.base.arrays import Index, Ints
from seqform.base.errors import ImperfectRecallError, InvalidGameError, UnsupportedGameError
from seqform.base.number import check_num_players
from seqform.base.summary import counted
from seqform.game.deals import Deals
from seqform.game.orbits import Share, connected, first_of_each, images_of, share_of
from seqform.game.public_tree import PublicTree
from seqform.game.rules import CHANCE
from seqform.game.signals import EVERYONE, SignalGame, outcome_payoffs

Classes = tuple[tuple[Ints, ...], ...]
"""For each player and stage, the class of each observation."""

MAX_DEALS = 100_000_000
"""A deal takes about 60 bytes while classes are found."""


class SignalStructure:
    """Stages, observations and payoffs of a two-player signal game, as arrays over all its deals.

    Parameters
    ----------
    game
        The rules.
    max_deals
        The most deals to put into a table.

    Raises
    ------
    UnsupportedGameError
        If the game has not two players, or who sees a signal depends on what was done before.
    InvalidGameError, GameTooLargeError
        As `PublicTree` and `Deals` do.
    """

    def __init__(self, game: SignalGame, max_deals: int = MAX_DEALS) -> None:
        if check_num_players(game.num_players) != 2:
            raise UnsupportedGameError(
                "a signal game is taken apart for 2 players and "
                f"this one has {game.num_players}; build its tree"
            )
        self.game = game
        self.public = PublicTree(game)
        self.recipients = _recipients(self.public)
        nodes = zip(self.public.num_signals, self.public.player, strict=True)
        dealt = {num_signals for num_signals, player in nodes if player != CHANCE}
        self.stages = tuple(sorted(dealt))
        self.stage_of_node = [
            self.stages.index(k) if k in dealt else -1 for k in self.public.num_signals
        ]
        self.max_deals = max_deals
        self._ways: dict[tuple[int, int], Index] = {}
        self._shares: dict[tuple[int, int], Share | None] = {}
        self._exchanges: list[dict[tuple[int, int], Ints]] | None = None

    @cached_property
    def deals(self) -> Deals:
        """All deals."""
        return Deals(self.game.deck, self.stages[-1], self.max_deals)

    @property
    def num_stages(self) -> int:
        """How many stages there are."""
        return len(self.stages)

    def seen(self, player: int, stage: int) -> tuple[int, ...]:
        """Return the positions of the signals that a player has seen at a stage."""
        recipients = self.recipients[: self.stages[stage]]
        return tuple(i for i, who in enumerate(recipients) if who in (player, EVERYONE))

    @cached_property
    def observations(self) -> Classes:
        """For each player and stage, the observation of each deal, int32 (num_deals,)."""
        deals, stages = self.deals, list(enumerate(self.stages))
        return tuple(
            tuple(deals.observation(k, self.seen(player, stage)) for stage, k in stages)
            for player in (0, 1)
        )

    @cached_property
    def representatives(self) -> Classes:
        """For each player and stage, a deal for each observation, int32 (num_observations,)."""
        return tuple(tuple(map(_representatives, stages)) for stages in self.observations)

    def num_observations(self, player: int, stage: int) -> int:
        """Return how many observations a player can have at a stage."""
        return len(self.representatives[player][stage])

    def ancestor(self, stage: int, earlier: int, deals: Ints | None = None) -> Ints:
        """Return the deal at an earlier stage of each deal at a stage, or of some."""
        deal = deals
        if deal is None:
            deal = np.arange(self.deals.count(self.stages[stage]), dtype=np.int32)
        for k in range(self.stages[stage], self.stages[earlier], -1):
            deal = self.deals.parent[k][deal]
        return deal

    def earlier(self, player: int, stage: int) -> Ints:
        """Return the observation one stage before each one, int32 (num_observations,)."""
        deal = self.representatives[player][stage]
        for k in range(self.stages[stage], self.stages[stage - 1], -1):
            deal = self.deals.parent[k][deal]
        return self.observations[player][stage - 1][deal]

    def signals(self, player: int, stage: int) -> Ints:
        """Return the signals of each observation, int32 (num_observations, number seen)."""
        return self.deals.signals[self.stages[stage]][self.representatives[player][stage]][
            :, self.seen(player, stage)
        ]

    def ways(self, player: int, stage: int) -> Index:
        """Return in how many ways each observation comes about, int64 (num_observations,)."""
        if (player, stage) not in self._ways:
            self._ways[player, stage] = self.count(
                stage, self.observations[player][stage], self.num_observations(player, stage)
            )
        return self._ways[player, stage]

    def count(self, stage: int, code: Ints, size: int) -> Index:
        """Return in how many ways each code below `size` comes about, over deals of a stage."""
        if max(self.game.deck.copies) == 1:
            return np.bincount(code, minlength=size)
        ways = np.zeros(size, dtype=np.int64)
        np.add.at(ways, code, self.deals.ways(self.stages[stage]))
        return ways

    @cached_property
    def outcomes(self) -> tuple[tuple[Hashable, int], ...]:
        """The ways in which the game can end, each with its stage."""
        ends = cast("tuple[tuple[Hashable, int], ...]", self.public.outcomes.values())
        return tuple((outcome, self.stages.index(k)) for outcome, k in ends)

    @cached_property
    def payoffs(self) -> tuple[NDArray[Any], ...]:
        """For each outcome, what player 0 is paid at stake 1 in each deal.

        Raises
        ------
        UnsupportedGameError
            Unless player 1 pays it.
        """
        found = []
        for outcome, stage in self.outcomes:
            payoffs = outcome_payoffs(self.game, outcome, self.deals.signals[self.stages[stage]])
            if (payoffs[:, 0] != -payoffs[:, 1]).any():
                raise UnsupportedGameError(
                    "R10: a signal game is taken apart if it is zero-sum, "
                    f"and {outcome!r} is not; build its tree"
                )
            found.append(payoffs[:, 0])
        return tuple(found)

    @cached_property
    def _is_constant(self) -> tuple[bool, ...]:
        return tuple(not (payoffs != payoffs[0]).any() for payoffs in self.payoffs)

    def informative(self, stage: int) -> list[int]:
        """Return the rows of the outcomes at a stage whose payoffs depend on the deal."""
        return [
            row
            for row, (_, at) in enumerate(self.outcomes)
            if at == stage and not self._is_constant[row]
        ]

    @property
    def identity(self) -> Classes:
        """The classes that keep every observation apart."""
        return tuple(
            tuple(np.arange(len(r), dtype=np.int32) for r in stages)
            for stages in self.representatives
        )

    @cached_property
    def orbits(self) -> Classes:
        """The orbit of each observation under the symmetries of the deck, which are checked.

        Where one of them is none of the game, each observation is an orbit by itself.
        """
        try:
            return self.checked_orbits()
        except InvalidGameError:
            return self.identity

    def checked_orbits(self) -> Classes:
        """Return the orbit of each observation, numbered in the order of their first members.

        What a deck declares is not believed: a symmetry has to keep the copies of all cards, and
        what every deal pays.

        Raises
        ------
        InvalidGameError
            If a symmetry of the deck does not.
        """
        found = [self._exchange(n) for n in range(len(self.game.deck.symmetries))]
        self._exchanges = found
        return tuple(
            tuple(
                connected([maps[p, s] for maps in found], self.num_observations(p, s))
                for s in range(self.num_stages)
            )
            for p in (0, 1)
        )

    @property
    def exchanges(self) -> list[dict[tuple[int, int], Ints]]:
        """What each symmetry makes of the observations of each player and stage, if it is one."""
        if self._exchanges is None:
            _ = self.orbits
        return self._exchanges or []

    def _exchange(self, number: int) -> dict[tuple[int, int], Ints]:
        images = self._checked_images(number)
        return {
            (player, stage): observed[images[stage][self.representatives[player][stage]]]
            for player, stages in enumerate(self.observations)
            for stage, observed in enumerate(stages)
        }

    def _checked_images(self, number: int) -> list[Ints]:
        """Return, for each stage, the deal that a symmetry makes of each; all pay the same."""
        symmetry, copies = self.game.deck.symmetries[number], self.game.deck.copies
        if [copies[card] for card in symmetry] != list(copies):
            raise InvalidGameError(
                f"symmetry {number} of the deck does not exchange cards with equally many copies"
            )
        every = images_of(self.deals, np.array(symmetry, dtype=np.int32))
        images = [every[num_signals] for num_signals in self.stages]
        for stage in range(self.num_stages):
            for row in self.informative(stage):
                payoffs: Any = self.payoffs[row]
                changed = payoffs != payoffs[images[stage]]
                if changed.any():
                    raise InvalidGameError(self._changes(number, row, int(changed.argmax())))
        return images

    def _changes(self, number: int, row: int, deal: int) -> str:
        outcome, stage = self.outcomes[row]
        dealt = self.deals.signals[self.stages[stage]][deal].tolist()
        cards = " ".join(str(self.game.deck.cards[card]) for card in dealt)
        return (
            f"symmetry {number} of the deck changes what {outcome!r} pays on the deal {cards}, "
            "so it is not a symmetry of the game; drop it"
        )

    def share(self, player: int, stage: int) -> Share | None:
        """Return the deals in which a player has the first observation of each orbit.

        None if that is all of them.
        """
        key = player, stage
        if key not in self._shares:
            orbit, observed = self.orbits[player][stage], self.observations[player][stage]
            is_all = int(orbit.max()) + 1 == len(orbit)
            self._shares[key] = None if is_all else share_of(orbit, observed)
        return self._shares[key]

    def keeps_orbits(self, classes: Classes, player: int, stage: int) -> bool:
        """Tell whether classes do not tell apart what is in one orbit."""
        of = classes[player][stage]
        if int(of.max()) + 1 == len(of):  # each is a class by itself
            return False
        orbit = self.orbits[player][stage]
        return bool((of == of[first_of_each(orbit)][orbit]).all())

    def check_classes(self, classes: Classes) -> None:
        """Validate classes: of this game, without gaps, and with perfect recall.

        Raises
        ------
        UnsupportedGameError
            If the classes are not of this game, or their numbers have gaps.
        ImperfectRecallError
            R9: if players in one class came from different classes of the stage before.
        """
        if [len(stages) for stages in classes] != [self.num_stages] * 2:
            raise UnsupportedGameError(
                f"a class map has {counted(self.num_stages, 'stage')} for each of 2 players; "
                "see SignalStructure.identity"
            )
        for player, stages in enumerate(classes):
            for stage, of in enumerate(stages):
                distinct = np.unique(of)
                no_gaps = np.array_equal(distinct, np.arange(len(distinct)))
                if of.shape != (self.num_observations(player, stage),) or not no_gaps:
                    raise UnsupportedGameError(
                        f"player {player}, stage {stage}: "
                        "a class map has one number per observation, "
                        f"shape ({self.num_observations(player, stage)},), without gaps from 0"
                    )
                if stage:
                    self._check_recall(player, stage, of, stages[stage - 1])

    def _check_recall(self, player: int, stage: int, of: Ints, before: Ints) -> None:
        parents = before[self.earlier(player, stage)]
        expected = np.zeros(of.max() + 1, dtype=np.int32)
        expected[of] = parents
        wrong = np.flatnonzero(expected[of] != parents)
        if len(wrong):
            raise ImperfectRecallError(
                f"R9: class {of[wrong[0]]} of player {player} at stage {stage} "
                f"holds observations that came from classes {expected[of[wrong[0]]]} "
                f"and {parents[wrong[0]]} of the stage before; split it by them"
            )


def parent_classes(structure: SignalStructure, classes: Classes, player: int, stage: int) -> Ints:
    """Return the class of the stage before for each class of a player and stage."""
    of = classes[player][stage]
    parents = np.zeros(int(of.max()) + 1, dtype=np.int32)
    parents[of] = classes[player][stage - 1][structure.earlier(player, stage)]
    return parents


def num_classes(classes: Classes) -> list[list[int]]:
    """Return the number of classes of each player at each stage."""
    return [[int(of.max()) + 1 for of in stages] for stages in classes]


def _representatives(observation: Ints) -> Ints:
    deal = np.zeros(int(observation.max()) + 1, dtype=np.int32)
    deal[observation] = np.arange(len(observation), dtype=np.int32)
    return deal


def _recipients(public: PublicTree) -> tuple[int, ...]:
    """Return who sees each signal, which must not depend on the actions."""
    longest: Sequence[int] = max(public.recipients, key=len)
    for recipients in public.recipients:
        if recipients != tuple(longest[: len(recipients)]):
            raise UnsupportedGameError(
                "who sees a signal depends on the actions in this game; build its tree"
            )
    return tuple(longest)
