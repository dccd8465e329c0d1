"""`seqform solve` and `seqform info` on games of perfect information."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from seqform.base.errors import (
    InvalidParameterError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.cli import app
from tests.command_line import call, process, typed
from tests.imports import loaded_by

KEYS = {
    "game",
    "params",
    "method",
    "status",
    "value",
    "values",
    "exact_values",
    "best_action",
    "principal_variation",
    "unit",
    "sizes",
}


def solved(*arguments: str) -> dict[str, Any]:
    record = json.loads(call("solve", *arguments, "--json"))
    assert record.keys() >= KEYS
    assert record["status"] == "solved"
    return record  # type: ignore[no-any-return]


@pytest.mark.parametrize("method", ["backward", "minimax", "alphabeta"])
def test_every_method_solves_tic_tac_toe_from_a_position(method: str) -> None:
    record = solved("tic-tac-toe", "-p", "board=xoo/exx/eee", "--method", method)
    assert (record["method"], record["value"], record["values"], record["exact_values"]) == (
        method,
        1,
        [1, -1],
        ["1", "-1"],
    )
    assert record["params"] == {"board": "xoo/exx/eee"}


def test_auto_goes_by_what_the_game_declares() -> None:
    assert solved("tic-tac-toe")["sizes"] == {"nodes": 5478, "table_hits": 10690}
    assert solved("centipede")["values"] == [4, 1]
    record = solved("two-player-tree")
    assert (record["method"], record["principal_variation"], record["largest_one_shot_gain"]) == (
        "backward",
        ["A", "C"],
        0,
    )
    nim = json.loads(call("solve", "nim", "-p", "heaps=1,2", "--solver", "highs", "--json"))
    assert nim["method"] == "lp/highs/simplex"
    assert json.loads(call("solve", "kuhn", "--json"))["method"].startswith("lp/")


def test_trace_writes_every_decision_as_by_hand() -> None:
    lines = call("solve", "king-queen-jack", "--method", "minimax", "--trace").splitlines()
    assert lines[:4] == [
        "check > bet: player 0 maximises over fold: -1, call: -2; takes fold, worth -1",
        "check: player 1 minimises over check: -1, bet: -1; takes check, worth -1",
        "bet: player 1 minimises over fold: 1, call: -2; takes call, worth -2",
        "the root: player 0 maximises over check: -1, bet: -2; takes check, worth -1",
    ]
    lines = call("solve", "king-queen-jack", "--method", "alphabeta", "--trace").splitlines()
    assert lines[0].startswith(
        "check > bet: player 0 maximises within (-infinity, -1) over fold: -1; takes fold, worth "
        "-1, cutting off call"
    )
    assert "A: player 1 chooses from C: (3, 8), D: (8, 3); takes C, worth (3, 8)" in call(
        "solve", "two-player-tree", "--trace"
    )


@pytest.mark.parametrize("method", ["backward", "alphabeta"])
def test_a_trace_that_nobody_reads_to_the_end(method: str) -> None:
    code = "from seqform.cli import main; main()"
    command = [sys.executable, "-c", code, "solve", "tic-tac-toe", "--method", method, "--trace"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert "player" in running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 1


def test_trace_of_chance_and_rewards(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    text = typed("solve", "own:Toss", "--method", "backward", "--trace", folder=tmp_path).stdout
    assert (
        "the root: chance takes the mean of 1: (1, -1), 2: (2, -2); worth (21/10, -21/10), with "
        "(1/2, -1/2) paid here" in text
    )


OWN = """
from fractions import Fraction
from seqform import CHANCE, TERMINAL
from seqform.perfect_information import SearchResult
from seqform.game.rules import PerfectInformation

class Toss(PerfectInformation):
    num_players, unit = 2, "coins"
    methods = {"lucky": "own:lucky", "unlucky": "own:unlucky"}
    def root(self): return 0
    def player(self, state): return TERMINAL if state else CHANCE
    def chance(self, state): return [(1, Fraction(2, 5)), (2, Fraction(3, 5))]
    def child(self, state, action): return action
    def actions(self, state): return ()
    def payoffs(self, state): return state, -state
    def rewards(self, state): return Fraction(1, 2), Fraction(-1, 2)

def lucky(game, callback, time_limit):
    return SearchResult("lucky", 2, 2, statistics={"nodes": 1}, message=f"limit {time_limit}")

def unlucky(game, callback, time_limit):
    return SearchResult("unlucky", 0, 2, message="gave up")
