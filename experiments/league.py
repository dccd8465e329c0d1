"""Which method is first at a certified gap, on games of many kinds?

Claim: where a linear program can be solved, it is first at small gaps; of regret minimization no
rule is first everywhere.

Source: measured here. The rules' papers are in seqform/solvers/iterative/regret/rules.py.

A point is a game and a method. It has a row for each gap of 1e-1, 1e-2, ... 1e-9 of the largest
payoff that it reaches, and a last one, without a target, for how far it comes. Gaps are those of
seqform's certificate, whatever a solver says of itself. `spent` is the CPU seconds of one thread
from the sequence form to that certificate: of making the engine or the program, of iterations, of
looks at the gap, and of the one certificate. Building the game, loading and compiling are left out.
Looks are at iterations that grow by a tenth. Searches have 5 CPU seconds, the budget. A linear
program, which has nothing to show before it ends, has 30 seconds of wall-clock time, and so has any
other method without an engine that iterates.

All games are solved as they are. The rules' parameters are those of their papers, but for `dcfr`
(an average by t^4; `dcfr(gamma=2)` is the published one), `hs-dcfr` (a horizon of 2,000),
`sapdcfr+` and `tuned-dcfr`. Those of `sapdcfr+` were chosen on the games that `CHOSEN_ON` lists, of
36 rules that forget negative regrets: the fewest iterations to 1e-5 with alpha of 1.5, 2.3 or
infinity, predictions that count 0, 1/3, 2/3 or 1, and gamma of 2, 4 or 8. Those of `tuned-dcfr`
were chosen on larger decks. The games of `JUDGED` judge them.

OpenSpiel's and LiteEFG's CFR+ run on OpenSpiel's own games, where it has the same ones. Their
average strategies are read and certified here. They look at iterations that grow by a quarter, and
reading and certifying, which takes longer than iterations, is not counted.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.engines import engine_maker, solution_of
from experiments.labels import game_of, method_of
from experiments.legends import draw_legend, log_axis
from experiments.markdown import table
from experiments.peers import PEERS, SPIEL, Peer, spiel_name
from experiments.timing import cpu, load_solvers
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import SequenceForm
    from seqform.solvers.iterative.search import Engine

TARGETS = tuple(10.0**-digits for digits in range(1, 10))
"""Gaps, as shares of the largest payoff."""

CHOSEN_ON = ("leduc", "liars-dice(sides=5)", "rhode-island(ranks=3,suits=2)")
"""Games on which parameters were chosen that are not those of a paper."""

JUDGED = (
    "kuhn",
    "kuhn(cards=13)",
    "leduc(max_bets=4)",
    "leduc(ranks=6)",
    "leduc(ranks=13)",
    "liars-dice(sides=4)",
    "liars-dice(sides=6)",
    "goofspiel(cards=4)",
    "goofspiel(cards=5)",
    "rhode-island(ranks=4,suits=2,max_bets=1)",
    "random(seed=1,depth=9,branching=4)",
    "random(seed=2,depth=10,branching=4,hidden=0.9)",
    SPIEL + "battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],"
    "num_shots=3,allow_repeated_shots=False)",
    SPIEL + "dark_hex(num_rows=2,num_cols=3,gameversion=adh)",
    SPIEL + "oshi_zumo(coins=4,size=1,horizon=4)",
)
RULES = (
    *("cfr", "cfr+", "linear-cfr", "dcfr(gamma=2)", "dcfr"),
    *("hs-dcfr", "pcfr+", "sapcfr+", "pdcfr+", "sapdcfr+", "tuned-dcfr"),
)
PROGRAMS = ("lp(engine=simplex,solver=highs)", "lp(engine=ipx,solver=highs)", "lp(solver=clarabel)")
METHODS = (*RULES, "pdhg", *PROGRAMS, *PEERS)
SHOWN = (1e-3, 1e-6, 1e-9)
"""The targets of the picture and of the tables."""

COLORS = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"),
    *("#bcbd22", "#17becf", "#000080", "#ff1493", "#556b2f", "#d2b48c"),
)

PATIENCE = 6
"""A linear program may take so many budgets of wall-clock time: half of a way is nothing to it."""

GROWTH_OF_PEERS = 1.25
"""Between two looks at another program, the number of its iterations grows by this factor."""


class Look(NamedTuple):
    """What a method has reached: CPU seconds, its gap by the certificate, and iterations."""

    spent: float
    gap: float
    iterations: int | None


def play(point: Point) -> list[Row]:
    """Return a row for each target that a method reaches, and one for how far it comes."""
    form = form_of(point)
    looks = looks_of(point, form)
    return rows_of(looks, form.payoff_scale)


def looks_of(point: Point, form: SequenceForm) -> list[Look]:
    """Return how a method comes nearer on a game, or for a program what it comes to."""
    if point.method in PEERS:
        return watched(peer_of(point), form, point["budget"])
    make = engine_maker(point)
    if make is None:
        return [solved(point, form)]
    warm = make(form, False)
    warm.run(1)  # compiles, as does the next line
    warm.bounds()
    del warm
    return searched(lambda: make(form, False), form, point["budget"])


def form_of(point: Point) -> SequenceForm:
    """Return the game's sequence form; for another program, of the game as OpenSpiel has it."""
    from seqform import build_sequence_form, build_tree
    from seqform.io.named_game import named_game

    name = game_name(point)
    if point.method in PEERS:
        return build_sequence_form(build_tree(named_game(f"{SPIEL}{spiel_name(name)}", {})))
    return build_sequence_form(build_tree(named_game(point.game, point.parameters)))


