"""Each kind of bad game is refused with an error of our own that says what, where and what to
do."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.leduc import leduc
from games.random_games import random_game
from games.textbook import matching_pennies
from seqform import (
    Deck,
    TreeBuilder,
    assemble,
    build_sequence_form,
    build_tree,
    certify,
    expand,
    solve,
)
from seqform.base.errors import (
    GameTooLargeError,
    ImperfectRecallError,
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    SeqformError,
    UnsupportedGameError,
)
from seqform.base.number import as_number, from_text, to_text
from seqform.form.profile import Profile
from seqform.form.treeplex import Treeplex
from seqform.game.rules import CHANCE, TERMINAL
from seqform.tree.validate import validate
from tests.spoiled_games import Rules, pays, spoiled, two_moves


def chance_first(*outcomes: tuple[str, Any]) -> Rules:
    return spoiled(player=lambda s: CHANCE if s == "" else TERMINAL, chance=lambda s: outcomes)


REFUSED: dict[str, tuple[Callable[[], Any], type[SeqformError], tuple[str, ...]]] = {
    "negative probability": (
        lambda: chance_first(("x", Fraction(3, 2)), ("y", Fraction(-1, 2))),
        InvalidGameError,
        ("R4", "-1/2", "negative", "(y)"),
    ),
    "exact sum below one": (
        lambda: chance_first(("x", Fraction(1, 2)), ("y", Fraction(49, 100))),
        InvalidGameError,
        ("R4", "99/100", "root"),
    ),
    "exact sum off by a hair": (
        lambda: chance_first(("x", Fraction(1, 2)), ("y", Fraction(1, 2) + Fraction(1, 10**15))),
        InvalidGameError,
        ("R4", "sum to"),
    ),
    "float sum above one": (
        lambda: chance_first(("x", 0.5), ("y", 0.51)),
        InvalidGameError,
        ("R4", "1.01"),
    ),
    "NaN probability": (
        lambda: chance_first(("x", float("nan")), ("y", 0.5)),
        InvalidGameError,
        ("nan", "finite", "root"),
    ),
    "no outcomes": (chance_first, InvalidGameError, ("R3", "no actions", "root")),
    "NaN payoff": (lambda: pays((1, float("nan"))), InvalidGameError, ("nan", "finite", "(a)")),
    "infinite payoff": (lambda: pays((float("inf"), 0)), InvalidGameError, ("inf", "finite")),
    "payoff beyond floats": (lambda: pays((10**400, 0)), InvalidGameError, ("1e400", "rescale")),
    "payoff that vanishes": (
        lambda: pays((Fraction(1, 10**400), 0)),
        InvalidGameError,
        ("rescale",),
    ),
    "missing payoffs": (lambda: pays(None), InvalidGameError, ("R5", "no payoffs", "(a)")),
    "too few payoffs": (lambda: pays((1,)), InvalidGameError, ("R5", "1 payoff ", "2 players")),
    "too many payoffs": (lambda: pays((1, 2, 3)), InvalidGameError, ("R5", "3 payoffs")),
    "text as payoff": (lambda: pays(("1", "-1")), InvalidGameError, ("'1'", "not a number")),
    "truth value as payoff": (
        lambda: pays((True, False)),
        InvalidGameError,
        ("True", "not a number"),
    ),
    "other number of actions": (
        lambda: two_moves(
            lambda s: "same" if s else "",
            lambda s: ("a", "b", "c") if s == "a" else ("a", "b"),
            second=1,
        ),
        InvalidGameError,
        ("R8", "'same'", "3 actions", "tell"),
    ),
    "other labels": (
        lambda: two_moves(
            lambda s: "same" if s else "",
            lambda s: ("b", "a") if s == "b" else ("a", "b"),
            second=1,
        ),
        InvalidGameError,
        ("R8", "'same'", "'a'", "'b'", "order"),
    ),
    "no actions": (
        lambda: spoiled(actions=lambda s: ()),
        InvalidGameError,
        ("R3", "no actions", "TERMINAL"),
    ),
    "player out of range": (
        lambda: spoiled(player=lambda s: 2),
        InvalidGameError,
        ("R3", "player 2", "0..1"),
    ),
    "player that is no number": (
        lambda: spoiled(player=lambda s: "me"),
        InvalidGameError,
        ("R3", "'me'"),
    ),
    "rules that raise": (
        lambda: spoiled(payoffs=lambda s: {}[s]),
        InvalidGameError,
        ("KeyError", "(a)"),
    ),
    "key that cannot be hashed": (
        lambda: spoiled(infoset=lambda s: [s]),
        InvalidGameError,
        ("R6", "key", "root"),
    ),
    "forgotten information": (
        lambda: spoiled(
            player=lambda s: CHANCE if s == "" else (0 if len(s) < 3 else TERMINAL),
            infoset=lambda s: s if len(s) == 1 else "later",
            actions=lambda s: ("a",) if len(s) == 1 else ("a", "b"),
        ),
        ImperfectRecallError,
        ("R9", "player 0", "'later'", "forgets information", "'x'", "'y'"),
    ),
    "forgotten own action": (
        lambda: two_moves(lambda s: "first" if s == "" else "second"),
        ImperfectRecallError,
        ("R9", "player 0", "'second'", "its own action", "'a'", "'b'"),
    ),
    "absent-mindedness": (
        lambda: two_moves(lambda s: "road"),
        ImperfectRecallError,
        ("R9", "player 0", "'road'", "absent-minded"),
    ),
    "forgotten that it moved": (
        lambda: spoiled(
            player=lambda s: CHANCE if s == "" else (0 if s in ("x", "y", "xa") else TERMINAL),
            infoset=lambda s: "early" if s == "x" else "late",
        ),
        ImperfectRecallError,
        ("R9", "'late'", "whether it has been at 'early'"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_rules_are_refused(name: str) -> None:
    make, error, words = REFUSED[name]
    with pytest.raises(error) as caught:
        solve(make())  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


ENDLESS: dict[str, Callable[[], Any]] = {
    "a counter": lambda: spoiled(root=lambda: 0, player=lambda s: 0, child=lambda s, a: s + 1),
    "a growing history": lambda: spoiled(player=lambda s: 0),
    "one action for ever": lambda: spoiled(player=lambda s: 0, actions=lambda s: ("a",)),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_game_meets_the_node_limit(name: str) -> None:
    with pytest.raises(GameTooLargeError, match=r"1,000 nodes \(raise max_nodes"):
        expand(ENDLESS[name](), max_nodes=1000)
    with pytest.raises(GameTooLargeError, match=r"9 moves on one path"):
        expand(ENDLESS[name](), max_depth=9)


def test_a_cyclic_game_is_named_as_such_within_the_default_limits() -> None:
    cyclic = spoiled(
        root=lambda: 0,
        player=lambda s: 0,
        actions=lambda s: ("on", "off"),
        child=lambda s, a: 1 - s,
    )
    with pytest.raises(
        GameTooLargeError, match="cyclic: the state after 2 moves, 0, is the state after 0 moves"
    ):
        expand(cyclic)


def test_memory_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.memory.MAX_BYTES", 2**24)
    # what earlier tests gave back is used first, without any being added: probes would be sooner
    monkeypatch.setattr("seqform.tree.from_rules.TRIED_FROM", 10**9)
    with pytest.raises(GameTooLargeError, match="MB of memory"):
        expand(spoiled(player=lambda s: 0, infoset=lambda s: (s, "x" * 10_000)))


def test_a_deck_game_too_large_is_refused_before_anything_is_allocated() -> None:
    with pytest.raises(GameTooLargeError, match=r"9,457 nodes.*9,000"):
        assemble(leduc(), max_nodes=9_000)
    with pytest.raises(GameTooLargeError, match="does not end"):
        assemble(leduc(), max_nodes=50)


class Chain:
    """A path of decisions; at each the player may stop."""

    def __init__(self, length: int, players: int) -> None:
        self.length, self.num_players = length, players

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return state % self.num_players if 0 <= state < self.length else TERMINAL

    def actions(self, state: int) -> tuple[str, str]:
        return ("on", "stop")

    def chance(self, state: int) -> tuple[()]:
        return ()

    def child(self, state: int, action: object) -> int:
        return state + 1 if action == "on" else -1

    def infoset(self, state: int) -> int:
        return state

    def payoffs(self, state: int) -> tuple[int, ...]:
        return (1, -1)[: self.num_players] if state < 0 else (2, -2)[: self.num_players]


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("length", [20_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_a_long_chain_of_moves_builds_and_evaluates(length: int, players: int) -> None:
    form = build_sequence_form(expand(Chain(length, players)))
    assert form.tree.depth == length
    certificate = certify(form, Profile.uniform(form.treeplexes))
    assert certificate.values[0] == pytest.approx(1)
    # alone, player 0 would go on to the end for 2; against an opponent who stops half the time it
    # still nearly gets no more than 1
    assert certificate.gains[0] == pytest.approx(1.0 if players == 1 else 0.0, abs=1e-6)


def test_methods_say_which_games_they_are_for() -> None:
    with pytest.raises(UnsupportedGameError, match=r"R10.*2 players and the game has 3"):
        solve(random_game(1, players=3), method="lp")
    with pytest.raises(UnsupportedGameError, match=r"R10.*zero-sum"):
        solve(random_game(1, zero_sum=False), method="lp")


@pytest.mark.parametrize("thing", [5, "kuhn", object(), Rules])
def test_what_is_no_game_is_refused(thing: Any) -> None:
    if thing is Rules:
        with pytest.raises((InvalidGameError, TypeError)):
            build_tree(thing)
    else:
        why = "of a name give what" if isinstance(thing, str) else "it lacks num_players"
        with pytest.raises(InvalidGameError, match=f"is not a game: {why}"):
            build_tree(thing)


def test_labels_of_lotteries_come_in_any_order_where_nobody_decides() -> None:
    builder = TreeBuilder(2)
    outcomes = [("heads", 0.5), ("tails", 0.5)]
    for node, order in zip(builder.chance(builder.root, outcomes), (1, -1), strict=True):
        for leaf in builder.chance(node, outcomes[::order]):
            builder.terminal(leaf, (node, -node))
    tree = builder.freeze()
    assert (tree.num_nodes, tree.num_infosets) == (7, 0)
    assert solve(tree).value == 1.5


def test_the_builder_refuses_misuse() -> None:
    b = TreeBuilder(2)
    left, right = b.decision(b.root, 0, "h", ["left", "right"])
    with pytest.raises(InvalidGameError, match="defined twice"):
        b.terminal(b.root, (0, 0))
    with pytest.raises(InvalidGameError, match=r"player 2.*left"):
        b.decision(left, 2, "k", ["on"])
    with pytest.raises(InvalidGameError, match="no actions"):
        b.decision(left, 1, "k", [])
    with pytest.raises(InvalidGameError, match=r"R5: 3 payoffs.*2 players"):
        b.reward(left, (1, 2, 3))
    b.terminal(left, (0, 0))
    with pytest.raises(InvalidGameError, match=r"right.*left undefined"):
        b.freeze()
    b.terminal(right, (0, 0))
    assert b.freeze().num_nodes == 3


@pytest.mark.parametrize(
    ("column", "node", "value", "requirement"),
    [
        ("parent", 1, 2, "R2"),
        ("first_child", 0, 2, "R2"),
        ("num_children", 1, 0, "R2"),
        ("player", 3, 0, "R3"),
        ("player", 0, 7, "R3"),
        ("player", 1, TERMINAL, "R3"),
        ("probability", 1, 0, "R4"),
        ("payoff", 3, -1, "R5"),
        ("payoff", 3, 9, "R5"),
        ("infoset", 3, 0, "R6"),
        ("infoset", 1, -1, "R6"),
        ("player", 1, 0, "R7"),
        ("label", 5, 1, "R8"),
    ],
)
def test_validation_names_the_requirement_that_a_spoiled_column_breaks(
    column: str, node: int, value: int, requirement: str
) -> None:
    import dataclasses

    tree = matching_pennies()
    changed = getattr(tree, column).copy()
    assert changed[node] != value
    changed[node] = value
    with pytest.raises(InvalidGameError, match=requirement):
        validate(dataclasses.replace(tree, **{column: changed}))


@pytest.mark.parametrize(
    ("behavior", "word"),
    [
        ([1, 0.5, 0.6], "sum to"),
        ([1, 1.5, -0.5], "-0.5 is not a probability"),
        ([1, float("nan"), 1], "nan is not a probability"),
        ([1, 0.5, 0.25, 0.25], "shape"),
        ([1], "shape"),
    ],
)
def test_strategies_that_are_none_are_refused(behavior: list[float], word: str) -> None:
    form = build_sequence_form(matching_pennies())
    with pytest.raises(InvalidStrategyError, match=rf"player 1, .*{word}"):
        Profile.from_behaviors(form.treeplexes, [form.treeplexes[0].uniform(), np.array(behavior)])
    with pytest.raises(InvalidStrategyError, match="1 strategy given for 2 players"):
        Profile.from_behaviors(form.treeplexes, [form.treeplexes[0].uniform()])


def test_treeplexes_numbered_children_first_are_refused() -> None:
    with pytest.raises(InvalidGameError, match="T1"):
        Treeplex(np.array([3, 0], dtype=np.int32), np.array([1, 3, 5], dtype=np.int32))
    with pytest.raises(InvalidGameError, match="T1"):
        Treeplex(np.array([0], dtype=np.int32), np.array([1, 1], dtype=np.int32))


def test_decks_too_small_for_the_deal_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="3 or more"):
        leduc(1, 2)
    small = leduc()
    object.__setattr__(small, "deck", Deck(("A", "B"), (1, 1)))
    with pytest.raises(InvalidGameError, match="3 signals cannot be dealt from a deck of 2 cards"):
        assemble(small)
    object.__setattr__(small, "deck", Deck(("A", "B"), (3, 0)))
    with pytest.raises(InvalidGameError, match="number of copies"):
        assemble(small)


@pytest.mark.parametrize("number", [0, -3, Fraction(22, 7), 0.1, -1e-300, 2**70, 1.5e300])
def test_numbers_survive_text_exactly(number: Any) -> None:
    again = from_text(to_text(number))
    assert again == number
    assert type(again) is type(number)


def test_numbers_of_other_libraries_become_ours() -> None:
    assert type(as_number(np.int64(3))) is int
    assert type(as_number(np.float32(0.5))) is float
    assert as_number(Decimal("0.1")) == Fraction(1, 10)
