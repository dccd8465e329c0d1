"""Sequential equilibrium: whether strategies with beliefs are one, for any number of players.

An assessment is a sequential equilibrium if it is sequentially rational, and consistent (Kreps &
Wilson, "Sequential equilibria", Econometrica 50, 1982). Rational: at every information set nobody
gains by another way to go on, given the beliefs there. `seqform.strategies.evaluate.consistency`
decides what is consistent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import numpy as np

from seqform.base.deadline import check_time
from seqform.base.errors import InvalidStrategyError
from seqform.base.number import Number, is_exact
from seqform.base.summary import counted
from seqform.exact.feasibility import Infeasible, feasible
from seqform.form.from_any import form_by_tree
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.as_profile import Strategy, exact_of, given_of, profile_of
from seqform.strategies.evaluate.assessment import Behavior, Beliefs, behavior_of, distribution
from seqform.strategies.evaluate.consistency import (
    Action,
    Consistency,
    Mistakes,
    consistency,
    leading,
    unplayed,
)
from seqform.strategies.nodes import by_path, node_at

if TYPE_CHECKING:
    from collections.abc import Hashable

    from seqform.tree.from_any import AnyGame
    from seqform.tree.tree import GameTree

TOLERANCE = 1e-9
"""For numbers that are floats: gains up to this share of the largest payoff, and logarithms of
ratios of beliefs up to this, count as 0."""

MOST_TRIED = 100
"""Choices of nodes to believe in that are tried where beliefs are looked for."""

SEQUENTIAL, NOT_RATIONAL = "sequential", "not rational"
INCONSISTENT, UNDECIDED = "inconsistent", "undecided"


@dataclass(frozen=True, eq=False)
class SequentialCheck:
    """What was found out about an assessment.

    Parameters
    ----------
    verdict
        'sequential', 'not rational', 'inconsistent', or 'undecided': no beliefs were given, and
        none were found, though no single information set rules them out; or the game is too large
        for consistency to be decided in fractions.
    reason
        Why it is not, or how it is, for people.
    gains
        By player and label, what could be gained from the information set on, given the beliefs;
        of all sets that have beliefs.
    beliefs
        By player and label, the beliefs that were given or found, in the tree's order; None where
        there are none.
    mistakes
        Mistakes that lead to the assessment, if it is consistent.
    is_exact
        Whether all of it is in exact arithmetic.
    tree
        The game, whose nodes beliefs are about.
    """

    verdict: str
    reason: str
    gains: dict[tuple[int, Hashable], Fraction]
    beliefs: dict[tuple[int, Hashable], tuple[Fraction, ...]] | None
    mistakes: Mistakes | None
    is_exact: bool
    tree: GameTree | None = None

    def belief(self, player: int, infoset: Hashable) -> dict[tuple[Hashable, ...], Fraction]:
        """Return what is believed at an information set, by the moves that lead to each node.

        Raises
        ------
        InvalidStrategyError
            If there are no beliefs, or no information set of that player and label.
        """
        if self.beliefs is None or self.tree is None:
            raise InvalidStrategyError(f"no beliefs were given or found: {self.reason}")
        tree, key = self.tree, (player, infoset)
        if key not in self.beliefs:
            raise InvalidStrategyError(f"{key!r} is no (player, label) of an information set")
        number = next(
            h
            for h, label in enumerate(tree.infoset_labels)
            if (int(tree.infoset_player[h]), label) == key
        )
        return dict(by_path(tree, np.flatnonzero(tree.infoset == number), self.beliefs[key]))

    def __bool__(self) -> bool:
        return self.verdict == SEQUENTIAL


def check_sequential_equilibrium(
    game: AnyGame | SequenceForm,
    strategies: Strategy | Sequence[Sequence[Number]],
    beliefs: Beliefs | None = None,
    max_nodes: int | None = None,
    complete: str | Profile = "uniform",
) -> SequentialCheck:
    """Decide whether strategies and beliefs are a sequential equilibrium.

    Parameters
    ----------
    game
        A game with a tree, small enough for arithmetic in fractions; chance has no outcome of
        probability 0.
    strategies
        For each player a probability for each sequence (the first is not looked at), or a profile,
        a solution, or whatever else `evaluate` takes. With int and Fraction the answer is exact;
        floats are compared up to `TOLERANCE`.
    beliefs
        By player and label, the probability of each node of the information set. Either by the
        moves that lead there, as labels or as a text, such as ``{(1, "Q:bet"): {"J > Q > bet":
        1}}``; nodes that are left out have 0. Or of all nodes, in the tree's order. Sets with one
        node may be left out. Without beliefs, some are looked for.
    max_nodes
        Largest tree to build.
    complete
        How strategies that are given in part are filled, as `evaluate` does.

    Returns
    -------
    check
        True as a condition if they are; with a reason, and the mistakes that show consistency.

    Raises
    ------
    InvalidStrategyError
        If strategies or beliefs are not of the game, or no probabilities.
    UnsupportedGameError
        If the game has no tree, or chance has an outcome of probability 0.
    OutOfTimeError
        If the time limit is over.

    Examples
    --------
    >>> from seqform import make, solve
    >>> kuhn = solve(make("kuhn"), refine="quasi-perfect")
    >>> check_sequential_equilibrium(kuhn.game, kuhn.profile).verdict
    'sequential'
    """
    form = form_by_tree(game, max_nodes)
    if not isinstance(strategies, (list, tuple)):
        given_strategies = given_of(form, strategies)  # type: ignore[arg-type]
        exact = exact_of(form, given_strategies, complete, None)
        strategies = (
            profile_of(form, given_strategies, complete) if exact is None else exact.behaviors
        )
    behavior = behavior_of(form, strategies)
    if beliefs is None:
        return _found(behavior)
    given, is_exact_too = _given(behavior, beliefs)
    return _checked(behavior, given, behavior.is_exact and is_exact_too)


def _checked(behavior: Behavior, beliefs: list[list[Fraction]], exact: bool) -> SequentialCheck:
    """Return what becomes of given beliefs."""
    gains = [_gain(behavior, infoset, of) for infoset, of in enumerate(beliefs)]
    found = Consistency(_equal(behavior))
    if beliefs != _usual(behavior):
        found = consistency(behavior, beliefs, 0.0 if exact else TOLERANCE)
    allowed = _allowed(behavior, exact)
    worst = max(range(len(gains)), key=gains.__getitem__, default=-1)
    verdict, reason = SEQUENTIAL, "no gain at any information set, and mistakes lead to the beliefs"
    if found.mistakes is None and found.is_decided:
        verdict, reason = INCONSISTENT, found.reason
    elif worst >= 0 and gains[worst] > allowed:
        verdict, unit = NOT_RATIONAL, behavior.form.unit
        reason = f"{float(gains[worst]):.6g} {unit} are gained at {behavior.name(worst)}"
    elif found.mistakes is None:
        verdict, reason = UNDECIDED, found.reason
    return SequentialCheck(
        verdict,
        reason,
        {_key(behavior, infoset): gain for infoset, gain in enumerate(gains)},
        {_key(behavior, infoset): tuple(of) for infoset, of in enumerate(beliefs)},
        found.mistakes,
        exact,
        behavior.tree,
    )


def _key(behavior: Behavior, infoset: int) -> tuple[int, Hashable]:
    tree = behavior.tree
    return int(tree.infoset_player[infoset]), tree.infoset_labels[infoset]


def _given(behavior: Behavior, beliefs: Beliefs) -> tuple[list[list[Fraction]], bool]:
    """Return given beliefs by the tree's information sets, and whether they are exact."""
    keys = {_key(behavior, infoset): infoset for infoset in range(behavior.tree.num_infosets)}
    for key in beliefs:
        if key not in keys:
            raise InvalidStrategyError(
                f"beliefs are given at {key!r}, which is no (player, label) of an information set"
            )
    found, exact = [], True
    for key, infoset in keys.items():
        size, where = len(behavior.nodes[infoset]), f"beliefs at {behavior.name(infoset)}"
        said = beliefs.get(key, (1,) if size == 1 else ())
        given = _by_nodes(behavior, infoset, said) if isinstance(said, Mapping) else said
        if len(given) != size:
            raise InvalidStrategyError(f"{where}: {len(given)} given for {counted(size, 'node')}")
        found.append(distribution(given, where))
        exact = exact and all(map(is_exact, given))
    return found, exact


