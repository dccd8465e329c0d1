"""What a new user ran into once: labels, interrupts, and requests that cannot be met."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from abstraction.suit import suit
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform import build_tree
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    ResultFileError,
)
from seqform.game.observations import SignalStructure
from tests.command_line import call

SMALL = ("rhode-island", "-p", "ranks=4", "-p", "suits=2", "-p", "max_bets=1")


def test_a_profile_that_is_no_equilibrium_is_not_given_the_games_value(tmp_path: Path) -> None:
    out = str(tmp_path / "result")
    short = call("solve", *SMALL, "--abstract", "outcome")
    assert "value      between -0.586" in short
    assert "certainty  lossy" in short
    printed = call("solve", *SMALL, "--abstract", "outcome", "--out", out, "--details")
    assert "what the profile pays player 0" in printed
    assert "value to player 0" not in printed
    assert "outcome: 8,026 sequences" in printed
    assert "proven interval: [-0.585" in call("verify", out)
    assert "value to player 0" in call("solve", "kuhn", "--details")


@pytest.mark.parametrize(
    ("criterion", "lossless"), [("outcome", False), ("suit", True), ("equitable", True)]
)
def test_shrink_says_what_is_lossless(criterion: str, lossless: bool) -> None:
    record = json.loads(call("shrink", *SMALL, "--criterion", criterion, "--json"))
    assert record["lossless"] is lossless
    assert ("not lossless" in call("shrink", *SMALL, "--criterion", criterion)) is not lossless
    assert "nothing to merge" in call("shrink", "kuhn")


def test_a_tree_that_does_not_fit_into_memory_is_refused() -> None:
    with pytest.raises(GameTooLargeError, match=r"6,705,372,545 nodes needs about"):
        build_tree(rhode_island(), max_nodes=10**11)


def test_what_cannot_be_a_folder_is_refused_before_solving(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(ResultFileError, match="is a file; give a folder"):
        call("solve", "rhode-island", "--out", str(file))
    with pytest.raises(ResultFileError, match="give the folder that holds it"):
        call("verify", str(file))
    assert file.read_text() == "mine"


@pytest.mark.parametrize("wrong", [(5, 4, 3, 2, 1, 0), (0, 0, 2, 3, 4, 5)])
def test_a_symmetry_that_is_none_is_refused(wrong: tuple[int, ...]) -> None:
    game: Any = leduc()
    with pytest.raises(InvalidGameError, match=r"symmetry (0 )?of (the|a) deck"):
        suit(SignalStructure(replace(game, deck=replace(game.deck, symmetries=(wrong,)))))
