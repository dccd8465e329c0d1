"""Strategies of Kuhn poker for n players at a table of n + 1."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from experiments.one_more_player import CARDS, left_out, one_more, situations, without
from games.kuhn import kuhn
from seqform import build_sequence_form, build_tree
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm


def form_of(players: int) -> SequenceForm:
    return build_sequence_form(build_tree(kuhn(players=players)))


FORMS = {players: form_of(players) for players in (2, 3, 4)}


@pytest.mark.parametrize(
    ("history", "seat", "before"),
    [
        ("", 0, ""),
        ("check", 0, ""),
        ("check check", 1, "check"),
        ("bet", 1, "bet"),  # the last one has yet to answer
        ("bet fold", 1, "bet"),
        ("bet call", 1, "bet"),  # all others have called
        ("check bet", 1, "bet"),  # the first, who checked, has yet to answer
        ("check bet fold", 0, "check bet"),
        ("check check bet fold", 0, "check bet"),  # the second was first then
    ],
)
def test_who_is_left_out_at_a_table_of_three(history: str, seat: int, before: str) -> None:
    done = history.split()
    assert without(done, 3, left_out(done, 3)) == (seat, tuple(before.split()))


@pytest.mark.parametrize("players", [3, 4])
def test_every_situation_is_one_of_the_smaller_game(players: int) -> None:
    smaller = {(seat, done) for seat, _, done, _, _ in situations(FORMS[players - 1])}
    for seat, _, done, _, _ in situations(FORMS[players]):
        out = left_out(done, players)
        assert out != seat
        assert "bet" not in done or out != done.index("bet")
        assert without(done, players, out) in smaller


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize("cards", [4, 5, 9])
def test_cards_keep_their_order_and_count_once(name: str, cards: int) -> None:
    places = []
    for card in range(cards):
        found = CARDS[name](card, cards)
        assert sum(share for _, share in found) == 1
        assert all(0 <= same < cards - 1 and 0 < share <= 1 for same, share in found)
        places.append(sum((same * share for same, share in found), Fraction(0)))
    assert places == sorted(places)
    assert (places[0], places[-1]) == (0, cards - 2)


@pytest.mark.parametrize("name", CARDS)
def test_uniform_strategies_stay_uniform_and_others_are_looked_up(name: str) -> None:
    uniform = Profile.uniform(FORMS[2].treeplexes)
    mapped = one_more(FORMS[2], uniform, FORMS[3], name)
    for own, treeplex in zip(mapped.behaviors, FORMS[3].treeplexes, strict=True):
        assert own == pytest.approx(treeplex.uniform())
    behaviors = [t.uniform() for t in FORMS[2].treeplexes]
    for seat, card, done, first, last in situations(FORMS[2]):
        if (seat, card, done) == (1, 2, ("bet",)):  # the king calls
            behaviors[seat][first:last] = (0.0, 1.0)
    calls = one_more(
        FORMS[2], Profile.from_behaviors(FORMS[2].treeplexes, behaviors), FORMS[3], name
    )
    for seat, card, done, first, last in situations(FORMS[3]):
        shares = dict(CARDS[name](card, 4))
        same = without(done, 3, left_out(done, 3)) == (1, ("bet",))
        king = float(shares.get(2, 0)) if same else 0.0
        assert calls.behaviors[seat][first:last] == pytest.approx(
            np.array([0.5 - king / 2, 0.5 + king / 2])
        )
