"""A person at the table, whose typing is scripted."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from games.connect_four import connect_four
from games.kuhn import kuhn
from games.leduc import leduc
from games.rhode_island import rhode_island
from games.tic_tac_toe import tic_tac_toe
from seqform import build_sequence_form, build_tree, certify, form_of, make, play, respond, solve
from seqform.base.errors import InvalidParameterError, ResultFileError, UnsupportedGameError
from seqform.cli import app
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.rules import TERMINAL
from seqform.strategies.play.play import Hand, Session, table_of
from seqform.strategies.play.rules_table import Bounds, RulesTable, _grade
from seqform.strategies.play.table import Verdict
from tests.strategies import random_profile


def typed(*arguments: str, lines: str) -> str:
    """Run `seqform play` with what is typed, and return what it prints."""
    result = CliRunner().invoke(app, ["play", *arguments], input=lines)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def played(game: Any, against: Any, choose: Any, **options: Any) -> tuple[Session, list[str]]:
    """Play with a function that is given the prompt's actions."""
    shown: list[str] = []

    def ask(prompt: str) -> str:
        return str(choose(re.fullmatch(r"Your move \((.*)\): ", prompt)[1].split(", ")))

    return play(game, against, ask=ask, tell=shown.append, **options), shown


def test_a_hand_of_kuhn_from_the_deal_to_the_review() -> None:
    text = typed("kuhn", "--seed", "3", "--hands", "2", "--player", "1", lines="b\n" * 9)
    assert "Hand 1. You are player 1." in text
    assert re.search(r"You are dealt [JQK]\.", text)
    assert re.search(r"Player 0: (check|bet)\.", text)
    assert re.search(r"in the pot: \d chips, 1 of them yours", text)
    assert re.search(r"Player 0 had [JQK], player 1 had [JQK]\.", text)
    assert re.search(r"You get [+-]\d chips; [+-]?\d so far\.", text)
    assert "the other strategy plays" in text
    assert "You played 2 hands" in text


def test_the_same_seed_deals_the_same_cards() -> None:
    one, same, other = (
        typed("leduc", "--seed", seed, "--hands", "3", lines="1\n" * 30) for seed in ("1", "1", "2")
    )
    assert one == same != other


def test_wrong_input_is_asked_for_again_and_quit_stops_politely() -> None:
    text = typed("kuhn", "--player", "0", lines="\nraise\n?\nquit\n")
    assert "'raise' is no move here. Type a move" in text
    assert text.count("Type a move, the beginning of its name or its number, or quit") == 3
    assert text.count("Your move (check, bet): ") == 4
    assert text.endswith("No hand was played to its end.\n")


def test_the_end_of_the_input_stops_politely() -> None:
    assert typed("kuhn", lines="").endswith("No hand was played to its end.\n")


def test_a_keyboard_interrupt_stops_politely(tmp_path: Path) -> None:
    code = "from seqform.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, "play", "kuhn", "--player", "0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        while "done so far" not in process.stdout.readline():
            pass
        time.sleep(0.1)  # until it waits for the line
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=30)
    assert out.endswith("No hand was played to its end.\n")
    assert (process.returncode, errors) == (0, "")


def test_an_interrupt_within_the_library_stops_politely() -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    shown: list[str] = []
    session = play(kuhn(), solve(kuhn()), ask=interrupted, tell=shown.append)
    assert session.hands == []
    assert shown[-1] == "No hand was played to its end."


@pytest.mark.parametrize("game", [kuhn(), leduc(merge_suits=True), make("kuhn", players=3)])
def test_what_decisions_cost_is_what_a_deviation_there_gives_up(game: Any) -> None:
    """A policy that costs nothing is a best response, and costs add up to the expected loss."""
    form = build_sequence_form(build_tree(game))
    mine = random_profile(form, 2)
    answer = respond(form, mine, 0)
    table = table_of(game, mine)
    best = certify(form, mine).gains[0]
    assert best > 0.1
    rng, costs = np.random.default_rng(5), []
    pure = table_of(game, answer.profile)
    for _ in range(300):
        state = pure.deal(rng)
        while pure.player(state) != TERMINAL:
            if pure.player(state) == -1:
                state = pure.by_chance(state, rng)
                continue
            policy = np.array(pure.policy(state))
            place = int(rng.choice(len(policy), p=policy))
            if pure.player(state) == 0:
                # against the response itself, following it costs nothing
                costs.append(pure.verdict(state, place).cost)
                other = table.verdict(state, place)
                assert other.cost >= 0
                assert other.actions == tuple(pure.actions(state))
            state = pure.after(state, place)
    assert max(costs) < 1e-9


