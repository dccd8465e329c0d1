"""Boards that are alike are gone through once, and hints that are false change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from abstraction.equal_rows import combine
from abstraction.equitable import equitable
from abstraction.suit import suit
from games.leduc import leduc
from games.rhode_island import rhode_island
from seqform.concepts.judge import responses
from seqform.concepts.nash import certify
from seqform.exact.bracket import interval_of
from seqform.form.alike_boards import AlikeBoards
from seqform.form.board_paid import Tables
from seqform.form.from_signals import build_signal_form
from seqform.form.signal_strategy import SignalStrategy
from seqform.form.whole_form import WholeForm, whole_form
from seqform.game.observations import Classes, SignalStructure
from tests.random_signal_games import marked
from tests.strategies import random_profile

GAMES: dict[str, Any] = {
    "leduc": leduc(),
    "leduc, 4x3": leduc(4, 3),
    "rhode island, 3x3": rhode_island(3, 3, 1),
    "rhode island, 4x2": rhode_island(4, 2, 1),
}


@pytest.fixture(autouse=True)
def all_games_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.form.whole_form.FEW_SEQUENCES", 0)


def whole(structure: SignalStructure) -> WholeForm:
    form = whole_form(structure)
    assert isinstance(form, WholeForm)
    return form


def boards_gone_through(form: WholeForm, classes: Classes) -> int:
    boards, count = AlikeBoards(form.boards, classes), 0
    for board in range(form.boards.boards.count):
        if not boards.is_known(board):
            boards.like(board, Tables(form.boards, board))
            count += 1
    return count


def strategy_by(structure: SignalStructure, classes: Classes, seed: int = 3) -> SignalStrategy:
    profile = random_profile(build_signal_form(structure, classes), seed)
    return SignalStrategy(structure, classes, profile.behaviors)


def check_certificates(structure: SignalStructure, strategy: SignalStrategy) -> None:
    """Compare with whole vectors, and in integers with a game that gives no hints."""
    form = whole(structure)
    plain = build_signal_form(structure)
    expected = certify(plain, plain.profile(strategy.in_form(plain).behaviors))
    found = certify(form, strategy.in_form(form))
    assert found.lower == pytest.approx(expected.lower, abs=1e-13)
    assert found.upper == pytest.approx(expected.upper, abs=1e-13)
    assert found.values == pytest.approx(expected.values, abs=1e-13)
    assert found.gains == pytest.approx(expected.gains, abs=1e-13)
    game: Any = structure.game
    without = SignalStructure(replace(game, deck=replace(game.deck, symmetries=())))
    silent = whole(without)
    alone = replace(strategy, structure=without)
    assert boards_gone_through(silent, strategy.classes) == silent.boards.boards.count
    intervals = [
        interval_of(form, strategy.in_form(form), 40),
        interval_of(silent, alone.in_form(silent), 40),
    ]
    ends = [(of.lower, of.upper) for of in intervals]
    assert ends[0] == ends[1]
    lower, upper = ends[0]
    assert found.lower - 1e-9 <= lower <= upper <= found.upper + 1e-9


@pytest.mark.parametrize("criterion", [suit, equitable])
@pytest.mark.parametrize("name", GAMES)
def test_one_board_of_each_rank_is_gone_through(name: str, criterion: Any) -> None:
    structure = SignalStructure(GAMES[name])
    classes = criterion(structure)
    ranks = len({str(card)[:-1] for card in structure.game.deck.cards})
    form = whole(structure)
    assert boards_gone_through(form, classes) == ranks < form.boards.boards.count
    check_certificates(structure, strategy_by(structure, classes))


@pytest.mark.parametrize("name", GAMES)
def test_strategies_that_tell_suits_apart_have_no_boards_alike(name: str) -> None:
    structure = SignalStructure(GAMES[name])
    form = whole(structure)
    assert boards_gone_through(form, structure.identity) == form.boards.boards.count


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("stage", [0, 1, 2])
def test_one_hand_that_is_a_class_by_itself_keeps_its_board_apart(player: int, stage: int) -> None:
    structure = SignalStructure(GAMES["rhode island, 3x3"])
    classes = [list(of) for of in suit(structure)]
    changed = classes[player][stage].copy()
    changed[-1] = changed.max() + 1
    classes[player][stage] = changed
    for later in range(stage + 1, 3):  # players do not forget it
        came = classes[player][later - 1][structure.earlier(player, later)]
        classes[player][later] = combine(classes[player][later], came)
    split: Classes = (tuple(classes[0]), tuple(classes[1]))
    structure.check_classes(split)
    assert boards_gone_through(whole(structure), split) > 3
    check_certificates(structure, strategy_by(structure, split))


@pytest.mark.parametrize("seed", range(6))
def test_false_hints_are_not_believed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Symmetries of the suits are told as those of a game that pays otherwise in one deal."""
    rng = np.random.default_rng(seed)
    deal = tuple(rng.permutation(9)[:4].tolist())
    true = SignalStructure(rhode_island(3, 3, 1))
    structure = SignalStructure(marked(3, 3, deal))
    assert not structure.exchanges
    monkeypatch.setattr(structure, "_exchanges", true.exchanges)
    form, classes = whole(structure), suit(true)
    alone = boards_gone_through(form, classes)
    assert 3 <= alone <= 9
    strategy = strategy_by(true, classes)
    profile = replace(strategy, structure=structure).in_form(form)
    found = responses(form, profile)
    monkeypatch.setattr(structure, "_exchanges", [])
    expected = responses(form, profile)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.best == pytest.approx(theirs.best, abs=1e-13)
        assert mine.value == pytest.approx(theirs.value, abs=1e-13)
    is_between = deal[2] % 3 == 1  # without this flop no hint leads from one suit to the other
    assert alone == 4 + is_between


