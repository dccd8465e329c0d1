"""Published values of Connect Four.

Who wins on which board: Tromp, "John's Connect Four Playground" (tromp.github.io/c4/c4.html), for
boards whose sides add up to 15 or less; in how many moves: Steininger
(github.com/ChristopheSteininger/c4, readme). Positions: one of Tromp's Fhourstones benchmark, and
four from the end of games in the test set of Pons, "Solving Connect 4: how to build a perfect AI"
(blog.gamesolver.org).
"""

from __future__ import annotations

import pytest

from games.connect_four import CONNECT_FOUR, connect_four
from games.connect_four_solver import solve
from seqform.game.catalogue import KnownValue

SECONDS_EACH = [(7, 6), (8, 4), (6, 6)]
"""Boards of the registry that `benchmarks.run connect_four` solves."""

KNOWN = [
    known
    for known in CONNECT_FOUR.known
    if (known.parameters.get("columns", 7), known.parameters.get("rows", 6)) not in SECONDS_EACH
]


@pytest.mark.parametrize(
    "known", KNOWN, ids=lambda known: "{columns}x{rows}".format(**known.parameters)
)
def test_small_boards(known: KnownValue) -> None:
    assert solve(CONNECT_FOUR.make(**known.parameters)).value == known.value


def test_the_second_player_wins_six_by_four_with_the_last_stone() -> None:
    result = solve(connect_four(6, 4), distance=True)
    assert (result.value, result.statistics["moves_to_end"]) == (-1, 24)


def test_a_position_of_fhourstones() -> None:
    assert solve(connect_four(moves="45461667")).value == 1


PONS = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
    ("65214673556155731566316327373221417", -1),
]


@pytest.mark.parametrize(("moves", "score"), PONS)
def test_scores_of_positions(moves: str, score: int) -> None:
    """His score is 22 less the stones of the winner at the end, negative if who moves loses."""
    result = solve(connect_four(moves=moves), distance=True)
    sign = (score > 0) - (score < 0)
    assert result.values[len(moves) % 2] == sign
    at_end = len(moves) + result.statistics["moves_to_end"]
    assert sign * (22 - (at_end + 1) // 2) == score
