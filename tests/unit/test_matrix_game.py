"""Matrix games from arrays, and back; and the normal form as a game that methods take."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import (
    METHODS,
    build_normal_form,
    build_sequence_form,
    build_tree,
    make,
    matrix_game,
    restricted_game,
    solve,
    to_arrays,
)
from seqform.base.errors import InvalidGameError, InvalidParameterError, NotForThisGameError
from seqform.io import nfg_text, parse_nfg
from tests.same_game import assert_same_game

numbers = st.fractions(-5, 5, max_denominator=4) | st.integers(-5, 5)


@st.composite
def arrays(draw: st.DrawFn) -> list[np.ndarray[Any, Any]]:
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    found = []
    for _ in shape:
        table = np.empty(shape, dtype=object)
        for place in np.ndindex(*shape):
            table[place] = draw(numbers)
        found.append(table)
    return found


@given(arrays())
def test_arrays_come_back_as_they_were(tables) -> None:
    tree = matrix_game(*tables)
    assert tree.is_exact
    back = to_arrays(tree)
    assert len(back) == len(tables)
    for mine, theirs in zip(back, tables, strict=True):
        assert mine.dtype == object
        assert mine.tolist() == theirs.tolist()
        assert all(isinstance(number, Fraction) for number in mine.flat)


@given(arrays())
def test_the_tree_is_that_of_the_nfg_file(tables) -> None:
    """Two readers of one game, which share no code."""
    tree = matrix_game(*tables)
    read = parse_nfg(nfg_text(build_normal_form(tree)))
    assert_same_game(tree, read, infoset_labels=False)


def test_one_matrix_is_a_zero_sum_game_and_floats_stay_floats() -> None:
    pennies = matrix_game([[1, -1], [-1, 1]])
    assert solve(pennies).exact.value == 0
    mine, theirs = to_arrays(matrix_game(np.array([[0.5, 1.0]]), [[2, Fraction(1, 3)]]))
    assert (mine.dtype, mine.tolist()) == (np.float64, [[0.5, 1.0]])
    assert theirs.tolist() == [[Fraction(2), Fraction(1, 3)]]
    named = matrix_game([[3, 0], [5, 1]], [[3, 5], [0, 1]], actions=[["C", "D"]] * 2, unit="years")
    assert named.unit == "years"
    assert solve(named).profile[1, "strategy"] == {"C": 0.0, "D": 1.0}
    alone = matrix_game([1, 3, 2])
    assert solve(alone).values == (3,)


@pytest.mark.parametrize(
    ("payoffs", "said", "error", "message"),
    [
        ((), {}, InvalidParameterError, "give each of n players an array with n axes"),
        (([[1, 2]], [[1], [2]]), {}, InvalidParameterError, r"\(1, 2\), \(2, 1\) are not of one"),
        (([[1, 2], [3]],) * 2, {}, InvalidParameterError, "0's payoffs are no array: its rows"),
        (([[1, 2]],) * 3, {}, InvalidParameterError, "array with n axes"),
        (([[]],) * 2, {}, InvalidParameterError, "an entry at least"),
        (([[1, "x"]], [[1, 2]]), {}, InvalidGameError, r"'x' is not.*in \[0, 1\] of player 0"),
        (([[1, 2]], [[1, np.nan]]), {}, InvalidGameError, r"not finite.*\[0, 1\] of player 1"),
        (([[1, 2]],), {"actions": [["a"], ["b"]]}, InvalidParameterError, "name 1 and 2 actions"),
        (([[1, 2]],), {"actions": 3}, InvalidParameterError, "name 1 and 2 actions"),
        (([[1, 2]],), {"actions": [["a"], ["b", "b"]]}, InvalidGameError, "R8"),
    ],
)
def test_what_is_no_game_is_refused(payoffs, said, error, message) -> None:
    with pytest.raises(error, match=message):
        matrix_game(*payoffs, **said)


def test_a_table_with_a_chance_move_comes_back_as_fractions() -> None:
    mine, theirs = to_arrays(make("kuhn"))
    assert mine.shape == (27, 64)
    assert {number.denominator for number in mine.flat} <= {1, 2, 3, 6}
    assert not (mine + theirs).any()


GAMES = {
    "zero-sum": restricted_game(make("kuhn"), "J"),
    "two players": matrix_game([[3, 0, 1], [5, 1, 0]], [[3, 5, 2], [0, 1, 4]]),
    "three players": matrix_game(*np.random.default_rng(3).integers(-3, 4, (3, 2, 2, 2))),
}
FOR_OTHERS = ("alphabeta", "backward", "minimax", "best-response")
"""Methods for games in which nothing is hidden, or one player moves."""


@pytest.mark.parametrize("name", GAMES)
def test_the_one_shot_game_goes_into_every_method_that_its_kind_of_game_goes_into(name) -> None:
    game = GAMES[name]
    form, shot = build_sequence_form(build_tree(game)), build_normal_form(game).one_shot
    assert shot.tree is not None
    accepted = [_is_accepted(form, method) for method in METHODS.names()]
    assert [_is_accepted(shot, method) for method in METHODS.names()] == accepted
    assert sum(accepted) > 8


def _is_accepted(form: Any, method: str) -> bool:
    if method in FOR_OTHERS:
        return False
    options: dict[str, Any] = {"iterations": 3} if hasattr(METHODS.get(method), "engine") else {}
    try:
        solution = solve(form, method=method, **options)
    except NotForThisGameError:
        return False
    assert solution.certificate is not None
    return True


def test_values_of_the_one_shot_game_are_those_of_the_game() -> None:
    shot = build_normal_form(make("akq")).one_shot
    for method in ("qre", "efce", "efcce", "nfcce", "enumeration"):
        assert abs(float(solve(shot, method=method).values[0]) - 1 / 18) < 1e-6, method


def test_a_large_table_has_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.form.one_shot.LARGEST_TREE", 27 * 64 - 1)
    shot = build_normal_form(make("kuhn")).one_shot
    assert shot.tree is None
    assert solve(shot, method="lp").exact.value == Fraction(-1, 18)