def _by_nodes(behavior: Behavior, infoset: int, said: Mapping[Any, Any]) -> list[Any]:
    """Return beliefs that are given by the moves to nodes, in the tree's order."""
    nodes, found = behavior.nodes[infoset], [0] * len(behavior.nodes[infoset])
    seen: set[int] = set()
    for path, number in said.items():
        node = node_at(behavior.tree, path)
        wrong = "is not in it" if node not in nodes else "is given twice" if node in seen else ""
        if wrong:
            where = f"beliefs at {behavior.name(infoset)}"
            raise InvalidStrategyError(f"{where}: {behavior.tree.describe(node)} {wrong}")
        seen.add(node)
        found[nodes.index(node)] = number
    return found


def _gain(behavior: Behavior, infoset: int, believed: Sequence[Fraction]) -> Fraction:
    """Return what the player could gain from a set on, given its beliefs there.

    Weights are those of nodes after the set, without the player's own moves since. What is paid is
    added up by the player's last move since, and then the player's sets are gone through from the
    last to the first.
    """
    check_time("looking for gains")
    tree, player = behavior.tree, int(behavior.tree.infoset_player[infoset])
    queue: list[tuple[int, Fraction, Action | None]] = [
        (node, weight, None)
        for node, weight in zip(behavior.nodes[infoset], believed, strict=True)
        if weight
    ]
    worth: dict[Action, Fraction] = {}
    above: dict[int, Action | None] = {}
    for node, weight, last in queue:  # grows while it is gone through, level by level
        here = int(tree.infoset[node])
        if last is not None:
            worth[last] = worth.get(last, Fraction(0)) + weight * behavior.payoffs[node][player]
        mine = here >= 0 and int(tree.infoset_player[here]) == player
        if mine:
            above.setdefault(here, last)
        for place, child in enumerate(tree.children(node)):
            share = Fraction(1) if mine else behavior.share(child)
            if share:
                queue.append((child, weight * share, (here, place) if mine else last))
    own = dict(worth)
    for here, parent in reversed(above.items()):
        values = [
            worth.get((here, a), Fraction(0)) for a in range(len(behavior.probabilities[here]))
        ]
        goes_on = sum(
            (
                p * own.get((here, a), Fraction(0))
                for a, p in enumerate(behavior.probabilities[here])
            ),
            Fraction(0),
        )
        if parent is None:
            return max(values) - goes_on
        worth[parent] = worth.get(parent, Fraction(0)) + max(values)
        own[parent] = own.get(parent, Fraction(0)) + goes_on
    return Fraction(0)


