"""What is known of each information set under a profile: reach, values, regrets and beliefs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.base.frame import frame_of
from seqform.base.number import check_player, fraction_text, plain
from seqform.base.pictures import Pictured
from seqform.form.names import Names
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

if TYPE_CHECKING:
    from seqform.strategies.nodes import NodeAnalysis


PLAYED_FROM = 1e-6
"""Actions of a smaller probability count as never played: equilibria are computed to that."""


@dataclass(frozen=True, eq=False)
class PlayerAnalysis:
    """What one player's strategy does and is worth, against the others' strategies.

    Arrays of sequences are float64 (num_sequences,), and entry 0 of them is about the whole game.
    Arrays of information sets have shape (num_infosets,). Values are expected payoffs of the whole
    game, in its unit, what was paid on the way included.

    Parameters
    ----------
    probability
        Of each sequence's last action, in its information set.
    own_reach, others_reach
        The probability with which the player's own moves lead to each set, and with which those of
        the others and of chance do. Their product is `reach`.
    is_reached
        Bool: whether the set is ever reached, actions below `PLAYED_FROM` left out. Where it is
        not, what players get does not depend on what is done.
    counterfactual_action_values, counterfactual_values
        The values below, times `others_reach`; 0 where that is 0.
    action_values, values
        What the player gets in expectation, given that the set is reached: if the action is taken
        there, and under the strategy. NaN where the others or chance never lead to the set.
    action_regrets
        An action's value less that of its set.
    regrets
        The largest of a set, at least 0: what one deviation there gains, given that it is reached.
    """

    probability: Floats
    own_reach: Floats
    others_reach: Floats
    is_reached: Mask
    counterfactual_action_values: Floats
    counterfactual_values: Floats
    action_values: Floats
    values: Floats
    action_regrets: Floats
    regrets: Floats

    @property
    def reach(self) -> Floats:
        """The probability with which each information set is reached, float64 (num_infosets,)."""
        return self.own_reach * self.others_reach


class InfosetAnalysis(NamedTuple):
    """What is known of one information set; see `PlayerAnalysis` for the numbers."""

    player: int
    infoset: Hashable
    probabilities: dict[Hashable, Any]
    """By action."""
    own_reach: Any
    others_reach: Any
    reach: Any
    value: Any
    regret: Any
    action_values: dict[Hashable, Any]
    """By action."""
    action_regrets: dict[Hashable, Any]
    """By action."""
    beliefs: dict[tuple[Hashable, ...], Any] | None
    """By the moves that lead to each node; None without a tree."""


@dataclass(frozen=True, eq=False)
class StrategyAnalysis(Pictured):
    """A profile and all that is known of each of its information sets.

    Parameters
    ----------
    form, profile
        The game, and what was looked at.
    players
        One analysis for each player.
    beliefs
        Float64 (num_nodes,): the probability of each decision node of the tree, given that its
        information set is reached. It is Bayes' rule on the parts of the others and of chance.
        Where only the player's own moves never lead, these are the beliefs of every consistent
        assessment (Kreps & Wilson, "Sequential equilibria", Econometrica 50, 1982). NaN where the
        others or chance never lead, and at other nodes. None if the form has no tree.
    exact
        The same in fractions, where game and strategies are given so; None otherwise. There,
        arrays hold `Fraction`, and None in place of NaN.
    """

    form: SequenceForm
    profile: Profile
    players: tuple[PlayerAnalysis, ...]
    beliefs: Floats | None
    exact: StrategyAnalysis | None = None

    @cached_property
    def nodes(self) -> NodeAnalysis:
        """Reach, values and beliefs of every node of the tree, asked for by the moves to it.

        ``nodes["J > Q > bet"]`` is one node, and ``nodes.rows()`` are all.

        Raises
        ------
        UnsupportedGameError
            If the form has no tree.
        """
        from seqform.strategies.nodes import in_floats

        return in_floats(self.form, self.profile, self._beliefs())

    def __getitem__(self, key: tuple[int, Hashable]) -> InfosetAnalysis:
        """Return what is known of an information set, by player and name.

        Raises
        ------
        InvalidStrategyError
            If the player has none of that name; with the nearest one.
        InvalidParameterError
            If there is no such player, or the key is no pair.
        """
        if not (isinstance(key, tuple) and len(key) == 2):
            raise InvalidParameterError(
                f"an analysis has no {plain(key)}: ask for [player, infoset], or for nodes[path]"
            )
        player = check_player(key[0], self.form.num_players)
        infoset = Names(self.form, player).infoset(key[1])
        beliefs = None
        if self.form.tree is not None:
            from seqform.strategies.nodes import by_path

            beliefs = dict(by_path(self.form.tree, *self.beliefs_over(player, infoset)))
        return _about(self.form, self.players[player], player, infoset, beliefs)

    def _beliefs(self) -> Floats:
        if self.form.tree is None or self.beliefs is None:
            raise UnsupportedGameError(
                "beliefs are over the nodes of a tree, and this form was made without one: "
                "analyze a solution of build_tree(game)"
            )
        return self.beliefs

    picture: ClassVar[str] = "analysis"

    @property
    def columns(self) -> tuple[str, ...]:
        """What `rows` says of each action: `COLUMNS`."""
        return COLUMNS

    def beliefs_over(self, player: int, infoset: int) -> tuple[Index, Floats]:
        """Return the tree's nodes of an information set, and the probability of each.

        Raises
        ------
        InvalidParameterError
            If there is no such set, or the form has no tree.
        """
        self.form.infoset_label(player, infoset)  # checks both
        if self.form.tree is None or self.beliefs is None:
            raise InvalidParameterError(
                "beliefs are over the nodes of a tree, and this form was made without one: "
                "analyze a solution of build_tree(game)"
            )
        nodes = np.flatnonzero(self.form.tree.infoset == self.form.tree_infosets[player][infoset])
        return nodes, self.beliefs[nodes]

    def rows(
        self,
        player: int | None = None,
        infosets: Index | None = None,
        *,
        as_text: bool = False,
    ) -> Iterator[dict[str, Any]]:
        """Yield a row for each action: names, and the numbers of `PlayerAnalysis`.

        Parameters
        ----------
        player
            Whose; None for all players.
        infosets
            The numbers of that player's information sets to go through; None for all.
        as_text
            Whether names are as they are written; else they are the game's own.
        """
        if player is not None:
            check_player(player, self.form.num_players)
        for one in range(self.form.num_players) if player is None else (player,):
            every = np.arange(self.form.treeplexes[one].num_infosets)
            chosen = every if infosets is None else infosets
            yield from _rows(self.form, self.players[one], one, chosen, as_text)

    def record(self, infosets: bool = True, nodes: bool = True) -> dict[str, Any]:
        """Return all information sets and nodes as JSON values.

        Under `infosets` and `nodes` are floats, and under `exact_infosets` and `exact_nodes` the
        same in fractions as text, or null. What is not defined is null.

        Raises
        ------
        UnsupportedGameError
            If nodes are asked for, and the form has no tree.
        """
        found: dict[str, Any] = {}
        for prefix, seen in (("", self), ("exact_", self.exact)):
            if infosets:
                found[f"{prefix}infosets"] = None if seen is None else _records(seen.rows())
            if nodes:
                found[f"{prefix}nodes"] = None if seen is None else _records(seen.nodes.rows())
        return found

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`, one for each action of each player.

        Raises
        ------
        SolverError
            If pandas is not installed.
        """
        return frame_of(self)


