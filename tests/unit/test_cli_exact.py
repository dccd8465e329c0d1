"""Exact equilibria from the command line: printed, saved, verified, refused."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from seqform.base.errors import (
    InvalidParameterError,
    ResultFileError,
    SolverError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.number import fraction_text
from seqform.cli import app
from tests.command_line import call, typed
from tests.float_games import FLOATS
from tests.intervals import LEDUC


def test_the_fraction_is_printed() -> None:
    assert "certainty exact: " in " ".join(call("solve", "kuhn").split())
    text = " ".join(call("solve", "kuhn", "--details").split())
    assert "exact value to player 0 -1/18 = -0.055555555555555555556 chips" in text
    assert "proof exact:" in text
    record = json.loads(call("solve", "kuhn", "--json"))
    assert (record["exact_value"], record["proof"]) == ("-1/18", "exact")
    assert "exact" in record["seconds"]


def test_exact_is_an_option() -> None:
    left_out = json.loads(call("solve", "kuhn", "--no-exact", "--json"))
    assert not {"exact_value", "proof"} & left_out.keys()
    assert "exact" not in left_out["seconds"]
    assert "exact" not in call("solve", "kuhn", "--no-exact").partition("\nnext\n")[0]
    assert "exact" not in call("solve", "kuhn", "--no-exact", "--details")
    # solved by an interior point method, without a basis
    large = json.loads(call("solve", "leduc", "-p", "ranks=5", "--json"))
    assert "exact_value" not in large
    record = json.loads(call("solve", "leduc", "--exact", "--json"))
    assert record["exact_value"] == f"{LEDUC.numerator}/{LEDUC.denominator}"


def test_what_exact_cannot_go_with_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for options in (("--abstract", "suit"), ("--max-nodes", "1000")):
        with pytest.raises(
            InvalidParameterError, match="needs the linear program of the game as it is"
        ):
            call(
                "solve",
                "rhode-island",
                "-p",
                "ranks=4",
                "-p",
                "suits=2",
                "-p",
                "max_bets=1",
                "--exact",
                *options,
            )
    with pytest.raises(InvalidParameterError, match=r"'exact' is an option of .*lp"):
        call("solve", "kuhn", "--exact", "--method", "dcfr")
    (tmp_path / "own.py").write_text(FLOATS)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UnsupportedGameError, match="give all as int or Fraction"):
        call("solve", "own:game", "--exact")
    done = typed("solve", "own:game", "--exact", folder=tmp_path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_what_is_only_bracketed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise SolverError("payoffs nearly tie")

    monkeypatch.setattr("seqform.methods.when_exact.proven_equilibrium", fail)
    record = json.loads(call("solve", "kuhn", "--json", "--out", str(tmp_path / "result")))
    assert record["proof"] == "bracketed"
    assert "exact_value" not in record
    assert (
        Fraction(record["proven"]["lower"])
        <= Fraction(-1, 18)
        <= Fraction(record["proven"]["upper"])
    )
    short = " ".join(call("solve", "kuhn").split())
    assert "payoffs nearly tie" in short
    assert "certainty proven in integers: the value is in [" in short
    text = " ".join(call("solve", "kuhn", "--details").split())
    assert "proof bracketed:" in text
    assert "payoffs nearly tie" in text
    verified = call("verify", str(tmp_path / "result"))
    (lower, upper) = map(Fraction, re.findall(r"the value is in \[(\S+), (\S+)\]", verified)[0])
    assert lower < Fraction(-1, 18) < upper
    assert CliRunner().invoke(app, ["solve", "kuhn"]).exit_code == 0
    assert CliRunner().invoke(app, ["solve", "kuhn", "--exact"]).exit_code == 1  # it was asked for


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    call("solve", "kuhn", "--out", str(tmp_path / "result"))
    return tmp_path / "result"


def rewrite(path: Path, **changes: Any) -> None:
    content = json.loads(path.read_text())
    path.write_text(
        json.dumps({key: value for key, value in (content | changes).items() if value is not None})
    )


def test_a_saved_value_is_proven_again(saved: Path) -> None:
    assert "proven in exact arithmetic: the value is -1/18 = -0.0555" in call("verify", str(saved))
    record = json.loads(call("verify", str(saved), "--json"))
    assert (record["proof"], record["exact_value"]) == ("exact", "-1/18")


@pytest.mark.parametrize(
    "changes",
    [
        {"exact_value": "-1/17"},
        {"exact_value": None},
        {"exact_value": -0.0555},
        {"proof": "bracketed"},
        {"proof": None},
        {"game": "leduc"},
    ],
)
def test_claims_that_the_certificate_does_not_prove_are_refused(
    saved: Path, changes: dict[str, Any]
) -> None:
    rewrite(saved / "result.json", **changes)
    with pytest.raises(VerificationError, match=r"another (value|game)"):
        call("verify", str(saved))


def test_certificates_that_are_altered_foreign_or_missing_are_refused(
    saved: Path, tmp_path: Path
) -> None:
    path = saved / "certificate.json"
    text = path.read_text()
    plans = json.loads(text)["plans"]
    plans[0]["numerators"][1] += 1
    rewrite(path, plans=plans)
    with pytest.raises(VerificationError, match="altered: player 0"):
        call("verify", str(saved))
    call("solve", "kuhn", "-p", "cards=4", "--out", str(tmp_path / "other"))
    path.write_text((tmp_path / "other" / "certificate.json").read_text())
    with pytest.raises(VerificationError, match="another game"):
        call("verify", str(saved))
    path.write_text(text[:-20])
    with pytest.raises(ResultFileError, match="damaged"):
        call("verify", str(saved))
    path.unlink()
    with pytest.raises(ResultFileError, match="does not exist"):
        call("verify", str(saved))


def test_saving_again_leaves_no_certificate_of_before(saved: Path) -> None:
    call("solve", "kuhn", "--no-exact", "--out", str(saved))
    assert not (saved / "certificate.json").exists()
    assert "verified" in call("verify", str(saved))


def test_an_interval_has_a_certificate_too(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    call("solve", "leduc", "--no-exact", "--prove", "--out", str(folder))
    assert "interval" in json.loads((folder / "certificate.json").read_text())
    assert "proven in exact arithmetic: the value is in [-0.0856" in call("verify", str(folder))
    call("solve", "matching-pennies", "--no-exact", "--prove", "--out", str(tmp_path / "point"))
    # the interval is a point
    assert "value" in json.loads((tmp_path / "point" / "certificate.json").read_text())
    assert "the value is in [0, 0]" in call("verify", str(tmp_path / "point"))
    other = json.loads((folder / "result.json").read_text())
    del other["proven"]
    (folder / "result.json").write_text(json.dumps(other))
    with pytest.raises(VerificationError, match="another value, or interval"):
        call("verify", str(folder))


def test_fractions_of_any_length_are_written() -> None:
    number = Fraction(3**20_000, 7**20_000)
    numerator, denominator = fraction_text(number).split("/")
    assert (len(numerator), len(denominator)) == (9543, 16902)
    assert fraction_text(-number) == f"-{numerator}/{denominator}"
    assert numerator[-10:] == str(3**20_000 % 10**10).zfill(10)
