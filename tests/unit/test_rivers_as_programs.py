"""Linear programs of rivers: by classes of hands, in fractions, saved; and what is too long."""

from __future__ import annotations

import gzip
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from seqform import Solution, make, solve, verify
from seqform.base.errors import GameTooLargeError, NotForThisGameError, VerificationError
from seqform.base.whole_folder import checksum, digests
from seqform.exact.saved_plans import ALONE
from seqform.form.hand_payoff import HandPayoff
from seqform.results.status import Status

ONE_BET = {"sizes": "bet 100%"}
VALUE = Fraction(-83301632545, 11172219318)
"""Of the river on which all 1,081 hands are left to both, who may bet the pot, chips beyond half of
it. Both plans were proven in integers."""


@pytest.fixture(scope="module")
def one_bet() -> Solution:
    return solve(make("river", **ONE_BET), method="lp", refine="undominated")


def test_a_whole_river_has_a_value_in_fractions(one_bet: Solution) -> None:
    assert one_bet.status is Status.SOLVED
    assert one_bet.reductions == ("equitable",)
    assert one_bet.exact is not None
    assert one_bet.exact.value == VALUE
    assert [len(plan) for plan in one_bet.exact.plans] == [4325, 4325]
    assert abs(one_bet.values[0] - VALUE) < 1e-8


def test_it_is_saved_and_proven_again(one_bet: Solution, tmp_path: Path) -> None:
    one_bet.save(tmp_path / "saved", "river", ONE_BET)
    again = verify(tmp_path / "saved").solution
    assert again.exact is not None
    assert again.exact.value == VALUE
    path = tmp_path / "saved" / ALONE
    content = json.loads(gzip.decompress(path.read_bytes()))
    entries = content["plans"][0]["entries"]
    place = next(at for at, entry in enumerate(entries) if at and entry != "0")
    content["plans"][0]["entries"][place] = "0"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    result = tmp_path / "saved" / "result.json"
    claims = json.loads(result.read_text())
    claims["files"] = digests(tmp_path / "saved")
    claims["files"].pop("result.json", None)
    claims["checksum"] = checksum(claims)
    result.write_text(json.dumps(claims))
    with pytest.raises(VerificationError, match=ALONE):
        verify(tmp_path / "saved")


@pytest.mark.parametrize(
    "options",
    [
        {"method": "lcp"},
        {"method": "lp", "abstract": "none"},
        {"method": "lp", "refine": "quasi-perfect"},
        {"family": True},
        {"exact": True, "abstract": "none"},
    ],
)
def test_what_would_take_hours_is_refused_before_pairs_are_listed(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    with pytest.raises(GameTooLargeError, match="hours by an estimate") as error:
        solve(make("river"), **options)
    assert "method='dcfr'" in str(error.value)
    assert "time_limit=" in str(error.value)


@pytest.mark.parametrize("method", ["backward", "best-response", "qre", "efce"])
def test_methods_for_other_games_are_refused_likewise(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    with pytest.raises(NotForThisGameError, match="use method='dcfr'"):
        solve(make("river"), method=method)


def _never(payoff: HandPayoff) -> Any:
    raise AssertionError("pairs of hands are listed")
