"""Questions about the class of a game: how many play, what payoffs add up to, what is hidden.

They are mathematics, and the same however a game is held. A function that is called for what is
needed returns None where the game is of that class, and else says why not, in words that begin with
`who` needs it, such as ``method 'lp' is for``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.errors import NotForThisGameError

if TYPE_CHECKING:
    from seqform.base.number import Number


class Counted(Protocol):
    """A game of which it is known how many play."""

    @property
    def num_players(self) -> int:
        """How many players there are, chance not counted."""


class Added(Counted, Protocol):
    """A game of which it is known, too, what payoffs add up to."""

    @property
    def constant_sum(self) -> Number | None:
        """What the players' payoffs add up to at every leaf, or None if that varies."""


def require(why_not: str | None) -> None:
    """Raise an error with what a question of this module returned; None passes.

    Raises
    ------
    NotForThisGameError
        Unless it is None.
    """
    if why_not is not None:
        raise NotForThisGameError(why_not)


def two_players(who: str, game: Counted) -> str | None:
    """Return None for games of two players.

    Examples
    --------
    >>> from seqform import make
    >>> two_players("the method is for", make("kuhn", players=3))
    'the method is for 2 players and the game has 3'
    """
    return None if game.num_players == 2 else f"{who} 2 players and the game has {game.num_players}"


def zero_sum(who: str, form: Added) -> str | None:
    """Return None for two-player constant-sum games."""
    return None if is_zero_sum(form) else why_not_zero_sum(who, form)


def why_not_zero_sum(who: str, form: Counted) -> str:
    """Return why a game is none of two players whose payoffs add up to a constant."""
    return two_players(who, form) or (
        f"{who} zero-sum (or constant-sum) games, and here the players' payoffs add up to "
        "different amounts at different leaves"
    )


def is_zero_sum(form: Added) -> bool:
    """Return whether a game is for two players, and of zero or constant sum."""
    return form.num_players == 2 and form.constant_sum is not None


def cancelling(who: str, payoffs: tuple[Number, ...]) -> str:
    """Return why a game is none of zero sum: these payoffs do not cancel."""
    return f"{who} zero-sum games, and {payoffs} sums to {sum(payoffs)}"


def perfect_recall(who: str, forgets: bool) -> str | None:
    """Return None unless merged information sets make players forget."""
    if not forgets:
        return None
    return (
        f"{who} perfect recall, and by the merged information sets players forget what they knew "
        "or did"
    )


def declares_perfect_information(game: Any) -> bool:
    """Return whether a game says that nothing is hidden in it, and is believed."""
    return bool(getattr(game, "perfect_information", False))


def confused(player: int, one: str, other: str) -> str:
    """Return why information is not perfect: a player takes one state for another."""
    return f"information is imperfect: player {player} cannot tell {one} from {other}"
