"""Tables of three and more: sizes, refusals, and what the command line says of them."""

from __future__ import annotations

from typing import Any

import pytest

from seqform import Status, build_sequence_form, build_tree, make, solve
from seqform.base.errors import GameTooLargeError, InvalidParameterError

SIZES: dict[str, tuple[dict[str, Any], tuple[int, int, int]]] = {
    "kuhn": ({"players": 4}, (7_886, 160, 81)),
    "leduc": ({"players": 3, "merge_suits": True}, (223_881, 7_428, 5_669)),
    "rhode-island": (
        {"players": 3, "ranks": 5, "suits": 1, "max_bets": 1},
        (113_366, 23_100, 15_401),
    ),
}
"""Nodes, information sets, and sequences of a player, as plain rules and OpenSpiel have them."""


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    parameters, sizes = SIZES[name]
    form = build_sequence_form(build_tree(make(name, **parameters)))
    sequences = {treeplex.num_sequences for treeplex in form.treeplexes}
    assert (form.tree.num_nodes, form.tree.num_infosets, *sequences) == sizes


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("kuhn", {"players": 1}, "players=1 is too small: use 2 or more"),
        ("leduc", {"players": 1}, "players=1 is too small: use 2 or more"),
        ("rhode-island", {"players": 0}, "players=0 is too small: use 2 or more"),
        ("kuhn", {"players": 11}, "players=11 is too large: use 10 or less"),
        ("leduc", {"players": 11}, "players=11 is too large: use 10 or less"),
        ("rhode-island", {"players": 11}, "players=11 is too large: use 10 or less"),
        ("kuhn", {"players": 4, "cards": 3}, "cards=3 is too small: use 4 or more"),
        ("leduc", {"players": 4, "ranks": 2}, r"ranks \* suits=4 is too small: use 5 or more"),
        (
            "rhode-island",
            {"players": 3, "ranks": 2, "suits": 2},
            r"ranks \* suits=4 is too small: use 5 or more",
        ),
        ("leduc", {"players": "three"}, "players='three'"),
    ],
)
def test_tables_that_cannot_be_are_refused(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        make(name, **given)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("leduc", {"players": 4}, "the game has 349,388,741 nodes, more than the limit of 20,000,"),
        ("rhode-island", {"players": 3}, "the game has 38,517,651,582,905 nodes, more than"),
    ],
)
def test_large_tables_are_counted_and_refused(
    name: str, given: dict[str, int], message: str
) -> None:
    with pytest.raises(GameTooLargeError, match=message) as told:
        build_tree(make(name, **given))
    assert str(told.value).endswith("use a smaller deck or raise max_nodes")


def test_a_table_that_nobody_counts_to_the_end_is_refused() -> None:
    game = make("leduc", players=6)
    with pytest.raises(GameTooLargeError, match=r"within 300 public states; .* [0-9,]{9,} nodes"):
        build_tree(game, max_nodes=300)


def test_a_search_says_whether_it_reached_the_gap() -> None:
    game = build_tree(make("leduc", players=3, merge_suits=True))
    solution = solve(game, gap=1)
    assert (solution.status, solution.method) == (Status.SOLVED, "pdcfr+/many-players")
    assert sum(solution.certificate.gains) == solution.nash_gap <= 1
    stopped = solve(game, gap=1e-9, iterations=5)
    assert stopped.status is Status.LIMIT
    assert stopped.nash_gap > 1
    assert stopped.values is not None


def test_only_small_games_are_polished_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("kuhn", players=3)
    assert solve(game, iterations=300).method.endswith("/many-players+support")
    monkeypatch.setattr("seqform.base.thresholds.POLISHED_UP_TO", 100)
    assert solve(game, iterations=300).method.endswith("/many-players")
    assert solve(game, iterations=300, polish=True).method.endswith("/many-players+support")


def test_the_deck_grows_with_the_table() -> None:
    for players in range(2, 11):
        assert make("leduc", players=players).deck.size == 2 * (players + 1)
        assert make("leduc", players=players, ranks=9).deck.size == 18
        assert make("kuhn", players=players).deck.size == players + 1
