"""Laws of the .efg format: what is written is read back, and whatever is read is a game or an error
with its place."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.goofspiel import goofspiel
from games.kuhn import kuhn
from games.leduc import leduc
from games.liars_dice import liars_dice
from seqform import TreeBuilder, build_tree, solve
from seqform.base.errors import GameFileError
from seqform.io import efg_text, parse_efg
from seqform.tree.tree import GameTree
from tests.examples import examples
from tests.same_game import assert_same_game
from tests.strategies import trees

PLACE = re.compile(r"the text, line [0-9]+, column [0-9]+: .")
PLAIN = st.text(st.sampled_from(["a", "0", " ", '"', "\\", "{", "}", ",", "~"]), max_size=5).map(
    lambda s: " ".join(s.split()).rstrip("\\ ")
)
ANY = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from(["a", '"', "\\", "\n", "\0", "\N{BLACK SPADE SUIT}"]),
    ),
    max_size=5,
)
NUMBER = st.one_of(
    st.integers(-(10**40), 10**40),
    st.fractions(-1000, 1000, max_denominator=10**9),
    st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-200),
)


@given(trees(players=(1, 2, 3), zero_sum=(True, False)))
def test_writing_then_reading_gives_the_same_random_game(tree: GameTree) -> None:
    text = efg_text(tree)
    again = parse_efg(text)
    assert_same_game(tree, again)
    assert again.is_exact
    assert efg_text(again) == text


@pytest.mark.parametrize(
    "game",
    [kuhn(), leduc(), liars_dice(1, 3), goofspiel(3)],
    ids=["kuhn", "leduc", "liar's dice", "goofspiel"],
)
def test_writing_then_reading_gives_the_same_registry_game_with_the_same_value(game: Any) -> None:
    tree = build_tree(game)
    again = parse_efg(efg_text(tree, "any title"))
    assert_same_game(tree, again)
    assert solve(again).value == pytest.approx(solve(tree).value, abs=1e-12)


def any_game(labels: list[str], names: list[str], numbers: list[Any], weight: int) -> GameTree:
    """Return a game with two information sets of one player that has the labels, names and
    numbers."""
    b = TreeBuilder(2)
    one = Fraction(1, weight)
    left, right = b.chance(b.root, [("x", one), ("y", 1 - one)])
    b.reward(b.root, numbers[:2])
    first = b.decision(left, 1, (0, names[0]), labels)
    second = b.decision(right, 1, (1, names[1]), labels[::-1])
    for node, payoffs in zip(
        first + second, [numbers[2:4], numbers[4:6], numbers[6:8]] * 3, strict=False
    ):
        b.terminal(node, payoffs)
    tree = b.freeze()
    return replace(tree, infoset_labels=tuple(names))


numbers = st.lists(NUMBER, min_size=8, max_size=8)
weights = st.integers(1, 10**30)


@given(
    st.lists(PLAIN.filter(bool), min_size=1, max_size=4, unique=True),
    st.lists(PLAIN.filter(bool), min_size=2, max_size=2, unique=True),
    PLAIN,
    numbers,
    weights,
)
def test_plain_labels_and_any_numbers_come_back(
    labels: list[str], names: list[str], title: str, given: list[Any], weight: int
) -> None:
    tree = any_game(labels, names, given, weight)
    assert_same_game(tree, parse_efg(efg_text(tree, title)))


@examples(15, 60)
@given(
    st.lists(ANY, min_size=1, max_size=4, unique=True),
    st.lists(ANY.map("n{}".format), min_size=2, max_size=2),
    ANY,
    numbers,
    weights,
)
def test_any_labels_are_written_as_gambit_wants_them(
    labels: list[str], names: list[str], title: str, given: list[Any], weight: int
) -> None:
    tree = any_game(labels, names, given, weight)
    text = efg_text(tree, title)
    again = parse_efg(text)
    assert_same_game(tree, again, labels=False, infoset_labels=False)
    assert efg_text(parse_efg(efg_text(again))) == efg_text(again)
    for label in (*again.labels, *again.infoset_labels):
        assert label == " ".join(str(label).split())
        assert re.fullmatch("[ -~]*", label)
    assert len(set(again.infoset_labels)) == 2


WRITTEN = 'EFG 2 R D { } , "" "a" "b" c p t 0 1 2 -1 1/2 .5 2. 1e1 1/0 1e999999999 " x'
ATOMS = st.sampled_from(
    [
        *WRITTEN.split(),
        "\\",
        "\0",
        "9" * 5000,
        "\n",
        "\N{FULLWIDTH DIGIT ONE}",
        "\N{VULGAR FRACTION ONE HALF}",
    ]
)
HEAD = 'EFG 2 R "" { "a" "b" } '
WRITTEN_NODES = """\
c "" 1 "" { "x" 1/2 "y" .5 } 0
c "" 1 0
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "n" { "l" } 1 "o" { 1 -1 }
p "" 1 1 2
p "" 1 2 "" { "" "" } 0
t "" 1 "o" { 1, -1 }
t "" 0
t "" 1
t "" 2 "" { 1/3 -1e2 }
t "" 3 "" { 1 }
p "" 3 1 "" { "l" } 0
p "" 1 1 "" { "l" "q" } 0"""
NODES = st.sampled_from(WRITTEN_NODES.split("\n"))


def game_or_error(text: str) -> None:
    try:
        tree = parse_efg(text)
    except GameFileError as error:
        message = str(error)
    else:
        assert_same_game(parse_efg(efg_text(tree)), tree, labels=False, infoset_labels=False)
        return
    assert PLACE.match(message)
    assert len(message) < 400


@examples(150, 300)
@given(st.booleans(), st.lists(ATOMS, max_size=25))
def test_any_tokens_are_a_game_or_an_error_with_its_place(head: bool, atoms: list[str]) -> None:
    game_or_error(HEAD * head + " ".join(atoms))


@examples(150, 300)
@given(st.lists(NODES, max_size=12))
def test_any_nodes_are_a_game_or_an_error_with_its_place(nodes: list[str]) -> None:
    game_or_error(HEAD + " ".join(nodes))


@examples(150, 300)
@given(trees(players=(1, 2, 3), depth=3), st.data())
def test_a_damaged_text_is_a_game_or_an_error_with_its_place(tree: GameTree, data: Any) -> None:
    text = efg_text(tree)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 8)))
    game_or_error(text[:start] + data.draw(st.one_of(st.text(max_size=4), ATOMS)) + text[stop:])


@given(trees(players=(2,), depth=3), st.data())
def test_a_text_cut_short_or_gone_on_with_is_refused(tree: GameTree, data: Any) -> None:
    text = efg_text(tree).rstrip()
    with pytest.raises(GameFileError, match="line"):
        parse_efg(text[: data.draw(st.integers(0, text.rindex("\nt ")))])
    more = data.draw(st.sampled_from(["t", "0 0", "p", "}", "{", "garbage", chr(0), chr(34)]))
    with pytest.raises(GameFileError, match=r"the text goes on|expected|undefined|closed"):
        parse_efg(f"{text} {more}")
