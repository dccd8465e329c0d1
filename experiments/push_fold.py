"""Up to which stack is each hand pushed, or called with, in push or fold for two?

Each stack from 1 to 25 big blinds is solved in fractions, and proven: `value_exact`, and how often
each class of hands pushes and calls (`push`, `call`), as `games.hand_ranges` reads it. A row is a
stack. `--antes` and `--small-blinds` are in big blinds, as are the stacks, which are written as
``1 to 25 by 0.1``.

A threshold is the last stack of these at which a class acts at least half of the time. Below it
there may be holes, where it does not; 63s has some. The table has them all.

Claim: charts that poker sites print have these thresholds, without the holes. To have the small
blind is worth most near 4 big blinds, and costs something from 7.8 on.

Source: each row's equilibrium, proven in integers; the thresholds that are compared with are those
of holdemresources' heads-up push/fold Nash charts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from experiments.push_fold_chart import draw_chart, thresholds_table, values_table
from games.hand_classes import CLASS_OF
from games.push_fold_charts import grid
from games.push_fold_rules import PushFoldRules, amount_text, read_amount
from games.range_text import range_text
from seqform.base.errors import InvalidParameterError
from seqform.experiment import Axis, ExperimentSpec, Point, Row, run_as_script

if TYPE_CHECKING:
    from games.push_fold_equilibrium import PushFoldEquilibrium

STRETCH = re.compile(r"(\S+)\s+to\s+(\S+)\s+by\s+(\S+)")

MOST_STACKS = 10_000


def stacks_of(text: str) -> list[Fraction]:
    """Return the stacks of a text such as ``1 to 25 by 0.1``, or of one number.

    Raises
    ------
    InvalidParameterError
        If it is neither, or there are none, or too many.

    Examples
    --------
    >>> [str(stack) for stack in stacks_of("1 to 1.2 by 0.1")], len(stacks_of("7.5"))
    (['1', '11/10', '6/5'], 1)
    """
    found = STRETCH.fullmatch(text.strip())
    if found is None:
        return [read_amount("stacks", text)]
    first, last, step = (read_amount("stacks", word) for word in found.groups())
    if step <= 0 or not 0 <= last - first < MOST_STACKS * step:
        raise InvalidParameterError(
            f"stacks={text!r}: write the first, a last one that is no less, and a step above 0, "
            f"such as 1 to 25 by 0.1; at most {MOST_STACKS:,} in all"
        )
    return grid(first, last, step)


def solve_stacks(point: Point) -> list[Row]:
    """Return a row for each stack."""
    from games.push_fold_equilibrium import push_fold_equilibria

    blind, ante = (read_amount(name, point[name]) for name in ("small_blind", "ante"))
    every = (PushFoldRules(stack, blind, ante) for stack in stacks_of(point["stacks"]))
    return [_row(found) for found in push_fold_equilibria(every)]


def _row(found: PushFoldEquilibrium) -> Row:
    both = found.push + found.call
    return {
        "stack": amount_text(found.rules.stack),
        "value": float(found.value),
        "value_exact": str(found.value),
        "mixed": sum(0 < weight < 1 for weight in both),
        "push": _in_words(found.push),
        "call": _in_words(found.call),
    }


def _in_words(weights: Sequence[Fraction]) -> str:
    return range_text([weights[of] for of in CLASS_OF.tolist()])


def _amount(name: str) -> Any:
    """Return what reads an amount of an axis."""
    return lambda text: amount_text(read_amount(name, text))


def _stacks(text: str) -> str:
    stacks_of(text)
    return text.strip()


PUSH_FOLD = ExperimentSpec(
    name="push_fold",
    doc=__doc__,
    axes=(
        Axis("small_blind", ("0.5",), help="in big blinds", read=_amount("small_blind")),
        Axis("ante", ("0",), help="in big blinds", read=_amount("ante")),
        Axis(
            "stacks",
            ("1 to 25 by 0.1",),
            quick=("5 to 6 by 0.5",),
            help="in big blinds, such as '1 to 25 by 0.1', or 10",
            plural="stacks",
            read=_stacks,
        ),
    ),
    measure=solve_stacks,
    figures={
        "push_fold.png": draw_chart,
        "thresholds.md": thresholds_table,
        "values.md": values_table,
    },
    shown=("ante", "stack", "status", "value", "value_exact", "mixed"),
)

if __name__ == "__main__":
    run_as_script("push_fold")
