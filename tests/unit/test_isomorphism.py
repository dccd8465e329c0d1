"""Isomorphisms of games written down by hand, and what is said where there is none."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import seqform.tree.isomorphism
from abstraction.pairwise import PairwiseIsomorphism
from seqform import (
    GameTree,
    Isomorphism,
    NotIsomorphic,
    TreeBuilder,
    build_tree,
    isomorphism,
    make,
    restricted_game,
    save_game,
    solve,
)
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    InvalidParameterError,
    SeqformError,
    UnknownNameError,
)
from seqform.cli import app
from seqform.tree.isomorphism import is_isomorphism
from seqform.tree.restricted import node_at
from tests.same_game import assert_same_game

HALF = Fraction(1, 2)


def guess(second: tuple[int, int], names: str = "ab") -> GameTree:
    """Let player 0 choose without seeing the coin; heads pays 1 for the first action, -1 else."""
    b = TreeBuilder(2)
    coin = b.chance(b.root, [("heads", HALF), ("tails", HALF)])
    for node, paid in zip(coin, ((1, -1), second), strict=True):
        for end, u in zip(b.decision(node, 0, "unseen", list(names)), paid, strict=True):
            b.terminal(end, (u, -u))
    return b.freeze()


def test_actions_of_an_information_set_are_mapped_alike() -> None:
    """The talk's definition does not ask for it, and would take value 0 for value 1."""
    sure, even = guess((1, -1)), guess((-1, 1))
    assert [solve(game).value for game in (sure, even)] == pytest.approx([1, 0])
    assert isomorphism(sure, even, alike_actions=False)
    found = isomorphism(sure, even)
    assert isinstance(found, NotIsomorphic)
    assert found.reason.startswith("nodes like node ")
    literal = isomorphism(sure, even, alike_actions=False)
    assert isinstance(literal, Isomorphism)
    assert literal.action == (None,)
    assert not is_isomorphism(literal)
    assert not literal.keeps_names
    assert literal.record()["infosets"][0]["actions"] is None
    assert "differently at different nodes" in repr(literal)


def test_the_map_says_what_became_of_actions() -> None:
    found = isomorphism(guess((1, -1), "ab"), guess((1, -1), "ba"))
    assert isinstance(found, Isomorphism)
    assert (found.action, found.keeps_names) == (((0, 1),), False)
    assert found.record()["infosets"] == [
        {"player": 0, "infoset": "unseen", "to": "unseen", "actions": [["a", "b"], ["b", "a"]]}
    ]
    assert "a -> b, b -> a" in repr(found)
    assert isomorphism(make("kuhn"), make("kuhn")).keeps_names  # type: ignore[union-attr]


def lottery(first: Any, paid: Any = 1) -> GameTree:
    b = TreeBuilder(1)
    for end, u in zip(b.chance(b.root, [("x", first), ("y", 1 - first)]), (paid, 0), strict=True):
        b.terminal(end, [u])
    return b.freeze()


def test_numbers_are_compared_as_numbers() -> None:
    assert isomorphism(lottery(HALF, 0.5), lottery(0.5, HALF))
    assert not isomorphism(lottery(Fraction(1, 10)), lottery(0.1))
    assert not isomorphism(lottery(HALF, 0.1), lottery(HALF, Fraction(1, 10)))


def test_equal_rows_of_a_table_are_one() -> None:
    tree = build_tree(make("kuhn"))
    rows = (*tree.payoffs, *(tuple(map(float, row)) for row in tree.payoffs))
    moved = (tree.payoff >= 0) & (np.arange(tree.num_nodes) % 2 == 0)
    payoff = (tree.payoff + moved * len(tree.payoffs)).astype(np.int32)
    twice = replace(tree, payoffs=rows, payoff=payoff)
    assert isomorphism(tree, twice)
    assert isomorphism(twice, tree)


