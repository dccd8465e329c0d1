"""The labels of a game, as its rules give them by optional methods while the tree grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from seqform.game import needs
from seqform.game.checks import placing
from seqform.game.labels import (
    UNSAID,
    GivenLabels,
    Parts,
    Visit,
    checked_infoset_label,
    checked_players,
    checked_text,
    joined,
)
from seqform.game.rules import Game


class AskedLabels:
    """What the rules say of how the game is written.

    Parameters
    ----------
    game
        The rules, maybe with ``information_set_label``, ``action_label``, ``state_label`` and
        ``player_names`` (`seqform.game.rules.Game`).
    num_players
        How many players there are.

    Raises
    ------
    InvalidGameError
        R11: if the names of players are no texts.
    """

    def __init__(self, game: Game, num_players: int) -> None:
        self._infoset = getattr(game, "information_set_label", None)
        self._action = getattr(game, "action_label", None)
        self._state = getattr(game, "state_label", None)
        names = getattr(game, "player_names", None)
        with placing(lambda: "player_names"):
            self._players = () if names is None else checked_players(names, num_players)
        self._of_states = needs.declares_perfect_information(game)
        self._infosets: dict[tuple[int, Hashable], str | Parts] = {}
        self._nodes: list[str] = []

    @property
    def names_infosets(self) -> bool:
        """Whether information sets are labelled, by themselves or by their states."""
        return self._infoset is not None or (self._of_states and self._state is not None)

    @property
    def name_node(self) -> Callable[[Any], None] | None:
        """What is to be called with the state of every node, in their order, if anything."""
        return None if self._state is None else self._name_node

    def name_infoset(self, player: int, key: Hashable) -> None:
        """Ask for the label of a new information set.

        Raises
        ------
        InvalidGameError
            R11: if it cannot be one.
        """
        of = key[0] if isinstance(key, Visit) else key
        label: str | Parts | None
        if self._infoset is None:
            label = checked_text(self._state(of), "state_label", of)  # type: ignore[misc]
        else:
            label = checked_infoset_label(self._infoset(player, of), player, of)
        if label is not None:
            self._infosets[player, key] = label

    def _name_node(self, state: Any) -> None:
        label = self._state(state)  # type: ignore[misc]
        self._nodes.append(checked_text(label, "state_label", state))

    def given(self, actions: Sequence[Hashable]) -> GivenLabels:
        """Return all that was said.

        Parameters
        ----------
        actions
            All actions, and outcomes of chance, which are asked for here.

        Raises
        ------
        InvalidGameError
            R11: if the label of one is no text, or empty.
        """
        if not self._players and self._infoset is self._action is self._state is None:
            return UNSAID
        texts: dict[Hashable, str] = {}
        if self._action is not None:
            with placing(lambda: "its actions"):
                texts = {of: checked_text(self._action(of), "action_label", of) for of in actions}
        infosets = _numbered(self._infosets) if self._of_states else self._infosets
        return GivenLabels(self._players, infosets, texts, self._nodes)


def _numbered(
    infosets: dict[tuple[int, Hashable], str | Parts],
) -> dict[tuple[int, Hashable], str | Parts]:
    """Return the labels with a number where a state comes again, as another information set."""
    times = Counter((player, joined(label)) for (player, _), label in infosets.items())
    return {
        (player, key): f"{joined(label)} #{key[1]}"
        if times[player, joined(label)] > 1 and isinstance(key, Visit)
        else label
        for (player, key), label in infosets.items()
    }
