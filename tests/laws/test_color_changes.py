"""Colors found by following changes are those that passes over the whole game find."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from abstraction.color_changes import find_colors
from abstraction.color_refinement import PlayerColors, finished, refine
from abstraction.levels import sides
from abstraction.splitting import Splitting, hashed
from games.random_games import random_game
from seqform import build_sequence_form
from seqform.form.from_signals import build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from tests.matched_games import matched_game
from tests.random_signal_games import random_signal_game
from tests.shrinkable_games import copied_game, observable_game
from tests.strategies import games

numbers = st.integers(0, 10_000)


def deep(seed: int) -> SequenceForm:
    """Make a game with many actions that are alike, of one to three players."""
    payoff = (1, 10, 2**70)[seed % 3]  # sums of the last need Python's integers
    tree = random_game(seed, 1 + seed % 4 % 3, 30, 3, seed % 2 == 0, payoff, nodes=300)
    return build_sequence_form(tree)


def copied(seed: int) -> SequenceForm:
    """Make a game in which some players cannot see which of three copies it is."""
    tree = random_game(seed, 2 + seed % 2, depth=4, zero_sum=seed % 3 == 0, rewards=seed % 5 == 0)
    return build_sequence_form(copied_game(tree, seed, copies=3, shuffled=seed % 2 == 1))


def on_cards(seed: int) -> SequenceForm:
    """Make a game of cards, by its signals or as a tree."""
    if seed % 3:
        return build_signal_form(SignalStructure(random_signal_game(seed)))
    return build_sequence_form(observable_game(seed, ranks=1 + seed % 2, depth=3))


forms = st.one_of(
    numbers.map(matched_game),
    numbers.map(deep),
    numbers.map(copied),
    numbers.map(on_cards),
    games(players=(1, 2, 3), zero_sum=(True, False)),
)


@given(forms)
@example(matched_game(2))  # sets that are alone come first
@example(matched_game(31))  # kinds count for the sets before them
@example(matched_game(73))  # an order tells sets apart
@example(matched_game(101))  # so does a weight that was 0
@example(matched_game(812))  # the first level comes first
@example(deep(20287))  # a payoff may be the number of its column
@example(on_cards(20025))  # or the number of a kind
@example(build_sequence_form(random_game(0, depth=60, nodes=1_200)))
def test_following_changes_finds_what_passes_find(form: SequenceForm) -> None:
    """Also before they are proven; and no class has another number."""
    players = [PlayerColors(side) for side in sides(form)]
    slow, fast = finished(players), refine(form)
    for player, found in zip(players, find_colors(sides(form)), strict=True):
        assert (fast.infosets[player.number] == slow.infosets[player.number]).all()
        assert (fast.sequences[player.number] == slow.sequences[player.number]).all()
        pairs = set(zip(found.sequences.tolist(), player.sequences.tolist(), strict=True))
        assert len(pairs) == len(set(found.sequences)) == len(set(player.sequences))
        assert (found.is_fixed == player.is_fixed).all()


@given(st.integers(1, 30), st.data())
def test_classes_split_by_keys_and_few_get_other_names(size: int, data: st.DataObject) -> None:
    classes, keys = Splitting(np.zeros(size, dtype=np.int64)), [0] * size
    for _ in range(3):
        before, old_keys = classes.numbers.tolist(), keys.copy()
        some = st.lists(st.integers(0, size - 1), unique=True)
        elements = data.draw(st.one_of(some, st.just(list(range(size)))))
        for element in elements:
            keys[element] = data.draw(st.integers(0, 2))
        of = np.array([keys[element] for element in elements], dtype=np.uint64)
        moved = classes.split(np.array(elements, dtype=np.int64), of)
        after = classes.numbers.tolist()
        assert sorted(moved.tolist()) == [e for e in range(size) if before[e] != after[e]]
        assert classes.sizes.tolist() == [after.count(number) for number in range(size)]
        assert len(set(after)) == len(set(zip(before, keys, strict=True)))
        for number in set(before):
            parts = Counter(keys[e] for e in range(size) if before[e] == number)
            kept = {keys[e] for e in range(size) if before[e] == after[e] == number}
            (unchanged,) = {old_keys[e] for e in range(size) if before[e] == number}
            largest = {key for key, count in parts.items() if count == max(parts.values())}
            assert len(kept) == 1
            assert kept <= ({unchanged} if unchanged in parts else largest)


def test_hashes_tell_tuples_apart() -> None:
    few = np.concatenate([np.arange(-5, 20), 2 ** np.arange(8, 63)])
    rows = np.array([(a, b, c) for a in few for b in few for c in few[:20]])
    once = hashed(*rows.T)
    assert len(np.unique(once)) == len(rows)
    first = hashed(*rows[:200].T)
    a, b = (of.ravel() for of in np.meshgrid(first, first))
    assert len(np.unique(hashed(a, b))) == len(a)
