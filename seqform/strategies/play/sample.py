"""Hands played at random by two strategies, with variance reduced by what is known.

The mean of what hands pay is an estimate of the expected payoff. A move whose probabilities are
known brings luck that can be taken out: what the move taken is worth, less the mean over all moves.
That difference is 0 on average, whatever numbers stand for the worth; the better they are, the more
luck goes. So the corrected mean has the same expectation and less variance.

Known are the moves of chance and of the strategy that is judged. Its opponent's are taken as not
known, as they are in a match against a stranger. The worth of a node is what the strategy gets
there against itself.

References
----------
Burch, Schmid, Moravcik, Morrill & Bowling, "AIVAT: A new variance reduction technique for agent
evaluation in imperfect information games", AAAI 2018. Theirs also adds up over the own
hands that would have been played alike.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from seqform.base.arrays import Floats, Index
from seqform.base.deadline import check_time, time_limited
from seqform.base.errors import InvalidParameterError, UnsupportedGameError
from seqform.form.hand_policies import policies_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.labels import which_player
from seqform.game.rules import CHANCE, TERMINAL
from seqform.game.signals import SignalGame
from seqform.results.solution import Solution
from seqform.strategies.as_profile import Strategy, form_of, profile_of
from seqform.strategies.evaluate.played_tree import PlayedTree
from seqform.strategies.evaluate.seats import seated
from seqform.strategies.play.sample_hands import sample_hands
from seqform.strategies.play.sample_signals import sample_signals
from seqform.strategies.play.sampled import Sample
from seqform.tree.from_any import AnyGame
from seqform.tree.tree import GameTree

MOST_HANDS = 100_000_000


def sample(
    game: AnyGame | SequenceForm | Solution,
    profile: Strategy,
    against: Strategy | None = None,
    *,
    hands: int = 1000,
    seed: int = 0,
    player: int | str | None = None,
    complete: str | Profile = "uniform",
    max_nodes: int | None = None,
    time_limit: float | None = None,
) -> Sample:
    """Play hands at random.

    Parameters
    ----------
    game
        For any number of players. Its tree is built, unless both strategies are by classes of
        hands (`SignalStrategy`).
    profile
        The strategy that is judged; see `profile_of`.
    against
        Who plays the other seats; without it, the profile itself.
    hands
        How many.
    seed
        The same one gives the same hands.
    player
        The seat of the profile; without it, it takes all in turn.
    complete
        How information sets of which a strategy says nothing are filled.
    max_nodes
        The largest tree to build.
    time_limit
        Seconds.

    Raises
    ------
    InvalidParameterError
        If there is no such player, or not at least one hand, or a negative seed.
    UnsupportedGameError
        If the game is too large for a tree.
    InvalidStrategyError
        If a strategy is not of this game.

    Examples
    --------
    >>> from seqform import make
    >>> found = sample(make("kuhn"), lambda player, infoset, actions: None, hands=500, player=1)
    >>> found.corrected(1).half < found.plain(1).half
    True
    """
    check_numbers(hands, seed)
    with time_limited(time_limit):
        if isinstance(profile, SignalStrategy) and isinstance(against, SignalStrategy | None):
            seats = _seats(hands, player, profile.structure.game)
            return sample_signals(profile, profile if against is None else against, seats, seed)
        form = form_of(game, max_nodes)
        seats = _seats(hands, player, form)
        if form.origin.hands is not None:
            mine = profile_of(form, profile, complete)
            others = mine if against is None else profile_of(form, against, complete)
            by_hands = policies_of(form, mine), policies_of(form, others)
            return sample_hands(form, *by_hands, seats, seed)
        if form.tree is None:
            raise UnsupportedGameError(
                f"hands are played on the game's tree, and {form.num_nodes:,} nodes are too many "
                "for one; use smaller parameters, or give strategies by classes of hands "
                "(seqform.io.read_signal_strategy)"
            )
        mine = profile_of(form, profile, complete)
        others = mine if against is None else profile_of(form, against, complete)
        return _played(form, form.tree, mine, others, seats, seed)


def _seats(hands: int, player: int | str | None, game: SignalGame | SequenceForm) -> Index:
    """Return the seat of the strategy in each hand."""
    if player is None:
        return np.arange(hands) % game.num_players
    return np.full(hands, which_player(player, game))


def check_numbers(hands: object, seed: object) -> None:
    """Check how many hands are to be played, and the seed.

    Raises
    ------
    InvalidParameterError
        If they are no whole numbers, or too small or large.
    """
    if type(hands) is not int or not 1 <= hands <= MOST_HANDS:
        raise InvalidParameterError(f"hands={hands!r}: use a whole number, 1 to {MOST_HANDS:,}")
    if type(seed) is not int or seed < 0:
        raise InvalidParameterError(f"seed={seed!r}: use a whole number, at least 0")


def _played(
    form: SequenceForm, tree: GameTree, mine: Profile, others: Profile, seats: Index, seed: int
) -> Sample:
    """Play one hand for each seat."""
    rng = np.random.default_rng(seed)
    worth = PlayedTree.of(form, mine).values
    paid = _paid_on_the_way(tree)
    ends, luck = np.zeros(len(seats), dtype=np.int64), np.zeros(len(seats))
    expected = []
    for seat in range(form.num_players):
        played = PlayedTree.of(form, seated(mine, others, seat))
        expected.append(float(played.values[0, seat]))
        at = np.flatnonzero(seats == seat)
        ends[at] = walk(played, len(at), rng)
        luck[at] = known_luck(played, worth, seat)[ends[at]]
    payoffs = paid[ends]
    reduced = payoffs[np.arange(len(seats)), seats] - luck
    texts = cache(partial(texts_of_hand, tree))
    return Sample(
        tree.unit,
        seats,
        payoffs,
        reduced,
        tuple(expected),
        lambda hand: texts(int(ends[hand])),
    )


def walk(played: PlayedTree, hands: int, rng: np.random.Generator) -> Index:
    """Play hands from the root to the end; return the nodes at which they end, int64 (hands,)."""
    tree, node = played.tree, np.zeros(hands, dtype=np.int64)
    up_to = _cumulative(played)
    going = np.flatnonzero(tree.player[node] != TERMINAL)
    while len(going):
        check_time("playing hands")
        here = node[going]
        first, count = tree.first_child[here].astype(np.int64), tree.num_children[here]
        drawn, place = rng.random(len(going)), np.zeros(len(going), dtype=np.int64)
        for position in range(int(count.max()) - 1):
            there = np.minimum(position, count - 1)
            place += (position < count - 1) & (drawn >= up_to[first + there])
        node[going] = first + place
        going = going[tree.player[node[going]] != TERMINAL]
    return node


def known_luck(played: PlayedTree, worth: Floats, seat: int) -> Floats:
    """Return the luck on the way to each node that a strategy in a seat knows of.

    Parameters
    ----------
    played
        What is played.
    worth
        float64 (num_nodes, num_players): numbers that stand for what nodes are worth.
    seat
        Whose strategy is known, besides chance.

    Returns
    -------
    luck
        float64 (num_nodes,): the worth of moves taken less the mean over all moves, added up.
    """
    tree, value = played.tree, worth[:, seat]
    mean = np.zeros(tree.num_nodes)
    np.add.at(mean, tree.parent[1:], played.step[1:] * value[1:])
    mover = tree.player[tree.parent]
    known = (mover == CHANCE) | (mover == seat)
    luck = np.where(known, value - mean[tree.parent], 0.0)
    luck[0] = 0.0
    for level in tree.levels():
        luck[level] += luck[tree.parent[level]]
    return luck


def _paid_on_the_way(tree: GameTree) -> Floats:
    """Return what was paid up to each node, itself included, float64 (num_nodes, num_players)."""
    paid = tree.node_payoffs.copy()
    for level in tree.levels():
        paid[level] += paid[tree.parent[level]]
    return paid


def _cumulative(played: PlayedTree) -> Floats:
    """Return the probability of each node or a sibling before it, of all siblings; exactly 1 last.

    float64 (num_nodes,).
    """
    tree = played.tree
    up_to = np.zeros(tree.num_nodes)
    parents = np.flatnonzero(tree.num_children)
    first, count = tree.first_child[parents], tree.num_children[parents]
    running = np.zeros(len(parents))
    for position in range(int(count.max(initial=0))):
        has = np.flatnonzero(position < count)
        running[has] += played.step[first[has] + position]
        up_to[first[has] + position] = running[has]
    total = np.ones(tree.num_nodes)
    total[parents] = running
    up_to[1:] /= total[tree.parent[1:]]
    return up_to


def texts_of_hand(tree: GameTree, end: int) -> tuple[str, str]:
    """Return what chance did on the way to a node, and what the players did."""
    dealt: list[str] = []
    done: list[str] = []
    node = end
    while node > 0:
        above = int(tree.parent[node])
        label = tree.action_text(tree.labels[tree.label[node]])
        (dealt if tree.player[above] == CHANCE else done).append(label)
        node = above
    return " ".join(reversed(dealt)), "-".join(reversed(done))
