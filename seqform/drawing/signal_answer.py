"""What a solution of a signal game says, without a tree: for parts of games too large for one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache
from itertools import product
from typing import Any

from seqform.base.errors import UnsupportedGameError
from seqform.form.local_strategy import LocalStrategy
from seqform.game.signals import EVERYONE
from seqform.strategies.analysis import PLAYED_FROM
from seqform.tree.views import Dealt, SignalView


class SignalAnswer:
    """A profile of a signal game, asked where it is drawn.

    Parameters
    ----------
    seen
        The game.
    strategy
        The `seqform.form.signal_strategy.SignalStrategy` of a solution.
    """

    def __init__(self, seen: SignalView, strategy: Any) -> None:
        self._view = seen
        self._ask = cache(strategy.ask)
        self._reached: dict[tuple[int, Hashable], bool] = {}

    def value(self, _state: Dealt) -> None:
        """Refuse: values go through all that is below.

        Raises
        ------
        UnsupportedGameError
            Always.
        """
        raise UnsupportedGameError(
            "values of a part need the tree of the whole game, which is not built here; leave out "
            "values"
        )

    def behavior(self, state: Dealt) -> list[float] | None:
        """Return the probability of each action; None where the player's own never lead."""
        local = self._local(state)
        if not local.reach:
            return None
        return [_rounded(local[edge.label]) for edge in self._view.edges(state)]

    def is_reached(self, state: Dealt) -> bool:
        """Return whether play comes to the information set, with any cards of the others."""
        key = self._view.player(state), self._view.infoset(state).key
        if key not in self._reached:
            self._reached[key] = any(self._is_played(deal) for deal in self._alike(state))
        return self._reached[key]

    def _local(self, state: Dealt) -> LocalStrategy:
        cards, _, history = str(self._view.infoset(state).label).partition(":")
        found: LocalStrategy = self._ask(cards, history)
        return found

    def _alike(self, state: Dealt) -> Iterator[Dealt]:
        """Yield the states of an information set, one for each deal of what is hidden there."""
        deck, mine = self._view.game.deck, (self._view.player(state), EVERYONE)
        cards = range(len(deck.cards))
        options = [(signal,) if who in mine else cards for signal, who in state.signals]
        for dealt in product(*options):
            if deck.replacement or all(dealt.count(card) <= deck.copies[card] for card in dealt):
                signals = zip(dealt, (who for _, who in state.signals), strict=True)
                yield state._replace(signals=tuple(signals))

    def _is_played(self, state: Dealt) -> bool:
        """Return whether all players make all actions that led to a state."""
        place, dealt = self._view.root(), list(state.signals)
        for move in state.history:
            if move is not None and not self._plays(place, move):
                return False
            given = () if move is not None else (dealt[len(place.signals)],)
            place = place._replace(
                public=self._view.game.child(place.public, move),
                history=(*place.history, move),
                signals=(*place.signals, *given),
            )
        return True

    def _plays(self, state: Dealt, action: Hashable) -> bool:
        local = self._local(state)
        return bool(local.reach) and _rounded(local[action]) > 0


def _rounded(probability: float) -> float:
    """Return a probability as pictures show it."""
    if probability < PLAYED_FROM:
        return 0.0
    return 1.0 if probability > 1 - PLAYED_FROM else probability
