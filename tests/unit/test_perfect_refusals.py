"""Bad input to backward induction, minimax and alpha-beta: each is refused with what, where and
what to do."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.mnk import mnk
from games.nim import nim
from games.textbook import matching_pennies, two_player_tree
from games.tic_tac_toe import tic_tac_toe
from seqform import TreeBuilder, build_tree
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.game.rules import CHANCE, TERMINAL
from seqform.perfect_information import (
    SearchResult,
    TreeInduction,
    alpha_beta,
    backward_induction,
    backward_induction_tree,
    check_one_shot,
    minimax,
    pure_equilibria,
)
from seqform.perfect_information.game_methods import solve_by
from seqform.perfect_information.transposition_table import new_table
from seqform.tree.as_rules import TreeGame
from tests.perfect_games import Chain, Lattice
from tests.spoiled_games import pays, spoiled, two_moves

METHODS: dict[str, Callable[..., Any]] = {
    "backward": backward_induction,
    "minimax": minimax,
    "alphabeta": alpha_beta,
}

BROKEN: dict[str, tuple[Any, tuple[str, ...]]] = {
    "NaN": (pays((math.nan, 0)), ("nan", "after a")),
    "infinite": (pays((math.inf, -math.inf)), ("inf", "finite", "after a")),
    "too few payoffs": (pays((1,)), ("R5", "1 payoff for 2", "after a")),
    "too many payoffs": (pays((1, -1, 0)), ("R5", "3 payoffs for 2", "after a")),
    "no payoffs": (pays(None), ("R5", "no payoffs", "after a")),
    "text for a payoff": (pays(("1", -1)), ("'1'", "not a number")),
    "no actions": (spoiled(actions=lambda s: ()), ("R3", "no actions", "TERMINAL", "the root")),
    "no actions below": (
        spoiled(
            player=lambda s: 0 if len(s) < 2 else TERMINAL,
            actions=lambda s: ("a", "b") if s != "b" else (),
        ),
        ("R3", "no actions", "after b"),
    ),
    "a player that there is not": (
        spoiled(player=lambda s: 2),
        ("R3", "player 2", "0..1", "the root"),
    ),
    "no player": (spoiled(player=lambda s: None), ("R3", "player None")),
    "a cycle": (
        spoiled(player=lambda s: 0, child=lambda s, a: a if s == "" else "a", infoset=lambda s: s),
        ("cyclic", "'a'", "after a"),
    ),
    "a state that is its own child": (
        spoiled(player=lambda s: 0, child=lambda s, a: s),
        ("cyclic", "''"),
    ),
    "rules that raise": (spoiled(actions=lambda s: 1 // 0), ("ZeroDivisionError", "the root")),
    "a child that raises": (spoiled(child=lambda s, a: {}[a]), ("KeyError", "the root")),
    "a root that raises": (
        type("NoRoot", (type(pays((1, -1))),), {"root": lambda self: 1 // 0})(),
        ("ZeroDivisionError",),
    ),
    "states that are no keys": (spoiled(child=lambda s, a: [a]), ("TypeError", "unhashable")),
    "no players": (spoiled(num_players=0), ("R1", "num_players")),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_rules(method: str, name: str) -> None:
    game, words = BROKEN[name]
    with pytest.raises(InvalidGameError) as caught:
        METHODS[method](game)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("cache", [True, False])
def test_cycles_are_found_with_and_without_a_table(cache: bool) -> None:
    with pytest.raises(InvalidGameError, match="cyclic"):
        backward_induction(BROKEN["a cycle"][0], cache=cache)


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        ((), "R3"),
        ((("x", Fraction(1, 2)), ("y", Fraction(49, 100))), "99/100"),
        ((("x", 0.5), ("y", 0.51)), "1.01"),
        ((("x", Fraction(3, 2)), ("y", Fraction(-1, 2))), "negative"),
        ((("x", math.nan), ("y", 0.5)), "nan"),
    ],
)
def test_chance_that_is_no_distribution(outcomes: Any, word: str) -> None:
    game = spoiled(player=lambda s: CHANCE if s == "" else TERMINAL, chance=lambda s: outcomes)
    with pytest.raises(InvalidGameError, match=word):
        backward_induction(game)


def test_chance_is_averaged_and_floats_may_sum_to_nearly_one() -> None:
    game = spoiled(
        player=lambda s: CHANCE if s == "" else TERMINAL,
        chance=lambda s: (("x", 0.1), ("y", 0.7), ("z", 0.2)),
        payoffs=lambda s: (ord(s), 1.0),
    )
    assert backward_induction(game).value == pytest.approx(
        (0.1 * ord("x") + 0.7 * ord("y") + 0.2 * ord("z"), 1.0)
    )


@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
def test_searches_are_for_zero_sum_games_without_chance(method: str) -> None:
    name = {"alphabeta": "alpha-beta"}.get(method, method)
    refused = {
        "chance moves": Lattice(2, chance=1.0),
        "the game has 3": Lattice(0, players=3),
        r"\(5, 5\) sums to 10": pays((5, 5)),
    }
    for word, game in refused.items():
        with pytest.raises(UnsupportedGameError, match=rf"{word}.*seqform\.solve"):
            METHODS[method](game)
    with pytest.raises(UnsupportedGameError, match=rf"{name}.*\(3, 8\).*after A > C"):
        METHODS[method](TreeGame(two_player_tree()))


@pytest.mark.parametrize("order", [("a",), ("a", "c"), ("a", "a"), ("a", "b", "b")])
def test_an_order_of_moves_that_leaves_some_out(order: Any) -> None:
    with pytest.raises(
        InvalidGameError,
        match=r"search_order gives .* where the actions are \['a', 'b'\].*the root",
    ):
        alpha_beta(spoiled(search_order=lambda s: order))
    assert alpha_beta(spoiled(search_order=lambda s: ["b", "a"])).best_action == "b"


def test_payoffs_that_sum_to_zero_but_for_rounding_are_taken() -> None:
    game = pays((0.1 + 0.2, -0.3))
    assert alpha_beta(game).value == 0.1 + 0.2
    with pytest.raises(UnsupportedGameError, match="zero-sum"):
        alpha_beta(pays((0.3, -0.29999)))


@pytest.mark.parametrize("method", METHODS)
def test_imperfect_information_of_rules(method: str) -> None:
    with pytest.raises(UnsupportedGameError) as caught:
        METHODS[method](two_moves(len, second=1))
    for word in ("imperfect", "player 1", "'a'", "'b'", "seqform.solve", "after b"):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "run", [TreeGame, backward_induction_tree, pure_equilibria, lambda t: check_one_shot(t, None)]
)
def test_imperfect_information_of_trees(run: Callable[..., Any]) -> None:
    with pytest.raises(
        UnsupportedGameError,
        match=r"player 1 cannot tell node 1 \(heads\) from node 2 \(tails\).*seqform.solve",
    ):
        run(matching_pennies())
    with pytest.raises(UnsupportedGameError, match="player 0 cannot tell"):
        run(build_tree(kuhn()))


def test_two_edges_of_one_label() -> None:
    """Labels tell moves apart, as text: in rules, tables, files and pictures."""
    for labels in ["a", "a"], [1, "1"]:
        with pytest.raises(InvalidGameError, match=r"R8: two moves .* are called '(a|1)'"):
            TreeBuilder(1).decision(TreeBuilder.root, 0, "", labels)


@pytest.mark.parametrize("method", METHODS)
def test_endless_games(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameTooLargeError, match=r"1,000 nodes.*max_nodes"):
        METHODS[method](Chain(10**12), max_nodes=1000)
    with pytest.raises(GameTooLargeError, match="1,000 nodes"):
        METHODS[method](Chain(1000), max_nodes=1000)
    assert METHODS[method](Chain(999), max_nodes=1000)
    monkeypatch.setattr("seqform.base.memory.MAX_BYTES", 2**20)
    with pytest.raises(GameTooLargeError, match="MB of memory"):
        METHODS[method](Chain(10**12))


def test_parameters_that_make_no_sense() -> None:
    game = tic_tac_toe()
    for call, word in (
        (lambda: backward_induction(game, cache_size=-1), "-1"),
        (lambda: backward_induction(game, ties="last"), "ties='last'"),  # type: ignore[call-overload]
        (lambda: backward_induction(game, ties="all", cache=False), "ties='all'"),  # type: ignore[call-overload]
        (lambda: alpha_beta(game, window=(1, 1)), "alpha < beta"),
        (lambda: alpha_beta(game, depth=0), "depth=0"),
        (lambda: alpha_beta(nim(), depth=3), "evaluate"),
        (lambda: alpha_beta(nim(), iterative=True), "evaluate"),
        (lambda: alpha_beta(game, table_size=-1), "-1"),
        (lambda: alpha_beta(game, time_limit=0), "time_limit=0"),
        (lambda: minimax(game, time_limit=math.nan), "time_limit=nan"),
    ):
        with pytest.raises(InvalidParameterError, match=word):
            call()


def test_a_profile_of_another_game_is_found_out() -> None:
    better = spoiled(payoffs=lambda s: (5, -5) if s == "b" else (1, -1))
    certificate = check_one_shot(better, backward_induction(pays((1, -1))))
    assert (certificate.largest_gain, certificate.player, certificate.state) == (4, 0, "")
    assert certificate.value == (1, -1)


def test_a_bounded_table_forgets_the_oldest() -> None:
    table = new_table(2)
    for number in range(4):
        table[number] = number
    assert list(table) == [2, 3]


def test_profiles_that_do_what_cannot_be_done() -> None:
    tree = two_player_tree()
    wrong = TreeInduction(np.zeros((tree.num_nodes, 2)), np.full(tree.num_nodes, 3))
    with pytest.raises(InvalidStrategyError, match=r"chooses 3 at node 0 \(the root\)"):
        check_one_shot(tree, wrong)
    with pytest.raises(
        InvalidStrategyError, match="takes 'c' at '', where the actions are 'a', 'b'"
    ):
        check_one_shot(pays((1, -1)), backward_induction(spoiled(actions=lambda s: ("c",))))


def test_a_time_limit_leaves_nan_and_what_was_found() -> None:
    game = mnk(5, 5, 4)
    for method in (alpha_beta, minimax):
        result = method(game, time_limit=0.05)
        assert not result.solved
        assert math.isnan(result.value)
        assert (result.lower, result.upper) == (-math.inf, math.inf)
        assert result.message == "stopped by the time limit"
        assert result.best_action is None
        assert result.statistics["nodes"] > 0


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.perfect_information.search_engine.TELL_EVERY", 0.0)
    told: list[Any] = []
    result = minimax(tic_tac_toe("x../.o./..."), callback=told.append)
    assert [now.nodes for now in told] == sorted({now.nodes for now in told})
    assert 0 < told[-1].nodes <= result.statistics["nodes"]
    assert all(now.seconds > 0 and now.depth is None for now in told)


def solver(game: Any, *, callback: Any, time_limit: Any) -> SearchResult:
    return SearchResult("mine", 1, 1, statistics={"limit": time_limit})


def test_methods_that_a_game_brings_along() -> None:
    game = nim()
    object.__setattr__(
        game,
        "methods",
        {"mine": f"{__name__}:solver", "lost": "nowhere:solver", "bad": f"{__name__}:nothing"},
    )
    assert solve_by(game, "mine", time_limit=3).statistics == {"limit": 3}
    with pytest.raises(UnknownNameError, match="'mine'"):
        solve_by(game, "min")
    for name in ("lost", "bad"):
        with pytest.raises(InvalidGameError, match="cannot be loaded"):
            solve_by(game, name)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: tic_tac_toe("xo/xo/.."), "3 rows of 3"),
        (lambda: tic_tac_toe("xo?/.../..."), "3 rows of 3"),
        (lambda: tic_tac_toe("xx./.../..."), "one more x"),
        (lambda: tic_tac_toe("oo./x../..."), "one more x"),
        (lambda: tic_tac_toe("xxx/oo./o.."), "x has a row already"),
        (lambda: tic_tac_toe("ooo/xx./xx."), "o has a row already"),
        (lambda: mnk(0, 3, 3), "columns=0"),
        (lambda: mnk(27, 3, 3), "columns=27"),
        (lambda: nim("3,x"), "heaps"),
        (lambda: nim("3,0"), "1 object"),
    ],
)
def test_positions_that_cannot_be(make: Callable[[], Any], word: str) -> None:
    with pytest.raises(InvalidParameterError, match=word):
        make()
