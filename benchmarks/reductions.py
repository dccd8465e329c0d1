"""One measurement of a reduction in a process of its own: `python -m benchmarks.reductions WHAT
ARGUMENT` prints one JSON line."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from abstraction.equitable import equitable
from abstraction.outcome import outcome
from abstraction.suit import suit
from benchmarks.child import cpu
from games.rhode_island import rhode_island
from seqform.form.from_signals import build_signal_form
from seqform.form.sizes import form_lp_size
from seqform.game.observations import SignalStructure, num_classes
from seqform.solvers.linear.program import build_lp

CRITERIA = {"outcome": outcome, "suit": suit, "equitable": equitable}


def shrink(criterion: str) -> dict[str, Any]:
    """Shrink the 52-card game, first in a new process and then once more; build the form, and
    multiply by the payoffs."""
    find = CRITERIA[criterion]
    cold, _ = cpu(lambda: find(SignalStructure(rhode_island())))
    structure = SignalStructure(rhode_island())
    warm, classes = cpu(lambda: find(structure))
    built, form = cpu(lambda: build_signal_form(structure, classes))
    assert form.operator is not None
    y = np.random.default_rng(0).random(form.operator.shape[1])
    form.operator.times(y)
    product = min(cpu(lambda: form.operator.times(y))[0] for _ in range(5))  # type: ignore[union-attr]
    return {
        "classes": ", ".join(map(str, num_classes(classes)[0])),
        **form_lp_size(form)._asdict(),
        "shrink, cold": cold,
        "shrink, warm": warm,
        "build": built,
        "A @ y": product,
    }


def assemble(criterion: str) -> dict[str, Any]:
    """Assemble the linear program of the 52-card game as a compressed matrix, from the rules on."""

    def program() -> Any:
        structure = SignalStructure(rhode_island())
        return build_lp(build_signal_form(structure, CRITERIA[criterion](structure)))

    seconds, built = cpu(program)
    return {
        "counted": built.num_nonzeros,
        "formula": form_lp_size(built.game).nonzeros,
        "CPU": seconds,
    }


def difference(deck: str) -> dict[str, Any]:
    """Compare the Kronecker operator with its own matrix on a deck such as 8x4, suits merged where
    that has over 3e7 nonzeros."""
    ranks, suits = map(int, deck.split("x"))
    structure = SignalStructure(rhode_island(ranks=ranks, suits=suits))
    form, classes = build_signal_form(structure), "all apart"
    if form.operator is None or form.operator.num_nonzeros > 3e7:
        form, classes = build_signal_form(structure, suit(structure)), "suit"
    assert form.operator is not None
    matrix, rng = form.operator.to_csr(), np.random.default_rng(0)
    y, x = rng.random(matrix.shape[1]), rng.random(matrix.shape[0])
    forward, backward = matrix @ y, matrix.T @ x
    errors = (
        (np.abs(form.operator.times(y) - forward).max() / np.abs(forward).max()),
        (np.abs(form.operator.transposed_times(x) - backward).max() / np.abs(backward).max()),
    )
    return {"classes": classes, "nonzeros": matrix.nnz, "relative difference": float(max(errors))}


if __name__ == "__main__":
    print(
        json.dumps(
            {"shrink": shrink, "assemble": assemble, "difference": difference}[sys.argv[1]](
                sys.argv[2]
            )
        )
    )
