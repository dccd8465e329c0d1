"""Pages of games of hands: their numbers are those of lines, and what is left out is said."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterable
from functools import cache
from gzip import decompress
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seqform import Solution, make, solve, verify_report, write_report
from seqform.base.errors import InvalidParameterError
from seqform.form.hand_strategy import ByHands, HandStrategy
from seqform.form.hands import HandGame, HandRange
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.betting_tree import BettingTreeBuilder
from seqform.game.rules import CHANCE
from seqform.report import betting_lines as module
from seqform.report import report_page
from seqform.report.betting_lines import BettingLines, betting_lines
from seqform.report.hand_names import HandNames
from seqform.report.line_numbers import Coding, together
from seqform.strategies.line.at_line import Around, at_line
from seqform.strategies.line.matrix import class_means
from seqform.strategies.line.where import where

HERE = re.compile(r'<script type="application/gzip" id="result-0-lines-(\d+)">([^<]*)</script>')


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(make("holdem"))


@pytest.fixture(scope="module")
def text(solution: Solution) -> str:
    return report_page({"holdem": solution})


def record_in(text: str) -> dict[str, Any]:
    """Return the data of all lines."""
    head = '<script type="application/json" id="result-0-lines">'
    start = text.index(head) + len(head)
    record: dict[str, Any] = json.loads(text[start : text.index("</script>", start)])
    return record


def lines_in(text: str) -> dict[int, Any]:
    """Return what is packed in a page, by public node."""
    return {int(node): unpacked(b64decode(packed)) for node, packed in HERE.findall(text)}


def unpacked(packed: bytes) -> Any:
    return json.loads(decompress(packed))


def known(numbers: Iterable[float], **allowed: float) -> Any:
    """Return what a page has for numbers: nothing where play never comes, and so there is none."""
    return [None if isnan(of) else pytest.approx(of, **allowed) for of in numbers]


def spades() -> tuple[SequenceForm, Profile]:
    """A turn on which three suits are alike, and strategies drawn at random."""
    game = make(
        "turn", oop="AA,K9s,T9s", ip="JJ,98s,K7", board="QsJs2s8s", sizes="bet 75%", stack=150
    )
    form = game.explicit()
    return form, drawn(form)


def drawn(form: SequenceForm) -> Profile:
    """Return strategies of a game of hands that are drawn at random, kept by boards."""
    structure = form.origin.hands
    assert structure is not None
    rng = np.random.default_rng(5)
    tables: list[dict[int, Any]] = []
    for of in HandStrategy.uniform(structure).behaviors:
        tables.append({})
        for node, table in of.items():
            drawn = np.where(table > 0, rng.random(table.shape), 0)
            sums = drawn.sum(axis=1, keepdims=True)
            tables[-1][node] = drawn / np.where(sums > 0, sums, 1)
    return HandStrategy(structure, tables).in_form(form)


@pytest.fixture(scope="module")
def turn() -> tuple[SequenceForm, Profile, BettingLines]:
    form, profile = spades()
    return form, profile, betting_lines(form, profile)


def test_every_line_of_a_river_is_there_with_its_numbers(solution: Solution, text: str) -> None:
    found, record = lines_in(text), record_in(text)
    game = solution.game.origin.hands.game
    betting = game.betting
    assert sorted(found) == np.flatnonzero(betting.player >= 0).tolist()
    for node, (numbers,) in found.items():
        at = at_line(solution, betting.lines[node])
        assert numbers["reach"] == pytest.approx(at.reach, abs=6e-4)
        assert numbers["ev"] == known(at.values, rel=6e-4)
        assert numbers["eq"] == known(at.equity, abs=6e-4)
        assert numbers["often"] == known(at.frequencies.values(), abs=6e-4)
        assert record["nodes"][str(node)]["actions"] == list(at.actions)
        assert record["nodes"][str(node)]["player"] == at.player


@pytest.mark.parametrize("line", ["", "check", "check-bet100", "allin900"])
@pytest.mark.parametrize("player", [0, 1])
def test_rows_are_those_of_tables(solution: Solution, line: str, player: int) -> None:
    at = at_line(solution, line)
    held = at.ranges[player]
    for group, of in at.game.groups.items():
        texts = list(map(str, of(held.cards, at.board)))
        names = sorted(set(texts))
        rows = together(held, Coding(np.array([names.index(t) for t in texts]), len(names)))
        shown = at.by(group, player).groups
        assert sorted(names[name] for name in rows["name"]) == sorted(of.name for of in shown)
        by_name = {of.name: of for of in shown}
        for place, name in enumerate(names[name] for name in rows["name"]):
            wanted = by_name[name]
            assert rows["n"][place] == wanted.num_hands
            assert rows["weight"][place] == pytest.approx(
                wanted.weight / wanted.num_hands, abs=6e-4
            )
            close(rows["share"][place], wanted.share, abs=6e-4)
            close(rows["ev"][place], wanted.value, rel=6e-4)
            close(rows["eq"][place], wanted.equity, abs=6e-4)
            assert (place in rows["never"]) == (not wanted.is_reached)
            count = len(wanted.probabilities)
            for action in range(count):
                close(rows["p"][place * count + action], wanted.probabilities[action], abs=6e-4)
                close(rows["v"][place * count + action], wanted.action_values[action], rel=6e-4)
        equities = [rows["eq"][p] for p in range(len(names)) if p not in rows["never"]]
        assert equities == sorted(equities, reverse=True)


def close(found: float | None, wanted: float, **tolerance: float) -> None:
    if np.isnan(wanted):
        assert found is None
    else:
        assert found == pytest.approx(
            wanted, rel=tolerance.get("rel"), abs=tolerance.get("abs", 1e-6)
        )


def test_cells_are_those_of_the_matrix(solution: Solution, text: str) -> None:
    record, at = record_in(text), at_line(solution, "check")
    assert at.game.grid is not None
    (numbers,) = lines_in(text)[record["nodes"]["0"]["next"][0][0]]
    for player, held in enumerate(at.ranges):
        rows = numbers["sides"][player]["grid"]
        for what, key in (("EV", "ev"), ("equity", "eq"), ("weight", "weight")):
            means = class_means(at.game.grid, at, held, what).ravel()
            assert (
                sorted(rows["name"])
                == np.flatnonzero(
                    ~np.isnan(class_means(at.game.grid, at, held, "weight").ravel())
                ).tolist()
            )
            for cell, number in zip(rows["name"], rows[key], strict=True):
                close(number, means[cell], rel=6e-4, abs=6e-4)
    assert record["grid"]["group"] == "class"
    assert record["grid"]["cells"][:3] == ["AA", "AKs", "AQs"]
    assert record["grid"]["cells"][13] == "AKo"
    assert len(set(record["grid"]["cells"])) == 169


def picked(record: dict[str, Any], cards: list[str]) -> tuple[int, list[int]]:
    """Return which stored board cards are, and how it is turned: as the script of a page does."""
    left, number = list(record["free"]), 0
    for card in (record["deck"].index(name) for name in cards):
        number = number * len(left) + left.index(card)
        left.remove(card)
    places = record["boards"][len(cards)]
    return places["orbit"][number], record["symmetries"][places["symmetry"][number]]


@pytest.mark.parametrize("card", ["As", "Kh", "Kd", "Kc", "2h", "7d", "9c"])
def test_cards_that_are_picked_lead_to_what_is_stored(
    turn: tuple[SequenceForm, Profile, BettingLines], card: str
) -> None:
    form, profile, lines = turn
    record = lines.record
    betting = form.origin.hands.game.betting  # type: ignore[union-attr]
    node = betting.lines.index("check-check/")
    at = at_line(profile, f"check-check/{card}")
    orbit, turned = picked(record, [card])
    numbers = unpacked(lines.packed[node])[orbit]
    assert numbers["reach"] == pytest.approx(at.reach, abs=6e-4)
    assert numbers["ev"] == pytest.approx(list(at.values), rel=6e-4)
    back = {image: stored for stored, image in enumerate(turned)}
    dealt = back[record["deck"].index(card)]
    for player, held in enumerate(at.ranges):
        rows = numbers["sides"][player]["hand"]
        alive = [hand for hand in record["hands"][player] if dealt not in hand]
        names = [sorted(turned[c] for c in alive[of]) for of in rows["name"]]
        places = {tuple(cards): place for place, cards in enumerate(held.cards.tolist())}
        assert sorted(map(tuple, names)) == sorted(places)
        for place, hand in enumerate(names):
            of = places[tuple(hand)]
            close(rows["ev"][place], held.values[of], rel=6e-4)
            if held.probabilities is not None:
                count = held.probabilities.shape[1]
                shown = rows["p"][place * count : (place + 1) * count]
                assert shown == pytest.approx(held.probabilities[of].tolist(), abs=6e-4)


def test_boards_are_stored_once(turn: tuple[SequenceForm, Profile, BettingLines]) -> None:
    form, _, lines = turn
    structure = form.origin.hands
    assert structure is not None
    assert len(structure.symmetries) == 6
    river = [node for node, of in lines.record["nodes"].items() if of["dealt"] == 1]
    assert river
    for node in river:
        assert len(unpacked(lines.packed[node])) == len(structure.orbits[1].first) < 48


def test_strategies_that_differ_on_like_boards_are_stored_on_all(
    turn: tuple[SequenceForm, Profile, BettingLines],
) -> None:
    form, profile, _ = turn
    listed = form.profile(profile.behaviors)  # vectors may tell suits apart
    lines = betting_lines(form, listed)
    node = next(n for n, of in lines.record["nodes"].items() if of["dealt"] == 1)
    assert len(unpacked(lines.packed[node])) == 48
    assert len(lines.record["symmetries"]) == 1
    assert picked(lines.record, ["Kd"])[1] == list(range(52))


def test_what_does_not_fit_is_left_out_and_counted(
    turn: tuple[SequenceForm, Profile, BettingLines],
) -> None:
    form, profile, whole = turn
    betting = form.origin.hands.game.betting  # type: ignore[union-attr]
    total = int((betting.player >= 0).sum())
    assert (whole.left_out, len(whole.packed)) == (0, total)
    size = sum(map(len, whole.packed.values()))
    for room in (size // 2, size // 4, size // 6, 6_000, 3_000, 2_000, 0):
        lines = betting_lines(form, profile, room)
        assert sum(map(len, lines.packed.values())) <= room
        assert len(lines.packed) + lines.left_out == total
        led_to = {way[0] for of in lines.record["nodes"].values() for way in of["next"]}
        assert lines.packed.keys() <= led_to | {0}
        held = [
            node for node, packed in lines.packed.items()
            if "hand" in unpacked(packed)[0]["sides"][0]
        ]  # fmt: skip
        assert lines.without_hands == len(lines.packed) - len(held)
    assert betting_lines(form, profile, size // 2).packed.keys() >= {0}
    assert betting_lines(form, profile, size // 6).without_hands > 0


def test_lines_that_are_hardly_played_are_left_out(
    turn: tuple[SequenceForm, Profile, BettingLines], monkeypatch: pytest.MonkeyPatch
) -> None:
    form, profile, whole = turn
    often = {}
    for node, packed in whole.packed.items():
        dealt = whole.record["nodes"][node]["dealt"]
        sizes = form.origin.hands.orbits[dealt].size  # type: ignore[union-attr]
        often[node] = sum(of["reach"] * n for of, n in zip(unpacked(packed), sizes, strict=True))
    rivers = sorted(of for node, of in often.items() if whole.record["nodes"][node]["dealt"])
    place = int(np.argmax(np.diff(rivers)))  # numbers on a page are rounded
    middle = (rivers[place] + rivers[place + 1]) / 2
    monkeypatch.setattr(module, "LEAST_REACH", middle)
    some = betting_lines(form, profile)
    kept = {node for node in often if not whole.record["nodes"][node]["dealt"]}
    assert some.packed.keys() == kept | {node for node in often if often[node] > middle}


def test_no_more_points_are_gone_through_than_a_page_takes(
    turn: tuple[SequenceForm, Profile, BettingLines], monkeypatch: pytest.MonkeyPatch
) -> None:
    form, profile, _ = turn
    boards = len(form.origin.hands.orbits[1].first)  # type: ignore[union-attr]
    monkeypatch.setattr(module, "MOST_POINTS", 3 * boards)
    lines = betting_lines(form, profile)
    assert sum(of["dealt"] for of in lines.record["nodes"].values()) == 3


def test_nothing_has_the_size_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: ByHands, form: SequenceForm) -> Profile:
        raise AssertionError("vectors over all sequences were asked for")

    form, profile = spades()
    monkeypatch.setattr(ByHands, "lifted", refuse)
    assert betting_lines(form, profile).packed


def test_the_page_says_what_is_not_on_it(
    solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Not on this page" not in report_page({"holdem": solution})
    monkeypatch.setattr("seqform.report.played.MOST_BYTES", 9_000)
    text = report_page({"holdem": solution})
    (said,) = re.findall(r'<p class="note">(Not on this page.*?)</p>', text)
    count = len(lines_in(text))
    assert 0 < count < 32
    assert f"{32 - count} of 32 points of the betting" in said
    assert "<code>seqform show DIR --line LINE</code>" in said
    monkeypatch.setattr("seqform.report.played.MOST_BYTES", 0)
    assert "32 of 32 points of the betting" in (empty := report_page({"holdem": solution}))
    assert "data-lines" not in empty.partition("<script data-whole>")[0]


def test_results_of_a_page_share_its_room(
    solution: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def noted(form: SequenceForm, profile: Profile, room: int, dealt: str) -> BettingLines:
        asked.append(room)
        return betting_lines(form, profile, room, dealt)

    monkeypatch.setattr("seqform.report.played.betting_lines", noted)
    report_page({"one": solution, "two": solution})
    assert asked == [module.MOST_BYTES // 2] * 2


def test_a_page_is_as_it_was_written(solution: Solution, tmp_path: Path) -> None:
    page = tmp_path / "holdem.html"
    write_report(solution, page)
    assert verify_report(page).has_own_script
    assert page.stat().st_size < 1_000_000
    written = page.read_text()
    assert "share of the pot: the payoff and 100 chips" in written.replace("&#39;", "'")


def test_ways_to_ends_add_up(solution: Solution) -> None:
    form = solution.game
    structure, betting = form.origin.hands, form.origin.hands.game.betting
    from seqform.form.hand_policies import policies_of

    profile = solution.profile
    assert profile is not None
    policies = policies_of(form, profile)
    around = Around(form, policies, where(structure, ""))
    ends = np.flatnonzero(betting.player < 0).tolist()
    assert around.reach(ends).sum() == pytest.approx(1)
    children = list(betting.children(0))
    at = at_line(solution, "")
    assert around.reach(children) == pytest.approx(list(at.frequencies.values()))


def akq() -> HandGame:
    """Three cards, one bet: a game without suits, groups and matrix."""
    builder = BettingTreeBuilder()
    bet, check = builder.act(builder.root, 0, ["bet", "check"])
    fold, call = builder.act(bet, 1, ["fold", "call"])
    builder.end(fold, (1, -1))
    builder.showdown(call, 2)
    builder.showdown(check, 1)
    held = HandRange(np.array([[0], [1], [2]]), np.ones(3, dtype=np.int64))
    return HandGame(
        ("Q", "K", "A"), (), (held, held), builder.build(), lambda hands, board: hands[:, 0]
    )


def test_games_without_suits_groups_and_matrix_are_written() -> None:
    game = akq()
    record = HandNames(game).record()
    assert record["grid"] is None
    assert record["groups"] == []
    assert record["picker"] == [[2, 1, 0]]
    assert record["written"] == ["Q", "K", "A"]
    page = report_page({"akq": solve(game.explicit())})
    (numbers,) = lines_in(page)[0]
    assert numbers["sides"][0].keys() == {"hand"}
    assert "share of the pot" not in page


def test_cards_are_laid_out_by_suit() -> None:
    record = HandNames(make("holdem")).record()
    rows = [[record["deck"][card] for card in row] for row in record["picker"]]
    assert [row[0] for row in rows] == ["As", "Ah", "Ad", "Ac"]
    assert all(len(row) == 13 and row[-1][0] == "2" for row in rows)
    assert record["written"][record["deck"].index("Td")] == "T\N{BLACK DIAMOND SUIT}"


def test_notebooks_show_what_is_done_first_as_a_matrix(solution: Solution) -> None:
    shown = solution._repr_html_()
    assert shown is not None
    assert shown.count("<svg") == 1
    assert "What player 0 (oop) does first" in shown
    at = at_line(solution, "")
    assert at.game.grid is not None
    weights = class_means(at.game.grid, at, at.acting, "weight").ravel()
    names = HandNames(at.game).record()["grid"]["cells"]
    filled = {name for name, weight in zip(names, weights, strict=True) if weight > 0}
    faint = set(re.findall(r'fill="#a8a8a8">([^<]+)<', shown))
    assert faint == set(names) - filled
    place = names.index("AKs")
    wide = [
        46 * class_means(at.game.grid, at, at.acting, action).ravel()[place]
        for action in at.actions
    ]
    x, y = 46 * (place % 13), 22 + 30 * (place // 13)
    cell = r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="[\d.]+" fill="#'
    inside = re.findall(cell, shown)
    found = [
        float(width)
        for left, top, width in inside
        if x <= float(left) < x + 46 and y <= float(top) < y + 30 and width != "11"
    ]
    assert found == pytest.approx([of for of in wide if of > 46e-4], abs=0.02)


def test_notebooks_show_no_matrix_of_other_games() -> None:
    for other in (solve(akq().explicit()), solve(make("kuhn"))):
        assert "<svg" not in str(other._repr_html_())


@cache
def flop() -> tuple[SequenceForm, Profile]:
    """A flop of two suits in which spades are like clubs; what is played is drawn at random."""
    spot = {"oop": "AA,K9s", "ip": "QQ,T9s", "board": "QhJh2d", "sizes": "bet a", "stack": 90}
    form = make("flop", **spot).explicit()
    return form, drawn(form)


def test_where_cards_are_given_there_is_room_for_later_streets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form, profile = flop()
    structure = form.origin.hands
    assert structure is not None
    monkeypatch.setattr(module, "LEAST_REACH", 0.0)
    monkeypatch.setattr(module, "MOST_POINTS", 10**5)
    found = betting_lines(form, profile, 10**8, "3c")
    dealt = structure.game.betting.dealt
    assert {int(dealt[node]) for node in found.packed} == {0, 1, 2}
    assert found.left_out == 0
    (one,) = found.record["shown"][1]
    assert len(found.record["shown"][2]) == 48
    for node in found.packed:
        contents, street = unpacked(found.packed[node]), int(dealt[node])
        if street < 2:
            assert list(contents) == [str([0, one][street])]
            continue
        assert sorted(map(int, contents)) == found.record["shown"][2]
        line = structure.game.betting.lines[node]
        for card in ("Kd", "As"):
            number = structure.board_number([structure.game.deck.index(of) for of in ("3c", card)])
            numbers = contents[str(found.record["boards"][2]["orbit"][number])]
            first, second, third = line.split("/")
            at = at_line(profile, f"{first}/3c/{second}/{card}/{third}".rstrip("/"))
            assert numbers["ev"] == pytest.approx(list(at.values), rel=6e-4)
            assert numbers["reach"] == pytest.approx(at.reach, rel=6e-4)


def test_lines_are_likely_if_the_given_cards_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    form, profile = flop()
    lines = module._Lines(form, profile, 10**6, "3c")
    betting = lines.betting
    deal = next(n for n in range(betting.num_nodes) if betting.player[n] == CHANCE)
    after = lines._first(deal)
    often = lines._often(after)[after]
    line = betting.lines[after]
    seen = [
        at_line(profile, line.replace("/", f"/{card}").rstrip("/")).reach for card in ("3c", "3s")
    ]
    assert seen[0] == pytest.approx(seen[1])  # spades are like clubs
    assert often == pytest.approx(45 * seen[0])
    whole = module._Lines(form, profile, 10**6)._often(after)[after]
    assert 0.8 * whole < often < 1.2 * whole
    monkeypatch.setattr(module, "LEAST_REACH", 1.0)
    found = betting_lines(form, profile, dealt="3c").packed
    assert {int(betting.dealt[node]) for node in found} == {0}


@pytest.mark.parametrize("cards", ["Qh", "3c3c", "3c4c5c", "9z"])
def test_cards_that_cannot_be_dealt_are_refused(cards: str) -> None:
    with pytest.raises(InvalidParameterError, match=r"can be dealt, one after|are no cards"):
        betting_lines(*flop(), dealt=cards)


def test_cards_are_given_of_games_of_hands(solution: Solution, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameterError, match=r"kuhn: dealt='8c' is for games of hands"):
        write_report({"kuhn": solve(make("kuhn"))}, tmp_path / "page.html", dealt="8c")
    with pytest.raises(InvalidParameterError, match="at most 0 cards can be dealt"):
        write_report({"holdem": solution}, tmp_path / "page.html", dealt="8c")
