"""What linear programs and searches take beside the game, for the methods that say their `need`.

`describe` tells it, the method itself refuses by it before it allocates anything, and what may take
any time is told before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.need import Need

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.sizes import LPSize

SEARCH_BYTES = 130 * 2**20
"""Of compiled kernels, and the compiler that makes them."""

SEARCH_BYTES_PER_NONZERO = 60


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
