"""What is summed over one observation of each orbit is what is summed over all deals.

Symmetries are those of suits, or twins of cards that are worth the same, or false.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from abstraction.equitable import equitable
from abstraction.suit import suit
from seqform.base.errors import InvalidGameError
from seqform.form.from_signals import NOWHERE, build_signal_form, pair_table
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from tests.random_signal_games import POKER, RandomSignalGame, random_classes, random_signal_game


@dataclass(frozen=True, eq=False)
class Twins(RandomSignalGame):
    """A random game with two of each card, exchanged by symmetries; with `odd` they are not alike.

    With `fixed`, the last card has no twin that is exchanged with it.
    """

    odd: bool = False

    def payoffs(self, outcome: str, signals: NDArray[np.int32]) -> NDArray[np.int32]:
        worth = signals // (1 if self.odd else 2)
        return super().payoffs(outcome, worth.astype(np.int32))


def twins(seed: int, odd: bool = False) -> Twins:
    """Return a random game of twins, or of what only its deck calls so."""
    game = random_signal_game(seed)
    deck = game.deck
    cards = tuple(card + side for card in map(str, deck.cards) for side in "lr")
    copies = tuple(count for count in deck.copies for _ in "lr")
    exchanges = []
    for first in range(0, len(cards), 2):
        places = list(range(len(cards)))
        places[first : first + 2] = first + 1, first
        exchanges.append(tuple(places))
    if seed % 3 == 0:  # one of the symmetries is not told
        exchanges.pop()
    deck = Deck(cards, copies, deck.replacement, tuple(exchanges))
    return Twins(deck, game.tree, game.recipients, game.weights, game.table, odd=odd)


GAMES: dict[str, Any] = {
    **{name: game for name, game in POKER.items() if "4x2" not in name and "dice" not in name},
    **{f"twins {seed}": twins(seed) for seed in range(40)},
    **{f"false twins {seed}": twins(seed, odd=True) for seed in range(20)},
}


def without_symmetries(game: Any) -> Any:
    return replace(game, deck=replace(game.deck, symmetries=()))


STRUCTURES = {
    name: (SignalStructure(game), SignalStructure(without_symmetries(game)))
    for name, game in GAMES.items()
}


def same(table: Any, other: Any) -> bool:
    parts = ("indptr", "indices", "data")
    return table.shape == other.shape and all(
        np.array_equal(getattr(table, part), getattr(other, part)) for part in parts
    )


def listed(classes: Any) -> list[list[list[int]]]:
    return [[of.tolist() for of in stages] for stages in classes]


def num_orbits(structure: SignalStructure) -> int:
    return sum(int(of.max()) + 1 for stages in structure.orbits for of in stages)


def is_true(structure: SignalStructure) -> bool:
    """Tell whether all that the deck declares are symmetries of the game, deal by deal."""
    signals = structure.deals.signals
    for symmetry in structure.game.deck.symmetries:
        for (_, stage), payoffs in zip(structure.outcomes, structure.payoffs, strict=True):
            deals = signals[structure.stages[stage]]
            number = {deal: i for i, deal in enumerate(map(tuple, deals.tolist()))}
            images = [number[tuple(deal)] for deal in np.array(symmetry)[deals].tolist()]
            if (payoffs[images] != payoffs).any():
                return False
    return True


def test_many_games_have_orbits_and_some_are_false() -> None:
    merged = [num_orbits(of) < num_orbits(plain) for of, plain in STRUCTURES.values()]
    assert sum(merged) > 20
    false = [not is_true(of) for of, _ in STRUCTURES.values()]
    assert sum(false) > 5
    assert not any(map(min, zip(merged, false, strict=True)))


@pytest.mark.parametrize("name", STRUCTURES)
def test_false_symmetries_merge_nothing(name: str) -> None:
    structure, plain = STRUCTURES[name]
    if is_true(structure):
        if structure.game.deck.symmetries:
            assert listed(suit(structure)) == listed(structure.orbits)
        return
    assert num_orbits(structure) == num_orbits(plain)
    with pytest.raises(InvalidGameError, match="is not a symmetry of the game"):
        suit(structure)


@pytest.mark.parametrize("name", STRUCTURES)
def test_classes_do_not_depend_on_what_a_deck_declares(name: str) -> None:
    structure, plain = STRUCTURES[name]
    for mine, theirs in zip(equitable(structure), equitable(plain), strict=True):
        for of, without in zip(mine, theirs, strict=True):
            assert of.dtype == without.dtype
            assert of.tolist() == without.tolist()


@pytest.mark.parametrize("name", STRUCTURES)
def test_tables_do_not_depend_on_what_a_deck_declares(name: str) -> None:
    """Whether classes keep orbits together, or tell apart what is in one."""
    structure, plain = STRUCTURES[name]
    for classes in (
        structure.orbits,
        equitable(structure),
        structure.identity,
        *(random_classes(structure, seed) for seed in range(3)),
    ):
        for row, (_, at) in enumerate(structure.outcomes):
            for stages in product([NOWHERE, *range(at + 1)], repeat=2):
                tables = [pair_table(of, classes, row, stages) for of in (structure, plain)]
                assert same(*tables), (row, stages)
        for stages in product(range(structure.num_stages), repeat=2):
            assert same(*(pair_table(of, classes, None, stages) for of in (structure, plain)))


@pytest.mark.parametrize("name", ["leduc", "rhode island, 3x3", "twins 1"])
def test_each_share_stands_for_all_deals(name: str) -> None:
    structure, _ = STRUCTURES[name]
    for player, stage in product((0, 1), range(structure.num_stages)):
        share = structure.share(player, stage)
        count = structure.deals.count(structure.stages[stage])
        if share is not None:
            assert share.size.sum() == count
            assert len(share.deals) < count
    assert same(
        build_signal_form(structure, structure.orbits).operator.to_csr(),
        build_signal_form(
            SignalStructure(without_symmetries(structure.game)), structure.orbits
        ).operator.to_csr(),
    )
