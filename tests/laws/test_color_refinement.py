"""Color refinement merges information sets without loss, and on cards what GameShrink's lossless
criterion does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abstraction.color_refinement import Coloring, quotient, refine, refine_colors
from abstraction.equitable import equitable
from games.random_games import random_game
from games.rhode_island import rhode_island
from seqform import build_sequence_form, certify, solve
from seqform.form.from_signals import build_signal_form, sequence_maps
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.links.lifting import lift_profile
from seqform.links.link import SequenceMap
from seqform.results.lift import lift
from seqform.results.status import Status
from tests.random_signal_games import POKER, random_signal_game
from tests.reference.stable_colorings import normalized, one, rounds, scale
from tests.shrinkable_games import copied_game, observable_game
from tests.strategies import games, random_profile, seeds


def copied(seed: int, players: int = 2, zero_sum: bool = True) -> SequenceForm:
    """Copy a random game three times, so that some players see which copy it is."""
    tree = random_game(seed, players, depth=4, zero_sum=zero_sum, rewards=seed % 2 == 0)
    return build_sequence_form(copied_game(tree, seed, copies=3, shuffled=False))


def on_cards(seed: int) -> SequenceForm:
    """Make a random signal game, taken apart or as a tree with cards of one rank."""
    if seed % 2:
        return build_signal_form(SignalStructure(random_signal_game(seed)))
    return build_sequence_form(observable_game(seed, ranks=1 + seed % 4 // 2, depth=3))


numbers = st.integers(0, 10_000)
zero_sum = st.one_of(games(), numbers.map(copied), numbers.map(on_cards))
general = st.one_of(
    games(players=(1, 2, 3), zero_sum=(False,)),
    st.builds(copied, numbers, players=st.sampled_from([2, 3]), zero_sum=st.just(False)),
)


@given(zero_sum)
def test_a_lifted_equilibrium_is_an_equilibrium(form: SequenceForm) -> None:
    reduced, inverse = refine_colors(form)
    lifted = lift(solve(reduced), inverse)
    assert lifted.status is Status.SOLVED
    assert lifted.nash_gap < 1e-9 * max(1.0, form.largest_payoff)


@given(st.one_of(zero_sum, general), seeds)
def test_any_lifted_profile_pays_and_can_be_exploited_as_before(
    form: SequenceForm, seed: int
) -> None:
    reduced, inverse = refine_colors(form)
    profile = random_profile(reduced, seed, sparse=seed % 2 == 0)
    before, after = certify(reduced, profile), certify(form, lift_profile(profile, inverse))
    scale = 1e-9 * max(1.0, form.largest_payoff)
    np.testing.assert_allclose(after.values, before.values, rtol=0, atol=scale)
    np.testing.assert_allclose(after.gains, before.gains, rtol=0, atol=scale)


@given(st.one_of(zero_sum, general))
def test_the_quotient_is_a_game(form: SequenceForm) -> None:
    colors = refine(form)
    reduced = quotient(form, colors)
    for player, (color, sequence) in enumerate(zip(colors.infosets, colors.sequences, strict=True)):
        mine, theirs = form.treeplexes[player], reduced.treeplexes[player]
        assert theirs.num_infosets == color.max(initial=-1) + 1
        assert (mine.num_actions == theirs.num_actions[color]).all()
        assert (sequence[mine.parent_sequence] == theirs.parent_sequence[color]).all()
        assert (theirs.infoset_of[sequence[1:]] == color[mine.infoset_of[1:]]).all()
        assert len(set(zip(mine.infoset_of, sequence, strict=True))) == len(sequence)
    again = refine(reduced)
    assert [t.num_infosets for t in quotient(reduced, again).treeplexes] == [
        t.num_infosets for t in reduced.treeplexes
    ]


@given(st.one_of(zero_sum, general))
def test_sets_of_one_color_are_alike_up_to_scale(form: SequenceForm) -> None:
    """The conditions of the theorem, in fractions; weights are other ones than the product's."""
    colors = refine(form)
    images: list[list[Any]] = [of.tolist() for of in colors.sequences]
    for player, treeplex in enumerate(form.treeplexes):
        of = colors.infosets[player].tolist()
        seen: dict[int, Any] = {}
        rows = normalized(form, player, images, of, scale)
        for h, parent in enumerate(treeplex.parent_sequence.tolist()):
            row = (images[player][parent], rows[h])
            assert seen.setdefault(of[h], row) == row