COLUMNS = (
    "player",
    "infoset",
    "action",
    "probability",
    "own_reach",
    "others_reach",
    "reach",
    "is_reached",
    "action_value",
    "value",
    "action_regret",
    "regret",
    "counterfactual_action_value",
    "counterfactual_value",
)
"""What `StrategyAnalysis.rows` and `to_frame` say of each action."""


def _about(
    form: SequenceForm,
    of: PlayerAnalysis,
    player: int,
    infoset: int,
    beliefs: dict[tuple[Hashable, ...], Any] | None,
) -> InfosetAnalysis:
    """Return what is known of an information set."""
    here = slice(*form.treeplexes[player].first_sequence[infoset : infoset + 2].tolist())
    actions = form.actions(player, infoset)

    def by_action(numbers: Any) -> dict[Hashable, Any]:
        return dict(zip(actions, numbers[here].tolist(), strict=True))

    return InfosetAnalysis(
        player,
        form.infoset_label(player, infoset),
        by_action(of.probability),
        _plain(of.own_reach[infoset]),
        _plain(of.others_reach[infoset]),
        _plain(of.reach[infoset]),
        _plain(of.values[infoset]),
        _plain(of.regrets[infoset]),
        by_action(of.action_values),
        by_action(of.action_regrets),
        beliefs,
    )


def _records(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: _jsonable(value) for name, value in row.items()} for row in rows]


def _jsonable(value: Any) -> Any:
    """Return a value of a row as JSON has it: labels as text, fractions too, NaN as null."""
    if isinstance(value, Fraction):
        return fraction_text(value)
    if isinstance(value, float):
        return None if isnan(value) else value
    if isinstance(value, tuple) and value and all(isinstance(v, (float, Fraction)) for v in value):
        return list(map(_jsonable, value))
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def _plain(number: Any) -> Any:
    """Return a number of numpy as one of Python; fractions stay as they are."""
    return number.item() if isinstance(number, np.generic) else number


def _rows(
    form: SequenceForm, of: PlayerAnalysis, player: int, infosets: Index, as_text: bool
) -> Iterator[dict[str, Any]]:
    """Yield a row for each of a player's actions in some information sets."""
    first = form.treeplexes[player].first_sequence.tolist()
    reach = of.reach
    for infoset in infosets.tolist():
        check_time("listing a strategy")
        about = {
            "own_reach": _plain(of.own_reach[infoset]),
            "others_reach": _plain(of.others_reach[infoset]),
            "reach": _plain(reach[infoset]),
            "is_reached": bool(of.is_reached[infoset]),
            "value": _plain(of.values[infoset]),
            "regret": _plain(of.regrets[infoset]),
            "counterfactual_value": _plain(of.counterfactual_values[infoset]),
        }
        label: Hashable = form.infoset_label(player, infoset)
        actions: Sequence[Hashable] = form.actions(player, infoset)
        if as_text:
            label, actions = form.infoset_text(player, infoset), form.action_texts(player, infoset)
        for sequence, action in enumerate(actions, first[infoset]):
            yield {
                "player": player,
                "infoset": label,
                "action": action,
                "probability": _plain(of.probability[sequence]),
                "action_value": _plain(of.action_values[sequence]),
                "action_regret": _plain(of.action_regrets[sequence]),
                "counterfactual_action_value": _plain(of.counterfactual_action_values[sequence]),
                **about,
            }
