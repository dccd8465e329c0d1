"""How do seconds and memory grow with a game, phase by phase?

Claim: building, the sequence form, one iteration of the search and the certificate take a constant
number of seconds and bytes for each node, within a factor of two, from 100,000 to ten million
nodes of random games, and so does their quotient; decks of cards take ever fewer, since nobody
builds their trees.

Source: measured here; docs/explanation/growth.md draws on it.

Seconds are CPU seconds of one thread. Bytes are the most that the process holds in a phase, beyond
what it held before the game was built. They are left out where the system's count is too coarse.
Random trees are built and then put into sequence form. Of games of cards the "tree" is what its
players can see, and its form is that of the game as it is. Their quotient is made from the rules,
and so its seconds include finding again what players see. The search is of the quotient, down to a
gap of 1e-3 of the largest payoff; the certificate is of the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from experiments.labels import game_of
from experiments.markdown import rounded, table
from experiments.timing import cpu
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script
from seqform.experiment.measure import make_game

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm
    from seqform.links.link import Inverse

T = TypeVar("T")

RANDOM = "random(depth=60,nodes={})"
HIDDEN = "random(depth=60,hidden=0.95,nodes={})"
GAMES = (
    *(game.format(10**k) for game in (RANDOM, HIDDEN) for k in (4, 5, 6, 7)),
    *(f"kuhn(cards={cards})" for cards in (34, 105, 333, 1054)),
    *(f"leduc(ranks={ranks})" for ranks in (3, 6, 12, 26)),
    *(f"liars-dice(sides={sides})" for sides in (4, 5, 6, 7, 8)),
    *(
        f"rhode-island(max_bets=1,ranks={ranks},suits={suits})"
        for ranks, suits in ((3, 2), (4, 2), (4, 3), (5, 4))
    ),
)
WARM = (
    "random(depth=60,nodes=1000)",
    "kuhn(cards=3)",
    "kuhn(cards=300)",
    "rhode-island(max_bets=1,ranks=5,suits=4)",
)
"""Games that load and compile all that is measured: both engines, on trees and on cards, and
certificates by boards."""

SHARE = 1e-3
"""The gap to reach, as a share of the largest payoff."""

PHASES = ("build", "form", "reduce", "solve", "certify")
COLORS = {
    "random": "#0072b2",
    "random, most hidden": "#56b4e9",
    "kuhn": "#009e73",
    "leduc": "#d55e00",
    "liars-dice": "#e69f00",
    "rhode-island": "#cc79a7",
}


class Phases:
    """What each phase of a point takes: CPU seconds, and the most memory beyond the beginning."""

    def __init__(self) -> None:
        from seqform.base.free_memory import held_bytes

        give_back()
        self.start = held_bytes()
        self.seconds: dict[str, float] = {}
        self.bytes: dict[str, int | None] = {}

    def run(self, name: str, action: Callable[[], T]) -> T:
        """Return what a phase makes, and keep what it takes."""
        from seqform.base.free_memory import SLACK, forget_peak, peak_bytes

        counts = forget_peak()
        self.seconds[name], made = cpu(action)
        most = peak_bytes() - self.start
        self.bytes[name] = most if counts and most >= 2 * SLACK else None
        return made

    def cells(self, nodes: int, iterations: int) -> Row:
        """Return the cells of a row."""
        cells: Row = {}
        for name, spent in self.seconds.items():
            most = self.bytes[name]
            cells[f"cpu_{name}"] = round(spent, 6)
            cells[f"microseconds_per_node_{name}"] = 1e6 * spent / nodes
            cells[f"bytes_per_node_{name}"] = None if most is None else most / nodes
        cells["nanoseconds_per_node_iteration"] = 1e9 * self.seconds["solve"] / nodes / iterations
        return cells


def give_back() -> None:
    """Give what earlier points have freed back to the system, where the C library can."""
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def grow(point: Point) -> Row:
    """Return the seconds and bytes of each phase, and for each node."""
    phases = Phases()
    form, smaller, inverse = (from_tree if point.game == "random" else from_cards)(point, phases)
    profile, iterations = phases.run("solve", lambda: search(point.method, smaller))
    gap = phases.run("certify", lambda: certified_gap(form, profile, smaller, inverse))
    hidden = point.parameters.get("hidden")
    return {
        "family": point.game if hidden is None else f"{point.game}, most hidden",
        "nodes": form.num_nodes,
        "sequences": sequences(form),
        "sequences_reduced": sequences(smaller),
        "gap": gap,
        "gap_share": gap / form.payoff_scale,
        "iterations": iterations,
        **phases.cells(form.num_nodes, iterations),
    }


def from_tree(point: Point, phases: Phases) -> tuple[SequenceForm, SequenceForm, Inverse]:
    """Return form, quotient and the way back of a game that is a tree."""
    from seqform import build_sequence_form, reduce

    tree = phases.run("build", lambda: make_game(point))
    form = phases.run("form", lambda: build_sequence_form(tree))
    return form, *phases.run("reduce", lambda: reduce(form, point.reduction))


def from_cards(point: Point, phases: Phases) -> tuple[SequenceForm, SequenceForm, Inverse]:
    """Return form, quotient and the way back of a game of cards, without its tree."""
    from seqform import reduce
    from seqform.form.from_signals import build_signal_form
    from seqform.game.observations import SignalStructure

    game = make_game(point)
    structure = phases.run("build", lambda: SignalStructure(game))
    phases.run("form", lambda: build_signal_form(structure))
    smaller, inverse = phases.run("reduce", lambda: reduce(game, point.reduction))
    return inverse.original, smaller, inverse


def search(method: str, form: SequenceForm) -> tuple[Profile, int]:
    """Return the profile that an iterative method finds, and its iterations."""
    from seqform.base.clock import Clock
    from seqform.methods.method import METHODS
    from seqform.methods.problem import Problem

    chosen: Any = METHODS.get(method)
    options = chosen.Options(gap=SHARE * form.payoff_scale)
    answer = chosen.run(Problem(form), options, Clock())
    return answer.found, int(answer.iterations)


def certified_gap(
    form: SequenceForm, profile: Profile, smaller: SequenceForm, inverse: Inverse
) -> float:
    """Return the gap of a profile in the whole game, which it is lifted to first."""
    from seqform.concepts.nash import certify
    from seqform.links.lifting import lift_profile
    from seqform.links.link import LiftsByClasses

    if isinstance(inverse, LiftsByClasses):
        profile = inverse.lifted(profile, smaller)
    else:
        profile = lift_profile(profile, inverse)
    return certify(form, profile).nash_gap


def sequences(form: SequenceForm) -> int:
    """Return the sequences of all players."""
    return sum(treeplex.num_sequences for treeplex in form.treeplexes)


def prepare(point: Point) -> None:
    """Measure little games, so that what is loaded and compiled then is not timed."""
    _prepare(point.method, point.reduction)


@lru_cache
def _prepare(method: str, reduction: str) -> None:
    from seqform.experiment.named import read_named

    for named in WARM:
        game, parameters = read_named(named)
        point = Point("growth", 1, {}, method=method, reduction=reduction)
        grow(replace(point, game=game, parameters=parameters))


def draw_growth(rows: Sequence[Row]) -> Any:
    """Draw seconds and bytes a node against nodes: a column for each phase, a line a family."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.8), dpi=200, layout="constrained")
    panels = figure.subplots(2, len(PHASES), sharex=True, sharey="row")
    for column, phase in enumerate(PHASES):
        _draw_panel(panels[0][column], rows, f"microseconds_per_node_{phase}")
        _draw_panel(panels[1][column], rows, f"bytes_per_node_{phase}")
        panels[0][column].set_title(phase, fontsize=8)
        panels[1][column].set_xlabel("nodes", fontsize=7)
    panels[0][0].set_ylabel("CPU microseconds a node", fontsize=7)
    panels[1][0].set_ylabel("peak bytes a node", fontsize=7)
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=7, frameon=False)
    return figure


