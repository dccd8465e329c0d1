"""The short answer: worth, certainty, time, what is played, and commands that run."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import GAMES, Solution, brief, build_sequence_form, build_tree, make, solve
from seqform.base.errors import OutOfTimeError
from seqform.base.rounded import interval, rounded
from seqform.base.summary import counted
from seqform.base.wrapped import wrapped_rows
from seqform.cli import app
from seqform.game.catalogue import KnownValue
from seqform.results.off_path import OffPath
from seqform.results.short import short_rows
from seqform.results.status import Status
from seqform.strategies.show.by_play import alike
from seqform.strategies.show.equilibria_table import NEVER, equilibria_tables, played_in_all
from seqform.strategies.show.table_text import Column, Table
from tests.command_line import call
from tests.float_games import float_game

ALL_KINDS = (
    "kuhn",
    "leduc",
    "kuhn -p players=3",
    "chicken",
    "chicken --all",
    "chicken --method efce",
    "signalling --optimize welfare",
    "centipede",
    "tic-tac-toe -p board=xoo/.xx/... --method minimax",
    "tic-tac-toe --method minimax --depth 2",
    "kuhn --family",
    "kuhn --refine quasi-perfect",
    "leduc --abstract outcome",
    "kuhn --method cfr --iterations 10",
    "matching-pennies --method qre --lambda-end 1",
    "goofspiel",
    "random",
)
NOISE = re.compile(r"\de-(?:1\d|3\d\d)")


@pytest.fixture(scope="module")
def kuhn() -> Solution:
    return solve(make("kuhn"))


@pytest.mark.parametrize("words", ALL_KINDS)
def test_every_kind_of_answer_begins_with_what_people_ask_for(words: str) -> None:
    printed = call(*shlex.split(f"solve {words}"))
    head, _, steps = printed.partition("\nnext\n")
    names = re.findall(r"^  (\w[\w ]*?)  +\S", head, re.MULTILINE)
    assert {"certainty", "time"} <= set(names)
    assert names[0] in ("value", "player 0 gets", "known")
    assert "seqform solve" in steps
    assert len(head.splitlines()) < 50
    assert not re.search(r"\b1 (?:games|pairs|nodes|chips|units|iterations|sequences)\b", printed)
    assert "1-1e" not in printed


@pytest.mark.parametrize("words", ["kuhn", "chicken", "signalling", "leduc", "kuhn -p players=3"])
def test_no_noise_stands_beside_a_proof(words: str) -> None:
    assert not NOISE.search(call(*shlex.split(f"solve {words}")))


def test_steps_are_commands_that_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in ("solve kuhn --out result", "solve chicken --method lcp", "solve centipede"):
        printed = call(*shlex.split(words)).partition("\nnext\n")[2]
        commands = re.findall(r"^  (seqform .*?)(?:  |$)", printed, re.MULTILINE)
        assert len(commands) >= 2
        for command in commands:
            if " play " not in command:
                assert CliRunner().invoke(app, shlex.split(command)[1:]).exit_code == 0, command


def test_steps_that_would_be_refused_are_not_offered() -> None:
    def offered(solution: Solution) -> str:
        return " ".join(command for command, _ in brief(solution, "game").steps)

    assert "--all" in offered(solve(make("signalling")))
    assert "--all" not in offered(solve(make("battleship")))  # too many strategies
    floats = random_game(3, chance=0.5)
    assert "--prove" in offered(solve(floats, exact=False))
    assert "--prove" not in offered(solve(float_game(3)))


def test_steps_type_what_was_asked_and_nothing_that_was_not(kuhn: Solution) -> None:
    steps = brief(solve(make("kuhn"), all=False, family=False), "kuhn").steps
    assert not [command for command, _ in steps if "--no-" in command]
    steps = brief(solve(make("kuhn"), exact=False), "kuhn").steps
    assert steps[0][0] == "seqform solve kuhn --no-exact --out result"
    form = build_sequence_form(build_tree(make("chicken")))
    start = form.profile([treeplex.uniform() for treeplex in form.treeplexes])
    steps = brief(solve(make("chicken"), method="lcp", start=start), "chicken").steps
    assert not [command for command, _ in steps if command.startswith("seqform solve")]


def test_details_have_every_row(kuhn: Solution) -> None:
    printed = call("solve", "kuhn", "--details")
    for name, text in kuhn.rows():
        assert name in printed
        assert name == "seconds" or "e-" in text or text in printed
    assert "known value" in printed


def test_a_long_fraction_is_whole_in_details() -> None:
    printed = call("solve", "leduc", "--details")
    assert "-1454920850547486749701863871533/16995463438839962469905132501930 = -0.0856" in printed
    assert "145492085" not in call("solve", "leduc")


def test_words_are_those_of_the_status(kuhn: Solution) -> None:
    early = solve(make("kuhn"), method="cfr", iterations=10)
    found = dict(short_rows(early))
    assert found["status"].startswith("LIMIT: ")
    assert found["status"].endswith("before the gap asked for: 2e-05 chips")
    assert found["value"].startswith("between ")
    assert "exact" not in found["certainty"]
    lossy = dict(short_rows(solve(make("leduc"), abstract="outcome")))
    assert "lossy" in lossy["certainty"]
    nothing = replace(kuhn, answer=None, certificate=None, proofs=(), status=Status.FAILED)
    assert dict(short_rows(nothing))["status"].startswith("FAILED: the solver failed")
    assert dict(short_rows(nothing))["certainty"].startswith("none")
    assert "value" not in dict(short_rows(nothing))


def test_a_known_value_is_compared() -> None:
    floats = solve(make("kuhn"), exact=False)
    wrong, right = KnownValue(1, "a misprint"), KnownValue(Fraction(-1, 18), "Kuhn")
    assert dict(short_rows(floats, wrong))["known"] == "1, NOT in that interval (a misprint)"
    assert dict(short_rows(floats, right))["known"] == "-1/18, in that interval (Kuhn)"
    exact = solve(make("kuhn"))
    assert dict(short_rows(exact, right))["known"] == "the same (Kuhn)"
    assert dict(short_rows(exact, wrong))["known"] == "1, NOT in that interval (a misprint)"


def test_calls_stand_where_a_game_has_no_name(kuhn: Solution) -> None:
    assert 'solution.save("result")' in str(kuhn)
    assert "seqform solve" not in str(kuhn)
    assert "seqform solve kuhn --out result" in brief(kuhn, "kuhn").text


def test_a_large_game_shows_how_it_begins() -> None:
    found = brief(solve(make("leduc")), "leduc")
    assert [table.title for table in found.tables] == ["player 0", "player 1"]
    assert sum(len(table.rows) for table in found.tables) <= 12
    assert "left out" in found.notes[-1]
    assert any(command == "seqform show leduc" for command, _ in found.steps)
    many = brief(solve(make("goofspiel")))
    assert "of 162 information sets that play comes to" in many.notes[-1]


def test_a_point_of_a_path_is_not_called_the_value(kuhn: Solution) -> None:
    """At lambda = 2 it is far from an equilibrium: what it pays is no value of the game."""
    found = solve(make("kuhn"), method="qre", lambda_end=2)
    rows = dict(brief(found, "kuhn").rows)
    assert "value" not in rows
    assert rows["this play pays"].startswith(f"{found.values[0]:.6g} chips")


def test_names_with_commas_are_told_from_one_another() -> None:
    columns = Column("", "", False), Column("bid")
    rows = ("4 tied", "3"), ("1 lost, 4 won", "3"), ("start", "4")
    (first, _), _ = alike(Table("player 0", columns, rows)).rows
    assert first == "4 tied; 1 lost, 4 won"


def test_rows_that_are_alike_are_one() -> None:
    table = Table("", (Column(""), Column("x")), tuple((f"hand {n}", "1") for n in range(30)))
    assert alike(table).rows == (("hand 0, hand 1, hand 2, hand 3, hand 4 and 25 more", "1"),)


@pytest.mark.parametrize("seed", range(6))
def test_equilibria_stand_side_by_side(seed: int) -> None:
    solution = solve(random_game(seed, depth=3, zero_sum=False), all=True)
    equilibria = solution.equilibria
    assert equilibria is not None
    tables = equilibria_tables(equilibria)
    shown = {name.strip(): texts for table in tables for name, *texts in table.rows}
    assert shown["player 1 gets"][-1] == str(equilibria[len(equilibria) - 1].values[1])
    assert all(len(set(of)) > 1 for name, of in shown.items() if " at " in name and len(tables) < 2)
    for column, each in enumerate(equilibria if len(tables) == 1 else ()):
        played = {
            f"{row['action']} at {row['infoset']}"
            for strategy in equilibria.strategies(each)
            for row in strategy
        }
        same = set(played_in_all(equilibria))
        there = {n for n, of in shown.items() if " at " in n and of[column] not in ("0", NEVER)}
        assert there <= played
        assert played - there <= same | {n for n in played if n not in shown}


texts = st.lists(st.sampled_from(["-1/18", "chips", "[-0.1,", "0.25]", "x" * 60]), max_size=12)


@given(texts, st.integers(20, 120))
def test_nothing_is_broken_within_a_word(words: list[str], width: int) -> None:
    rows = [("value", " ".join(words)), ("certainty", "exact")]
    lines = list(wrapped_rows(rows, width))
    assert " ".join(lines).split() == ["value", *words, "certainty", "exact"]
    wide = [line for line in lines if len(line) > width]
    assert all(len(line.split()[-1]) + 2 >= width - 20 for line in wide)
    assert len(list(wrapped_rows(rows, inf))) == 2


finite = st.floats(-1e12, 1e12)


@given(finite, finite)
def test_intervals_are_rounded_outwards(first: float, second: float) -> None:
    lower, upper = sorted((first, second))
    ends = [float(end) for end in interval(lower, upper)[1:-1].split(", ")]
    assert ends[0] <= lower
    assert upper <= ends[1]
    assert ends[1] - ends[0] <= 1.1 * (upper - lower) + 1e-10 * max(-lower, upper)


@given(finite, st.floats(1e-12, 1e12))
def test_digits_are_those_that_are_known(value: float, error: float) -> None:
    assert abs(float(rounded(value, error)) - value) <= max(error, 1e-11 * abs(value))


def test_counts_have_their_nouns() -> None:
    assert counted(1, "pair") == "1 pair"
    assert counted(0, "pair") == "0 pairs"
    assert GAMES.get("kuhn").known_value({}) is not None


def test_an_answer_is_not_lost_where_time_is_over(
    kuhn: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(_: Solution) -> None:
        raise OutOfTimeError("the time limit was over")

    monkeypatch.setattr("seqform.strategies.show.beginning.beginning_of", too_late)
    found = brief(kuhn, "kuhn")
    assert found.tables == ()
    assert "the time is over" in found.notes[0]
    assert found.rows[0] == ("value", "-1/18 chips to player 0 (-0.055555556)")


def test_noise_after_mistakes_is_nothing() -> None:
    gains = ((0.177, 0.238), (0.0, 0.0)), ((4.63e-19, 0.295), (0.0, 0.0))
    ((name, text),) = OffPath((0, 0), *gains).rows("chips")
    assert name == "after a mistake of player 0"
    assert text == (
        "player 0 could gain 0 chips (0.177 before), the others could gain 0.295 chips "
        "(0.238 before)"
    )
