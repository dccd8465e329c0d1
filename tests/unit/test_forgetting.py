"""Evaluation and best responses where a player forgets, against plays that are added up by hand."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import build_sequence_form, build_tree, evaluate, make, playing_form, respond
from seqform.base.errors import (
    ImperfectRecallError,
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
)
from seqform.cli import app
from seqform.game.rules import CHANCE
from seqform.io import parse_efg
from seqform.strategies.evaluate.forgetting import Forgetting, remembering
from seqform.tree.tree import GameTree
from tests.imperfect_recall import ABSENT_MINDED, FORGETFUL

MIXED = """EFG 2 R "" { "a" "b" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "later" { "l" "r" } 0
p "" 2 1 "b" { "x" "y" } 0
t "" 1 "win" { 1 -1 }
t "" 3 "two" { 2 5 }
t "" 2 "lose" { -1 1 }
p "" 1 2 "later" { "l" "r" } 0
t "" 2 "lose" { -1 1 }
t "" 1 "win" { 1 -1 }
"""


def forget(tree: GameTree, seed: int) -> GameTree:
    """Return a tree in which information sets of a player are merged at random."""
    rng = np.random.default_rng(seed)
    infoset, players = tree.infoset.copy(), tree.infoset_player
    groups: dict[Any, int] = {}
    number = np.array(
        [
            groups.setdefault((int(p), int(n), int(rng.integers(2)) if p else h), len(groups))
            for h, (p, n) in enumerate(zip(players, tree.infoset_num_actions, strict=True))
        ]
    )
    infoset[infoset >= 0] = number[infoset[infoset >= 0]]
    columns = {n: getattr(tree, n) for n in ("parent", "first_child", "num_children", "player")}
    columns |= {n: getattr(tree, n) for n in ("label", "probability", "payoff")}
    return GameTree.from_columns(
        {**columns, "infoset": infoset},
        num_players=tree.num_players,
        probabilities=tree.probabilities,
        payoffs=tree.payoffs,
        labels=tree.labels,
        infoset_labels=tuple(f"h{g}" for g in range(len(groups))),
        unit=tree.unit,
    )


def played(tree: GameTree, chosen: Any) -> list[float]:
    """Return what players get: a walk over all nodes, each visit drawn anew."""
    total, stack = [0.0] * tree.num_players, [(0, 1.0)]
    while stack:
        node, weight = stack.pop()
        if tree.payoff[node] >= 0:
            paid = tree.payoffs[int(tree.payoff[node])]
            total = [t + weight * float(p) for t, p in zip(total, paid, strict=True)]
        mover = int(tree.player[node])
        for place, child in enumerate(tree.children(node)):
            step = (
                float(tree.probabilities[int(tree.probability[child])])
                if mover == CHANCE
                else chosen[int(tree.infoset[node])][place]
            )
            stack.append((child, weight * step))
    return total


@given(st.integers(0, 10**6), st.integers(2, 3))
@settings(max_examples=12)
def test_values_and_best_responses_are_those_of_the_tree(seed: int, players: int) -> None:
    rules = random_game(seed, players=players, depth=4, branching=2, zero_sum=seed % 2 == 0)
    tree = forget(build_tree(rules), seed)
    rng = np.random.default_rng(seed)
    chosen = [rng.dirichlet(np.ones(n)) for n in tree.infoset_num_actions.tolist()]
    labels = {label: h for h, label in enumerate(tree.infoset_labels)}
    strategy = lambda player, infoset, actions: chosen[labels[infoset]]  # noqa: E731
    found = evaluate(tree, strategy)
    assert found.seats[0].values == pytest.approx(played(tree, chosen), abs=1e-10)
    forgetful = playing_form(tree).forgetful if found.forgetful else ()
    for player in range(players):
        mine = np.flatnonzero(tree.infoset_player == player).tolist()
        best = -np.inf
        for pure in product(*(range(int(tree.infoset_num_actions[h])) for h in mine)):
            other = list(chosen)
            for h, place in zip(mine, pure, strict=True):
                other[h] = np.eye(int(tree.infoset_num_actions[h]))[place]
            best = max(best, played(tree, other)[player])
        gain = best - found.seats[0].values[player]
        if player in forgetful:
            assert found.profile.gains[player] >= gain - 1e-9
            with pytest.raises(InvalidParameterError, match="imperfect recall"):
                respond(tree, strategy, player)
        else:
            assert found.profile.gains[player] == pytest.approx(gain, abs=1e-9)
            assert respond(tree, strategy, player).value == pytest.approx(best, abs=1e-9)


def test_an_absent_minded_driver_draws_anew() -> None:
    """Piccione & Rubinstein 1997, Example 1: exits pay 0, 4 and 1; going on with 2/3 is best."""
    tree = parse_efg(ABSENT_MINDED)
    with pytest.raises(ImperfectRecallError, match=r"absent-minded.*evaluate strategies"):
        build_sequence_form(tree)
    found = evaluate(tree, lambda player, infoset, actions: (1 / 3, 2 / 3))
    assert found.seats[0].values[0] == pytest.approx(4 / 3)
    assert found.forgetful == (0,)
    assert found.record()["forgetful"] == [0]
    assert np.isnan(found.profile.lower)
    assert respond(tree, lambda *_: None, 1).gain == 0
    with pytest.raises(InvalidParameterError, match=r"player=0 has no best response.*absent-mind"):
        respond(tree, lambda *_: None, 0)
    with pytest.raises(InvalidParameterError, match="player"):
        respond(tree, lambda *_: None, 7)


def test_who_remembers_has_a_best_response(tmp_path: Path) -> None:
    tree = parse_efg(MIXED)
    answer = respond(tree, {(0, "first", "l"): 1, (0, "first", "r"): 0}, 1)
    assert (answer.value, answer.before) == (3.0, 1.5)  # half of the time "later" leads there
    with pytest.raises(ResultFileError, match="where a player forgets"):
        answer.save(tmp_path / "answer.csv")
    against = evaluate(tree, {(1, "b", "y"): 1, (1, "b", "x"): 0}, lambda *_: None)
    assert against.seats[0].player == 1
    assert against.seats[0].values == pytest.approx((0.25, 1.5))
    with pytest.raises(InvalidStrategyError, match="no information set"):
        evaluate(tree, {(0, "never", "l"): 1})


def test_a_game_in_which_nobody_forgets_is_left_alone() -> None:
    tree = build_tree(make("kuhn"))
    whole, part_of = remembering(tree)
    assert sorted(part_of.tolist()) == list(range(tree.num_infosets))
    meant = np.where(whole.infoset < 0, -1, part_of[whole.infoset])
    assert meant.tolist() == tree.infoset.tolist()
    assert not isinstance(playing_form(tree), Forgetting)
    assert evaluate(tree, lambda *_: None).forgetful == ()


def test_the_command_line(tmp_path: Path) -> None:
    game, profile = tmp_path / "game.efg", tmp_path / "profile.csv"
    game.write_text(FORGETFUL)
    profile.write_text("player,infoset,action,probability\n0,later,l,1/4\n0,later,r,3/4\n")
    options = [str(game), "--profile", str(profile)]
    result = CliRunner().invoke(app, ["evaluate", *options])
    assert result.exit_code == 0
    assert "player 0 (a) forgets" in " ".join(result.stdout.split())
    assert "interval" not in result.stdout
    result = CliRunner().invoke(app, ["best-response", *options, "--player", "1"])
    assert result.exit_code == 0
    result = CliRunner().invoke(app, ["best-response", *options, "--player", "0"])
    assert isinstance(result.exception, InvalidParameterError)
