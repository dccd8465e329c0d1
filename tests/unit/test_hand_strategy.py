"""Strategies of games of hands: what is taken, what is asked, what is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqform import evaluate, solve
from seqform.base.array_file import write_arrays
from seqform.base.errors import InvalidParameterError, InvalidStrategyError, ResultFileError
from seqform.concepts.nash import KEPT, NASH, certify
from seqform.exact.bracket import interval_of
from seqform.form.hand_form import hand_form
from seqform.form.hand_strategy import KIND, VERSION, HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame, HandRange
from seqform.form.keepers import keeping_of
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.io.strategy_file import read_strategy
from seqform.results.status import Status
from seqform.results.verification import verify
from tests.symmetric_hand_games import any_hand_game, exchanges, random_strategy, random_tables

DECK = tuple(rank + suit for rank in "TJQ" for suit in "shd")
CARD = {name: card for card, name in enumerate(DECK)}


def two_streets() -> BettingTree:
    """Return a tree in which player 0 may bet before a card is dealt, and player 1 after it."""
    builder = BettingTreeBuilder()
    check, bet = builder.act(builder.root, 0, ["check", "bet"])
    fold, call = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (1, -1))
    builder.showdown(builder.deal(call), 2)
    node = builder.deal(check)
    check, bet = builder.act(node, 1, ["check", "bet"])
    builder.showdown(check, 1)
    fold, call = builder.act(bet, 0, ["fold", "call"])
    builder.end(fold, (-1, 1))
    builder.showdown(call, 3)
    return builder.build()


def game() -> HandGame:
    """Return a game of two cards a hand with nine cards, of which one lies face up."""
    hands = [hand for hand in combinations(range(len(DECK)), 2) if CARD["Qd"] not in hand]
    held = HandRange(np.array(hands, dtype=np.int16), np.ones(len(hands), dtype=np.int64))
    rank = lambda hands, board: (hands // 3).sum(axis=1) + 7 * (hands % 3 == board[1] % 3).any(1)  # noqa: E731
    return HandGame(DECK, (CARD["Qd"],), (held, held), two_streets(), rank, exchanges(9, 3))


def any_kind(game: Any) -> Any:
    """Return a game whose kind `solve` finds out."""
    return game


STRUCTURE = HandStructure(game())


def tables(dtype: Any = np.float64) -> list[dict[int, Any]]:
    return random_tables(STRUCTURE, 3, dtype)


def strategy(dtype: Any = np.float64) -> HandStrategy:
    return HandStrategy(STRUCTURE, tables(dtype))


def test_suits_that_the_board_does_not_have_are_alike() -> None:
    assert len(STRUCTURE.symmetries) == 2
    assert [len(of.first) for of in STRUCTURE.orbits] == [1, 5]


def test_what_is_given_is_not_changed_and_is_taken_as_it_is() -> None:
    given = [{node: of.copy() for node, of in each.items()} for each in strategy().behaviors]
    made = HandStrategy(STRUCTURE, given)
    for before, after in zip(given, made.behaviors, strict=True):
        assert all(after[node] is before[node] for node in before)
    single = strategy(np.float32)
    assert all(of.dtype == np.float32 for each in single.behaviors for of in each.values())


def test_tables_are_copied_unless_they_may_be_changed() -> None:
    given, again = tables(), tables()
    made = HandStrategy(STRUCTURE, given)
    for mine, theirs in zip(given, again, strict=True):
        assert all((mine[node] == theirs[node]).all() for node in mine)
    here = HandStrategy(STRUCTURE, given, in_place=True)
    for player, each in enumerate(here.behaviors):
        assert all(each[node] is given[player][node] for node in each)
        assert all((each[node] == made.behaviors[player][node]).all() for node in each)


def test_entries_of_hands_that_meet_the_board_are_not_looked_at() -> None:
    given = tables()
    node = next(node for node in given[1] if STRUCTURE.game.betting.dealt[node])
    dead = ~strategy().alive[1][1]
    assert dead.any()
    given[1][node] = np.where(dead[:, None], np.nan, given[1][node])
    made = HandStrategy(STRUCTURE, given).behaviors[1][node]
    assert (made.transpose(0, 2, 1)[dead] == 0).all()
    assert np.isfinite(made).all()


def test_hands_that_symmetries_exchange_get_the_mean() -> None:
    given, made = tables(), strategy()
    images = STRUCTURE.symmetries[1].hands[0]
    here = made.behaviors[0][0][0]
    assert (here == here[:, images]).all()
    assert here == pytest.approx((given[0][0][0] + given[0][0][0][:, images]) / 2)


def test_what_is_done_on_boards_is_exchanged_with_the_hands() -> None:
    made = strategy()
    for symmetry in STRUCTURE.symmetries:
        for board, (card,) in enumerate(STRUCTURE.boards(1).tolist()):
            there = STRUCTURE.board_number([int(symmetry.cards[card])])
            for player, each in enumerate(made.behaviors):
                for node in each:
                    if STRUCTURE.game.betting.dealt[node]:
                        one, other = (made.on_board(player, node, of) for of in (board, there))
                        assert (one == other[:, symmetry.hands[player]]).all()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda of: of[0].pop(0), "one too few or too many of node 0"),
        (lambda of: of[1].update({0: of[0][0]}), "player 1.*node 0"),
        (lambda of: of[0].update({0: of[0][0][:, :1]}), r"player 0, after '' \(node 0\).*shape"),
        (lambda of: of[0].update({0: of[0][0].astype(np.float16)}), "float16"),
        (lambda of: of[0].update({0: -of[0][0]}), "orbit 0, hand 0: -.* is not a probability"),
        (lambda of: of[0].update({0: of[0][0] * 1.001}), "orbit 0, hand 0: .* sum to 1.00"),
        (lambda of: of[0].update({0: of[0][0] * (1 + 2e-9)}), "sum to 1.00"),
        (lambda of: of[0].update({0: of[0][0] * 0}), "sum to 0"),
        (lambda of: of.pop(), "1 strategies given for 2"),
    ],
)
def test_what_is_no_strategy_is_refused(spoil: Any, words: str) -> None:
    given = tables()
    spoil(given)
    with pytest.raises(InvalidStrategyError, match=words):
        HandStrategy(STRUCTURE, given)


def test_single_precision_may_sum_to_one_up_to_what_it_has() -> None:
    given = tables(np.float32)
    given[0][0] *= np.float32(1 + 5e-7)
    made = HandStrategy(STRUCTURE, given)
    assert np.abs(made.on(0, 0, 0).sum(axis=0) - 1).max() <= 4e-16
    given[0][0] *= np.float32(1 + 5e-6)
    with pytest.raises(InvalidStrategyError, match="sum to"):
        HandStrategy(STRUCTURE, given)


@given(st.integers(0, 100_000))
def test_asked_by_names_it_says_what_the_vectors_say(seed: int) -> None:
    form = hand_form(any_hand_game(seed))
    structure = form.origin.hands
    assert structure is not None
    made = random_strategy(structure, seed)
    profile = made.in_form(form)
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in range(0, treeplex.num_infosets, 1 + treeplex.num_infosets // 5):
            name = form.infoset_text(player, infoset)
            hand, _, line = name.partition(":")
            found, wanted = made.ask(hand, line), profile[player, name]
            assert found.infosets == (name,)
            assert dict(found) == pytest.approx(dict(wanted))
            assert found.reach == pytest.approx(wanted.reach)


def test_hands_are_asked_for_in_any_order_and_all_at_once() -> None:
    made = strategy()
    one = made.ask("QsTs", "check/Th/bet")
    assert one == made.ask("TsQs", "check/Th/bet") == made.ask(["Qs", "Ts"], "check/Th/bet")
    assert one == made.ask("Qh Th", "check/Ts/bet")
    every = made.ask("*", "check/Th/bet")
    names = [name.partition(":")[0] for name in every.infosets]
    assert len(names) == 7 * 6 // 2
    each = [made.ask(name, "check/Th/bet") for name in names]
    reach = [of.reach for of in each]
    mean = sum(of["call"] * of.reach for of in each) / sum(reach)
    assert every["call"] == pytest.approx(mean)
    assert every.reach == pytest.approx(np.mean(reach))


@pytest.mark.parametrize(
    ("hand", "history", "words"),
    [
        ("QsJs", "raise", "nobody acts after 'raise'; write it like one of '', 'bet'"),
        ("QsJs", "check-", "nobody acts"),
        ("QsJs", "check", "nobody acts"),
        ("QsJs", "check/Th/check", "nobody acts"),
        ("QsJs", "check/Qd/bet", "Qd cannot be dealt"),
        ("QsTh", "check/Th/bet", "cannot hold 'QsTh' here.*Qd Th"),
        ("QsQd", "", "cannot hold 'QsQd'"),
        ("QsQs", "", "cannot hold 'QsQs'"),
        ("Qs", "", "cannot hold 'Qs' here: the range has no such hand of 2 cards"),
        ("QsJx", "", "are no cards: there is none that begins 'Jx'"),
    ],
)
def test_what_cannot_be_is_refused(hand: str, history: str, words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        strategy().ask(hand, history)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_saved_and_read(dtype: Any, tmp_path: Path) -> None:
    made = strategy(dtype)
    made.save(tmp_path / KEPT)
    found = HandStrategy.load(tmp_path / KEPT, STRUCTURE)
    for mine, theirs in zip(made.behaviors, found.behaviors, strict=True):
        assert mine.keys() == theirs.keys()
        assert all((mine[node] == theirs[node]).all() for node in mine)
        assert all(of.dtype == dtype for of in theirs.values())


def test_what_single_precision_holds_is_kept_in_it(tmp_path: Path) -> None:
    even = HandStrategy.uniform(STRUCTURE)
    double = [{node: of.astype(np.float64) for node, of in each.items()} for each in even.behaviors]
    HandStrategy(STRUCTURE, double).save(tmp_path / KEPT)
    found = HandStrategy.load(tmp_path / KEPT, STRUCTURE)
    assert all(of.dtype == np.float32 for each in found.behaviors for of in each.values())


def test_files_of_other_games_and_kinds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / KEPT
    with pytest.raises(ResultFileError, match="does not exist"):
        HandStrategy.load(path, STRUCTURE)
    strategy().save(path)
    other = hand_form(any_hand_game(5)).origin.hands
    assert other is not None
    with pytest.raises(ResultFileError, match="of another game"):
        HandStrategy.load(path, other)
    for name in ("behavior2.0", "behavior0.x", "else", "behavior0"):
        write_arrays(path, KIND, VERSION, {"symmetries": 2}, {name: np.zeros(1)})
        with pytest.raises(ResultFileError, match="is damaged or of another game"):
            HandStrategy.load(path, STRUCTURE)
    write_arrays(path, "something-else", VERSION, {}, {})
    with pytest.raises(ResultFileError, match="something-else"):
        HandStrategy.load(path, STRUCTURE)


@given(st.integers(0, 100_000))
def test_vectors_are_kept_by_all_boards(seed: int) -> None:
    """As a linear program finds them, in which symmetric hands may be played differently."""
    form = hand_form(any_hand_game(seed))
    structure, keeping = form.origin.hands, keeping_of(form)
    assert structure is not None
    assert keeping is not None
    rng = np.random.default_rng(seed)
    profile = form.profile_of_plans([rng.random(t.num_sequences) for t in form.treeplexes])
    kept = keeping.of(form, profile)
    again = kept.in_form(form)
    for mine, theirs in zip(profile.behaviors, again.behaviors, strict=True):
        assert theirs == pytest.approx(mine, abs=1e-15)
    assert keeping.of(form, again) is kept


def test_a_profile_is_written_and_read_as_it_is_kept(tmp_path: Path) -> None:
    form = hand_form(game())
    structure = form.origin.hands
    assert structure is not None
    for profile in (
        random_strategy(structure, 2).in_form(form),
        form.profile([treeplex.uniform() for treeplex in form.treeplexes]),
    ):
        NASH.save(form, profile, tmp_path)
        found = NASH.load(form, tmp_path, {})
        again, before = certify(form, found), certify(form, profile)
        assert again.values == pytest.approx(before.values, abs=1e-14)
        assert found.kept is not None


def test_a_result_is_saved_loaded_and_verified_without_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solution = solve(any_kind(game()))
    form = solution.game
    kept = random_strategy(form.origin.hands, 2).in_form(form)
    for name in ("hand_numbering.HandNumbering.treeplex", "lifted_profile.KeptProfile._made"):
        monkeypatch.setattr(f"seqform.form.{name}", property(lambda self: 1 / 0))
    monkeypatch.setattr("seqform.exact.saved_plans.MOST_LISTED", 0)
    certificate, proven = certify(form, kept), interval_of(form, kept)
    made = replace(
        solution, status=Status.LIMIT, answer=kept, certificate=certificate, proofs=(proven,)
    )
    made.save(tmp_path / "kept", "nine cards")
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"result.json", KEPT}
    found = verify(tmp_path / "kept", lambda name, parameters: game()).solution
    assert found.certificate == certificate
    assert found.proofs[0].record() == proven.record()
    assert found.profile is not None
    assert found.profile.kept is not None
    asked = "QsTs", "check/Th/bet"
    assert found.ask(*asked) == found.strategy.ask(*asked) == made.strategy.ask(*asked)


def test_a_result_by_vectors_is_saved_and_verified_with_its_proof(tmp_path: Path) -> None:
    solution = solve(any_kind(game()))
    solution.save(tmp_path / "exact", "nine cards")
    found = verify(tmp_path / "exact", lambda name, parameters: game())
    assert found.is_proof
    assert found.record()["exact_value"] == solution.record()["exact_value"]


def test_a_file_is_evaluated_without_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = hand_form(game())
    structure = form.origin.hands
    assert structure is not None
    made = random_strategy(structure, 4)
    made.save(tmp_path / "some.npz")
    for name in ("hand_numbering.HandNumbering.treeplex", "lifted_profile.KeptProfile._made"):
        monkeypatch.setattr(f"seqform.form.{name}", property(lambda self: 1 / 0))
    found = evaluate(form, read_strategy(tmp_path / "some.npz", form))
    wanted = certify(form, made.in_form(form))
    assert found.profile == wanted
    assert evaluate(form, made).profile == wanted
    assert evaluate(form, made.in_form(form)).profile == wanted
