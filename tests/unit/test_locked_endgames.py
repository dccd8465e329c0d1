"""Locks of hold'em endgames by boards: solved, saved, verified, refused; and those of ranges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.kuhn import kuhn
from seqform import Solution, at_line, make, solve
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.whole_folder import checksum, digests
from seqform.form.hand_lock import KIND, VERSION, HandLock
from seqform.strategies.exploit.range_rows import scaled
from tests.command_line import call
from tests.unit.test_lock_refusals import forged

SPOT: dict[str, Any] = {
    "board": "QsJh2h8c3d",
    "oop": "QQ, AsKs, AhKh, 76s, T9s",
    "ip": "JJ, AQs, KTs, 98s",
    "pot": 180,
    "stack": 360,
    "sizes": "bet 50%; raise a",
}
TURN = SPOT | {"board": "Qs Jh 2h 8c", "oop": "QQ, AsKs:0.5, 76s", "ip": "JJ, AQs", "stack": 180}
LOCK = {
    ("ip", ":check", "bet90"): "1/4",
    ("oop", "AsKs:", "check"): 1,
    ("oop", ":check-bet90", "fold"): 0,
}


@pytest.fixture
def by_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have small spots locked as large ones are."""
    monkeypatch.setattr("seqform.base.thresholds.ITERATE_FROM", 1)


def lock_of(spot: dict[str, Any]) -> dict[Any, Any]:
    return {key: p for key, p in LOCK.items() if spot is SPOT or key[1] != ":check-bet90"}


def listed(spot: dict[str, Any]) -> Solution:
    """Return the solution of the locked game with all sequences listed."""
    return solve(make("holdem", **spot), lock=lock_of(spot), method="lp")


