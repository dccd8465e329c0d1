"""What is done in one information set, and in all of one player's, by their names."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import Any

from seqform.base.arrays import Floats
from seqform.base.errors import GameTooLargeError, InvalidStrategyError, UnknownNameError
from seqform.form.names import Named, Names

MOST_NAMED = 2_000_000
"""Information sets of a player that are looked up by name, for which all names are made first."""


class LocalStrategy(dict[Hashable, float]):
    """The probability of each action in one information set.

    Parameters
    ----------
    probabilities
        By action.
    reach
        The probability with which the player's own actions lead there. Where it is 0, what was
        solved for does not say what to do: the probabilities were added, and the text says so.
    """

    def __init__(self, probabilities: Mapping[Hashable, float], reach: float) -> None:
        super().__init__(probabilities)
        self.reach = reach

    def __repr__(self) -> str:
        text = super().__repr__()
        return text if self.reach else f"{text}  # added: the player never gets there"


class PlayerStrategy(Mapping[Hashable, LocalStrategy]):
    """A player's strategy by the names of information sets, in the order of their numbers.

    Parameters
    ----------
    form, player
        The game, and whose strategy it is.
    behavior, plan
        Float64 (num_sequences,).
    """

    def __init__(self, form: Named, player: int, behavior: Floats, plan: Floats) -> None:
        self._form, self._player = form, player
        self._behavior, self._plan = behavior, plan

    @cached_property
    def _names(self) -> Names:
        if (count := len(self)) > MOST_NAMED:
            raise GameTooLargeError(
                f"player {self._player} has {count:,} information sets, too many to be found by "
                "their names; of a signal game, ask(cards, history) finds them without"
            )
        return Names(self._form, self._player)

    def __getitem__(self, infoset: Hashable) -> LocalStrategy:
        try:
            number = self._names.infoset(infoset)
        except InvalidStrategyError as error:
            raise UnknownNameError(str(error)) from None
        treeplex = self._form.treeplexes[self._player]
        first, last = treeplex.first_sequence[number : number + 2].tolist()
        actions = self._form.actions(self._player, number)
        probabilities = self._behavior[first:last].tolist()
        reach = float(self._plan[treeplex.parent_sequence[number]])
        return LocalStrategy(dict(zip(actions, probabilities, strict=True)), reach)

    def probability(self, infoset: Hashable, action: Hashable) -> float:
        """Return the probability of an action.

        Raises
        ------
        UnknownNameError
            With the nearest name there is, if there is no such information set or action.
        """
        try:
            number = self._names.infoset(infoset)
            return float(self._behavior[self._names.sequence(number, action)])
        except InvalidStrategyError as error:
            raise UnknownNameError(str(error)) from None

    def __iter__(self) -> Iterator[Hashable]:
        count = self._form.treeplexes[self._player].num_infosets
        return (self._form.infoset_label(self._player, infoset) for infoset in range(count))

    def __len__(self) -> int:
        return self._form.treeplexes[self._player].num_infosets

    def __contains__(self, infoset: Any) -> bool:
        try:
            self._names.infoset(infoset)
        except InvalidStrategyError:
            return False
        return True
