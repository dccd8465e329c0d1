"""Reductions that cannot be are refused with what is wrong and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import seqform.base.memory
from abstraction.outcome_thresholds import approximate_outcome
from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.random_games import random_game
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree, make, solve
from seqform.base.errors import (
    GameTooLargeError,
    ImperfectRecallError,
    InvalidParameterError,
    InvalidStrategyError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.form.from_signals import build_signal_form
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import Classes, SignalStructure
from seqform.links.chain import reduction_of
from seqform.links.lifting import lift_profile
from seqform.links.link import EXACTLY, REDUCTIONS, Inverse, ReductionOptions, SequenceMap
from seqform.methods.shrink import shrink
from seqform.solvers.linear.program import build_lp
from tests.random_signal_games import random_signal_game
from tests.strategies import random_profile

CRITERIA = REDUCTIONS.names()


def apply(name: str, game: Any, threshold: float = 0.0) -> tuple[SequenceForm, Inverse]:
    options = ReductionOptions(threshold)
    return reduction_of(name, threshold, game).apply(game, options)


def test_reductions_are_called_what_they_are_declared_as() -> None:
    assert set(CRITERIA) >= {"outcome", "suit", "equitable", "tree", "tree-published"}
    assert [found.name for found in REDUCTIONS] == list(CRITERIA)
    lossless = {"suit", "equitable", "tree", "dominated", "strictly-dominated"}
    assert {found.name for found in REDUCTIONS if found.lossless} == lossless


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("outcom", "outcome"),
        ("suits", "suit"),
        ("Equitable", "equitable"),
        ("treepublished", "tree-published"),
        ("three", "tree"),
    ],
)
def test_a_criterion_that_does_not_exist_gets_the_nearest_that_does(name: str, meant: str) -> None:
    for call in (
        lambda name, game: reduction_of(name, 0.0, game),
        lambda name, game: shrink(game, name),
    ):
        with pytest.raises(
            UnknownNameError,
            match=rf"no reduction '{name}' \(did you mean '{meant}'\?\); use one of",
        ):
            call(name, kuhn())


def test_all_criteria_are_named_where_none_is_near() -> None:
    with pytest.raises(
        UnknownNameError, match=f"no reduction 'xyz'; use one of {', '.join(CRITERIA)}"
    ):
        reduction_of("xyz", 0.0, kuhn())


@pytest.mark.parametrize("threshold", [-1.0, -1e-12, float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_thresholds_are_finite_and_not_negative(criterion: str, threshold: float) -> None:
    with pytest.raises(InvalidParameterError, match=r"threshold=.*from 0 on"):
        reduction_of(criterion, threshold, leduc())


@pytest.mark.parametrize("threshold", [-1.0, float("nan")])
def test_the_function_behind_it_refuses_them_too(threshold: float) -> None:
    with pytest.raises(InvalidParameterError, match="threshold="):
        approximate_outcome(SignalStructure(kuhn()), threshold)


@pytest.mark.parametrize("criterion", ["suit", "equitable"])
def test_exact_criteria_have_no_threshold(criterion: str) -> None:
    with pytest.raises(
        InvalidParameterError,
        match=f"'{criterion}' has no threshold; outcome, tree, tree-published have one",
    ):
        reduction_of(criterion, 0.1, leduc())


@pytest.mark.parametrize("criterion", ["suit", "outcome"])
@pytest.mark.parametrize("game", [random_game(), goofspiel(3)])
def test_criteria_on_cards_need_cards(criterion: str, game: Any) -> None:
    with pytest.raises(
        UnsupportedGameError, match=f"'{criterion}' is for signal games.*use 'equitable' or 'tree'"
    ):
        apply(criterion, game)


@pytest.mark.parametrize("game", [leduc(merge_suits=True), kuhn(), leduc(3, 1), liars_dice(1, 3)])
def test_suits_are_needed_to_exchange_them(game: Any) -> None:
    with pytest.raises(
        UnsupportedGameError, match=r"needs a deck with suits to exchange.*use 'equitable'"
    ):
        apply("suit", game)


def changed(player: int, stage: int, change: Callable[[Any], Any]) -> Classes:
    """Return the classes that keep all observations of Leduc apart, but for one player and
    stage."""
    identity = SignalStructure(leduc()).identity
    of = np.asarray(change(identity[player][stage]), dtype=np.int32)
    rows = [list(stages) for stages in identity]
    rows[player][stage] = of
    return (tuple(rows[0]), tuple(rows[1]))


@pytest.mark.parametrize(
    ("stage", "change"),
    [
        (0, lambda of: of * 2),
        (0, lambda of: of + 1),
        (0, lambda of: of - 1),
        (0, lambda of: of[:-1]),
        (1, lambda of: np.append(of, 0)),
        (1, lambda of: []),
        (1, lambda of: of[:, None]),
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_a_class_map_has_one_number_per_observation_without_gaps(
    player: int, stage: int, change: Callable[[Any], Any]
) -> None:
    with pytest.raises(
        UnsupportedGameError,
        match=rf"player {player}, stage {stage}: a class map has one number per observation",
    ):
        build_signal_form(SignalStructure(leduc()), changed(player, stage, change))


@pytest.mark.parametrize("player", [0, 1])
def test_classes_that_make_a_player_forget_are_refused(player: int) -> None:
    with pytest.raises(
        ImperfectRecallError,
        match=rf"R9: class 0 of player {player} at stage 1 holds .* classes \d and \d of the stage",
    ):
        build_signal_form(SignalStructure(leduc()), changed(player, 1, lambda of: of * 0))


def test_classes_may_merge_what_was_merged_before() -> None:
    one = tuple(tuple(of * 0 for of in stages) for stages in SignalStructure(leduc()).identity)
    form = build_signal_form(SignalStructure(leduc()), (one[0], one[1]))
    assert form.treeplexes[0].num_infosets == 18


@pytest.mark.parametrize("criterion", ["suit", "equitable", "tree"])
def test_a_profile_of_another_game_is_not_lifted(criterion: str) -> None:
    reduced, inverse = apply(criterion, leduc())
    size = reduced.treeplexes[0].num_sequences
    for other in (inverse.original, build_sequence_form(build_tree(kuhn()))):
        with pytest.raises(
            InvalidStrategyError,
            match=f"player 0: the profile has .* sequences and the reduced game {size}",
        ):
            lift_profile(random_profile(other, seed=1), inverse)


def test_what_does_not_fit_into_memory_is_refused_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = rhode_island(8, 4, 1)
    reduced, inverse = apply("suit", game)
    profile = random_profile(reduced, seed=1)
    monkeypatch.setattr("seqform.base.memory.LITTLE", 0)
    monkeypatch.setattr(seqform.base.memory, "available_bytes", lambda: 2**14)
    with pytest.raises(
        GameTooLargeError,
        match=r"solving a linear program with [\d,]+ nonzeros needs about [\d.]+ [GM]B of "
        r"memory, and this process may take 0 MB",
    ):
        solve(reduced)
    with pytest.raises(
        GameTooLargeError, match=r"linear program.*coarser abstraction or a smaller game"
    ):
        build_lp(reduced)
    with pytest.raises(
        GameTooLargeError, match=r"a profile with [\d,]+ sequences needs.*use a smaller deck"
    ):
        lift_profile(profile, inverse)
    with pytest.raises(
        GameTooLargeError, match=r"comparing [\d,]+ signatures in pairs needs.*threshold 0"
    ):
        apply("outcome", game, 0.01)


@pytest.mark.parametrize(
    ("ranks", "suits", "words"),
    [(0, 4, "ranks=0"), (13, 0, "suits=0"), (3, 1, r"ranks \* suits=3"), (1, 3, "=3")],
)
def test_decks_too_small_for_the_deal(ranks: int, suits: int, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        rhode_island(ranks, suits)


@pytest.mark.parametrize("game", [random_game(players=3), random_game(zero_sum=False)])
def test_criteria_for_signals_refuse_trees_of_any_sums(game: Any) -> None:
    with pytest.raises(UnsupportedGameError, match="'outcome' is for signal games"):
        shrink(game, "outcome")
    for criterion in (None, "equitable", "tree"):
        assert "sequences" in shrink(game, criterion)["before"]


def test_signals_of_three_players_are_not_taken_apart() -> None:
    game = replace(random_signal_game(2), num_players=3)
    with pytest.raises(UnsupportedGameError, match=r"'outcome' is for 2 players.*or 'tree'"):
        REDUCTIONS.get("outcome").apply(game)
    with pytest.raises(
        UnsupportedGameError, match="for 2 players and this one has 3; build its tree"
    ):
        shrink(game, "outcome")


def test_games_of_signals_for_three_players_are_shrunk_as_trees() -> None:
    table = make("leduc", players=3, ranks=2, max_bets=0)
    for criterion in (None, "equitable", "tree"):
        record = shrink(table, criterion)
        assert record["criterion"] == (criterion or "equitable")
        assert record["after"]["sequences"] < record["before"]["sequences"]


class Unchanged:
    """A reduction of somebody else, which merges nothing."""

    name, lossless, takes_threshold = "unchanged", True, False

    def accepts(self, game: Any) -> str | None:
        return "only leduc is left unchanged" if game.num_players != 2 else None

    def apply(
        self, game: Any, options: ReductionOptions = EXACTLY
    ) -> tuple[SequenceForm, SequenceMap]:
        form = build_sequence_form(build_tree(game, options.max_nodes))
        same = tuple(np.arange(t.num_sequences, dtype=np.int32) for t in form.treeplexes)
        return form, SequenceMap(form, same)


def test_shrink_works_for_any_reduction_on_the_contract() -> None:
    for game in (leduc(), build_tree(leduc())):
        record = shrink(game, Unchanged())
        assert record["criterion"] == "unchanged"
        assert record["lossless"]
        assert record["before"] == record["after"]
        assert record["nodes"] == [9_457, 9_457]
        assert sum(record["classes"]) == 468
    with pytest.raises(InvalidParameterError, match="'unchanged' has no threshold"):
        shrink(leduc(), Unchanged(), 0.5)
    with pytest.raises(UnsupportedGameError, match="only leduc"):
        shrink(random_game(players=3), Unchanged())
    with pytest.raises(GameTooLargeError, match="more than the limit of 100"):
        shrink(leduc(), Unchanged(), max_nodes=100)


def test_a_sequence_form_without_a_tree_is_not_reduced_as_a_tree() -> None:
    form = build_signal_form(SignalStructure(leduc()))
    with pytest.raises(UnsupportedGameError, match=r"'tree' needs the game's tree.*'equitable'"):
        apply("tree", form)
    whole = build_sequence_form(build_tree(leduc()))
    assert apply("tree", whole)[0].num_nodes == 1_939


def test_what_is_left_of_a_game_is_solved_by_a_method_whose_answers_are_lifted() -> None:
    """Backward induction finds no profile; and the logit path needs a tree."""
    assert solve(make("centipede"), abstract="tree").values == (4.0, 1.0)
    three = random_game(1, players=3, depth=4, zero_sum=False)
    solution = solve(three, abstract="equitable")
    assert solution.status.name == "SOLVED"
    assert solution.reasons[1].startswith("method pdcfr+: more than two players, and too large or")
