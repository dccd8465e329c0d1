"""Recursive games given as tables, some well-known ones, and random ones of few small stages."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.chip_tournament import ChipTournament
from games.kuhn import kuhn
from games.random_games import random_game
from seqform import TreeBuilder, matrix_game
from seqform.game.recursive import End, Leaf, Next


@dataclass(frozen=True)
class TableGame:
    """A recursive game of stages in a table.

    By default what stages pay does not count: `leads` says of every leaf where it leads.
    """

    stages: Mapping[Hashable, Any]
    leads: Callable[[Any, Leaf], Any]
    endless: tuple[Any, ...] = (0, 0)
    first: Hashable = 0
    pays_chips: bool = True
    rewards: bool = False

    @property
    def num_players(self) -> int:
        return len(self.endless)

    def start(self) -> Hashable:
        return self.first

    def stage(self, key: Any) -> Any:
        return self.stages[key]

    def leads_to(self, key: Any, leaf: Leaf) -> Any:
        return self.leads(key, leaf)


def hide_or_run(goes_on: tuple[int, int] = (0, 1)) -> TableGame:
    """Return Everett's game: who hides is found or not; who runs is hit, or wins.

    Seat 0 hides or runs. If seat 1 throws at who hides, the ball is gone and seat 0 wins 1; if it
    throws at who runs, seat 0 loses; who runs without being thrown at wins; else all goes on.
    """
    ends = {("hide", "throw"): 1, ("run", "throw"): 0, ("run", "wait"): 1}

    def leads(key: int, leaf: Leaf) -> Any:
        won = ends.get(leaf.at)  # type: ignore[call-overload]
        return Next(0, goes_on) if won is None else End((won, 1 - won))

    hand = matrix_game([[0, 0], [0, 0]], actions=[["hide", "run"], ["throw", "wait"]])
    return TableGame({0: hand}, leads, (0, 1))


def ruin(stages: int, won: Fraction, endless: tuple[Any, ...] = (0, 1)) -> TableGame:
    """Return the gambler's ruin: seat 0 wins a chip with a chance, until one has all."""
    builder = TreeBuilder(2)
    for node in builder.chance(builder.root, [(1, won), (-1, 1 - won)]):
        builder.terminal(node, [0, 0])
    hand = builder.freeze()

    def leads(key: int, leaf: Leaf) -> Any:
        after = key + leaf.at[0]  # type: ignore[index]
        return End((int(after > 0), int(after == 0))) if after in (0, stages) else (after, (0, 1))

    return TableGame(dict.fromkeys(range(1, stages), hand), leads, endless, 1)


def kuhn_tournament(chips: int, first: int) -> ChipTournament:
    """Return a tournament of Kuhn poker; who has one chip cannot bet, and there is a showdown."""
    builder = TreeBuilder(2)
    for node, paid in zip(
        builder.chance(builder.root, [("won", Fraction(1, 2)), ("lost", Fraction(1, 2))]),
        [1, -1],
        strict=True,
    ):
        builder.terminal(node, [paid, -paid])
    showdown, poker = builder.freeze(), kuhn()

    def hand(one: int, other: int) -> Any:
        return poker if min(one, other) > 1 else showdown

    return ChipTournament(hand, chips, first)


def random_recursive_game(
    seed: int,
    *,
    players: int = 2,
    stages: int = 2,
    depth: int = 3,
    zero_sum: bool = True,
    alike: bool = False,
    going_on: float = 0.6,
    most: int = 4,
) -> TableGame:
    """Return a recursive game of random trees; a leaf leads on with probability `going_on`.

    Parameters
    ----------
    alike
        Whether endless play pays all players alike, so that stages are told apart by key alone.
    most
        What play may end with, at most, in quarters.
    """
    rng = random.Random(seed)
    trees = [
        random_game(
            seed=rng.randrange(10**6),
            players=players,
            depth=rng.randint(0, depth),
            branching=2,
            chance=rng.choice([0.0, 0.3]),
            hidden=rng.choice([0.0, 1.0]),
        )
        for _ in range(stages)
    ]
    shared = rng.random() < 0.5  # one object, of which leads differ

    def payoffs() -> tuple[Fraction, ...]:
        drawn = [Fraction(rng.randint(-most, most), 4) for _ in range(players)]
        if zero_sum:
            drawn[-1] = 1 - sum(drawn[:-1], Fraction(0))
        return tuple(drawn)

    table: dict[Any, Any] = {}

    def leads(key: Any, leaf: Leaf) -> Any:
        return table[key, leaf.at]

    made = {key: trees[0 if shared else key] for key in range(stages)}
    game = TableGame(made, leads, _endless(rng, players, zero_sum, alike, payoffs))
    for key, tree in made.items():
        for at in _histories(tree):
            seats = rng.sample(range(players), players)
            goes_on = rng.random() < going_on
            table[key, at] = (
                Next(rng.randrange(stages), tuple(seats)) if goes_on else End(payoffs())
            )
    return game


def _endless(
    rng: random.Random, players: int, zero_sum: bool, alike: bool, payoffs: Callable[[], Any]
) -> tuple[Fraction, ...]:
    if not alike:
        return tuple(payoffs())
    share = Fraction(1, players) if zero_sum else Fraction(rng.randint(-4, 4), 4)
    return (share,) * players


def _histories(tree: Any) -> list[Any]:
    """Return what a leaf is called: all labels on the way there."""
    histories: list[Any] = [()]
    for node, parent in enumerate(tree.parent.tolist()[1:], start=1):
        histories.append((*histories[parent], tree.labels[int(tree.label[node])]))
    return histories