@given(st.one_of(zero_sum, general))
def test_it_merges_all_that_is_alike_in_its_order(form: SequenceForm) -> None:
    found = refine(form).infosets
    for weight in (scale, one):
        for colors, slow in zip(found, rounds(form, weight), strict=True):
            assert len(set(zip(colors.tolist(), slow, strict=True))) == len(set(slow))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_colors_are_called_what_their_first_members_are(name: str) -> None:
    form = build_signal_form(SignalStructure(POKER[name]))
    colors = refine(form)
    reduced = quotient(form, colors)
    for player, color in enumerate(colors.infosets):
        first = [int(np.argmax(color == c)) for c in range(reduced.treeplexes[player].num_infosets)]
        assert first == sorted(first)
        assert [reduced.infoset_label(player, c) for c in range(len(first))] == [
            form.infoset_label(player, h) for h in first
        ]
        assert [reduced.actions(player, c) for c in range(len(first))] == [
            form.actions(player, h) for h in first
        ]


SIGNALS = {**POKER, "rhode island, 4x3": rhode_island(4, 3, 1)}


FEWER = {"liar's dice, 2 dice of 2 sides": 3}
"""How many sequences fewer the sequence form has, which sees that some lines tell hands less."""


@pytest.mark.parametrize("name", SIGNALS)
def test_on_poker_it_finds_the_classes_of_the_criterion_on_signals(name: str) -> None:
    structure = SignalStructure(SIGNALS[name])
    form = build_signal_form(structure)
    found = (
        refine(form).sequences,
        sequence_maps(structure, structure.identity, equitable(structure)),
    )
    fewer = 0
    for colors, classes in zip(*found, strict=True):
        assert len(set(zip(colors.tolist(), classes.tolist(), strict=True))) == classes.max() + 1
        fewer += int(classes.max() - colors.max())
    assert fewer == FEWER.get(name, 0)


@given(st.integers(0, 100_000))
def test_it_merges_at_least_what_the_criterion_on_signals_does(seed: int) -> None:
    structure = SignalStructure(random_signal_game(seed))
    form = build_signal_form(structure)
    found = (
        refine(form).sequences,
        sequence_maps(structure, structure.identity, equitable(structure)),
    )
    for colors, classes in zip(*found, strict=True):
        assert len(set(zip(colors.tolist(), classes.tolist(), strict=True))) == classes.max() + 1


SIZES = {  # information sets and sequences of each player, before and after
    "leduc": ((468, 1_093), (144, 337)),
    "rhode island, 3x3": ((9_522, 19_045), (1_338, 2_677)),
    "rhode island, 4x3": ((24_576, 49_153), (3_488, 6_977)),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    form = build_signal_form(SignalStructure(SIGNALS[name]))
    reduced: Any = quotient(form, refine(form))
    for game, (infosets, sequences) in zip((form, reduced), SIZES[name], strict=True):
        assert [t.num_infosets for t in game.treeplexes] == [infosets] * 2
        assert [t.num_sequences for t in game.treeplexes] == [sequences] * 2


def test_a_coloring_that_is_too_coarse_loses_something() -> None:
    """What the laws above would notice: all first information sets of Kuhn poker as one."""
    form = build_signal_form(SignalStructure(POKER["kuhn"]))
    images = [0, *[1, 2] * 3, *[3, 4] * 3]
    colors = Coloring(
        tuple(np.array([0, 0, 0, 1, 1, 1], dtype=np.int32) for _ in (0, 1)),
        tuple(np.array(images, dtype=np.int32) for _ in (0, 1)),
    )
    inverse = SequenceMap(form, colors.sequences)
    assert lift(solve(quotient(form, colors)), inverse).nash_gap > 0.1
