"""Checks of single answers of the rules of a game; the caller adds where they were given."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from numbers import Integral
from typing import Any

from seqform.base.errors import InvalidGameError, SeqformError
from seqform.base.number import Number, as_number, is_exact, plain
from seqform.base.summary import counted
from seqform.game.rules import CHANCE, TERMINAL, Game

SUM_TOLERANCE = 1e-9
"""How far inexact chance probabilities may sum from one."""

MOST_VALUES = 5_000_000
"""Actions, outcomes or payoffs of one state at most."""


def checked_payoffs(payoffs: Sequence[Number] | None, num_players: int) -> tuple[Number, ...]:
    """Return payoffs as numbers of our own, one for each player (R5).

    Raises
    ------
    InvalidGameError
        R5: if there are no payoffs, or not one per player in order.
    """
    if payoffs is None:
        raise InvalidGameError("R5: a terminal state has no payoffs; return one number per player")
    row = tuple(map(as_number, _in_order(payoffs, "R5: the payoffs are")))
    if len(row) != num_players:
        raise InvalidGameError(
            f"R5: {counted(len(row), 'payoff')} for {counted(num_players, 'player')}; return one "
            "number each"
        )
    return row


def checked_actions(actions: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Return the actions or outcomes of a state, of which there must be some (R3).

    Raises
    ------
    InvalidGameError
        R3: if there are none, or they have no order. R8: if two are called the same, or one cannot
        be a label.
    """
    labels = _in_order(actions, "R3: the actions are")
    if not labels:
        raise InvalidGameError("R3: a state has no actions; give it actions or make it TERMINAL")
    try:
        _require_distinct(labels)
    except TypeError:
        wrong = next(label for label in labels if not is_hashable(label))
        raise InvalidGameError(
            f"R8: {wrong!r} cannot be a label; use text, numbers or tuples of them"
        ) from None
    return labels


def outcomes_of(
    given: Sequence[tuple[Hashable, Number]],
) -> tuple[tuple[Hashable, ...], tuple[Any, ...]]:
    """Return the labels of chance outcomes, checked, and their probabilities as they were given.

    Raises
    ------
    InvalidGameError
        R4: if they are not pairs. R3 and R8: as for `checked_actions`.
    """
    outcomes = _in_order(given, "R4: the outcomes of chance are")
    pairs = [_pair(outcome) for outcome in outcomes]
    return checked_actions(tuple(label for label, _ in pairs)), tuple(p for _, p in pairs)


def checked_chance(
    given: Sequence[tuple[Hashable, Number]],
) -> tuple[tuple[Hashable, ...], tuple[Number, ...]]:
    """Return the labels of chance outcomes and their probabilities, a distribution (R4).

    Raises
    ------
    InvalidGameError
        R4: if a probability is negative, or they do not sum to 1; and as for `outcomes_of`.
    """
    labels, numbers = outcomes_of(given)
    probabilities = tuple(map(as_number, numbers))
    total: Number = sum(probabilities, Fraction(0))
    if min(probabilities) < 0:
        raise InvalidGameError(
            f"R4: the chance probability {min(probabilities)} is negative; use a number from 0 to 1"
        )
    if total != 1 and (is_exact(total) or abs(float(total) - 1) > SUM_TOLERANCE):
        raise InvalidGameError(f"R4: the chance probabilities sum to {total}, not to 1")
    return labels, probabilities


def checked_player(player: object, num_players: int) -> int:
    """Return who moves: a player, `CHANCE` or `TERMINAL` (R3).

    Raises
    ------
    InvalidGameError
        R3: if it is none of them.
    """
    if (number := in_range(player, TERMINAL, num_players)) is not None:
        return number
    raise InvalidGameError(
        f"R3: player {plain(player)} moves, "
        f"but players are 0..{num_players - 1}, CHANCE or TERMINAL"
    )


def in_range(value: object, first: int, end: int) -> int | None:
    """Return a value as an int if it is an integer from `first` to below `end`, else None."""
    if not is_integer(value):
        return None
    number = int(value)  # type: ignore[call-overload]
    return number if first <= number < end else None


def is_integer(value: object) -> bool:
    """Return whether a value is an integer, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_hashable(value: object) -> bool:
    """Return whether a value can be a key or label."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def check_key(key: object) -> None:
    """Validate the key of an information set (R6).

    Raises
    ------
    InvalidGameError
        R6: if there is none, as where a `return` was forgotten, or it cannot be a key.
    """
    if key is None or not is_hashable(key):
        raise InvalidGameError(
            f"R6: {key!r} cannot be the key of an information set; "
            "use text, numbers or tuples of them"
        )


def _in_order(values: Any, what: str) -> tuple[Any, ...]:
    """Return values that have an order of their own as a tuple."""
    if type(values) is tuple:
        return values
    if isinstance(values, (Mapping, Set)) or not isinstance(values, Iterable):
        raise InvalidGameError(f"{what} {plain(values)}; return a tuple or list")
    found = tuple(islice(values, MOST_VALUES + 1))
    if len(found) > MOST_VALUES:
        raise InvalidGameError(f"{what} more than {MOST_VALUES:,}, or never end; return fewer")
    return found


def _pair(outcome: Any) -> tuple[Hashable, Any]:
    try:
        label, probability = outcome
    except (TypeError, ValueError):
        raise InvalidGameError(
            f"R4: the outcome {plain(outcome)} of chance is no pair (label, probability); "
            'return pairs such as ("heads", Fraction(1, 2))'
        ) from None
    return label, probability


@lru_cache(maxsize=1 << 14)
def _require_distinct(labels: tuple[Hashable, ...]) -> None:
    """Validate that no two labels read the same; most are met again and again."""
    text = repeated(labels)
    if text is not None:
        raise InvalidGameError(
            f"R8: two moves of one state are called {text!r}; give each a label of its own"
        )
    require_text(labels, "R8: the label")


def require_text(names: Iterable[object], what: str) -> None:
    """Validate that files can hold some names, as text.

    Parameters
    ----------
    what
        The requirement, and what they name, for the error message.

    Raises
    ------
    InvalidGameError
        If one has half of a character, a lone surrogate, which UTF-8 does not write.
    """
    texts = list(map(str, names))
    if "".join(texts).isascii():
        return
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidGameError(
                f"{what} {text!r} has half of a character, which no file in UTF-8 can hold; "
                "use other text"
            ) from None


def repeated(labels: Iterable[Hashable]) -> str | None:
    """Return a text that two labels have in common, if any.

    Texts are what tables, files and pictures tell moves by.
    """
    seen: set[str] = set()
    for text in map(str, labels):
        if text in seen:
            return text
        seen.add(text)
    return None


@contextmanager
def placing(
    here: Callable[[], str], kinds: tuple[type[SeqformError], ...] = (InvalidGameError,)
) -> Iterator[None]:
    """Say at which state rules broke a requirement, or raised an error of their own.

    Parameters
    ----------
    here
        Names the state that is looked at.
    kinds
        Errors of ours that are about this state.

    Raises
    ------
    SeqformError
        One of `kinds`, which also says where; `InvalidGameError` for whatever is no error of ours.
    """
    try:
        yield
    except kinds as error:
        what, *instead = error.args
        raise type(error)(f"{what}, at {here()}", *instead) from None
    except (SeqformError, MemoryError, BrokenPipeError):
        raise  # the last: nobody reads any more what is printed on the way
    except Exception as error:
        raise InvalidGameError(
            f"the rules raised {type(error).__name__}: {error}, at {here()}"
        ) from error


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
    with placing(lambda: "the root", kinds=()):
        return game.root()
