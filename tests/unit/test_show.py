"""`show`: strategies as tables, by hand and by action, chosen, cut, and refused."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.centipede import centipede
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from games.nim import nim
from games.rhode_island import rhode_island
from games.textbook import chicken
from seqform import (
    SequenceForm,
    build_sequence_form,
    build_tree,
    load,
    show,
    solve,
)
from seqform.base.errors import (
    GameTooLargeError,
    InvalidParameterError,
    ResultFileError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.drawing import draw_tree
from seqform.form.profile import Profile
from seqform.form.signal_strategy import strategy_of
from seqform.game.deals import Deck
from seqform.strategies.analysis import COLUMNS
from seqform.strategies.analyze import analyze
from seqform.strategies.show import by_hand, subject
from seqform.strategies.show.by_hand import card_kinds
from seqform.strategies.show.table_text import Column, Table
from tests.command_line import call, typed

KUHN = """\
player 0
     first         check-bet
     check  bet     fold   call
  J      1    0        1      0
  Q      1    0    0.667  0.333
  K      1    0        0      1

player 1
     check           bet
     check    bet       fold     call
  J  0.667  0.333        (1)      (0)
  Q      1      0    (0.667)  (0.333)
  K      0      1        (0)      (1)

(in brackets: where play never comes)"""


def form_of(game: Any) -> SequenceForm:
    return build_sequence_form(build_tree(game))


def uniform(game: Any) -> Profile:
    form = form_of(game)
    return form.profile([treeplex.uniform() for treeplex in form.treeplexes])


def test_kuhn_by_hand() -> None:
    profile = solve(kuhn()).profile
    solution = solve(kuhn())
    assert show(solution).text == KUHN
    assert call("show", "kuhn") == KUHN + "\n"
    assert show(profile, layout="actions").tables[0].rows[0][0] == "J:"


def test_numbers_are_those_of_the_strategy_by_hand_of_every_hand() -> None:
    solution = solve(leduc(2))
    shown = show(solution, rows=10_000)
    assert not shown.left_out
    assert [t.title for t in shown.tables[:3]] == [
        "player 0",
        "player 1",
        "player 0, after check-check/",
    ]
    for table in shown.tables:
        before = table.title.partition("after ")[2]
        for row in table.rows:
            for column, text in list(zip(table.columns, row, strict=True))[1:]:
                line = "" if column.group == "first" else column.group
                for hand in spelled(row[0]):
                    local = solution.ask(hand, before + line)
                    assert float(text.strip("()")) == pytest.approx(local[column.head], abs=0.0006)


def spelled(name: str) -> list[str]:
    """Return the hands that the name of a row stands for."""
    if "alike" in name:
        return [name.partition(" (")[0]]
    suits = ["s", "h"]
    found = []
    for hand in name.split(", "):
        cards = hand.split(" ")
        if len(cards[0]) == 2:
            return name.split(", ")
        first = cards[0] + suits[0]
        rest = [card + suits[1] for card in cards[1:]]
        found.append(" ".join([first, *rest]))
    return found


def test_hands_played_alike_are_one_row_and_others_are_not() -> None:
    form = form_of(leduc())
    behaviors = [treeplex.uniform() for treeplex in form.treeplexes]
    names = [form.infoset_label(0, h) for h in range(6)]
    assert names == ["Js:", "Jh:", "Qs:", "Qh:", "Ks:", "Kh:"]
    behaviors[0][1:3] = [0.25, 0.75]  # Js alone
    solution = solve(leduc())
    shown = show(replace(solution, answer=form.profile(behaviors), proofs=()), player=0)
    assert [row[0] for row in shown.tables[0].rows] == ["Js", "Jh", "Q", "K"]
    assert shown.tables[0].rows[0][1:3] == ("0.250", "0.750")


def test_kinds_are_what_symmetries_exchange() -> None:
    deck = rhode_island(3, 2, 1).deck
    assert card_kinds(deck) == ["J", "J", "Q", "Q", "K", "K"]
    assert card_kinds(Deck(("a", "b", "c"), (1, 1, 1), symmetries=((1, 0, 2),))) == [
        "a|b",
        "a|b",
        "c",
    ]
    same_beginning = Deck(("a1", "a2", "a3", "a4"), (1,) * 4, symmetries=((1, 0, 3, 2),))
    assert card_kinds(same_beginning) == ["a1|a2", "a1|a2", "a3|a4", "a3|a4"]


def test_a_board_and_a_name_choose_hands() -> None:
    solution = solve(rhode_island(3, 2, 1), abstract="none")
    shown = show(solution, board="Ks", infoset=":check-check/", values=True)
    first = shown.tables[0]
    assert first.title == "player 0, after check-check/, with Ks on the board"
    assert [row[0] for row in first.rows] == ["Js", "Jh", "Qs", "Qh", "K"]
    assert [c.head for c in first.columns[1:4]] == ["check", "bet", "value"]
    of, numbers = analyze(solution.game, solution.profile).players[0], shown.rows()
    row = next(numbers)
    assert row["infoset"] == "Js Ks:check-check/"
    labels = [solution.game.infoset_label(0, h) for h in range(len(of.values))]
    assert row["value"] == of.values[labels.index("Js Ks:check-check/")]
    one = show(solution, infoset="Qs Ks:check-check/bet", player=1)
    assert {t.rows[0][0] for t in one.tables} == {"Qs Ks", "Js Qs Ks"}  # both are so called
    assert all("Qs Ks:check-check/bet" in row["infoset"] for row in one.rows())
    lines = show(solution, infoset="check-bet", player=0, rows=1000).tables
    assert {c.group for t in lines for c in t.columns if c.group} >= {"check-bet"}


def test_a_large_games_strategy_is_shown_by_classes() -> None:
    solution = solve(rhode_island(3, 3, 1), abstract="suit", max_nodes=1000)
    assert solution.game.tree is None
    shown = show(solution)
    assert [row[0] for row in shown.tables[0].rows] == ["J", "Q", "K"]
    strategy = strategy_of(solution.game, solution.profile)
    again = show(strategy)
    assert again.text == shown.text
    later = show(strategy, board="Kd", player=0, infoset=":check-check/", rows=8)
    assert later.left_out > 0
    assert sum(len(table.rows) for table in later.tables) == 8
    assert "rows more" in later.text
    text = call("show", "rhode-island", "-p", "ranks=3", "-p", "suits=3", "-p", "max_bets=1")
    assert "player 1" in text


def test_games_of_many_lines_and_games_without_signals_are_shown_by_action() -> None:
    dice = show(uniform(liars_dice(1, 2)))
    assert dice.tables[0].columns[0].head == "infoset"
    actions = show(solve(chicken())).tables
    assert [table.title for table in actions] == ["player 0", "player 1"]
    assert len(actions[0].rows) == 2
    three = show(uniform(kuhn(players=3)), player=2, infoset="Q")
    assert {row[0] for row in three.tables[0].rows if row[0]} == {
        str(row["infoset"]) for row in three.rows()
    }


def test_what_is_never_reached_says_who_does_not_go_there() -> None:
    rows = show(solve(kuhn()), layout="actions").tables[1].rows
    bet = [row for row in rows if row[0] == "K:bet"]
    assert bet[0][1:3] == ("never: others", "")
    assert bet[0][4].startswith("(")
    shown = show(solve(leduc()), layout="actions", rows=10_000)
    text = shown.text
    assert "never: own" in text
    for table in shown.tables:
        never = False
        for row in table.rows:
            never = row[1].startswith("never") if row[0] else never
            assert row[4].startswith("(") == never


def test_beliefs_are_over_the_moves_that_lead_there() -> None:
    table = show(solve(kuhn()), player=1, infoset="K", beliefs=True).tables[-1]
    assert table.title == "beliefs of player 1"
    assert ("K:check", "J K check", "0.500") in table.rows
    assert ("K:bet", "J K bet", "undefined") in table.rows


def test_answers_of_perfect_information_are_pure_strategies() -> None:
    solution = solve(centipede())
    rows = show(solution).tables[0].rows
    assert {row[4].strip("()") for row in rows} == {"0", "1"}
    assert show(solution).tables[0].rows[0][4] == "1"
    assert "player 1" in call("show", "nim", "-p", "heaps=1,2")


def test_rows_as_csv_and_json() -> None:
    shown = show(solve(kuhn()), player=1, infoset="bet")
    stream = io.StringIO()
    shown.write_csv(stream)
    assert call("show", "kuhn", "--player", "1", "--infoset", "bet", "--csv") == stream.getvalue()
    table = list(csv.DictReader(io.StringIO(stream.getvalue())))
    assert tuple(table[0]) == COLUMNS
    assert {row["infoset"] for row in table} == {"J:bet", "Q:bet", "K:bet"}
    assert {row["is_reached"] for row in table} == {"False"}
    assert {row["value"] for row in table} == {""}
    record = json.loads(call("show", "kuhn", "--player", "1", "--infoset", "bet", "--json"))
    assert record["unit"] == "chips"
    assert len(record["rows"]) == 6
    assert record["rows"][0]["value"] is None


def test_saved_results_are_shown_and_not_solved_again(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path / "kuhn", "kuhn")
    assert call("show", str(tmp_path / "kuhn")) == KUHN + "\n"
    small = solve(rhode_island(3, 2, 1), abstract="suit", max_nodes=1000)
    small.save(tmp_path / "large", "rhode-island", {"ranks": 3, "suits": 2, "max_bets": 1})
    done = typed("show", str(tmp_path / "large"))
    assert done.stdout == show(small).text + "\n"
    assert "seqform verify" in done.stderr


def test_one_situation_is_asked_for() -> None:
    solution = solve(kuhn())
    shown = show(solution, ask=("K", "check"), beliefs=True)
    assert shown.tables[0].title == "player 1 with K, after check"
    assert [row[3] for row in shown.tables[0].rows] == ["check", "bet"]
    assert len(shown.tables) == 2
    assert call("show", "kuhn", "--ask", "K", "").startswith("player 0 with K, first to act")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"player": 2}, InvalidParameterError, "no player 2"),
        ({"player": True}, InvalidParameterError, "no player True"),
        ({"infoset": "Kc"}, UnknownNameError, "no information set that is shown has 'Kc'"),
        ({"layout": "cards"}, UnknownNameError, "no layout 'cards'"),
        ({"ask": ("K", "chek")}, InvalidParameterError, "nobody acts after the history 'chek'"),
        ({"ask": ("Ks", "check")}, InvalidParameterError, "no card 'Ks'"),
        ({"board": "K"}, UnknownNameError, "has the board 'K'; give the cards that all see"),
        ({"rows": 0}, InvalidParameterError, "rows=0"),
    ],
)
def test_refusals(options: dict[str, Any], error: type[SeqformError], words: str) -> None:
    with pytest.raises(error) as caught:
        show(solve(kuhn()), **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_games_without_signals_are_not_asked_for_them() -> None:
    solution = solve(chicken())
    with pytest.raises(UnknownNameError, match="player 0 has no information set 'K:'"):
        show(solution, ask=("K", ""))
    for options in ({"board": "K"}, {"layout": "hands"}):
        with pytest.raises(UnsupportedGameError, match="infoset="):
            show(solution, **options)  # type: ignore[arg-type]


def test_answers_that_are_no_strategies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnsupportedGameError, match="one line of play"):
        show(solve(nim("1,2"), method="alphabeta"))
    with pytest.raises(InvalidParameterError, match="no strategy"):
        show(chicken())  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"form\.profile"):
        show(Profile.uniform(form_of(kuhn()).treeplexes))
    monkeypatch.setattr(subject, "LARGEST_TREE", 3)
    with pytest.raises(GameTooLargeError, match="draw_tree"):
        show(solve(nim("1,2")))


def test_the_command_line_refuses_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ResultFileError, match="does not exist"):
        call("show", str(tmp_path / "empty"))
    with pytest.raises(InvalidParameterError, match="exclude each other"):
        call("show", "kuhn", "--csv", "--json")
    with pytest.raises(UnsupportedGameError, match="--layout actions"):
        call("show", "chicken", "--layout", "hands")
    done = typed("show", "kuhn", "--infoset", "X")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_solve_shows_strategies_that_fit_on_a_screen() -> None:
    assert call("solve", "kuhn", "--details").rstrip().endswith(KUHN)
    assert KUHN in call("solve", "kuhn")
    assert "player 1\n" not in call("solve", "leduc", "--details")
    assert "player 1\n" in call("solve", "leduc")  # how it begins
    assert "player 1\n" not in call("solve", "kuhn", "--json")
    assert "player 0\n" not in call("solve", "centipede")  # no profile, but a line of play


def test_claims_alone_are_refused(tmp_path: Path) -> None:
    solve(kuhn()).save(tmp_path / "kuhn", "kuhn")
    for name in ("strategy.csv", "game.npz"):
        (tmp_path / "kuhn" / name).unlink()
    with pytest.raises(ResultFileError):
        call("show", str(tmp_path / "kuhn"))


def test_what_is_left_out_is_counted() -> None:
    solution = solve(kuhn())
    assert show(solution, rows=6).left_out == 0
    assert show(solution, rows=3).left_out == 3
    cut = show(solution, rows=2)
    assert (len(cut.tables), len(cut.tables[0].rows), cut.left_out) == (1, 2, 4)
    first = show(solution, rows=1, layout="actions")  # of one information set all actions
    assert (len(first.tables[0].rows), first.left_out) == (2, 22)


def test_tables_are_no_wider_than_they_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(leduc())
    monkeypatch.setattr(by_hand, "WIDEST", 7)
    assert [len(t.columns) for t in show(solution, player=0, rows=1).tables] == [8]
    monkeypatch.setattr(by_hand, "WIDEST", 6)
    assert [len(t.columns) for t in show(solution, player=0, rows=12).tables[:2]] == [6, 3]


def test_games_of_many_lines_are_by_hand_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(kuhn())
    monkeypatch.setattr("seqform.strategies.show.chosen.MOST_LINES", 1)
    assert show(solution).tables[0].columns[0].head == "infoset"
    assert show(solution, layout="hands").text == KUHN


def test_a_hand_is_left_blank_where_it_was_not_chosen() -> None:
    dice = solve(liars_dice(1, 2))  # 1 is a die, and 1x1 a bid
    table = show(dice, infoset="1", player=0, layout="hands").tables[0]
    rows = {row[0]: row[1:] for row in table.rows}
    blank = [text == "" for text in rows["2"]]
    assert any(blank)
    assert not all(blank)
    assert "" not in rows["1"]


def test_a_long_name_of_a_group_makes_room() -> None:
    columns = Column("", "", False), Column("a", "a long line"), Column("b", "c")
    lines = list(Table("title", columns, (("K", "1", "0"),)).lines())
    assert lines[1] == "     a long line    c"
    assert lines[2] == "               a    b"
    assert lines[3] == "  K            1    0"


LARGE_PAYOFF = """\
EFG 2 R "Large payoff game" { "1" "2" }
c "" 1 "" { "L" 1/2 "R" 1/2 } 0
p "" 1 1 "" { "A" "B" } 0
p "" 2 1 "" { "X" "Y" } 0
t "" 1 "" { 10000000000000000000, -10000000000000000000 }
t "" 2 "" { 1, -1 }
p "" 2 2 "" { "X" "Y" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 0, 0 }
p "" 1 2 "" { "A" "B" } 0
p "" 2 1 "" { "X" "Y" } 0
t "" 3 "" { -1, 1 }
t "" 2 "" { 1, -1 }
p "" 2 2 "" { "X" "Y" } 0
t "" 4 "" { 0, 0 }
t "" 1 "" { 10000000000000000000, -10000000000000000000 }
"""
"""As in Gambit's collection of games for its tests."""


def test_beside_a_huge_payoff_small_ones_are_not_zero(tmp_path: Path) -> None:
    (tmp_path / "game.efg").write_text(LARGE_PAYOFF)
    game = load(tmp_path / "game.efg")
    rows = show(solve(game), player=0).tables[0].rows
    assert [row[5:] for row in rows] == [("1", "0"), ("-1", "-2"), ("1", "0"), ("0", "-1")]
    assert [row[2] for row in rows] == ["1", "", "1", ""]
    drawn = draw_tree(game, solution=True, values=True)
    assert drawn.nodes[0].value == (1.0, -1.0)
