"""Saved results of games too large for a tree: verified from classes and rules, and refused when
altered."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import Status, make
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import ResultFileError, SeqformError, VerificationError
from seqform.base.whole_folder import checksum
from seqform.form.signal_strategy import KIND, VERSION
from seqform.results.verification import load_strategy, verify
from tests.command_line import call, process

GAME = ("rhode-island", "-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1", "--max-nodes", "1000")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("large") / "result"
    with pytest.MonkeyPatch.context() as patch:  # as large games do, in single precision
        patch.setattr("seqform.solvers.iterative.regret.engine.BY_ROUNDS_FROM", 0)
        patch.setattr("seqform.solvers.iterative.regret.engine.NONZEROS_PER_PUBLIC_NODE", 0)
        call("solve", *GAME, "--method", "dcfr", "--gap", "0.1", "--out", str(folder))
    return folder


@pytest.fixture
def saved(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "result"))


def claim(folder: Path, **changed: Any) -> None:
    """Claim something else, with a checksum that fits."""
    result = json.loads((folder / "result.json").read_text()) | changed
    (folder / "result.json").write_text(json.dumps(result | {"checksum": checksum(result)}))


def load(name: str, parameters: dict[str, Any]) -> Any:
    return make(name, **parameters)


def test_it_verifies_and_answers(saved: Path) -> None:
    result = json.loads((saved / "result.json").read_text())
    assert sorted(path.name for path in saved.iterdir()) == ["result.json", "strategy.npz"]
    assert read_arrays(saved / "strategy.npz", KIND, VERSION)[1]["behavior0"].dtype == np.float32
    assert json.loads(call("verify", str(saved), "--json"))["nash_gap"] == pytest.approx(
        result["nash_gap"], abs=1e-12
    )
    answer = load_strategy(saved, load).ask("Ks", "check-bet")
    assert sum(answer.values()) == 1.0


def test_a_solve_that_found_nothing_leaves_no_strategy_of_before(saved: Path) -> None:
    nothing: dict[str, Any] = {"answer": None, "certificate": None, "status": Status.LIMIT}
    replace(verify(saved, load).solution, **nothing).save(saved, "rhode-island")
    assert sorted(path.name for path in saved.iterdir()) == ["game.npz", "result.json"]
    with pytest.raises(VerificationError, match="its status is limit"):
        call("verify", str(saved))


@pytest.mark.parametrize("key", ["value", "lower", "upper", "nash_gap", "exploitability"])
def test_a_wrong_claim_is_refused(saved: Path, key: str) -> None:
    honest = json.loads((saved / "result.json").read_text())[key]
    for lie in (honest + 1e-8, -honest, str(honest), None, [honest]):
        claim(saved, **{key: lie})
        with pytest.raises(VerificationError):
            call("verify", str(saved))


@pytest.mark.parametrize(
    "sizes", [{"nodes": 1}, {"infosets": None}, {"sequences": 0}, {}, [], None, "many"]
)
def test_wrong_sizes_are_refused(saved: Path, sizes: Any) -> None:
    honest = json.loads((saved / "result.json").read_text())["sizes"]
    claim(saved, sizes={**honest, **sizes} if isinstance(sizes, dict) and sizes else sizes)
    with pytest.raises(VerificationError, match=r"nodes|infosets|sequences"):
        call("verify", str(saved))


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "leduc", "params": {}},
        {"game": "goofspiel", "params": {}},
        {"game": "no such game"},
        {"game": None},
        {"params": {"ranks": 4, "suits": 2, "max_bets": 1}},
        {"params": {"ranks": 2, "suits": 3, "max_bets": 1}},
        {"params": {"ranks": 3, "suits": 2, "max_bets": 2}},
        {"params": {"ranks": 3, "suits": 2}},
        {"params": {"ranks": "three"}},
        {"params": {"no": 1}},
        {"params": [["ranks", 3]]},
        {"params": "ranks=3"},
        {"params": 3},
        {"version": 99},
    ],
)
def test_another_game_is_refused(saved: Path, changed: dict[str, Any]) -> None:
    claim(saved, **changed)
    with pytest.raises(SeqformError):
        call("verify", str(saved))


OWN = """
from seqform import Status, make

open("was-run", "w").close()


def game(ranks: int):
    return make("rhode-island", ranks=ranks, suits=2, max_bets=1)
"""


def test_code_that_a_folder_names_runs_only_if_trusted(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "strangers.py").write_text(OWN)
    claim(saved, game="strangers:game", params={"ranks": 3})
    refused = process("verify", str(saved), folder=tmp_path)
    assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (2, "", 1)
    for part in ("'strangers'", "'game'", "{'ranks': 3}", "--trust"):
        assert part in refused.stderr
    assert not (tmp_path / "was-run").exists()
    trusted = process("verify", str(saved), "--trust", folder=tmp_path)
    assert trusted.returncode == 0
    assert "verified: " in trusted.stdout
    assert (tmp_path / "was-run").exists()


@pytest.mark.parametrize("name", ["openspiel:kuhn_poker", "game.efg", "strangers:game.npz"])
def test_games_that_are_saved_as_trees_are_not_looked_for(saved: Path, name: str) -> None:
    claim(saved, game=name, params={})
    with pytest.raises(ResultFileError, match="saved with its tree"):
        call("verify", str(saved), "--trust")


def test_altered_strategies_are_refused(saved: Path) -> None:
    path = saved / "strategy.npz"
    content = path.read_bytes()
    for damaged in (
        b"",
        b"thesis",
        content[: len(content) // 2],
        content[:200] + b"\0\0\0" + content[203:],
    ):
        path.write_bytes(damaged)
        with pytest.raises(ResultFileError):
            call("verify", str(saved))
    path.write_bytes(content)
    header, arrays = read_arrays(path, KIND, VERSION)
    arrays["behavior0"] = arrays["behavior0"][::-1].copy()
    # with a checksum that fits
    write_arrays(path, KIND, VERSION, {"stages": header["stages"]}, arrays)
    with pytest.raises(SeqformError):
        call("verify", str(saved))
    arrays["behavior0"] = np.full(len(arrays["behavior0"]), 0.5)
    arrays["behavior0"][0] = 1
    write_arrays(path, KIND, VERSION, {"stages": header["stages"]}, arrays)
    with pytest.raises(SeqformError):
        call("verify", str(saved))
    path.unlink()
    with pytest.raises(ResultFileError, match=r"game\.npz does not exist"):
        call("verify", str(saved))


def test_from_python_it_needs_to_know_where_games_come_from(saved: Path) -> None:
    assert verify(saved, load).claims["game"] == "rhode-island"
    assert verify(saved).claims["game"] == "rhode-island"  # a game of the registry
    claim(saved, game="own:deck")
    assert verify(saved, lambda _, parameters: load("rhode-island", parameters)).claims
    with pytest.raises(ResultFileError, match=r"there is no game 'own:deck'.*or give `find`"):
        verify(saved)


def test_parameters_that_are_not_numbers_come_back(tmp_path: Path) -> None:
    folder = str(tmp_path / "merged")
    call("solve", "leduc", "-p", "merge_suits=true", "--max-nodes", "100", "--out", folder)
    assert json.loads((tmp_path / "merged" / "result.json").read_text())["params"] == {
        "merge_suits": True
    }
    assert json.loads(call("verify", folder, "--json"))["nash_gap"] < 1e-9
