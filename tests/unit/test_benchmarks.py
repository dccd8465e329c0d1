"""Benchmarks look inside the solvers, where names change: each still measures what it says."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from benchmarks import layouts, markdown
from benchmarks.cases import CASES
from benchmarks.child import engine, once, ours


@pytest.mark.parametrize("name", ["simplex", "ipx", "1e-12"])
def test_bare_solves_find_equilibria(name: str) -> None:
    found = engine(CASES["kuhn"], 1, name)
    assert found["nash_gap"] < 1e-6
    assert found["nonzeros"] == 68


def test_solves_from_rules_to_certificate() -> None:
    assert ours(CASES["kuhn"], 1)["nash_gap"] < 1e-9
    assert once(CASES["kuhn"])["value"] == pytest.approx(-1 / 18, abs=1e-9)


@pytest.mark.parametrize("module", [layouts, markdown])
def test_examples_of_tables_hold(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_empty_columns_are_left_out_and_others_keep_their_order() -> None:
    lines = [{"a": 1, "b": None, "c": None}, {"a": None, "b": None, "c": 2.5, "d": [3, 4000]}]
    assert markdown.markdown("Title", lines) == (
        "## Title\n\n| a | c | d |\n| --- | --- | --- |\n| 1 |  |  |\n|  | 2.5 | 3, 4,000 |\n"
    )
