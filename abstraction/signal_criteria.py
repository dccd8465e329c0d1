"""GameShrink on signal trees: which observations of a player are merged, by three criteria.

Each function returns, for each player and stage, the class of each observation
(`seqform.game.observations.Classes`). What the criteria merge, what is lossless about them and why:
docs/explanation/gameshrink.md.

References
----------
Gilpin & Sandholm, "Lossless abstraction of imperfect information games", J. ACM 54(5), 2007,
Sections 4 and 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from abstraction.equal_rows import combine, equal_rows, table_of
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.game.observations import Classes, SignalStructure, num_classes
from seqform.game.signals import outcome_payoffs

Ints = NDArray[np.int32]

SAMPLED_DEALS = 5_000


def outcome(structure: SignalStructure) -> Classes:
    """Merge siblings whose subtrees match, where leaves match if they win, tie and lose against equally many opponents' cards.

    Bottom-up, an observation's signature is the multiset of its payoffs at each outcome and of its
    successors' signatures; top-down, successors of one class are merged if their signatures are
    equal. Poker's published reduction; not lossless.
    """
    return tuple(_outcome(structure, player) for player in (0, 1))


def _outcome(structure: SignalStructure, player: int) -> tuple[Ints, ...]:
    found = signatures(structure, player)
    classes = [found[0]]
    for stage in range(1, structure.num_stages):
        classes.append(combine(classes[-1][structure.earlier(player, stage)], found[stage]))
    return tuple(classes)


def signatures(structure: SignalStructure, player: int) -> list[Ints]:
    """Return, for each stage, a number for each observation: equal for two if and only if their subtrees match."""
    found: list[Ints] = []
    for stage in reversed(range(structure.num_stages)):
        parts: list[NDArray[Any]] = [structure.ways(player, stage)]
        parts += [
            equal_rows(sp.csr_array(count_payoffs(structure, player, row)[1]))
            for row in structure.informative(stage)
        ]
        if found:
            parts.append(equal_rows(count_successors(structure, player, stage, found[0])))
        found.insert(0, combine(*parts))
    return found


def count_payoffs(
    structure: SignalStructure, player: int, row: int
) -> tuple[NDArray[np.generic], NDArray[np.int64]]:
    """Return player 0's payoffs at an outcome, ascending, and how often each observation gets each, int64 (observations, payoffs)."""
    stage = structure.outcomes[row][1]
    values, number = _distinct(structure.payoffs[row])
    size = structure.num_observations(player, stage)
    code = structure.observations[player][stage] * np.int32(len(values))
    code += number
    return values, structure.count(stage, code, size * len(values)).reshape(size, len(values))


def count_successors(
    structure: SignalStructure, player: int, stage: int, kind: Ints
) -> sp.csr_array:
    """Return in how many ways successors of each kind follow each observation, int64 (observations, kinds)."""
    shape = (structure.num_observations(player, stage), int(kind.max()) + 1)
    return table_of(
        structure.earlier(player, stage + 1), kind, structure.ways(player, stage + 1), shape
    )


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    if (
        values.dtype.kind in "iu"
        and len(values)
        and (low := int(values.min())) + 100 > int(values.max())
    ):
        return np.arange(
            low, int(values.max()) + 1
        ), values - low  # a few small integers: no need to sort
    distinct, number = np.unique(values, return_inverse=True)
    return distinct, number.astype(np.int32)


def suit(structure: SignalStructure) -> Classes:
    """Merge observations that a symmetry of the deck, such as a permutation of the suits, maps to one another.

    Raises
    ------
    UnsupportedGameError
        If the deck has no symmetries.
    InvalidGameError
        If one of them does not keep the deck or the payoffs as they are, as far as a sample of
        deals tells.
    """
    if not structure.game.deck.symmetries:
        raise UnsupportedGameError(
            "criterion 'suit' needs a deck with suits to exchange, and this game's has none; use "
            "'equitable'"
        )
    _check_symmetries(structure)
    return tuple(
        tuple(_orbits(structure, player, stage) for stage in range(structure.num_stages))
        for player in (0, 1)
    )


def _check_symmetries(structure: SignalStructure) -> None:
    """Compare what a sample of deals pays before and after each symmetry."""
    copies = np.array(structure.game.deck.copies)
    for number, symmetry in enumerate(structure.game.deck.symmetries):
        exchange = np.array(symmetry, dtype=np.int32)
        if sorted(symmetry) != list(range(len(copies))) or (copies[exchange] != copies).any():
            raise InvalidGameError(
                f"symmetry {number} of the deck does not exchange cards with equally many copies"
            )
        for outcome, stage in structure.outcomes:
            signals = structure.deals.signals[structure.stages[stage]]
            sample = signals[:: max(1, len(signals) // SAMPLED_DEALS)]
            if (
                outcome_payoffs(structure.game, outcome, sample)
                != outcome_payoffs(structure.game, outcome, exchange[sample])
            ).any():
                raise InvalidGameError(
                    f"symmetry {number} of the deck changes what {outcome!r} pays, so it is none; "
                    f"drop it"
                )


def _orbits(structure: SignalStructure, player: int, stage: int) -> Ints:
    signals, cards = (
        structure.signals(player, stage).astype(np.int64),
        len(structure.game.deck.cards),
    )
    code = _code(signals, cards)
    order = np.argsort(code)
    images = [
        order[np.searchsorted(code[order], _code(np.array(g)[signals], cards))]
        for g in structure.game.deck.symmetries
    ]
    rows = np.tile(np.arange(len(code)), len(images))
    graph = sp.coo_array(
        (np.ones(len(rows), dtype=bool), (rows, np.concatenate(images))),
        shape=(len(code), len(code)),
    )
    return connected_components(graph, directed=False)[1].astype(np.int32)  # type: ignore[no-any-return]


def _code(signals: NDArray[np.int64], cards: int) -> NDArray[np.int64]:
    code = np.zeros(len(signals), dtype=np.int64)
    for column in signals.T:
        code = code * cards + column
    return code


def equitable(structure: SignalStructure) -> Classes:
    """Return the coarsest lossless classes: the partition of the observations refined until it is equitable.

    Starting from one class a player and stage, observations are told apart by the class they came
    from, the number of successors in each class, the number of ways to meet each opponent's class,
    and the net payoff against it at each outcome; until no class splits.
    """
    classes: Classes = tuple(
        tuple(
            np.zeros(structure.num_observations(player, stage), dtype=np.int32)
            for stage in range(structure.num_stages)
        )
        for player in (0, 1)
    )
    while True:
        refined = tuple(
            tuple(_refine(structure, classes, p, s) for s in range(structure.num_stages))
            for p in (0, 1)
        )
        if num_classes(refined) == num_classes(classes):
            return classes
        classes = refined


def _refine(structure: SignalStructure, classes: Classes, player: int, stage: int) -> Ints:
    mine, theirs = (
        structure.observations[player][stage],
        classes[1 - player][stage][structure.observations[1 - player][stage]],
    )
    shape = (structure.num_observations(player, stage), int(theirs.max()) + 1)
    ways = structure.deals.ways(structure.stages[stage])
    tables = [table_of(mine, theirs, ways, shape)]
    tables += [
        table_of(mine, theirs, ways * structure.payoffs[row], shape)
        for row in structure.informative(stage)
    ]
    if stage + 1 < structure.num_stages:
        tables.append(count_successors(structure, player, stage, classes[player][stage + 1]))
    parts = [classes[player][stage], *map(equal_rows, tables)]
    if stage:
        parts.append(classes[player][stage - 1][structure.earlier(player, stage)])
    return combine(*parts)