@pytest.mark.parametrize("spot", [SPOT, TURN], ids=["river", "turn"])
def test_the_value_is_that_of_the_listed_locked_game(
    spot: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = listed(spot)
    monkeypatch.setattr("seqform.base.thresholds.ITERATE_FROM", 1)
    found = solve(make("holdem", **spot), lock=lock_of(spot), gap=0.05)
    assert found.method == "dcfr/hand"
    assert found.status is seqform.Status.LOCKED
    assert isinstance(found.lock, HandLock)
    assert found.locked is not None
    assert exact.locked is not None
    assert found.locked.nash_gap <= 0.05
    assert found.locked.lower <= exact.locked.upper
    assert exact.locked.lower <= found.locked.upper
    sizes = [[t.num_sequences for t in of.locked.game.treeplexes] for of in (found, exact)]  # type: ignore[union-attr]
    assert sizes[0] == sizes[1]
    assert found.values == pytest.approx(found.locked.values, abs=1e-6)
    gains = zip(found.certificate.gains, found.locked.certificate.gains, strict=True)  # type: ignore[union-attr]
    assert all(free >= there - 1e-9 for free, there in gains)
    often = at_line(found, "check").frequencies["bet90"] if spot is SPOT else 0.25
    assert often == pytest.approx(0.25, abs=1e-6)


def test_a_locked_spot_with_rake_is_solved_and_certified(by_boards: None) -> None:
    game = make("holdem", **SPOT, rake=0.05)
    found = solve(game, lock=LOCK, method="dcfr", polish=False, iterations=200)
    assert found.locked is not None
    assert len(found.locked.certificate.gains) == 2  # type: ignore[union-attr]
    assert not found.is_constant_sum


def test_a_locked_spot_is_saved_verified_and_solved_again(by_boards: None, tmp_path: Path) -> None:
    out, game = tmp_path / "result", make("holdem", **SPOT)
    found = solve(game, lock=LOCK, gap=0.5)
    found.save(out, "holdem", SPOT)
    assert {path.name for path in out.iterdir()} >= {"lock.npz", "strategy.npz"}
    verified = seqform.verify(out)
    assert verified.solution.status is seqform.Status.LOCKED
    assert verified.solution.locked is not None
    assert verified.record()["locked"]["nash_gap"] == found.locked.nash_gap  # type: ignore[union-attr]
    again = solve(game, lock=out / "lock.npz", gap=0.5)
    assert again.locked.values == found.locked.values  # type: ignore[union-attr]
    assert solve(game, lock=found.lock, gap=0.5).values == found.values


def test_a_lock_that_was_changed_is_refused(by_boards: None, tmp_path: Path) -> None:
    out = tmp_path / "result"
    found = solve(make("holdem", **SPOT), lock=LOCK, gap=0.5)
    found.save(out, "holdem", SPOT)
    arrays = read_arrays(out / "lock.npz", KIND, VERSION)[1]
    fixed = next(name for name in arrays if name.startswith("fixed1"))
    left = fixed.replace("fixed", "left")
    for change, words in [
        ({fixed: np.where(arrays[fixed] == 0.25, 0.5, arrays[fixed]), left: 1 - arrays[left] / 1.5},
         "does not play what was locked"),
        ({fixed: arrays[fixed] * 2}, "does not sum to 1"),
        ({fixed: arrays[fixed][:, :1]}, "has tables of"),
    ]:  # fmt: skip
        found.save(out, "holdem", SPOT)
        write_arrays(out / "lock.npz", KIND, VERSION, {}, arrays | change, compress=True)
        forged_digests(out)
        with pytest.raises((ResultFileError, VerificationError), match=words):
            seqform.verify(out)
    found.save(out, "holdem", SPOT)
    forged(out, "lock.npz", None)
    with pytest.raises(ResultFileError, match=r"lock\.csv does not exist"):
        seqform.verify(out)


def forged_digests(folder: Path) -> None:
    """Write the digests of a result's files anew."""
    result = json.loads((folder / "result.json").read_text())
    result["files"] = digests(folder)
    result["files"].pop("result.json", None)
    result["checksum"] = checksum(result)
    (folder / "result.json").write_text(json.dumps(result))


def test_what_a_lock_bars_is_completed(by_boards: None) -> None:
    lock = {("oop", ":", "check"): 1}
    found = solve(make("holdem", **SPOT), lock=lock, gap=1.0)
    assert found.locked is not None
    assert found.locked.off_path is not None
    bars = 3 + 1 + 1 + 4 + 4  # hands that never bet, and so are never raised
    assert found.locked.off_path.completed == (bars, 0)
    raised = ":bet90-allin360"
    assert found.profile[0, f"QdQc{raised}"]["call"] == 1  # type: ignore[index]
    assert found.profile[0, f"7s6s{raised}"]["fold"] == 1  # type: ignore[index]
    assert "information sets completed" in dict(found.locked.rows())


def test_what_is_not_listed_is_refused_with_what_to_do(by_boards: None) -> None:
    game = make("holdem", **SPOT)
    for options in ({"method": "lp"}, {"exact": True}, {"prove": True, "method": "dcfr"}):
        with pytest.raises((GameTooLargeError, InvalidParameterError, UnsupportedGameError)):
            solve(game, lock=LOCK, **options)
    with pytest.raises(InvalidParameterError, match="locked by a file, or by a mapping"):
        solve(game, lock=[np.zeros(3), np.zeros(3)])
    with pytest.raises(InvalidStrategyError, match="there is no player 'me'"):
        solve(game, lock={("me", ":check", "bet90"): 1})
    with pytest.raises(InvalidStrategyError, match="has an action 'bet99'"):
        solve(game, lock={(1, ":check", "bet99"): 1})
    with pytest.raises(InvalidStrategyError, match="leaves no action"):
        solve(game, lock={(1, ":check", "bet90"): 0, (1, ":check", "check"): 0})


def test_payoffs_of_a_locked_form_are_counted_before_they_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("seqform.strategies.exploit.locking.MAX_PAYOFFS", 10)
    with pytest.raises(GameTooLargeError, match=r"more than 10; let more cards .* be known"):
        solve(make("holdem", **SPOT), lock=LOCK)


def test_one_factor_shifts_all_odds() -> None:
    probabilities, shares = np.array([0.0, 0.1, 0.5, 0.9, 1.0]), np.full(5, 0.2)
    for wanted in (1e-4, 0.1, 0.5, 0.77, 1 - 1e-4):
        found = scaled(probabilities, shares, wanted)
        assert found @ shares == pytest.approx(wanted, abs=1e-12)
        inner, before = found[1:4], probabilities[1:4]
        factors = inner / (1 - inner) * (1 - before) / before
        assert factors == pytest.approx(np.full(3, factors[0]), rel=1e-5)
        assert (np.diff(found) >= 0).all()


@pytest.mark.parametrize("is_large", [False, True])
def test_a_range_does_something_as_often_as_was_asked_for(
    is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_large:
        monkeypatch.setattr("seqform.base.thresholds.ITERATE_FROM", 1)
    options: dict[str, Any] = {"method": "dcfr", "gap": 0.2} if is_large else {"method": "lp"}
    game = make("holdem", **SPOT)
    free = at_line(solve(game, **options), "")
    lock = {("oop", ":", "bet90"): "30% of range", ("oop", ":bet90-allin360", "fold"): "1/2"}
    found = solve(game, lock=lock, **options)
    assert found.status is seqform.Status.LOCKED
    assert at_line(found, "").frequencies["bet90"] == pytest.approx(0.3, abs=1e-5)
    assert "with 30% of the range" in found.message
    assert at_line(found, "bet90-allin360").frequencies["fold"] == pytest.approx(0.5, abs=1e-6)
    assert free.frequencies["bet90"] != pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("oop", "A*:", "bet90"), "of one line without a hand"),
        (("oop", ":c*", "bet90"), "of one line without a hand"),
        (("oop", ":check", "bet90"), "player 1 acts, and not player 0"),
        (("oop", ":fold", "bet90"), "nobody can 'fold'"),
        (("oop", ":", "bet91"), "there is no action 'bet91'"),
    ],
)
def test_ranges_that_do_nothing_of_the_kind_are_refused(row: Any, words: str) -> None:
    with pytest.raises(InvalidStrategyError, match=words.replace("*", r"\*")):
        solve(make("holdem", **SPOT), lock={row: "30% of range"})


def test_numbers_of_ranges_that_are_none_are_refused() -> None:
    with pytest.raises(InvalidStrategyError, match="is more than all of it"):
        solve(make("holdem", **SPOT), lock={("oop", ":", "bet90"): "130% of range"})
    with pytest.raises(InvalidStrategyError, match="is not a probability"):
        solve(make("holdem", **SPOT), lock={("oop", ":", "bet90"): "some of range"})
    with pytest.raises(UnsupportedGameError, match="only games of hands"):
        solve(kuhn(), lock={(0, ":", "bet"): "30% of range"})


def test_the_command_says_what_was_locked(by_boards: None, tmp_path: Path) -> None:
    file = tmp_path / "lock.csv"
    file.write_text("player,infoset,action,probability\nip,:check,bet90,30% of range\n")
    words = [word for key, value in SPOT.items() for word in ("-p", f"{key}={value}")]
    shown = call("solve", "holdem", *words, "--lock", str(file), "--gap", "0.5")
    assert "locked value" in shown or "locked" in shown
    record = json.loads(
        call("solve", "holdem", *words, "--lock", str(file), "--gap", "0.5", "--json")
    )
    assert "player 1 takes bet90 after 'check' with " in record["message"]
    assert record["status"] == "locked"
