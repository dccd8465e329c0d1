"""analyze: how often each information set is reached, what its actions are worth, and what is lost.

Everything is a pass over a player's sequences. The gradient says what each sequence pays against
the others' plans; a backward pass adds up what follows it. These are counterfactual values: those
of the set, weighted with the probability that the others and chance lead there (Zinkevich,
Johanson, Bowling & Piccione, "Regret minimization in games with incomplete information", NIPS 2007,
Section 3). Divided by that probability they are expected payoffs, given that the set is reached.
The player's own part cancels, by perfect recall; so there are such payoffs where only the player's
own moves never lead.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Index, Mask
from seqform.base.deadline import check_time
from seqform.base.errors import InvalidParameterError, SolverError, UnsupportedGameError
from seqform.base.number import check_player, fraction_text, plain
from seqform.base.pictures import Pictured
from seqform.concepts.best_response import check_shapes
from seqform.form.from_any import Formed, form_from
from seqform.form.names import Names
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.set_reach import divided, reach_of_others, set_reach
from seqform.form.treeplex import Treeplex
from seqform.strategies.as_profile import Strategy, exact_of, given_of
from seqform.strategies.given import GivenStrategy

if TYPE_CHECKING:
    from seqform.strategies.exactly import ExactStrategies
    from seqform.strategies.nodes import NodeAnalysis
    from seqform.tree.tree import GameTree

MOST_NODES = 50_000
"""Nodes of a tree up to which given fractions are computed with unless that is asked for."""

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
        try:
            import pandas as pd
        except ImportError:
            raise SolverError(
                "frames need pandas, which is not installed: pip install 'seqform[pandas]'"
            ) from None
        return pd.DataFrame(list(self.rows()), columns=list(COLUMNS))


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


def analyze(
    game: Formed,
    profile: Strategy,
    *,
    complete: str | Profile = "uniform",
    exact: bool | None = None,
) -> StrategyAnalysis:
    """Return reach, values, regrets and beliefs of every information set under a profile.

    For any number of players and any sums; no tree is needed of a signal game.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a sequence form.
    profile
        One behaviour strategy for each player, or whatever else `evaluate` takes.
    complete
        How information sets of which a strategy says nothing are filled.
    exact
        Whether to find all of it in fractions too. By default where the strategy and the game are
        given in integers, fractions, or decimals in a text, and the tree is small.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or `exact` is True and it is not in fractions.
    UnsupportedGameError
        If the form is a quotient, which does not say how often its sets are reached; or `exact` is
        True and the game has floats, or no tree.

    Examples
    --------
    >>> from games.kuhn import kuhn
    >>> from seqform import build_sequence_form, build_tree, Profile
    >>> form = build_sequence_form(build_tree(kuhn()))
    >>> seen = analyze(form, Profile.uniform(form.treeplexes))
    >>> seen.players[1].values.round(3).tolist()
    [-0.75, 0.25, 1.25, -1.5, -0.5, 0.5]
    >>> seen = analyze(form, lambda player, infoset, actions: None)  # filled uniformly
    >>> seen.exact[1, "Q:bet"].beliefs
    {('J', 'Q', 'bet'): Fraction(1, 2), ('K', 'Q', 'bet'): Fraction(1, 2)}
    """
    form = form_from(game)
    if isinstance(profile, Profile):
        check_shapes(form, profile)
        if exact:
            exact_of(form, profile, complete, exact)  # which it is not
        return _in_floats(form, profile)
    given = given_of(form, profile)
    fractions = exact_of(form, given, complete, exact)
    filled = given.completed(complete) if isinstance(given, GivenStrategy) else given
    found = _in_floats(form, filled)
    tree = form.tree
    if exact and tree is None:
        raise UnsupportedGameError(
            "exact=True needs the game's tree, and this form was made without one"
        )
    if fractions is None or tree is None or (exact is None and tree.num_nodes > MOST_NODES):
        return found
    return replace(found, exact=_in_fractions(form, filled, tree, fractions))


def _in_fractions(
    form: SequenceForm, profile: Profile, tree: GameTree, strategies: ExactStrategies
) -> StrategyAnalysis:
    """Return the analysis of strategies in fractions."""
    from seqform.strategies.exact_analysis import ExactWalk

    walk = ExactWalk(strategies, tree)
    nodes = walk.nodes()
    players = (PlayerAnalysis(**walk.player(player)) for player in range(form.num_players))
    found = StrategyAnalysis(form, profile, tuple(players), nodes.beliefs)
    found.__dict__["nodes"] = nodes
    return found


def _in_floats(form: SequenceForm, profile: Profile) -> StrategyAnalysis:
    """Return the analysis of a profile, in floats."""
    reach = set_reach(form, profile.plans)
    played = _played(form, profile)
    often = reach.others if played is profile.plans else reach_of_others(form, played)
    players = []
    for player, treeplex in enumerate(form.treeplexes):
        check_time("looking at a strategy")
        own = played[player][treeplex.parent_sequence]
        gradient = form.gradient(player, profile.plans)
        worth, sums = worth_of(treeplex, profile.behaviors[player], gradient, reach.paid[player])
        is_reached = (own > 0) & (often[player] > 0)
        others = reach.others[player]
        players.append(_player(treeplex, profile, player, others, is_reached, worth, sums))
    return StrategyAnalysis(form, profile, tuple(players), reach.beliefs)


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


def _played(form: SequenceForm, profile: Profile) -> tuple[Floats, ...]:
    """Return the plans without actions below `PLAYED_FROM`, which then sum to less than one."""
    if all(((b == 0) | (b >= PLAYED_FROM)).all() for b in profile.behaviors):
        return profile.plans
    kept = (np.where(b < PLAYED_FROM, 0.0, b) for b in profile.behaviors)
    return tuple(t.to_plan(b) for t, b in zip(form.treeplexes, kept, strict=True))


def worth_of(
    treeplex: Treeplex, behavior: Floats, gradient: Floats, paid: Floats
) -> tuple[Floats, Floats]:
    """Return the counterfactual values of all sequences and of all information sets.

    Parameters
    ----------
    behavior, gradient
        Of the player, float64 (num_sequences,).
    paid
        Float64 (num_infosets,): what was paid before, weighted with the reach by the others.
    """
    worth, sums = gradient.copy(), np.zeros(treeplex.num_infosets)
    for infosets, sequences in reversed(treeplex.runs):
        starts = treeplex.first_sequence[infosets] - sequences.start
        sums[infosets] = np.add.reduceat(behavior[sequences] * worth[sequences], starts)
        np.add.at(worth, treeplex.parent_sequence[infosets], sums[infosets])
    worth[1:] += np.repeat(paid, treeplex.num_actions)
    return worth, sums + paid


def _player(
    treeplex: Treeplex,
    profile: Profile,
    player: int,
    others: Floats,
    is_reached: Mask,
    worth: Floats,
    sums: Floats,
) -> PlayerAnalysis:
    values = divided(sums, others)
    each = np.append(1.0, np.repeat(others, treeplex.num_actions))
    action_values = divided(worth, each)
    regrets = action_values - np.append(worth[0], np.repeat(values, treeplex.num_actions))
    most = np.maximum.reduceat(regrets[1:], treeplex.first_sequence[:-1] - 1) if len(sums) else sums
    return PlayerAnalysis(
        probability=profile.behaviors[player],
        own_reach=profile.plans[player][treeplex.parent_sequence],
        others_reach=others,
        is_reached=is_reached,
        counterfactual_action_values=worth,
        counterfactual_values=sums,
        action_values=action_values,
        values=values,
        action_regrets=regrets,
        regrets=np.maximum(most, 0.0),
    )


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
