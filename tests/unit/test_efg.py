"""Gambit's .efg format as it is written by hand: what it may say, and how each mistake is
refused."""

from __future__ import annotations

import os
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games.kuhn import kuhn
from seqform import TreeBuilder, build_tree
from seqform.base.errors import GameFileError, GameTooLargeError
from seqform.game.rules import CHANCE, TERMINAL
from seqform.io import efg_text, parse_efg, read_efg, write_efg
from tests.same_game import assert_same_game

HEAD = 'EFG 2 R "" { "a" "b" }\n'
LEAF = 't "" 1 "" { 1, -1 }\n'

POKER = r"""
EFG 2 D "Myerson's \"card\" game" { "Fred" "Alice" }
"A comment, over
two lines"

c "deal" 1 "cards" { "red" .5 "black" 1/2 } 1 "ante" { -1 -1 }
p "" 1 7 "red card" { "raise" "fold" } 0
p "" 2 7 "" { "meet" "pass" } 2 "raised" { -1, 0, }
t "" 3 "" { 2e0 -20E-1 }
t "" 4 "" { 1. 0 }
t "" 0
p "" 1 -2 "" { "raise" "fold" } 0 p "" 2 7 2
t""3
t "" 4 "" { 1, 0 }
t "done" 0
"""


def test_everything_that_the_format_has() -> None:
    tree = parse_efg(POKER)
    assert (tree.num_players, tree.num_nodes, tree.player.tolist()) == (
        2,
        11,
        [CHANCE, 0, 0, 1, TERMINAL, 1, TERMINAL] + [TERMINAL] * 4,
    )
    assert tree.infoset_labels == ("red card", "7", "-2")
    assert tree.path(7) == ["red", "raise", "meet"]
    assert tree.probabilities == (Fraction(1, 2),)
    assert [tree.payoffs[row] for row in tree.payoff.tolist() if row >= 0] == [
        (-1, -1),
        (-1, 0),
        (0, 0),
        (-1, 0),
        (0, 0),
        (2, -2),
        (1, 0),
        (2, -2),
        (1, 0),
    ]
    assert all(type(u) is int for row in tree.payoffs for u in row)
    assert tree.infoset.tolist() == [-1, 0, 2, 1, -1, 1] + [-1] * 5


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        (".5", Fraction(1, 2)),
        ("2.", 2),
        ("-.25", Fraction(-1, 4)),
        ("1e3", 1000),
        ("1.5E-1", Fraction(3, 20)),
        ("2/4", Fraction(1, 2)),
        ("-1/3", Fraction(-1, 3)),
        ("0.1", Fraction(1, 10)),
        ("1e+2", 100),
        ("0/7", 0),
        ("007", 7),
        ("1" * 300, int("1" * 300)),
    ],
)
def test_numbers_are_exact(written: str, number: Any) -> None:
    tree = parse_efg(f'{HEAD}t "" 1 "" {{ {written} 0 }}')
    assert tree.payoffs == ((number, 0),)
    assert type(tree.payoffs[0][0]) is type(number)


def test_labels_may_be_empty_or_repeated_and_backslashes_stand_for_themselves() -> None:
    tree = parse_efg(HEAD + r'p "" 1 1 "say \"a\\b\c\"" { "" "x" "" "x" } 0 ' + 4 * LEAF)
    assert [tree.path(child) for child in tree.children(0)] == [["_1"], ["x_1"], ["_2"], ["x_2"]]
    assert tree.infoset_labels == (r'say "a\\b\c"',)


def test_an_infoset_is_called_by_its_name_where_it_has_one_of_its_own() -> None:
    tree = parse_efg(
        HEAD
        + 'p "" 1 3 "n" {"x" "y"} 0 p "" 1 5 "n" {"x"} 0 '
        + LEAF
        + 'p "" 2 5 "n" {"x"} 0 '
        + LEAF
    )
    assert tree.infoset_labels == ("3", "5", "n")
    tree = parse_efg(HEAD + 'p "" 1 3 "" {"x" "y"} 0 p "" 1 5 "3" {"x"} 0 ' + LEAF + LEAF)
    assert tree.infoset_labels == ("#3", "3")


def test_zero_probabilities_and_outcomes_on_the_way() -> None:
    tree = parse_efg(HEAD + 'c "" 1 "" { "x" 1 "y" 0 } 5 "" { 1/3 0 }' + LEAF + 't "" 5')
    assert tree.probabilities == (1, 0)
    assert [tree.payoffs[row] for row in tree.payoff.tolist()] == [
        (Fraction(1, 3), 0),
        (1, -1),
        (Fraction(1, 3), 0),
    ]


