"""A spot of hold'em on a list of boards: the lists, textures, equity, and the experiment."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from experiments.board_picture import draw_boards
from experiments.board_summary import actions_of, by_texture, groups_of, spots_of
from games.board_lists import alike, boards_of, read_board, stands_for
from games.hand_ranges import parse_range
from games.holdem import holdem
from games.playing_cards import SUIT_SWAPS, read_cards
from games.textures import WORDS, texture
from seqform import run_experiment, solve
from seqform.base.errors import InvalidParameterError, SeqformError, UnknownNameError
from seqform.experiment import read_sweep
from seqform.form.hand_symmetries import generated
from tests.reference.range_equity import equity

EVERY = parse_range("random")


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("QsJh2h", "two-tone unpaired gapped Q"),
        ("Td9d6h", "two-tone unpaired connected T"),
        ("Ah8d3c", "rainbow unpaired gapped A"),  # the ace and the three lie in A2345
        ("Kh7d2c", "rainbow unpaired scattered K"),
        ("Ks9s4s", "monotone unpaired gapped K"),
        ("AcKd2h", "rainbow unpaired gapped A"),  # no straight goes around the ace
        ("5c5d5h", "rainbow trips scattered 5"),
        ("QcQdJh", "rainbow paired gapped Q"),
        ("KcKd7hKs", "rainbow trips scattered K"),
        ("KcKd7h7s", "rainbow two pairs scattered K"),
        ("QsJh2h8c9h", "monotone unpaired connected Q"),
        ("AsAh5d3c", "rainbow paired connected A"),
    ],
)
def test_textures(board: str, words: str) -> None:
    found = texture(read_cards(board))
    assert " ".join(found) == words
    assert all(word in WORDS[kind] for kind, word in found._asdict().items())


def test_textures_of_all_flops_are_counted_as_combinatorics_does() -> None:
    flops = [texture(flop) for flop in combinations(range(52), 3)]
    assert Counter(of.pairing for of in flops) == {"unpaired": 18304, "paired": 3744, "trips": 52}
    assert Counter(of.suits for of in flops) == {
        "rainbow": 4 * 13**3,
        "two-tone": 12 * 78 * 13,
        "monotone": 4 * 286,
    }
    connected = [of for of in flops if of.connectedness == "connected"]
    sets = {ranks for low in range(-1, 9) for ranks in combinations(range(low, low + 5), 3)}
    assert len(connected) == 64 * len({tuple(sorted(r % 13 for r in ranks)) for ranks in sets})


@pytest.mark.parametrize(
    ("text", "count", "first"),
    [
        ("QsJh2h", 1, "QsJh2h"),
        ("Qs Jh 2h 8c, QsJh2h", 2, "QsJh2h8c"),
        ("turns of QsJh2h", 49, "QsJh2h:2c"),
        ("Rivers of Qs Jh 2h 8c", 48, "QsJh2h8c:2c"),
        ("rivers of QsJh2h", 1176, "QsJh2h:2c2d"),
        ("QsJh2h:8c", 1, "QsJh2h:8c"),
        ("flops", 22_100, ":AsAhAd"),
        ("30 flops", 30, "AdQh7c"),
    ],
)
def test_lists_of_boards(text: str, count: int, first: str) -> None:
    found = boards_of(text)
    assert (len(found), len(set(found))) == (count, count)
    assert all(str(read_board(board)) == board for board in found)
    assert found[0] == first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write a board such as QsJh2h"),
        ("turn of QsJh2h", "is no card: .* write a board such as QsJh2h"),
        ("QsJh", "has 2 cards, and a board 3 to 5"),
        ("QsJh2h8c3d4d", "has 6 cards"),
        ("QsJh2h:Qs", "Qs is twice"),
        ("turns of QsJh2h8c", "4 cards stand there, not a flop of 3 cards"),
        ("rivers of QsJh", "2 cards stand there, not a flop or a turn"),
        ("rivers of QsJh2h8c3d", "5 cards stand there"),
        ("0 flops", "there are 1 to 22,100"),
        ("22101 flops", "there are 1 to 22,100"),
    ],
)
def test_what_is_no_list_of_boards_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said):
        boards_of(text)


def weights(text: str, *ranges: str) -> list[int]:
    boards = [read_board(board) for board in boards_of(text)]
    suits = alike(boards[0].known, [parse_range(held) for held in ranges])
    return [times for board in boards if (times := stands_for(board, suits))]


@pytest.mark.parametrize(
    ("text", "ranges", "num_orbits", "total"),
    [
        ("turns of Td9d6h", ("random", "QQ+"), 36, 49),
        ("turns of Td9d6h", ("random", "AcKc"), 49, 49),
        ("turns of Td9d6h", ("random", "AdKd"), 36, 49),
        ("turns of 9d8d7d", ("random", "AA"), 23, 49),
        ("rivers of Td9d6h8c", ("random", "AA"), 48, 48),
        ("rivers of 9d8d7d", ("random", "random"), 344, 1176),  # (1176 + 3 * 266 + 2 * 45) / 6
    ],
)
def test_boards_stand_for_those_that_both_ranges_leave_alike(
    text: str, ranges: tuple[str, ...], num_orbits: int, total: int
) -> None:
    found = weights(text, *ranges)
    assert (len(found), sum(found)) == (num_orbits, total)


def test_flops_up_to_suits() -> None:
    assert len(alike((), [EVERY])) == 24
    found = weights("flops", "random", "QQ+, AKs")
    assert (len(found), sum(found)) == (1755, 22_100)
    assert set(found) == {4, 12, 24}


def test_a_hand_that_meets_the_board_makes_no_suit_special() -> None:
    one_suit = parse_range("AA, 9d8d")
    known = read_cards("9d8h7h")
    assert len(alike(known, [one_suit])) == 2
    assert len(alike(known, [parse_range("AA, 9c8c")])) == 1
    assert len(generated(dict.fromkeys(SUIT_SWAPS))) == 24


def test_some_flops_have_each_texture_in_its_share() -> None:
    found = [texture(read_cards(board)) for board in boards_of("100 flops")]
    assert Counter(of.pairing for of in found) == {"unpaired": 83, "paired": 17}
    assert 4 <= sum(of.suits == "monotone" for of in found) <= 6


TINY: dict[str, Any] = {"oop": "AA, KdQd, 7h6h:0.5", "ip": "KK, 7c6c", "pot": 10, "stack": 10}


@pytest.mark.parametrize("board", ["QsJh2h8c3d", "QsJh2h8c", "9h8h2d5c"])
def test_equity_is_what_is_won_where_nobody_bets(board: str) -> None:
    game = holdem(board, **TINY, sizes="bet none")
    exact = solve(game, exact=True).exact
    assert exact is not None
    assert equity(game) == Fraction(1, 2) + exact.values[0] / 10


def run(folder: Path, boards: str, **axes: str) -> list[Any]:
    given = {"games": "holdem", "methods": "auto", "boards": boards, **axes}
    given = {"oop": "AA, 77, KdQd", "ip": "KK, 66, AhQh"} | given
    return list(run_experiment("boards", given, out=folder).rows)


def test_rivers_are_solved_one_by_one_and_put_together_by_texture(tmp_path: Path) -> None:
    rows = run(tmp_path, "QsJs2s8c3d, QsJs2s8c3s", sizes="bet 50%,a")
    assert [row["board"] for row in rows] == ["QsJs2s8c3d", "QsJs2s8c3s"]
    for row in rows:
        game = holdem(row["board"], oop=row["oop"], ip=row["ip"], sizes=row["sizes"])
        solution = solve(game)
        assert row["value"] == pytest.approx(solution.value, abs=1e-6)
        assert row["ev"] == pytest.approx(100 + row["value"])
        assert row["ev_percent"] == pytest.approx(row["ev"] / 2)
        assert row["gap_percent"] == pytest.approx(row["gap"] / 2)
        assert row["equity"] == pytest.approx(float(equity(game)))
        actions = [row[f"root_{action}"] for action in ("check", "bet100", "allin900")]
        assert sum(actions) == pytest.approx(1)
        assert (row["weight"], row["suits"]) == (1, "monotone")
    lines = (tmp_path / "by_texture.md").read_text().splitlines()
    assert lines[0].startswith("| boards | how many | EV, % of the pot | equity, % | check, % |")
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| all boards"]
    assert (tmp_path / "boards.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_lists_boards_and_ranges_with_commas(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'experiment = "boards"\n[axes]\nboard = "rivers of QsJs2s8c"\n'
        'oop = ["AA, KK", "QQ"]\nip = "JJ"\nsizes = "bet 50%,a"\n'
    )
    points = list(read_sweep(path).points())
    assert len(points) == 2 * (48 - 13)  # hearts and diamonds are alike
    assert {point.parameters["oop"] for point in points} == {"AA, KK", "QQ"}
    assert {point.parameters["sizes"] for point in points} == {"bet 50%,a"}


def test_boards_that_others_stand_for_are_left_out(tmp_path: Path) -> None:
    rows = run(tmp_path, "QsJs2s8c:4d, QsJs2s8c:4h, QsJs2s8c:4s", ip="KK", oop="AA", sizes="bet a")
    assert [(row["board"], row["weight"]) for row in rows] == [
        ("QsJs2s8c:4d", 2),
        ("QsJs2s8c:4s", 1),
    ]


@pytest.mark.parametrize(
    ("axes", "error", "said"),
    [
        ({"boards": "turns of QsJh"}, InvalidParameterError, "board: .*2 cards stand there"),
        ({"boards": "QsJh2h:8c", "oop": "AKx"}, InvalidParameterError, "oop: a range"),
        ({"boards": "QsJh2h:8c", "games": "kuhn"}, InvalidParameterError, "kuhn has no board"),
        ({"boards": "QsJh2h,QsJh2h"}, InvalidParameterError, "given twice"),
        ({"bords": "QsJh2h"}, UnknownNameError, "did you mean 'board"),
    ],
)
def test_what_cannot_be_solved_on_boards_is_refused(
    axes: dict[str, str], error: type[SeqformError], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        run_experiment("boards", axes, out=tmp_path)


def row(board: str, weight: int, check: float, **more: Any) -> Any:
    known = {"game": "holdem", "parameters": '{"board": "x", "pot": 200}', "method": "auto"}
    shares = {"root_check": check, "root_bet100": 1 - check}
    worth = {"ev_percent": 50.0 + weight, "equity": 0.5, "gap_percent": 1e-3}
    kinds = texture(read_board(board).cards)._asdict()
    return known | {"board": board, "weight": weight} | shares | worth | kinds | more


def test_means_are_weighted_and_textures_that_all_have_are_left_out() -> None:
    rows = [row("QsJh2h:8c", 3, 0.2), row("QsJh2h:8h", 1, 1.0)]
    every, *others = groups_of(rows)
    assert every.weight == 4
    assert every.mean("root_check") == pytest.approx(0.4)
    assert every.mean("ev_percent") == pytest.approx((3 * 53 + 51) / 4)
    assert [group.word for group in others] == ["two-tone", "monotone"]
    lines = by_texture(rows).splitlines()
    assert lines[2] == "| all boards | 4 | 52.5 | 50.0 | 40.0 | 60.0 | 0.001 |"


def test_equity_that_is_not_counted_on_some_board_has_no_mean() -> None:
    rows = [row("QsJh2h:8c", 3, 0.2), row("QsJh2h:8h", 1, 1.0, equity=None)]
    assert groups_of(rows)[0].mean("equity") is None


def test_spots_are_told_apart_by_what_differs() -> None:
    other = '{"board": "y", "pot": 300}'
    rows = [row("QsJh2h:8c", 3, 0.2), row("QsJh2h:8c", 3, 0.2, parameters=other)]
    assert list(spots_of(rows)) == ["pot 200", "pot 300"]
    assert by_texture(rows).startswith("| spot | boards |")
    assert len(draw_boards(rows).axes) == 4


def test_actions_stand_from_small_to_large() -> None:
    assert actions_of([row("QsJh2h", 1, 0.5, root_allin900=0.0, root_bet50=0.1)]) == [
        "check",
        "bet50",
        "bet100",
        "allin900",
    ]


def test_the_picture_has_a_bar_for_each_board_and_texture() -> None:
    rows = [row("QsJh2h:8c", 3, 0.2), row("QsJh2h:8h", 1, 1.0)]
    left, right = draw_boards(rows).axes
    assert [patch.get_width() for patch in left.patches[:2]] == [1, 3]  # most checks first
    assert [patch.get_height() for patch in left.patches[:2]] == [1.0, 0.2]
    assert [label.get_text() for label in left.get_xticklabels()] == ["8h", "8c"]
    assert [label.get_text() for label in right.get_yticklabels()] == [
        "all boards (4)",
        "two-tone (3)",
        "monotone (1)",
    ]
