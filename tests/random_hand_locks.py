"""Locks of random parts of a game of hands, and the same of the game dealt out card by card."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from seqform.form.hand_boards import HandBoards
from seqform.form.hand_lock import HandLock, LockedNode
from seqform.form.hand_numbering import HandNumbering
from seqform.form.hand_structure import HandStructure
from seqform.form.hands import HandGame
from seqform.form.lock import Fixed, Lock
from seqform.form.sequence_form import SequenceForm
from tests.random_locks import random_choice as any_choice

Said = dict[tuple[int, int, int], Fixed]
"""What is fixed, by public node, orbit and hand."""


def random_said(structure: HandStructure, seed: int) -> Said:
    """Return what is fixed at some nodes: of all hands alike, of each by itself, or by a card.

    Where the game has symmetries it is of all hands alike, on all boards.
    """
    rng, betting = random.Random(seed), structure.game.betting
    found: Said = {}
    random_choice = whole_choice if rng.random() < 0.2 else some_choice
    card = rng.randrange(len(structure.game.deck)) if rng.random() < 0.4 else None
    card = None if len(structure.symmetries) > 1 else card
    for node in np.flatnonzero(betting.player >= 0).tolist():
        if rng.random() < 0.4:
            continue
        count, held = int(betting.num_children[node]), structure.game.ranges[betting.player[node]]
        alike = random_choice(rng, count)
        by_hand = len(structure.symmetries) == 1 and card is None and rng.random() < 0.7
        for orbit in range(len(structure.orbits[betting.dealt[node]].first)):
            for hand in range(held.num_hands):
                if card is not None and card not in held.hands[hand]:
                    continue
                if not by_hand:
                    found[node, orbit, hand] = alike
                elif rng.random() < 0.7:
                    found[node, orbit, hand] = random_choice(rng, count)
    return found


def some_choice(rng: random.Random, count: int) -> Fixed:
    """Return a choice, of which free actions may have nothing left."""
    if count > 1 and rng.random() < 0.3:
        return [Fraction(1)] + [None] * (count - 1)
    return any_choice(rng, count)


def whole_choice(rng: random.Random, count: int) -> Fixed:
    """Return a choice without free actions."""
    weights = [rng.randint(1, 9) for _ in range(count)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def hand_lock(structure: HandStructure, said: Said) -> HandLock:
    """Return the lock of what is fixed."""
    betting, nodes = structure.game.betting, ({}, {})  # type: ignore[var-annotated]
    for node in sorted({node for node, _, _ in said}):
        player = int(betting.player[node])
        hands = structure.game.ranges[player].num_hands
        shape = len(structure.orbits[betting.dealt[node]].first), hands
        fixed = np.full((shape[0], int(betting.num_children[node]), hands), np.nan)
        left = np.ones(shape)
        for (at, orbit, hand), numbers in said.items():
            if at == node:
                fixed[orbit, :, hand] = [np.nan if of is None else float(of) for of in numbers]
                left[orbit, hand] = float(1 - sum(of for of in numbers if of is not None))
        nodes[player][node] = LockedNode(fixed, left)
    return HandLock(structure, nodes)


def explicit_lock(
    form: SequenceForm, said: Said, place: Callable[[Any], tuple[int, int, int]]
) -> Lock:
    """Return the same lock of the game dealt out; `place` maps names to node, orbit and hand."""
    fixed: list[Fixed] = [[None] * treeplex.num_sequences for treeplex in form.treeplexes]
    for player, treeplex in enumerate(form.treeplexes):
        first = treeplex.first_sequence.tolist()
        for infoset in range(treeplex.num_infosets):
            numbers = said.get(place(form.infoset_label(player, infoset)))
            if numbers is not None:
                fixed[player][first[infoset] : first[infoset + 1]] = numbers
    return Lock(form, tuple(fixed))


def placed(game: HandGame, player: int) -> Callable[[int], tuple[int, int, int]]:
    """Return what maps information sets of a game's form to node, board and hand."""
    numbering = HandNumbering(HandBoards(game), player)

    def place(infoset: int) -> tuple[int, int, int]:
        at, board, hand = numbering.at(infoset)
        return int(numbering.nodes[at]), board, hand

    return place


def in_form(form: SequenceForm, game: HandGame, said: Said) -> Lock:
    """Return the lock, said by all boards, of the game's explicit form."""
    fixed: list[Fixed] = [[None] * treeplex.num_sequences for treeplex in form.treeplexes]
    for player, treeplex in enumerate(form.treeplexes):
        first, place = treeplex.first_sequence.tolist(), placed(game, player)
        for infoset in range(treeplex.num_infosets):
            numbers = said.get(place(infoset))
            if numbers is not None:
                fixed[player][first[infoset] : first[infoset + 1]] = numbers
    return Lock(form, tuple(fixed))
