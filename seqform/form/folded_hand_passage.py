"""How a game of hands is gone through once for boards that an exchange of two cards makes alike.

Two cards that may change places (`seqform.form.hand_symmetries`) make images of each other of the
boards on which they are dealt. What is worth something on one is so on the other, if both players
play it as its image. That is looked up in their tables, entry by entry. Where it is not so,
every board is gone through.

Exchanges are too many to be combined, so this is for games in which one card is dealt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.deadline import check_time
from seqform.form.hand_passage import HandPassage
from seqform.form.hand_strategy import HandStrategy
from seqform.form.hand_structure import HandStructure, Orbits
from seqform.form.hand_symmetries import Symmetry, exchange

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm


class Exchanges(NamedTuple):
    """The boards of a game in which one card is dealt, up to exchanges of two cards.

    Parameters
    ----------
    symmetries
        The identity, and the exchanges.
    orbits
        By cards dealt; which exchange leads from the first board of an orbit to each one.
    """

    symmetries: tuple[Symmetry, ...]
    orbits: tuple[Orbits, Orbits]


class FoldedHandPassage(HandPassage):
    """A game of hands, and strategies that play boards alike which exchanges make alike.

    Parameters
    ----------
    form, strategy, payee
        As of `HandPassage`.
    exchanges
        The boards.
    """

    def __init__(
        self, form: SequenceForm, strategy: HandStrategy, payee: int, exchanges: Exchanges
    ) -> None:
        super().__init__(form, strategy, payee)
        self.symmetries, self.orbits = exchanges.symmetries, exchanges.orbits


def folded(form: SequenceForm, strategy: HandStrategy, payee: int) -> HandPassage:
    """Return how a game is gone through for strategies: once for all boards that are alike."""
    exchanges = exchanges_of(strategy.structure)
    if exchanges is None or not plays_alike(strategy, exchanges):
        return HandPassage(form, strategy, payee)
    return FoldedHandPassage(form, strategy, payee, exchanges)


def exchanges_of(structure: HandStructure) -> Exchanges | None:
    """Return the boards up to exchanges; None where they are all boards.

    Where symmetries are listed, too, they are left to these.
    """
    if structure.num_dealt != 1 or len(structure.symmetries) > 1:
        return None
    cards, alike = structure.cards, structure.alike_cards[structure.cards]
    moved = np.flatnonzero(alike != cards)
    pairs = zip(alike[moved].tolist(), cards[moved].tolist(), strict=True)
    found = [kept for pair in pairs if (kept := exchange(structure, *pair)) is not None]
    if not found or len(found) < len(moved):
        return None
    by = np.zeros(len(cards), dtype=np.int16)
    by[moved] = np.arange(1, len(moved) + 1)
    first, orbit, size = np.unique(alike, return_inverse=True, return_counts=True)
    dealt = Orbits(
        first=np.searchsorted(cards, first).astype(np.int32),
        size=size.astype(np.int32),
        orbit=orbit.astype(np.int32),
        symmetry=by,
    )
    return Exchanges((*structure.symmetries, *found), (structure.orbits[0], dealt))


def plays_alike(strategy: HandStrategy, exchanges: Exchanges) -> bool:
    """Tell whether strategies treat boards and hands as their images by each of the exchanges."""
    from seqform.form.hand_row_kernels import are_images  # it loads numba

    betting, orbits = strategy.structure.game.betting, exchanges.orbits[1]
    moved = np.flatnonzero(orbits.symmetry)
    first = orbits.first[orbits.orbit[moved]].astype(np.int64)
    for player, tables in enumerate(strategy.behaviors):
        every = [of.hands[player] for of in exchanges.symmetries]
        maps = np.stack([every[number] for number in orbits.symmetry[moved].tolist()])
        for node, table in tables.items():
            check_time("comparing boards")
            pair = (moved, first) if betting.dealt[node] else (0 * moved, 0 * first)
            if not are_images(np.ascontiguousarray(table), *pair, maps):
                return False
    return True
