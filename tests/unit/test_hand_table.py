"""Games of hands are played and sampled: what is dealt, seen, paid and judged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqform import analyze, expected_values, make, play, sample, solve
from seqform.form.hand_policies import policies_of
from seqform.game.rules import CHANCE, TERMINAL
from seqform.strategies.play.hand_table import HandTable
from tests.symmetric_hand_games import any_hand_game, random_strategy, symmetric_hand_game

SPOT = {"board": "2c2d2h3c3d", "oop": "AA, QQ", "ip": "KK", "pot": 100, "stack": 100}


def test_a_person_plays_a_river() -> None:
    game = make("holdem", **SPOT, sizes="bet 100%")
    shown: list[str] = []
    typed = iter(["check"])
    session = play(
        game, solve(game), ask=lambda _: next(typed, "quit"), tell=shown.append, hands=1, player=0,
        seed=3,
    )  # fmt: skip
    assert any("on the table: 2c 2d 2h 3c 3d; done so far: nothing yet" in line for line in shown)
    assert any(line.startswith("Player 0 had ") for line in shown)
    assert len(session.hands[0].verdicts) == 1


@settings(max_examples=25)
@given(st.integers(0, 100_000))
def test_hands_are_dealt_apart_and_judged_as_the_analysis_does(seed: int) -> None:
    game = any_hand_game(seed)
    form = game.explicit()
    profile = random_strategy(form.origin.hands, seed).in_form(form)  # type: ignore[arg-type]
    found = analyze(form, form.profile(profile.behaviors))
    table, rng = HandTable(form, policies_of(form, profile)), np.random.default_rng(seed)
    state = table.deal(rng)
    while (player := table.player(state)) != TERMINAL:
        if player == CHANCE:
            state = table.by_chance(state, rng)
            continue
        verdict = table.verdict(state, 0)
        name = f"{table.hand(state, player)}:{table.line(state)}"
        of = found[player, name if table.line(state) else table.hand(state, player) + ":"]
        assert verdict.probabilities == pytest.approx(list(of.probabilities.values()))
        worth = list(of.action_values.values())
        assert verdict.cost == pytest.approx(max(worth) - worth[0], abs=1e-9)
        state = table.after(state, int(rng.integers(len(verdict.actions))))
    held = [game.ranges[p].hands[state.hands[p]].tolist() for p in (0, 1)]
    cards = [*held[0], *held[1], *state.cards, *game.board]
    assert len(set(cards)) == len(cards)


@pytest.mark.parametrize("seed", range(20))
def test_samples_expect_what_strategies_get(seed: int) -> None:
    form = symmetric_hand_game(seed).explicit()
    mine = random_strategy(form.origin.hands, seed).in_form(form)  # type: ignore[arg-type]
    apart = random_strategy(form.origin.hands.without_symmetries, seed + 1)  # type: ignore[union-attr]
    others = apart.in_form(form)
    found = sample(form, mine, others, hands=200, seed=seed)
    for seat in (0, 1):
        both = [others.behaviors[p] if p != seat else mine.behaviors[p] for p in (0, 1)]
        worth = expected_values(form, form.profile(both))[seat]
        assert found.expected[seat] == pytest.approx(worth, abs=1e-9)
        means = found.plain(seat), found.corrected(seat)
        for mean in means:  # 200 hands: six standard deviations, and what is never dealt
            assert abs(mean.mean - worth) <= 6 * mean.half / 1.96 + 0.1 * form.largest_payoff


def test_a_sample_against_itself_has_less_luck() -> None:
    game = make("holdem", **SPOT, sizes="bet 100%")
    found = sample(game, solve(game), hands=1000)
    assert found.corrected(0).half < found.plain(0).half
    assert found.expected == pytest.approx((25, -25), abs=1e-6)
    row = list(found.rows())[1]
    assert row[3] in ("check-check", "check-allin100-call", "allin100-fold", "allin100-call")
