"""Gambit's normal form, .nfg: read as a game in which all move in turn and nobody sees anything;
and files that are named in other ways than the format says."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.random_games import random_game
from seqform import (
    build_normal_form,
    build_sequence_form,
    build_tree,
    load,
    make,
    save_game,
    solve,
)
from seqform.base.errors import (
    GameFileError,
    GameTooLargeError,
    InvalidParameterError,
    SeqformError,
)
from seqform.cli.loading import FILES, is_file
from seqform.io import efg_text, from_open_spiel, parse_nfg, read_nfg
from seqform.io.game_file import READERS
from seqform.tree.tree import GameTree
from tests.command_line import call
from tests.same_game import assert_same_game

# player 1 of three strategies, player 2 of two; the first changes first
PAYOFFS = 'NFG 1 R "Selten" { "One" "Two" } { 3 2 }\n\n1 -1 0 0 1/2 -.5 2 -2 1e0 -1 -3 3\n'
OUTCOMES = """NFG 1 D "the same" { "One" "Two" }
{ { "a" "b" "c" }
{ "x" "y" }
}
"a comment"
{
{ "won" 1, -1 }
{ "" 0.5 -1/2 }
{ "two" 2, -2 }
{ "" -3 3 }
}
1 0 2 3 1 4
"""
THREE = 'NFG 1 R "three" { "" "" "B" } { { "u" "u" } { "" "l" } 2 } ' + " ".join(
    str(100 * k + 10 * j + i) for k, j, i in product((1, 2), repeat=3) for _ in range(3)
)


def paid(tree: GameTree) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """Return what each combination of strategies pays."""
    return {
        tuple(map(str, tree.path(node))): tree.payoffs[tree.payoff[node]]
        for node in range(tree.num_nodes)
        if tree.payoff[node] >= 0
    }


def test_both_versions_say_the_same() -> None:
    numbered, named = parse_nfg(PAYOFFS), parse_nfg(OUTCOMES)
    assert_same_game(numbered, named, labels=False)
    assert named.infoset_labels == ("One", "Two")
    half = Fraction(1, 2)
    assert paid(named) == {
        ("a", "x"): (1, -1),
        ("b", "x"): (0, 0),
        ("c", "x"): (half, -half),
        ("a", "y"): (2, -2),
        ("b", "y"): (1, -1),
        ("c", "y"): (-3, 3),
    }
    assert paid(numbered)["3", "2"] == (-3, 3)
    assert numbered.is_exact


def test_any_number_of_players_and_labels_that_come_again() -> None:
    tree = parse_nfg(THREE)
    assert tree.infoset_labels == ("_1", "_2", "B")
    assert tree.count("decision") == 1 + 2 + 4
    assert paid(tree) == {
        (f"u_{i}", ("_1", "l")[j - 1], str(k)): (100 * k + 10 * j + i,) * 3
        for i, j, k in product((1, 2), repeat=3)
    }


def test_it_is_solved_like_any_other_game(tmp_path: Path) -> None:
    (tmp_path / "game.nfg").write_text(OUTCOMES)
    solution = solve(load(tmp_path / "game.nfg"))  # type: ignore[arg-type]
    assert solution.exact is not None
    assert solution.exact.value == 1  # row a holds 1 against both columns
    assert read_nfg(tmp_path / "game.nfg").num_nodes == 10


def test_open_spiel_reads_the_same(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    path = tmp_path / "game.nfg"
    path.write_text(PAYOFFS.replace("1/2", "0.5").replace("-.5", "-0.5"))  # it reads no fractions
    theirs = from_open_spiel(f"nfg_game(filename={path})")
    assert_same_game(read_nfg(path), theirs, labels=False, infoset_labels=False)


HEAD = 'NFG 1 R "t" { "a" "b" } '
REFUSED: dict[str, tuple[str, str]] = {
    "another format": ('EFG 2 R "t"', "begins with NFG 1 R"),
    "another version": ('NFG 2 R "t"', "version 1"),
    "another precision": ('NFG 1 X "t"', "R or D"),
    "no title": ("NFG 1 R { }", "the title"),
    "nobody": ('NFG 1 R "t" { } { }', "no players.*R1"),
    "one list of two": (HEAD + "{ 2 } 1 1 1 1", "2 players need a list"),
    "three lists of two": (HEAD + "{ 1 1 1 } 1 1", "2 players need a list"),
    "no strategies": (HEAD + "{ 0 2 } ", "at least one"),
    "fewer than none": (HEAD + "{ -1 2 } ", "at least one"),
    "an empty list": (HEAD + '{ { } { "x" } } ', "at least one"),
    "half a strategy": (HEAD + "{ 1.5 2 } ", "whole number"),
    "too few payoffs": (HEAD + "{ 2 1 } 1 1", "2 x 1 strategies make 2 comb.* 1 of them"),
    "too many payoffs": (HEAD + "{ 1 1 } 1 1 2 2", "make 1 comb.* 2 of them"),
    "a payoff missing": (HEAD + "{ 1 1 } 1", "1 payoff is no multiple of 2"),
    "a word": (HEAD + "{ 1 1 } 1 x", "a payoff .a number. and found 'x'"),
    "more than can be": (HEAD + "{ 99999999999999999999 9 } 1 1", "combinations"),
    "the text is cut": (HEAD + "{ 1 1", "a number"),
    "a quote left open": (HEAD + '{ { "x', "never closed"),
    "an outcome that is not there": (HEAD + '{ 1 1 } { { "" 1 1 } } 2', "no outcome 2; .* 1..1"),
    "an outcome below": (HEAD + '{ 1 1 } { { "" 1 1 } } -1', "no outcome -1"),
    "an outcome of one": (HEAD + '{ 1 1 } { { "" 1 } } 1', "1 payoff for 2 players"),
    "an outcome without a name": (HEAD + "{ 1 1 } { { 1 1 } } 1", "name of an outcome"),
    "too few outcomes": (HEAD + '{ 2 1 } { { "" 1 1 } } 1', "2 comb.* 1 of them"),
    "outcomes without end": (HEAD + '{ 1 1 } { { "" 1 1 } 1', "'{'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_every_mistake_is_refused_where_it_is(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(GameFileError, match=message) as refused:
        parse_nfg(text)
    refused.match(r"the text, line 1, column \d+: ")


def test_a_table_larger_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seqform.base.memory.LITTLE", 0)
    monkeypatch.setattr("seqform.base.memory.available_bytes", lambda: 1000)
    with pytest.raises(GameTooLargeError, match=r"10 nodes.*fewer strategies"):
        parse_nfg(PAYOFFS)


EFG = efg_text(build_tree(make("matching-pennies")))


def workspace(text: str, kind: str) -> str:
    """Return what Gambit's window saves."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gambit:document version="0.1">\n<colors>\n'
        f'</colors>\n<game>\n<{kind}>\n{text}</{kind}>\n<analysis type="list">\n</analysis>\n'
        "</game>\n</gambit:document>\n"
    )


