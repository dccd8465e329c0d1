"""What is done in one information set, and in all of one player's, by their names."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from seqform.base.arrays import Floats
from seqform.base.errors import GameTooLargeError, InvalidStrategyError, UnknownNameError
from seqform.form.names import Named
from seqform.form.patterns import Matcher

MOST_NAMED = 2_000_000
"""Information sets of a player that are looked up by name, for which all names are made first."""


NAMED = 3
"""Information sets of a mean that are named."""


class LocalStrategy(dict[Hashable, float]):
    """The probability of each action in one information set, or the mean over several of them.

    Actions are found by how they are written, too.

    Parameters
    ----------
    probabilities
        By action.
    reach
        The probability with which the player's own actions lead there. Where it is 0, what was
        solved for does not say what to do: the probabilities were added, and the text says so. Of
        several information sets it is the mean.
    infosets
        How the information sets are written.
    texts
        How the actions are written, in their order; None where as they are.
    """

    def __init__(
        self,
        probabilities: Mapping[Hashable, float],
        reach: float,
        infosets: Sequence[str] = (),
        texts: Sequence[str] | None = None,
    ) -> None:
        super().__init__(probabilities)
        self.reach, self.infosets = reach, tuple(infosets)
        self._texts = dict(zip(texts or map(str, self), self, strict=True))

    def __missing__(self, action: Hashable) -> float:
        if isinstance(action, str) and action in self._texts:
            return self[self._texts[action]]
        raise KeyError(action)

    def __repr__(self) -> str:
        notes = []
        if len(self.infosets) > 1:
            notes.append(f"mean of {len(self.infosets):,}: {', '.join(self.infosets[:NAMED])}")
        if len(self.infosets) > NAMED:
            notes[-1] += ", ..."
        if not self.reach:
            notes.append("added: the player never gets there")
        return super().__repr__() + (f"  # {'; '.join(notes)}" if notes else "")


def mean_over(
    form: Named, player: int, infosets: Sequence[int], behavior: Floats, plan: Floats
) -> LocalStrategy:
    """Return what a player does in some information sets: the mean, each by its own reach.

    Where the player's own actions lead to none of them, each counts the same.

    Raises
    ------
    UnknownNameError
        If they have different actions.
    """
    treeplex = form.treeplexes[player]
    first, actions = treeplex.first_sequence, form.actions(player, infosets[0])
    for infoset in infosets:
        if form.actions(player, infoset) != actions:
            one, other = (form.infoset_text(player, h) for h in (infosets[0], infoset))
            raise UnknownNameError(
                f"these information sets of player {player} have different actions, such as "
                f"{one!r} and {other!r}: ask for fewer of them"
            )
    numbers = np.array(infosets)
    reach = plan[treeplex.parent_sequence[numbers]]
    weights = reach if reach.sum() > 0 else np.ones(len(numbers))
    rows = behavior[first[numbers][:, None] + np.arange(len(actions))]
    mean = rows[0] if len(rows) == 1 else weights @ rows / weights.sum()
    return LocalStrategy(
        dict(zip(actions, mean.tolist(), strict=True)),
        float(reach.mean()),
        [form.infoset_text(player, infoset) for infoset in infosets],
        form.action_texts(player, infosets[0]),
    )


class PlayerStrategy(Mapping[Hashable, LocalStrategy]):
    """A player's strategy by the names of information sets, in the order of their numbers.

    Patterns (`seqform.form.patterns`) may stand for several sets of the same actions: then it is
    the mean over them, each counted by the probability with which the player's own actions lead
    there.

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
    def _matcher(self) -> Matcher:
        if (count := len(self)) > MOST_NAMED:
            raise GameTooLargeError(
                f"player {self._player} has {count:,} information sets, too many to be found by "
                "their names; of a signal game, ask(cards, history) finds them without"
            )
        return Matcher(self._form, self._player)

    def __getitem__(self, infoset: Hashable) -> LocalStrategy:
        try:
            numbers = self._matcher.match(infoset).infosets
        except InvalidStrategyError as error:
            raise UnknownNameError(str(error)) from None
        return mean_over(self._form, self._player, numbers, self._behavior, self._plan)

    def probability(self, infoset: Hashable, action: Hashable) -> float:
        """Return the probability of an action.

        Raises
        ------
        UnknownNameError
            With the nearest name there is, if there is no such information set or action.
        """
        try:
            numbers = self._matcher.match(infoset).infosets
            names = self._matcher.names
            sequences = [names.sequence(number, action) for number in numbers]
        except InvalidStrategyError as error:
            raise UnknownNameError(str(error)) from None
        if len(sequences) == 1:
            return float(self._behavior[sequences[0]])
        first = self._form.treeplexes[self._player].first_sequence
        place = sequences[0] - int(first[numbers[0]])
        return list(self[infoset].values())[place]

    def __iter__(self) -> Iterator[Hashable]:
        count = self._form.treeplexes[self._player].num_infosets
        return (self._form.infoset_label(self._player, infoset) for infoset in range(count))

    def __len__(self) -> int:
        return self._form.treeplexes[self._player].num_infosets

    def __contains__(self, infoset: Any) -> bool:
        try:
            self._matcher.match(infoset)
        except InvalidStrategyError:
            return False
        return True
