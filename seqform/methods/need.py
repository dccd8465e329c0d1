"""What linear programs and searches take beside the game, for the methods that say their `need`.

`describe` tells it, the method itself refuses by it before it allocates anything, and what may take
any time is told before it begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.need import Need

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.sizes import LPSize

HAND_SECONDS, SPARSIFIED_HAND_SECONDS, HAND_GROWTH = 1.9e-9, 2.3e-8, 1.7
"""How long the linear program of a river takes by the interior point, by its nonzeros: 4 and 17 CPU
seconds with 251,000 and 729,000; with auxiliary variables 16 and 236 with 158,000 and 752,000."""

SEARCH_BYTES = 130 * 2**20
"""Of compiled kernels, and the compiler that makes them."""

SEARCH_BYTES_PER_NONZERO = 60

BYTES_PER_ENTRY = 8.4
"""A regret and an average in single precision, for an action of a hand on a board up to symmetry;
hands are filled up to whole vectors, which takes at most 5% more on flops (`games.tree_size`)."""


def need_of_program(form: SequenceForm, size: LPSize) -> Need:
    """Return what solving a game's linear program takes; how long is known of games of hands."""
    what = f"solving a linear program with {size.nonzeros:,} nonzeros"
    if form.origin.is_of_hands:
        from seqform.form.sizes import form_lp_size

        seconds = HAND_SECONDS if size == form_lp_size(form) else SPARSIFIED_HAND_SECONDS
        return Need(
            f"{what} between hands",
            size.solver_bytes,
            "use regret minimization (method='dcfr'), whose interval prove=True proves",
            seconds=seconds * size.nonzeros**HAND_GROWTH,
        )
    return Need(
        what,
        size.solver_bytes,
        "use regret minimization (method='dcfr') or a coarser abstraction (abstract=)",
    )


def need_of_search(form: SequenceForm) -> Need:
    """Return what an iterative search takes, whose kernels are compiled.

    One that has to go by payoffs takes more in a game of hands: this is of those that go by boards.
    """
    if form.origin.hands is not None:
        return need_of_boards(form.origin.hands)
    lines = sum(1 + t.num_infosets + t.num_sequences for t in form.treeplexes)
    nonzeros = form.payoffs.num_nonzeros + lines
    return Need(
        f"a search with {nonzeros:,} nonzeros",
        SEARCH_BYTES + SEARCH_BYTES_PER_NONZERO * nonzeros,
        "use a smaller game, or a coarser abstraction (abstract=)",
    )


def need_of_boards(structure: HandStructure) -> Need:
    """Return what a search takes in a game of hands that goes by boards and hands."""
    from seqform.form.hand_tables import on_first

    betting, entries = structure.game.betting, 0
    for player in (0, 1):
        alive = [int(sets.sum()) for sets in on_first(structure, player)]
        for node in range(betting.num_nodes):
            if betting.player[node] == player:
                entries += int(betting.num_children[node]) * alive[int(betting.dealt[node])]
    return Need(
        f"a search with {entries:,} actions of hands on boards up to symmetry",
        SEARCH_BYTES + BYTES_PER_ENTRY * entries,
        "leave out bet sizes or hands, or keep regrets in 16 bits (half=True)",
    )
