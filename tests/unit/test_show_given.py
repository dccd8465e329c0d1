"""`show` of strategies that were given; rows as frames; how gaps fell."""

from __future__ import annotations

import csv
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import seqform
from games.kuhn import kuhn
from games.leduc import leduc
from games.textbook import chicken
from seqform import Solution, build_sequence_form, build_tree, given_from, make, read_given, show
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    SolverError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.methods.iterative_method import IterativeMethod
from seqform.methods.method import METHODS
from seqform.strategies.analysis import COLUMNS
from tests.command_line import call, typed

HALF = "player,infoset,action,probability\n1,Q:bet,fold,1\n1,Q:bet,call,0\n"


@pytest.fixture(scope="module")
def solved() -> Solution:
    return seqform.solve(kuhn())


def test_a_given_strategy_is_shown_by_hand_and_what_it_leaves_open_is_said(tmp_path: Path) -> None:
    path = tmp_path / "half.csv"
    path.write_text(HALF)
    form = build_sequence_form(build_tree(kuhn()))
    shown = show(read_given(path, form), player=1, game=kuhn())
    assert shown.tables[0].rows[1] == ("Q", "0.500", "0.500", "1", "0")
    assert "are filled evenly: all 6 of player 0, 5 of the 6 of player 1)" in shown.text
    printed = call("show", "kuhn", "--profile", str(path), "--player", "1")
    assert printed == shown.text + "\n"
    assert show(read_given(path, form)).tables[0].rows[0][0] == "J:"  # no cards are known then
    whole = show({(1, "Q:bet", "fold"): Fraction(1), (1, "Q:bet", "call"): 0}, game=kuhn())
    assert whole.tables[1].rows[1] == ("Q", "0.500", "0.500", "1", "0")


def test_it_is_completed_as_asked(tmp_path: Path, solved: Solution) -> None:
    path = tmp_path / "half.csv"
    path.write_text(HALF)
    solved.save(tmp_path / "kuhn", "kuhn")
    shown = call("show", "kuhn", "--profile", str(path), "--complete", str(tmp_path / "kuhn"))
    assert "are filled as in another strategy" in shown
    expected = show(solved, player=0).text.partition("\n\n(")[0]
    assert shown.startswith(expected)
    with pytest.raises(InvalidStrategyError, match="nothing is said of it"):
        call("show", "kuhn", "--profile", str(path), "--complete", "refuse")


def test_a_saved_result_and_its_table_are_strategies_of_other_games_too(
    tmp_path: Path, solved: Solution
) -> None:
    solved.save(tmp_path / "kuhn", "kuhn")
    expected = call("show", str(tmp_path / "kuhn"))
    for profile in (tmp_path / "kuhn", tmp_path / "kuhn/strategy.csv"):
        assert call("show", "kuhn", "--profile", str(profile)) == expected
        assert call("show", str(tmp_path / "kuhn"), "--profile", str(profile)) == expected
    refused = typed("show", "chicken", "--profile", str(tmp_path / "kuhn"))
    assert refused.returncode == 2
    assert "has no information set" in refused.stderr
    missing = typed("show", "kuhn", "--profile", "nothing.csv")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_a_profile_of_gambit_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "printed"
    path.write_text("NE,1/4,3/4,1,0\n")
    shown = call("show", "chicken", "--profile", str(path), "--csv")
    rows = list(csv.DictReader(shown.splitlines()))
    assert [float(row["probability"]) for row in rows] == [0.25, 0.75, 1, 0]


def test_a_strategy_by_classes_is_shown_of_its_game() -> None:
    deck = {"ranks": 3, "suits": 2, "max_bets": 1}
    solution = seqform.solve(make("rhode-island", **deck))
    strategy = solution.strategy
    assert show(strategy, game=make("rhode-island", **deck)).text == show(strategy).text


