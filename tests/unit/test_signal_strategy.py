"""Strategies by classes of observations: asked, saved, and lifted to the whole game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from abstraction.outcome import outcome
from abstraction.signal_reduction import SignalReduction
from abstraction.suit import suit
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.rhode_island import rhode_island
from seqform import build_sequence_form, build_tree
from seqform.base.array_file import read_arrays, write_arrays
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    ResultFileError,
    SeqformError,
)
from seqform.form.from_signals import build_signal_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import KIND, VERSION, SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.links.lifting import lift_profile
from tests.strategies import random_profile

STRUCTURES = {
    "kuhn": SignalStructure(kuhn()),
    "leduc": SignalStructure(leduc()),
    "leduc, suits merged": SignalStructure(leduc(merge_suits=True)),
    "rhode island": SignalStructure(rhode_island(4, 2, 1)),
}
WHOLE = {
    name: build_sequence_form(build_tree(structure.game)) for name, structure in STRUCTURES.items()
}
CRITERIA: dict[str, Any] = {
    "identity": lambda structure: structure.identity,
    "suit": suit,
    "outcome": outcome,
}
CASES = [
    (name, criterion)
    for name in STRUCTURES
    for criterion in CRITERIA
    if criterion != "suit" or name in ("leduc", "rhode island")
]


def random_strategy(name: str, criterion: str, single: bool = False) -> SignalStrategy:
    structure = STRUCTURES[name]
    classes = CRITERIA[criterion](structure)
    form = build_signal_form(structure, classes)
    profile = random_profile(form, 7)
    return SignalStrategy(
        structure, classes, (profile.rounded(form.treeplexes) if single else profile).behaviors
    )


def some_infosets(form: SequenceForm, player: int) -> list[int]:
    count = form.treeplexes[player].num_infosets
    return (
        list(range(count))
        if count < 1000
        else np.random.default_rng(3).integers(0, count, 100).tolist()
    )


@pytest.mark.parametrize(("name", "criterion"), CASES)
def test_it_answers_as_the_lifted_profile_plays_at_the_information_set_of_that_label(
    name: str, criterion: str
) -> None:
    strategy, form = random_strategy(name, criterion), WHOLE[name]  # labels are the tree's
    lifted = strategy.in_whole_game()[1]
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in some_infosets(form, player):
            cards, history = str(form.infoset_label(player, infoset)).split(":")
            first, after = treeplex.first_sequence[infoset : infoset + 2]
            answer = strategy.ask(cards, history)
            assert tuple(answer) == form.actions(player, infoset)
            assert list(answer.values()) == pytest.approx(
                lifted.behaviors[player][first:after], abs=1e-15
            )
            assert strategy.ask(cards.split(), history) == answer
            above = lifted.plans[player][treeplex.parent_sequence[infoset]]
            assert answer.reach == pytest.approx(above, rel=1e-12)


def test_what_was_added_is_said_to_be() -> None:
    structure = SignalStructure(kuhn())
    form = build_signal_form(structure)
    behaviors = [np.ones(t.num_sequences) / 2 for t in form.treeplexes]
    strategy = SignalStrategy(structure, structure.identity, tuple(behaviors))
    (king,) = (i for i in range(6) if form.infoset_label(0, i) == "K:")
    first = int(form.treeplexes[0].first_sequence[king])
    behaviors[0][first : first + 2] = [0.0, 1.0]  # check, bet
    after = strategy.ask("K", "check-bet")
    assert (after.reach, after) == (0.0, {"fold": 0.5, "call": 0.5})
    assert str(after) == "{'fold': 0.5, 'call': 0.5}  # added: the player never gets there"
    assert strategy.ask("Q", "check-bet").reach == 0.5
    first_move = strategy.ask("K", "")
    assert (first_move.reach, str(first_move)) == (1.0, "{'check': 0.0, 'bet': 1.0}")


@pytest.mark.parametrize(("name", "criterion"), CASES)
def test_in_the_whole_game_it_is_the_lifted_profile_of_the_reduction(
    name: str, criterion: str
) -> None:
    strategy = random_strategy(name, criterion)
    form, profile = strategy.in_whole_game()
    _, inverse = SignalReduction(criterion, CRITERIA[criterion]).apply(STRUCTURES[name].game)
    expected = lift_profile(Profile(strategy.behaviors, ()), inverse)
    for player in (0, 1):
        np.testing.assert_array_equal(profile.behaviors[player], expected.behaviors[player])
        np.testing.assert_array_equal(profile.plans[player], expected.plans[player])
        np.testing.assert_array_equal(
            form.treeplexes[player].parent_sequence, WHOLE[name].treeplexes[player].parent_sequence
        )


def test_the_whole_game_must_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.form.whole_form.BYTES_PER_SEQUENCE", 10**15)
    with pytest.raises(GameTooLargeError, match="25,602 sequences"):
        _ = random_strategy("rhode island", "suit").in_whole_game()[1].plans


@pytest.mark.parametrize(
    ("cards", "history", "word"),
    [
        ("Ks", "check-fold", "nobody acts after the history 'check-fold'"),
        ("Ks", "check-check", "nobody acts"),  # chance does
        ("Ks", "call", "write it like one of ''"),
        ("Ks", "/", "nobody acts"),
        ("Zs", "", "no card 'Zs' among"),
        ("", "", "has seen 1 card here, and 0 cards given"),
        ("Ks Qs", "", "has seen 1 card here, and 2 cards given"),
        ("Ks", "check-check/", "has seen 2 cards here, and 1 card given"),
        ("Ks Ks", "check-check/", "Ks Ks cannot all be dealt"),
        ("ks", "", "no card 'ks'"),
    ],
)
def test_questions_without_an_answer_are_refused(cards: str, history: str, word: str) -> None:
    with pytest.raises(InvalidParameterError) as error:
        random_strategy("leduc", "suit").ask(cards, history)
    assert word in str(error.value)


@pytest.mark.parametrize(("name", "criterion"), CASES)
@pytest.mark.parametrize("single", [True, False])
def test_what_is_saved_is_loaded(tmp_path: Path, name: str, criterion: str, single: bool) -> None:
    path, strategy = tmp_path / "strategy.npz", random_strategy(name, criterion, single)
    strategy.save(path)
    assert read_arrays(path, KIND, VERSION)[1]["behavior0"].dtype == (
        np.float32 if single else np.float64
    )
    again = SignalStrategy.load(path, SignalStructure(STRUCTURES[name].game))
    for player in (0, 1):
        np.testing.assert_array_equal(again.behaviors[player], strategy.behaviors[player])
        assert again.behaviors[player].dtype == np.float64
        for mine, theirs in zip(again.classes[player], strategy.classes[player], strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "strategy.npz"
    random_strategy("leduc", "suit").save(path)
    with np.load(path) as data:
        content = {name: data[name].copy() for name in data.files}
    content["behavior0"][1:3] = 0.5
    np.savez_compressed(path, **content)
    with pytest.raises(ResultFileError, match="altered"):
        SignalStrategy.load(path, STRUCTURES["leduc"])


OTHERS = {
    "kuhn": kuhn(),
    "4 ranks": leduc(4),
    "merged": leduc(merge_suits=True),
    "dice": liars_dice(1, 3),
    "1 bet": leduc(max_bets=1),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_strategy_of_another_game_is_refused(tmp_path: Path, other: str) -> None:
    path = tmp_path / "strategy.npz"
    random_strategy("leduc", "suit").save(path)
    with pytest.raises(SeqformError):
        SignalStrategy.load(path, SignalStructure(OTHERS[other]))


@pytest.mark.parametrize("bets", [(1, 2), (2, 1)])
def test_so_is_one_of_a_game_with_the_same_cards_and_other_betting(
    tmp_path: Path, bets: tuple[int, int]
) -> None:
    structures = [SignalStructure(rhode_island(3, 2, count)) for count in bets]
    form = build_signal_form(structures[0])
    behaviors = random_profile(form, 1).behaviors
    strategy = SignalStrategy(structures[0], structures[0].identity, behaviors)
    strategy.save(tmp_path / "strategy.npz")
    with pytest.raises(ResultFileError, match="is of another game: player 0 has"):
        SignalStrategy.load(tmp_path / "strategy.npz", structures[1])


@pytest.mark.parametrize("lost", ["behavior1", "classes0.1"])
def test_a_file_with_parts_missing_is_refused(tmp_path: Path, lost: str) -> None:
    path = tmp_path / "strategy.npz"
    random_strategy("leduc", "suit").save(path)
    header, arrays = read_arrays(path, KIND, VERSION)
    del arrays[lost]
    write_arrays(path, KIND, VERSION, {"stages": header["stages"]}, arrays)
    with pytest.raises(ResultFileError, match="damaged"):
        SignalStrategy.load(path, STRUCTURES["leduc"])
    for stages in ("two", None):
        write_arrays(path, KIND, VERSION, {"stages": stages}, arrays)
        with pytest.raises(ResultFileError, match="damaged"):
            SignalStrategy.load(path, STRUCTURES["leduc"])
