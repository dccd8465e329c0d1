"""Small games are searched in numpy with the digits of compiled loops, and wait for no compiler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.random_games import random_game
from seqform import build_sequence_form, build_tree, make
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret import treeplex_compile, treeplex_engine
from seqform.solvers.iterative.regret.rules import RULES
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from tests.child_tasks import compiled
from tests.generic_games import generic_tree


@pytest.fixture(autouse=True, scope="module")
def not_loaded() -> Iterator[None]:
    """Loops that other tests have loaded are not used before they are asked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treeplex_compile, "are_loaded", lambda: False)
        yield


def check_alike(form: SequenceForm, kind: str, alternating: bool, count: int) -> None:
    """Numpy and compiled loops have the same numbers after so many iterations."""
    rule = replace(RULES[kind], alternating=alternating)
    vectors, loops = TreeplexEngine(form, rule), TreeplexEngine(form, rule)
    loops.use_loops()
    for engine in (vectors, loops):
        engine.run(count)
    for name, array in loops.state().items():
        np.testing.assert_array_equal(vectors.state()[name], array, err_msg=name)
    assert vectors.bounds() == loops.bounds()


@given(st.integers(0, 100_000), st.sampled_from(sorted(RULES)), st.booleans())
def test_random_games_have_the_digits_of_compiled_loops(
    seed: int, kind: str, alternating: bool
) -> None:
    tree = random_game(seed, depth=6, rewards=seed % 2 == 0)
    check_alike(build_sequence_form(generic_tree(tree, seed)), kind, alternating, 7)


@pytest.mark.parametrize("kind", ["cfr+", "dcfr", "pdcfr+"])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice"])
def test_poker_and_dice_have_the_digits_of_compiled_loops(name: str, kind: str) -> None:
    form = build_sequence_form(build_tree(make(name)))
    check_alike(form, kind, True, 60)


def test_a_game_in_which_nothing_is_paid_is_searched_too() -> None:
    tree = build_tree(make("kuhn"))
    nothing = replace(tree, payoffs=tuple((0, 0) for _ in tree.payoffs))
    check_alike(build_sequence_form(nothing), "pdcfr+", True, 3)


def test_a_search_goes_on_by_loops_as_soon_as_they_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []

    def is_over(made: int) -> bool:
        asked.append(len(asked) == 1)  # the second time they are
        return asked[-1]

    monkeypatch.setattr(treeplex_compile, "is_over", is_over)
    monkeypatch.setattr(treeplex_engine, "PIECE", 10)
    form = build_sequence_form(build_tree(make("kuhn")))
    engine, plain = (TreeplexEngine(form, RULES["dcfr"]) for _ in range(2))
    engine.run(7)
    engine.run(30)
    plain.use_loops()
    plain.run(37)
    assert asked == [False, True]
    assert (engine.iterations, engine.bounds()) == (37, plain.bounds())


def test_large_games_begin_by_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(treeplex_engine, "SMALL", 25)
    engine = TreeplexEngine(build_sequence_form(build_tree(make("kuhn"))), RULES["cfr"])
    assert engine._vectors is None
    monkeypatch.setattr(treeplex_engine, "SMALL", 26)
    engine = TreeplexEngine(build_sequence_form(build_tree(make("kuhn"))), RULES["cfr"])
    assert engine._vectors is not None


CALLS = (
    "solve(make('kuhn'), method='cfr', gap=1e-2)",
    "solve(make('leduc'), method='dcfr', gap=1e-1)",
    "solve(make('leduc'), method='pcfr+', gap=1e-2)",
    "solve(make('kuhn'), gap=1e-4)",
    "solve(make('leduc'))",
    "solve(make('kuhn'), method='qre')",
)


def test_small_games_wait_for_no_compiler(tmp_path: Path) -> None:
    code = "; ".join(["from seqform import make, solve", *CALLS])
    assert compiled(code, tmp_path) == (0, [])
    assert not any(tmp_path.iterdir())


def test_what_is_compiled_for_small_games_is_all_that_they_need(tmp_path: Path) -> None:
    module, _, task = treeplex_compile.TASK.partition(":")
    code = f"from {module} import {task}; {task}({{}}, {{}})"
    count, names = compiled(code, tmp_path)
    needed = {"multiply", "discounted", "basis", "respond", "follow", "iterate", "best_value"}
    assert set(names) == needed
    assert count <= 9
    assert compiled(code, tmp_path) == (0, [])
