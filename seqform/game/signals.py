"""Signal games: chance deals signals, every action is public; poker and liar's dice are such games.

All players see all actions, so the actions form one *public tree*, the same for every deal. A node
of the game is a pair (public node, deal so far). What is paid at the end is a stake, which the
actions decide, times an outcome, which the signals decide. So the game is a product, and it is
handled as one: `assemble` makes its tree and `build_signal_form` its sequence form, both without a
Python loop over nodes. Gilpin & Sandholm, J. ACM 54(5), 2007, Section 3, define the games with
ordered signals that this generalises.

A game may have one more method, `strengths(outcome, signals)`. Where an outcome pays 1 to the
stronger hand, that is a pair of integer arrays (num_deals,), how strong each hand is; for all
other outcomes it is None. Certificates then list hands instead of deals.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import InvalidGameError
from seqform.base.number import Number, as_number, plain
from seqform.game.checks import in_range, placing
from seqform.game.deals import Deck

EVERYONE = -1
"""The recipient of a signal that all players see."""


@runtime_checkable
class SignalGame(Protocol):
    """A game in which all actions are public and chance deals signals from a deck, one at a time.

    States are *public*: they hold what everybody sees of the actions, and never a signal.
    """

    @property
    def num_players(self) -> int:
        """How many players there are."""

    @property
    def deck(self) -> Deck:
        """What chance deals from."""

    def root(self) -> Any:
        """Return the first public state."""

    def player(self, state: Any) -> int:
        """Return who moves; `CHANCE` where the next signal is dealt, `TERMINAL` at the end."""

    def recipient(self, state: Any) -> int:
        """Return who sees the signal dealt at a chance state: a player or `EVERYONE`."""

    def actions(self, state: Any) -> Sequence[Hashable]:
        """Return the public actions of the player who moves."""

    def child(self, state: Any, action: Hashable) -> Any:
        """Return the public state after an action, or after a deal (`action` is then None)."""

    def outcome(self, state: Any) -> Hashable:
        """Return how a terminal state ends: what payoffs depend on besides signals and stake."""

    def stake(self, state: Any) -> Number:
        """Return what multiplies the payoffs of its outcome at a terminal state."""

    def payoffs(self, outcome: Any, signals: NDArray[np.int32]) -> Any:
        """Return payoffs at stake 1, shape (num_deals, num_players).

        `signals` has shape (num_deals, signals dealt).
        Signals are positions in `deck.cards`, in the order in which they were dealt. Integer arrays
        are exact.
        """


def is_taken_apart(game: object) -> TypeGuard[SignalGame]:
    """Return whether a game is one of signals for two players: that of more is built as a tree."""
    return isinstance(game, SignalGame) and game.num_players == 2


def checked_deck(deck: object, num_signals: int) -> Deck:
    """Return what chance deals from, if `num_signals` can be dealt from it; see `Deck.check`.

    Raises
    ------
    InvalidGameError
        R4: if not, or if it is no deck.
    """
    if not isinstance(deck, Deck):
        raise InvalidGameError(f"R4: the deck is {deck!r}; give a seqform.Deck")
    deck.check(num_signals)
    return deck


def checked_recipient(recipient: object, num_players: int) -> int:
    """Return who sees a signal: a player, or `EVERYONE` (R4).

    Raises
    ------
    InvalidGameError
        R4: if it is none of them.
    """
    if (number := in_range(recipient, EVERYONE, num_players)) is not None:
        return number
    raise InvalidGameError(
        f"R4: the recipient of a signal is {plain(recipient)}, "
        f"but players are 0..{num_players - 1}, or EVERYONE sees it"
    )


def outcome_payoffs(
    game: SignalGame, outcome: Hashable, signals: NDArray[np.int32]
) -> NDArray[Any]:
    """Return the payoffs of an outcome at stake 1, checked for their shape.

    Integers are of a signed type that holds their negatives, or objects: so none wraps around.

    Raises
    ------
    InvalidGameError
        R5: if there is not one finite number per deal and player.
    """
    with placing(lambda: f"the payoffs of {outcome!r}", kinds=()):
        payoffs = np.asarray(game.payoffs(outcome, signals))
    if payoffs.dtype.kind not in "iufO":
        raise InvalidGameError(
            f"R5: payoffs of {outcome!r} are of type {payoffs.dtype}; return numbers"
        )
    if payoffs.shape != (len(signals), game.num_players):
        raise InvalidGameError(
            f"R5: payoffs of {outcome!r} have shape {payoffs.shape}, not "
            f"{(len(signals), game.num_players)}"
        )
    return _widened(payoffs)


def _widened(payoffs: NDArray[Any]) -> NDArray[Any]:
    """Return the same numbers, in a type in which they can be negated."""
    if payoffs.dtype.kind in "iu":
        least, largest = int(payoffs.min(initial=0)), int(payoffs.max(initial=0))
        if least > np.iinfo(payoffs.dtype).min:  # which is 0 of unsigned types
            return payoffs
        return payoffs.astype(np.int64 if least > -(2**63) and largest < 2**63 else object)
    if payoffs.dtype.kind == "f" and np.isfinite(payoffs).all():
        return payoffs
    numbers = np.empty(payoffs.shape, dtype=object)
    numbers.ravel()[:] = [as_number(payoff) for payoff in payoffs.ravel().tolist()]
    return numbers
