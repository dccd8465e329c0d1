"""What methods take beside the game, each said by one function.

A method whose memory depends on the game has ``need(form)``. `describe` tells it, the method itself
refuses by it before it allocates anything, and what may take any time is told before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.need import Need

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.sizes import LPSize
    from seqform.methods.method import Method

SEARCH_BYTES = 130 * 2**20
"""Of compiled kernels, and the compiler that makes them."""

SEARCH_BYTES_PER_NONZERO = 60


def need_of(method: Method, form: SequenceForm) -> Need | None:
    """Return what a method takes for a game; None if it does not say, which is little."""
    need = getattr(method, "need", None)
    return None if need is None else need(form)


def need_of_program(size: LPSize) -> Need:
    """Return what solving a game's linear program takes."""
    return Need(
        f"solving a linear program with {size.nonzeros:,} nonzeros",
        size.solver_bytes,
        "use regret minimization (method='dcfr') or a coarser abstraction (abstract=)",
    )


def need_of_search(form: SequenceForm) -> Need:
    """Return what an iterative search takes, whose kernels are compiled."""
    lines = sum(1 + t.num_infosets + t.num_sequences for t in form.treeplexes)
    nonzeros = form.payoffs.num_nonzeros + lines
    return Need(
        f"a search with {nonzeros:,} nonzeros",
        SEARCH_BYTES + SEARCH_BYTES_PER_NONZERO * nonzeros,
        "use a smaller game, or a coarser abstraction (abstract=)",
    )
