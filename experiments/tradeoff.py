"""What does it cost to exploit an opponent: what is won against it, and what is still guaranteed?

Claim: safe best responses win the most for what they guarantee, and restricted Nash responses are
on the same line. In Leduc hold'em data-biased responses are below it.

Source: Johanson, Zinkevich & Bowling, "Computing robust counter-strategies", NIPS 2007; McCracken &
Bowling, "Safe strategies for agent modelling in games", AAAI symposium 2004; Johanson & Bowling,
"Data biased robust counter strategies", AISTATS 2009.

Two models of player 1 are answered, in Kuhn poker and in Leduc hold'em. One calls every bet and
never makes one; the other chooses evenly everywhere. The answers are restricted Nash responses
(weights p), safe best responses (bounds epsilon), data-biased responses (the same confidence
everywhere), the best equilibrium and the best response. All are certified.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from experiments.labels import game_of
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from seqform import ZeroSumForm
    from seqform.strategies.exploit.exploitation import Exploitation
    from seqform.strategies.exploit.model import Model

TITLES = {"kuhn": "Kuhn poker", "leduc": "Leduc hold'em"}
MODELS = ("calls always", "chooses evenly")
WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
STEPS = 24
"""Bounds on what may be lost, from none to what the best response loses."""

STYLES = {
    "safe best response": ("-", "", "#0072b2"),
    "restricted Nash response": ("", "o", "#d55e00"),
    "data-biased response": (":", "^", "#009e73"),
    "best equilibrium": ("", "*", "#000000"),
    "best response": ("", "s", "#000000"),
}
"""How each kind of answer is drawn: line, marker, color."""


def calls(player: int, infoset: Hashable, actions: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return the choice of somebody who calls every bet and makes none."""
    names = [str(action) for action in actions]
    passive = "call" if "call" in names else "check"
    return {action: int(name == passive) for action, name in zip(actions, names, strict=True)}


def model_of(name: str, form: ZeroSumForm) -> Model:
    """Return a model of player 1, by what it does."""
    from seqform import given_from
    from seqform.strategies.exploit.model import model_from

    if name == "calls always":
        return model_from(given_from(calls, form), form, 1)
    return model_from([treeplex.uniform() for treeplex in form.treeplexes], form, 1)


def kind_of_model(text: str) -> str:
    """Return the name of a model as it was written.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    if text not in MODELS:
        raise ValueError(f"write {' or '.join(MODELS)}")
    return text


def answers(
    model: Model, weights: Sequence[float], steps: int
) -> Iterator[tuple[float, Exploitation]]:
    """Yield answers to a model, each with its parameter."""
    import numpy as np

    from seqform import exploit
    from seqform.strategies.exploit.observed import BiasedModel

    form, count = model.form, model.form.treeplexes[1].num_infosets
    best, safest = exploit(form, model, 0), exploit(form, model, 0, equilibrium=True)
    yield 0.0, safest
    yield 1.0, best
    for p in weights:
        yield p, exploit(form, model, 0, p=p)
        biased = BiasedModel(model, np.full(count, p), np.zeros(count, dtype=np.int64))
        yield p, exploit(form, biased, 0)
    most = max(0.0, safest.guaranteed - best.guaranteed)
    for step in range(steps + 1):
        epsilon = most * (step / steps) ** 2
        yield epsilon, exploit(form, model, 0, epsilon=epsilon)


def trade(point: Point) -> list[Row]:
    """Return the answers to a model in a game."""
    from seqform import build_sequence_form, build_tree
    from seqform.io.named_game import named_game

    form = build_sequence_form(build_tree(named_game(point.game, point.parameters))).zero_sum()
    steps = int(point["steps"])
    weights = WEIGHTS if steps >= STEPS else WEIGHTS[::4]
    return [
        {
            "kind": answer.kind.partition(" (")[0],
            "parameter": parameter,
            "against_model": answer.against_model,
            "guaranteed": answer.guaranteed,
            "gap": answer.gap,
        }
        for parameter, answer in answers(model_of(point["model"], form), weights, steps)
    ]


def draw_tradeoff(rows: Sequence[Row]) -> Any:
    """Draw what is won against what is guaranteed, a panel for each game and model."""
    from matplotlib.figure import Figure

    games = list(dict.fromkeys(map(game_of, rows)))
    kinds = list(dict.fromkeys(str(row["model"]) for row in rows))
    figure = Figure(figsize=(7.2, 2.9 * len(games)), dpi=200, layout="constrained")
    panels = figure.subplots(len(games), len(kinds), squeeze=False)
    for line, game in zip(panels, games, strict=True):
        for panel, model in zip(line, kinds, strict=True):
            here = [row for row in rows if (game_of(row), row["model"]) == (game, model)]
            _draw_panel(panel, here, f"{TITLES.get(game, game)}: player 1 {model}")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7, frameon=False)
    return figure


def _draw_panel(panel: Any, rows: Sequence[Row], title: str) -> None:
    for order, (kind, (dash, marker, color)) in enumerate(STYLES.items()):
        points = sorted(
            (row["guaranteed"], row["against_model"]) for row in rows if row["kind"] == kind
        )
        panel.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle=dash or "none",
            marker=marker or None,
            color=color,
            label=kind,
            markersize=9 if marker == "*" else 4,
            linewidth=1.2,
            zorder=2 + order,
        )
    panel.set_title(title, fontsize=8)
    panel.set_xlabel("guaranteed against anybody, chips a hand", fontsize=7)
    panel.set_ylabel("won against the model, chips a hand", fontsize=7)
    panel.tick_params(labelsize=7)
    panel.grid(color="#dddddd", linewidth=0.5)


TRADEOFF = ExperimentSpec(
    name="tradeoff",
    doc=__doc__,
    axes=(
        Axis("game", tuple(TITLES), quick=("kuhn",)),
        Axis("model", MODELS, help=", ".join(MODELS), read=kind_of_model),
        Axis("steps", (STEPS,), quick=(4,), plural="steps", help="bounds on what may be lost"),
    ),
    measure=trade,
    figures={"tradeoff.png": draw_tradeoff},
    shown=("game", "model", "kind", "against_model", "guaranteed", "parameter"),
)

if __name__ == "__main__":
    run_as_script("tradeoff")