def test_hands_are_dealt_as_often_as_they_should_be() -> None:
    game = leduc(merge_suits=True)
    form = form_of(game)
    profile = random_profile(form, 1)
    by_cards, by_tree = table_of(game, profile), table_of(build_tree(game), profile)
    means = []
    for table in (by_cards, by_tree):
        rng, total, count = np.random.default_rng(1), 0.0, 4000
        for _ in range(count):
            state = table.deal(rng)
            while (mover := table.player(state)) != TERMINAL:
                if mover < 0:
                    state = table.by_chance(state, rng)
                else:
                    policy = np.array(table.policy(state))
                    state = table.after(state, int(rng.choice(len(policy), p=policy)))
            total += table.payoffs(state)[0]
        means.append(total / count)
    expected = certify(form, profile).values[0]
    assert means == pytest.approx([expected] * 2, abs=0.2)  # three standard deviations


def test_decisions_cost_the_same_by_cards_and_on_the_tree() -> None:
    game = leduc(merge_suits=True)
    form = form_of(game)
    profile, rng = random_profile(form, 6), np.random.default_rng(2)
    by_cards, by_tree = table_of(game, profile), table_of(build_tree(game), profile)
    costs = []
    for _ in range(100):
        state, node = by_cards.deal(rng), by_tree.deal(rng)
        while (mover := by_cards.player(state)) != TERMINAL:
            before = state
            if mover < 0:
                state = by_cards.by_chance(state, rng)
                signals = by_cards.structure.deals.signals[by_cards.structure.stages[-1]]
                card = signals[state.deal][by_cards.tree.num_signals[before.node]]
                label = game.deck.cards[card]
                node = by_tree.after(node, by_tree.actions(node).index(label))
                continue
            place = int(rng.integers(len(by_cards.actions(state))))
            costs.append(by_cards.verdict(state, place).cost)
            assert by_tree.verdict(node, place).cost == pytest.approx(costs[-1], abs=1e-9)
            state, node = by_cards.after(state, place), by_tree.after(node, place)
        assert by_tree.payoffs(node) == by_cards.payoffs(state)
    assert max(costs) > 1