NAMED: dict[str, str] = {
    "upper.EFG": EFG,
    "upper.NFG": OUTCOMES,
    "without": EFG,
    "normal": PAYOFFS,
    "marked": "\N{ZERO WIDTH NO-BREAK SPACE} \n" + EFG,
    "another.txt": EFG,
    "wrong.nfg": EFG,
    "wrong.npz": EFG,
    "space.gbt": workspace(EFG, "efgfile"),
    "SPACE.GBT": workspace(OUTCOMES.replace("won", "&lt;won&gt;"), "nfgfile"),
    "space": workspace(EFG, "efgfile"),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_a_file_holds_says_its_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(NAMED[name], encoding="utf-8")
    tree = load(path)
    assert isinstance(tree, GameTree)
    assert tree.num_nodes == (7 if "EFG 2" in NAMED[name] else 10)
    assert is_file(str(path))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.txt", "a shopping list", "notes.txt is no file of a game"),
        ("empty", "", "is no file of a game"),
        ("bluff.py", "class Bluff: ...", "name a class in it as bluff:Name"),
        ("page.html", "<html></html>", "holds no game of Gambit's; .*<efgfile>"),
        ("bad.gbt", workspace(EFG + "x", "efgfile"), "line 17, column 1: the game is complete"),
        ("text.efg", "a shopping list", "begins with EFG 2 R"),
        ("text.nfg", "a shopping list", "begins with NFG 1 R"),
        ("text.gbt", "a shopping list", "holds no game of Gambit's"),
        ("text.npz", "a shopping list", "damaged"),
        ("zip", "PK", "damaged"),
    ],
)
def test_files_that_hold_no_game(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SeqformError, match=message):
        load(tmp_path / name)


