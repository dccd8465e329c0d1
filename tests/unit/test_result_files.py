"""Saved results verify from their files alone, and no altered file does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import Status, build_tree, solve
from seqform.base.errors import (
    InvalidStrategyError,
    ResultFileError,
    SeqformError,
    VerificationError,
)
from seqform.results.verification import verify
from seqform.tree.file import fingerprint, load_tree, save_tree
from seqform.tree.tree import NODE_COLUMNS
from tests.command_line import call


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    solution = solve(kuhn())
    solution.save(tmp_path / "result", "kuhn", {})
    return tmp_path / "result"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_saved_result_verifies(saved: Path) -> None:
    found = verify(saved)
    assert found.certificate.lower <= -1 / 18 <= found.certificate.upper
    assert sorted(p.name for p in saved.iterdir()) == [
        "certificate.json",
        "game.npz",
        "result.json",
        "strategy.csv",
    ]


def test_strategy_file_has_one_row_per_action_with_reach(saved: Path) -> None:
    lines = (saved / "strategy.csv").read_text().splitlines()
    assert lines[0] == "player,infoset,action,probability,reach,others_reach"
    assert len(lines) == 1 + 2 * 12
    assert lines[1].startswith("0,J:,check,")
    assert lines[1].endswith(",1.0,0.3333333333333333")


def test_result_says_what_made_it(saved: Path) -> None:
    result = json.loads((saved / "result.json").read_text())
    assert result["provenance"]["highspy"]
    assert result["game_fingerprint"] == fingerprint(build_tree(kuhn()))


def test_a_claimed_value_that_is_wrong_is_refused(saved: Path) -> None:
    result = json.loads((saved / "result.json").read_text())
    for key in ("value", "lower", "upper", "nash_gap", "exploitability"):
        (saved / "result.json").write_text(json.dumps({**result, key: result[key] + 1e-9}))
        with pytest.raises(VerificationError, match=key):
            verify(saved)
    (saved / "result.json").write_text(
        json.dumps({**result, "sizes": {**result["sizes"], "nodes": 59}})
    )
    with pytest.raises(VerificationError, match="nodes"):
        verify(saved)


@pytest.mark.parametrize("claim", [10**400, -(10**400), float("inf"), float("nan"), "0", [0], None])
def test_claims_that_are_no_such_number_are_refused(saved: Path, claim: object) -> None:
    result = json.loads((saved / "result.json").read_text())
    for key in ("value", "nash_gap"):
        (saved / "result.json").write_text(json.dumps({**result, key: claim}))
        with pytest.raises(VerificationError):
            verify(saved)


def test_a_result_nested_beyond_all_measure_is_refused(saved: Path) -> None:
    (saved / "result.json").write_text("[" * 100_000)
    with pytest.raises(ResultFileError, match="damaged"):
        verify(saved)


@pytest.mark.parametrize("name", ["leduc", "\x1b[31mkuhn", "\ud800", None])
def test_what_the_game_is_called_is_said_not_verified(tmp_path: Path, name: str | None) -> None:
    solution = solve(kuhn(), exact=False)
    solution.save(tmp_path / "result", name, {})  # type: ignore[arg-type]
    assert f"holds in the game saved, called {json.dumps(name)}\n" in call(
        "verify", str(tmp_path / "result")
    )


def test_a_result_is_of_the_game_beside_it(saved: Path) -> None:
    edit(saved / "result.json", fingerprint(build_tree(kuhn())), "0" * 64)
    with pytest.raises(VerificationError, match="another fingerprint"):
        verify(saved)


def test_a_changed_strategy_is_refused(saved: Path) -> None:
    path = saved / "strategy.csv"
    original = path.read_text()
    rows = original.splitlines()
    head, probability, *parts = rows[1].rsplit(",", 3)
    reach = ",".join(parts)
    path.write_text(original.replace(rows[1], f"{head},{float(probability) / 2},{reach}"))
    with pytest.raises(InvalidStrategyError, match="sum to"):
        verify(saved)
    other = rows[2].rsplit(",", 3)
    swapped = original.replace(rows[1], f"{head},0.25,{reach}").replace(
        rows[2], f"{other[0]},0.75,{reach}"
    )
    path.write_text(swapped)
    with pytest.raises((VerificationError, ResultFileError)):  # the column reach says so, too
        verify(saved)
    path.write_text(original.replace(rows[1], f"{head},often,{reach}"))
    with pytest.raises(ResultFileError, match="line 2"):
        verify(saved)
    path.write_text("\n".join(rows[:-1]))
    with pytest.raises(ResultFileError, match="rows"):
        verify(saved)
    path.write_text(original.replace("J:,check", "J:,pass", 1))
    with pytest.raises(ResultFileError, match="line 2"):
        verify(saved)


@pytest.mark.parametrize("name", ["result.json", "strategy.csv", "game.npz"])
def test_damaged_or_missing_files_are_refused(saved: Path, name: str) -> None:
    path = saved / name
    content = path.read_bytes()
    for damaged in (b"", b"\x00garbage\xff", content[: len(content) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(SeqformError):
            verify(saved)
    path.unlink()
    with pytest.raises(ResultFileError, match=name):
        verify(saved)


def test_any_flipped_byte_of_the_game_is_noticed(saved: Path) -> None:
    path = saved / "game.npz"
    content = path.read_bytes()
    clean = fingerprint(load_tree(path))
    for position in range(0, len(content), max(1, len(content) // 60)):
        path.write_bytes(
            content[:position] + bytes([content[position] ^ 0xFF]) + content[position + 1 :]
        )
        try:
            loaded = load_tree(path)
        except SeqformError:
            continue
        # only a byte that carries nothing, such as a time stamp, may change
        assert fingerprint(loaded) == clean


def test_a_game_file_rewritten_with_another_payoff_is_refused(saved: Path) -> None:
    """The archive is whole and the game is valid, but it is not the game whose fingerprint it
    carries."""
    with np.load(saved / "game.npz") as data:
        content = {name: data[name].copy() for name in data.files}
    terminal = np.flatnonzero(content["player"] == -2)[0]
    content["payoff"][terminal] = (content["payoff"][terminal] + 1) % 3
    np.savez_compressed(saved / "game.npz", **content)
    with pytest.raises(ResultFileError, match="altered"):
        verify(saved)


def test_another_version_is_refused(saved: Path) -> None:
    edit(saved / "result.json", '"version": 3', '"version": 99')
    with pytest.raises(ResultFileError, match="version"):
        verify(saved)


def test_a_folder_with_other_files_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("do not lose me")
    solution = solve(kuhn())
    with pytest.raises(ResultFileError, match=r"thesis\.tex"):
        solution.save(tmp_path, "kuhn", {})
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    solution = solve(kuhn())
    with pytest.raises(ResultFileError, match="cannot write"):
        solution.save(tmp_path / "out", "kuhn", {})


def test_an_unsolved_result_is_saved_as_such_and_not_verified(tmp_path: Path) -> None:
    nothing = {"answer": None, "certificate": None, "proofs": (), "status": Status.LIMIT}
    solution = replace(solve(kuhn()), **nothing)  # as a solver that a limit stopped leaves it
    solution.save(tmp_path, "kuhn")
    assert json.loads((tmp_path / "result.json").read_text())["value"] is None
    with pytest.raises(VerificationError, match="limit"):
        verify(tmp_path)


@pytest.mark.parametrize("seed", range(5))
def test_trees_come_back_from_files_column_by_column(tmp_path: Path, seed: int) -> None:
    tree = random_game(seed, players=3, zero_sum=False, rewards=True)
    save_tree(tree, tmp_path / "game.npz")
    again = load_tree(tmp_path / "game.npz")
    for column in (*NODE_COLUMNS, "infoset_player", "infoset_num_actions", "level_start"):
        assert np.array_equal(getattr(tree, column), getattr(again, column))
    assert (tree.probabilities, tree.payoffs, tree.unit) == (
        again.probabilities,
        again.payoffs,
        again.unit,
    )
    assert fingerprint(tree) == fingerprint(again)