def test_a_search_finds_what_backward_induction_does(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tic_tac_toe("xo./.x./..o")
    known = RulesTable(game)
    monkeypatch.setattr("seqform.strategies.play.rules_table.MAX_STATES", 10)
    searched = RulesTable(game, think=60)
    rng = np.random.default_rng(3)
    state = known.deal(rng)
    while known.player(state) != TERMINAL:
        for place in range(len(known.actions(state))):
            assert searched.verdict(state, place) == known.verdict(state, place)
        state = known.after(state, 0)


def test_following_the_equilibrium_costs_nothing() -> None:
    game = leduc(merge_suits=True)
    session, _ = played(game, solve(game), lambda actions: actions[0], hands=20, seed=1)
    assert len(session.hands) == 20
    follows = [
        verdict
        for hand in session.hands
        for verdict in hand.verdicts
        if verdict.probabilities[verdict.chosen] > 1e-6
    ]
    assert follows
    assert max(verdict.cost for verdict in follows) < 1e-9
    assert session.cost > 0
    assert session.won == sum(hand.payoffs[hand.seat] for hand in session.hands)
    assert [hand.seat for hand in session.hands] == [0, 1] * 10


def test_tic_tac_toe_is_never_won_and_the_board_is_shown() -> None:
    session, shown = played(tic_tac_toe(), None, lambda actions: actions[-1], hands=6, seed=2)
    assert all(hand.won <= 0 for hand in session.hands)
    assert ". . .\n. . .\n. . ." in shown
    # the game is worth 0, so what was lost is what mistakes cost
    assert session.cost == -session.won
    text = typed("tic-tac-toe", "--player", "0", "--hands", "1", lines="a1\nc3\na3\nc1\na2\nb1\n")
    assert re.search(r"Player 1: \w\d\.", text)


def test_large_games_are_searched_and_what_is_not_proven_is_said() -> None:
    small = connect_four(4, 3)
    session, _ = played(small, None, lambda actions: actions[0], hands=1, seed=0, think=0.2)
    assert len(session.hands) == 1
    table = RulesTable(connect_four(), think=1e-6)
    state = table.deal(np.random.default_rng(0))
    verdict = table.verdict(state, 3)
    assert np.isnan(verdict.cost)
    assert "what that costs was not proven in time" in verdict.text("games")
    assert sum(verdict.probabilities) == pytest.approx(1)
    known, end = verdict._replace(cost=0.5), (1.0, -1.0)
    for verdicts, words in (
        ((known, known), "Your decisions cost 1 game in expectation."),
        ((known, verdict), "Of your 2 decisions 1 cost 0.5 games in expectation; of the others "),
        ((verdict,), "What your decisions cost is not known: the search proved too little in its"),
    ):
        assert words in str(Session("games", [Hand(0, end, verdicts)]))


def test_what_is_proven_good_comes_first_and_what_is_proven_bad_last() -> None:
    inf = float("inf")
    moves = [Bounds(1, 1), Bounds(0, inf), Bounds(0, 0), Bounds(-inf, inf), Bounds(-1, -1)]
    grades = [_grade(bounds) for bounds in moves]
    assert max(grades) == grades[0]
    assert min(grades) == grades[4]
    assert grades[2] > grades[3]


def test_against_saved_results_and_files(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path / "kuhn", "kuhn")
    text = typed("kuhn", "--against", str(tmp_path / "kuhn"), "--hands", "1", lines="b\nc\nc\n")
    assert "You played 1 hand" in text
    part = tmp_path / "part.csv"
    part.write_text("player,infoset,action,probability\n")
    text = typed("kuhn", "--against", str(part), "--hands", "1", "--player", "0", lines="c\n" * 3)
    assert "the other strategy plays check 50%, bet 50%" in text


def test_a_game_too_large_for_a_tree_is_played_by_classes_of_cards(tmp_path: Path) -> None:
    size = ("-p", "ranks=3", "-p", "suits=2", "-p", "max_bets=1", "--max-nodes", "100")
    game = rhode_island(3, 2, 1)
    strategy = solve(game, abstract="suit", max_nodes=100).strategy
    folder = tmp_path / "saved"
    folder.mkdir()
    strategy.save(folder / "strategy.npz")
    text = typed(
        "rhode-island", *size, "--against", str(folder), "--hands", "2", "--seed", "1",
        lines="2\n" * 20,
    )  # fmt: skip
    assert "On the table: " in text
    assert "You played 2 hands" in text
    with pytest.raises(UnsupportedGameError, match="rhode-island is too large to be solved while"):
        typed("rhode-island", *size, lines="")
    with pytest.raises(ResultFileError, match="a strategy of a game too large for a tree is a fol"):
        typed("rhode-island", *size, "--against", "x.csv", lines="")


def test_classes_of_cards_play_as_all_cards_do() -> None:
    game = rhode_island(3, 2, 1)
    strategy = solve(game, abstract="suit", max_nodes=100).strategy
    whole = table_of(game, strategy.in_form(form_of(game)))
    classes = table_of(game, strategy)
    rng = np.random.default_rng(4)
    for _ in range(100):
        state = classes.deal(rng)
        while (mover := classes.player(state)) != TERMINAL:
            if mover < 0:
                state = classes.by_chance(state, rng)
                continue
            place = int(rng.integers(len(classes.actions(state))))
            mine, theirs = classes.verdict(state, place), whole.verdict(state, place)
            assert mine.probabilities == pytest.approx(theirs.probabilities)
            assert mine.cost == pytest.approx(theirs.cost, abs=1e-9, nan_ok=True)
            state = classes.after(state, place)


def test_suits_are_symbols_where_that_is_asked_for() -> None:
    game = leduc()
    _, plain = played(game, solve(game), lambda actions: actions[0], hands=1, seed=1)
    structure = SignalStructure(game)
    profile = solve(game).profile
    strategy = SignalStrategy(structure, structure.identity, profile.behaviors)
    _, symbols = played(game, strategy, lambda actions: actions[0], hands=1, seed=1, symbols=True)
    assert re.search(r"You are dealt [JQK][sh]\.", "\n".join(plain))
    assert re.search(r"You are dealt [JQK][♠♥]\.", "\n".join(symbols))


def test_a_verdict_says_what_it_costs() -> None:
    verdict = Verdict("K at first", ("check", "bet"), (0.25, 0.75), 0, 0.5)
    assert verdict.text("chips") == (
        "K at first, the other strategy plays check 25%, bet 75%. "
        "You played check: costs 0.5 chips."
    )
    assert verdict._replace(cost=1e-16).text("chips").endswith("costs nothing.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": 0}, "hands=0: use a whole number, at least 1"),
        ({"player": 2}, "there is no player 2"),
        ({"think": 0}, "think=0: use a number of seconds above 0"),
        ({"think": float("nan")}, "think=nan: use"),
    ],
)
def test_wrong_numbers_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        play(kuhn(), lambda *_: None, ask=lambda _: "", **options)


def test_somebody_must_be_played_against() -> None:
    with pytest.raises(UnsupportedGameError, match=r"there is nobody to play against: give"):
        play(kuhn(), ask=lambda _: "")
