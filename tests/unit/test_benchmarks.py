"""Benchmarks look inside the solvers, where names change: each still measures what it says."""

from __future__ import annotations

import pytest

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
