"""Connect Four: what it refuses, how a search is stopped, and the command line."""

from __future__ import annotations

import json
import random
from math import isnan
from typing import Any

import pytest

from games.connect_four import ConnectFour, connect_four
from games.connect_four_solver import solve
from seqform import make
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.cli import main
from seqform.game.rules import TERMINAL
from seqform.perfect_information import alpha_beta
from seqform.perfect_information.result import SearchProgress

REFUSED = [
    ({"columns": 0}, "columns=0"),
    ({"rows": 0}, "rows=0"),
    ({"connect": 0}, "connect=0"),
    ({"moves": "44x"}, "move 3, 'x', is not a column"),
    ({"moves": "4," + "9" * 5000}, "is not a column"),
    ({"moves": "4,,5"}, "move 2, '', is not a column"),
    ({"moves": "-1"}, "move 1, '-', is not a column"),
    ({"moves": "4²"}, "move 2, '²', is not a column"),
    ({"moves": "48"}, "move 2, '8', is not on the board; use columns 1 to 7"),
    ({"moves": "0"}, "move 1, '0', is not on the board"),
    ({"moves": "4444444"}, "move 7, '4', is a full column; it has 6 squares"),
    ({"moves": "12121212"}, "move 8, '2', comes after the end of the game"),
]


@pytest.mark.parametrize(("parameters", "words"), REFUSED)
def test_parameters_that_make_no_game(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        make("connect-four", **parameters)
    assert words in str(refused.value)


def test_moves_on_wide_boards() -> None:
    game = connect_four(12, 2, moves="12, 11,12")
    assert game.draw(game.root()).split("\n") == [
        ". . . . . . . . . . . x",
        ". . . . . . . . . . o x",
    ]
    assert game.actions(game.root()) == list(range(1, 12))


def test_boards_of_any_size_are_games() -> None:
    game = connect_four(30, 40, moves=",".join(["30", "1"] * 3 + ["30"]))
    assert game.payoffs(game.root()) == (1, -1)
    with pytest.raises(
        UnsupportedGameError, match=r"30 columns and 40 rows takes 1230 bits.*method='alphabeta'"
    ):
        solve(game)
    with pytest.raises(UnsupportedGameError, match="takes 65 bits"):
        solve(connect_four(13, 4))


@pytest.mark.parametrize(("columns", "rows", "seed"), [(8, 7, 1), (8, 7, 2), (7, 8, 3), (16, 3, 4)])
def test_boards_of_64_bits(columns: int, rows: int, seed: int) -> None:
    """Bit 63 is the sign of the kernels' integers."""
    game = late_position(columns, rows, empty=13, rng=random.Random(seed))
    assert solve(game, distance=True).value == solve(game).value == alpha_beta(game).value


@pytest.mark.parametrize("empty", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_the_best_action_when_few_squares_are_left(empty: int, seed: int) -> None:
    game = late_position(4, 4, empty, random.Random(seed))
    result = solve(game)
    assert result.best_action in game.actions(game.root())
    after = ConnectFour(4, 4, 4, game.child(game.root(), result.best_action))
    assert solve(after).value == result.value == alpha_beta(game).value


def late_position(columns: int, rows: int, empty: int, rng: random.Random) -> ConnectFour:
    """Play at random until few squares are left and nobody has won."""
    while True:
        moves: list[int] = []
        game = connect_four(columns, rows)
        state = game.root()
        while game.player(state) != TERMINAL and len(moves) < columns * rows - empty:
            moves.append(rng.choice(game.actions(state)))
            state = game.child(state, moves[-1])
        if game.player(state) != TERMINAL:
            return connect_four(columns, rows, moves=",".join(map(str, moves)))


def test_a_line_longer_than_the_board_is_never_made() -> None:
    result = solve(connect_four(3, 2, connect=100), distance=True)
    assert (result.value, result.statistics["moves_to_end"]) == (0, 6)


def test_options_that_make_no_sense() -> None:
    with pytest.raises(
        InvalidParameterError,
        match="table_bits=5 is too small for the board of 7 columns and 6 rows: use 6 or more",
    ):
        solve(connect_four(), table_bits=5)
    with pytest.raises(InvalidParameterError, match=r"table_bits=0 .* use 1 or more"):
        solve(connect_four(4, 4), table_bits=0)
    for seconds in (0.0, -1.0, float("nan")):
        with pytest.raises(InvalidParameterError, match="time_limit"):
            solve(connect_four(4, 4), time_limit=seconds)


def test_a_game_that_is_over_or_nearly_so() -> None:
    over = solve(connect_four(moves="1212121"))
    assert (over.value, over.best_action, over.statistics["moves_to_end"]) == (1, None, 0)
    for moves, value, action in (("121212", 1, 1), ("7121212", -1, 1)):
        result = solve(connect_four(moves=moves))
        assert (result.value, result.best_action, result.statistics["moves_to_end"]) == (
            value,
            action,
            1,
        )
    last = solve(connect_four(3, 2, moves="12312"))
    assert (last.value, last.best_action) == (0, 3)


def test_a_time_limit_leaves_what_was_proven() -> None:
    told: list[SearchProgress] = []
    result = solve(connect_four(), time_limit=0.5, callback=told.append, table_bits=16)
    assert (result.lower, result.upper, result.message) == (-1, 1, "stopped by the time limit")
    assert isnan(result.value)
    assert result.best_action is None
    assert told
    assert [now.nodes for now in told] == sorted({now.nodes for now in told})
    assert result.statistics["nodes"] >= told[-1].nodes
    assert 0.5 <= result.seconds < 60


def test_an_interrupt_leaves_what_was_proven() -> None:
    def interrupt(now: SearchProgress) -> None:
        raise KeyboardInterrupt

    result = solve(connect_four(), callback=interrupt, table_bits=16)
    assert (result.lower, result.upper, result.message) == (-1, 1, "interrupted")


def test_a_search_goes_on_where_it_was_suspended(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(connect_four(5, 5), distance=True)
    monkeypatch.setattr("games.connect_four_solver.BUDGET", 7)
    pieces = solve(connect_four(5, 5), distance=True)
    assert pieces.statistics == whole.statistics


def test_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [
        "seqform",
        "solve",
        "connect-four",
        "-p",
        "columns=5",
        "-p",
        "rows=4",
        "-p",
        "moves=33",
        "--method",
        "bitboard",
        "--json",
    ]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["status"], record["method"], record["value"]) == ("solved", "bitboard", 0.0)
    assert record["sizes"]["nodes"] > 100
