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

POLISH_SECONDS, POLISH_BYTES = 1.5e-9, 80
"""How long polishing by pairs of hands takes, by `HAND_GROWTH` of the payoffs: 2.7, 12 and 42
seconds with 329,000, 781,000 and 1,362,000. A fifth of them was among kept actions."""

SEARCH_BYTES = 130 * 2**20
"""Of compiled kernels, and the compiler that makes them."""

SEARCH_BYTES_PER_NONZERO = 60

BYTES_PER_ENTRY = 8
"""A regret and an average in single precision, for an action of a hand on a board, of those that
stand for all; or of what fills hands up to whole vectors."""


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


def need_of_polishing(form: SequenceForm) -> Need | None:
    """Return what polishing by pairs of hands takes; of other games nothing is known beforehand."""
    if form.origin.hands is None:
        return None
    from seqform.form.merged_hands import merges_hands

    payoffs = form.payoffs.num_nonzeros
    by_classes = "polish by classes of hands (abstract='equitable'), or "
    return Need(
        f"polishing with {payoffs:,} payoffs of pairs of hands",
        POLISH_BYTES * payoffs,
        (by_classes if merges_hands(form) else "") + "leave out polish=",
        seconds=POLISH_SECONDS * payoffs**HAND_GROWTH,
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
    from seqform.solvers.iterative.regret.hand_orbits import HandOrbits

    betting, entries = structure.game.betting, 0
    orbits = HandOrbits(structure, structure.alike_cards)
    places = [orbits.num_places(dealt) for dealt in range(structure.num_dealt + 1)]
    for node in range(betting.num_nodes):
        if betting.player[node] in (0, 1):
            held = places[betting.dealt[node]][betting.player[node]]
            entries += int(betting.num_children[node]) * held
    return Need(
        f"a search with {entries:,} actions of hands that are not alike, in whole vectors",
        SEARCH_BYTES + BYTES_PER_ENTRY * entries,
        "leave out bet sizes or hands, or keep regrets in 16 bits (half=True)",
    )
