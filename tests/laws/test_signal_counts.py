"""Signal games are counted right without being built."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree
from seqform.form.counts_from_signals import count_signal_game
from seqform.form.from_signals import build_signal_form, count_nodes
from seqform.game.observations import SignalStructure
from seqform.methods.describe import describe
from seqform.solvers.linear.program import build_lp, form_lp_size, lp_size
from tests.random_signal_games import POKER, random_signal_game
from tests.reference.brute_counts import brute_counts
from tests.reference.plain_games import PlainRhodeIsland

CARD_DECKS = [(3, 2, 1), (4, 1, 2), (5, 1, 1), (6, 1, 1), (3, 2, 0)]


def counts_of_tree(game: Any) -> dict[str, Any]:
    tree = build_tree(game)
    form = build_sequence_form(tree)
    assert form.operator is not None
    return {
        "nodes": tree.num_nodes,
        **{f"{kind}_nodes": tree.count(kind) for kind in ("decision", "chance", "terminal")},
        "infosets_per_player": [treeplex.num_infosets for treeplex in form.treeplexes],
        "sequences_per_player": [treeplex.num_sequences for treeplex in form.treeplexes],
        "payoff_nonzeros": form.operator.num_nonzeros,
    }


@pytest.mark.parametrize("name", POKER)
def test_counts_of_poker_and_dice_are_those_of_the_tree(name: str) -> None:
    structure = SignalStructure(POKER[name])
    counts = count_signal_game(structure)
    assert counts == counts_of_tree(POKER[name])
    assert count_nodes(structure) == counts["nodes"]
    form = build_signal_form(structure)
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    assert size == form_lp_size(form) == build_lp(form).size


@given(st.integers(0, 100_000))
def test_counts_of_random_signal_games_are_those_of_the_tree(seed: int) -> None:
    game = random_signal_game(seed)
    assert count_signal_game(SignalStructure(game)) == counts_of_tree(game)


@pytest.mark.parametrize(("ranks", "suits", "max_bets"), CARD_DECKS)
def test_counts_are_those_of_every_history(ranks: int, suits: int, max_bets: int) -> None:
    counts = count_signal_game(SignalStructure(rhode_island(ranks, suits, max_bets)))
    brute = brute_counts(PlainRhodeIsland(ranks, suits, max_bets))
    assert counts == brute
    size = lp_size(
        counts["infosets_per_player"], counts["sequences_per_player"], counts["payoff_nonzeros"]
    )
    assert (
        size.rows
        == size.columns
        == 1 + brute["infosets_per_player"][0] + brute["sequences_per_player"][1]
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhode island, 4x2"])
def test_a_game_described_by_counting_has_the_counts_of_its_tree(name: str) -> None:
    built, counted = describe(POKER[name]), describe(POKER[name], max_nodes=20)
    assert "depth" in built
    assert "depth" not in counted
    differ = {key for key in counted if counted[key] != built[key]}
    assert differ <= {"memory_estimate_mb"}