@pytest.mark.parametrize("seed", range(6))
def test_hints_without_sense_are_not_believed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    structure = SignalStructure(rhode_island(3, 3, 1))
    form, classes = whole(structure), suit(structure)
    rng = np.random.default_rng(seed)
    nonsense = {
        (player, stage): rng.permutation(structure.num_observations(player, stage)).astype(np.int32)
        for player in (0, 1)
        for stage in range(3)
    }
    monkeypatch.setattr(structure, "_exchanges", [nonsense])
    assert boards_gone_through(form, classes) == form.boards.boards.count


def then(first: Any, second: Any) -> Any:
    return {key: second[key][of] for key, of in first.items()}


def test_hints_that_exchange_other_suits_at_every_stage_are_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What follows a hand is then not what follows its image."""
    structure = SignalStructure(rhode_island(3, 3, 1))
    form, classes = whole(structure), suit(structure)
    of_two, of_others = structure.exchanges
    other = then(of_others, of_two)  # leads from the first suit to the second, too
    mixed = {key: (other if key[1] == 2 else of_two)[key] for key in of_two}
    monkeypatch.setattr(structure, "_exchanges", [mixed])
    assert boards_gone_through(form, classes) == 9


def test_hints_that_lead_players_to_several_boards_are_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    structure = SignalStructure(rhode_island(3, 3, 1))
    form, classes = whole(structure), suit(structure)
    of_two, of_others = structure.exchanges
    far = then(then(of_others, of_two), of_others)
    mixed = {key: (far if key[0] else of_two)[key] for key in of_two}
    monkeypatch.setattr(structure, "_exchanges", [mixed])
    assert boards_gone_through(form, classes) == 9


@pytest.mark.parametrize("player", [0, 1])
def test_classes_before_the_boards_are_compared(player: int) -> None:
    """Even those that players would forget, who then do something else on the way there."""
    structure = SignalStructure(rhode_island(3, 3, 1))
    classes = [list(of) for of in suit(structure)]
    changed = classes[player][0].copy()
    changed[-1] = changed.max() + 1
    classes[player][0] = changed
    split: Classes = (tuple(classes[0]), tuple(classes[1]))
    assert boards_gone_through(whole(structure), split) > 3
