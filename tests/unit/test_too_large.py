"""What is too large is refused before it is gone through: with a size, a cost, and what to do."""

from __future__ import annotations

import logging
import random
from math import log
from typing import Any

import pytest
from typer.testing import CliRunner

from games.random_games import random_game
from seqform import build_tree, make, solve
from seqform.base.errors import GameTooLargeError, OutOfTimeError
from seqform.cli import app
from seqform.game.least_cost import least_cost
from seqform.game.many_states import (
    ODDS,
    PROBED_FROM,
    _children,
    _play,
    _shown,
    states_above,
)
from seqform.perfect_information.game_tree_search import alpha_beta, minimax
from seqform.perfect_information.induction import backward_induction
from tests.perfect_games import Lattice

MNK: dict[str, Any] = {"rows": 20, "columns": 20}


class Counted:
    """A game that counts the states whose player was asked for."""

    def __init__(self, game: Any) -> None:
        self._game, self.asked = game, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def player(self, state: Any) -> int:
        self.asked += 1
        return self._game.player(state)  # type: ignore[no-any-return]


def test_backward_induction_gives_up_what_has_too_many_states() -> None:
    game = Counted(make("mnk", **MNK))
    with pytest.raises(GameTooLargeError, match="random plays show that it has") as error:
        backward_induction(game, max_nodes=300_000)
    assert game.asked < 100_000  # the search and all plays together
    assert "bytes each, and a tree of 10^1" in str(error.value)
    assert "nodes or more; search it to a depth (method='alphabeta'" in str(error.value)


def test_a_game_that_can_be_solved_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.perfect_information.traversal.PROBED_FROM", 100)
    assert solve(make("tic-tac-toe"), method="backward", max_nodes=5_478).values == (0, 0)


@pytest.mark.parametrize("seed", range(8))
def test_no_game_is_said_to_have_more_states_than_it_has(seed: int) -> None:
    game, states = Lattice(seed, levels=6, width=20, chance=0.2), set[Any]()
    todo = [game.root()]
    while todo:
        state = todo.pop()
        if state in states:
            continue
        states.add(state)
        if game.player(state) >= 0:
            todo += [game.child(state, action) for action in game.actions(state)]
        elif game.player(state) == -1:
            todo += [game.child(state, label) for label, _ in game.chance(state)]
    for share in (0.01, 0.3):
        shown = states_above(game, share * len(states))
        assert shown is None or share * len(states) < shown <= len(states)
    assert states_above(game, len(states)) is None


@pytest.mark.parametrize("seed", range(4))
def test_plays_that_meet_at_a_child_show_no_more_states_than_there_are(seed: int) -> None:
    game, states = Lattice(seed, levels=9, width=60), set[Any]()
    todo = [game.root()]
    while todo:
        if (state := todo.pop()) not in states:
            states.add(state)
            if game.player(state) >= 0:
                todo += [game.child(state, action) for action in game.actions(state)]
    for plays, children in ((6, 2), (30, 2), (30, 3)):  # few, and more than there is room for
        rng = random.Random(seed)
        drawn = [children_of(game, _play(game, rng, 7), rng, children) for _ in range(plays)]
        seen, apart, met = set[Any](), 0, 0
        for those in filter(None, drawn):
            apart, met = (apart + 1, met) if seen.isdisjoint(those) else (apart, met + 1)
            seen |= those if seen.isdisjoint(those) else set()
        assert _shown(apart, met, children) <= len(states)


def children_of(game: Any, end: tuple[Any, int], rng: random.Random, many: int) -> set[Any] | None:
    state, made = end
    return _children(game, rng, state, many) if made == 7 else None


def test_what_plays_that_met_are_worth() -> None:
    alone = _shown(1_000, 0, 1)
    assert 30_000 < alone < 1_000 * 999 / (2 * ODDS * log(10))
    assert _shown(1_000, 0, 8) == pytest.approx(8 * alone)
    assert alone > _shown(1_000, 1, 1) > _shown(1_000, 2, 1) > alone / 3


def test_connect_four_is_given_up_by_backward_induction() -> None:
    with pytest.raises(GameTooLargeError, match=r"has 50\d,\d{3} states or more") as error:
        backward_induction(make("connect-four"), max_nodes=500_000)
    assert "depth=4 and evaluation=..." in str(error.value)  # it has none of its own


