"""Recursive games of three players from the front door: every command, as somebody types it."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

import seqform
from games.three_handed_one_card import three_handed_one_card
from seqform import matrix_game
from seqform.base.clock import Clock
from seqform.base.errors import InvalidParameterError, SeqformError, UnsupportedGameError
from seqform.game.recursive import End, Next
from seqform.recursive.by_method import solve_stages
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.stage_batch import RegretMinimization
from seqform.recursive.stage_play import FewRounds
from seqform.recursive.stage_solution import stage_game
from seqform.recursive.sweeps import sweep_stages
from seqform.results.status import Status
from seqform.solvers.iterative.regret.rules import rule
from tests.command_line import call
from tests.random_recursive_games import TableGame, kuhn_tournament

GAME = ("three-handed-one-card", "-p", "chips=6", "-p", "cards=4")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("three") / "saved"
    call("solve", *GAME, "--out", str(folder))
    return folder


@pytest.fixture(scope="module")
def solution(saved: Path) -> RecursiveSolution:
    found = seqform.load(saved)
    assert isinstance(found, RecursiveSolution)
    return found


def refused(*words: str) -> str:
    with pytest.raises(SeqformError) as error:
        call(*words)
    return str(error.value)


def test_the_answer_comes_first_and_says_what_is_proven(solution: RecursiveSolution) -> None:
    told = dict(solution.rows())
    assert list(told)[:4] == ["first stage", *(f"worth to seat {seat}" for seat in range(3))]
    assert solution.status is Status.SOLVED
    assert told["equilibrium"] == "proven, within 0.009 units of prize at every position"
    assert "% of the entry fee; nor more than" in told["certainty"]
    share = Fraction(solution.share_of_fee or "0")
    assert share >= solution.gain * 100 / Fraction(100, 3) >= share * Fraction(99, 100)
    for seat in range(3):
        least = Fraction(told[f"worth to seat {seat}"].split()[2])
        assert 0 <= solution.proof.lower[0][seat] - least < Fraction(1, 10**9)


def test_it_is_no_equilibrium_unless_that_is_proven() -> None:
    text = call("solve", *GAME, "--gap", "1e-9", "--iterations", "3")
    assert "not proven within 1e-09 units of prize" in text
    assert "a limit was hit" in text
    record = json.loads(call("solve", *GAME, "--gap", "1e-9", "--iterations", "3", "--json"))
    assert record["status"] == "limit"
    assert max(map(Fraction, record["gains"])) > Fraction(1, 10**9)
    assert record["percent_of_entry_fee"] is not None


def test_values_that_went_round_are_told_also_of_what_was_saved(
    solution: RecursiveSolution, tmp_path: Path
) -> None:
    round_again = replace(solution, run=replace(solution.run, message="values came round again"))
    assert dict(round_again.rows())["remark"] == "values came round again"
    round_again.save(tmp_path / "round", *named())
    assert "values came round again" in call("verify", str(tmp_path / "round"))


def named() -> tuple[str, dict[str, int]]:
    return "three-handed-one-card", {"chips": 6, "cards": 4}


@pytest.mark.parametrize("method", ["pi-pcfr+", "vi-dcfr", "pi-fp", "vi-fp"])
def test_methods_are_those_that_are_named(method: str) -> None:
    record = json.loads(call("solve", *GAME, "--method", method, "--gap", "0.5", "--json"))
    assert record["method"] == method
    assert record["status"] == "solved"
    assert all(Fraction(gain) <= Fraction(1, 2) for gain in record["gains"])


def test_a_game_of_two_with_a_value_may_be_searched_too() -> None:
    game = kuhn_tournament(4, 2)
    assert solve_stages(game).method == "pollatschek"
    found = seqform.solve(game, method="pi-pcfr+", gap=0.01)
    assert isinstance(found, RecursiveSolution)
    assert found.method == "pi-pcfr+"
    assert found.proof.is_zero_sum
    assert found.lower <= Fraction(478298858532376074, 10**18) <= found.upper


def test_sums_that_vary_are_searched_and_not_given_a_value() -> None:
    hand = matrix_game([[0, 0], [0, 0]], actions=["ab", "cd"])
    game = TableGame(
        {0: hand},
        lambda key, leaf: Next(0, (1, 0)) if leaf.at == ("a", "c") else End((1, 2)),
        (0, 0),
    )
    found = seqform.solve(game, gap=0.01)
    assert isinstance(found, RecursiveSolution)
    assert found.method == "pi-pcfr+"
    assert not found.proof.is_zero_sum
    with pytest.raises(UnsupportedGameError, match="add up to a constant"):
        seqform.solve(game, method="pollatschek")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--method", "pollatschek"), "this recursive game has 3"),
        (("--method", "lp"), "no method of recursive games 'lp'"),
        (("--method", "pi-cfrr"), "did you mean 'pi-cfr"),
        (("--stage-gap", "0.1"), "this is of fictitious play"),
        (("--method", "pi-fp", "--stage-gap", "0"), "give a number above 0"),
        (("--resume",), "the file to go on from"),
        (("--polish",), "without polish"),
        (("--abstract", "equitable"), "without abstract"),
        (("--lock", "lock.csv"), "without lock"),
        (("--iterations", "0"), "give 1 or more"),
    ],
)
def test_what_it_does_not_take_is_refused_in_words(words: tuple[str, ...], said: str) -> None:
    assert said in refused("solve", *GAME, *words)


def test_start_and_resume_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match="give one"):
        seqform.solve(
            three_handed_one_card(chips=6, cards=4),
            start=np.zeros((14, 3)),
            checkpoint=tmp_path / "search.npz",
            resume=True,
        )


def test_what_is_saved_is_proven_again_and_shown(saved: Path, solution: RecursiveSolution) -> None:
    verified = json.loads(call("verify", str(saved), "--json"))
    assert verified["verified"] is True
    shown = call("show", str(saved))
    assert "gains up to" in shown
    assert "2, 2, 2 chips" in shown
    stage = call("show", str(saved), "--stage", "2, 2, 2 chips")
    assert re.search(r"^ +A +\S+ +\S+", stage, re.MULTILINE)
    assert "push" in stage
    assert stage == call("show", str(saved), "--stage", "(2, 2, 2)")


def test_a_stage_of_many_is_a_game_in_which_nobody_gains(solution: RecursiveSolution) -> None:
    for number in range(len(solution.graph.stages)):
        stage = solution.stage_at(number)
        assert stage.game.num_players == 3
        assert stage.status is Status.SOLVED
        low = [float(bound) for bound in solution.proof.lower[number]]
        assert stage.values == pytest.approx(low, abs=2 * float(solution.width))


def test_a_stage_pays_what_its_leads_are_worth(solution: RecursiveSolution) -> None:
    graph, rng = solution.graph, np.random.default_rng(5)
    values = rng.uniform(0, 50, (len(graph.stages), 3))
    for number in (0, 3, 9):
        form = stage_game(graph, number, values)
        plans = solution.profile.plans[number]
        worth = graph.worth(number, values)
        for seat in range(3):
            expected = graph.meetings(number, seat).against(plans).gradient(worth[:, seat])
            assert form.gradient(seat, plans) == pytest.approx(expected, abs=1e-9)


def test_strategies_of_a_folder_are_judged_for_every_seat(saved: Path) -> None:
    told = json.loads(call("evaluate", *GAME, "--profile", str(saved), "--json"))
    assert len(told) == 14
    for row in told:
        worth = [float(row[f"seat {seat} gets"]) for seat in range(3)]
        assert sum(worth) == pytest.approx(100, abs=0.1)
        assert all(float(row[f"seat {seat} gains up to"]) <= 0.009 for seat in range(3))


def test_plays_pay_out_all_prizes(saved: Path) -> None:
    text = call("sample", *GAME, "--profile", str(saved), "--hands", "30")
    plays = [row for row in csv.DictReader(StringIO(text)) if row.get("through")]
    assert len(plays) == 30
    for play in plays:
        assert sum(float(play[f"player {player}"]) for player in range(3)) == 100


def test_a_page_shows_what_is_played_in_every_stage(saved: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    call("report", str(saved), "--out", str(page))
    text = page.read_text()
    assert "by deviating at most" in text
    assert "push" in text
    assert "2, 2, 2 chips" in text
    assert "unchanged" in call("verify", str(page))


def test_stages_are_counted_and_told() -> None:
    record = json.loads(call("info", *GAME, "--json"))
    assert (record["players"], record["stages"], record["sum"]) == (3, 14, "100")
    assert len(call("draw", *GAME).splitlines()) == 14


def test_progress_says_what_is_gained() -> None:
    lines: list[str] = []
    seqform.solve(
        three_handed_one_card(chips=6, cards=4),
        iterations=2,
        callback=lambda now: lines.append(str(now)),
    )
    assert len(lines) == 2
    assert lines[0].startswith("sweep 1: by no deviation anybody gains more than")


def test_a_sweep_is_not_begun_without_time_for_it_and_a_proof() -> None:
    graph = seqform.stage_graph(three_handed_one_card(chips=6, cards=4))
    clock = Clock()
    clock.deadline = 0.0
    start = seqform.StationaryProfile.uniform(graph)
    found = sweep_stages(
        graph,
        FewRounds(RegretMinimization(rule("pcfr+"))),
        by_policy=True,
        gain=1e-12,
        clock=clock,
        start=start,
        values=np.zeros((14, 3)),
    )
    assert found.sweeps == 1
    assert 1e-12 < found.gain < 50
