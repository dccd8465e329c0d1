"""estimate_size: how large the tree of a game is that nobody can build."""

from __future__ import annotations

from seqform.base.deadline import time_limited
from seqform.base.errors import InvalidGameError
from seqform.game.probe import LONGEST, RulesWalk, SignalWalk, Walk
from seqform.game.rules import Game
from seqform.game.signals import SignalGame
from seqform.game.size_estimate import SizeEstimate, sampled
from seqform.tree.from_any import AnyGame, build_tree
from seqform.tree.tree import GameTree
from seqform.tree.walk import TreeWalk

PROBES = 1_000


def estimate_size(
    game: AnyGame | Walk,
    probes: int = PROBES,
    seed: int = 0,
    seconds: float | None = None,
    longest: int = LONGEST,
    time_limit: float | None = None,
) -> SizeEstimate:
    """Estimate how many nodes the tree of a game has, by random probes of it.

    A probe is a play in which every move is equally likely, also where chance moves. It counts at
    each depth the product of the numbers of moves above. The mean over all plays, by their
    probabilities, is exactly the number of nodes. Most plays count too little and a few far more,
    so that no confidence is claimed; what is shown is the spread of the means of ten batches.

    Parameters
    ----------
    game
        Rules, tree or signal game; or a walk, such as `seqform.io.open_spiel_walk("chess")`.
    probes
        How many plays at most; equal numbers and seeds give equal estimates.
    seed
        Of the random moves.
    seconds
        After which no further play begins; the estimate says how many there were.
    longest
        Moves after which a play is cut.
    time_limit
        Seconds after which there is no answer.

    Returns
    -------
    estimate
        Nodes and leaves, b, the deepest m that was seen, whether all plays ended; and a lower bound
        on the nodes that is wrong for one of 10^6 seeds at most.

    Raises
    ------
    InvalidGameError
        If the rules break a requirement of docs/data-model.md on the way.
    InvalidParameterError
        If `probes` or `longest` is below 1.
    OutOfTimeError
        If the time limit is over.

    References
    ----------
    Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
    The bound: Ville, Étude critique de la notion de collectif, 1939.

    Examples
    --------
    Tic-tac-toe has 549,946 nodes:

    >>> from seqform import make
    >>> estimate = estimate_size(make("tic-tac-toe"), probes=1000)
    >>> round(float(estimate.nodes), -3), estimate.depth
    (558000.0, 9)
    """
    with time_limited(time_limit):
        return sampled(walk_of(game), probes, seed, seconds, longest)


def walk_of(game: AnyGame | Walk) -> Walk:
    """Return what a probe walks on."""
    if isinstance(game, GameTree):
        return TreeWalk(game)
    if isinstance(game, SignalGame):
        return SignalWalk(game)
    if isinstance(game, Game):
        return RulesWalk(game)
    if isinstance(game, Walk):
        return game
    build_tree(game)  # which says what it lacks
    raise InvalidGameError(f"{type(game).__name__} is not a game")
