"""Locks that are none, and what of `solve` does not go with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    SeqformError,
    VerificationError,
)
from seqform.base.whole_folder import checksum, digests
from seqform.strategies.exploit.lock import lock_from
from seqform.strategies.read_given import given_from
from tests.command_line import call, typed

FORM = build_sequence_form(build_tree(kuhn()))


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        ({(0, "J:", "bet"): 0, (0, "J:", "check"): 0}, "'J:': the lock leaves no action"),
        ({(0, "J:", "bet"): 0.5, (0, "J:", "check"): 0.4}, "'J:': the probabilities sum to"),
        ({(0, "J:", "bet"): "3/2"}, "'J:': the probabilities of some actions alone sum to 3/2"),
        ({(0, "J:", "raise"): 1}, "has no action 'raise'; use check, bet"),
        ({(0, "A:", "bet"): 1}, "player 0 has no information set 'A:'"),
        ({(2, "J:", "bet"): 1}, "there is no player 2"),
        ({(0, "J:", "bet"): -0.5}, "-0.5 is not a probability"),
        ({(0, "J:", "bet"): "half"}, "'half' is not a probability"),
        ({(0, "J:"): 1}, "is not a key of a strategy"),
        ([np.zeros(3)], "a lock here is one vector for each player, of shapes (13), (13)"),
        ([np.zeros(3), np.zeros(13)], "of shapes (13), (13)"),
    ],
)
def test_what_is_no_lock_is_refused(lock: Any, words: str) -> None:
    with pytest.raises(InvalidStrategyError) as error:
        solve(kuhn(), lock=lock)
    assert words in str(error.value)


@pytest.mark.parametrize("number", ["1e-999999999", "1e-999999999%", "0.1e-999999999"])
def test_a_number_that_no_fraction_can_hold_is_refused_at_once(number: str, tmp_path: Path) -> None:
    """Made a fraction it would have a billion digits, for which nobody could wait."""
    (tmp_path / "lock.csv").write_text(
        f"player,infoset,action,probability\n1,K:bet,call,{number}\n"
    )
    (tmp_path / "lock.json").write_text('{"1": {"K:bet": {"call": 1e-999999999}}}')
    for name in ("lock.csv", "lock.json"):
        with pytest.raises(InvalidStrategyError, match=r"too many places|is not a probability"):
            solve(kuhn(), lock=tmp_path / name)


def test_an_action_given_twice_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "lock.csv"
    file.write_text("player,infoset,action,probability\n0,J:,bet,1\n0,J:,bet,0\n")
    with pytest.raises(InvalidStrategyError, match=r"line 3: .*'bet' is given twice"):
        solve(kuhn(), lock=file)


def test_other_files_and_things_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match="does not exist"):
        solve(kuhn(), lock=tmp_path / "lock.csv")
    with pytest.raises(ResultFileError, match=r"a table \.csv or from \.json"):
        solve(kuhn(), lock=tmp_path / "lock.txt")
    with pytest.raises(InvalidParameterError, match="give a file, a mapping"):
        solve(kuhn(), lock=3)  # type: ignore[arg-type]
    other = given_from({}, build_sequence_form(build_tree(leduc())))
    with pytest.raises(InvalidStrategyError, match="of another game"):
        solve(kuhn(), lock=other)
    with pytest.raises(InvalidStrategyError, match="of another game"):
        solve(kuhn(), lock=lock_from(other, other.form))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"abstract": "equitable"}, "leave out abstract="),
        ({"method": "backward"}, "leave out lock"),
        ({"method": "qre"}, "a lock leaves none; use method='lp', or another"),
        ({"threshold": 0.5}, "has no threshold"),
    ],
)
def test_what_does_not_go_with_a_lock_says_so(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SeqformError) as error:
        solve(kuhn(), lock={(0, "J:", "bet"): 1}, **options)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"prove": True}, "bracket"),
        ({"exact": True}, "exact"),
        ({"family": True}, "family"),
        ({"refine": "quasi-perfect"}, "refinement"),
        ({"all": True}, "equilibria"),
        ({"method": "enumeration"}, "equilibria"),
        ({"optimize": "welfare"}, "optimum"),
        ({"method": "mip", "optimize": "player0"}, "optimum"),
        ({"method": "lcp", "exact": True}, "exact"),
    ],
)
def test_what_is_proven_with_a_lock_is_proven_of_the_locked_game(
    options: dict[str, Any], known: str
) -> None:
    solution = solve(kuhn(), lock={(0, "J:", "bet"): "1/2"}, **options)
    assert solution.locked is not None
    assert solution.status is seqform.Status.LOCKED
    of_locked = solution if known == "bracket" else solution.locked  # a bracket is of the free game
    assert getattr(of_locked, known) is not None
    assert known == "bracket" or getattr(solution, known) is None
    assert solution.values[0] == pytest.approx(-1 / 9)
    assert json.dumps(solution.record())
    assert solution.rows()


def test_rounding_of_a_table_is_mended_exactly() -> None:
    lock = lock_from({(0, "J:", "bet"): "0.333333", (0, "J:", "check"): "0.666666"}, FORM)
    assert [str(p) for p in lock.fixed[0] if p is not None] == ["2/3", "1/3"]
    barred = lock_from({(0, "J:", "bet"): 0}, FORM)
    assert barred.counts == (1, 0)
    assert lock_from(given_from({}, FORM), FORM).counts == (0, 0)


def test_the_command_locks_saves_and_verifies(tmp_path: Path) -> None:
    file, out = tmp_path / "lock.csv", tmp_path / "result"
    file.write_text("player,infoset,action,probability\n0,J:,bet,1/2\n")
    shown = call("solve", "kuhn", "--lock", str(file), "--exact", "--out", str(out))
    assert "locked value" in shown
    assert "would gain" in shown
    assert "LOCKED" in call("solve", "kuhn", "--lock", str(file), "--details")
    assert "-1/9" in shown
    record = json.loads(call("solve", "kuhn", "--lock", str(file), "--json"))
    assert (record["status"], record["locked"]["exact_value"]) == ("locked", "-1/9")
    assert record["gains"][0] == pytest.approx(1 / 6)
    verified = seqform.verify(out)
    assert verified.solution.status is seqform.Status.LOCKED
    assert verified.record()["locked"]["exact_value"] == "-1/9"
    assert verified.solution.locked is not None
    assert call("solve", "kuhn", "--lock", str(out / "lock.csv"), "--exact")
    file.write_text("player,infoset,action,probability\n0,J:,bet,0\n0,J:,check,0\n")
    stopped = typed("solve", "kuhn", "--lock", str(file))
    assert stopped.returncode == 2
    assert "the lock leaves no action" in stopped.stderr
    assert "Traceback" not in stopped.stderr


def forged(folder: Path, name: str, content: str | None, **claims: Any) -> None:
    """Change a file of a result and what is claimed, and write digests and checksum anew."""
    result = json.loads((folder / "result.json").read_text()) | claims
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    result["files"] = digests(folder)
    result["files"].pop("result.json", None)
    result["checksum"] = checksum(result)
    (folder / "result.json").write_text(json.dumps(result))


def test_a_lock_that_was_changed_with_all_its_digests_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "result"
    saved = solve(kuhn(), lock={(0, "J:", "bet"): "1/2"})
    for change, words in [
        (
            ("bet,1/2", "bet,1/3"),
            "set 'J:': the saved strategy does not play",
        ),
        (("bet,1/2", "bet,2/4"), "line 3: '2/4' is not a probability in lowest terms"),
        (("bet,1/2", "bet,3/2"), "line 3: '3/2' is not a probability"),
        (("check,\r\n0,J:,bet,1/2", "check,0\r\n0,J:,bet,1/2"), "the probabilities sum to 1/2"),
        (("0,J:,bet", "0,J:,raise"), "line 3: expected 0,J:,bet and a probability"),
        (("0,J:,bet,1/2\r\n", ""), "one row for each action"),
    ]:
        saved.save(out, "kuhn")
        text = (out / "lock.csv").read_bytes().decode()
        assert change[0] in text
        forged(out, "lock.csv", text.replace(*change))
        with pytest.raises((ResultFileError, VerificationError)) as error:
            seqform.load(out)
        assert words in str(error.value)


def test_a_lock_that_is_missing_or_not_claimed_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "result"
    saved = solve(kuhn(), lock={(0, "J:", "bet"): "1/2"})
    saved.save(out, "kuhn")
    forged(out, "lock.csv", None)
    with pytest.raises(ResultFileError, match=r"lock\.csv does not exist"):
        seqform.verify(out)
    saved.save(out, "kuhn")
    forged(out, "lock.csv", (out / "lock.csv").read_text(), locked=None)
    with pytest.raises(VerificationError, match=r"does not say what lock\.csv makes of the game"):
        seqform.verify(out)
    saved.save(out, "kuhn")
    claim = json.loads((out / "result.json").read_text())["locked"]
    for key, value in [("exact_value", "-1/18"), ("lower", 0.0), ("proof", "bracketed")]:
        saved.save(out, "kuhn")
        forged(out, "lock.csv", (out / "lock.csv").read_text(), locked=claim | {key: value})
        with pytest.raises(VerificationError):
            seqform.verify(out)


def test_a_game_without_a_tree_is_locked_if_its_payoffs_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, lock, out = rhode_island(3, 2, 1), {(0, "Ks:", "bet"): 1}, tmp_path / "result"
    without = solve(game, lock=lock, max_nodes=10, method="dcfr", gap=1e-2)
    assert without.status.name == "LOCKED"
    assert without.game.tree is None
    assert solve(game, lock=lock).value == pytest.approx(without.value, abs=1e-2)
    assert without.locked.nash_gap <= 1e-2
    without.save(out, "rhode-island", {"ranks": 3, "suits": 2, "max_bets": 1})
    assert seqform.verify(out).solution.locked is not None
    monkeypatch.setattr("seqform.strategies.exploit.locking.MAX_PAYOFFS", 100)
    with pytest.raises(GameTooLargeError, match=r"here there are .*, more than 100; use a smaller"):
        solve(game, lock=lock, max_nodes=10)