def test_names_of_the_catalogue_come_before_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(FILES) == set(READERS)
    monkeypatch.chdir(tmp_path)
    for name in "kuhn", "other":
        assert not is_file(name)
        Path(name).write_text(EFG)
    assert is_file("other")
    assert is_file("./kuhn")
    assert not is_file("kuhn")
    assert is_file("not-there.nfg")


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    read: Callable[..., Any]
    for name, read in ("a.nfg", read_nfg), ("a.gbt", load), ("a.NFG", load):
        with pytest.raises(GameFileError, match=f"{name} is not there"):
            read(tmp_path / name)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_is_read_again(seed: int, tmp_path: Path) -> None:
    tree = random_game(seed, players=2 + seed % 2, depth=4, zero_sum=False)
    path = tmp_path / "game.nfg"
    assert save_game(tree, path, title='a "title"') is tree
    normal = build_normal_form(build_sequence_form(tree))
    again = build_normal_form(build_sequence_form(read_nfg(path)))
    assert again.num_strategies == normal.num_strategies
    for where in product(*map(range, normal.num_strategies)):
        assert again.payoff(where) == normal.payoff(where)
    for player, count in enumerate(normal.num_strategies):
        names = [normal.name(player, strategy) for strategy in range(count)]
        assert [again.actions(player, strategy)[0][1] for strategy in range(count)] == names


def test_a_normal_form_that_is_too_large_is_counted_and_refused(tmp_path: Path) -> None:
    words = r"about 6\.33e44 x about 4\.88e87 = about 3\.09e132 .* 1,093 \+ 1,093 sequences"
    with pytest.raises(GameTooLargeError, match=words):
        save_game(make("leduc"), tmp_path / "leduc.nfg")
    assert not list(tmp_path.iterdir())
    kuhn = build_sequence_form(build_tree(make("kuhn")))
    with pytest.raises(GameTooLargeError, match=r"27 x 64 = 1,728 .* more than the 1,000 that"):
        build_normal_form(kuhn, max_combinations=1000)
    with pytest.raises(InvalidParameterError, match="max_combinations=0: use a number from 1 on"):
        build_normal_form(kuhn, max_combinations=0)


def test_rows_that_are_not_there_are_refused() -> None:
    normal = build_normal_form(build_sequence_form(build_tree(make("kuhn"))))
    with pytest.raises(InvalidParameterError, match=r"no strategy 27 of player 0; .* 0 to 26"):
        normal.payoff((27, 0))
    with pytest.raises(InvalidParameterError, match="1 strategy given for 2 players"):
        normal.payoff((0,))
    with pytest.raises(InvalidParameterError, match="no player 2"):
        normal.actions(2, 0)
    assert normal.actions(0, 26) == [("J:", "bet"), ("Q:", "bet"), ("K:", "bet")]
    assert normal.name(0, 26) == "222***"


def test_the_command_line_writes_a_normal_form(tmp_path: Path) -> None:
    path = str(tmp_path / "kuhn.nfg")
    assert call("convert", "kuhn", path) == f"wrote 27 x 64 reduced pure strategies to {path}\n"
    record = json.loads(call("info", path, "--json"))
    assert record["reduced_strategies_per_player"] == [27, 64]
