"""Profiles asked by the names of players' information sets and actions."""

from __future__ import annotations

from typing import Any

import pytest

from games.kuhn import kuhn
from games.leduc import leduc
from seqform import build_sequence_form, build_tree, solve
from seqform.base.errors import GameTooLargeError, InvalidParameterError, UnknownNameError
from seqform.form import local_strategy
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from tests.reference.plain_games import plain_kuhn
from tests.strategies import random_profile


def form() -> SequenceForm:
    return build_sequence_form(build_tree(leduc()))


def test_every_name_finds_its_probability() -> None:
    game = form()
    profile = game.profile(random_profile(game, 3).behaviors)
    for player, treeplex in enumerate(game.treeplexes):
        assert len(profile[player]) == treeplex.num_infosets
        assert list(profile[player])[5] == game.infoset_label(player, 5)
        for infoset in range(0, treeplex.num_infosets, 17):
            label, first = game.infoset_label(player, infoset), treeplex.first_sequence[infoset]
            local = profile[player, label]
            assert local == profile[player][label]
            assert local.reach == profile.plans[player][treeplex.parent_sequence[infoset]]
            for place, action in enumerate(game.actions(player, infoset)):
                assert profile[player, label, action] == profile.behaviors[player][first + place]
                assert local[action] == profile[player, label, action]


def test_a_solution_answers_by_the_names_of_its_own_game() -> None:
    solution = solve(kuhn())
    assert solution.profile[1, "J:bet"] == {"fold": 1.0, "call": 0.0}
    assert solution.profile[1, "K:bet", "call"] == 1.0
    assert solution.profile is solution.profile  # whose names are not made again
    assert "J:bet" in solution.profile[1]
    assert "J:bet" not in solution.profile[0]
    assert solve(leduc(5), abstract="suit").profile[0, "Ts:", "bet"] >= 0


def test_keys_that_are_no_text_are_found_as_they_are_and_as_they_are_written() -> None:
    profile = solve(plain_kuhn()).profile
    key: Any = next(iter(profile[0]))
    assert not isinstance(key, str)
    assert profile[0, key] == profile[0, str(key)]


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        (2, InvalidParameterError, "there is no player 2"),
        ("0", InvalidParameterError, "there is no player '0'"),
        ((0, "Jq:"), UnknownNameError, "no information set 'Jq:' (did you mean 'J"),
        ((0, "Js:", "bets"), UnknownNameError, "did you mean 'bet'?); use check, bet"),
        ((0, ["Js:"]), UnknownNameError, "player 0 has no information set ['Js:']"),
        ((0, "Js:", "bet", 1), InvalidParameterError, "[player, infoset, action]"),
        ((), InvalidParameterError, "[player, infoset, action]"),
    ],
)
def test_refusals_name_what_is_near(key: Any, error: type[Exception], words: str) -> None:
    game = form()
    with pytest.raises(error) as caught:
        _ = game.profile([t.uniform() for t in game.treeplexes])[key]
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_profiles_without_a_form_and_very_large_games_are_not_asked_by_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = form()
    with pytest.raises(InvalidParameterError, match=r"form\.profile"):
        _ = Profile.uniform(game.treeplexes)[0]
    monkeypatch.setattr(local_strategy, "MOST_NAMED", 400)
    with pytest.raises(GameTooLargeError, match="468 information sets"):
        _ = game.profile([t.uniform() for t in game.treeplexes])[0, "Js:"]
