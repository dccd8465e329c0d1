"""Intervals proven in exact arithmetic, from the command line."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from seqform.base import deadline
from seqform.base.errors import UnsupportedGameError, VerificationError
from seqform.cli import app
from tests.command_line import KEYS, call, typed
from tests.float_games import FLOATS
from tests.random_signal_games import SMALL

SMALLER = ("rhode-island", "-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1")


def record_of(*arguments: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(call("solve", *arguments, "--prove", "--json"))
    return record


def bounds(record: dict[str, Any]) -> tuple[Fraction, Fraction]:
    proven = record["proven"]
    assert proven.keys() == {"lower", "upper", "width", "bits"}
    assert all("/" in proven[key] for key in ("lower", "upper", "width"))
    lower, upper = Fraction(proven["lower"]), Fraction(proven["upper"])
    assert Fraction(proven["width"]) == upper - lower >= 0
    return lower, upper


def test_prove_adds_fractions_to_the_json_object() -> None:
    record = record_of("kuhn")
    assert record.keys() >= KEYS | {"proven"}
    assert "prove" in record["seconds"]
    lower, upper = bounds(record)
    assert lower <= Fraction(-1, 18) <= upper
    assert upper - lower < Fraction(1, 10**15)
    assert "proven" not in json.loads(call("solve", "kuhn", "--json"))


def test_prove_prints_decimals_that_are_rounded_outwards() -> None:
    text = " ".join(call("solve", "kuhn", "--prove", "--details").split())
    interval = r"in exact arithmetic the value is in \[(\S+), (\S+)\] chips, for plans of 52 bits"
    (lower, upper) = map(Fraction, re.findall(interval, text)[0])
    assert lower < Fraction(-1, 18) < upper
    assert upper - lower < Fraction(1, 10**14)
    assert "its width" in text
    assert "exact arithmetic" not in call("solve", "kuhn", "--details")


def test_a_lifted_profile_is_proven_in_the_whole_game() -> None:
    lower, upper = bounds(record_of(*SMALL, "--abstract", "outcome"))
    assert lower < Fraction("-0.2826053520065") < upper
    assert Fraction(7, 10) < upper - lower < Fraction(9, 10)
    lower, upper = bounds(record_of(*SMALL, "--abstract", "suit"))
    assert lower - Fraction(1, 10**9) < Fraction("-0.2826053520065") < upper + Fraction(1, 10**9)
    assert upper - lower < Fraction(1, 10**8)


def test_a_game_that_is_kept_without_its_tree_is_proven_too() -> None:
    lower, upper = bounds(record_of(*SMALL, "--max-nodes", "1000"))
    assert upper - lower < Fraction(1, 10**8)


def test_floats_are_refused_before_anything_is_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.py").write_text(FLOATS)
    done = typed("solve", "own:game", "--prove", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "give all as int or Fraction" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert typed("solve", "own:game", folder=tmp_path).returncode == 0

    def run(*_: Any, **__: Any) -> None:
        raise AssertionError("solved what cannot be proven")

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("seqform.methods.lp.LinearProgramming.run", run)
    for more in ((), ("--abstract", "equitable")):
        with pytest.raises(UnsupportedGameError, match="int or Fraction"):
            call("solve", "own:game", "--prove", *more)


def test_without_plans_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "LEAST", 60.0)  # to build it, on a machine of whatever speed
    limited = ("--solver", "highs", "--time-limit", "0.000001", "--json", "--prove")
    done = CliRunner().invoke(app, ["solve", "liars-dice", "-p", "sides=4", *limited])
    assert done.exit_code == 1
    assert "proven" not in json.loads(done.stdout)


@pytest.mark.parametrize("game", [("leduc",), (*SMALLER, "--abstract", "suit")])
def test_a_saved_proof_is_made_again(tmp_path: Path, game: tuple[str, ...]) -> None:
    folder = tmp_path / "result"
    record = record_of(*game, "--out", str(folder))
    assert json.loads(call("verify", str(folder), "--json"))["proven"] == record["proven"]
    assert "proven in exact arithmetic: the value is in [-0." in call("verify", str(folder))
    lower, _ = bounds(record)
    saved = json.loads((folder / "result.json").read_text())
    for claim in (f"{lower.numerator + 1}/{lower.denominator}", "nothing", None):
        (folder / "result.json").write_text(
            json.dumps({**saved, "proven": {**record["proven"], "lower": claim}})
        )
        with pytest.raises(VerificationError, match="exact arithmetic"):
            call("verify", str(folder))


def test_a_result_without_a_proof_verifies_as_before(tmp_path: Path) -> None:
    call("solve", "kuhn", "--out", str(tmp_path / "result"))
    assert "proven" not in json.loads(call("verify", str(tmp_path / "result"), "--json"))
