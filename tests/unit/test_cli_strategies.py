"""`seqform evaluate` and `best-response`: what users type, and what they get wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    SeqformError,
)
from tests.command_line import call, typed


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("solved") / "kuhn"
    call("solve", "kuhn", "--out", str(folder))
    return str(folder)


@pytest.fixture
def king(tmp_path: Path) -> str:
    """A strategy of player 0 for the king alone."""
    path = tmp_path / "king.csv"
    path.write_text("player,infoset,action,probability\n0,K:,check,0\n0,K:,bet,1\n")
    return str(path)


def test_an_equilibrium_is_worth_the_value_and_gains_nothing(kuhn: str) -> None:
    record = json.loads(call("evaluate", "kuhn", "--profile", kuhn, "--json"))
    assert record["seats"][0]["values"] == pytest.approx([-1 / 18, 1 / 18])
    assert record["profile"]["nash_gap"] < 1e-9
    assert record["against"] is record["mean"] is None
    text = call("evaluate", "kuhn", "--profile", kuhn)
    for words in ("expected payoffs", "player 1's gain", "exploitability", "chips"):
        assert words in text


def test_head_to_head_by_line_and_hand(kuhn: str, king: str) -> None:
    asked = ("--profile", king, "--against", kuhn, "--lines", "--hands")
    record = json.loads(call("evaluate", "kuhn", *asked, "--json"))
    (seat,) = record["seats"]
    assert seat["player"] == 0
    assert sum(line["contributions"][0] for line in seat["lines"]) == pytest.approx(
        seat["values"][0]
    )
    for player, hands in enumerate(seat["hands"]):
        assert sum(hand["contribution"] for hand in hands) == pytest.approx(seat["values"][player])
    text = call("evaluate", "kuhn", *asked)
    for words in ("the profile as player 0: line", "check-bet-call", "player 1's hand", "K"):
        assert words in text


def test_what_is_left_open_is_filled_as_said(kuhn: str, king: str) -> None:
    uniform = json.loads(call("evaluate", "kuhn", "--profile", king, "--json"))
    filled = json.loads(call("evaluate", "kuhn", "--profile", king, "--complete", kuhn, "--json"))
    assert filled["profile"]["nash_gap"] < uniform["profile"]["nash_gap"]
    with pytest.raises(InvalidStrategyError, match="nothing is said of it"):
        call("evaluate", "kuhn", "--profile", king, "--complete", "refuse")
    with pytest.raises(InvalidStrategyError, match="nothing is said of it"):
        call("evaluate", "kuhn", "--profile", kuhn, "--complete", king)
    with pytest.raises(
        SeqformError,
        match=r"--complete unifrom is neither uniform nor refuse",
    ):
        call("evaluate", "kuhn", "--profile", king, "--complete", "unifrom")


def test_a_best_response_is_written_and_gets_what_it_says(king: str, tmp_path: Path) -> None:
    out = str(tmp_path / "answer.csv")
    asked = ("kuhn", "--profile", king, "--player", "1")
    said = json.loads(call("best-response", *asked, "--out", out, "--json"))
    assert said["gain"] > 0
    record = json.loads(call("evaluate", "kuhn", "--profile", out, "--json"))
    assert record["seats"][0]["values"][1] == pytest.approx(said["value"])
    text = call("best-response", *asked, "--out", out)
    assert "player 1 gets by a best response" in text
    assert f"written to {out}" in text.replace("\n", "")


def test_games_of_several_players_and_any_sums(tmp_path: Path) -> None:
    path = tmp_path / "nothing.csv"
    path.write_text("player,infoset,action,probability\n")
    asked = ("--profile", str(path), "--against", str(path), "--json")
    record = json.loads(call("evaluate", "kuhn", "-p", "players=3", *asked))
    assert [seat["player"] for seat in record["seats"]] == [0, 1, 2]
    record = json.loads(call("evaluate", "chicken", *asked[:2], "--hands", "--json"))
    assert len(record["profile"]["gains"]) == 2
    assert "hands" not in record["seats"][0]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (["evaluate", "kuhn", "--profile", "no.csv"], ResultFileError, "no.csv does not exist"),
        (["evaluate", "matching-pennies", "--profile", "KING"], InvalidStrategyError,
         r"no information set"),
        (["best-response", "kuhn", "--profile", "KING", "--player", "2"], InvalidParameterError,
         r"there is no player 2; use an integer from 0 to 1"),
        (["best-response", "kuhn", "--profile", "KING", "--player", "0", "--out", "x.txt"],
         ResultFileError, r"x.txt: a strategy is written as a table .csv, or by classes"),
        (["best-response", "kuhn", "--profile", "KING", "--player", "0", "--out", "no/x.csv"],
         ResultFileError, r"cannot write to no/x.csv: there is no folder no"),
        (["best-response", "kuhn", "--profile", "KING", "--player", "0", "--out", "x.npz"],
         SeqformError, r"only strategies of signal games, in which chance deals cards"),
    ],
)  # fmt: skip
def test_mistakes_are_said(king: str, arguments: list[str], kind: type, message: str) -> None:
    with pytest.raises(kind, match=message):
        call(*(king if word == "KING" else word for word in arguments))


def test_a_mistake_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("player,infoset,action,probability\n0,K:,raise,1\n")
    done = typed("evaluate", "kuhn", "--profile", "mine.csv", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        "seqform: mine.csv, line 2: player 0, information set 'K:' has no action 'raise'; "
        "use check, bet\n"
    )
