"""The engine that applies a regret rule to a game, by what the game's form offers."""

from __future__ import annotations

import logging

import numpy as np

from seqform.base.errors import UnsupportedGameError
from seqform.form.sequence_form import SequenceForm
from seqform.solvers.iterative.regret.rules import RegretRule
from seqform.solvers.iterative.search import Engine

logger = logging.getLogger(__name__)


def regret_engine(
    form: SequenceForm, rule: RegretRule, single: bool = False, threads: int = 1
) -> Engine:
    """Return an engine that applies a regret rule to a two-player zero-sum game.

    It goes by the rounds of a signal game if the form has them and they can be laid out, and the
    rule alternates; else by treeplexes.

    Parameters
    ----------
    form
        The game.
    rule
        A published one (`rules.rule`), or one of your own.
    single
        Whether single precision will do for regrets; averages, and all that treeplexes keep, are
        always in double.
    threads
        How many may be used.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """
    from seqform.solvers.iterative.regret.signal_engine import SignalEngine
    from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine

    if form.signals is not None and rule.alternating:
        dtype = np.float32 if single else np.float64
        try:
            return SignalEngine(*form.signals, rule, dtype, threads=threads)
        except UnsupportedGameError as error:
            logger.info("%s", error)
    return TreeplexEngine(form, rule)
