"""The answer to a game that is too large to be kept is saved as claims, and called so."""

from __future__ import annotations

from pathlib import Path

import pytest

from seqform import make, solve, verify
from seqform.base.errors import ResultFileError
from tests.command_line import call


def test_claims_without_a_game_are_no_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve(make("centipede"), method="backward")
    solution.save(tmp_path / "kept", "centipede")
    monkeypatch.setattr("seqform.results.saving.SAVED_NODES", 2)
    solution.save(tmp_path / "alone", "centipede")
    assert verify(tmp_path / "kept").is_proof
    with pytest.raises(ResultFileError, match=r"claims alone.*too large.*solve the game again"):
        verify(tmp_path / "alone")
    said = call("solve", "centipede", "--method", "backward", "--out", str(tmp_path / "cli"))
    assert "claims alone" in said
    assert "seqform verify" not in said


def test_what_a_search_found_is_not_called_too_large(tmp_path: Path) -> None:
    said = call("solve", "nim", "-p", "heaps=1,2", "--method", "minimax", "--out", str(tmp_path))
    assert "too large" not in said
    assert f"`seqform verify {tmp_path}` checks its line of play" in said
