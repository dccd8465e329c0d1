"""Nothing in a picture covers anything: texts as matplotlib draws them, labels, nodes and edges."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.path import Path as Polyline
from matplotlib.transforms import Bbox

from games.random_games import random_game
from games.tic_tac_toe import tic_tac_toe
from seqform import GameTree
from seqform.drawing import DrawnTree, draw_figure, draw_tree
from seqform.drawing.blocks import TRIANGLE
from seqform.drawing.layout import Layout
from seqform.game.catalogue import make
from tests.strategies import trees

DPI = 150
TOUCH = 0.6
"""Points by which the letters of neighbours may come nearer than the measured widths say: pixels
are rounded."""

PICTURES = {
    "kuhn": ("kuhn", {"solution": True}),
    "kuhn, values": ("kuhn", {"solution": True, "values": True}),
    "kuhn, plain": ("kuhn", {}),
    "matching pennies": ("matching-pennies", {"solution": True}),
    "rock, paper, scissors": ("rock-paper-scissors", {"solution": True, "values": True}),
    "von Stengel": ("von-stengel", {"solution": True}),
    "leduc": ("leduc", {"max_depth": 3}),
    "rhode island": ("rhode-island", {"max_depth": 2, "start": "2s,2h"}),
    "liar's dice": ("liars-dice", {"max_depth": 2}),
    "tic-tac-toe": (tic_tac_toe(), {"max_depth": 1, "values": True}),
    "tic-tac-toe, ends": (
        tic_tac_toe(),
        {"max_depth": 2, "start": "a1,b2,c3,b1,a2", "values": True, "solution": True},
    ),
    "random": (random_game(3, players=3, zero_sum=False, rewards=True), {}),
}


@cache
def drawn(name: str) -> DrawnTree:
    game, options = PICTURES[name]
    return draw_tree(make(game) if isinstance(game, str) else game, **options)


def text_boxes(figure: Any) -> list[tuple[str, Bbox]]:
    """Return the texts of a figure and the boxes that their ink fills, in points."""
    figure.set_dpi(DPI)
    renderer = FigureCanvasAgg(figure).get_renderer()
    (axes,) = figure.axes
    boxes = [
        (text.get_text(), text.get_window_extent(renderer))
        for text in axes.texts
        if text.get_text().strip()
    ]
    return [(text, Bbox(box.get_points() * 72 / DPI)) for text, box in boxes]


def check_apart(boxes: list[tuple[Any, Bbox]], most: float) -> None:
    """No two boxes reach further into one another than this."""
    low, high = np.array([found.get_points() for _, found in boxes]).swapaxes(0, 1)
    into = (high[:, None] - low).min(axis=2)
    overlaps = np.minimum(into, into.T)
    np.fill_diagonal(overlaps, -np.inf)
    worst = np.unravel_index(overlaps.argmax(), overlaps.shape)
    assert overlaps[worst] <= most, [boxes[place][0] for place in worst]


def check_texts(figure: Any) -> None:
    boxes = text_boxes(figure)
    assert boxes
    check_apart(boxes, TOUCH)
    width, height = figure.get_size_inches() * 72
    for text, box in boxes:
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text


def check_layout(layout: Layout) -> None:
    """Labels and nodes are apart, and an edge meets only its own label and the two nodes that it
    joins."""
    boxes = {("node", n): box(layout, n, False) for n in range(len(layout.tree.nodes))}
    boxes |= {("label", n): box(layout, n, True) for n in range(1, len(layout.tree.nodes))}
    width, height = layout.size
    check_apart([*boxes.items()], 1e-6)
    for name, found in boxes.items():
        assert min(found.x0, found.y0, width - found.x1, height - found.y1) >= -1e-6, name
    for node in range(1, len(layout.tree.nodes)):
        own = {("node", node), ("label", node), ("node", layout.tree.nodes[node].parent)}
        way = Polyline([layout.page(*point) for point in layout.edge(node)])
        for name, found in boxes.items():
            assert name in own or not way.intersects_bbox(found.padded(-1e-6), filled=False), (
                node,
                name,
            )


def box(layout: Layout, node: int, is_label: bool) -> Bbox:
    """Return where a label or node lies on the page."""
    width, height = (layout.edge_blocks if is_label else layout.node_blocks)[node].size
    start, end = layout.node_extent(node)
    x, y = (
        layout.page(*layout.label_center(node))
        if is_label
        else layout.page(layout.across[node], (start + end) / 2)
    )
    return Bbox.from_bounds(x - width / 2, y - height / 2, width, height)


@pytest.mark.parametrize("orientation", ["down", "right"])
@pytest.mark.parametrize("name", PICTURES)
def test_no_two_texts_overlap(name: str, orientation: str) -> None:
    check_texts(draw_figure(drawn(name), orientation=orientation, infosets=True))


@given(trees(players=(1, 2, 3), zero_sum=(True, False), depth=4), st.booleans(), st.booleans())
@settings(max_examples=15)
def test_no_two_texts_of_a_random_tree_overlap(tree: GameTree, down: bool, infosets: bool) -> None:
    check_texts(
        draw_figure(draw_tree(tree), orientation="down" if down else "right", infosets=infosets)
    )


@given(trees(players=(1, 2, 3), zero_sum=(True, False), depth=5), st.booleans(), st.booleans())
def test_labels_nodes_and_edges_are_clear_of_one_another(
    tree: GameTree, down: bool, infosets: bool
) -> None:
    check_layout(Layout(draw_tree(tree), down, infosets))


@pytest.mark.parametrize("down", [True, False], ids=["down", "right"])
@pytest.mark.parametrize("name", PICTURES)
def test_named_pictures_are_clear_too(name: str, down: bool) -> None:
    check_layout(Layout(drawn(name), down, infosets=False))


def check_links(layout: Layout) -> None:
    """Information sets are joined, straight where no node lies between, else in lanes that hold one
    at a time."""
    nodes = layout.tree.nodes
    joined = sorted((link.first, link.second) for link in layout.links)
    assert joined == sorted(
        pair for members in layout.tree.infosets.values() for pair in pairwise(members)
    )
    in_lanes = [link for link in layout.links if link.lane >= 0]
    for a, b in combinations(in_lanes, 2):
        if (a.lane, nodes[a.first].depth) == (b.lane, nodes[b.first].depth):
            spans = sorted(
                [(layout.across[link.first], layout.across[link.second]) for link in (a, b)]
            )
            assert spans[0][1] <= spans[1][0]
    for link in set(layout.links) - set(in_lanes):
        assert link.second == link.first + 1 or nodes[link.first].depth < nodes[link.second].depth
    for link in in_lanes:
        level = nodes[link.first].depth
        room = layout.strips[level + 1].labels if level + 1 < len(layout.strips) else layout.length
        assert layout.strips[level].end < layout.lane_place(link) < room


@given(trees(depth=5), st.booleans())
def test_information_sets_are_joined_and_their_ways_are_apart(tree: GameTree, down: bool) -> None:
    check_links(Layout(draw_tree(tree), down, infosets=False))


@pytest.mark.parametrize("down", [True, False], ids=["down", "right"])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liar's dice"])
def test_so_are_those_of_card_and_dice_games(name: str, down: bool) -> None:
    layout = Layout(replace(drawn(name), most_joined=None), down, infosets=False)
    assert max(link.lane for link in layout.links) >= 5 or name == "liar's dice"
    check_links(layout)


@pytest.mark.parametrize("name", PICTURES)
def test_children_lie_in_order_around_their_parent_and_further_along(name: str) -> None:
    for down in (True, False):
        layout = Layout(drawn(name), down, infosets=False)
        middles = [
            box(layout, node, False).get_points().mean(axis=0)
            for node in range(len(layout.tree.nodes))
        ]
        for parent, children in enumerate(layout.tree.children):
            places = [layout.across[child] for child in children]
            assert places == sorted(places)
            assert not places or layout.across[parent] == pytest.approx(sum(places) / len(places))
            for child in children:  # down the page is down, to the right is right
                if down:
                    assert middles[child][1] < middles[parent][1]
                else:
                    assert middles[child][0] > middles[parent][0]
            if layout.tree.nodes[parent].is_cut:
                strip = layout.strips[layout.tree.nodes[parent].depth]
                assert layout.node_extent(parent)[1] + TRIANGLE <= strip.end + 1e-9
