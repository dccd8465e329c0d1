"""`info`, `shrink` and `solve` count one linear program of a game, whatever a solver is given."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import build_sequence_form, build_tree, describe, make, merge_by, reduce, shrink, solve
from seqform.form.sizes import COUNTED, GAME_SIZES, LP_SIZES, SOLVER_SIZES, as_solver_sizes, sizes
from seqform.links.link import REDUCTIONS
from seqform.solvers.linear.program import build_lp
from tests.examples import examples
from tests.strategies import trees

LARGE = (
    ("kuhn", {"cards": 5}),
    ("leduc", {}),
    ("leduc", {"ranks": 4, "merge_suits": True}),
    ("rhode-island", {"ranks": 3, "suits": 2, "max_bets": 1}),
)
GAMES = (
    ("kuhn", {}),
    ("kuhn", {"cards": 4}),
    ("leduc", {"ranks": 2}),
    ("leduc", {"ranks": 2, "merge_suits": True}),
    ("liars-dice", {"sides": 3}),
    ("goofspiel", {"cards": 3}),
    ("matching-pennies", {}),
    ("von-stengel", {}),
    ("rhode-island", {"ranks": 2, "suits": 2, "max_bets": 1}),
    ("tic-tac-toe", {"board": "xox/ox./..."}),
    *(pytest.param(*of, marks=pytest.mark.long) for of in LARGE),
)
QUICK = {"exact": False, "method": "lp"}


def of_program(counts: Any, names: tuple[str, ...] = LP_SIZES) -> tuple[int, ...]:
    return tuple(counts[name] for name in names)


def check(game: Any, reductions: list[str]) -> None:
    """See that all ways to ask for the size of a game's program give that of the program made."""
    program = build_lp(build_sequence_form(build_tree(game)))
    expected = program.num_rows, program.num_columns, program.num_nonzeros
    assert of_program(describe(game)) == expected
    direct = solve(game, abstract="none", **QUICK)
    assert of_program(direct.sizes) == expected
    for name in reductions:
        record, solution = shrink(game, name), solve(game, abstract=name, **QUICK)
        assert of_program(record["before"], COUNTED) == expected
        assert of_program(solution.sizes) == expected
        small = build_lp(reduce(game, name)[0]).size
        assert of_program(record["after"], COUNTED) == small
        assert solution.abstract is not None
        assert of_program(solution.abstract.sizes) == small
        found = solution.record()
        assert of_program(found["sizes"]) == expected
        assert of_program(found["abstract_sizes"]) == small


@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)
def test_sizes_of_games_of_the_catalogue(name: str, parameters: dict[str, Any]) -> None:
    game = make(name, **parameters)
    taken = [of.name for of in REDUCTIONS if of.accepts(game) is None]
    is_small = describe(game)["nodes"] < 300
    check(game, [of for of in taken if is_small or "dominated" not in of])  # which takes long


@given(trees())
@examples(12, 60)
def test_sizes_of_random_games(tree: Any) -> None:
    check(tree, ["equitable", "tree", "dominated"])


@given(trees(players=(2, 3), zero_sum=(False,)))
def test_games_without_a_program_have_no_sizes_of_one(tree: Any) -> None:
    form = build_sequence_form(tree)
    if form.num_players == 2 and form.constant_sum is not None:
        return
    assert sizes(form).keys() == {"nodes", "infosets", "sequences"}
    assert not describe(tree).keys() & set(LP_SIZES)


def test_a_solver_that_was_given_another_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.thresholds.SMALLER_FROM", 100)
    game = make("liars-dice", sides=4)
    solution, info = solve(game, **QUICK), describe(game)
    assert of_program(solution.sizes) == of_program(info)
    assert solution.sizes["solver_nonzeros"] < info["lp_nonzeros"] / 2
    rows = dict(solution.rows())
    for title, counts in (
        ("LP rows, columns, nonzeros", of_program(info)),
        ("solver rows, columns, nonzeros", of_program(solution.sizes, SOLVER_SIZES)),
    ):
        assert rows[title] == ", ".join(f"{count:,}" for count in counts)


def test_one_program_is_named_once() -> None:
    rows = dict(solve(make("leduc"), abstract="equitable", **QUICK).rows())
    assert rows["LP rows, columns, nonzeros"] == "1,562, 1,562, 8,042"
    assert rows["abstract LP rows, columns, nonzeros"] == "482, 482, 1,928"
    assert not [name for name in rows if "solver" in name]


@pytest.mark.parametrize("method", ["dcfr", "lcp"])
def test_other_methods_know_the_program_that_they_spare(method: str) -> None:
    solution = solve(make("kuhn"), method=method, abstract="none")
    assert of_program(solution.sizes) == (20, 20, 68)
    assert not solution.sizes.keys() & set(SOLVER_SIZES)


def test_sets_that_play_alike_are_no_program() -> None:
    game = make("kuhn")
    forgets = merge_by(lambda player, label: label if label[-1] == ":" else label[2:])
    solution = solve(game, abstract=forgets, method="cfr+", iterations=10)
    assert of_program(solution.sizes) == (20, 20, 68)
    assert solution.abstract is not None
    assert solution.abstract.game.merged
    assert not solution.abstract.sizes.keys() & set(LP_SIZES)


def test_integer_programs_are_the_solvers() -> None:
    found = solve(make("kuhn"), method="mip").sizes
    assert of_program(found) == (20, 20, 68)
    assert of_program(found, SOLVER_SIZES) > (20, 20, 68)
    general = solve(make("chicken"), method="efce").sizes
    assert general.keys() >= set(SOLVER_SIZES)
    assert not general.keys() & set(LP_SIZES)


@given(st.dictionaries(st.sampled_from([*GAME_SIZES, "binaries"]), st.integers()))
def test_earlier_names(counts: dict[str, int]) -> None:
    renamed = as_solver_sizes(counts)
    assert [*renamed.values()] == [*counts.values()]
    assert not renamed.keys() & set(LP_SIZES)
    assert {name for name in renamed if name not in SOLVER_SIZES} == counts.keys() - set(LP_SIZES)
