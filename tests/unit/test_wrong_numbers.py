"""Numbers of players, nodes and information sets that there are not; names in error messages."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.kuhn import kuhn
from games.random_games import random_game
from seqform import (
    TreeBuilder,
    best_response,
    build_sequence_form,
    build_tree,
    certify,
    expected_values,
    make,
    write_lp,
)
from seqform.base.errors import (
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.number import as_number, check_num_players, check_player, plain
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.profile_table import read_table, write_table
from seqform.form.sequence_form import SequenceForm
from seqform.game.checks import checked_player
from seqform.game.observations import SignalStructure
from seqform.solvers.linear.program import LinearProgram, build_lp
from seqform.solvers.linear.sparsified_program import build_sparsified_lp, sparsified_lp_size

TREE = build_tree(kuhn())
FORM = build_sequence_form(TREE)
SIGNALS = build_signal_form(SignalStructure(kuhn()))
THREE = build_sequence_form(random_game(7, players=3, depth=4))
UNIFORM = {form: Profile.uniform(form.treeplexes) for form in (FORM, SIGNALS, THREE)}

OF_A_PLAYER: dict[str, Callable[[SequenceForm, Any], Any]] = {
    "best_response": lambda form, player: best_response(form, UNIFORM[form], player),
    "gradient": lambda form, player: form.gradient(player, UNIFORM[form].plans),
    "absolute_gradient": lambda form, player: form.absolute_gradient(player, UNIFORM[form].plans),
    "roundings": lambda form, player: form.roundings(player),
    "error_gradient": lambda form, player: form.error_gradient(player, UNIFORM[form].plans),
    "infoset_label": lambda form, player: form.infoset_label(player, 0),
    "actions": lambda form, player: form.actions(player, 0),
}
OF_A_PROGRAM: dict[str, Callable[[SequenceForm, Any], Any]] = {
    "build_lp": build_lp,
    "build_sparsified_lp": build_sparsified_lp,
    "sparsified_lp_size": sparsified_lp_size,
}
WRONG: list[Any] = [-1, 3, 10**20, 0.0, 1.5, True, False, "0", None, np.float64(1), np.int64(-1)]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("name", [*OF_A_PLAYER, *OF_A_PROGRAM])
def test_a_wrong_player_is_an_error_that_says_what_there_is(name: str, wrong: Any) -> None:
    forms = (SIGNALS,) if name in OF_A_PROGRAM else (FORM, SIGNALS, THREE)
    for form in forms:
        with pytest.raises(InvalidParameterError) as found:
            {**OF_A_PLAYER, **OF_A_PROGRAM}[name](form, wrong)
        last = form.num_players - 1
        shown = wrong.item() if isinstance(wrong, np.generic) else wrong
        assert str(found.value) == f"there is no player {shown!r}; use an integer from 0 to {last}"


@pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("name", [*OF_A_PLAYER, *OF_A_PROGRAM])
def test_integers_of_numpy_are_players_too(name: str, kind: type) -> None:
    function = {**OF_A_PLAYER, **OF_A_PROGRAM}[name]
    for player in (0, 1):
        found, expected = function(SIGNALS, kind(player)), function(SIGNALS, player)
        if isinstance(found, LinearProgram):
            assert type(found.player) is int
            found, expected = (p.matrix.toarray().tolist() for p in (found, expected))
        assert str(found) == str(expected)
    assert check_player(np.int64(1), 2) == 1
    assert type(check_player(np.int64(1), 2)) is int


@pytest.mark.parametrize("wrong", [2, -1, True, 0.5], ids=repr)
def test_a_program_of_a_wrong_player_is_not_written(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"there is no player {wrong}; use"):
        write_lp(kuhn(), tmp_path / "game.lp", wrong)
    assert not list(tmp_path.iterdir())
    with pytest.raises(UnsupportedGameError, match="R10"):
        build_lp(THREE, 2)


@pytest.mark.parametrize("wrong", [-1, 6, 0.5, True, "J:", None, np.int32(-1)], ids=repr)
def test_a_wrong_information_set_is_an_error(wrong: Any) -> None:
    for form in (FORM, SIGNALS):
        for ask in (form.infoset_label, form.actions):
            said = f"there is no information set {plain(wrong)} of player 1; use an integer from 0"
            with pytest.raises(InvalidParameterError, match=said):
                ask(1, wrong)
    with pytest.raises(InvalidParameterError, match="there is no information set"):
        TREE.actions(12 if wrong == 6 else wrong)
    assert TREE.actions(np.int64(3)) == TREE.actions(3)


@pytest.mark.parametrize("wrong", [-1, 58, 10**10, 0.5, True, "root", None, np.int32(-4)], ids=repr)
@pytest.mark.parametrize("name", ["path", "describe", "children"])
def test_a_wrong_node_is_an_error(name: str, wrong: Any) -> None:
    said = f"there is no node {plain(wrong)}; use an integer from 0 to 57"
    with pytest.raises(InvalidParameterError, match=said):
        getattr(TREE, name)(wrong)
    assert getattr(TREE, name)(np.int32(57)) == getattr(TREE, name)(57)


def test_a_wrong_kind_of_node_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match=r"kind of node 'leaf'.*decision, chance, terminal"):
        TREE.count("leaf")


def spoiled(form: SequenceForm, infoset: int, value: float) -> list[Any]:
    vectors = [behavior.copy() for behavior in UNIFORM[form].behaviors]
    vectors[1][form.treeplexes[1].first_sequence[infoset]] = value
    return vectors


@pytest.mark.parametrize("form", [FORM, SIGNALS], ids=["tree", "signals"])
@pytest.mark.parametrize(
    ("value", "said"),
    [(-0.5, "-0.5 is not a probability"), (0.75, "the probabilities sum to 1.25, not to 1")],
)
def test_errors_of_profiles_name_information_sets(
    form: SequenceForm, value: float, said: str
) -> None:
    for infoset in range(6):
        where = f"player 1, information set {form.infoset_label(1, infoset)!r}: {said}"
        with pytest.raises(InvalidStrategyError) as found:
            form.profile(spoiled(form, infoset, value))
        assert str(found.value) == where


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_errors_of_plans_name_information_sets(value: float) -> None:
    label = FORM.infoset_label(1, 3)
    with pytest.raises(InvalidStrategyError) as found:
        FORM.profile_of_plans(spoiled(FORM, 3, value))
    said = f"player 1, information set {label!r}: the weight {value} is not finite"
    assert str(found.value) == said
    with pytest.raises(InvalidStrategyError, match=r"player 1, a plan here has shape \(13,\)"):
        FORM.profile_of_plans([UNIFORM[FORM].plans[0], np.ones(3)])


@pytest.mark.parametrize("wrong", ["plan", ["a"] * 13, [[1], [2, 3]], frozenset()], ids=repr)
def test_what_is_no_vector_of_numbers_is_an_error(wrong: Any) -> None:
    good = FORM.treeplexes[0].uniform()
    with pytest.raises(InvalidStrategyError, match="player 1: a strategy is a vector of numbers"):
        FORM.profile([good, wrong])
    with pytest.raises(InvalidStrategyError, match="player 1: a plan is a vector of numbers"):
        FORM.profile_of_plans([good, wrong])


def test_errors_of_a_saved_table_name_information_sets(tmp_path: Path) -> None:
    path = tmp_path / "strategy.csv"
    write_table(FORM, UNIFORM[FORM], path)
    text = path.read_text().replace("J:bet,fold,0.5", "J:bet,fold,0.75")
    path.write_text(text)
    said = "player 1, information set 'J:bet': the probabilities sum to 1.25, not to 1"
    with pytest.raises(InvalidStrategyError, match=said):
        read_table(FORM, path)


def test_a_profile_of_another_game_is_an_error() -> None:
    for function in (expected_values, certify, lambda form, other: best_response(form, other, 0)):
        with pytest.raises(InvalidStrategyError, match="belongs to another game"):
            function(FORM, UNIFORM[THREE])


def two_moves(label: Any, other: Any) -> TreeBuilder:
    """Return a game in which two nodes of one information set have different actions."""
    builder = TreeBuilder(1)
    for node in builder.chance(builder.root, [("a", Fraction(1, 2)), ("b", Fraction(1, 2))]):
        actions = [label, other] if node == 1 else [other, label]
        for child in builder.decision(node, 0, np.int64(7), actions):
            builder.terminal(child, (0,))
    return builder


OF_NUMPY: dict[str, Callable[[], Any]] = {
    "a number": lambda: as_number(np.float64("nan")),
    "an infinite number": lambda: as_number(np.float32("inf")),
    "no number": lambda: as_number(np.bool_(True)),
    "num_players": lambda: check_num_players(np.float64(2)),
    "a payoff": lambda: TreeBuilder(1).terminal(0, (np.float64("inf"),)),
    "a player": lambda: TreeBuilder(1).decision(0, np.int64(5), "h", "ab"),
    "a node": lambda: TreeBuilder(1).terminal(np.int64(5), (0,)),
    "labels": lambda: two_moves(np.float64(1.5), np.int64(2)).freeze(),
    "a parameter": lambda: make("leduc", ranks=np.float64(2.5)),
    "chances": lambda: TreeBuilder(1).chance(0, [("a", np.float64("nan"))]),
    "rules": lambda: checked_player(np.int64(9), 2),
}


@pytest.mark.parametrize("name", OF_NUMPY)
def test_errors_show_numbers_of_numpy_as_numbers(name: str) -> None:
    with pytest.raises((InvalidGameError, InvalidParameterError)) as found:
        OF_NUMPY[name]()
    assert "np." not in str(found.value)
    assert "numpy" not in str(found.value)


@pytest.mark.parametrize("passes_by", [True, False])
def test_imperfect_recall_shows_numbers_of_numpy_as_numbers(passes_by: bool) -> None:
    builder = TreeBuilder(1)
    nodes = [0]
    if passes_by:
        nodes = builder.chance(0, [("a", Fraction(1, 2)), ("b", Fraction(1, 2))])
    for node in [*nodes[1:], *builder.decision(nodes[0], 0, np.int64(3), ["a", "b"])]:
        for child in builder.decision(node, 0, np.int64(4), ["c", "d"]):
            builder.terminal(child, (0,))
    with pytest.raises(InvalidGameError, match=r"at information set 4.*at 3 ") as found:
        build_sequence_form(builder.freeze())
    assert "np." not in str(found.value)