def _found(behavior: Behavior) -> SequentialCheck:
    """Look for beliefs: those of equal mistakes, then single nodes to believe in."""
    exact, usual, values = behavior.is_exact, _usual(behavior), behavior.values()
    check = _checked(behavior, usual, exact)
    undecided = _undecided(behavior)
    if check or not undecided:  # or Bayes' rule gives all beliefs
        return check
    for infoset, nodes in enumerate(behavior.nodes):
        if _sensible(behavior, values, infoset, nodes) is None:
            reason = f"no beliefs at all make sense of what is done at {behavior.name(infoset)}"
            return SequentialCheck(NOT_RATIONAL, reason, {}, None, None, exact)
    options = [_options(behavior, values, infoset, usual[infoset]) for infoset in undecided]
    for choice in islice(product(*options), MOST_TRIED):
        beliefs = list(usual)
        for infoset, of in zip(undecided, choice, strict=True):
            beliefs[infoset] = of
        check = _checked(behavior, beliefs, exact)
        if check or check.verdict == UNDECIDED:
            return check
    reason = "no beliefs were found, and no information set by itself rules them out: give some"
    return SequentialCheck(UNDECIDED, reason, {}, None, None, exact)


def _usual(behavior: Behavior) -> list[list[Fraction]]:
    """Return the beliefs that equally likely mistakes lead to: as few of them as possible."""
    reach, found = leading(behavior), []
    for nodes in behavior.nodes:
        fewest = min(len(reach[node][1]) for node in nodes)
        weights = [
            reach[node][0] if len(reach[node][1]) == fewest else Fraction(0) for node in nodes
        ]
        found.append([weight / sum(weights) for weight in weights])
    return found


