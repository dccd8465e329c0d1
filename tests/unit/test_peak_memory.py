"""What `info` estimates is what whole processes were measured to take."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from benchmarks.memory import GAMES
from seqform import build_sequence_form, build_tree, describe, make
from seqform.form.complementarity import build_lcp
from seqform.solvers.complementarity.covering import covering_of_prior, uniform_prior
from seqform.solvers.complementarity.first_equilibrium import follow_path, need_of_pivots
from seqform.solvers.complementarity.lemke import Limits

MEASURED = json.loads((Path(__file__).parents[2] / "benchmarks/results/memory.json").read_text())


def test_twenty_games_were_measured() -> None:
    assert len(MEASURED) == len(GAMES) == 20


@pytest.mark.parametrize(
    ("row", "game"),
    [(row, game) for row, game in zip(MEASURED, GAMES, strict=True) if row["info itself"] < 120],
    ids=lambda value: value["game"] if isinstance(value, dict) else "",
)
def test_estimates_are_within_a_factor_of_what_was_measured(
    row: dict[str, object], game: tuple[str, dict[str, object]]
) -> None:
    name, parameters = game
    estimated, measured = describe(make(name, **parameters))["memory_estimate_mb"], row["measured"]
    assert isinstance(measured, int)
    assert measured / 1.5 < estimated < measured * 1.5


def test_the_smaller_game_is_what_counts_where_it_is_solved() -> None:
    record = describe(make("rhode-island", ranks=5))
    assert 400 < record["memory_estimate_mb"] < 1100  # measured: 689; the game as it is: 30,000


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("kuhn", {"cards": 50}), ("leduc", {}), ("goofspiel", {"cards": 4})],
    ids=["kuhn", "leduc", "goofspiel"],
)
def test_arrays_of_pivots_are_within_what_is_said_of_them(
    name: str, parameters: dict[str, Any]
) -> None:
    """The factors are not counted here: what is left of the estimate is theirs."""
    form = build_sequence_form(build_tree(make(name, **parameters)))
    lcp = build_lcp(form)
    covering = covering_of_prior(lcp, uniform_prior(lcp))
    tracemalloc.start()
    try:
        follow_path(lcp, covering, Limits(150), go_on=False)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    said = need_of_pivots(form).num_bytes
    assert said / 5 < most < said
