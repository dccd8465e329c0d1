"""Linear programs of rivers: by classes of hands, in fractions, saved; and what is too long."""

from __future__ import annotations

import gzip
import json
import logging
import shutil
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from seqform import Solution, make, shrink, solve, verify, write_lcp, write_lp
from seqform.base.deadline import time_limited
from seqform.base.errors import GameTooLargeError, NotForThisGameError, VerificationError
from seqform.base.need import PATIENCE, Need
from seqform.base.whole_folder import checksum, digests
from seqform.exact.saved_plans import ALONE
from seqform.form.hand_payoff import HandPayoff
from seqform.results.status import Status
from seqform.solvers.linear.solver import LPOptions, solve_program

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


DCFR, BY_CLASSES = "method='dcfr'", "classes of hands (abstract='equitable')"
"""What is proposed in place of what would take hours."""


@pytest.mark.parametrize(
    ("options", "instead"),
    [
        ({"method": "lcp"}, DCFR),
        ({"method": "lp", "abstract": "none"}, DCFR),
        ({"method": "lp", "polish": True, "abstract": "none"}, DCFR),
        ({"method": "lp", "refine": "quasi-perfect"}, f"{BY_CLASSES} and refine='undominated'"),
        ({"method": "lp", "refine": "subgame-perfect"}, f"{BY_CLASSES} and refine='undominated'"),
        ({"family": True}, f"{BY_CLASSES} and exact=True"),
        ({"exact": True, "abstract": "none"}, f"method='lp' on {BY_CLASSES}"),
    ],
)
def test_what_would_take_hours_is_refused_before_pairs_are_listed(
    options: dict[str, Any], instead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    with pytest.raises(GameTooLargeError, match="hours by an estimate") as error:
        solve(make("river"), **options)
    assert instead in str(error.value)
    assert "time_limit=" in str(error.value)


def test_polishing_goes_by_classes() -> None:
    found = solve(make("river", **ONE_BET), method="dcfr", polish=True)
    assert (found.status, found.reductions) == (Status.SOLVED, ("equitable",))
    assert found.method == "dcfr/treeplex+polish"
    assert abs(found.values[0] - VALUE) <= found.nash_gap <= 1e-9 * found.game.payoff_scale


def test_polishing_by_pairs_is_refused_before_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.methods.iterative.search_equilibrium", _never)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    with pytest.raises(GameTooLargeError, match="hours by an estimate") as error:
        solve(make("river"), method="dcfr", polish=True, abstract="none")
    assert "by classes of hands (abstract='equitable'), or leave out polish=" in str(error.value)


def test_a_checkpoint_says_whether_it_goes_on_by_classes(tmp_path: Path) -> None:
    game, path = make("river", **ONE_BET), tmp_path / "search.npz"
    for polish, reductions in ((True, ("equitable",)), (False, ())):
        options: dict[str, Any] = {"method": "dcfr", "checkpoint": path}
        solve(game, **options, polish=polish, iterations=20)
        again = solve(game, **options, polish=not polish, resume=True, iterations=30, gap=1.0)
        assert again.reductions == reductions
        path.unlink()


@pytest.mark.parametrize(
    ("write", "name"), [(write_lp, "river.lp"), (write_lp, "river.mps"), (write_lcp, "river.mtx")]
)
def test_a_file_without_room_is_refused_before_pairs_are_listed(
    write: Callable[..., Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    instead = r"abstract='equitable'\), or leave out hands" if write is write_lp else "; leave out"
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**32)
    with pytest.raises(GameTooLargeError, match=rf"a file of about .* of memory.*{instead}"):
        write(make("river"), tmp_path / name)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2**29))
    with pytest.raises(GameTooLargeError, match=rf"than the 512 MB that are free in .*{instead}"):
        write(make("river"), tmp_path / name)


def test_a_program_needs_room_where_it_is_written_first_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (drafts := tmp_path / "drafts").mkdir()
    free = {tmp_path: 3 * 2**30, drafts: 3 * 2**30}
    monkeypatch.setattr(tempfile, "tempdir", str(drafts))
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    monkeypatch.setattr(shutil, "disk_usage", lambda at: SimpleNamespace(free=free[Path(at)]))
    with pytest.raises(
        GameTooLargeError, match=r"of about 2\.2 GB, twice needs more than the 3.0 GB"
    ):
        write_lp(make("river"), tmp_path / "river.lp")  # one file, and one disk for both copies
    free = {tmp_path: 2**40, drafts: 2**30}
    with pytest.raises(GameTooLargeError, match=r"where it is written to first: set TMPDIR"):
        write_lp(make("river"), tmp_path / "river.lp")
    with pytest.raises(AssertionError, match="pairs of hands"):  # written where it is to be
        write_lcp(make("river"), tmp_path / "river.mtx")


def test_how_long_a_file_takes_is_told_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**40)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2**40))
    with caplog.at_level(logging.WARNING), pytest.raises(AssertionError, match="pairs of hands"):
        write_lp(make("river"), tmp_path / "river.lp")
    assert "65,117,292 nonzeros to a file of about 2.2 GB takes about 130 s" in caplog.text
    assert "abstract='equitable'" in caplog.text


def test_the_program_of_classes_is_small_enough_for_a_file(tmp_path: Path) -> None:
    game = make("river", **ONE_BET)
    program = write_lp(game, tmp_path / "river.lp", abstract="equitable")
    assert program.size._asdict() == shrink(game)["after"]
    found = solve_program(program, "highs", LPOptions())
    assert found.primal is not None
    assert program.objective @ found.primal / program.scale == pytest.approx(float(VALUE))


@pytest.mark.parametrize("method", ["backward", "best-response", "qre", "efce"])
def test_methods_for_other_games_are_refused_likewise(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HandPayoff, "to_sparse", _never)
    with pytest.raises(NotForThisGameError, match="use method='dcfr'"):
        solve(make("river"), method=method)


def test_within_a_time_limit_anything_may_be_tried() -> None:
    need = Need("waiting", 0, "wait for less", seconds=100 * PATIENCE)
    with pytest.raises(
        GameTooLargeError, match=r"waiting takes about 100\.0 hours .* wait for less"
    ):
        need.require()
    with time_limited(1):
        need.require()


def _never(*_: Any) -> Any:
    raise AssertionError("pairs of hands are listed")
