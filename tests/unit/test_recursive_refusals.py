"""Recursive games that are none: what is wrong, where, and what to do."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest

from seqform import TreeBuilder, certify, evaluate, matrix_game, show, shrink, solve
from seqform.base.errors import (
    GameTooLargeError,
    ImperfectRecallError,
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    NotForThisGameError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.game.recursive import End, Next, is_recursive
from seqform.recursive import walk
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import prove_stationary
from seqform.recursive.search import GAP, search_recursive
from seqform.recursive.solve import solve_recursive
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from tests.random_recursive_games import TableGame, kuhn_tournament, ruin

PENNIES = matrix_game([[0, 0], [0, 0]], actions=["ab", "ab"])


def game(found: Any, stage: Any = PENNIES, **options: Any) -> TableGame:
    """Return a game of one stage, in which all leaves but one end play with (1, 0)."""
    return TableGame(
        {"s": stage},
        lambda key, leaf: found if leaf.at == ("a", "b") else End((1, 0)),
        **{"endless": (0, 1), "first": "s"} | options,
    )


def walked(found: Any, **options: Any) -> StageGraph:
    return stage_graph(game(found, **options))


@pytest.mark.parametrize(
    ("found", "error"),
    [
        (Next([1], (0, 1)), r"the key \[1\] is not hashable; use a tuple or a text"),
        (Next("s", (0, 0)), r"the seats are .*0.*0.*; give for each seat .* each of 0\.\.1 once"),
        (Next("s", (0,)), "the seats are"),
        (Next("s", (0, 1, 2)), "the seats are"),
        (Next("s", (1, 2)), "the seats are"),
        (Next("s", (-1, 0)), "the seats are"),
        (Next("s", (0.0, 1.0)), "the seats are"),  # type: ignore[arg-type]
        (Next("s", (0.3, 1.7)), "the seats are"),  # type: ignore[arg-type]
        (Next("s", "01"), "the seats are"),  # type: ignore[arg-type]
        (Next("s", None), "the seats are"),  # type: ignore[arg-type]
        (7, r"leads_to returned 7; return \(key, seats\), an End or None"),
        (("s",), "leads_to returned"),
        (("s", (0, 1), 1), "leads_to returned"),
        ("s", "leads_to returned"),
        (None, r"play ends, and leads_to has to say with what: return End\(payoffs\)"),
        (End((1,)), "give one number for each of the 2 players"),
        (End((1, 2, 3)), "give one number for each of the 2 players"),
        (End(1), "give one number for each of the 2 players"),  # type: ignore[arg-type]
        (End(("1", 0)), "is not a number"),  # type: ignore[arg-type]
        (End((float("nan"), 0)), "is not finite"),
        (End((10**400, 0)), "rescale the payoffs"),
        (End((0.5, 0.5)), "has floats; .* give int or Fraction"),
    ],
)
def test_a_leaf_that_leads_nowhere_is_named(found: Any, error: str) -> None:
    with pytest.raises(SeqformError, match=r"stage 's', leaf .*a.*b.*: .*" + error):
        walked(found)


def test_a_leaf_that_leads_on_pays_nothing() -> None:
    def paying(first: int) -> Any:
        return matrix_game([[first, 0], [0, 0]])

    def leads(key: str, leaf: Any) -> Any:
        return Next("s", (0, 1)) if leaf.at == ("1", "1") else None

    with pytest.raises(
        InvalidGameError, match=r"stage 's', leaf .*1.*1.*pays .*; a leaf that"
    ) as e:
        stage_graph(TableGame({"s": paying(3)}, leads, first="s", pays_chips=False))
    assert "rewards = True" in str(e.value)
    assert "pays_chips = True" in str(e.value)
    stage_graph(TableGame({"s": paying(0)}, leads, first="s", pays_chips=False))
    graph = stage_graph(
        TableGame({"s": paying(3)}, leads, first="s", pays_chips=False, rewards=True)
    )
    assert graph.has_rewards
    with pytest.raises(InvalidGameError, match="and not both"):
        stage_graph(TableGame({"s": paying(3)}, leads, first="s", rewards=True))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"endless": (0, 0, 0)}, "stage 's' is for 2 players, and the recursive game for 3"),
        ({"endless": (0.5, 0.5)}, "what endless play pays: .* has floats"),
        ({"endless": (0, None)}, "what endless play pays: .* is not a number"),
        ({"first": ["s"]}, r"start\(\): the key .* is not hashable"),
    ],
)
def test_what_is_wrong_with_the_whole_game_is_said(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(SeqformError, match=error):
        walked(End((0, 1)), **changes)


def forgetful() -> Any:
    """Return a game in which a player forgets what was done first."""
    builder = TreeBuilder(2)
    for node in builder.decision(builder.root, 0, "first", "ab"):
        for end in builder.decision(node, 0, "second", "ab"):
            builder.terminal(end, [0, 0])
    return builder.freeze()


def by_luck(chance: Any) -> Any:
    builder = TreeBuilder(2)
    for end in builder.chance(builder.root, [("a", chance), ("b", 1 - chance)]):
        builder.terminal(end, [0, 0])
    return builder.freeze()


@pytest.mark.parametrize(
    ("make", "error", "kind"),
    [
        (forgetful, "R9", ImperfectRecallError),
        (lambda: by_luck(0.5), "int or Fraction; here are floats", InvalidGameError),
        (lambda: 7, "", InvalidGameError),
        (lambda: None, "", InvalidGameError),
        (lambda: matrix_game([[0]], [[0]]), "", None),
        (
            lambda: matrix_game([[[0]]], [[[0]]], [[[0]]]),
            "is for 3 players, and the recursive game for 2; players who are out keep a seat",
            InvalidGameError,
        ),
    ],
)
def test_a_stage_that_is_no_game_is_named(make: Any, error: str, kind: Any) -> None:
    if kind is None:
        walked(End((0, 1)), stage=make())
        return
    with pytest.raises(kind, match="stage 's'.*" + error):
        walked(End((0, 1)), stage=make())


def test_too_many_stages_are_counted_before_any_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(TableGame):
        def keys(self) -> Any:
            return iter(range(1234))

        def stage(self, key: Any) -> Any:
            raise AssertionError

    with pytest.raises(GameTooLargeError, match=r"1,234 stages, more than the limit of 1,000"):
        stage_graph(Counted({}, lambda *_: None), max_stages=1000)
    monkeypatch.setattr(walk, "MOST_COUNTED", 5000)
    Counted.keys = lambda self: count()  # type: ignore[method-assign]
    with pytest.raises(GameTooLargeError, match=r"at least 5,000 stages, more than the limit"):
        stage_graph(Counted({}, lambda *_: None), max_stages=1000)
    with pytest.raises(GameTooLargeError, match="at least 4 stages, more than the limit of 3"):
        stage_graph(ruin(9, Fraction(1, 2)), max_stages=3)
    assert len(stage_graph(ruin(9, Fraction(1, 2)), max_stages=8).stages) == 8
    with pytest.raises(GameTooLargeError, match="raise max_stages="):
        solve_recursive(kuhn_tournament(9, 2), max_stages=7)


@pytest.mark.parametrize("gap", [0, -1, float("inf"), float("nan")])
def test_a_width_is_above_zero(gap: float) -> None:
    with pytest.raises(InvalidParameterError, match=r"gap=.*: give a number above 0"):
        solve_recursive(kuhn_tournament(4, 2), gap=gap)


@pytest.mark.parametrize("iterations", [0, -1, True])
def test_there_is_at_least_one_iteration(iterations: int) -> None:
    with pytest.raises(InvalidParameterError, match=r"iterations=.*: give 1 or more"):
        solve_recursive(kuhn_tournament(4, 2), iterations=iterations)


def test_a_value_is_of_two_players_and_a_constant_sum() -> None:
    three = matrix_game([[[0]]], [[[0]]], [[[0]]])
    with pytest.raises(NotForThisGameError, match="has 3"):
        solve_recursive(TableGame({0: three}, lambda *_: End((0, 0, 1)), (0, 0, 1)))
    for found, endless in [(End((1, 1)), (0, 1)), (End((0, 1)), (0, 0))]:
        with pytest.raises(NotForThisGameError, match="add up to a constant; here they do not"):
            solve_recursive(game(found, endless=endless))


def rewarding(first: int) -> TableGame:
    """Return a game in which both have to wait for play to go on, and seat 0 is paid for it."""
    hand = matrix_game([[first, 0], [0, 0]])
    return TableGame(
        {0: hand},
        lambda key, leaf: Next(0, (0, 1)) if leaf.at == ("1", "1") else None,
        pays_chips=False,
        rewards=True,
    )


def test_rewards_need_strategies_that_end_play() -> None:
    graph = stage_graph(rewarding(4))
    assert graph.constant_sum == 0
    half, waits = np.array([1.0, 0.5, 0.5]), np.array([1.0, 1.0, 0.0])
    proof = prove_stationary(StationaryProfile(graph, ((half, half),)))
    # seat 0 waits, and is paid 4 with probability 1/2, twice in a mean; seat 1 never waits
    assert 4 <= proof.upper[0][0] < 4 + Fraction(1, 10**9)
    assert 0 <= proof.upper[0][1] < Fraction(1, 10**9)
    assert [case.name for case in proof.cases] == ["ENDS"]
    third = np.array([1.0, 1 / 3, 2 / 3])  # which leaves no number exact
    proof = prove_stationary(StationaryProfile(graph, ((third, third),)))
    waits_third = Fraction(int(proof.plans[0][1][1]), 2**44)
    exact = 4 * waits_third / (1 - waits_third)
    assert exact <= proof.upper[0][0] < exact + Fraction(1, 10**9)
    assert 0 <= proof.upper[0][1] < Fraction(1, 10**9)
    with pytest.raises(VerificationError, match="these do not"):
        prove_stationary(StationaryProfile(graph, ((half, waits),)))


def test_rewards_count_for_the_gap_of_a_search() -> None:
    found = search_recursive(rewarding(4), iterations=20)
    assert found.tolerance == pytest.approx(8 * GAP)  # 4 and -4 along the way; all ends pay 0
    assert (found.status is Status.SOLVED) == (found.width <= found.tolerance)


def test_behaviours_that_are_none_are_named() -> None:
    graph = walked(End((0, 1)))
    good = np.array([1.0, 0.5, 0.5])
    for bad in ([1.0, 0.0, 0.0], [1.0, -0.5, 1.5], [1.0, np.nan, 1.0]):
        with pytest.raises(InvalidStrategyError, match="stage 's"):
            StationaryProfile.checked(graph, [(np.array(bad), good)])
        with pytest.raises(InvalidStrategyError):
            prove_stationary(StationaryProfile(graph, ((np.array(bad), good),)))


def test_stages_are_found_by_key_or_text() -> None:
    graph = stage_graph(kuhn_tournament(4, 2))
    assert graph.number(3) == graph.number("3") == graph.number("3 against 1 chips")
    with pytest.raises(UnknownNameError, match="there is no stage 7; stages are 1, 2, 3"):
        graph.number(7)
    swapped = stage_graph(TableGame({0: PENNIES}, lambda *_: Next(0, (1, 0)), (0, 1)))
    assert len(swapped.stages) == 2
    with pytest.raises(UnknownNameError, match="is several by who sits where"):
        swapped.number(0)
    assert swapped.number("0 (players 1, 0)") == 1


def test_what_is_recursive_is_seen() -> None:
    assert is_recursive(kuhn_tournament(4, 2))
    assert not is_recursive(PENNIES)
    with pytest.raises(UnsupportedGameError):
        stage_graph(TableGame({0: PENNIES}, lambda *_: End((0.1, 0.9))))


def test_of_a_graph_of_stages_it_is_said_what_takes_it() -> None:
    graph = stage_graph(kuhn_tournament(4, 2))
    for refuse in (solve, shrink, lambda g: evaluate(g, {}), lambda g: certify(g, {})):
        with pytest.raises(
            InvalidGameError, match=r"StageGraph .* search_recursive take it.*`game`"
        ):
            refuse(graph)
    solution = solve_recursive(graph, gap=1.0)
    with pytest.raises(InvalidGameError, match=r"solution of a recursive game, `graph\.game`"):
        solve(solution)
    for what in (graph, graph.game, solution):
        with pytest.raises(InvalidParameterError, match=r"a stage of its solution.*stage\(key\)"):
            show(what)
    assert show(solution.stage(2)).text
    assert solve(solution.graph.game, gap=1.0).graph.game is graph.game
    assert solve(solution.stage(2).game).status is Status.SOLVED
