"""Regret minimization from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from seqform.base.errors import InvalidParameterError
from seqform.cli import app
from tests.command_line import KEYS, call, typed

LEDUC, LARGEST_PAYOFF = -0.0856064240780, 13


def test_solve_reaches_a_gap() -> None:
    record = json.loads(call("solve", "leduc", "--method", "dcfr", "--gap", "1e-4", "--json"))
    assert record.keys() >= KEYS
    assert (record["status"], record["method"]) == ("solved", "dcfr/treeplex")
    assert 0 < record["nash_gap"] <= 1e-4
    assert record["lower"] <= LEDUC <= record["upper"]
    assert record["seconds"].keys() >= {"build", "prepare", "solve", "certify"}
    assert not any(key.startswith("solver") for key in record["sizes"])


@pytest.mark.parametrize("method", ["cfr", "cfr+", "linear-cfr", "pcfr+"])
def test_every_rule_has_a_name(method: str) -> None:
    record = json.loads(call("solve", "kuhn", "--method", method, "--gap", "0.01", "--json"))
    assert (record["status"], record["method"]) == ("solved", f"{method}/treeplex")
    assert record["lower"] <= -1 / 18 <= record["upper"]


def test_a_gap_alone_asks_for_regret_minimization() -> None:
    assert (
        json.loads(call("solve", "kuhn", "--gap", "0.01", "--json"))["method"]
        == "sapdcfr+/treeplex"
    )


def test_an_abstraction_is_solved_by_rounds_and_lifted() -> None:
    record = json.loads(
        call(
            "solve",
            "leduc",
            "--abstract",
            "equitable",
            "--method",
            "dcfr",
            "--gap",
            "1e-3",
            "--json",
        )
    )
    assert (record["status"], record["method"].split("/")[:2]) == ("solved", ["dcfr", "treeplex"])
    assert record["nash_gap"] <= 1e-3
    assert record["lower"] <= LEDUC <= record["upper"]
    assert record["abstraction"] == "equitable"


def test_a_result_is_saved_and_verified(tmp_path: Path) -> None:
    call("solve", "leduc", "--method", "pcfr+", "--gap", "0.01", "--out", str(tmp_path / "found"))
    record = json.loads(call("verify", str(tmp_path / "found"), "--json"))
    assert record["verified"]
    assert record["lower"] <= LEDUC <= record["upper"]
    assert record["nash_gap"] <= 0.01


def test_a_limit_gives_its_best_and_exit_status_1() -> None:
    command = ["solve", "leduc", "--method", "dcfr", "--gap", "1e-12", "--json"]
    ended = typed(*command, "--iterations", "20")
    late = CliRunner().invoke(app, [*command, "--time-limit", "0.3"])  # with all that is loaded
    for status, text in ((ended.returncode, ended.stdout), (late.exit_code, late.stdout)):
        assert status == 1
        record = json.loads(text)
        assert record["status"] == "limit"
        assert record["lower"] <= LEDUC <= record["upper"]
        assert record["nash_gap"] < LARGEST_PAYOFF


def test_solve_for_people_counts_iterations() -> None:
    text = " ".join(
        call(
            *("solve", "kuhn", "--method", "dcfr", "--iterations", "50"),
            *("--gap", "1e-9", "--details"),
        ).split()
    )
    for word in (
        "LIMIT",
        "dcfr/treeplex",
        "stopped by a limit",
        "50 iterations)",
        "proven interval",
    ):
        assert word in text


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--method", "dcfr", "--gap", "0"), "--gap 0"),
        (("--method", "dcfr", "--solver", "highs"), "'solver' is an option of .*lp"),
        (("--method", "dcfr", "--iterations", "0"), "--iterations 0"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: tuple[str, ...], word: str) -> None:
    with pytest.raises(InvalidParameterError, match=word):
        call("solve", "kuhn", *options)
