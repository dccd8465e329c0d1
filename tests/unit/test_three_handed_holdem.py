"""Push or fold for three: names, stages of two, a small tournament solved, saved, and judged."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.hand_classes import class_number
from games.preflop_equities import NUM_BOARDS, class_pairs
from games.three_handed import ThreeHanded, hand_of
from games.three_handed_holdem import hands_dealt, three_handed_holdem
from seqform import analyze, at_line, certify, show, solve
from seqform.base.errors import (
    GameTooLargeError,
    InvalidGameError,
    InvalidParameterError,
    InvalidStrategyError,
    NotForThisGameError,
)
from seqform.recursive import dense_stage
from seqform.recursive.by_method import solve_stages
from seqform.recursive.chance_tensor import ChanceTensor
from seqform.recursive.dense_stage import DenseStage
from seqform.recursive.elsewhere import prove_elsewhere
from seqform.recursive.later_tensor import LaterTensor
from seqform.recursive.search import search_recursive
from seqform.recursive.shown import brief_of_stages
from seqform.recursive.small_tensor import SmallTensor
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.stage_batch import RegretMinimization, batches, most_gained
from seqform.recursive.stage_solution import stage_game
from seqform.recursive.stationary import StationaryProfile
from seqform.recursive.verification import verify
from seqform.recursive.walk import stage_graph
from seqform.results.status import Status
from seqform.solvers.iterative.regret.rules import rule
from tests.command_line import call

CLASSES = (
    class_number(12, 12, ""),
    class_number(12, 4, "s"),
    class_number(9, 8, "s"),
    class_number(7, 2, "o"),
    class_number(0, 0, ""),
)


def small(seed: int = 1, chips: int = 2) -> ThreeHanded:
    """Return the tournament of players who are dealt a few classes only."""
    return ThreeHanded(hands_dealt(40, seed, CLASSES), (chips,) * 3, (50, 30, 20))


@pytest.fixture(scope="module")
def solved() -> RecursiveSolution:
    """Return a solution of the tournament with few classes."""
    return search_recursive(small())


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"chips": 10}, "multiple of 3"),
        ({"deals": 0}, "too small"),
        ({"deals": 5000}, "too large"),
        ({"seed": -1}, "too small"),
        ({"first": -1}, "too small"),
    ],
)
def test_parameters_that_cannot_be_are_refused(parameters: Any, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        three_handed_holdem(**parameters)


def test_labels_say_the_class_and_what_was_done() -> None:
    form = small(chips=9).stage((9, 9, 9))
    assert form.origin.infoset_label(0, 0) == "AA:"
    assert form.origin.infoset_label(2, 1) == "A6s:fold-push"
    assert form.origin.infoset_label(2, 5 + 3) == "94o:push-fold"
    assert form.origin.actions(2, 8) == ("fold", "call")
    assert [t.num_infosets for t in form.treeplexes] == [5, 10, 15]


def test_two_players_have_exact_chances() -> None:
    hand = hand_of((9, 9, 0))
    form: DenseStage = hands_dealt(40, 1, CLASSES)(hand)
    pairs, there = class_pairs(), np.ix_(CLASSES, CLASSES)
    assert form.denominator == pairs.deals[there].sum() * NUM_BOARDS
    assert (form.tensor.weights[0, ..., 0] == pairs.wins[there]).all()
    assert (form.tensor.weights[1, ..., 0] == pairs.wins[there].T).all()
    assert [t.num_infosets for t in form.treeplexes] == [5, 5, 0]


def test_stages_are_counted_and_refused_before_deals_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class DrawnError(Exception):
        pass

    def drawn(*_: Any) -> None:
        raise DrawnError

    graph = stage_graph(three_handed_holdem(chips=6, deals=3, seed=77))
    monkeypatch.setattr("games.three_handed_holdem.three_way_counts", drawn)
    assert graph.counts()["stages"] == 15
    with pytest.raises(NotForThisGameError):
        solve_stages(graph, method="pollatschek")
    with pytest.raises(InvalidParameterError, match="give one"):
        solve_stages(graph, resume=True, checkpoint="none.npz", start=graph)
    with pytest.raises(DrawnError):
        solve_stages(graph)


def test_chances_have_to_be_as_they_were_announced() -> None:
    weights = np.ones((2, 3, 3, 3))
    tensor = LaterTensor(lambda: weights, (2, 3, 3, 3), 54)
    assert (tensor.num_outcomes, tensor.num_types) == (2, (3, 3, 3))
    assert tensor.limb == ChanceTensor(weights).limb
    assert tensor.digest == ChanceTensor(weights).digest
    never = np.stack([weights[0], 0 * weights[0]])
    for made, total in ((weights, 53), (weights[:, :2], 36), (never, 27)):
        other = LaterTensor(lambda made=made: made, (2, 3, 3, 3), total)
        for _ in range(2):  # whoever asks again is told so again
            with pytest.raises(InvalidGameError, match="before they were made"):
                _ = other.weights
    with pytest.raises(AttributeError):
        _ = tensor.nothing


def test_hands_with_the_same_lines_are_one_stage() -> None:
    game = small(chips=4)
    assert game.stage((4, 4, 4)) is game.stage((5, 4, 3))
    assert game.stage((4, 4, 4)) is not game.stage((2, 4, 6))


def test_forms_take_turns_in_the_room_for_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr("seqform.recursive.walk.require_memory", lambda n, *_: asked.append(n))
    graph = stage_graph(small(chips=9))
    assert len(asked) == len(graph.alike) > 3
    assert set(asked) == {graph.stages[0].form.room}


def test_a_small_tournament_is_solved_saved_and_judged(
    solved: RecursiveSolution, tmp_path: Path
) -> None:
    solution = solved
    assert solution.status is Status.SOLVED
    assert float(solution.width) <= 3e-4 * 30
    assert sum(map(float, solution.proof.lower[0])) == pytest.approx(100, abs=0.01)
    solution.save(tmp_path / "saved", "small")
    again = verify(tmp_path / "saved", lambda name, parameters: small())
    assert again.solution.gains == solution.gains
    steps = brief_of_stages(again.solution, "small", saved="saved").steps
    assert [command.split()[1] for command, _ in steps] == ["show", "verify"]
    with pytest.raises(Exception, match="another game"):
        verify(tmp_path / "saved", lambda name, parameters: small(seed=2))
    judged = prove_elsewhere(solution.profile, small(seed=2))
    assert judged.width > solution.width  # other deals, to which nobody has adapted
    assert float(judged.width) < 5
    same = prove_elsewhere(solution.profile, solution.graph)
    assert abs(same.width - solution.width) < Fraction(1, 10**9)
    with pytest.raises(InvalidStrategyError, match="do not say what is done"):
        prove_elsewhere(solution.profile, small(chips=3))
    others = ThreeHanded(hands_dealt(40, 1, CLASSES[::-1]), (2,) * 3, (50, 30, 20))
    with pytest.raises(InvalidStrategyError, match="other information sets"):
        prove_elsewhere(solution.profile, others)


def test_a_stage_is_shown_and_certified_as_any_game(
    solved: RecursiveSolution, tmp_path: Path
) -> None:
    for number in range(len(solved.graph.stages)):
        stage = solved.stage_at(number)
        assert stage.status is Status.SOLVED
        low = [float(bound) for bound in solved.proof.lower[number]]
        assert stage.values == pytest.approx(low, abs=2 * float(solved.width))
    stage = solved.stage((2, 2, 2))
    text = show(stage).text
    assert re.search(r"^ +A6s +\S+ +\S+", text, re.MULTILINE)
    assert "call" in text
    at = at_line(stage, "fold")
    assert (at.player, at.actions) == (1, ("fold", "push"))
    behavior = solved.profile.behaviors[solved.number((2, 2, 2))][1]
    assert at.acting.probabilities == pytest.approx(behavior[1:11].reshape(5, 2))
    assert "100" in at.matrix("push")
    solved.save(tmp_path / "saved", f"{__name__}:small")
    shown = ("show", str(tmp_path / "saved"), "--trust", "--stage", "2, 2, 2 chips")
    assert call(*shown).strip() == text.strip()
    laid_out = call(*shown, "--line", "fold", "--matrix", "push")
    assert at.matrix("push") in laid_out
    assert "to player 1" in laid_out  # of the others nothing is known there
    assert "to player 0" not in laid_out


def test_a_stage_is_solved_as_any_game(
    solved: RecursiveSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = solved.stage((2, 2, 2)).source
    assert solve(form).nash_gap <= 1e-9  # the entries of what is played are listed
    pushed = solve(form, lock={(0, "22:", "push"): 1})
    assert analyze(pushed.game, pushed.profile)[0, "22:"].probabilities["push"] == 1

    def full(*_: Any) -> None:
        raise GameTooLargeError("there is no room")

    monkeypatch.setattr("seqform.recursive.dense_entries.require_memory", full)
    form = solved.stage((2, 2, 2)).source
    found = solve(form, method="dcfr", gap=1e-3)
    assert found.status is Status.SOLVED
    found = solve(form)
    assert "not polished: there is no room" in str(found)
    with pytest.raises(GameTooLargeError, match="no room"):
        solve(form, lock={(0, "22:", "push"): 1})


def test_it_is_solved_by_a_smaller_tensor_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense_stage, "SMALL", 0)
    made: list[SmallTensor] = []

    def small_of(tensor: ChanceTensor) -> SmallTensor:
        made.append(SmallTensor(tensor, 3))
        return made[-1]

    monkeypatch.setattr(dense_stage, "small_of", small_of)
    solution = search_recursive(small())
    assert (3, 3, 3) in [tensor.num_types for tensor in made]
    assert solution.status is Status.SOLVED  # the proof is by the whole tensor


def test_what_is_gained_within_stages_is_what_the_whole_tensor_says(
    solved: RecursiveSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense_stage, "SMALL", 0)
    monkeypatch.setattr(dense_stage, "small_of", lambda tensor: SmallTensor(tensor, 2))
    graph = solved.graph
    values = np.random.default_rng(7).uniform(20, 50, (len(graph.stages), 3))
    most = []
    for batch in batches(graph, solved.profile):
        most.append(most_gained(batch, batch.payer(batch.worth(values))))
        gains = []
        for number in batch.numbers:
            form = stage_game(graph, number, values)
            gains += certify(form, form.profile(solved.profile.behaviors[number])).gains
        assert most[-1] == pytest.approx(max(gains), abs=1e-4)
    assert max(most) > 0.1


def test_stages_in_portions_learn_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = stage_graph(small(chips=3))
    start = StationaryProfile.uniform(graph)
    values = np.random.default_rng(3).uniform(20, 50, (len(graph.stages), 3))
    whole = batches(graph, start)
    monkeypatch.setattr(DenseStage, "most_at_once", 2)
    parts = batches(graph, start)
    assert max(len(batch.numbers) for batch in parts) == 2 < max(len(b.numbers) for b in whole)
    found: list[dict[int, Any]] = []
    for made in (whole, parts):
        for batch in made:
            RegretMinimization(rule("pcfr+")).learn(batch, batch.worth(values), 6, lambda: None)
        found.append(
            {n: batch.average[:, at] for batch in made for at, n in enumerate(batch.numbers)}
        )
    assert sorted(found[1]) == list(range(len(graph.stages)))
    for number, average in found[0].items():
        assert found[1][number] == pytest.approx(average, abs=1e-3)
