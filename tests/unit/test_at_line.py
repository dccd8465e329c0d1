"""Points of games of hands: tables, matrices, commands, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.holdem import holdem
from seqform import AtLine, Solution, at_line, brief, load_strategy, make, show, solve
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    ResultFileError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hands import HandGame, HandRange
from seqform.game.betting_tree import BettingTreeBuilder
from tests.command_line import call

SPOT: dict[str, Any] = {
    "board": "2c2d2h3c3d",
    "oop": "AA, QQ",
    "ip": "KK",
    "pot": 100,
    "stack": 100,
    "sizes": "bet 100%",
}
"""AA bets all, QQ half of the time; EV 75 (desktop-postflop, issue 27)."""
GIVEN = [word for key, value in SPOT.items() for word in ("-p", f"{key}={value}")]


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(make("holdem", **SPOT))


@pytest.fixture(scope="module")
def flop() -> HandStrategy:
    """Even strategies on a flop of four hands against three."""
    game = holdem("2c2d2h", "AsAh, KsKh, 7s6s, 5h4h", "QQ", 100, 300, "bet 100%")
    return HandStrategy.uniform(game.explicit().origin.hands)  # type: ignore[arg-type]


def plain_game() -> HandGame:
    """Return a game that says of no groups, no grid, and no pot: one card each, bet or check."""
    builder = BettingTreeBuilder()
    bet, check = builder.act(builder.root, 0, ["bet", "check"])
    fold, call_ = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (1, -1))
    builder.showdown(call_, 2)
    builder.showdown(check, 1)
    held = HandRange(np.array([[0], [1], [2]]), np.array([1, 1, 1]))
    return HandGame(
        ("J", "Q", "K"), (), (held, held), builder.build(), lambda hands, board: hands[:, 0]
    )


def test_the_spot_that_needs_fractions(solution: Solution) -> None:
    at = at_line(solution)
    assert at.frequencies == pytest.approx({"check": 0.25, "allin100": 0.75}, abs=1e-6)
    assert at.values == pytest.approx((75, 25), abs=1e-6)
    assert at.equity == pytest.approx((0.5, 0.5))
    classes = {group.name: group for group in at.by("class").groups}
    assert classes["AA"].probabilities == pytest.approx((0, 1), abs=1e-6)
    assert classes["QQ"].probabilities == pytest.approx((0.5, 0.5), abs=1e-6)
    assert classes["AA"].equity == 1
    assert [classes[name].num_hands for name in ("AA", "QQ")] == [6, 6]
    after = at_line(solution, "allin100")
    assert after.reach == pytest.approx(0.75, abs=1e-6)
    assert after.equity[1] == pytest.approx(1 / 3, abs=1e-6)


def test_a_line_never_played_is_in_brackets(solution: Solution) -> None:
    text = at_line(solution, "check-allin100").by("class").text
    assert "(in brackets: where play never comes)" in text
    assert ["AA", "(0)", "(1)"] in [line.split() for line in text.splitlines()]


def test_tables_are_as_wide_as_a_terminal() -> None:
    game = make("holdem", sizes="bet 25%,33%,50%,66%,75%,100%,125%,150%,a; raise 50%,a")
    strategy = HandStrategy.uniform(game.explicit().origin.hands)
    table = at_line(strategy).by("made")
    assert len(table.tables) > 1
    assert max(map(len, table.text.splitlines())) < 80
    heads = [column.head for of in table.tables for column in of.columns if column.group]
    assert heads == list(at_line(strategy).actions)


def test_the_best_hands_come_first_and_rows_are_counted(solution: Solution) -> None:
    table = at_line(solution).by("hand", rows=3)
    chances = [group.equity for group in table.groups]
    assert chances == sorted(chances, reverse=True)
    assert len(table.groups) == 12
    assert "9 rows more" in table.text
    assert sum(group.share for group in table.groups) == pytest.approx(1)
    with pytest.raises(InvalidParameterError, match="at least one row"):
        at_line(solution).by("hand", rows=0)


def test_either_player_is_shown(solution: Solution) -> None:
    at = at_line(solution)
    table = at.by("class", "ip")
    assert table.player == 1
    assert [group.name for group in table.groups] == ["KK"]
    assert table.total.probabilities == ()
    assert "player 1 (ip) holds" in table.text


def test_the_matrix_has_means_over_hands(solution: Solution) -> None:
    lines = at_line(solution).matrix("allin100").splitlines()
    assert lines[0] == "allin100 of player 0 (oop), percent"
    assert lines[3].split() == ["A", "100"]
    assert lines[5].split() == ["Q", "50"]
    assert max(map(len, lines)) < 80
    values = at_line(solution).matrix("EV", 1).splitlines()
    assert values[4].split() == ["K", "25.00"]
    weights = at_line(solution, "allin100").matrix("weight", "oop").splitlines()
    assert weights[5].split() == ["Q", "50"]


def test_draws_of_a_flop() -> None:
    game = holdem("Th9h2c", "8h7h, QsJs, 3c3d", "AsAd", 100, 100, "bet 100%")
    at = at_line(HandStrategy.uniform(game.explicit().origin.hands))  # type: ignore[arg-type]
    found = {group.name: group.num_hands for group in at.by("draw").groups}
    assert found == {"no draw": 1, "straight draw": 1, "flush draw and straight draw": 1}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chek", "did you mean 'check'"),
        ("check-bet", "did you mean 'bet100'"),
        ("bet100-fold", "play is over after 'bet100-fold'"),
        ("bet100-fold-call", "leave out 'call'"),
        ("check-check", "a card is dealt after 'check-check'; add it, as in 'check-check/2s'"),
        ("check-check/2c", "'2c' lies there already"),
        ("check-check/As-check", "as in 'check-check/As/check'"),
        ("check-check/Ax", "'Ax' is no card"),
        ("check-check/3c/check-check/3c", "'3c' lies there already"),
        ("check-check/3c/raise", "nobody can 'raise' after 'check-check/3c'"),
    ],
)
def test_a_line_that_goes_wrong_says_where(flop: HandStrategy, line: str, said: str) -> None:
    with pytest.raises(InvalidParameterError) as error:
        at_line(flop, line)
    assert said in str(error.value)


def test_lines_go_on_after_cards(flop: HandStrategy) -> None:
    at = at_line(flop, "check-check/3c/bet100")
    assert (at.player, at.line) == (1, "check-check/3c/bet100")
    assert [at.game.deck[card] for card in at.board.tolist()] == ["2c", "2d", "2h", "3c"]


def test_what_is_unknown_is_refused(solution: Solution) -> None:
    at = at_line(solution)
    with pytest.raises(UnknownNameError, match="did you mean 'made'"):
        at.by("mad")
    with pytest.raises(UnknownNameError, match="use one of check, allin100, EV, equity, weight"):
        at.matrix("bet200")
    with pytest.raises(UnknownNameError, match="use one of EV, equity, weight"):
        at.matrix("allin100", "ip")
    with pytest.raises(UnsupportedGameError, match="line by line"):
        at_line(solve(make("kuhn")))


def test_a_game_that_says_little_is_shown_by_hand() -> None:
    solution = solve(plain_game())
    at = at_line(solution)
    assert at.groups == ("hand",)
    assert [group.name for group in at.by().groups] == ["K", "Q", "J"]
    assert at.values[0] == pytest.approx(solution.value)
    assert at.values[1] == pytest.approx(-solution.value)
    with pytest.raises(UnsupportedGameError, match="no matrix"):
        at.matrix("bet")


def test_rows_are_data(solution: Solution, tmp_path: Path) -> None:
    table = at_line(solution).by("class")
    rows = list(table.rows())
    assert rows[0]["name"] == "AA"
    assert rows[0]["probability of allin100"] == pytest.approx(1, abs=1e-6)
    table.save_frame(tmp_path / "rows.csv")
    with open(tmp_path / "rows.csv", encoding="utf-8") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["AA", "QQ"]
    record = json.loads(json.dumps(table.record("holdem", SPOT)))
    assert record["acts"] == 0
    assert record["board"] == ["2c", "2d", "2h", "3c", "3d"]
    assert record["values"] == pytest.approx([75, 25], abs=1e-6)


def test_strategies_of_all_kinds_are_looked_at(solution: Solution) -> None:
    game = make("holdem", **SPOT)
    even = at_line({}, game=game)
    assert even.frequencies == pytest.approx({"check": 0.5, "allin100": 0.5})
    kept = HandStrategy.uniform(game.explicit().origin.hands)
    assert at_line(kept, game=game).frequencies == pytest.approx(even.frequencies)
    assert isinstance(at_line(solution.profile), AtLine)
    assert show(kept, game=game, ask=("AsAh", "")).text.count("0.500") == 2


def test_commands_show_points() -> None:
    text = call("show", "holdem", *GIVEN, "--line", "allin100")
    assert text.startswith("player 1 (ip), after allin100, on 2c 2d 2h 3c 3d")
    matrix = call("show", "holdem", *GIVEN, "--matrix", "allin100")
    assert "allin100 of player 0 (oop), percent" in matrix
    record = json.loads(call("show", "holdem", *GIVEN, "--by", "class", "--json"))
    assert record["by"] == "class"
    rows = csv.DictReader(io.StringIO(call("show", "holdem", *GIVEN, "--line", "", "--csv")))
    assert len(list(rows)) == 12
    with pytest.raises(InvalidParameterError, match="exclude each other"):
        call("show", "holdem", *GIVEN, "--line", "allin100", "--infoset", "AsAh")


@pytest.mark.parametrize(
    ("game", "line", "said"),
    [
        ("river", "check-raise", "nobody can 'raise' after 'check'"),
        ("push-fold", "puhs", "did you mean 'push'"),
        ("kuhn", "raise", "--infoset TEXT"),
    ],
)
def test_a_wrong_line_is_refused_before_anything_is_solved(
    game: str, line: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("seqform.solve", lambda *_, **__: pytest.fail("it was solved"))
    with pytest.raises(SeqformError, match=said):
        call("show", game, "--line", line)


def test_the_short_answer_begins_with_the_range(solution: Solution) -> None:
    solution = solve(make("holdem"))
    found = brief(solution, "holdem")
    titles = [table.title for table in found.tables if table.title]
    assert titles[0].startswith("player 0 (oop), first to act")
    assert len(titles) == 2
    assert sum(len(table.rows) for table in found.tables) <= 32
    assert max(len(line) for table in found.tables for line in table.lines()) < 80
    command = next(step for step, _ in found.steps if "--line" in step)
    assert call(*command.split()[1:])


def test_the_short_answer_has_all_equilibria() -> None:
    found = brief(solve(make("holdem", **SPOT), family=True))
    assert dict(found.rows)["equilibria"].endswith("stands below")
    (varying,) = (table for table in found.tables if table.title.startswith("what varies"))
    assert ("player 0 (oop)", "check at QdQc:", "0", "1") in varying.rows


def test_a_saved_result_is_shown_without_a_certificate(solution: Solution, tmp_path: Path) -> None:
    assert 'solution.save("result", name, parameters)' in str(solution)
    with pytest.raises(ResultFileError, match="give name"):
        solution.save(tmp_path / "spot")
    solution.save(tmp_path / "spot", "holdem", SPOT)
    assert at_line(load_strategy(tmp_path / "spot")).values == pytest.approx((75, 25), abs=1e-6)
    assert "after allin100" in call("show", str(tmp_path / "spot"), "--line", "allin100")
    told = call("evaluate", "holdem", *GIVEN, "--profile", str(tmp_path / "spot"))
    assert "expected payoffs" in told
    for option in ("--lines", "--hands"):
        with pytest.raises(UnsupportedGameError, match="show --line"):
            call("evaluate", "holdem", *GIVEN, "--profile", str(tmp_path / "spot"), option)


def test_large_games_are_shown_by_points_alone(
    solution: Solution, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    solution.save(tmp_path / "spot", "holdem", SPOT)
    monkeypatch.setattr("seqform.strategies.show.show.MOST_OF_HANDS", 5)
    with pytest.raises(GameTooLargeError, match="at_line"):
        show(solution)
    assert "first to act" in call("show", str(tmp_path / "spot"))
    with pytest.raises(GameTooLargeError, match="too many"):
        call("show", str(tmp_path / "spot"), "--ask", "AsAh", "")
