"""Beliefs are given and asked for by the names of information sets and nodes."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from seqform import GameTree, TreeBuilder, analyze, check_sequential_equilibrium, save_game
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, UnknownNameError
from tests.command_line import typed

THIRD = Fraction(1, 3)
ACROSS = {
    (player, infoset, action): int(action in "Cc" or action == "R")
    for player, infoset, actions in ((0, "one", "DC"), (1, "two", "dc"), (2, "three", "LR"))
    for action in actions
}


@pytest.fixture(scope="module")
def horse() -> GameTree:
    """Return Selten's horse."""
    b = TreeBuilder(3)
    down, across = b.decision(b.root, 0, "one", ["D", "C"])
    further, end = b.decision(across, 1, "two", ["d", "c"])
    b.terminal(end, (1, 1, 1))
    for node, left, right in ((down, (3, 3, 2), (0, 0, 0)), (further, (4, 4, 0), (0, 0, 1))):
        after_left, after_right = b.decision(node, 2, "three", ["L", "R"])
        b.terminal(after_left, left)
        b.terminal(after_right, right)
    return b.freeze()


def test_names_say_the_same_as_the_trees_order(horse: GameTree) -> None:
    by_order = check_sequential_equilibrium(horse, ACROSS, {(2, "three"): [THIRD, 1 - THIRD]})
    for moves in (
        {"D": THIRD, "C > d": 1 - THIRD},
        {("C", "d"): 1 - THIRD, ("D",): THIRD},
        {"C>d": 1 - THIRD, "D": THIRD},
    ):
        found = check_sequential_equilibrium(horse, ACROSS, {(2, "three"): moves})
        assert (found.verdict, found.is_exact, found.beliefs) == (
            by_order.verdict,
            True,
            by_order.beliefs,
        )
        assert found.belief(2, "three") == {("D",): THIRD, ("C", "d"): 1 - THIRD}
    assert check_sequential_equilibrium(horse, ACROSS, {(2, "three"): {"D": 1}}).gains[
        2, "three"
    ] == Fraction(2)


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ({"D": 1, "C": 0}, InvalidStrategyError, r"at 'three' of player 2: node 2 \(C\) is not in"),
        ({"D": 1, ("D",): 0}, InvalidStrategyError, r"node 1 \(D\) is given twice"),
        ({"E": 1}, UnknownNameError, r"no move 'E' at node 0 \(the root\).*use D, C"),
        ({"D > L > x": 1}, UnknownNameError, r"no move 'x' at .*: the game ends there"),
        ({"D": THIRD}, InvalidStrategyError, "sum to 1/3, not to 1"),
    ],
)
def test_wrong_nodes_are_refused(horse: GameTree, moves: Any, error, message) -> None:
    with pytest.raises(error, match=message):
        check_sequential_equilibrium(horse, ACROSS, {(2, "three"): moves})


def test_what_was_found_is_asked_by_name(horse: GameTree) -> None:
    found = check_sequential_equilibrium(horse, ACROSS)
    with pytest.raises(InvalidStrategyError, match=r"\(2, 'thee'\) is no \(player, label\)"):
        found.belief(2, "thee")
    seen = analyze(horse, ACROSS)
    assert seen.exact is not None
    assert seen.exact[0, "one"].beliefs == {(): 1}
    assert seen.exact[2, "three"].beliefs == {("D",): None, ("C", "d"): None}
    assert seen.exact.nodes["C > c"].values == (1, 1, 1)
    assert seen.nodes["D"].infoset == "three"
    assert seen.nodes[()].player == 0
    with pytest.raises(InvalidStrategyError, match=r"no information set .on."):
        seen[0, "on"]
    with pytest.raises(InvalidParameterError, match=r"ask for \[player, infoset\]"):
        seen["one"]  # type: ignore[index]
    with pytest.raises(InvalidParameterError, match="there is no player 3"):
        seen[3, "one"]


def test_the_command_line_takes_beliefs_and_prints_nodes(horse: GameTree, tmp_path) -> None:
    save_game(horse, tmp_path / "horse.efg")
    profile, beliefs = tmp_path / "mine.csv", tmp_path / "beliefs.csv"
    lines = [f"{p},{h},{a},{number}" for (p, h, a), number in ACROSS.items()]
    profile.write_text("\n".join(["player,infoset,action,probability", *lines]))
    beliefs.write_text("player,infoset,node,probability\n2,three,D,1/3\n2,three,C > d,2/3\n")
    game = (str(tmp_path / "horse.efg"), "--profile", str(profile))
    answer = typed("evaluate", *game, "--beliefs", str(beliefs), "--nodes", "--json")
    record = json.loads(answer.stdout)
    assert record["sequential_equilibrium"] == "sequential"
    nodes = {node["path"]: node for node in record["exact_nodes"]}
    assert nodes["C > c"]["values"] == ["1", "1", "1"]
    assert (nodes["D"]["belief"], nodes["D"]["reach"]) == (None, "0")
    beliefs.write_text("player,infoset,node,probability\n2,three,D,1/2\n2,three,C > d,1/2\n")
    answer = typed("evaluate", *game, "--beliefs", str(beliefs), "--infosets")
    assert "not rational: 0.5 units are gained" in " ".join(answer.stdout.split())
    assert any(line.split()[:4] == ["2", "three", "L", "0"] for line in answer.stdout.splitlines())
    assert "information set" in answer.stdout  # no header is broken
    beliefs.write_text("player,infoset,node,probability\n2,three,D,1/2\n2,three,D,1/2\n")
    answer = typed("evaluate", *game, "--beliefs", str(beliefs))
    assert answer.returncode == 2
    assert "line 3: the node 'D' is given twice" in " ".join(answer.stderr.split())
