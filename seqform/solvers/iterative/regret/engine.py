"""The engine that applies a regret rule to a game, by what the game's form offers."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from seqform.base.errors import UnsupportedGameError
from seqform.form.followed import Followed
from seqform.form.hand_payoff import HandPayoff
from seqform.form.hand_payoffs import HandPayoffs
from seqform.form.locked_hands import LockedPayoffs
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.restricted_hands import RestrictedHandPayoffs
from seqform.form.restricted_payoff import RestrictedPayoff
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.game import needs
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.search import Engine

if TYPE_CHECKING:
    from seqform.form.hand_lock import HandLock
    from seqform.form.hand_structure import HandStructure
    from seqform.solvers.iterative.regret.hand_engine import HandEngine

logger = logging.getLogger(__name__)


BY_ROUNDS_FROM = 200_000
"""Payoff nonzeros of a signal game from which its rounds are faster to go by than a stored matrix:
1.1 against 2.0 ms an iteration at 230,000, 2.6 against 1.5 at 130,000 (Rhode Island decks)."""

NONZEROS_PER_PUBLIC_NODE = 150
"""Payoff nonzeros for each public node from which rounds are faster: a node takes 870 ns whatever
few signals there are, and a stored nonzero 5 to 7 ns (liar's dice, 5 to 7 sides)."""

MOST_STORED = 20_000_000
"""Payoff nonzeros that are stored at most, which takes 240 MB in each of two directions."""


def regret_engine(
    form: SequenceForm,
    rule: RegretRule,
    single: bool = False,
    threads: int = 1,
    by_rounds: bool | None = None,
) -> Engine:
    """Return an engine that applies a regret rule to a game.

    Of two-player constant-sum games it works by the rounds of a signal game if the game is large,
    with many signals for each public node, the rule alternates, and the form has rounds that can be
    laid out. Otherwise it works by treeplexes. By the streets of a game of hands it works if the
    game is large and the rule does not predict, whatever payoffs add up to. All other games have an
    engine of their own, which has a heuristic's word only; and so have games with merged
    information sets by which players forget.

    Parameters
    ----------
    form
        The game.
    rule
        A published one (`rules.rule`), or one of your own.
    single
        Whether single precision will do for regrets and for the newest iterations in averages; all
        that treeplexes keep is always in double.
    threads
        How many may be used.
    by_rounds
        Whether to go by rounds where that can be done; None: in large games.
    """
    if form.merged:
        from seqform.solvers.iterative.regret.merged_engine import MergedEngine

        return MergedEngine(form, rule)
    if by_rounds is not False and (found := _by_hands(form, rule, single, threads, by_rounds)):
        return found
    if not needs.is_zero_sum(form):
        from seqform.solvers.iterative.regret.many_players_engine import ManyPlayersEngine

        return ManyPlayersEngine(form, rule)
    form = form.zero_sum()
    operator = form.operator
    stores = _is_stored(form)
    if by_rounds is None:
        by_rounds = not stores
    restricted = operator if isinstance(operator, RestrictedPayoff) else None
    signals = form.signals if restricted is None else restricted.signals
    if by_rounds and signals is not None and rule.alternating:
        from seqform.solvers.iterative.regret.signal_engine import SignalEngine

        dtype = np.float32 if single else np.float64
        try:
            return SignalEngine(*signals, rule, dtype, threads=threads, restricted=restricted)
        except UnsupportedGameError as error:
            logger.info("%s", error)
    from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine

    if operator.stored_csr is None and stores:
        form = form.zero_sum().with_operator(operator.to_sparse())
    return TreeplexEngine(form, rule)


def half_engine(form: SequenceForm, rule: RegretRule, threads: int = 1) -> HandEngine:
    """Return the engine of a game of hands that keeps regrets and averages in 16 bits.

    Raises
    ------
    UnsupportedGameError
        If it is no game of hands as it is, or one that cannot be laid out.
    InvalidParameterError
        If the rule does not alternate, or predicts.
    """
    hands = _hands(form.payoffs)
    if hands is None or form.merged:
        raise UnsupportedGameError(
            "half=True: regrets and averages are kept in 16 bits in games of hands, such as "
            "holdem, and only as they are: leave it out"
        )
    from seqform.solvers.iterative.regret.hand_engine import HandEngine

    structure, lock, followed = hands
    return HandEngine(structure, rule, threads=threads, half=True, lock=lock, followed=followed)


def _by_hands(
    form: SequenceForm, rule: RegretRule, single: bool, threads: int, by_rounds: bool | None
) -> HandEngine | None:
    """Return the engine of a game of hands, if it is one that this engine and the rule are for."""
    hands = _hands(form.payoffs)
    if hands is None or rule.prediction or not rule.alternating:
        return None
    is_small = form.payoffs.num_nonzeros < BY_ROUNDS_FROM and form.lists_sequences
    if by_rounds is None and is_small:
        return None
    from seqform.solvers.iterative.regret.hand_engine import HandEngine

    dtype = np.float32 if single else np.float64
    structure, lock, followed = hands
    try:
        return HandEngine(structure, rule, dtype, threads, lock=lock, followed=followed)
    except UnsupportedGameError as error:
        logger.info("%s", error)
        return None


class _Hands(NamedTuple):
    """A game of hands as it is, or with something locked, or with a model that is followed."""

    structure: HandStructure
    lock: HandLock | None = None
    followed: Followed | None = None


def _hands(payoffs: Any) -> _Hands | None:
    """Return the game of hands whose payoffs these are, if they are of one."""
    if isinstance(payoffs, ZeroSumPayoffs):
        payoffs = payoffs.operator
    if isinstance(payoffs, LockedPayoffs):
        return _Hands(payoffs.lock.structure, lock=payoffs.lock)
    if isinstance(payoffs, RestrictedHandPayoffs):
        return _Hands(payoffs.followed.structure, followed=payoffs.followed)
    if isinstance(payoffs, HandPayoffs):
        payoffs = payoffs.operators[0]
    return _Hands(payoffs.boards.structure) if isinstance(payoffs, HandPayoff) else None


def _is_stored(form: ZeroSumForm) -> bool:
    """Return whether going by a stored payoff matrix is faster than by rounds, and it fits."""
    num_nonzeros = form.operator.num_nonzeros
    if form.signals is None or num_nonzeros >= MOST_STORED:
        return num_nonzeros < BY_ROUNDS_FROM
    num_public = len(form.signals[0].public.player)
    return num_nonzeros < max(BY_ROUNDS_FROM, NONZEROS_PER_PUBLIC_NODE * num_public)