@pytest.mark.parametrize(("name", "parameters"), [("mnk", MNK), ("connect-four", {})])
def test_minimax_refuses_what_takes_years(name: str, parameters: dict[str, Any]) -> None:
    game = Counted(make(name, **parameters))
    with pytest.raises(GameTooLargeError, match=r"10\^[12]\S+ nodes or more, and minimax looks"):
        minimax(game)
    assert game.asked < 60_000


def test_alpha_beta_says_at_once_that_it_may_not_end(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(GameTooLargeError, match="40,000 nodes"):
        alpha_beta(make("mnk", **MNK), max_nodes=40_000)
    (said,) = [record.getMessage() for record in caplog.records]
    assert "the tree has 10^1" in said
    assert "it may not end: search it to a depth (method='alphabeta' with depth=4)" in said


def test_searches_to_a_depth_go_on(caplog: pytest.LogCaptureFixture) -> None:
    found = alpha_beta(make("connect-four"), depth=7, iterative=True, evaluation=lambda state: 0)
    assert found.estimate == 0
    found = minimax(make("connect-four"), depth=6, evaluation=lambda state: 0)
    assert found.statistics["nodes"] > PROBED_FROM
    assert found.estimate == 0
    assert not caplog.records


def test_a_large_game_is_shown_to_have_many_states() -> None:
    shown = states_above(make("mnk", rows=9, columns=9), 10_000)
    assert shown is not None
    assert shown > 10_000


def test_a_random_game_that_grows_too_large_is_refused() -> None:
    with pytest.raises(GameTooLargeError, match=r"of its 60 levels, and about 10\^1\d\."):
        random_game(depth=60)
    assert random_game(depth=60, nodes=30_000).num_nodes < 35_000
    assert random_game(depth=500, branching=1, chance=0.0).num_nodes <= 501


def test_a_signal_game_says_how_many_nodes_it_has_and_what_they_take() -> None:
    with pytest.raises(GameTooLargeError) as error:
        build_tree(make("liars-dice", dice=5))
    assert "nodes or more with the signals; " in str(error.value)
    assert "memory" in str(error.value)
    assert "use smaller parameters" in str(error.value)


@pytest.mark.parametrize("method", ["mip", "lp", "lcp", "efce", "dcfr", "qre", "enumeration"])
def test_every_method_says_what_a_tree_would_take(method: str) -> None:
    with pytest.raises(GameTooLargeError, match="the memory for a tree of that size") as error:
        solve(make("mnk", **MNK), method=method)
    assert "random probes show that it has 10^1" in str(error.value)
    assert "search it to a depth (method='alphabeta'" in str(error.value)


@pytest.mark.parametrize("game", ["chess", "go", "bridge", "shogi"])
def test_games_of_open_spiel_say_what_a_tree_would_take(game: str) -> None:
    pytest.importorskip("pyspiel")
    found = CliRunner().invoke(app, ["solve", f"openspiel:{game}"])
    assert isinstance(found.exception, GameTooLargeError)
    assert "no machine has the memory for a tree of that size" in str(found.exception)


@pytest.mark.parametrize(
    ("exponent", "words"),
    [
        (6, "95 MB of memory and 1 s, or more"),
        (8.5, "29.5 GB of memory and 5 min, or more"),
        (10, "931 GB of memory and 3 hours, or more"),
        (11.9, "73,977 GB of memory and 9 days, or more"),
        (12, "no machine has the memory"),
    ],
)
def test_the_cost_of_a_tree_in_words(exponent: float, words: str) -> None:
    assert words in least_cost(exponent)


def test_info_says_what_a_tree_would_take() -> None:
    found = CliRunner().invoke(app, ["info", "connect-four", "--probes", "20", "--json"])
    assert '"would_take": "no machine has the memory for a tree of that size"' in found.stdout


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the time be over when an integer program is to be built."""

    def build(*_: object) -> None:
        raise OutOfTimeError("the time is over")

    monkeypatch.setattr("seqform.solvers.linear.nash_program.nash_program", build)


@pytest.mark.usefixtures("no_program")
def test_a_large_integer_program_is_told_before_it_is_built(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(OutOfTimeError):
        solve(make("leduc"), method="mip")
    assert "an integer program with 2,184 zero-one variables" in caplog.text
    assert "nobody can say how long it takes: time_limit= ends it" in caplog.text


@pytest.mark.usefixtures("no_program")
def test_the_command_line_tells_it_in_its_own_words() -> None:
    found = CliRunner().invoke(app, ["solve", "leduc", "--method", "mip"])
    assert "seqform: an integer program with 2,184 zero-one variables" in found.stderr
    assert "--time-limit ends it" in found.stderr
    assert "--method lcp finds one" in found.stderr
