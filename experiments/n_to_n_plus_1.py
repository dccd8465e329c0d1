"""What is a strategy for n players worth at a table of n + 1?

Kuhn poker for n players is solved by regret minimization, and its strategies are mapped into the
game for n + 1 (`experiments.one_more_player` defines how). A row has NashConv, what all players
together gain by each one's best deviation, and each player's gain, in chips; beside it are uniform
strategies, and what regret minimization finds for n + 1 in as many iterations.

Claim: none of equilibria. In games of three and more players regret minimization finds strategies
whose gains are below, and nothing more is known of them.

Source: the question is from the talk that this package is built from, which asks for a map from
strategies for n players to n + 1. The gains are those of certificates, rounding errors included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from experiments.legends import draw_legend, drawn_gap, log_axis
from experiments.markdown import rounded, table
from experiments.one_more_player import CARDS, one_more
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import Profile
    from seqform.form.sequence_form import SequenceForm

MAPPED = tuple(f"mapped, {cards}" for cards in CARDS)
UNIFORM, REGRET = "uniform", "regret"
STRATEGIES = (*MAPPED, UNIFORM, REGRET)
COLORS = dict(zip(STRATEGIES, ("#0072b2", "#56b4e9", "#009e73", "#999999", "#d55e00"), strict=True))


def measure_gains(point: Point) -> Row:
    """Return what is gained by leaving strategies, at a table of so many players."""
    from seqform import Profile, build_sequence_form, build_tree, make
    from seqform.concepts.nash import certify

    players, rounds = int(point["players"]), int(point["rounds"])
    form = build_sequence_form(build_tree(make("kuhn", players=players)))
    if point["strategy"] == UNIFORM:
        profile = Profile.uniform(form.treeplexes)
    elif point["strategy"] == REGRET:
        profile = learnt(form, rounds)
    else:
        smaller = build_sequence_form(build_tree(make("kuhn", players=players - 1)))
        cards = str(point["strategy"]).removeprefix("mapped, ")
        profile = one_more(smaller, learnt(smaller, rounds), form, cards)
    certificate = certify(form, profile)
    gains = [float(gain) for gain in certificate.gains]
    return {"nash_conv": sum(gains), **{f"gain_{seat}": gain for seat, gain in enumerate(gains)}}


def learnt(form: SequenceForm, rounds: int) -> Profile:
    """Return the averages of so many iterations of regret minimization."""
    from seqform import Profile
    from seqform.solvers.iterative.regret.many_players_engine import ManyPlayersEngine
    from seqform.solvers.iterative.regret.rules import rule

    engine = ManyPlayersEngine(form, rule("dcfr"))
    engine.run(rounds)
    return Profile.from_plans(form.treeplexes, engine.plans())


def table_of(rows: Sequence[Row]) -> str:
    """Return NashConv, and each player's gain, as a table of Markdown."""
    return table(
        {
            "players": row["players"],
            "strategies": row["strategy"],
            "NashConv, chips": rounded(row["nash_conv"]),
            "gain of each player, chips": ", ".join(rounded(gain) for gain in gains_of(row)),
        }
        for row in rows
    )


def gains_of(row: Row) -> list[float]:
    """Return the gain of each player."""
    return [float(str(row[f"gain_{seat}"])) for seat in range(int(str(row["players"])))]


def draw_gains(rows: Sequence[Row]) -> Any:
    """Draw NashConv for each number of players, and the gain of each player."""
    from matplotlib.figure import Figure

    tables = sorted({int(str(row["players"])) for row in rows})
    figure = Figure(figsize=(2.6 + 2.3 * len(tables), 3.2), dpi=200, layout="constrained")
    ratios = [1.3, *[1.0] * len(tables)]
    left, *others = figure.subplots(1, len(tables) + 1, width_ratios=ratios)
    wide = 0.8 / len(STRATEGIES)
    for place, strategy in enumerate(STRATEGIES):
        own = [row for row in rows if row["strategy"] == strategy]
        shift = (place - (len(STRATEGIES) - 1) / 2) * wide
        places = [tables.index(int(str(row["players"]))) + shift for row in own]
        tall = [float(str(row["nash_conv"])) for row in own]
        left.bar(places, tall, wide, color=COLORS[strategy], label=strategy)
        for row in own:
            panel = others[tables.index(int(str(row["players"])))]
            gains = [drawn_gap(gain) for gain in gains_of(row)]
            panel.plot(range(len(gains)), gains, "o-", color=COLORS[strategy], markersize=3)
    left.set_xticks(range(len(tables)), [f"{count - 1} to {count}" for count in tables])
    left.set_xlabel("players", fontsize=8)
    left.set_ylabel("NashConv, chips", fontsize=8)
    for panel, count in zip(others, tables, strict=True):
        panel.set_title(f"{count} players", fontsize=8)
        panel.set_xlabel("seat", fontsize=8)
        panel.set_xticks(range(count))
        panel.set_ylabel("gain, chips", fontsize=8)
    every = [drawn_gap(gain) for row in rows for gain in gains_of(row)]
    for panel in (left, *others):
        panel.set_yscale("log")
        panel.tick_params(labelsize=7)
    for panel in others:  # all seats of all tables, by one scale
        panel.set_ylim(min(every), max(every))
        log_axis(panel.yaxis)
    log_axis(left.yaxis)
    draw_legend(figure)
    return figure


N_TO_N_PLUS_1 = ExperimentSpec(
    name="n_to_n_plus_1",
    doc=__doc__,
    axes=(
        Axis("players", (3, 4, 5), quick=(3,), help="at the larger table, from 3 to 10"),
        Axis("strategy", STRATEGIES, help="mapped, how cards are; uniform; or regret"),
        Axis("rounds", (1000,), quick=(100,), help="of regret minimization"),
    ),
    measure=measure_gains,
    figures={"n_to_n_plus_1.png": draw_gains, "n_to_n_plus_1.md": table_of},
    shown=("players", "strategy", "nash_conv"),
)

if __name__ == "__main__":
    run_as_script("n_to_n_plus_1")
