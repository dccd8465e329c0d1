"""Games of perfect information whose values are published or plain, and what it takes to solve
them."""

from __future__ import annotations

from functools import reduce
from itertools import combinations_with_replacement
from operator import xor
from typing import Any

import pytest

from games.centipede import centipede
from games.mnk import mnk
from games.nim import nim
from games.textbook import king_queen_jack, two_player_tree
from games.tic_tac_toe import tic_tac_toe
from games.ultimatum import ultimatum
from seqform import TreeBuilder, build_tree, solve
from seqform.game.catalogue import GAMES, GameEntry, KnownValue
from seqform.perfect_information import (
    alpha_beta,
    backward_induction,
    backward_induction_tree,
    check_one_shot,
    minimax,
    pure_equilibria,
)
from seqform.perfect_information.decision import Decision
from seqform.tree.as_rules import TreeGame


def test_the_textbook_tree() -> None:
    tree = two_player_tree()
    result = backward_induction_tree(tree)
    assert result.value == (3, 8)
    assert tree.path(result.path()[-1]) == ["A", "C"]


def test_king_queen_jack() -> None:
    game = TreeGame(king_queen_jack())
    for result in (minimax(game), alpha_beta(game)):
        assert (result.value, result.principal_variation) == (-1, ("check", "check"))
    assert backward_induction(game).principal_variation() == ("check", "check")


ENDS = {
    ("check", "check"): "E1",
    ("check", "bet", "fold"): "E2",
    ("check", "bet", "call"): "E3",
    ("bet", "fold"): "E4",
    ("bet", "call"): "E5",
}
"""The article's names of the ends."""


def test_the_printed_trace_of_minimax_on_king_queen_jack() -> None:
    """The article prints each decision with the ends that its choices come to, deepest first."""
    decisions: list[Decision] = []
    result = minimax(TreeGame(king_queen_jack()), trace=decisions.append)
    comes_to = {path: path for path in ENDS}
    printed = []
    for path, player, options, chosen, value, *_ in decisions:
        ends = {ENDS[comes_to[*path, action]]: worth for action, worth in options}
        comes_to[path] = comes_to[*path, chosen]
        way = "Minimize" if player else "Maximize"
        printed.append((way, ends, ENDS[comes_to[path]], value))
    assert printed == [
        ("Maximize", {"E2": -1, "E3": -2}, "E2", -1),
        ("Minimize", {"E1": -1, "E2": -1}, "E1", -1),
        ("Minimize", {"E4": 1, "E5": -2}, "E5", -2),
        ("Maximize", {"E1": -1, "E5": -2}, "E1", -1),
    ]
    assert result.principal_variation == ("check", "check")


def test_tic_tac_toe_by_positions() -> None:
    game = tic_tac_toe()
    cached, pruned = backward_induction(game), alpha_beta(game)
    assert cached.value == (0, 0)
    assert cached.statistics["nodes"] == len(cached.table) == 5_478
    assert pruned.statistics["nodes"] < 5_478
    assert pruned.value == 0
    assert check_one_shot(game, cached).num_decisions == 4_520  # 5,478 less 958 final positions


@pytest.mark.parametrize(
    ("board", "nodes"),
    [("x../.o./...", 7_332), pytest.param("", 549_946, marks=pytest.mark.long)],
)
def test_tic_tac_toe_by_lines_of_play(board: str, nodes: int) -> None:
    """The published count is of all 255,168 games; the other was counted by a plain loop."""
    game = tic_tac_toe(board) if board else tic_tac_toe()
    whole, plain = backward_induction(game, cache=False), minimax(game)
    assert whole.statistics["nodes"] == plain.statistics["nodes"] == nodes
    assert whole.value == (0, 0)
    assert plain.value == 0
    tree = build_tree(game)
    assert (tree.num_nodes, tree.perfect_information) == (nodes, True)
    assert backward_induction_tree(tree).value == (0, 0)


