"""Games below some moves, where the whole game is too large to be built."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from games.leduc import leduc
from games.liars_dice import liars_dice
from games.rhode_island import rhode_island
from seqform import build_tree, make, restricted_game, solve
from seqform.base.errors import GameTooLargeError, UnknownNameError
from seqform.cli import app
from seqform.experiment.named import read_named
from seqform.experiment.runner import run_experiment
from seqform.io.named_game import named_game
from seqform.tree.restricted import SignalRules
from tests.same_game import assert_same_game


@pytest.mark.parametrize(
    ("game", "at"),
    [
        (leduc(), "Js,Qs"),
        (leduc(), "Ks,Kh,bet,call,Js"),
        (liars_dice(1, 3), "2"),
        (rhode_island(3, 2, 1), "Js,Qh,check"),
    ],
    ids=["leduc", "late in leduc", "liars-dice", "rhode-island"],
)
def test_rules_of_a_signal_game_are_its_tree(game: Any, at: str) -> None:
    below, tree = build_tree(SignalRules(game, at)), restricted_game(build_tree(game), at)
    assert_same_game(below, tree)


def test_a_signal_game_below_moves_is_counted_without_the_game_above() -> None:
    found = restricted_game(rhode_island(13, 4, 3), "As,Ks,check,check,Qs,check,check,2h")
    assert 10 < build_tree(found).num_nodes < 100
    assert solve(found).nash_gap == pytest.approx(0)
    with pytest.raises(UnknownNameError, match="there is no 'As'"):
        restricted_game(rhode_island(13, 4, 3), "As,As")


def info(*words: str) -> dict[str, Any]:
    found = CliRunner().invoke(app, ["info", *words, "--json"])
    if found.exception is not None:
        raise found.exception
    return json.loads(found.stdout)  # type: ignore[no-any-return]


def test_info_of_a_large_signal_game_below_moves() -> None:
    record = info("rhode-island@As,Ks,check,check,Qs,check,check,2h")
    assert record["nodes"] < 100
    large = info("rhode-island@As,Ks", "--max-nodes", "30000", "--probes", "20")
    assert 6 < large["log10_nodes"] < 7  # 6,705,372,545 nodes among 52 * 51 pairs of hands


def test_games_of_open_spiel_below_moves() -> None:
    pytest.importorskip("pyspiel")
    from seqform.io import from_open_spiel

    name = "nim(pile_sizes=1;2;3,is_misere=true)"
    whole = from_open_spiel(name)
    at = ",".join(str(whole.labels[whole.label[child]]) for child in list(whole.children(0))[:1])
    assert_same_game(from_open_spiel(name, at=at), restricted_game(whole, at))
    with pytest.raises(UnknownNameError, match="at the root there is no 'z9'"):
        from_open_spiel("chess", at="z9")
    with pytest.raises(GameTooLargeError):
        from_open_spiel("chess", at="a3")
    record = info("openspiel:chess@a3", "--probes", "3")
    assert record["log10_nodes"] > 50


def test_a_kuhn_game_below_moves_is_its_tree_still() -> None:
    assert restricted_game(make("kuhn"), "J,Q,bet").num_nodes == 3


@pytest.mark.parametrize("game", ["leduc@(Js,Qs)", "leduc@Js", "random(depth=3)@(a0)"])
def test_an_experiment_takes_games_below_moves(game: str, tmp_path: Path) -> None:
    name, options = read_named(game)
    below = named_game(name, options)
    whole = named_game(name.partition("@")[0], options)
    moves = name.partition("@")[2].strip("()")
    assert_same_game(build_tree(below), build_tree(restricted_game(whole, moves)))
    found = run_experiment("sweep", {"game": game, "method": "lp"}, out=tmp_path)
    (row,) = found.rows
    assert row["status"] == "solved"
    assert row["value"] == pytest.approx(solve(below).value)


def test_an_experiment_says_which_moves_there_are(tmp_path: Path) -> None:
    found = run_experiment("sweep", {"game": "kuhn@(J,A)", "method": "lp"}, out=tmp_path)
    assert "after J there is no 'A'" in found.rows[0]["reason"]
