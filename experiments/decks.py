"""What is a deck of Rhode Island hold'em called, and what does it stand for?"""

from __future__ import annotations

from seqform.experiment import Axis, Point, Role


def deck_axis(decks: tuple[str, ...], quick: tuple[str, ...]) -> Axis:
    """Return the axis of an experiment on decks, which are parameters of the game."""
    return Axis(
        "deck",
        decks,
        quick=quick,
        help="ranks x suits",
        role=Role.PARAMETER,
        gives=ranks_and_suits,
    )


def ranks_and_suits(deck: str) -> dict[str, int]:
    """Return the parameters of the game that a deck stands for.

    Raises
    ------
    ValueError
        With how to write it.
    """
    ranks, _, suits = str(deck).partition("x")
    if not (ranks.isdecimal() and suits.isdecimal()):
        raise ValueError("write a deck as ranks x suits, such as 5x3")
    return {"ranks": int(ranks), "suits": int(suits)}


def cards(point: Point) -> int:
    """Return how many cards the deck of a point has."""
    return int(str(point.parameters["ranks"])) * int(str(point.parameters["suits"]))
