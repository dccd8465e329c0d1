"""What does a search of perfect information cost, against O(b^m) time and O(b m) memory?

Claim: on uniform trees of branching b and depth m, minimax and backward induction without a table
enter (b^(m+1) - 1) / (b - 1) nodes. Alpha-beta looks at b^ceil(m/2) + b^floor(m/2) - 1 leaves when
the best moves come first, and at all b^m at most. Without a table the peak memory of each grows
linearly with m, at most with b m; with one, it grows with the nodes.

Source: Knuth & Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975),
293-326, theorem 1; Russell & Norvig, Artificial Intelligence: A Modern Approach, section 5.2, for
the orders. The counts, seconds and bytes are measured here.

The game computes each payoff from the moves that lead there, and holds nothing, so that all memory
is the search's. It is traced by Python's tracemalloc, in a run of its own that is not timed. Full
trees are too shallow to show how it grows. So it is measured on combs, where all moves but the
first end play: m levels, and b moves at each.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import Any

from experiments.markdown import rounded, table
from experiments.timing import cpu
from seqform import TERMINAL
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script
from seqform.game.rules import PerfectInformation
from seqform.perfect_information import alpha_beta, backward_induction, minimax

COMB = "comb"
DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16)
COMB_DEPTHS = (250, 500, 1000, 2000)
"""Moves of full trees, and of combs."""

MOST_LEAVES = 70_000
"""Of the trees that are searched."""

SHOWN = 100
"""Nodes from which on the time of one is drawn: before, it is that of making a search."""

TIMED_NODES = 2_000
"""Nodes that are entered, in several runs if need be, to time one."""

State = tuple[int, int, int]
"""Moves made, the number of the state among those of its level, and what its moves were worth."""


class UniformTree(PerfectInformation):
    """Players alternate, each with `branching` moves, `depth` in all.

    Parameters
    ----------
    branching, depth
        b and m.
    order
        Move k costs who makes it k. 'best': the free move comes first everywhere; 'worst': last.
        'random': payoffs are drawn by the number of the leaf instead. 'comb': so they are, and all
        moves but the first end play.
    """

    num_players = 2

    def __init__(self, branching: int, depth: int, order: str) -> None:
        self.branching, self.depth, self.order = branching, depth, order
        self.leaves = 0  # that were looked at
        self._moves = range(branching)

    def root(self) -> State:
        """Return the state without moves."""
        return 0, 0, 0

    def player(self, state: State) -> int:
        """Return who moves: player 0 first."""
        return TERMINAL if state[0] == self.depth else state[0] % 2

    def actions(self, state: State) -> Sequence[int]:
        """Return the moves by number, the same everywhere."""
        return self._moves

    def child(self, state: State, action: Any) -> State:
        """Return the state after a move."""
        level, number, worth = state
        if self.order == COMB:
            ends = (self.depth, self.branching * level + action, 0)
            return ends if action else (level + 1, 0, 0)
        cost = self.branching - 1 - action if self.order == "worst" else action
        return level + 1, self.branching * number + action, worth + (cost if level % 2 else -cost)

    def payoffs(self, state: State) -> tuple[int, int]:
        """Return what the moves were worth, or what is drawn; counted in `leaves`."""
        self.leaves += 1
        value = _drawn(state[1]) if self.order in ("random", COMB) else state[2]
        return value, -value


def _drawn(number: int) -> int:
    """Return a number from -50 to 50 that a leaf's number is mixed to (splitmix64)."""
    mixed = (number + 1) * 0x9E3779B97F4A7C15 % 2**64
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
    return (mixed ^ mixed >> 31) % 101 - 50


SEARCHES: dict[str, Callable[[UniformTree], Any]] = {
    "minimax": minimax,
    "backward": lambda game: backward_induction(game, cache=False),
    "alphabeta": lambda game: alpha_beta(game, table_size=0),
    "backward-table": lambda game: backward_induction(game, cache=True),
    "alphabeta-table": lambda game: alpha_beta(game, table_size=None),
}
ORDERS = ("best", "random", "worst", COMB)
COLORS = {
    "minimax": "#d55e00",
    "backward": "#009e73",
    "alphabeta": "#0072b2",
    "backward-table": "#009e73",
    "alphabeta-table": "#0072b2",
}


def kept(point: Point) -> bool:
    """Return whether a tree is small enough, and the order matters to the search."""
    if (point["order"] == COMB) != (point["depth"] in COMB_DEPTHS):
        return False
    if point["order"] == COMB:
        return True
    few: bool = point["branching"] ** point["depth"] <= MOST_LEAVES
    return few and (point["order"] == "random" or "alphabeta" in point["search"])


def measure(point: Point) -> Row:
    """Return what a search counts, and the seconds and bytes that it takes."""
    b, m, search = point["branching"], point["depth"], SEARCHES[point["search"]]
    game = UniformTree(b, m, point["order"])
    found = search(game)
    nodes, leaves = found.statistics["nodes"], game.leaves
    times = 1 + TIMED_NODES // nodes
    spent = cpu(lambda: [search(game) for _ in range(times)])[0] / times
    tracemalloc.start()
    search(game)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    full = {
        "nodes_of_tree": (b ** (m + 1) - 1) // (b - 1),
        "leaves_of_tree": b**m,
        "fewest_leaves": b ** ceil(m / 2) + b ** floor(m / 2) - 1,
    }
    comb = {"nodes_of_tree": 1 + b * m, "leaves_of_tree": 1 + (b - 1) * m}
    return {
        "nodes": nodes,
        "leaves": leaves,
        **(comb if point["order"] == COMB else full),
        "cpu_search": spent,
        "microseconds_per_node": 1e6 * spent / nodes,
        "peak_bytes": most,
        "value": found.value if isinstance(found.value, int) else found.value[0],
    }


