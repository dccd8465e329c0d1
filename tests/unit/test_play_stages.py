"""A person at a tournament, whose typing is scripted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import seqform
from games.three_handed_one_card import three_handed_one_card
from seqform.base.errors import InvalidParameterError, InvalidStrategyError
from seqform.cli import app
from seqform.strategies.play.play import Session
from tests.random_recursive_games import kuhn_tournament


def typed(*arguments: str, lines: str) -> str:
    """Run `seqform play` with what is typed, and return what it prints."""
    result = CliRunner().invoke(app, ["play", *arguments], input=lines)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def played(profile: seqform.StationaryProfile, move: str, **options: int) -> tuple[Session, str]:
    shown: list[str] = []
    session = seqform.play_stages(profile, ask=lambda prompt: move, tell=shown.append, **options)
    return session, "\n".join(shown)


@pytest.fixture(scope="module")
def kuhn() -> seqform.RecursiveSolution:
    return seqform.solve_recursive(kuhn_tournament(4, 2))


def test_hands_are_played_until_somebody_has_all(kuhn: seqform.RecursiveSolution) -> None:
    session, text = played(kuhn.profile, "1", plays=4, seed=1)
    assert [hand.seat for hand in session.hands] == [0, 1, 0, 1]
    assert all(sorted(hand.payoffs) == [0, 1] for hand in session.hands)
    assert (
        "Play 1. You are player 0.\nStage 1: 2 against 2 chips. You are in seat 0.\nYou know: "
        in text
    )
    assert re.search(r"^Seat [01]: (check|bet|fold|call), at [JQK]:", text, re.MULTILINE)
    assert re.search(r"^Stage 2: .* chips\. You are in seat 1\.", text, re.MULTILINE)
    assert re.search(r"the other strategy plays .* You played \w+: costs", text)
    assert "You played 4 plays:" in text
    assert text == played(kuhn.profile, "1", plays=4, seed=1)[1]
    assert text != played(kuhn.profile, "1", plays=4, seed=2)[1]


def test_the_strategy_s_own_moves_cost_nothing(kuhn: seqform.RecursiveSolution) -> None:
    session, _ = played(kuhn.profile, "2", plays=8, seed=3)
    verdicts = [verdict for hand in session.hands for verdict in hand.verdicts]
    own = [verdict for verdict in verdicts if verdict.probabilities[verdict.chosen] > 1e-6]
    assert own
    assert all(verdict.cost < 1e-6 for verdict in own)
    assert any(verdict.cost > 1e-3 for verdict in verdicts)


def test_three_play_for_prizes_against_chance() -> None:
    graph = seqform.stage_graph(three_handed_one_card(chips=6, cards=3))
    profile = seqform.StationaryProfile.uniform(graph)
    session, text = played(profile, "2", plays=3, player=2, seed=5)
    assert [hand.seat for hand in session.hands] == [2, 2, 2]
    assert all(sum(hand.payoffs) == 100 for hand in session.hands)
    assert "Stage 1: 2, 2, 2 chips. You are in seat 2." in text


def test_who_stops_is_told_what_was_played(kuhn: seqform.RecursiveSolution) -> None:
    _, text = played(kuhn.profile, "quit", seed=1)
    assert text.endswith("No play was played to its end.")


@pytest.mark.parametrize("options", [{"plays": 0}, {"plays": True}, {"player": 2}])
def test_what_cannot_be_played_is_refused(
    options: dict[str, int], kuhn: seqform.RecursiveSolution
) -> None:
    with pytest.raises(InvalidParameterError):
        played(kuhn.profile, "1", **options)


def test_on_the_command_line(tmp_path: Path) -> None:
    game = ("kuhn-tournament", "-p", "chips=4", "--hands", "1", "--seed", "1")
    text = typed(*game, lines="1\n" * 500)
    assert "Stage 1: 2 against 2 chips. You are in seat 0." in text
    assert "You played 1 play" in text
    seqform.solve(seqform.make("kuhn-tournament", chips=4)).save(
        tmp_path / "saved", "kuhn-tournament", {"chips": 4}
    )
    assert typed(*game, "--against", str(tmp_path / "saved"), lines="1\n" * 500) == text
    assert "check 50%, bet 50%" in typed(*game, "--against", "uniform", lines="1\n" * 500)
    seqform.solve(seqform.make("kuhn")).save(tmp_path / "kuhn", "kuhn")
    with pytest.raises(InvalidStrategyError, match="not recursive"):
        typed(*game, "--against", str(tmp_path / "kuhn"), lines="1\n")
