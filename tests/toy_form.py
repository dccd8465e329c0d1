"""A representation of a game that the package does not know: a dictionary of payoffs by names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Any

import numpy as np

from seqform.form.origin import Origin
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.form.sparse_payoff import SparsePayoff
from seqform.form.treeplex import Treeplex

Sequence = tuple[str, str] | None
"""An information set and an action; None is the empty sequence."""


@dataclass(frozen=True)
class ToySpace:
    """By information set, parents first: the sequence that leads there, and the actions."""

    infosets: dict[str, tuple[Sequence, tuple[str, ...]]]

    @property
    def sequences(self) -> list[Sequence]:
        return [None, *((name, a) for name, (_, actions) in self.infosets.items() for a in actions)]

    @property
    def num_infosets(self) -> int:
        return len(self.infosets)

    @property
    def num_sequences(self) -> int:
        return len(self.sequences)

    def treeplex(self) -> Treeplex:
        place = {sequence: at for at, sequence in enumerate(self.sequences)}
        parents = [place[parent] for parent, _ in self.infosets.values()]
        counts = [len(actions) for _, actions in self.infosets.values()]
        first = np.cumsum([1, *counts]).astype(np.int32)
        return Treeplex(np.array(parents, dtype=np.int32), first)


class ToyNames(Origin):
    """The names are those of the spaces."""

    def __init__(self, form: ToyForm) -> None:
        super().__init__()
        self._form = form
        self._listed = [list(space.infosets.items()) for space in form.spaces]

    def infoset_label(self, player: int, infoset: int) -> Hashable:
        return self._listed[player][infoset][0]

    def actions(self, player: int, infoset: int) -> tuple[Hashable, ...]:
        return self._listed[player][infoset][1][1]

    def others_reach(self, player: int, plans: Any) -> Any:
        place = {
            sequence: at for at, sequence in enumerate(self._form.spaces[1 - player].sequences)
        }
        return np.array(
            [
                sum(float(chance) * plans[1 - player][place[other]] for other, chance in ways)
                for ways in (
                    self._form.reached[name] for name in self._form.spaces[player].infosets
                )
            ]
        )


@dataclass(frozen=True)
class ToyForm:
    """A zero-sum game: what player 0 is paid, chance counted, where two sequences meet.

    And for each information set from which of the opponent's sequences chance leads there.
    """

    spaces: tuple[ToySpace, ToySpace]
    payoffs: dict[tuple[Sequence, Sequence], Fraction]
    reached: dict[str, list[tuple[Sequence, Fraction]]]

    num_players, constant_sum, unit = 2, 0, "coins"

    def explicit(self) -> SequenceForm:
        mine, theirs = (
            {sequence: at for at, sequence in enumerate(space.sequences)} for space in self.spaces
        )
        whole = lcm(*(paid.denominator for paid in self.payoffs.values()))
        entries = sorted((mine[a], theirs[b], int(v * whole)) for (a, b), v in self.payoffs.items())
        rows, columns, numbers = np.array(entries, dtype=np.int64).T
        shape = (self.spaces[0].num_sequences, self.spaces[1].num_sequences)
        operator = SparsePayoff.from_sorted(rows, columns, numbers, whole, shape)
        return ZeroSumForm(
            treeplexes=tuple(space.treeplex() for space in self.spaces),
            payoffs=ZeroSumPayoffs(operator),
            origin=ToyNames(self),
            unit=self.unit,
            largest_payoff=float(sum(map(abs, self.payoffs.values()))),
            num_nodes=1 + 2 * len(self.payoffs),
        )


CARDS = "JQK"


def toy_kuhn() -> ToyForm:
    """Kuhn poker, whose value is -1/18, written down by hand."""
    first: dict[str, tuple[Sequence, tuple[str, ...]]] = {}
    second: dict[str, tuple[Sequence, tuple[str, ...]]] = {}
    payoffs: dict[tuple[Sequence, Sequence], Fraction] = {}
    reached: dict[str, list[tuple[Sequence, Fraction]]] = defaultdict(list)
    for card in CARDS:
        first[f"{card} first"] = (None, ("check", "bet"))
        first[f"{card} answers"] = ((f"{card} first", "check"), ("fold", "call"))
        second[f"{card} after a check"] = (None, ("check", "bet"))
        second[f"{card} after a bet"] = (None, ("fold", "call"))
    for mine, theirs in permutations(CARDS, 2):
        sign = 1 if CARDS.index(mine) > CARDS.index(theirs) else -1
        opens, answers = f"{mine} first", f"{mine} answers"
        checked, bet = f"{theirs} after a check", f"{theirs} after a bet"
        payoffs[(opens, "check"), (checked, "check")] = Fraction(sign, 6)
        payoffs[(answers, "fold"), (checked, "bet")] = Fraction(-1, 6)
        payoffs[(answers, "call"), (checked, "bet")] = Fraction(2 * sign, 6)
        payoffs[(opens, "bet"), (bet, "fold")] = Fraction(1, 6)
        payoffs[(opens, "bet"), (bet, "call")] = Fraction(2 * sign, 6)
        reached[opens].append((None, Fraction(1, 6)))
        reached[answers].append(((checked, "bet"), Fraction(1, 6)))
        reached[checked].append(((opens, "check"), Fraction(1, 6)))
        reached[bet].append(((opens, "bet"), Fraction(1, 6)))
    return ToyForm((ToySpace(first), ToySpace(second)), payoffs, dict(reached))