def _draw_panel(panel: Any, rows: Sequence[Row], quantity: str) -> None:
    for family, color in COLORS.items():
        points = sorted(
            (float(row["nodes"] or 0), float(row[quantity] or 0))
            for row in rows
            if row["family"] == family and row.get(quantity)
        )
        x, y = [point[0] for point in points], [point[1] for point in points]
        panel.plot(x, y, "o-", color=color, label=family, markersize=3, linewidth=1)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.tick_params(labelsize=6)
    panel.grid(color="#dddddd", linewidth=0.5)


def write_seconds(rows: Sequence[Row]) -> str:
    """Return CPU microseconds a node of each phase and of all; nanoseconds of an iteration."""
    return table(
        {
            "game": game_of(row),
            "nodes": row["nodes"],
            **{phase: rounded(row.get(f"microseconds_per_node_{phase}")) for phase in PHASES},
            "all": rounded(all_phases(row)),
            "iterations": row["iterations"],
            "solve, ns an iteration": rounded(row["nanoseconds_per_node_iteration"]),
        }
        for row in rows
    )


def all_phases(row: Row) -> float:
    """Return CPU microseconds a node of all phases together."""
    each = [row[f"microseconds_per_node_{phase}"] for phase in PHASES]
    return sum(float(spent) for spent in each if spent is not None)


def write_bytes(rows: Sequence[Row]) -> str:
    """Return the peak bytes a node of each phase."""
    return table(
        {
            "game": game_of(row),
            "nodes": row["nodes"],
            **{phase: rounded(row.get(f"bytes_per_node_{phase}")) for phase in PHASES},
        }
        for row in rows
    )


GROWTH = ExperimentSpec(
    name="growth",
    doc=__doc__,
    axes=(
        Axis("game", GAMES, quick=(RANDOM.format(2000), "kuhn(cards=34)")),
        Axis("reduction", ("equitable",)),
        Axis("method", ("hs-dcfr",)),
    ),
    measure=grow,
    prepare=prepare,
    figures={
        "growth.png": draw_growth,
        "seconds.md": write_seconds,
        "bytes.md": write_bytes,
    },
    shown=("game", "nodes", *(f"cpu_{phase}" for phase in PHASES), "iterations", "peak_mb"),
    memory="6 GB",
)

if __name__ == "__main__":
    run_as_script("growth")