def prepare(_point: Point) -> None:
    """Search a little tree by all, so that nothing is loaded in what is measured."""
    for search in SEARCHES.values():
        search(UniformTree(2, 2, "best"))


def draw(rows: Sequence[Row]) -> Any:
    """Draw leaves, time a node and peak memory against depth."""
    from matplotlib.figure import Figure

    full, combs = (
        [row for row in rows if (row["order"] == COMB) == is_comb] for is_comb in (False, True)
    )
    figure = Figure(figsize=(9.6, 3.6), dpi=200, layout="constrained")
    counted, timed, held = figure.subplots(1, 3)
    branching = max(int(str(row["branching"])) for row in full)
    _draw_leaves(counted, [row for row in full if row["branching"] == branching], branching)
    _draw_seconds(timed, [row for row in full if row["order"] == "random"])
    _draw_bytes(held, combs)
    for panel in (counted, timed, held):
        panel.tick_params(labelsize=7)
        panel.grid(color="#dddddd", linewidth=0.5)
        panel.legend(fontsize=6, frameon=False)
    return figure


def _line(rows: Sequence[Row], x: str, y: str) -> tuple[list[float], list[float]]:
    points = sorted((float(str(row[x])), float(str(row[y]))) for row in rows)
    return [point[0] for point in points], [point[1] for point in points]


def _draw_leaves(panel: Any, rows: Sequence[Row], branching: int) -> None:
    marks = {"best": "v", "random": "o", "worst": "^"}
    for order, mark in marks.items():
        found = [row for row in rows if (row["search"], row["order"]) == ("alphabeta", order)]
        label = f"alpha-beta, {order} {'payoffs' if order == 'random' else 'moves first'}"
        panel.plot(*_line(found, "depth", "leaves"), mark, color=COLORS["alphabeta"], label=label)
    whole = [row for row in rows if row["search"] == "minimax"]
    panel.plot(*_line(whole, "depth", "leaves"), "s", color=COLORS["minimax"], label="minimax")
    panel.plot(*_line(whole, "depth", "leaves_of_tree"), "k-", linewidth=0.8, label="b^m")
    fewest = "b^ceil(m/2) + b^floor(m/2) - 1"
    panel.plot(*_line(whole, "depth", "fewest_leaves"), "k--", linewidth=0.8, label=fewest)
    panel.set_yscale("log")
    panel.set_xlabel("depth m", fontsize=8)
    panel.set_title(f"leaves looked at, b = {branching}", fontsize=8)


def _draw_seconds(panel: Any, rows: Sequence[Row]) -> None:
    for search in SEARCHES:
        found = [
            row for row in rows if row["search"] == search and float(str(row["nodes"])) >= SHOWN
        ]
        style = "x" if search.endswith("table") else "o"
        x, y = _line(found, "nodes", "microseconds_per_node")
        panel.plot(x, y, style, color=COLORS[search], markersize=3, label=search)
    panel.set_xscale("log")
    panel.set_ylim(bottom=0)
    panel.set_xlabel("nodes entered", fontsize=8)
    panel.set_title("CPU microseconds a node", fontsize=8)


def _draw_bytes(panel: Any, rows: Sequence[Row]) -> None:
    styles = {2: "o-", 3: "s--", 4: "^:"}
    for search in ("minimax", "backward", "alphabeta"):
        for branching, style in styles.items():
            found = [
                row for row in rows if (row["search"], row["branching"]) == (search, branching)
            ]
            x, y = _line(found, "depth", "peak_bytes")
            kilobytes = [most / 1000 for most in y]
            label = f"{search}, b = {branching}"
            panel.plot(
                x, kilobytes, style, color=COLORS[search], markersize=3, linewidth=0.8, label=label
            )
    panel.set_ylim(bottom=0)
    panel.set_xlabel("depth m", fontsize=8)
    panel.set_title("peak memory without a table, kB: combs", fontsize=8)


def write_table(rows: Sequence[Row]) -> str:
    """Return the rows of the deepest trees of each branching, payoffs drawn."""
    deepest: dict[object, int] = {}
    rows = [row for row in rows if row["order"] != COMB]
    for row in rows:
        deepest[row["branching"]] = max(deepest.get(row["branching"], 0), int(str(row["depth"])))
    return table(
        {
            "b": row["branching"],
            "m": row["depth"],
            "search": row["search"],
            "moves": row["order"],
            "nodes": row["nodes"],
            "leaves": row["leaves"],
            "all leaves": row["leaves_of_tree"],
            "fewest": row["fewest_leaves"],
            "µs a node": rounded(row["microseconds_per_node"]),
            "peak kB": rounded(float(str(row["peak_bytes"])) / 1000),
        }
        for row in rows
        if row["depth"] == deepest[row["branching"]]
    )


SEARCHES_OF_TREES = ExperimentSpec(
    name="searches",
    doc=__doc__,
    axes=(
        Axis("branching", (2, 3, 4), quick=(2, 3), plural="branchings"),
        Axis("depth", (*DEPTHS, *COMB_DEPTHS), quick=(1, 4, 5, 250)),
        Axis("search", tuple(SEARCHES), plural="searches"),
        Axis("order", ORDERS),
    ),
    measure=measure,
    keep=kept,
    prepare=prepare,
    figures={"searches.png": draw, "searches.md": write_table},
    shown=("branching", "depth", "search", "order", "nodes", "leaves", "peak_bytes", "cpu_search"),
)

if __name__ == "__main__":
    run_as_script("searches")