def test_the_same_nodes_as_the_plain_alpha_beta_of_open_spiel() -> None:
    """Without a table or an order of moves, a game's alpha-beta tree is what it is: counted by
    OpenSpiel's evaluations."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import minimax as theirs

    game = pyspiel.load_game("tic_tac_toe")
    asked: list[None] = []

    class Counting:
        """A state that counts how often it is asked whether it is terminal: once a node."""

        def __init__(self, state: Any) -> None:
            self.state = state

        def is_terminal(self) -> bool:
            asked.append(None)
            return bool(self.state.is_terminal())

        def clone(self) -> Counting:
            return Counting(self.state.clone())

        def __getattr__(self, name: str) -> Any:
            return getattr(self.state, name)

    value, _ = theirs.alpha_beta_search(game, state=Counting(game.new_initial_state()))
    result = alpha_beta(tic_tac_toe(), table_size=0, ordered=False)
    assert (result.value, result.statistics["nodes"]) == (value, len(asked)) == (0, 18_297)


def test_the_middle_wins() -> None:
    game = tic_tac_toe("xoo/eex/eee")
    middle = game.child(game.root(), "b2")
    assert game.draw(middle) == "x o o\n. x x\n. . ."
    assert backward_induction(game).values_of(middle) == (1, -1)
    assert backward_induction(tic_tac_toe()).values_of(middle) == (1, -1)


def test_lines_do_not_run_over_the_edge() -> None:
    for board, made in (
        ("xx./x../oo.", False),
        ("..x/xx./oo.", False),
        ("x../x../xoo", True),
        ("..x/.x./xoo", True),
        ("x.o/.xo/..x", True),
    ):
        game = tic_tac_toe(board)
        assert (game.player(game.root()) == -2) is made
    assert mnk(4, 2, 3, "oo.x/xx.o").player(mnk(4, 2, 3, "oo.x/xx.o").root()) == 0


@pytest.mark.parametrize(
    ("board", "value"),
    [("xxx/oo./...", (1, -1)), ("ooo/xx./x..", (-1, 1)), ("xox/xox/oxo", (0, 0))],
)
def test_positions_that_are_over(board: str, value: tuple[int, int]) -> None:
    assert backward_induction(tic_tac_toe(board)).value == value


@pytest.mark.parametrize(
    ("entry", "known"),
    [
        (e, k)
        for e in GAMES
        for k in e.known
        if e.name == "mnk" and k.parameters.get("in_a_row", 3) == 3
    ],
    ids=lambda item: str(getattr(item, "parameters", "")) if hasattr(item, "value") else "",
)
def test_mnk_games(entry: GameEntry, known: KnownValue) -> None:
    assert alpha_beta(entry.factory(**known.parameters)).value == known.value


def test_nim_is_won_unless_the_exclusive_or_of_the_heaps_is_zero() -> None:
    for count in (1, 2, 3):
        for heaps in combinations_with_replacement(range(1, 6), count):
            value = 1 if reduce(xor, heaps) else -1
            game = nim(",".join(map(str, heaps)))
            assert backward_induction(game).value == (value, -value)
            assert alpha_beta(game).value == value


@pytest.mark.parametrize("moves", [1, 2, 5, 20])
def test_the_centipede_ends_at_once(moves: int) -> None:
    result = backward_induction(centipede(moves))
    assert result.value == (4, 1)
    assert {result.best_action((made, False)) for made in range(moves)} == {"take"}
    assert [tuple(map(int, e.value)) for e in pure_equilibria(build_tree(centipede(moves)))] == [
        (4, 1)
    ]


def test_the_payoffs_of_the_centipede_are_those_of_mckelvey_and_palfrey() -> None:
    game = centipede(4)
    ends = [game.payoffs((made, made < 4)) for made in range(5)]
    assert ends == [(4, 1), (2, 8), (16, 4), (8, 32), (64, 16)]


def test_the_two_equilibria_of_the_ultimatum_game() -> None:
    assert backward_induction(ultimatum()).value == (10, 0)
    assert [e.value for e in backward_induction(ultimatum(), ties="all")] == [(10, 0), (9, 1)]


@pytest.mark.parametrize("heaps", ["1,2", "2,2", "1,1,2"])
def test_linear_program_backward_induction_and_alpha_beta_agree(heaps: str) -> None:
    game = nim(heaps)
    solution = solve(game, method="lp")
    value = alpha_beta(game).value
    assert backward_induction(game).value[0] == value
    assert solution.lower - 1e-12 <= value <= solution.upper + 1e-12


def test_a_linear_programs_plan_says_nothing_where_it_never_gets_and_is_completed() -> None:
    """Player 0 stops for 1. Had it gone on, it would choose 0 over -8."""
    b = TreeBuilder(2)
    stop, go = b.decision(b.root, 0, "first", ["stop", "go"])
    b.terminal(stop, (1, -1))
    good, bad = b.decision(go, 0, "second", ["good", "bad"])
    b.terminal(good, (0, 0))
    b.terminal(bad, (-8, 8))
    tree = b.freeze()

    solution = solve(tree, method="lp")
    assert solution.nash_gap < 1e-9
    assert solution.value == pytest.approx(1)
    assert solution.profile.plans[0].tolist() == [1, 1, 0, 0, 0]
    assert solution.profile.behaviors[0][3:].tolist() == [1, 0]

    profile = backward_induction_tree(tree)
    assert profile.value == (1, -1)
    assert profile.best_child.tolist() == [stop, -1, good, -1, -1]
    assert check_one_shot(tree, profile).largest_gain == 0
    profile.best_child[go] = (
        bad  # an equilibrium still, in which player 0 would choose badly if it had gone on
    )
    assert check_one_shot(tree, profile).largest_gain == 8
    assert (check_one_shot(tree, profile).player, check_one_shot(tree, profile).state) == (0, go)


def test_estimates_of_mnk_games_are_within_payoffs_and_exact_at_the_end() -> None:
    """Rows still open to x less those open to o: nothing on the empty board, all that go through
    the middle once x has it."""
    game = tic_tac_toe()
    assert game.evaluate(game.root()) == 0
    after_b2 = game.child(game.root(), "b2")
    assert game.evaluate(after_b2) == pytest.approx(4 / 9)  # o is left 4 of 8 rows
    assert game.evaluate(tic_tac_toe("xxx/oo./...").root()) == 1
    assert tic_tac_toe("xo./.../...").evaluate(tic_tac_toe("xo./.../...").root()) == pytest.approx(
        (6 - 5) / 9
    )
