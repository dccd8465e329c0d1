"""Whatever a user's class returns is refused where it is wrong, by everything that asks the class:
with what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import CHANCE, TERMINAL, TreeBuilder, build_tree, load, solve
from seqform.base.errors import InvalidGameError, UnsupportedGameError
from seqform.drawing import draw_tree
from seqform.game.checks import checked_chance, describe_path, outcomes_of, root_of
from seqform.game.deals import Deck
from seqform.game.observations import SignalStructure
from seqform.game.signals import EVERYONE
from seqform.perfect_information import backward_induction, minimax
from seqform.tree.file import save_tree
from seqform.tree.tree import GameTree


class Rules:
    """A coin decides who moves; that player chooses a or b."""

    num_players: Any = 2

    def root(self) -> Any:
        return ""

    def player(self, state: Any) -> Any:
        return CHANCE if state == "" else {"x": 0, "y": 1}.get(state, TERMINAL)

    def chance(self, state: Any) -> Any:
        return [("x", Fraction(1, 2)), ("y", Fraction(1, 2))]

    def actions(self, state: Any) -> Any:
        return ("a", "b")

    def child(self, state: Any, action: Any) -> Any:
        return state + action

    def infoset(self, state: Any) -> Any:
        return state

    def payoffs(self, state: Any) -> Any:
        return (1, -1)


class Signals:
    """Each player gets one of three cards; player 0 bets or not; the higher card wins the stake."""

    num_players: Any = 2
    deck: Any = Deck(("J", "Q", "K"), (1, 1, 1))

    def root(self) -> Any:
        return ""

    def player(self, state: Any) -> Any:
        return CHANCE if len(state) < 2 else 0 if state == ".." else TERMINAL

    def recipient(self, state: Any) -> Any:
        return len(state)

    def actions(self, state: Any) -> Any:
        return ("pass", "bet")

    def child(self, state: Any, action: Any) -> Any:
        return state + (action or ".")

    def outcome(self, state: Any) -> Any:
        return "showdown"

    def stake(self, state: Any) -> Any:
        return 2 if "bet" in state else 1

    def payoffs(self, outcome: Any, signals: Any) -> Any:
        sign = np.sign(signals[:, 0] - signals[:, 1])
        return np.stack([sign, -sign], axis=1)


def spoiled(kind: type, **methods: Any) -> Any:
    """Return a game of a kind with methods replaced by functions of their arguments."""
    members = {name: (staticmethod(f) if callable(f) else f) for name, f in methods.items()}
    return type("Spoiled", (kind,), members)()


RULES: dict[str, tuple[dict[str, Any], str]] = {
    "doubled actions": ({"actions": lambda s: ["a", "a"]}, "R8.*'a'"),
    "actions that read alike": ({"actions": lambda s: (1, "1")}, "R8.*'1'"),
    "actions without order": ({"actions": lambda s: {"a", "b"}}, "R3.*tuple or list"),
    "actions in a mapping": ({"actions": lambda s: {"a": 1, "b": 2}}, "R3.*tuple or list"),
    "forgotten actions": ({"actions": lambda s: None}, "R3.*None.*tuple or list"),
    "an action that is a list": ({"actions": lambda s: ([1], [2])}, r"R8.*\[1\].*label"),
    "no actions": ({"actions": lambda s: []}, "R3.*no actions"),
    "doubled outcomes": ({"chance": lambda s: [("x", 0.5), ("x", 0.5)]}, "R8.*'x'"),
    "outcomes without chances": ({"chance": lambda s: ["x", "y"]}, "R4.*'x'.*pair"),
    "outcomes in a mapping": ({"chance": lambda s: {"x": 0.5, "y": 0.5}}, "R4.*tuple or list"),
    "chances of text": ({"chance": lambda s: [("x", "1/2"), ("y", "1/2")]}, "'1/2' is not a num"),
    "chances below one": ({"chance": lambda s: [("x", 0.5), ("y", 0.4)]}, "R4.*0.9"),
    "a negative chance": ({"chance": lambda s: [("x", -1), ("y", 2)]}, "R4.*-1.*negative"),
    "half a player": ({"player": lambda s: 0.5}, "R3.*0.5"),
    "a player in floats": ({"player": lambda s: 1.0}, "R3.*1.0"),
    "a player of truth": ({"player": lambda s: True}, "R3.*True"),
    "a third player": ({"player": lambda s: 2 if s else CHANCE}, "R3.*player 2"),
    "forgotten player": ({"player": lambda s: None}, "R3.*None"),
    "payoffs in a mapping": ({"payoffs": lambda s: {0: 5, 1: -5}}, "R5.*tuple or list"),
    "payoffs in a set": ({"payoffs": lambda s: {5, -5}}, "R5.*tuple or list"),
    "one number": ({"payoffs": lambda s: 5}, "R5.*5.*tuple or list"),
    "payoffs of text": ({"payoffs": lambda s: "12"}, "'1' is not a number"),
    "three payoffs": ({"payoffs": lambda s: (1, 2, 3)}, "R5.*3 payoffs"),
    "forgotten payoffs": ({"payoffs": lambda s: None}, "R5.*no payoffs"),
    "rewards of one": ({"rewards": lambda s: (1,)}, "R5.*1 payoff "),
    "forgotten key": ({"infoset": lambda s: None}, "R6.*None.*key"),
    "no number of players": ({"num_players": "2"}, "R1.*num_players.*'2'"),
    "rules that raise": ({"child": lambda s, a: {}[a]}, "raised KeyError"),
}

ASK: dict[str, Callable[[Any], Any]] = {
    "tree": build_tree,
    "solve": solve,
    "backward": backward_induction,
    "draw": draw_tree,
}
OF_SIGNALS: dict[str, Callable[[Any], Any]] = {
    "tree": build_tree,
    "solve": solve,
    "draw": draw_tree,
    "apart": lambda game: SignalStructure(game).payoffs,
}

PLACE = " at (the state|the root|node|the public state|the first public state)"


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize("name", RULES)
def test_what_rules_return(name: str, ask: str) -> None:
    methods, message = RULES[name]
    ASK[ask](Rules())
    with pytest.raises(InvalidGameError, match=message) as refused:
        ASK[ask](spoiled(Rules, **methods))
    if name != "no number of players":
        refused.match(PLACE)


def test_what_a_search_is_told() -> None:
    class Moves(Rules):
        def player(self, state: Any) -> Any:
            return 0 if state == "" else TERMINAL

    assert minimax(Moves()).value == 1
    for wrong in {"actions": lambda s: ["a", "a"]}, {"player": lambda s: 0.0}:
        with pytest.raises(InvalidGameError, match=r"R8|R3"):
            minimax(spoiled(Moves, **wrong))


def flat(dtype: Any) -> Callable[[Any, Any], Any]:
    return lambda outcome, signals: np.ones((len(signals), 2), dtype=dtype)


SIGNALS: dict[str, tuple[dict[str, Any], str]] = {
    "recipients numbered from 1": ({"recipient": lambda s: len(s) + 1}, "R4.*recipient.*2.*0..1"),
    "a recipient who is not there": ({"recipient": lambda s: 7}, "R4.*recipient.*7"),
    "nobody sees it": ({"recipient": lambda s: None}, "R4.*None"),
    "below everyone": ({"recipient": lambda s: EVERYONE - 1}, "R4.*-2"),
    "a recipient in floats": ({"recipient": lambda s: float(len(s))}, "R4.*0.0"),
    "a player who is not there": ({"player": lambda s: 5}, "R3.*player 5"),
    "doubled actions": ({"actions": lambda s: ["a", "a"]}, "R8.*'a'"),
    "no actions": ({"actions": lambda s: []}, "R3.*no actions"),
    "actions without order": ({"actions": lambda s: {"a", "b"}}, "R3.*tuple or list"),
    "stakes of text": ({"stake": lambda s: "2"}, "'2' is not a number"),
    "stakes that are none": ({"stake": lambda s: float("nan")}, "nan is not finite"),
    "payoffs of another shape": ({"payoffs": lambda o, s: np.ones(len(s))}, "R5.*shape"),
    "payoffs of text": ({"payoffs": flat("U1")}, "R5.*type"),
    "payoffs of truth": ({"payoffs": flat(bool)}, "R5.*bool"),
    "forgotten payoffs": ({"payoffs": lambda o, s: None}, "R5"),
    "payoffs that raise": ({"payoffs": lambda o, s: s[99, 99]}, "raised IndexError.*'showdown'"),
    "rules that raise": ({"child": lambda s, a: {}[a]}, "raised KeyError"),
    "an outcome that is a list": ({"outcome": lambda s: ["win"]}, "raised TypeError.*list"),
    "no number of players": ({"num_players": 2.5}, "R1.*2.5"),
    "no deck": ({"deck": ["J", "Q"]}, "R4.*deck"),
    "doubled cards": ({"deck": Deck(("J", "J"), (1, 1))}, "R4.*'J'"),
    "half a copy": ({"deck": Deck(("J", "Q"), (1, 1.5))}, "R4.*copies"),  # type: ignore[arg-type]
    "too few copies": ({"deck": Deck(("J", "Q"), (1,))}, "R4.*copies"),
    "cards in a list": ({"deck": Deck(["J", "Q"], (1, 1))}, "R4.*a tuple"),  # type: ignore[arg-type]
    "too few cards": ({"deck": Deck(("J",), (1,))}, "R4.*2 signals.*1 card;"),
    "no permutation": (
        {"deck": Deck(("J", "Q"), (1, 1), symmetries=((0, 0),))},
        "R4.*symmetry.*permutation",
    ),
}


@pytest.mark.parametrize("ask", OF_SIGNALS)
@pytest.mark.parametrize("name", SIGNALS)
def test_what_signal_games_return(name: str, ask: str) -> None:
    methods, message = SIGNALS[name]
    game = spoiled(Signals, **methods)
    if (name, ask) == ("an outcome that is a list", "draw"):
        return  # a picture of one end after the other needs no keys
    with pytest.raises(InvalidGameError, match=message):
        OF_SIGNALS[ask](game)


def test_players_and_recipients_may_be_integers_of_numpy() -> None:
    game = spoiled(
        Signals,
        recipient=lambda s: np.int8(len(s)),
        player=lambda s: np.int64(Signals().player(s)),
    )
    assert solve(game).exact.value == solve(Signals()).exact.value == Fraction(1, 3)
    numbered = spoiled(Rules, player=lambda s: np.int64(Rules().player(s)))
    assert solve(numbered).values == (1, -1)


class Told(Signals):
    """The second signal is seen by who the first action says."""

    def player(self, state: Any) -> Any:
        if len(state) < 2:
            return CHANCE if state == "" else 0
        return CHANCE if len(state) == 2 else TERMINAL

    def actions(self, state: Any) -> Any:
        return ("0", "1")

    def recipient(self, state: Any) -> Any:
        return 0 if state == "" else int(state[1])

    def stake(self, state: Any) -> Any:
        return 1


def test_signals_that_actions_hand_out_need_a_tree() -> None:
    """So they are drawn and solved as a tree; taken apart they would be another game."""
    with pytest.raises(UnsupportedGameError, match="who sees a signal depends on the actions"):
        SignalStructure(Told())
    same = spoiled(Told, recipient=lambda s: 0)
    assert SignalStructure(same).recipients == (0, 0)
    assert len(draw_tree(Told()).nodes) == build_tree(Told()).num_nodes


def paying(first: Any, second: Any, dtype: Any) -> Any:
    return spoiled(
        Signals,
        payoffs=lambda o, s: np.array([[first, second]] * len(s), dtype=dtype),
    )


@pytest.mark.parametrize(
    ("first", "second", "dtype"),
    [
        (1, 0, np.int64),
        (1, -2, np.int64),
        (0, 1, np.int64),
        (1.0, -1.0000001, np.float64),
        (200, 56, np.uint8),  # 256 in all
        (-128, -128, np.int8),
        (-(2**63), -(2**63), np.int64),
        (2**63, 2**63, np.uint64),
    ],
)
def test_what_is_not_zero_sum_is_not_taken_apart(first: Any, second: Any, dtype: Any) -> None:
    assert len(SignalStructure(paying(1, -1, np.int64)).payoffs) == 1
    with pytest.raises(UnsupportedGameError, match=r"R10.*'showdown'.*build its tree"):
        _ = SignalStructure(paying(first, second, dtype)).payoffs


def test_classes_are_of_all_stages_of_both_players() -> None:
    structure = SignalStructure(Signals())
    one, two = structure.identity
    structure.check_classes((one, two))
    for wrong in ((one,), (one, two, two), (one, two[:-1]), (one, (*two, two[-1])), ((), ())):
        with pytest.raises(UnsupportedGameError, match=r"1 stage\b"):
            structure.check_classes(wrong)


def build(change: Callable[[TreeBuilder], Any]) -> GameTree:
    builder = TreeBuilder(2)
    change(builder)
    return builder.freeze()


BUILT: dict[str, tuple[Callable[[TreeBuilder], Any], str]] = {
    "doubled actions": (lambda b: b.decision(0, 0, "h", ["a", "a"]), "R8.*'a'.*the root"),
    "actions without order": (lambda b: b.decision(0, 0, "h", {"a"}), "R3.*the root"),
    "no actions": (lambda b: b.decision(0, 0, "h", []), "R3.*no actions.*the root"),
    "an action that is a list": (lambda b: b.decision(0, 0, "h", [[1]]), "R8.*label.*the root"),
    "a key that is a list": (lambda b: b.decision(0, 0, ["h"], ["a"]), "R6.*key.*the root"),
    "no key": (lambda b: b.decision(0, 0, None, ["a"]), "R6.*None.*the root"),
    "a player of truth": (lambda b: b.decision(0, True, "h", ["a"]), "R3.*True.*the root"),
    "doubled outcomes": (lambda b: b.chance(0, [("x", 1), ("x", 0)]), "R8.*'x'.*the root"),
    "no pairs": (lambda b: b.chance(0, ["x"]), "R4.*'x'.*pair.*the root"),  # type: ignore[list-item]
    "no number": (lambda b: b.chance(0, [("x", "1")]), "'1' is not a number.*the root"),  # type: ignore[list-item]
    "forgotten payoffs": (lambda b: b.terminal(0, None), "R5.*the root"),  # type: ignore[arg-type]
    "payoffs in a mapping": (lambda b: b.terminal(0, {0: 1, 1: 2}), "R5.*the root"),  # type: ignore[arg-type]
    "one payoff": (lambda b: b.terminal(0, [1]), "R5.*1 payoff .*the root"),
    "payoffs that are none": (lambda b: b.terminal(0, [1, float("nan")]), "nan.*the root"),
}


@pytest.mark.parametrize("name", BUILT)
def test_what_a_builder_is_told(name: str) -> None:
    change, message = BUILT[name]
    with pytest.raises(InvalidGameError, match=message):
        build(change)


def test_a_unit_is_a_text() -> None:
    with pytest.raises(InvalidGameError, match=r"unit.*5"):
        build_tree(spoiled(Rules, unit=5))


def test_files_with_doubled_labels_are_refused_too(tmp_path: Path) -> None:
    """Labels are texts in a file; columns are not made by a builder there."""
    import dataclasses

    tree = build_tree(Rules())
    for old in ("b", "y"):
        other = {"b": "a", "y": "x"}[old]
        labels = tuple(other if label == old else label for label in tree.labels)
        save_tree(dataclasses.replace(tree, labels=labels), tmp_path / "game.npz")
        with pytest.raises(InvalidGameError, match=f"R8.*called '{other}'"):
            load(tmp_path / "game.npz")


def test_probabilities_may_be_off_by_rounding_if_they_are_floats() -> None:
    for off in (0.0, 5e-10, -5e-10):
        assert checked_chance([("a", 0.25), ("b", 0.75 + off)])[1] == (0.25, 0.75 + off)
    for wrong in (0.75 + 5e-9, 0.75 - 5e-9, 0.0, Fraction(3, 4)):
        with pytest.raises(InvalidGameError, match="R4: the chance probabilities sum to"):
            checked_chance([("a", Fraction(1, 4) + Fraction(1, 10**12)), ("b", wrong)])


@pytest.mark.parametrize("outcome", [5, None, ("a",), ("a", 1, 2)])
def test_an_outcome_of_chance_is_a_pair(outcome: Any) -> None:
    with pytest.raises(InvalidGameError, match=r"R4: the outcome .* of chance is no pair"):
        outcomes_of([outcome])


def test_a_long_path_is_named_by_its_end() -> None:
    class Line(Rules):
        def player(self, state: str) -> int:
            return 0

        def actions(self, state: str) -> tuple[str, ...]:
            return ("xyz"[len(state) % 3],)

    states = ["".join("xyz"[i % 3] for i in range(length)) for length in range(15)]
    twelve = " > ".join("xyz" * 4)
    assert describe_path(Line(), states[:1]) == "the root"
    assert describe_path(Line(), states[:13]) == f"the state after {twelve}"
    twelve = " > ".join("yzxyzxyzxyzx")
    assert describe_path(Line(), states[:14]) == f"the state after ... 1 more ... > {twelve}"


def test_an_error_of_our_own_at_the_root_stays_as_it_is() -> None:
    def root() -> str:
        raise UnsupportedGameError("only on Sundays")

    game = Rules()
    game.root = root  # type: ignore[method-assign]
    with pytest.raises(UnsupportedGameError, match=r"^only on Sundays$"):
        root_of(game)
