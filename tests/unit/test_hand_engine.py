"""The engine of games of hands: what it refuses, when it is chosen, and a game in closed form."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import Solution, make, solve
from seqform.base.arrays import Ints
from seqform.base.errors import InvalidParameterError, ResultFileError, UnsupportedGameError
from seqform.form.hand_form import hand_form
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTree, BettingTreeBuilder
from seqform.methods.need import SEARCH_BYTES, need_of_search
from seqform.solvers.iterative.checkpoint import open_checkpoint
from seqform.solvers.iterative.regret import engine as engines
from seqform.solvers.iterative.regret.engine import regret_engine
from seqform.solvers.iterative.regret.hand_engine import HandEngine
from seqform.solvers.iterative.regret.rules import rule
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from tests.random_ranges import exchangeable_hand_game, random_hand_game


def half_street(tie: Fraction | int = 0) -> BettingTree:
    """Return a bet or a check of player 0, antes of one chip, and no raise."""
    builder = BettingTreeBuilder()
    bet, check = builder.act(builder.root, 0, ["bet", "check"])
    fold, call = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (1, -1))
    builder.show(call, (2, -2), (tie, -tie), (-2, 2))
    builder.showdown(check, 1)
    return builder.build()


def high_card(hands: Ints, board: Ints) -> Ints:
    found: Ints = hands.max(axis=1)
    return found


def every_hand(cards: int, size: int) -> HandRange:
    hands: Any = np.array(list(combinations(range(cards), size)), dtype=np.int16)
    return HandRange(hands, np.ones(len(hands), dtype=np.int64))


def ace_king_queen(size: int = 1, cards: int = 3, tie: Fraction | int = 0) -> HandGame:
    hands = every_hand(cards, size)
    return HandGame(tuple("QKA23456"[:cards]), (), (hands, hands), half_street(tie), high_card)


def test_ace_king_queen_comes_out_as_in_the_literature() -> None:
    engine = HandEngine(HandStructure(ace_king_queen()), rule("dcfr"))
    engine.run(2000)
    lower, upper = engine.bounds()
    assert lower <= 1 / 18 + 1e-6
    assert upper >= 1 / 18 - 1e-6
    assert upper - lower < 1e-3
    first, second = engine.behaviors()
    assert first[0][0, 0].tolist() == pytest.approx([1 / 3, 0, 1], abs=1e-2)  # bets with Q, K, A
    assert second[1][0, 1].tolist() == pytest.approx([0, 1 / 3, 1], abs=1e-2)  # calls


def test_rules_that_predict_or_do_not_alternate_are_refused() -> None:
    structure = HandStructure(ace_king_queen())
    for unfit in (rule("pcfr+"), replace(rule("dcfr"), alternating=False)):
        with pytest.raises(InvalidParameterError, match="alternate and do not predict"):
            HandEngine(structure, unfit)


def test_hands_of_three_cards_are_refused() -> None:
    with pytest.raises(UnsupportedGameError, match=r"hands have 3 cards: .* takes up to 2"):
        HandEngine(HandStructure(ace_king_queen(3, 7)), rule("dcfr"))


def test_ties_that_pay_no_half_are_refused_with_the_line() -> None:
    game = ace_king_queen(tie=Fraction(1, 2))
    with pytest.raises(UnsupportedGameError, match="after 'bet-call' a tie pays something else"):
        HandEngine(HandStructure(game), rule("dcfr"))


def test_large_games_of_hands_have_the_engine_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    form = hand_form(ace_king_queen())
    assert isinstance(regret_engine(form, rule("dcfr")), TreeplexEngine)
    monkeypatch.setattr(engines, "BY_ROUNDS_FROM", 0)
    assert isinstance(regret_engine(form, rule("dcfr"), single=True), HandEngine)
    assert isinstance(regret_engine(form, rule("pcfr+"), single=True), TreeplexEngine)
    uneven = hand_form(ace_king_queen(tie=Fraction(1, 2)))
    assert isinstance(regret_engine(uneven, rule("dcfr"), single=True), TreeplexEngine)


def test_what_is_found_is_kept_by_boards_and_hands() -> None:
    game = random_hand_game(5, (2, 2))
    engine = HandEngine(HandStructure(game), rule("dcfr"))
    plans = engine.plans()
    engine.run(5)
    profile = engine.profile(hand_form(game), engine.plans(), rounded=True)
    assert isinstance(profile.kept, HandStrategy)
    tables = profile.kept.behaviors[0].values()
    assert any(np.unique(table[table > 0]).size > 2 for table in tables)
    first = engine.profile(hand_form(game), plans, rounded=True).kept  # what was kept stays
    assert isinstance(first, HandStrategy)
    for table in first.behaviors[0].values():
        assert set(np.unique(table).tolist()) <= {0.0, float(np.float32(1 / table.shape[1]))}


def test_a_search_goes_on_from_a_checkpoint_as_if_it_had_not_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engines, "BY_ROUNDS_FROM", 0)
    game, path = random_hand_game(5, (2, 2)), tmp_path / "search"

    def search(iterations: int, **options: Any) -> Solution:
        return solve(hand_form(game), method="dcfr", gap=1e-4, iterations=iterations, **options)

    whole = search(300)
    assert whole.method == "dcfr/hand"
    search(100, checkpoint=path)
    resumed = search(300, checkpoint=path, resume=True)
    assert resumed.nash_gap == whole.nash_gap
    game = random_hand_game(6, (2, 2))
    with pytest.raises(ResultFileError, match="another game"):
        search(300, checkpoint=path, resume=True)


def test_a_checkpoint_of_hands_in_other_places_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All hands, and those that stand for them, fill up as many vectors."""
    form, path = hand_form(exchangeable_hand_game(1)), tmp_path / "search"
    structure = form.origin.hands
    assert structure is not None
    merged = HandEngine(structure, rule("dcfr"))
    monkeypatch.setattr(structure, "alike_cards", None)
    listed = HandEngine(structure, rule("dcfr"))
    states = [{name: of.shape for name, of in e.state().items()} for e in (listed, merged)]
    assert states[0] == states[1]
    listed.run(3)
    saved, _ = open_checkpoint(path, form, listed, "dcfr", resume=False)
    saved.save(listed, None, force=True)
    assert open_checkpoint(path, form, listed, "dcfr", resume=True)[1] is None
    with pytest.raises(ResultFileError, match="delete it"):
        open_checkpoint(path, form, merged, "dcfr", resume=True)
    assert merged.iterations == 0


def test_what_a_search_takes_is_that_of_boards() -> None:
    """One hand takes a whole vector, too."""
    for ip in ("TT-88, AQ", "KhKd"):
        form = make("holdem", board="QsJh2h8c", oop="QQ+, AKs", ip=ip).explicit()
        structure = form.origin.hands
        assert structure is not None
        engine = HandEngine(structure, rule("dcfr"), threads=1)
        assert need_of_search(form).num_bytes - SEARCH_BYTES == engine._num_bytes(False)
