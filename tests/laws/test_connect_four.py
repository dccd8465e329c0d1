"""Connect Four: rules, kernels and search against the plain ones, on random lines of play and on
all short ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import connect_four_kernels as kernels
from games.connect_four import ConnectFour, connect_four
from games.connect_four_solver import make_shape, solve
from seqform.game.rules import TERMINAL
from seqform.perfect_information import alpha_beta, backward_induction
from tests.reference.plain_connect_four import PlainConnectFour

SMALL = [
    (3, 3, 3, 4),
    (4, 3, 3, 4),
    (3, 4, 3, 4),
    (4, 4, 3, 3),
    (5, 1, 3, 2),
    (1, 3, 2, 1),
    (3, 4, 4, 3),
    (5, 3, 4, 1),
]
"""Columns, rows, stones in a line, and how many moves deep all positions are looked at."""

boards = st.tuples(st.integers(1, 9), st.integers(1, 8), st.integers(1, 5))
fitting = (boards | st.sampled_from([(1, 63, 4), (32, 1, 4), (2, 31, 4)])).filter(
    lambda board: board[0] * (board[1] + 1) <= 64
)
choices = st.lists(st.integers(0, 1000), max_size=60)


def game_after(board: tuple[int, int, int], moves: list[int]) -> ConnectFour:
    return connect_four(*board, moves="".join(map(str, moves)))


@given(boards, choices)
def test_the_rules_are_the_plain_ones(board: tuple[int, int, int], picks: list[int]) -> None:
    game, plain = connect_four(*board), PlainConnectFour(*board)
    state, position, moves = game.root(), plain.position([]), []
    for pick in picks:
        assert (game.player(state) == TERMINAL) == plain.is_over(position)
        if plain.is_over(position):
            break
        assert game.player(state) == "xo".index(plain.mover(position))
        assert game.actions(state) == sorted(game.search_order(state)) == plain.legal(position)
        moves.append(plain.legal(position)[pick % len(plain.legal(position))])
        state, position = game.child(state, moves[-1]), plain.after(position, moves[-1])
    assert game_after(board, moves).root() == state
    rows = ["".join((*column, "." * (board[1] - len(column)))) for column in position]
    assert game.draw(state).replace(" ", "").split("\n")[::-1] == [
        "".join(row) for row in zip(*rows, strict=True)
    ]
    if plain.is_over(position):
        winner = plain.winner(position)
        assert game.payoffs(state) == {None: (0, 0), "x": (1, -1), "o": (-1, 1)}[winner]


@given(fitting, choices)
def test_kernels_see_the_lines_that_the_rules_see(
    board: tuple[int, int, int], picks: list[int]
) -> None:
    game = connect_four(*board)
    shape = make_shape(game, 25)
    state = game.root()
    for pick in picks:
        mover = game.player(state)
        if mover == TERMINAL:
            break
        own = game.stones(state)[mover]
        completing = kernels.completing(shape, own)
        actions = game.actions(state)
        for action in actions:
            after = game.child(state, action)
            stone = game.stones(after)[mover] ^ own
            won = game.player(after) == TERMINAL and game.payoffs(after)[mover] == 1
            assert bool(completing & stone) == won
        state = game.child(state, actions[pick % len(actions)])


def test_lines_longer_than_a_word_are_none() -> None:
    """Five stones on a diagonal, and a sixth square: 66 bits would be too far for a shift."""
    shape = make_shape(connect_four(6, 9, 7), 20)
    diagonal = sum(
        1 << column * 10 + row for column, row in ((0, 3), (1, 4), (2, 5), (3, 6), (4, 7), (5, 6))
    )
    assert kernels.completing(shape, diagonal) == 0


@given(fitting, choices)
def test_a_mirror_image_has_the_same_place(board: tuple[int, int, int], picks: list[int]) -> None:
    game = connect_four(*board)
    shape = make_shape(game, 25)
    states = [game.root(), game.root()]
    for pick in picks[: game.columns * game.rows // 2]:
        if game.player(states[0]) == TERMINAL:
            break
        actions = game.actions(states[0])
        action = actions[pick % len(actions)]
        states = [game.child(states[0], action), game.child(states[1], game.columns + 1 - action)]
    stack = np.zeros((2, kernels.MOVES), np.int64)
    for row, state in enumerate(states):
        stones = game.stones(state)
        stack[row, [kernels.OWN, kernels.MASK]] = stones[sum(stones).bit_count() % 2], sum(stones)
    # may wrap around into the sign, as in the kernels
    positions = (stack[:, kernels.OWN] + stack[:, kernels.MASK]).tolist()
    assert kernels.mirrored(shape, positions[0]) == positions[1]
    assert kernels.mirrored(shape, positions[1]) == positions[0]
    if 2 * sum(game.stones(states[0])).bit_count() < game.columns * game.rows:
        assert kernels.place(shape, stack, 0) == kernels.place(shape, stack, 1)


@pytest.mark.parametrize("board", [(3, 3, 3), (4, 3, 4), (2, 4, 3)])
@pytest.mark.parametrize("table_bits", [1, 4, 30])
def test_the_table_tells_all_positions_apart(board: tuple[int, int, int], table_bits: int) -> None:
    game = connect_four(*board)
    shape = make_shape(game, table_bits)
    seen: dict[tuple[int, int], int] = {}
    layer = {game.root()}
    while layer:
        for state in layer:
            stones = game.stones(state)
            stack = np.zeros((1, kernels.MOVES), np.int64)
            stack[0, [kernels.OWN, kernels.MASK]] = stones[sum(stones).bit_count() % 2], sum(stones)
            position = int(stack[0, kernels.OWN] + stack[0, kernels.MASK])
            image = min(position, kernels.mirrored(shape, position))
            same = image if 2 * sum(stones).bit_count() < game.columns * game.rows else position
            assert seen.setdefault(kernels.place(shape, stack, 0), same) == same
        layer = {
            game.child(state, a)
            for state in layer
            if game.player(state) != TERMINAL
            for a in game.actions(state)
        }


@pytest.mark.parametrize(("columns", "rows", "connect", "depth"), SMALL)
def test_outcomes_are_those_of_plain_minimax(
    columns: int, rows: int, connect: int, depth: int
) -> None:
    board = columns, rows, connect
    plain = PlainConnectFour(*board)
    for length in range(depth + 1):
        for moves in product(range(1, columns + 1), repeat=length):
            if not is_played(plain, list(moves)):
                continue
            game = game_after(board, list(moves))
            position = plain.position(list(moves))
            value, left = plain.outcome(position)
            for distance in (False, True):
                result = solve(game, distance=distance, table_bits=12)
                assert result.values[length % 2] == value
                if plain.is_over(position):
                    assert result.best_action is None
                else:
                    after = plain.outcome(plain.after(position, result.best_action))
                    assert after[0] == -value
                    assert not distance or after[1] == left - 1 or value == 0
            assert result.statistics["moves_to_end"] == left


def is_played(plain: PlainConnectFour, moves: list[int]) -> bool:
    """Tell whether moves can be made one after another."""
    position = plain.position([])
    for move in moves:
        if plain.is_over(position) or move not in plain.legal(position):
            return False
        position = plain.after(position, move)
    return True


@pytest.mark.parametrize("moves", ["", "1", "23", "1122", "22113"])
def test_the_generic_searches_find_the_same(moves: str) -> None:
    game = connect_four(4, 4, moves=moves)
    value = solve(game).value
    assert alpha_beta(game).value == value
    if len(moves) > 2:
        assert backward_induction(game).value[0] == value


@pytest.mark.parametrize("moves", ["", "3", "31", "3124", "31242", "352143"])
def test_values_do_not_depend_on_the_table_nor_on_the_side(moves: str) -> None:
    mirror = "".join(str(6 - int(move)) for move in moves)
    results = [
        solve(connect_four(5, 5, moves=m), distance=True, table_bits=bits)
        for m in (moves, mirror)
        for bits in (1, 8, 16, 22)
    ]
    assert len({(result.value, result.statistics["moves_to_end"]) for result in results}) == 1
    assert results[0].statistics["nodes"] > results[3].statistics["nodes"]  # the table is of use