def chain(players: str, num_players: int = 2, paid: int = 1, merged: bool = False) -> GameTree:
    """Let players move one after the other; each first action but the last ends the game."""
    b = TreeBuilder(num_players)
    node = b.root
    for depth, player in enumerate(players):
        key = player if merged else depth
        end, node = b.decision(node, int(player), key, ["stop", "go"])
        b.terminal(end, [0] * num_players)
    b.terminal(node, [paid] * num_players)
    return b.freeze()


@pytest.mark.parametrize(
    ("game", "other", "reason"),
    [
        (chain("01"), chain("01", 3), "one game has 2 players and the other 3"),
        (chain("01"), chain("010"), "nodes at depth 3: 0 in one game and 2 in the other"),
        (chain("01"), chain("00"), "nodes of player 0: 1 in one game and 2 in the other"),
        (
            chain("01"),
            chain("01", paid=2),
            "ends that pay (1, 1): 1 in one game and 0 in the other",
        ),
        (
            chain("00"),
            chain("00", merged=True),
            "information sets of player 0: 2 in one game and 1",
        ),
        (lottery(HALF), lottery(Fraction(1, 3)), "moves of chance with probability 1/2: 2 in one"),
        (
            chain("011"),
            chain("101"),
            "nodes like node 0 (the root), by all that is around them: 1 in one game and 0 in",
        ),
    ],
)
def test_reasons(game: GameTree, other: GameTree, reason: str) -> None:
    found = isomorphism(game, other)
    assert isinstance(found, NotIsomorphic)
    assert found.reason.startswith(reason)
    assert found.record() == {"isomorphic": False, "reason": found.reason}