def game_name(point: Point) -> str:
    """Return the game with its parameters, as the axis has it."""
    return str(point["game"])


def searched(make: Callable[[], Engine], form: SequenceForm, budget: float) -> list[Look]:
    """Return the looks of an engine: it is certified where it claims to have reached a target."""
    from seqform.solvers.iterative.search import Limits, progress

    looks: list[Look] = []
    left, spent = list(TARGETS), 0.0
    start = time.process_time()
    engine, claimed, over = make(), math.inf, False
    while left and not over:
        limits = Limits(left[0] * form.payoff_scale)
        for now in progress(engine, limits, gap=claimed):
            spent += time.process_time() - start
            claimed, over = now.gap, spent >= budget
            reached = claimed <= limits.gap
            if over or reached:
                seconds, gap = cpu(lambda: gap_of(form, engine))
                looks.append(Look(spent + seconds, gap, now.iterations))
                left = [target for target in left if gap > target * form.payoff_scale]
            start = time.process_time()
            if over or reached:
                break
    return looks


def gap_of(form: SequenceForm, engine: Engine) -> float:
    """Return the gap of an engine's averages by the certificate."""
    from seqform import certify

    return certify(form, form.profile_of_plans(engine.plans())).nash_gap


def watched(peer: Peer, form: SequenceForm, budget: float) -> list[Look]:
    """Return the looks of another program, whose averages are read and certified every time."""
    looks: list[Look] = []
    spent, done = 0.0, 0
    while spent < budget:
        count = max(1, int(done * (GROWTH_OF_PEERS - 1)))
        spent += cpu(partial(peer.run, count))[0]
        done += count
        looks.append(Look(spent, gap_of_peer(peer, form), done))
        if looks[-1].gap <= TARGETS[-1] * form.payoff_scale:
            break
    return looks


def gap_of_peer(peer: Peer, form: SequenceForm) -> float:
    """Return the gap of another program's average by the certificate."""
    from seqform import certify
    from seqform.io import from_open_spiel_policy

    return certify(form, from_open_spiel_policy(peer.average(), form).completed()).nash_gap


def peer_of(point: Point) -> Peer:
    """Return another program's solver of a game."""
    from seqform.io import open_spiel_game

    return PEERS[point.method](open_spiel_game(spiel_name(game_name(point))))


def solved(point: Point, form: SequenceForm) -> Look:
    """Return what a method comes to that has nothing to show before it ends: a program."""
    options: dict[str, Any] = {"time_limit": PATIENCE * point["budget"]}
    if point.method == "lp":
        options["exact"] = False
    seconds, solution = cpu(lambda: solution_of(point, form, **options))
    return Look(seconds, solution.nash_gap, solution.iterations)


def rows_of(looks: Sequence[Look], scale: float) -> list[Row]:
    """Return rows of the first look that reaches each target, and of the best one."""
    rows: list[Row] = []
    for target in TARGETS:
        first = next((look for look in looks if look.gap <= target * scale), None)
        if first is not None:
            rows.append(row_of(first, scale, target))
    return [*rows, row_of(min(looks, key=lambda look: look.gap), scale, None)]


def row_of(look: Look, scale: float, target: float | None) -> Row:
    """Return the cells of a look."""
    return {
        "target": target,
        "spent": round(look.spent, 5),
        "certified": look.gap / scale,
        "iterations": look.iterations,
    }


def is_there(point: Point) -> bool:
    """Return whether a method can be asked: other programs need a game of OpenSpiel."""
    return point.method not in PEERS or spiel_name(game_name(point)) is not None


def seconds_to(rows: Sequence[Row], target: float) -> dict[tuple[str, str], float]:
    """Return the seconds to a target by game and method, where it was reached."""
    return {
        (game_of(row), method_of(row)): float(str(row["spent"]))
        for row in rows
        if row["target"] == target
    }