def _equal(behavior: Behavior) -> Mistakes:
    """Return the mistakes that are all equally likely."""
    never = unplayed(behavior)
    return Mistakes(dict.fromkeys(never, 1), dict.fromkeys(never, 1.0))


def _undecided(behavior: Behavior) -> list[int]:
    """Return the information sets whose beliefs depend on how likely which mistakes are."""
    reach, found = leading(behavior), []
    for infoset, nodes in enumerate(behavior.nodes):
        made = [set(reach[node][1]) for node in nodes]
        own = set.intersection(*made)
        if all(mistakes - own for mistakes in made):  # else who made no more is far likelier
            found.append(infoset)
    return found


def _options(
    behavior: Behavior, values: list[list[Fraction]], infoset: int, usual: list[Fraction]
) -> list[list[Fraction]]:
    """Return beliefs that make sense of one set: the usual ones, in one node, and any others."""
    nodes = behavior.nodes[infoset]
    single = [[Fraction(int(node == other)) for other in nodes] for node in nodes]
    found = [of for of in (usual, *single) if _makes_sense(behavior, values, infoset, of)]
    others = _sensible(behavior, values, infoset, nodes)
    return [*found, *([others] if others is not None else [])]


def _makes_sense(
    behavior: Behavior, values: list[list[Fraction]], infoset: int, beliefs: list[Fraction]
) -> bool:
    """Return whether beliefs make every action that is played at a set a best one."""
    tree, player = behavior.tree, int(behavior.tree.infoset_player[infoset])
    worth = [Fraction(0)] * len(behavior.probabilities[infoset])
    for node, belief in zip(behavior.nodes[infoset], beliefs, strict=True):
        for action, child in enumerate(tree.children(node)):
            worth[action] += belief * values[child][player]
    played = zip(worth, behavior.probabilities[infoset], strict=True)
    return max(worth) - min(value for value, p in played if p) <= _allowed(
        behavior, behavior.is_exact
    )


def _allowed(behavior: Behavior, exact: bool) -> Fraction:
    """Return what a gain may be: 0 in exact arithmetic."""
    return Fraction(0 if exact else TOLERANCE * behavior.form.payoff_scale)


def _sensible(
    behavior: Behavior, values: list[list[Fraction]], infoset: int, nodes: Sequence[int]
) -> list[Fraction] | None:
    """Return beliefs over nodes of a set that make every action played there a best one.

    None if there are none.

    Actions are compared with what follows as it is: of consistent assessments, that is enough
    (Hendon, Jacobsen & Sloth, "The one-shot-deviation principle for sequential rationality", GEB
    12, 1996).
    """
    tree, player = behavior.tree, int(behavior.tree.infoset_player[infoset])
    probabilities = behavior.probabilities[infoset]
    paid = [[values[child][player] for child in tree.children(node)] for node in nodes]
    played = next(a for a, p in enumerate(probabilities) if p)
    rows: list[Sequence[Fraction | int]] = [[1] * len(nodes) + [0] * len(probabilities)]
    rhs: list[Fraction | int] = [1]
    slack = _allowed(behavior, behavior.is_exact)
    for action, probability in enumerate(probabilities):
        if action == played:
            continue
        better = [of[played] - of[action] for of in paid]
        slacks = [-int(action == other) for other in range(len(probabilities))]
        rows.append([*better, *slacks])
        rhs.append(-slack)
        if probability and behavior.is_exact:
            rows.append([*better, *([0] * len(probabilities))])
            rhs.append(0)
    found = feasible(rows, rhs)
    return None if isinstance(found, Infeasible) else found.solution[: len(nodes)]