def test_frames_have_a_row_for_each_action(solved: Solution, tmp_path: Path) -> None:
    frame = solved.to_frame()
    assert tuple(frame.columns) == COLUMNS
    assert len(frame) == 24
    row = frame[(frame.player == 1) & (frame.infoset == "K:check") & (frame.action == "bet")]
    assert row.probability.item() == 1
    assert row.reach.item() == pytest.approx(1 / 3)
    solved.save_frame(tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [float(r["probability"]) for r in rows] == frame.probability.tolist()
    told = seqform.solve(chicken(), method="efce").to_frame()
    assert told.probability.tolist() == [0.25, 0.75, 0.25, 0.75]
    induced = seqform.solve(make("centipede")).to_frame()
    assert induced[induced.action == "take"].probability.tolist() == [1.0] * 6
    with pytest.raises(UnsupportedGameError, match="one line of play"):
        seqform.solve(make("nim"), method="alphabeta").to_frame()


def test_the_command_line_writes_frames(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    call("solve", "leduc", "--frame", str(one))
    call("show", "leduc", "--frame", str(two), "--player", "1", "--rows", "3")
    first, second = one.read_text().splitlines(), two.read_text().splitlines()
    assert first[0] == second[0] == ",".join(COLUMNS)
    assert [line for line in first[1:] if line.startswith("1,")] == second[1:]
    for command in ("solve", "show"):
        for wrong, words in (("x.txt", "ends in .csv"), ("a/b.csv", "there is no folder")):
            refused = typed(command, "kuhn", "--frame", str(tmp_path / wrong))
            assert refused.returncode == 2
            assert words in refused.stderr
            assert refused.stdout == ""


def test_frames_need_pandas_and_files_do_not(solved: Solution, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SolverError, match=r"pip install 'seqform\[pandas\]'"):
        solved.to_frame()
    with pytest.raises(SolverError, match=r"pip install 'seqform\[pandas\]'"):
        show(solved).to_frame()
    solved.save_frame(tmp_path / "a.csv")
    show(solved).save_frame(tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    (tmp_path / "c.csv").mkdir()
    with pytest.raises(ResultFileError, match="it is a folder"):
        solved.save_frame(tmp_path / "c.csv")


def test_nothing_else_loads_pandas(tmp_path: Path) -> None:
    code = (
        "import sys, seqform; s = seqform.solve(seqform.make('kuhn')); "
        f"s.save_frame({str(tmp_path / 'a.csv')!r}); seqform.show(s); "
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("game", [leduc(), make("kuhn", players=3), make("sheriff", items=1)])
@pytest.mark.parametrize("method", ["dcfr", "cfr+"])
def test_what_an_engine_claimed_is_drawn_for_any_game(game: object, method: str) -> None:
    solution = seqform.solve(game, method=method, iterations=50, gap=1e-12)
    for by in ("iterations", "seconds"):
        panel = solution.plot(by).axes[0]
        line, point = panel.lines
        looks = [look for look in solution.history if look.gap > 0]
        assert line.get_ydata().tolist() == [look.gap for look in looks]
        assert line.get_xdata().tolist() == [getattr(look, by) for look in looks]
        assert point.get_ydata() == pytest.approx([solution.nash_gap])
        assert panel.get_ylabel() == f"gap ({solution.unit})"
    with pytest.raises(UnknownNameError, match="axis"):
        solution.plot("hours")


def test_of_a_smaller_game_the_line_says_so() -> None:
    solution = seqform.solve(leduc(), method="dcfr", abstract="suit", gap=0.1)
    labels = [line.get_label() for line in solution.plot().axes[0].lines]
    assert labels[0] == "as the engine claims, in the smaller game"
    assert labels[1].startswith("certified: ")


def test_without_a_history_there_is_nothing_to_draw(solved: Solution, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedGameError, match="lp/highs/simplex recorded no gap"):
        solved.plot()
    refused = typed("solve", "kuhn", "--plot", str(tmp_path / "a.svg"))
    assert refused.returncode == 2
    assert "method 'lp' records no gaps" in refused.stderr
    assert "--method dcfr" in refused.stderr
    assert refused.stdout == ""
    with pytest.raises(InvalidParameterError, match=r"ends in .svg, .pdf or .png"):
        call("solve", "kuhn", "--plot", str(tmp_path / "a.txt"))


@pytest.mark.parametrize("name", METHODS.names())
def test_a_picture_without_gaps_is_refused_before_a_method_runs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, ran = METHODS.get(name), []
    monkeypatch.setattr(type(method), "run", lambda *given: ran.append(given) or 1 / 0)
    game = make("centipede") if method.concept in ("subgame-perfect", "game-value") else kuhn()
    has_gaps = isinstance(method, IterativeMethod)
    monkeypatch.setattr(type(method), "accepts", lambda *given: None)
    with pytest.raises(ZeroDivisionError if has_gaps else UnsupportedGameError):
        seqform.solve(game, method=name, plot=True)
    assert bool(ran) == has_gaps


def test_the_command_line_draws_it(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    call("solve", "kuhn", "--method", "dcfr", "--gap", "1e-3", "--plot", str(path))
    text = path.read_text()
    assert "iterations" in text
    assert "as the engine claims" in text


def test_what_is_shown_of_a_callable_names_its_game() -> None:
    def bold(player: int, infoset: object, actions: tuple[object, ...]) -> list[int]:
        return [0] * (len(actions) - 1) + [1]

    form = build_sequence_form(build_tree(kuhn()))
    assert show(given_from(bold, form)).tables == show(bold, game=form).tables
    assert np.all([row[2] == "1" for row in show(bold, game=kuhn()).tables[0].rows])
