"""What `info` estimates is what whole processes were measured to take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.memory import GAMES
from seqform import describe, make

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
