"""Parts of large games: a hand, a line, and what is left out because it is too much."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from seqform import make, solve
from seqform.base.errors import GameTooLargeError
from seqform.cli import app
from seqform.drawing import DrawnTree, draw_figure, draw_tree
from seqform.drawing.blocks import weight_text
from seqform.drawing.draw import MOST_JOINED
from seqform.drawing.drawn_tree import MAX_NODES, PAGE_ENDS


def below(tree: DrawnTree, node: int = 0) -> dict[str, Any]:
    """Return labels and probabilities of the moves of a node."""
    moves = [tree.nodes[child] for child in tree.children[node]]
    return {str(move.label): move.probability for move in moves}


def test_a_hand_and_a_line() -> None:
    tree = draw_tree(make("leduc"), hand="Ks", line="check-bet", max_depth=5)
    assert below(tree) == {"Ks": Fraction(1, 6), "5 more": Fraction(5, 6)}
    assert len(below(tree, 1)) == 5
    moves = {str(node.label) for node in tree.nodes if node.depth == 3}
    assert moves == {"check", "1 more"}
    assert {str(node.label) for node in tree.nodes if node.depth == 4} == {"bet", "1 more"}
    assert {str(node.label) for node in tree.nodes if node.depth == 5} == {"fold", "call", "raise"}


def test_the_hand_of_the_other_player() -> None:
    tree = draw_tree(make("kuhn"), hand="Q", player=1)
    assert [str(node.label) for node in tree.nodes if node.depth == 1] == ["J", "Q", "K"]
    assert {str(node.label) for node in tree.nodes if node.depth == 2} == {"Q", "1 more", "2 more"}


def test_what_fits_is_drawn_whole() -> None:
    assert draw_tree(make("kuhn"), fit=True) == draw_tree(make("kuhn"))


@pytest.mark.parametrize("game", ["rhode-island", "leduc", "goofspiel"])
def test_what_is_too_much_is_left_out_and_said(game: str) -> None:
    with pytest.raises(GameTooLargeError, match="greatest that fits"):
        draw_tree(make(game))
    tree = draw_tree(make(game), fit=True)
    assert len(tree.nodes) <= MAX_NODES
    assert "all below " in tree.left_out
    apart = [of[0] for of in tree.joined.values() if max(of) - min(of) >= len(of)]
    for level in tree.levels:
        assert len(set(level) & set(apart)) <= MOST_JOINED
    for number, children in enumerate(tree.children):
        chances = [tree.nodes[child].probability for child in children]
        assert tree.nodes[number].player >= 0 or not chances or sum(filter(None, chances)) == 1


def test_a_picture_that_leaves_out_fits_a_page() -> None:
    for options in ({"line": "bet-call", "hand": "Ks"}, {"start": "2s,3h"}):
        tree = draw_tree(make("rhode-island"), fit=True, **options)
        assert len(tree.levels) > 3
        assert tree.num_ends <= PAGE_ENDS
        assert draw_figure(tree).get_size_inches().max() <= 11
    more = draw_tree(make("rhode-island"), fit=True, start="2s,3h", max_nodes=MAX_NODES)
    assert PAGE_ENDS < more.num_ends < len(more.nodes) <= MAX_NODES


def test_a_long_picture_of_few_moves_a_node_is_whole_and_one_of_many_is_not() -> None:
    whole = draw_tree(make("leduc"), start="Ks,Js,check", fit=True)
    assert whole.num_ends > PAGE_ENDS
    assert not whole.left_out
    deals = draw_tree(make("rhode-island"), start="2s,3h", max_depth=3, fit=True)
    assert deals.left_out == "moves of a node beyond the first 9, where it has over 10"
    assert "41 more" in {str(node.label) for node in deals.nodes}
    asked = draw_tree(make("rhode-island"), start="2s,3h", max_depth=3, fit=True, max_nodes=800)
    assert not asked.left_out


def test_the_legend_says_where_a_picture_begins() -> None:
    shown = [draw_figure(draw_tree(make("kuhn"), start=start)) for start in (" J,Q ", "")]
    words = [[text.get_text() for text in figure.axes[0].texts] for figure in shown]
    assert "begins after J,Q" in words[0]
    assert not any(word.startswith("begins") for word in words[1])


def test_tiny_probabilities_are_not_written_out() -> None:
    tree = draw_tree(make("kuhn"), solution=True)
    number, node = next((n, node) for n, node in enumerate(tree.nodes) if node.weight)
    texts = []
    for weight in (0.0, 4.83e-6, 0.00099, 0.001, 1.0):
        nodes = list(tree.nodes)
        nodes[number] = replace(node, weight=weight)
        texts.append(weight_text(replace(tree, nodes=tuple(nodes)), nodes[number]))
    assert texts == ["0", "<0.001", "<0.001", "0.001", "1"]


def test_what_is_left_out_stands_on_the_picture_and_on_standard_error(tmp_path: Path) -> None:
    out = tmp_path / "leduc.svg"
    done = CliRunner().invoke(app, ["draw", "leduc", "--max-nodes", "40", "-o", str(out)])
    assert done.exit_code == 0
    assert "left out: moves of a node beyond the first 3" in done.stderr
    assert "left out: moves of a node beyond the first 3" in out.read_text()
    assert "3 more" in out.read_text()


def test_a_solution_of_a_part_has_the_same_probabilities() -> None:
    game = make("leduc")
    solution = solve(game)
    part = draw_tree(game, solution=solution, start="Ks,Js", line="bet", max_depth=1)
    whole = draw_tree(game, solution=solution, start="Ks,Js", max_depth=1)
    weights = {str(node.label): node.weight for node in whole.nodes[1:]}
    drawn = {str(node.label): node.weight for node in part.nodes[1:]}
    assert drawn == {"bet": weights["bet"], "1 more": weights["check"]}


def test_the_figure_of_a_part() -> None:
    figure = draw_figure(
        draw_tree(make("rhode-island"), hand="Ks", line="bet", max_depth=3, fit=True)
    )
    assert "51 more" in [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.parametrize(("name", "gap"), [("kuhn", None), ("leduc", 0.3)])
def test_deals_are_drawn_as_the_tree_is(name: str, gap: float | None) -> None:
    """What is said of a deal without a tree is what is said of its node in the tree."""
    from seqform.drawing.answers import given_answer
    from seqform.drawing.drawn_tree import walk

    game = make(name)
    solution = solve(game) if gap is None else solve(game, method="dcfr", gap=gap)
    drawn = []
    for as_signals in (False, True):
        start = "" if name == "kuhn" else "Ks,Js,check"
        seen, state, said = given_answer(game, start, solution, as_signals)
        tree = walk(seen, state, 5, 2000, None, said.behavior, said.is_reached)
        drawn.append([(n.depth, n.label, n.weight, n.is_reached, n.is_on_path) for n in tree.nodes])
    assert drawn[0] == drawn[1]


def test_a_hand_of_a_saved_result(tmp_path: Path) -> None:
    game = make("leduc")
    solution = solve(game)
    solution.save(tmp_path, "leduc")
    arguments = ["draw", str(tmp_path), "--solution", "--hand", "Ks", "--max-depth", "3"]
    done = CliRunner().invoke(app, arguments)
    check = solution.ask("Ks", "")["check"]
    assert f"check [{check:.3g}]" in done.stdout
    values = CliRunner().invoke(app, [*arguments, "--values"])
    assert "need the tree of the whole game" in str(values.exception)
