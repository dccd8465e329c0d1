"""What does GameShrink make of a game with two jacks and a king? Draws its tree before and after, for docs/explanation/gameshrink.md."""

from __future__ import annotations

import argparse
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import networkx as nx

from abstraction.tree_isomorphism import lossless_classes
from abstraction.tree_shrink import shrink_tree
from experiments.drawing import require_matplotlib
from seqform import CHANCE, TERMINAL, GameTree, TreeBuilder

COLORS = {CHANCE: "#d9d9d9", 0: "#8ecae6", 1: "#f4a261", TERMINAL: "#ffffff"}
NAMES = {CHANCE: "", 0: "0", 1: "1"}
OUT = Path(__file__).parents[1] / "docs" / "explanation" / "two-jacks.png"


def two_jacks() -> GameTree:
    """Deal one card each of two jacks and a king; player 0 may bet, player 1 may fold; jacks tie."""
    builder, cards = TreeBuilder(2), ("J1", "J2", "K")
    for mine, first in zip(cards, builder.chance(builder.root, [(card, Fraction(1, 3)) for card in cards]), strict=True):
        rest = [card for card in cards if card != mine]
        for yours, dealt in zip(rest, builder.chance(first, [(card, Fraction(1, 2)) for card in rest]), strict=True):
            win = (mine == "K") - (yours == "K")
            check, bet = builder.decision(dealt, 0, (0, mine), ["check", "bet"])
            builder.terminal(check, (win, -win))
            call, fold = builder.decision(bet, 1, (1, yours), ["call", "fold"])
            builder.terminal(call, (2 * win, -2 * win))
            builder.terminal(fold, (1, -1))
    return builder.freeze()


def draw(tree: GameTree, axes: Any, title: str) -> None:
    """Draw a tree from the top down: information sets joined by dashed lines, player 0's payoffs below the leaves."""
    graph = nx.DiGraph()
    depth = [level for level, (a, b) in enumerate(pairwise(tree.level_start.tolist())) for _ in range(b - a)]
    for node in range(tree.num_nodes):
        graph.add_node(node, depth=-depth[node])
    graph.add_edges_from((int(tree.parent[node]), node) for node in range(1, tree.num_nodes))
    place = _places(tree, depth)
    _join_infosets(tree, place, axes)
    colors = [COLORS[int(player)] for player in tree.player]
    names = {node: NAMES[player] for node, player in enumerate(tree.player.tolist()) if player != TERMINAL}
    nx.draw_networkx_edges(graph, place, ax=axes, arrows=False, width=0.8, edge_color="#666666")
    inner = sorted(names)
    nx.draw_networkx_nodes(graph, place, nodelist=inner, ax=axes, node_size=150, edgecolors="black", node_color=[colors[n] for n in inner])
    nx.draw_networkx_labels(graph, place, names, ax=axes, font_size=8)
    for node in range(1, tree.num_nodes):
        _label_edge(tree, node, place, axes)
        if tree.player[node] == TERMINAL:
            x, y = place[node]
            axes.text(x, y, f"{tree.payoffs[tree.payoff[node]][0]:+d}".replace("+0", "0"), ha="center", va="top", fontsize=8)
    axes.set_title(title, fontsize=10)
    axes.axis("off")


def _places(tree: GameTree, depth: list[int]) -> dict[int, tuple[float, float]]:
    """Leaves side by side, every other node above the middle of its children."""
    across: dict[int, float] = {}
    stack, leaves = [(0, False)], 0
    while stack:
        node, done = stack.pop()
        below = tree.children(node)
        if done:
            across[node] = sum(across[child] for child in below) / len(below)
        elif not len(below):
            across[node] = leaves = leaves + 1
        else:
            stack.append((node, True))
            stack += [(child, False) for child in reversed(below)]
    return {node: (x, -float(depth[node])) for node, x in across.items()}


def _label_edge(tree: GameTree, node: int, place: dict[int, tuple[float, float]], axes: Any) -> None:
    (x, y), (u, v) = place[int(tree.parent[node])], place[node]
    label = str(tree.labels[tree.label[node]])
    if tree.probability[node] >= 0:
        label += f"  {tree.probabilities[tree.probability[node]]}"
    box = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}
    axes.text(0.45 * x + 0.55 * u, 0.45 * y + 0.55 * v, label, ha="center", va="center", fontsize=6.5, bbox=box)


def _join_infosets(tree: GameTree, place: dict[int, tuple[float, float]], axes: Any) -> None:
    nodes = sorted((int(h), place[node], node) for node, h in enumerate(tree.infoset) if h >= 0)
    for infoset, members in groupby(nodes, key=lambda entry: entry[0]):
        points = [point for _, point, _ in members]
        bend = 0.10 + 0.035 * (infoset % 3)
        for (x, y), (u, v) in pairwise(points):
            arc = {"arrowstyle": "-", "linestyle": "--", "color": COLORS[int(tree.infoset_player[infoset])], "lw": 1.4}
            axes.annotate("", (x, y), (u, v), arrowprops={**arc, "connectionstyle": f"arc3,rad={bend}"})


def main() -> None:
    """Draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    require_matplotlib()
    from matplotlib.figure import Figure

    before = two_jacks()
    after = shrink_tree(before, lossless_classes(before)).tree
    figure = Figure(figsize=(11, 8), layout="tight")
    axes = figure.subplots(2, 1)
    for tree, at, name in ((before, axes[0], "before"), (after, axes[1], "after")):
        draw(tree, at, f"{name}: {tree.num_nodes} nodes, {tree.num_infosets} information sets")
    figure.savefig(options.out, dpi=130)


if __name__ == "__main__":
    main()
