"""A method that refuses a game names methods that accept it, or says honestly that none does."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.random_games import random_game
from seqform import TERMINAL, TreeBuilder, build_sequence_form, build_tree, make, solve, verify
from seqform.base import thresholds
from seqform.base.errors import (
    InvalidParameterError,
    NotForThisGameError,
    SeqformError,
    UnsupportedGameError,
)
from seqform.game.rules import CHANCE
from seqform.io import parse_efg
from seqform.methods import advice
from seqform.methods.best_response import TOLERANCE
from seqform.methods.iterative_method import IterativeMethod
from seqform.methods.method import METHODS
from seqform.methods.problem import Problem
from seqform.perfect_information import backward_induction, minimax
from seqform.results.status import Status
from seqform.tree.tree import GameTree
from tests.float_games import float_game
from tests.imperfect_recall import ABSENT_MINDED


class Walk:
    """Rules that declare nothing: players step left or right in turn, and are paid at the end."""

    def __init__(self, *payoffs: tuple[int, ...], hidden: bool = False, chance: int = -1) -> None:
        self.ends, self.num_players = payoffs, len(payoffs[0])
        self.hidden, self.first = hidden, chance

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        if len(state) == 2:
            return TERMINAL
        return CHANCE if len(state) == self.first else len(state) % self.num_players

    def chance(self, state: str) -> list[tuple[str, Fraction]]:
        return [("l", Fraction(1, 3)), ("r", Fraction(2, 3))]

    def actions(self, state: str) -> tuple[str, str]:
        return ("l", "r")

    def child(self, state: str, action: str) -> str:
        return state + action

    def infoset(self, state: str) -> Any:
        return len(state) if self.hidden else state

    def payoffs(self, state: str) -> tuple[int, ...]:
        return self.ends[["ll", "lr", "rl", "rr"].index(state)]


ZERO, OTHER = ((1, -1), (-1, 1), (-1, 1), (1, -1)), ((1, 1), (2, 0), (0, 0), (3, 1))
THREE = ((1, 1, 1), (2, 0, 0), (0, 0, 3), (3, 1, 0))
ONE = ((3,), (1,), (-1,), (1,))

GAMES: dict[str, Any] = {
    "zero sum, hidden": lambda: Walk(*ZERO, hidden=True),
    "zero sum, seen": lambda: Walk(*ZERO),
    "zero sum, seen, after chance": lambda: Walk(*ZERO, chance=0),
    "other sums, hidden": lambda: Walk(*OTHER, hidden=True),
    "other sums, seen": lambda: Walk(*OTHER),
    "three players, hidden": lambda: Walk(*THREE, hidden=True),
    "three players, seen": lambda: Walk(*THREE),
    "one player, hidden": lambda: Walk(*ONE, hidden=True, chance=0),
    "one player, seen": lambda: Walk(*ONE, chance=0),
    "declared": lambda: make("centipede"),
    "a signal game": lambda: make("kuhn"),
    "imperfect recall": lambda: parse_efg(ABSENT_MINDED),
}
SOLVED_BY = {
    "zero sum, hidden": "lp",
    "zero sum, seen": "lp",
    "zero sum, seen, after chance": "lp",
    "other sums, hidden": "lcp",
    "other sums, seen": "backward",
    "three players, hidden": "qre",
    "three players, seen": "backward",
    "one player, hidden": "best-response",
    "one player, seen": "backward",
    "declared": "backward",
    "a signal game": "lp",
}
QUICK = ("backward", "lp", "best-response", "minimax", "alphabeta")


def named(message: str) -> set[str]:
    """Return the methods that an error names."""
    first = re.findall(r"use method='([^']*)'", message)
    others = re.findall(r"another that accepts this game: (.*)$", message)
    return {*first, *(name for names in others for name in names.split(", "))}


@cache
def game_of(name: str, form: str) -> Any:
    game = GAMES[name]()
    if form == "rules":
        return game
    tree = build_tree(game)
    return tree if form == "tree" else build_sequence_form(tree)


@pytest.mark.parametrize("form", ["rules", "tree", "form"])
@pytest.mark.parametrize("name", GAMES)
def test_advice_is_never_a_circle(name: str, form: str) -> None:
    if (name, form) == ("imperfect recall", "form"):
        return
    for method in QUICK:
        try:
            assert solve(game_of(name, form), method=method, abstract=None).status is Status.SOLVED
            continue
        except UnsupportedGameError as refused:
            message = str(refused)
        except SeqformError:  # imperfect recall, which no other method mends
            assert name == "imperfect recall"
            continue
        others = named(message)
        assert method not in others
        assert ("no method solves" in message) == (not others), message
        assert (name in SOLVED_BY) == bool(others)
        for other in others:
            if other in QUICK:
                found = solve(game_of(name, form), method=other, abstract=None)
                assert found.status is Status.SOLVED
            else:
                assert METHODS.get(other).accepts(Problem(game_of(name, form))) is None


@pytest.mark.parametrize("form", ["rules", "tree", "form"])
@pytest.mark.parametrize("name", GAMES)
def test_auto_solves_what_any_method_does(name: str, form: str) -> None:
    if name not in SOLVED_BY:
        if (name, form) != ("imperfect recall", "form"):
            with pytest.raises(SeqformError, match=r"no method solves|R9"):
                solve(game_of(name, form))
        return
    solution = solve(game_of(name, form))
    assert solution.status is Status.SOLVED
    wanted = SOLVED_BY[name]
    if wanted == "lp" and "seen" in name and form == "tree":
        wanted = "backward"  # a tree shows at once that nothing is hidden
    assert solution.method.split("/")[0] == wanted


def test_a_game_too_large_to_be_asked_about_is_left_to_auto(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advice, "LARGEST", 6)
    with pytest.raises(NotForThisGameError, match=r"cannot tell.*; use method='auto', which finds"):
        solve(Walk(*ZERO, hidden=True), method="backward")


def test_direct_calls_name_solve() -> None:
    for call in backward_induction, minimax:
        with pytest.raises(NotForThisGameError, match=r"cannot tell.*'r'.*; seqform.solve\(game\)"):
            call(Walk(*ZERO, hidden=True))  # type: ignore[operator]


def guess(*payoffs: Any) -> GameTree:
    """Chance puts a coin, unseen; player 0 guesses, or passes and learns it."""
    builder = TreeBuilder(1)
    ends = iter(payoffs)
    for side in builder.chance(builder.root, [("h", Fraction(1, 3)), ("t", Fraction(2, 3))]):
        *sides, on = builder.decision(side, 0, "guess", ["h", "t", "pass"])
        for end in sides + builder.decision(on, 0, f"learned {side}", ["h", "t"]):
            builder.terminal(end, (next(ends),))
    return builder.freeze()


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ((1, 0, Fraction(1, 2), 0, 0, 1, 0, Fraction(1, 2)), Fraction(2, 3)),  # guess t
        ((1, 0, 1, 0, 0, 1, 0, Fraction(3, 4)), Fraction(5, 6)),  # pass, and say what was learned
        ((-1, -1, -2, -2, -1, -1, -3, -3), -1),
    ],
)
def test_one_player_who_does_not_see_all_is_solved(
    payoffs: Any, value: Fraction, tmp_path: Path
) -> None:
    tree = guess(*payoffs)
    solution = solve(tree)
    assert solution.method == "best-response"
    assert solution.values == pytest.approx((float(value),), abs=1e-12)
    assert solution.gap <= TOLERANCE * 3
    solution.save(tmp_path / "saved")
    assert verify(tmp_path / "saved").is_proof


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_best_of_all_pure_plans(seed: int) -> None:
    """In a random game of one player, and of two of whom only one has a move."""
    tree = random_game(seed, players=1, depth=4, hidden=0.7)
    form = build_sequence_form(tree)
    solution = solve(tree, method="best-response")
    assert solution.status is Status.SOLVED
    treeplex = form.treeplexes[0]
    gradient = form.gradient(0, [treeplex.to_plan(treeplex.uniform())])
    assert solution.values[0] == pytest.approx(treeplex.best_value(gradient), abs=1e-9)


def test_it_is_for_one_player_only() -> None:
    with pytest.raises(UnsupportedGameError, match=r"one player moves; here 0, 1 do.*'lp'"):
        solve(make("kuhn"), method="best-response")
    with pytest.raises(InvalidParameterError, match="no option 'gap'"):
        solve(guess(*range(8)), method="best-response", gap=1e-3)


def test_exact_answers_of_more_than_two_players_come_from_the_logit_path() -> None:
    solution = solve(make("kuhn", players=3), exact=True)
    assert (solution.method, solution.proof) == ("qre/support", "exact")
    # irrational or not, what is found is proven to gain next to nothing
    hidden = random_game(1, players=3, depth=4, zero_sum=False, hidden=1.0)
    assert solve(hidden, exact=True).proof in ("exact", "bounded")
    assert solve(hidden, method="qre", exact=False).proof is None
    stopped = solve(hidden, method="qre", exact=True, steps=1)
    assert (stopped.status, stopped.proof) == (Status.LIMIT, "bounded")
    with pytest.raises(InvalidParameterError, match="leave out lambda_end="):
        solve(hidden, method="qre", exact=True, lambda_end=1.0)
    with pytest.raises(UnsupportedGameError, match="floats"):
        solve(float_game(1, players=3), method="qre", exact=True)


@pytest.mark.parametrize("options", [{"optimize": "welfare"}, {"all": True}])
def test_what_is_always_exact_may_be_asked_to_be(options: dict[str, Any]) -> None:
    assert solve(make("chicken"), exact=True, **options).proof == "exact"
    with pytest.raises(InvalidParameterError, match="exact=False: what method"):
        solve(make("chicken"), exact=False, **options)


@pytest.mark.parametrize("game", [make("chicken"), make("kuhn", players=3)])
def test_families_of_other_games_lead_to_lists(game: Any) -> None:
    with pytest.raises(NotForThisGameError, match=r"family=True is for zero-sum.*all=True"):
        solve(game, family=True)


def test_advice_names_methods_that_have_the_options_or_says_which_to_leave_out() -> None:
    three = make("kuhn", players=3)
    with pytest.raises(UnsupportedGameError, match=r"use method='qre' without optimize=, or"):
        solve(three, optimize="welfare")
    with pytest.raises(UnsupportedGameError, match=r"use method='lcp', or"):
        solve(make("chicken"), method="lp", exact=True)


HANDS: dict[str, dict[str, Any]] = {
    "a river": {},
    "a raked river": {"rake": 0.05},
}
"""Games of hands: they have neither rules nor a tree."""


@pytest.mark.parametrize("name", HANDS)
def test_advice_on_games_of_hands_works(name: str) -> None:
    spot = {"board": "2c2d2h3c3d", "oop": "AdAc,QdQc", "ip": "KdKc", "pot": 100, "stack": 100}
    game = make("holdem", **{**spot, "sizes": "bet 100%", **HANDS[name]})
    advised = set()
    for method in METHODS.at_hand():
        try:
            _tried(game, method.name)
        except NotForThisGameError as refused:
            others = named(str(refused))
            assert others - {method.name}
            advised |= others
    assert ("lp" in advised) == ("raked" not in name)
    for other in advised:
        _tried(game, other)


def _tried(game: Any, method: str) -> None:
    """Have a method begin, and be content with what it finds."""
    few = {"iterations": 2} if isinstance(METHODS.get(method), IterativeMethod) else {}
    assert solve(game, method=method, **few).answer is not None


def test_what_auto_takes_is_named_first(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = {"board": "2c2d2h3c3d", "oop": "AA,QQ", "ip": "KK", "rake": 0.05}
    with pytest.raises(NotForThisGameError, match="use method='lcp', or"):
        solve(make("holdem", **spot), method="lp")
    monkeypatch.setattr(thresholds, "PIVOT_HANDS_UP_TO", 10)
    with pytest.raises(NotForThisGameError, match="use method='dcfr', or"):
        solve(make("holdem", **spot), method="lp")


def test_what_is_known_to_be_too_large_is_not_advised() -> None:
    game = make("holdem", board="2c2d2h3c", oop="AA,QQ", ip="KK", stack=40, rake=0.05)
    with pytest.raises(NotForThisGameError) as refused:
        solve(game, method="lp")
    others = named(str(refused.value))
    assert "dcfr" in others
    assert not others & {"backward", "enumeration", "mip", "minimax", "alphabeta", "qre", "efce"}
