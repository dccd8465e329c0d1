"""Games of hands go all the way that games go: solved, proven, shown, saved, verified."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seqform
from games.kuhn import kuhn
from seqform import build_sequence_form, build_tree
from seqform.base.arrays import Ints
from seqform.base.errors import (
    GameTooLargeError,
    InvalidStrategyError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.concepts.judge import responses
from seqform.form.hand_form import HandForm, hand_form
from seqform.form.hand_payoff import ROUNDINGS, HandPayoff
from seqform.form.hands import HandGame, HandRange
from seqform.form.set_reach import reach_of_others
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.report.write import report_page
from seqform.results.verification import load
from tests.laws.test_hand_poker import as_hands
from tests.reference.hand_rules import HandRules

DECK = tuple(rank + suit for rank in "234" for suit in "sh")


def betting(rake: Fraction | int = 0) -> BettingTree:
    """Bet or check, answer, a card, and once more; all in with the first bet."""
    builder = BettingTreeBuilder()

    def shown(node: int, stake: int) -> None:
        win = stake - rake * stake
        builder.show(node, (win, -stake), (-rake * stake / 2,) * 2, (-stake, win))

    def answer(node: int, player: int, stake: int, stay: Any) -> None:
        fold, call = builder.act(node, player, ["fold", "call"])
        builder.end(fold, (1, -1) if player else (-1, 1))
        stay(call, stake)

    def all_in(node: int, stake: int) -> None:
        shown(builder.deal(node), stake)

    check, bet = builder.act(builder.root, 0, ["check", "bet"])
    answer(bet, 1, 3, all_in)
    checked, bet = builder.act(check, 1, ["check", "bet"])
    answer(bet, 0, 3, all_in)
    passed, bet = builder.act(builder.deal(checked), 0, ["check", "bet"])
    shown(passed, 1)
    answer(bet, 1, 2, shown)
    return builder.build()


def ranks(hands: Ints, board: Ints) -> Ints:
    """The sum of ranks, and more for each card that pairs with the last one on the board."""
    pairs = (hands // 2 == board[-1] // 2).sum(axis=1)
    return (hands // 2).sum(axis=1) + 5 * pairs


def highest(hands: Ints, board: Ints) -> Ints:
    return hands.max(axis=1)


def two_cards(rake: Fraction | int = 0) -> HandGame:
    hands = np.array(list(combinations(range(6), 2)))[:12]
    mine = HandRange(hands[::2], np.arange(1, 7))
    theirs = HandRange(hands, np.full(12, 3))
    return HandGame(DECK, (), (mine, theirs), betting(rake), ranks)


def find(name: str, parameters: dict[str, Any]) -> Any:
    assert (name, parameters) == ("two-cards", {})
    return two_cards()


@pytest.fixture(scope="module")
def value() -> Fraction:
    """Of the explicit tree."""
    exact = seqform.solve(HandRules(two_cards()), method="lp", prove=True).exact
    assert exact is not None
    return exact.value


@pytest.fixture(scope="module")
def solution() -> seqform.Solution:
    return seqform.solve(two_cards(), method="lp", prove=True)  # type: ignore[arg-type]


@pytest.fixture
def folder(solution: seqform.Solution, tmp_path: Path) -> Path:
    solution.save(tmp_path / "hands", "two-cards")
    return tmp_path / "hands"


def test_it_is_solved_certified_and_proven(solution: seqform.Solution, value: Fraction) -> None:
    assert solution.status is seqform.Status.SOLVED
    assert isinstance(solution.game, HandForm)
    assert solution.exact is not None
    assert solution.exact.value == value
    assert solution.lower <= value <= solution.upper
    assert solution.upper - solution.lower < 1e-9


def test_fractions_are_found(value: Fraction) -> None:
    exact = seqform.solve(two_cards(), exact=True).exact  # type: ignore[arg-type]
    assert exact is not None
    assert exact.value == value


def test_an_iterative_method_solves_it(value: Fraction) -> None:
    found = seqform.solve(two_cards(), method="dcfr", gap=1e-2)  # type: ignore[arg-type]
    assert found.nash_gap <= 1e-2
    assert found.lower <= value <= found.upper


def test_it_is_saved_verified_and_loaded(folder: Path, value: Fraction) -> None:
    verified = seqform.verify(folder, find)
    assert verified.is_proof
    assert Fraction(verified.record()["exact_value"]) == value
    again = load(folder, find)
    assert again.exact is not None
    assert again.exact.value == value


def test_a_result_of_another_game_is_refused(folder: Path) -> None:
    def other(name: str, parameters: dict[str, Any]) -> Any:
        game = two_cards()
        mine, theirs = game.ranges
        return replace(game, ranges=(HandRange(mine.hands, mine.weights[::-1]), theirs))

    with pytest.raises(VerificationError):
        seqform.verify(folder, other)


def test_it_is_asked_by_hand_and_line(solution: seqform.Solution) -> None:
    profile = solution.profile
    assert profile is not None
    form = solution.game
    assert form.infoset_parts(0, 0) == ("2h2s", "")
    assert form.infoset_label(1, 12) == "2h2s:bet"
    assert form.actions(1, 12) == ("fold", "call")
    chances = [profile[0, "3h2h:check-check/4h", action] for action in ("check", "bet")]
    assert sum(chances) == pytest.approx(1.0)
    assert "check-check/4h" in str(seqform.show(solution))


def test_a_hand_on_a_card_of_the_board_has_no_information_set(solution: seqform.Solution) -> None:
    assert solution.profile is not None
    with pytest.raises(seqform.SeqformError, match="2h2s:check-check/2h"):
        _ = solution.profile[0, "2h2s:check-check/2h", "bet"]


def test_it_is_reported(solution: seqform.Solution, folder: Path, value: Fraction) -> None:
    for page in (report_page(solution), report_page(folder, find=find)):
        assert str(value) in page
        assert 'type="application/gzip" id="result-0-lines-' in page


def test_kuhn_poker_has_its_value() -> None:
    solution = seqform.solve(as_hands(kuhn()), exact=True)  # type: ignore[arg-type]
    assert solution.exact is not None
    assert solution.exact.value == Fraction(-1, 18)


def test_with_rake_it_is_of_general_sum() -> None:
    form = two_cards(Fraction(1, 20)).explicit()
    assert form.constant_sum is None
    assert not isinstance(form, HandForm)
    tree = seqform.build_tree(HandRules(two_cards(Fraction(1, 20))))
    for game in (form, tree):
        with pytest.raises(seqform.SeqformError, match="R10"):
            seqform.solve(game, method="lp")
    found = seqform.solve(form, method="dcfr", iterations=200)
    assert 0 <= found.nash_gap < 1


def operator() -> HandPayoff:
    found = two_cards().explicit().zero_sum_operator()
    assert isinstance(found, HandPayoff)
    return found


def test_what_tells_two_games_apart() -> None:
    game = two_cards()
    mine, theirs = game.ranges
    others = [
        replace(game, ranges=(HandRange(mine.hands, mine.weights[::-1]), theirs)),
        replace(game, ranges=(theirs, theirs)),
        replace(game, strength=lambda hands, board: -ranks(hands, board)),
        replace(game, deck=game.deck[::-1]),
        as_hands(kuhn()),
    ]
    prints = [list(of.explicit().zero_sum_operator().fingerprint()) for of in [game, *others]]
    assert all(one != other for one, other in combinations(prints, 2))
    assert prints[0] == list(operator().fingerprint())


def test_weights_tell_games_apart_even_if_their_sum_does_not() -> None:
    game = as_hands(kuhn(4))
    prints = []
    for weights in ([1, 2], [2, 1]):
        mine = HandRange(np.array([[0], [1]]), np.array(weights))
        theirs = HandRange(np.array([[2], [3]]), np.array([1, 1]))
        form = hand_form(replace(game, ranges=(mine, theirs)))
        prints.append(list(form.zero_sum_operator().fingerprint()))
    assert prints[0] != prints[1]


def test_roundings_are_those_of_the_line_at_which_most_ends_meet() -> None:
    """After a bet there is a fold, and a showdown on each of six boards."""
    assert [operator().roundings(axis) for axis in (0, 1)] == [ROUNDINGS + 1 + 6] * 2


def test_large_weights_are_listed_exactly() -> None:
    game = two_cards()
    large = [HandRange(of.hands, of.weights * 2**45 + 1) for of in game.ranges]
    game = replace(game, ranges=(large[0], large[1]))
    sparse = hand_form(game).zero_sum_operator().to_sparse()
    whole = build_sequence_form(build_tree(HandRules(game))).zero_sum_operator().to_sparse()
    assert sparse.numerators is not None
    assert whole.numerators is not None
    mine, theirs = (
        sorted(Fraction(number, of.denominator) for number in of.numerators.tolist())
        for of in (sparse, whole)
    )
    assert mine == theirs


def test_reach_is_never_negative() -> None:
    """What hands weigh that share no card is a difference: here of sums that cancel to -1.1e-16."""
    builder = BettingTreeBuilder()
    node, other = builder.act(builder.root, 1, ["a", "b"])
    builder.end(other, (0, 0))
    for end in builder.act(node, 0, ["c", "d"]):
        builder.end(end, (1, -1))
    mine = HandRange(np.array([[0, 1]]), np.array([1]))
    theirs = HandRange(np.array([[0, 2], [1, 3], [2, 3]]), np.array([1, 1, 1]))
    form = hand_form(HandGame(DECK, (), (mine, theirs), builder.build(), highest))
    behaviors = [np.array([1.0, 0.5, 0.5]), np.array([1.0, 0.3, 0.7, 0.6, 0.4, 0.0, 1.0])]
    profile = form.profile(behaviors)
    assert 0.3 + 0.6 - 0.3 - 0.6 < 0
    assert reach_of_others(form, profile.plans)[0].tolist() == [0.0]


def test_bounds_on_errors_have_no_entries() -> None:
    errors = operator().errors()
    assert errors is not None
    assert errors.absolute() is errors
    assert not errors.is_exact
    none = np.zeros(0, dtype=np.int64)
    for ask in (
        errors.to_sparse,
        errors.to_csr,
        errors.numerator_bound,
        lambda: errors.submatrix(none, none),
        lambda: errors.integer_times(none),
        lambda: errors.integer_transposed_times(none),
    ):
        with pytest.raises(UnsupportedGameError, match="has no entries"):
            ask()


def hold_em(known: int) -> HandGame:
    """All hands of two cards of a deck of 52."""
    hands = np.array(list(combinations(range(known, 52), 2)))
    every = HandRange(hands, np.ones(len(hands), dtype=np.int64))
    deck = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")

    return HandGame(deck, tuple(range(known)), (every, every), betting(), highest)


def test_what_does_not_fit_is_refused_with_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    form = hold_em(4).explicit()
    assert isinstance(form, HandForm)
    counts = [treeplex.num_sequences for treeplex in form.treeplexes]
    assert counts == [1 + 1128 * 4 + 48 * 1081 * 2, 1 + 1128 * 4 + 48 * 1081 * 2]
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**22)
    with pytest.raises(GameTooLargeError, match=r"108,289 sequences of player 0 needs about 6 MB"):
        _ = form.treeplexes[0].parent_sequence
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**20)
    with pytest.raises(GameTooLargeError, match="48 boards and 2,256 hands needs about 2 MB"):
        form.infoset_label(0, form.treeplexes[0].num_infosets - 1)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 2**30)
    with pytest.raises(GameTooLargeError, match=r"payoffs by pairs of hands needs about .* GB"):
        form.zero_sum_operator().to_sparse()


def test_a_turn_is_certified_without_its_entries() -> None:
    form = hold_em(4).explicit()
    assert form.zero_sum_operator().num_nonzeros > 10**8
    profile = form.profile([treeplex.uniform() for treeplex in form.treeplexes])
    first, second = responses(form, profile)
    assert first.value == pytest.approx(-second.value, abs=1e-9)
    assert first.error < 1e-9
    assert first.best > first.value


def test_a_profile_of_another_game_is_refused() -> None:
    form, other = two_cards().explicit(), as_hands(kuhn()).explicit()
    profile = other.profile([treeplex.uniform() for treeplex in other.treeplexes])
    with pytest.raises(InvalidStrategyError, match="it belongs to another game"):
        responses(form, profile)