"""


def test_methods_of_the_games_own(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    for arguments in (("--method", "lucky"), ()):
        done = process(
            "solve", "own:Toss", *arguments, "--time-limit", "7", "--json", folder=tmp_path
        )
        record = json.loads(done.stdout)
        assert (record["method"], record["value"]) == ("lucky", 2)
        assert 0 < float(record["message"].removeprefix("limit ")) <= 7
    done = process("solve", "own:Toss", "--method", "unlucky", "--json", folder=tmp_path)
    record = json.loads(done.stdout)
    assert done.returncode == 1
    assert (record["status"], record["value"], record["lower"], record["upper"]) == (
        "limit",
        None,
        0,
        2,
    )
    done = process("solve", "own:Toss", "--method", "lucky", "--trace", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "method 'lucky' has no option 'trace'; it has none" in done.stderr


def test_a_time_limit_gives_status_1_and_no_number() -> None:
    done = typed(
        "solve",
        "mnk",
        "-p",
        "columns=5",
        "-p",
        "rows=5",
        "--method",
        "minimax",
        "--time-limit",
        "0.05",
        "--json",
    )
    record = json.loads(done.stdout)
    assert (done.returncode, record["status"], record["value"], record["exact_values"]) == (
        1,
        "limit",
        None,
        None,
    )
    text = typed(
        "solve",
        "mnk",
        "-p",
        "columns=5",
        "-p",
        "rows=5",
        "--method",
        "minimax",
        "--time-limit",
        "0.05",
    ).stdout
    assert "LIMIT" in text
    assert "nan" not in text


def test_a_solution_for_people() -> None:
    short = call("solve", "tic-tac-toe")
    assert "at none of 4,520 decisions does a deviation gain anything" in short
    assert "a1 > b2" in short
    text = call("solve", "tic-tac-toe", "--details")
    for words in (
        "SOLVED",
        "value to player 0",
        "0 games",
        "Uiterwijk",
        "largest gain from one deviation 0, over 4,520",
        "a1 > b2",
        "5,478",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("arguments", "error", "word"),
    [
        (("kuhn", "--method", "minimax"), UnsupportedGameError, "player 0 cannot tell node"),
        (("kuhn", "--method", "backward"), UnsupportedGameError, "--method lp, or .*: .*dcfr"),
        (
            ("two-player-tree", "--method", "alphabeta"),
            UnsupportedGameError,
            r"\(3, 8\) sums to 11.*--method backward",
        ),
        (
            ("nim", "--method", "alphabeta", "--gap", "1"),
            InvalidParameterError,
            "method 'alphabeta' has no option 'gap'; it has depth, evaluation, trace",
        ),
        (("nim", "--method", "backward", "--max-nodes", "3"), SeqformError, "3 nodes"),
        (("nim", "--method", "minimax", "--max-nodes", "3"), SeqformError, "3 nodes"),
        (("nim", "--method", "minimax", "--threads", "2"), InvalidParameterError, "--threads 2"),
        (("nim", "--method", "minimax", "--trace", "--json"), InvalidParameterError, "--trace"),
        (("kuhn", "--trace"), InvalidParameterError, "'trace' is an option of .*backward"),
        (("kuhn", "--method", "bitboard"), UnknownNameError, "bitboard"),
    ],
)
def test_what_does_not_go_together_is_refused(
    arguments: tuple[str, ...], error: type[Exception], word: str
) -> None:
    with pytest.raises(error, match=word):
        call("solve", *arguments)


def test_info_counts_the_tree() -> None:
    record = json.loads(call("info", "nim", "-p", "heaps=1,2", "--json"))
    assert record["recall"] == "perfect"
    assert record["infosets"] == record["decision_nodes"]


def test_nothing_heavy_is_loaded() -> None:
    from tests.imports import loaded_by

    code = """
from seqform.perfect_information import alpha_beta, backward_induction, check_one_shot
from games.tic_tac_toe import tic_tac_toe
game = tic_tac_toe('xoo/x../...')
alpha_beta(game)
check_one_shot(game, backward_induction(game))
"""
    assert not loaded_by(code) & {"numpy", "scipy", "numba", "networkx", "matplotlib"}


def test_a_depth_that_was_asked_for_is_reached_with_an_estimate() -> None:
    result = CliRunner().invoke(
        app, ["solve", "tic-tac-toe", "--method", "alphabeta", "--depth", "4", "--json"]
    )
    record = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (record["status"], record["value"], record["lower"], record["depth"]) == (
        "reached",
        None,
        None,
        4,
    )
    assert record["estimate"] == pytest.approx(1 / 9)
    deep = CliRunner().invoke(
        app, ["solve", "tic-tac-toe", "--method", "alphabeta", "--depth", "12", "--json"]
    )
    assert deep.exit_code == 0
    record = json.loads(deep.stdout)
    assert (record["value"], record["estimate"]) == (0.0, None)


@pytest.mark.parametrize(
    "options",
    [
        ("kuhn",),
        ("tic-tac-toe",),
        ("tic-tac-toe", "--method", "backward"),
        ("nim", "--method", "minimax"),
        ("nim", "--method", "alphabeta"),
    ],
)
def test_depth_is_for_searches_of_games_with_estimates(options: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, ["solve", *options, "--depth", "3"])
    assert result.exit_code != 0
    assert isinstance(result.exception, InvalidParameterError)
    assert "depth" in str(result.exception)


def test_an_evaluation_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "guess.py").write_text("def heaps(state): return sum(state[1])\nnothing = 1")

    def solve(*options: str) -> subprocess.CompletedProcess[str]:
        return typed("solve", "nim", *options, folder=tmp_path)

    deep = ("--depth", "2", "--json", "--evaluation")
    estimates = {
        json.loads(solve("--method", method, *deep, "guess:heaps").stdout)["estimate"]
        for method in ("minimax", "alphabeta")
    }
    assert estimates == {7}  # of 3, 4, 5: one is taken from the 5, then a heap of 4
    for name, message in (("guess:none", "attribute 'none'"), ("guess:nothing", "is no function")):
        assert message in solve("--method", "minimax", *deep, name).stderr
    assert "--depth too" in solve("--method", "minimax", "--evaluation", "guess:heaps").stderr


@pytest.mark.parametrize("method", ["auto", "alphabeta"])
def test_rules_are_solved_and_certified_without_numpy(method: str) -> None:
    code = f"""
import seqform
solution = seqform.solve(seqform.make('tic-tac-toe', board='xoo/x../...'), method={method!r})
str(solution), solution.record()
"""
    assert not loaded_by(code) & {"numpy", "scipy", "numba"}