def test_rewards_and_set_sizes_are_counted() -> None:
    def game(rewarded: bool, shared: bool) -> GameTree:
        b = TreeBuilder(1)
        coin = b.chance(b.root, [(str(i), Fraction(1, 4)) for i in range(4)])
        for i, node in enumerate(coin):
            if rewarded and i == 0:
                b.reward(node, [1])
            (end,) = b.decision(node, 0, min(i, 1) if shared else i // 2, ["on"])
            b.terminal(end, [0])
        return b.freeze()

    cases = ((True, False), (False, True))
    reasons = [isomorphism(game(False, False), game(*case)).reason for case in cases]  # type: ignore[union-attr]
    assert reasons[0].startswith("nodes before the end that pay (1): 0 in one game and 1")
    assert reasons[1].startswith("information sets with 2 nodes: 2 in one game and 0")


@pytest.mark.parametrize("rewarded", ["root", "below"])
def test_to_pay_zero_before_the_end_is_to_pay_nothing(rewarded: str) -> None:
    """As an outcome {0, 0} of a node in an .efg file does."""

    def game(paid: int | None) -> GameTree:
        b = TreeBuilder(2)
        left, right = b.decision(b.root, 0, "first", ["left", "right"])
        if paid is not None:
            b.reward(b.root if rewarded == "root" else left, (paid, 0))
        b.terminal(right, (0, 0))
        for u, end in enumerate(b.decision(left, 1, "second", ["a", "b"])):
            b.terminal(end, (u, -u))
        return b.freeze()

    none, zero, one = game(None), game(0), game(1)
    assert (zero.payoff != none.payoff).any()  # the trees do differ
    for first, second in ((none, zero), (zero, none)):
        found = isomorphism(first, second)
        assert isinstance(found, Isomorphism), found
        assert found.node.tolist() == list(range(5))
    found = isomorphism(none, one)
    assert isinstance(found, NotIsomorphic)
    assert found.reason == "nodes before the end that pay (1, 0): 0 in one game and 1 in the other"


def test_a_map_is_checked_before_it_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_swapped(first: Any, second: Any) -> Any:
        found = vertex_map(first, second)
        found[[3, 4]] = found[[4, 3]]
        return found

    vertex_map = seqform.tree.isomorphism._vertex_map
    monkeypatch.setattr(seqform.tree.isomorphism, "_vertex_map", two_swapped)
    with pytest.raises(SeqformError, match="found an isomorphism that is none"):
        isomorphism(guess((1, -1)), guess((1, -1)))


def test_the_definition_and_the_algorithm_differ() -> None:
    """In Kuhn poker a queen and a king beat a jack alike, so that the restricted games after (J, Q)
    and (J, K) are isomorphic. But the sets in which they are played have nodes elsewhere, where
    they are not alike, and the algorithm compares those too."""
    game = make("kuhn")
    tree = build_tree(game)
    assert isomorphism(restricted_game(game, "J,Q"), restricted_game(game, "J,K"))
    assert not PairwiseIsomorphism(tree).isomorphic(node_at(tree, "J,Q"), node_at(tree, "J,K"))


def cycles(*lengths: int) -> GameTree:
    """Return a game in which chance comes to one of six places, and from each to one of two sets,
    which the place shares with the next and the last on its cycle."""
    b, sixth = TreeBuilder(1), Fraction(1, 6)
    places = iter(b.chance(b.root, [(str(i), sixth) for i in range(6)]))
    for cycle, length in enumerate(lengths):
        for i in range(length):
            for j, node in enumerate(b.chance(next(places), [("on", HALF), ("back", HALF)])):
                (end,) = b.decision(node, 0, (cycle, (i + j) % length), ["go"])
                b.terminal(end, [0])
    return b.freeze()


def side_by_side(*games: GameTree) -> GameTree:
    """Return a game in which chance chooses one of several."""
    b = TreeBuilder(games[0].num_players)
    odds = [(i, Fraction(1, len(games))) for i in range(len(games))]
    for number, (top, game) in enumerate(zip(b.chance(b.root, odds), games, strict=True)):
        stack = [(top, 0)]
        while stack:
            node, source = stack.pop()
            below = game.children(source)
            names = [game.labels[game.label[c]] for c in below]
            if not below:
                b.terminal(node, game.payoffs[game.payoff[source]])
            elif game.player[source] >= 0:
                key = (number, int(game.infoset[source]))
                stack += zip(
                    b.decision(node, int(game.player[source]), key, names), below, strict=True
                )
            else:
                chances = [game.probabilities[game.probability[c]] for c in below]
                stack += zip(
                    b.chance(node, list(zip(names, chances, strict=True))), below, strict=True
                )
    return b.freeze()


def test_the_algorithm_calls_alike_what_the_definition_tells_apart() -> None:
    """Sets that span several subtrees are compared by what their nodes are, and not by where: one
    cycle of six places is taken for two of three."""
    one, two = cycles(6), cycles(3, 3)
    found = isomorphism(one, two)
    assert isinstance(found, NotIsomorphic)
    assert found.reason == (
        "no bijection exists: every node has its like in the other game, one by one, but not all "
        "of them at once"
    )
    both = side_by_side(one, two)
    assert PairwiseIsomorphism(both).isomorphic(1, 2)
    assert PairwiseIsomorphism(both, literal=True).isomorphic(1, 2)
    assert not isomorphism(restricted_game(both, 1), restricted_game(both, 2))
    assert isomorphism(restricted_game(both, 1), one)


def test_restricted_games_of_rules_need_no_tree() -> None:
    endgame = restricted_game(make("tic-tac-toe"), "a1,b1,b2,c1,a2,a3")
    assert build_tree(endgame).num_nodes < 10
    assert not isinstance(endgame, GameTree)
    whole = build_tree(make("kuhn"))
    assert restricted_game(whole, "") is whole
    assert_same_game(
        build_tree(restricted_game(make("kuhn"), "J")), build_tree(restricted_game(whole, "J"))
    )


def test_what_is_paid_above_is_not_part_of_a_restricted_game() -> None:
    b = TreeBuilder(1)
    b.reward(b.root, [5])
    (node,) = b.decision(b.root, 0, "h", ["on"])
    b.reward(node, [3])
    (end,) = b.decision(node, 0, "g", ["on"])
    b.terminal(end, [1])
    assert solve(restricted_game(b.freeze(), "on"), abstract="none").values[0] == pytest.approx(4)


def test_refusals() -> None:
    tree, rules = build_tree(make("kuhn")), make("tic-tac-toe")
    with pytest.raises(InvalidParameterError, match="there is no node 58"):
        restricted_game(tree, 58)
    with pytest.raises(InvalidParameterError, match="only nodes of trees have numbers"):
        restricted_game(rules, 3)
    with pytest.raises(InvalidParameterError, match="only nodes of trees have numbers"):
        restricted_game(make("leduc"), 3)
    with pytest.raises(UnknownNameError, match="after J there is no 'J'; there are Q, K"):
        restricted_game(tree, "J,J")
    with pytest.raises(InvalidGameError, match="is not a game"):
        isomorphism(tree, 3)  # type: ignore[arg-type]
    with pytest.raises(GameTooLargeError):
        isomorphism(tree, make("leduc"), max_nodes=100)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.output


def test_the_command(tmp_path: Path) -> None:
    code, text = run("isomorphism", "leduc@Js,Qs", "leduc@Jh,Qh")
    assert (code, "are isomorphic: 315 nodes, 126 information sets" in text) == (0, True)
    assert "Js Qh:check-check/" in text
    end = "leduc@Js,Qs,check,bet,fold"
    assert run("isomorphism", end, end) == (
        0,
        f"{end} and {end} are isomorphic: 1 node, 0 information sets\n",
    )
    code, text = run("isomorphism", "kuhn", "kuhn", "-q", "cards=4", "--json")
    assert code == 1
    assert json.loads(text) == {
        "game": "kuhn",
        "other": "kuhn",
        "isomorphic": False,
        "reason": "nodes at depth 1: 3 in one game and 4 in the other",
    }
    for name, game in (("sure", guess((1, -1))), ("even", guess((-1, 1)))):
        save_game(game, tmp_path / f"{name}.efg")
    files = [str(tmp_path / f"{name}.efg") for name in ("sure", "even")]
    code, text = run("isomorphism", *files)
    assert (code, "are not isomorphic: nodes like node" in text) == (1, True)
    code, text = run("isomorphism", *files, "--free-actions")
    assert (code, "not the same at all nodes" in text) == (0, True)
    record = json.loads(run("isomorphism", "kuhn", "kuhn", "--json")[1])
    assert record["nodes"] == list(range(58))


@pytest.mark.parametrize(
    "words",
    [
        ("info", "kuhn@J,Q"),
        ("draw", "kuhn@J,Q"),
        ("solve", "kuhn@J"),
        ("shrink", "leduc@Js", "--criterion", "tree"),
        ("solve", "leduc@Js,Qs"),
    ],
)
def test_every_command_takes_what_follows_moves(words: tuple[str, ...]) -> None:
    assert run(*words)[0] == 0


def test_restricted_games_from_files_and_to_files(tmp_path: Path) -> None:
    file, part, folder = tmp_path / "kuhn.efg", tmp_path / "part@home.npz", tmp_path / "found"
    assert run("convert", "kuhn", str(file))[0] == 0
    assert run("convert", f"{file}@J,Q", str(part))[0] == 0
    assert "9" in run("info", str(part))[1]
    assert run("isomorphism", str(part), "kuhn@J,Q")[0] == 0
    for name in (f"{file}@J", "kuhn@J", "tic-tac-toe@a1,b1,b2,c1,a2,a3"):
        assert run("solve", name, "--out", str(folder))[0] == 0
        code, text = run("verify", str(folder))
        assert (code, text.startswith("verified")) == (0, True)
    done = CliRunner().invoke(app, ["info", "kuhn@J,X"])
    assert str(done.exception) == "after J there is no 'X'; there are Q, K"
