"""Recursive games on the command line: solved, shown stage by stage, judged, played and drawn."""

from __future__ import annotations

import csv
import json
import re
import shlex
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

import seqform
from games.three_handed_one_card import three_handed_one_card
from seqform.base.errors import SeqformError
from seqform.recursive.solution import RecursiveSolution
from tests.command_line import call

GAME = ("kuhn-tournament", "-p", "chips=5")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tournament") / "saved"
    call("solve", *GAME, "--out", str(folder))
    return folder


def refused(*words: str) -> str:
    with pytest.raises(SeqformError) as error:
        call(*words)
    return str(error.value)


def bounds(text: str) -> tuple[Fraction, Fraction]:
    found = re.search(r"in \[(\S+), (\S+)\] tournaments", text)
    assert found is not None
    return Fraction(found[1]), Fraction(found[2])


def test_solve_says_a_bracket_that_python_proves_too() -> None:
    lower, upper = bounds(call("solve", *GAME))
    solution = seqform.solve_recursive(seqform.make("kuhn-tournament", chips=5))
    assert lower <= solution.lower <= solution.upper <= upper
    assert upper - lower < Fraction(1, 10**8)


def test_json_has_the_bracket_of_every_stage() -> None:
    record = json.loads(call("solve", *GAME, "--json"))
    assert len(record["stages"]) == 4
    for stage in record["stages"]:
        low, high = ([Fraction(text) for text in stage[side]] for side in ("lower", "upper"))
        assert all(a <= b for a, b in zip(low, high, strict=True))
        assert low[0] + high[1] == 1 == low[1] + high[0]  # one wins and the other does not
    assert Fraction(record["lower"]) == Fraction(record["stages"][0]["lower"][0])


def test_a_gap_that_cannot_be_reached_is_a_limit_and_a_status() -> None:
    text = call("solve", *GAME, "--gap", "1e-40", "--iterations", "3")
    lower, upper = bounds(text)
    assert lower < upper
    assert "a limit was hit" in text


def test_what_is_saved_verifies_and_is_shown(saved: Path) -> None:
    assert bounds(call("verify", str(saved))) == bounds(call("show", str(saved)))
    assert "4 against 1 chips" in call("show", str(saved))
    assert "J:check-bet" in call("show", str(saved), "--stage", "2")


def test_a_stage_is_a_game_of_its_own(saved: Path) -> None:
    solution = seqform.load(saved)
    assert isinstance(solution, RecursiveSolution)
    low, high = solution.bracket(2)
    record = json.loads(call("solve", "kuhn-tournament@2", "-p", "chips=5", "--json"))
    assert low - Fraction(1, 10**9) <= Fraction(record["value"]) <= high + Fraction(1, 10**9)
    assert "chance" in call("draw", "kuhn-tournament@2", "-p", "chips=5")


def test_strategies_of_a_folder_are_judged_again(saved: Path) -> None:
    rows = json.loads(call("evaluate", *GAME, "--profile", str(saved), "--json"))
    assert [row["stage"] for row in rows] == [f"{n} against {5 - n} chips" for n in range(1, 5)]
    assert all(0 <= float(row["at least"]) <= float(row["at most"]) <= 1 for row in rows)
    assert "another game" in refused(
        "evaluate", "kuhn-tournament", "-p", "chips=6", "--profile", str(saved)
    )


def test_plays_are_the_same_by_seed_and_add_up() -> None:
    told = ("sample", *GAME, "--hands", "40", "--seed", "3")
    text = call(*told)
    assert text == call(*told)
    rows = [row for row in csv.DictReader(StringIO(text)) if row.get("through")]
    assert len(rows) == 40
    assert all(float(row["player 0"]) + float(row["player 1"]) == 1 for row in rows)
    assert all(int(row["stages"]) == len(row["through"].split("; ")) for row in rows)


def test_one_play_of_three_has_means_and_no_intervals() -> None:
    graph = seqform.stage_graph(three_handed_one_card(chips=6))
    played = seqform.sample_stages(seqform.StationaryProfile.uniform(graph), 1)
    rows = dict(played.summary())
    won = [float(rows[f"player {player}"].split()[0]) for player in range(3)]
    assert won == played.payoffs[0].tolist()
    assert all("(of one play)" in rows[f"player {player}"] for player in range(3))


def test_next_steps_can_be_typed_and_done() -> None:
    many = seqform.search_recursive(three_handed_one_card(chips=6), iterations=1)
    assert [step for step, _ in many.brief().steps] == [
        "solution.stage((2, 2, 2))",
        "solution.save(folder, name)",
    ]
    # solving a stage anew need not find what was found of the tournament
    assert [step for step, _ in many.brief("three").steps] == ["seqform solve three --out result"]
    game = seqform.make("push-fold-against-anything", chips=1800)
    steps = seqform.solve_recursive(game, iterations=1).brief("anything", {"chips": 1800}).steps
    words = shlex.split(steps[0][0])
    assert words == ["seqform", "show", "anything@Stacks(chips=900, free=0)", "-p", "chips=1800"]


def test_the_graph_of_stages_is_told_and_drawn(tmp_path: Path) -> None:
    lines = call("draw", *GAME).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("1 against 4 chips -> 3 against 2 chips; ends (0, 1)")
    call("draw", *GAME, "--out", str(tmp_path / "stages.svg"))
    picture = (tmp_path / "stages.svg").read_text()
    assert all(f"{n} against {5 - n} chips" in picture for n in range(1, 5))


def test_a_page_holds_all_stages_and_is_sealed(saved: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    call("report", str(saved), "--out", str(page))
    text = page.read_text()
    assert all(f"{n} against {5 - n} chips" in text for n in range(1, 5))
    assert "J:check-bet" in text
    verified = call("verify", str(page))
    assert "unchanged" in verified
    assert "its button checks the certificates" in verified
    assert '<button type="button" class="check" data-check="result-0-certificate">' in text
    page.write_text(text.replace("4 against 1 chips", "5 against 0 chips", 1))
    assert refused("verify", str(page))


def test_info_counts_stages() -> None:
    record = json.loads(call("info", *GAME, "--json"))
    assert record["stages"] == 4
    assert record["different_stages"] == 2
    assert record["sum"] == "1"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", *GAME, "--method", "lp"), "no method of recursive games 'lp'"),
        (("solve", *GAME, "--stage-gap", "0.1"), "pollatschek of recursive games has no"),
        (("solve", *GAME, "--checkpoint", "search.npz"), "pollatschek of recursive games has no"),
        (("solve", *GAME, "--polish"), "without polish"),
        (("solve", *GAME, "--abstract", "equitable"), "without abstract"),
        (("solve", *GAME, "--threads", "2"), "without threads"),
        (("solve", *GAME, "--explain"), "--explain: this is of one game"),
        (("solve", *GAME, "--plot", "gaps.svg"), "without plot"),
        (("solve", *GAME, "--frame", "rows.csv"), "--frame: this is of one game"),
        (("solve", *GAME, "--gap", "0"), "give a number above 0"),
        (("shrink", *GAME), "is a recursive game, whose stages are games"),
        (("show", *GAME, "--stage", "9"), "there is no stage '9'; stages are 1, 2"),
        (("show", "kuhn", "--stage", "9"), "has no stages"),
        (("solve", "kuhn-tournament@9"), "there is no stage '9'; stages are 1, 2"),
        (("sample", *GAME, "--hands", "0"), "play 1 or more"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words)
