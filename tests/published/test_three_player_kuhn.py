"""The published equilibria of three-player Kuhn poker, in fractions.

Szafron, Gibson & Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn
poker", AAMAS 2013. Names are theirs: a, b and c are the players, then come the card, 1 being the
lowest, and the situation: 1 before a bet, 2 to 4 after one. Each is the probability of betting or
calling.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.kuhn import kuhn
from seqform import build_tree
from tests.reference.exact_gains import gains
from tests.reference.oracles import Behavior, expected_values

TREE = build_tree(kuhn(players=3))

SITUATIONS = {
    "a": ("", "check-check-bet", "check-bet-fold", "check-bet-call"),
    "b": ("check", "bet", "check-check-bet-fold", "check-check-bet-call"),
    "c": ("check-check", "check-bet", "bet-fold", "bet-call"),
}
"""The moves before each player's four decisions."""


def family(parameters: str) -> dict[str, Fraction]:
    """Return the probabilities that are not 0, from the parameters.

    These are c11, b11, b21, b23, b32, c33 and c34. The others follow, or never change.
    """
    c11, b11, b21, b23, b32, c33, c34 = map(Fraction, parameters.split())
    beta = max(b11, b21)
    highest = {f"{player}4{situation}": Fraction(1) for player in "abc" for situation in (2, 3, 4)}
    return highest | {
        "a33": Fraction(1, 2),
        "b11": b11,
        "b21": b21,
        "b23": b23,
        "b32": b32,
        "b33": Fraction(1, 2) + (b11 + b21 + beta) / 2 - b23 * (1 - b21),
        "b41": 2 * b11 + 2 * b21,
        "c11": c11,
        "c21": Fraction(1, 2) - c11,
        "c33": c33,
        "c34": c34,
        "c41": Fraction(1),
    }


def behavior(probabilities: dict[str, Fraction]) -> Behavior:
    """Lay probabilities out by the tree's information sets."""
    names = {}
    for player, situations in SITUATIONS.items():
        for number, moves in enumerate(situations, 1):
            for rank, card in enumerate("TJQK", 1):
                names[f"{card}:{moves}", player] = f"{player}{rank}{number}"
    table = []
    for infoset, label in enumerate(TREE.infoset_labels):
        name = names[label, "abc"[TREE.infoset_player[infoset]]]
        acting = probabilities.get(name, Fraction(0))
        table.append([1 - acting, acting])
    return table


MEMBERS = {
    "nobody bluffs": "0 0 0 0 1/2 0 0",
    "c11 = 0": "0 1/8 1/4 0 1/4 1/4 1",
    "c11 = 0, b32 at its most": "0 1/8 1/4 0 27/32 0 1/3",
    "c33 at its least": "1/4 1/8 1/8 0 1/4 1/4 0",
    "c33 at its most": "1/4 1/8 1/8 0 1/4 15/32 0",
    "c11 at its most for b11": "7/16 1/4 1/4 0 1/4 1/4 0",
    "c11 = 1/2": "1/2 1/6 1/6 0 1/4 1/4 0",
    "c11 = 1/2, b23 at its most": "1/2 1/8 1/16 1/30 43/64 0 1/8",
}

BROKEN = {
    "b11 > b21, c11 = 0": "0 1/4 1/8 0 1/4 1/4 0",
    "b21 > 1/4, c11 = 0": "0 0 13/50 0 1/4 1/4 0",
    "b21 < b11, c11 < 1/2": "1/4 1/8 1/16 0 1/4 1/4 0",
    "b32 too large": "0 1/8 1/4 0 7/8 0 0",
    "c33 too small": "1/4 1/8 1/8 0 1/4 6/25 0",
    "c33 too large": "1/4 1/8 1/8 0 1/4 47/100 0",
    "c11 too large for b11": "9/20 1/4 1/4 0 1/4 1/4 0",
    "b21 > 1/2 - 2 b11": "1/2 1/4 1/16 0 1/4 1/4 0",
    "b23 too large": "1/2 1/8 1/16 1/29 1/4 1/4 0",
}


@pytest.mark.parametrize("parameters", MEMBERS.values(), ids=MEMBERS)
def test_members_of_the_family_are_equilibria(parameters: str) -> None:
    probabilities = family(parameters)
    play = behavior(probabilities)
    assert gains(TREE, play) == [0, 0, 0]
    given = max(probabilities["b11"], probabilities["b21"]) / 24  # by what player 1 does
    low = Fraction(-1, 48)
    assert expected_values(TREE, play) == [low - given, low, given - 2 * low]


@pytest.mark.parametrize("parameters", BROKEN.values(), ids=BROKEN)
def test_outside_of_the_family_somebody_gains(parameters: str) -> None:
    found = gains(TREE, behavior(family(parameters)))
    assert min(found) >= 0
    assert max(found) > 0
