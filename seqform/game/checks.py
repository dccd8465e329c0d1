"""Checks of single answers of the rules of a game; the caller adds where they were given."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

from seqform.base.errors import InvalidGameError, SeqformError
from seqform.base.number import Number, as_number, is_exact, plain
from seqform.game.rules import CHANCE, Game

SUM_TOLERANCE = 1e-9
"""How far inexact chance probabilities may sum from one."""


def checked_payoffs(payoffs: Sequence[Number] | None, num_players: int) -> tuple[Number, ...]:
    """Return payoffs as numbers of our own, one for each player (R5).

    Raises
    ------
    InvalidGameError
        R5: if there are no payoffs, or not one per player.
    """
    if payoffs is None:
        raise InvalidGameError("R5: a terminal state has no payoffs; return one number per player")
    row = tuple(map(as_number, payoffs))
    if len(row) != num_players:
        raise InvalidGameError(
            f"R5: {len(row)} payoffs for {num_players} players; return one number each"
        )
    return row


def checked_actions(actions: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Return the actions or outcomes of a state, of which there must be some (R3).

    Raises
    ------
    InvalidGameError
        R3: if there are none.
    """
    if not len(actions):
        raise InvalidGameError("R3: a state has no actions; give it actions or make it TERMINAL")
    return tuple(actions)


def checked_chance(
    outcomes: Sequence[tuple[Hashable, Number]],
) -> tuple[tuple[Hashable, ...], tuple[Number, ...]]:
    """Return the labels of chance outcomes and their probabilities, a distribution (R4).

    Raises
    ------
    InvalidGameError
        R4: if a probability is negative, or they do not sum to 1.
    """
    labels = checked_actions(tuple(label for label, _ in outcomes))
    probabilities = tuple(as_number(probability) for _, probability in outcomes)
    total: Number = sum(probabilities, Fraction(0))
    if min(probabilities) < 0:
        raise InvalidGameError(
            f"R4: the chance probability {min(probabilities)} is negative; use a number from 0 to 1"
        )
    if total != 1 and (is_exact(total) or abs(float(total) - 1) > SUM_TOLERANCE):
        raise InvalidGameError(f"R4: the chance probabilities sum to {total}, not to 1")
    return labels, probabilities


def unknown_player(player: object, num_players: int) -> InvalidGameError:
    """Return the error for a number that is not a player's (R3)."""
    return InvalidGameError(
        f"R3: player {plain(player)} moves, "
        f"but players are 0..{num_players - 1}, CHANCE or TERMINAL"
    )


def describe_path(game: Game, states: Sequence[Any]) -> str:
    """Name the last state of a path for an error message, by the actions that lead to it."""
    if len(states) < 2:
        return "the root"
    first = max(len(states) - 12, 1)
    labels = [str(label_between(game, states[i - 1], states[i])) for i in range(first, len(states))]
    earlier = [f"... {first - 1:,} more ..."] if first > 1 else []
    return f"the state after {' > '.join(earlier + labels)}"


def label_between(game: Game, state: Any, child: Any) -> Hashable:
    """Return the first action or outcome that leads from a state to a child."""
    labels = (
        [label for label, _ in game.chance(state)]
        if game.player(state) == CHANCE
        else game.actions(state)
    )
    return next(label for label in labels if game.child(state, label) == child)


def root_of(game: Game) -> Any:
    """Return the state in which a game begins.

    Raises
    ------
    InvalidGameError
        If the rules raise an error of another kind.
    """
    try:
        return game.root()
    except SeqformError:
        raise
    except Exception as error:  # a mistake in the rules
        raise InvalidGameError(
            f"the rules raised {type(error).__name__}: {error}, at the root"
        ) from error
