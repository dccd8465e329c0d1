"""Perfect information as methods and concepts: answers, certificates, files, pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from games.mnk import mnk
from games.textbook import king_queen_jack, two_player_tree
from games.tic_tac_toe import tic_tac_toe
from seqform import TreeBuilder, build_tree, solve, verify
from seqform.base.clock import Clock
from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    ResultFileError,
    UnknownNameError,
)
from seqform.concepts.concept import CONCEPTS
from seqform.concepts.game_value import GAME_VALUE
from seqform.concepts.subgame_perfect import STRATEGY, SUBGAME_PERFECT, on_tree
from seqform.drawing import draw_tree, to_svg
from seqform.methods.backward import BACKWARD
from seqform.methods.game_method import game_method
from seqform.methods.game_tree_search import ALPHABETA, MINIMAX
from seqform.methods.method import METHODS, Answer
from seqform.methods.problem import Problem
from seqform.perfect_information import SearchResult, TreeInduction, backward_induction_tree
from seqform.perfect_information import check_one_shot as check
from seqform.results.status import Status
from tests.spoiled_games import pays

END = "xoo/exx/eee"


def run(method: Any, game: Any, clock: Clock | None = None, **options: Any) -> Answer:
    problem = Problem(game)
    assert method.accepts(problem) is None
    return method.run(problem, method.Options(**options), clock or Clock())  # type: ignore[no-any-return]


def test_they_are_declared() -> None:
    assert [METHODS.get(name) for name in ("backward", "minimax", "alphabeta")] == [
        BACKWARD,
        MINIMAX,
        ALPHABETA,
    ]
    assert CONCEPTS.get("subgame-perfect") is SUBGAME_PERFECT
    assert CONCEPTS.get("game-value") is GAME_VALUE


@pytest.mark.parametrize("method", [BACKWARD, MINIMAX, ALPHABETA])
def test_every_method_finds_a_certified_value(method: Any) -> None:
    clock, game = Clock(), tic_tac_toe(END)
    answer = run(method, game, clock)
    certificate = CONCEPTS.get(method.concept).certify(game, answer.found)
    record, rows = certificate.record(), dict(certificate.rows("games"))
    assert (certificate.values, certificate.gap, answer.status) == ((1, -1), 0, None)
    assert record["exact_values"] == ["1", "-1"]
    assert rows["best line of play"]
    assert json.loads(json.dumps(record)) == record
    assert clock.seconds.keys() == {"solve"}
    assert answer.sizes["nodes"] > 0


@pytest.mark.parametrize("method", [BACKWARD, MINIMAX, ALPHABETA])
def test_a_time_limit_leaves_no_value(method: Any) -> None:
    answer = run(method, mnk(5, 5, 4), Clock(time_limit=0.05))
    assert answer.status is Status.LIMIT
    assert "time limit" in answer.message
    assert method is not BACKWARD or answer.found is None
    assert method is BACKWARD or GAME_VALUE.certify(mnk(5, 5, 4), answer.found).gap == inf


@pytest.mark.parametrize("method", [BACKWARD, MINIMAX, ALPHABETA])
def test_decisions_are_told(method: Any, capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Any] = []
    run(method, king_queen_jack(), trace=told.append)
    assert capsys.readouterr().out == ""
    run(method, king_queen_jack(), trace=True)
    assert capsys.readouterr().out.splitlines() == list(map(str, told))


def test_games_that_they_are_not_for() -> None:
    hidden = Problem(build_tree(kuhn()))
    for method in (BACKWARD, MINIMAX, ALPHABETA):
        assert "cannot tell" in str(method.accepts(hidden))
    three = type("Three", (type(pays((1, -1))),), {"num_players": 3})()
    assert "R10: minimax is for 2 players" in str(MINIMAX.accepts(Problem(three)))


def test_a_method_of_the_games_own() -> None:
    game = tic_tac_toe(END)
    object.__setattr__(game, "methods", {"mine": f"{__name__}:mine"})
    method = game_method(Problem(game), "mine")
    limit = run(method, game, Clock(time_limit=7)).message.removeprefix("limit ")
    assert 6 < float(limit) <= 7
    assert "no method 'mine'" in str(method.accepts(Problem(tic_tac_toe())))
    with pytest.raises(UnknownNameError, match="'min'"):
        game_method(Problem(game), "min")


def mine(game: Any, *, callback: Any, time_limit: Any) -> SearchResult:
    return SearchResult("mine", 1, 1, message=f"limit {time_limit}")


def large_choice() -> Any:
    builder = TreeBuilder(1)
    for payoff, node in enumerate(builder.decision(builder.root, 0, "", ["less", "more"])):
        builder.terminal(node, [2**53 + payoff])
    return builder.freeze()


def test_exact_payoffs_are_compared_exactly() -> None:
    tree = large_choice()
    result = backward_induction_tree(tree)
    assert result.path() == [0, 2]
    assert check(tree, result).value == (2**53 + 1,)
    worse = TreeInduction(result.values, result.best_child.copy())
    worse.best_child[0] = 1
    assert check(tree, worse).largest_gain == 1


def test_gains_in_floats_have_a_bound() -> None:
    game = pays((0.1, 0.2))
    certificate = SUBGAME_PERFECT.certify(game, run(BACKWARD, game).found)
    assert 0 < certificate.gap < 1e-12
    assert "rounding errors" in dict(certificate.rows("units"))["certificate"]


@pytest.mark.parametrize("game", [tic_tac_toe(END), two_player_tree(), large_choice()])
def test_backward_induction_is_saved_and_loaded(game: Any, tmp_path: Path) -> None:
    tree, found = build_tree(game), run(BACKWARD, game).found
    SUBGAME_PERFECT.save(tree, found, tmp_path)
    loaded = SUBGAME_PERFECT.certify(tree, SUBGAME_PERFECT.load(tree, tmp_path))
    assert loaded == SUBGAME_PERFECT.certify(tree, on_tree(tree, found))
    assert loaded.gap == 0
    assert loaded.values == found.value


def test_damaged_strategies_are_refused(tmp_path: Path) -> None:
    tree = two_player_tree()
    path = tmp_path / STRATEGY
    with pytest.raises(ResultFileError, match="does not exist"):
        SUBGAME_PERFECT.load(tree, tmp_path)
    SUBGAME_PERFECT.save(tree, backward_induction_tree(tree), tmp_path)
    text = path.read_text()
    for wrong, word in (
        (text.replace("node,", "knot,"), "does not begin"),
        (text + text.splitlines()[-1] + "\n", "rows"),
        (text.replace("\n1,", "\n2,", 1), "line 3: expected 1,"),
        (text.replace(",A,1", ",A,2"), "line 2: A,2 is not an action"),
    ):
        path.write_text(wrong)
        with pytest.raises(ResultFileError, match=word):
            SUBGAME_PERFECT.load(tree, tmp_path)


def test_a_worse_strategy_is_certified_as_such(tmp_path: Path) -> None:
    tree = two_player_tree()
    SUBGAME_PERFECT.save(tree, backward_induction_tree(tree), tmp_path)
    path = tmp_path / STRATEGY
    path.write_text(path.read_text().replace(",A,1", ",B,2"))
    assert SUBGAME_PERFECT.certify(tree, SUBGAME_PERFECT.load(tree, tmp_path)).gap > 0


def test_searches_are_loaded_from_their_records(tmp_path: Path) -> None:
    game = tic_tac_toe(END)
    found = run(ALPHABETA, game).found
    assert isinstance(found, SearchResult)
    record = GAME_VALUE.certify(game, found).record()
    (tmp_path / "result.json").write_text(json.dumps(record))
    loaded = GAME_VALUE.load(game, tmp_path)
    assert loaded.principal_variation == found.principal_variation
    assert GAME_VALUE.certify(game, loaded).record() == record
    for spoiled in ({"bounds": ["1"]}, {"principal_variation": ["z9"]}, {"depth": "x"}):
        with pytest.raises(ResultFileError):
            GAME_VALUE.load(game, tmp_path, record | spoiled)


def test_false_claims_of_a_search_are_found_out() -> None:
    game = tic_tac_toe(END)
    found = run(MINIMAX, game).found
    assert isinstance(found, SearchResult)
    for false, word in (
        ({"lower": 0, "upper": 0}, "pays player 0 1"),
        ({"lower": 2, "upper": 1}, "no number is both"),
        ({"principal_variation": ("z9",)}, "'z9', where the actions are"),
    ):
        with pytest.raises(InvalidStrategyError, match=word):
            GAME_VALUE.certify(game, found._replace(**false))


def test_solutions_that_are_there_are_drawn() -> None:
    game = two_player_tree()
    expected = draw_tree(game, solution=True, values=True)
    for answer in (run(BACKWARD, game).found, backward_induction_tree(game, exact=True)):
        assert draw_tree(game, solution=answer, values=True).nodes == expected.nodes
    from seqform import solve

    tree = build_tree(kuhn())
    solution = solve(tree)
    drawn = draw_tree(tree, solution=solution)
    assert {node.weight for node in drawn.nodes} > {0.0, 1.0}
    with pytest.raises(InvalidParameterError, match="the game that was solved"):
        draw_tree(game, solution=solution)
    with pytest.raises(InvalidParameterError, match="nothing to draw"):
        draw_tree(tree, solution=replace(solution, answer=None))


def test_pictures_as_text() -> None:
    assert "</svg>" in to_svg(two_player_tree(), max_depth=1, legend=False)


@pytest.mark.parametrize("paid", [2**53 + 1, -(2**53) - 1, 2**70 + 1])
def test_integers_that_no_float_is_equal_to_stay_integers(paid: int, tmp_path: Path) -> None:
    """JSON's value was 9007199254740992.0 beside the exact one."""
    b = TreeBuilder(2)
    for node in b.decision(b.root, 0, "a", ["l", "r"]):
        b.terminal(node, (paid, -paid))
    solution = solve(b.freeze(), method="backward")
    record = json.loads(json.dumps(solution.record()))
    assert (record["value"], record["exact_values"]) == (paid, [str(paid), str(-paid)])
    assert type(record["value"]) is int
    solution.save(tmp_path / "result")
    assert verify(tmp_path / "result").record()["value"] == paid