REFUSALS = {
    "empty": ("", 1, 1, "begins with EFG 2 R"),
    "blank": (" \n ", 2, 2, "cut short"),
    "other format": ('NFG 1 R "x"', 1, 1, "begins with EFG 2 R and found 'NFG'"),
    "other version": ('EFG 3 R "x" { "a" }', 1, 5, "version 2"),
    "other numbers": ('EFG 2 Q "x" { "a" }', 1, 7, "R or D"),
    "no title": ("EFG 2 R { }", 1, 9, "the title"),
    "no players": ('EFG 2 R "" { } t "" 0', 1, 14, "no players"),
    "players not closed": ('EFG 2 R "" { "a" t "" 0', 1, 18, "expected '}'"),
    "a comma between players": (
        'EFG 2 R "" { "a", "b" } t "" 0',
        1,
        17,
        "expected '}' and found ','",
    ),
    "two comments": (HEAD + '"one" "two"' + LEAF, 2, 7, "'c', 'p' or 't'"),
    "no nodes": (HEAD, 2, 1, "1 missing nodes .* cut short"),
    "unknown node": (HEAD + 'x "" 0', 2, 1, "found 'x'"),
    "nodes in capitals": (HEAD + 'T "" 0', 2, 1, "found 'T'"),
    "truncated": (
        HEAD + 'p "" 1 1 "" { "x" "y" } 0\n' + LEAF,
        4,
        1,
        "1 missing nodes .* cut short",
    ),
    "truncated within a node": (HEAD + 'p "" 1 1 "" { "x"', 2, 18, "cut short"),
    "trailing node": (HEAD + LEAF + LEAF, 3, 1, "the text goes on"),
    "trailing garbage": (HEAD + LEAF + "\0\1", 3, 1, "the text goes on"),
    "no node name": (HEAD + "t 0", 2, 3, "the node's name"),
    "player 0": (HEAD + 'p "" 0 1 "" { "x" } 0', 2, 6, "no player 0; the players are 1..2"),
    "player 3": (HEAD + 'p "" 3 1 "" { "x" } 0', 2, 6, "no player 3"),
    "half a player": (HEAD + 'p "" 1/2 1 "" { "x" } 0', 2, 6, "whole number"),
    "half an infoset": (HEAD + 'p "" 1 .5 "" { "x" } 0', 2, 8, "whole number"),
    "half an outcome": (HEAD + 't "" 1.5', 2, 6, "whole number"),
    "infoset undefined": (
        HEAD + 'p "" 1 1 0',
        2,
        10,
        "information set 1 of player 1 is not defined yet",
    ),
    "infoset of the other player": (
        HEAD + 'p "" 1 1 "" { "x" } 0 p "" 2 1 0',
        2,
        32,
        "information set 1 of player 2 is not",
    ),
    "chance undefined": (
        HEAD + 'p "" 1 1 "" { "x" } 0 c "" 1 0',
        2,
        30,
        "information set 1 of chance is not",
    ),
    "outcome undefined": (HEAD + 't "" 4', 2, 7, "outcome 4 is not defined yet"),
    "outcome without payoffs": (HEAD + 't "" 1 "win"', 2, 13, "cut short"),
    "payoffs of outcome 0": (HEAD + 't "" 0 "" { 0 0 }', 2, 8, "the text goes on"),
    "infoset without actions": (HEAD + 'p "" 1 1 "" 0', 2, 13, "expected '{'"),
    "no actions": (HEAD + 'p "" 1 1 "" { } 0', 2, 15, "at least one action"),
    "a number for an action": (HEAD + 'p "" 1 1 "" { 1 } 0', 2, 15, "an action"),
    "other actions": (
        HEAD + 'p "" 1 1 "" { "x" "y" } 0 p "" 1 1 "" { "x" "z" } 0',
        2,
        36,
        "in another way",
    ),
    "fewer actions": (
        HEAD + 'p "" 1 1 "" { "x" "y" } 0 p "" 1 1 "" { "x" } 0',
        2,
        36,
        "in another way",
    ),
    "another name": (
        HEAD + 'p "" 1 1 "n" { "x" } 0 p "" 1 1 "m" { "x" } 0',
        2,
        33,
        "in another way",
    ),
    "other payoffs": (
        HEAD + 'p "" 1 1 "" { "x" "y" } 0\n' + LEAF + 't "" 1 "" { 1 0 }',
        4,
        8,
        "outcome 1 is defined here in another way",
    ),
    "other probabilities": (
        HEAD + 'c "" 1 "" {"x" 1 "y" 0} 0 c "" 1 "" {"x" 0 "y" 1} 0',
        2,
        34,
        "information set 1 of chance is defined",
    ),
    "no lottery": (HEAD + 'c "" 1 "" { } 0', 2, 11, "sum to 0, not to 1"),
    "too little": (HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0', 2, 11, "sum to 5/6, not to 1"),
    "a third in decimals": (
        HEAD + 'c "" 1 "" { "x" .333333 "y" 2/3 } 0',
        2,
        11,
        "fractions such as 1/3",
    ),
    "almost one": (HEAD + 'c "" 1 "" { "x" 1e-40 "y" 1 } 0', 2, 11, "not to 1"),
    "negative": (
        HEAD + 'c "" 1 "" { "x" 3/2 "y" -1/2 } 0',
        2,
        25,
        "probability of 'y' is negative",
    ),
    "no probability": (HEAD + 'c "" 1 "" { "x" "y" 1 } 0', 2, 17, "the probability of 'x'"),
    "too few payoffs": (HEAD + 't "" 1 "" { 1 }', 2, 11, "1 payoff for 2 players"),
    "too many payoffs": (HEAD + 't "" 1 "" { 1, 2, 3 }', 2, 11, "3 payoffs for 2 players"),
    "a leading comma": (HEAD + 't "" 1 "" { , 1, 2 }', 2, 13, "a payoff"),
    "two commas": (HEAD + 't "" 1 "" { 1,, 2 }', 2, 15, "a payoff"),
    "division by zero": (HEAD + 't "" 1 "" { 1/0, 1 }', 2, 13, "divides by zero"),
    "huge": (HEAD + 't "" 1 "" { 1e999999999, 1 }', 2, 13, "too long"),
    "huge exponent": (HEAD + f't "" 1 "" {{ 1e{"9" * 5000}, 1 }}', 2, 13, "too long"),
    "large": (HEAD + 't "" 1 "" { 1e301, 1 }', 2, 13, "rescale"),
    "tiny": (HEAD + 't "" 1 "" { 1e-301, 1 }', 2, 13, "rescale"),
    "a megabyte of digits": (
        HEAD + f't "" 1 "" {{ {"7" * 2**20}, 1 }}',
        2,
        13,
        r"'7{30} ... \(1,048,576 characters\)' is too long",
    ),
    "a decimal fraction": (HEAD + 't "" 1 "" { 1.5/2 1 }', 2, 13, "found '1.5/2'"),
    "hexadecimal": (HEAD + 't "" 1 "" { 0x10 1 }', 2, 13, "found '0x10'"),
    "not a number": (HEAD + 't "" 1 "" { nan inf }', 2, 13, "found 'nan'"),
    "digits of another script": (HEAD + 't "" 1 "" { ٣ 1 }', 2, 13, "found '٣'"),
    "payoffs not closed": (HEAD + 't "" 1 "" { 1, -1', 2, 18, "cut short"),
    "one brace too many": (HEAD + 't "" 1 "" { 1, -1 } }', 2, 21, "the text goes on"),
    "quote not closed": (HEAD + 't "" 1 "never { 1, -1 }\n', 2, 8, "never closed"),
    "quote escaped": (HEAD + 't "" 1 "never\\" { 1, -1 }\n', 2, 8, "never closed"),
    "binary noise": ("\x7fELF\2\1\1\0\0", 1, 1, "begins with EFG 2 R"),
    "many denominators": (
        HEAD + 'c "" 1 "" { ' + " ".join(f'"x" 1/{10**290 + i}' for i in range(50)) + " } 0",
        2,
        11,
        "no common denominator",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_every_mistake_is_refused_where_it_is(name: str) -> None:
    text, line, column, message = REFUSALS[name]
    with pytest.raises(GameFileError, match=message) as caught:
        parse_efg(text)
    assert str(caught.value).startswith(f"the text, line {line}, column {column}: ")
    assert len(str(caught.value)) < 400


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"nothing\.efg is not there"):
        read_efg(tmp_path / "nothing.efg")
    with pytest.raises(GameFileError, match="is no file"):
        read_efg(tmp_path)
    os.mkfifo(tmp_path / "pipe.efg")  # opening it would wait for ever
    with pytest.raises(GameFileError, match="is no file"):
        read_efg(tmp_path / "pipe.efg")
    (tmp_path / "latin.efg").write_bytes(HEAD.encode() + 't "Sørensen" 0'.encode("latin-1"))
    with pytest.raises(
        GameFileError, match=r"latin\.efg, line 2, column 5: this is not UTF-8 text"
    ):
        read_efg(tmp_path / "latin.efg")
    with pytest.raises(GameFileError, match="cannot write"):
        write_efg(build_tree(kuhn()), tmp_path / "no folder" / "kuhn.efg")
    with pytest.raises(GameFileError, match="cannot write"):
        write_efg(build_tree(kuhn()), tmp_path)


def test_a_file_larger_than_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "large.efg").open("wb") as file:
        file.truncate(2**42)
    with pytest.raises(GameTooLargeError, match=r"large\.efg"):
        read_efg(tmp_path / "large.efg")


def test_a_game_written_to_a_file_is_read_from_it(tmp_path: Path) -> None:
    tree = build_tree(kuhn())
    write_efg(tree, tmp_path / "kuhn.efg", "Kuhn poker")
    text = (tmp_path / "kuhn.efg").read_text()
    assert text.startswith('EFG 2 R "Kuhn poker" { "Player 1" "Player 2" }\n')
    assert [p.name for p in tmp_path.iterdir()] == ["kuhn.efg"]
    assert_same_game(tree, read_efg(str(tmp_path / "kuhn.efg")))


def test_what_cannot_be_written_is_refused_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_text("precious")
    b = TreeBuilder(1)
    for node in b.chance(b.root, [(i, 1 / 3) for i in range(3)]):
        b.terminal(node, [0])
    with pytest.raises(GameFileError, match=r"the root.* 0\.3333333333333333 .*Fraction\(1, 3\)"):
        write_efg(b.freeze(), path)
    assert [p.name for p in tmp_path.iterdir()] == ["game.efg"]
    assert path.read_text() == "precious"


def test_labels_are_written_as_gambit_wants_them() -> None:
    b = TreeBuilder(1)
    children = b.decision(
        b.root, 0, "one\ntwo", ["back\\", " a  b ", "\N{BLACK SPADE SUIT}A", 'say "no\\yes"', "\0"]
    )
    for child in children[1:]:
        b.terminal(child, [0])
    b.terminal(b.decision(children[0], 0, "one two", ["on"])[0], [0])
    text = efg_text(b.freeze())
    line = r'p "" 1 1 "one two" { "back\x5c" "a b" "\xe2\x99\xa0A" "say \"no\yes\"" "\x00" } 0'
    assert line in text
    assert 'p "" 1 2 "one two (2)" { "on" } 0' in text
    assert parse_efg(text).infoset_labels == ("one two", "one two (2)")


def test_floats_are_written_as_the_decimals_that_people_wrote() -> None:
    b = TreeBuilder(2)
    for node in b.chance(b.root, [("x", 0.1), ("y", 0.2), ("z", 0.7)]):
        b.terminal(node, [1e22, 1e-5])
    text = efg_text(b.freeze())
    assert '{ "x" 0.1 "y" 0.2 "z" 0.7 } 0' in text
    assert "{ 1e22, 1e-05 }" in text
    assert parse_efg(text).payoffs == ((10**22, Fraction(1, 100_000)),)


@pytest.mark.parametrize(
    "text",
    [
        '"' * 200_001,
        "\\" * 200_000,
        '"\\' * 100_000,
        "{" * 200_000,
        "9" * 200_000,
        "1/" * 100_000,
        " " * 200_000 + '"',
        "a" * 200_000,
    ],
)
def test_no_text_takes_time_out_of_proportion(text: str) -> None:
    start = time.process_time()
    with pytest.raises(GameFileError):
        parse_efg(text)
    with pytest.raises(GameFileError):
        parse_efg(HEAD + 'p "" 1 1 "" { ' + text)
    assert time.process_time() - start < 60  # quadratic time would be minutes


def test_depth_is_not_limited_by_recursion() -> None:
    text = HEAD + "".join(f'p "" {i % 2 + 1} {i} "" {{ "go" }} 0\n' for i in range(5_000)) + LEAF
    tree = parse_efg(text)
    assert tree.depth == 5_000
    assert_same_game(tree, parse_efg(efg_text(tree)))