def draw_league(rows: Sequence[Row]) -> Any:
    """Draw the share of all games that each method brings to a gap, against its seconds."""
    from matplotlib.figure import Figure

    methods = list(dict.fromkeys(map(method_of, rows)))
    figure = Figure(figsize=(10.5, 4.2), dpi=160, layout="constrained")
    for panel, target in zip(figure.subplots(1, len(SHOWN), sharey=True), SHOWN, strict=True):
        found = seconds_to(rows, target)
        panel.set_xscale("log")
        for number, method in enumerate(methods):
            mine = sorted(seconds for (_, name), seconds in found.items() if name == method)
            games = len({game_of(row) for row in rows if method_of(row) == method})
            shares = [count / games for count in range(1, len(mine) + 1)]
            panel.step(mine, shares, where="post", label=method, **look_of(number, method))
        panel.set_title(f"gap {target:.0e} of the largest payoff", fontsize=9)
        panel.set_xlabel("CPU seconds")
        panel.grid(alpha=0.3)
        log_axis(panel.xaxis)
    figure.axes[0].set_ylabel("share of games")
    figure.axes[0].set_ylim(0, 1.03)
    draw_legend(figure, 7)
    return figure


def look_of(number: int, method: str) -> dict[str, Any]:
    """Return the line of a method: programs are broken and black, other programs dotted."""
    style = "--" if method.startswith("lp") else ":" if method in PEERS else "-"
    grey, bright = ("black", "#555555", "#999999")[number % 3], COLORS[number % len(COLORS)]
    color = grey if style == "--" else bright
    return {"linestyle": style, "color": color, "linewidth": 1.4, "marker": ".", "markersize": 3}


def write_summary(rows: Sequence[Row]) -> str:
    """Return, for each method and target, how many games it reaches, and how it does there."""
    games = {
        method: {game_of(row) for row in rows if method_of(row) == method}
        for method in all_methods(rows)
    }
    return table(
        {
            "method": f"`{method}`",
            "games": len(games[method]),
            **{
                f"{target:.0e}{what}": cell
                for target in SHOWN
                for what, cell in standing(method, seconds_to(rows, target)).items()
            },
        }
        for method in games
    )


def all_methods(rows: Sequence[Row]) -> list[str]:
    """Return the methods of rows, in their order."""
    return list(dict.fromkeys(map(method_of, rows)))


def standing(method: str, found: Mapping[tuple[str, str], float]) -> dict[str, int | str]:
    """Return how many games a method brings to a target, and on how many it is first.

    Also how many times as long as the first it takes: the geometric mean over games it reaches.
    """
    least: dict[str, float] = {}
    for (game, _), seconds in found.items():
        least[game] = min(seconds, least.get(game, seconds))
    ratios = [seconds / least[game] for (game, name), seconds in found.items() if name == method]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    return {
        ": reached": len(ratios),
        ": first": ratios.count(1.0),
        ": times the first": "" if mean is None else f"{mean:.2g}",
    }


def write_seconds(target: float, rows: Sequence[Row]) -> str:
    """Return the seconds to a target: a line for each game, a column for each method.

    The least of a line is bold, and a dash is what is not reached.
    """
    found = seconds_to(rows, target)
    lines = []
    for game in dict.fromkeys(map(game_of, rows)):
        mine = {method: found.get((game, method)) for method in all_methods(rows)}
        least = min((seconds for seconds in mine.values() if seconds is not None), default=None)
        cells = {m: "-" if one is None else cell(one, one == least) for m, one in mine.items()}
        lines.append({"game": f"`{game}`", **cells})
    return table(lines)


def cell(seconds: float, is_least: bool) -> str:
    """Return seconds with two digits, bold if they are the least."""
    text = f"{seconds:.2g}"
    return f"**{text}**" if is_least else text


LEAGUE = ExperimentSpec(
    name="league",
    doc=__doc__,
    axes=(
        Axis("game", (*CHOSEN_ON, *JUDGED), quick=("kuhn",)),
        Axis("method", METHODS, quick=("dcfr", "pdcfr+", "lp(solver=clarabel)")),
        Axis("budget", (5.0,), quick=(0.3,), help="CPU seconds of a method on a game"),
    ),
    measure=play,
    keep=is_there,
    prepare=load_solvers,
    figures={
        "league.png": draw_league,
        "summary.md": write_summary,
        **{f"seconds-{target:.0e}.md": partial(write_seconds, target) for target in SHOWN},
    },
    shown=("game", "parameters", "method", "options", "target", "spent", "certified"),
    memory="2 GB",
    brief=True,
)

if __name__ == "__main__":
    run_as_script("league")
