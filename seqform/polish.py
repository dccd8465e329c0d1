"""Polishing: from an average of an iterative solver to a profile whose gap is near rounding, by quadratic programs on what matters.

Of each player only actions are kept that the average uses, or that would lose little against the opponent's average. For each player a
quadratic program finds, among the plans on kept actions, the one that guarantees most against the opponent's kept actions, less a
small multiple of the squared distance from the average: without it the value comes out right and the rest of the plan does not.
Then the opponent's best responses in the whole game say which actions were missing, and the next round keeps them too.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from seqform.certificate import Certificate, certify
from seqform.errors import SolverError
from seqform.memory import require_memory
from seqform.sequence_form import SequenceForm
from seqform.solvers.clarabel import make_settings
from seqform.solvers.linear_program import scaled_payoffs
from seqform.strategy import Profile
from seqform.treeplex import Treeplex

logger = logging.getLogger(__name__)

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

USED = 1e-7
"""An action that the average takes with at least this probability is kept."""

NEAR = 1e-3
"""So is one that loses at most this share of what is at stake."""

NEARNESS = 1e-6
"""How much a plan pays for its squared distance from the average, in the game's unit."""

BYTES_PER_NONZERO = 100


@dataclass(frozen=True)
class Round:
    """What one round of polishing came to: the best gap so far, the kept share of each player's sequences, and seconds."""

    gap: float
    kept: tuple[float, float]
    seconds: float


def polish(
    form: SequenceForm,
    profile: Profile,
    *,
    gap: float = 0.0,
    rounds: int = 10,
    deadline: float = float("inf"),
    threads: int = 1,
    callback: Callable[[Round], None] | None = None,
) -> tuple[Profile, Certificate]:
    """Return the best profile found from `profile` on, and its certificate.

    Stops when the certified nash_gap is at most `gap`, after `rounds`, when a round finds neither a better plan nor a missing action,
    or past `deadline` (of `time.perf_counter`, looked at between rounds).

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    GameTooLargeError
        If the payoff matrix does not fit into memory.
    """
    check_size(form)
    payoff, scale = scaled_payoffs(form.zero_sum_operator().to_sparse())
    best, certificate = profile, certify(form, profile)
    kept = _kept(form, profile)
    for _ in range(rounds):
        start = time.perf_counter()
        if certificate.nash_gap <= gap or start >= deadline:
            break
        behaviors = [_improve(form, payoff, scale, player, best, kept, threads) for player in (0, 1)]
        found = Profile.from_behaviors(form.treeplexes, behaviors)
        wider = tuple(mine | more for mine, more in zip(kept, _kept(form, found), strict=True))
        grown = any((mine != more).any() for mine, more in zip(kept, wider, strict=True))
        kept = wider
        chosen, improved = _better(form, best, certificate, found)
        best, certificate = chosen, certify(form, chosen)
        shares = (float(kept[0].mean()), float(kept[1].mean()))
        logger.info("polished to a gap of %.3g, keeping %.3f and %.3f of the sequences", certificate.nash_gap, *shares)
        if callback is not None:
            callback(Round(certificate.nash_gap, shares, time.perf_counter() - start))
        if not (improved or grown):
            break
    return best, certificate


def check_size(form: SequenceForm) -> None:
    """Refuse a game that `polish` refuses.

    Raises
    ------
    UnsupportedGameError, GameTooLargeError
        See `polish`.
    """
    size = form.zero_sum_operator().num_nonzeros
    require_memory(BYTES_PER_NONZERO * size, f"polishing with a payoff matrix of {size:,} nonzeros", "leave out polishing")


def _better(form: SequenceForm, old: Profile, certificate: Certificate, new: Profile) -> tuple[Profile, bool]:
    """Return for each player the behaviour that guarantees more: player 0's sets the lower bound, player 1's the upper."""
    found = certify(form, new)
    keep = found.lower > certificate.lower, found.upper < certificate.upper
    behaviors = [(new if better else old).behaviors[player] for player, better in enumerate(keep)]
    return Profile.from_behaviors(form.treeplexes, behaviors), any(keep)


def _kept(form: SequenceForm, profile: Profile) -> tuple[Mask, ...]:
    """Return which sequences of each player are used, or near to best, all the way from the root."""
    kept = []
    for player, treeplex in enumerate(form.treeplexes):
        worth, best = _worth(treeplex, form.gradient(player, profile.plans))
        stake = _worth(treeplex, form.absolute_gradient(player, profile.plans))[1]
        owner = treeplex.infoset_of
        near = np.ones(treeplex.num_sequences, dtype=bool)
        near[1:] = (best[owner[1:]] - worth[1:] <= NEAR * stake[owner[1:]]) | (profile.behaviors[player][1:] >= USED)
        parent = treeplex.sequence_parent
        for _, sequences in treeplex.runs:
            near[sequences] &= near[parent[sequences]]
        kept.append(near)
    return tuple(kept)


def _worth(treeplex: Treeplex, gradient: Floats) -> tuple[Floats, Floats]:
    """Return the worth of each sequence and of each information set if all that follows is played best."""
    worth, _ = treeplex.backward(gradient)
    best = np.maximum.reduceat(worth, treeplex.first_sequence[:-1]) if treeplex.num_infosets else np.zeros(0)
    return worth, best


def _improve(
    form: SequenceForm, payoff: sp.csr_array, scale: float, player: int, base: Profile, kept: tuple[Mask, ...], threads: int
) -> Floats:
    """Return the behaviour of a player's program on kept sequences; where that has no weight, the base's."""
    mine, theirs = form.treeplexes[player], form.treeplexes[1 - player]
    columns, rows = np.flatnonzero(kept[player]), np.flatnonzero(kept[1 - player])
    matrix = payoff[columns][:, rows] if player == 0 else (-payoff)[rows][:, columns].T
    solved = np.zeros(mine.num_sequences)
    solved[columns] = _program(
        _cut(mine, columns), _cut(theirs, rows), matrix.tocsr(), base.plans[player][columns], NEARNESS * scale, threads
    )
    solved = np.maximum(solved, 0.0)
    behavior = mine.to_behavior(solved)
    if mine.num_infosets:
        reached = np.repeat(np.add.reduceat(solved, mine.first_sequence[:-1]) > 0, mine.num_actions)
        behavior[1:][~reached] = base.behaviors[player][1:][~reached]
    return behavior


def _cut(treeplex: Treeplex, sequences: NDArray[np.int64]) -> tuple[sp.csr_array, Floats]:
    """Return the constraints of a treeplex on some sequences; an information set is there if the sequence above it is."""
    constraints, e = treeplex.constraints()
    there = np.zeros(treeplex.num_sequences, dtype=bool)
    there[sequences] = True
    rows = np.concatenate([[0], 1 + np.flatnonzero(there[treeplex.parent_sequence])])
    return constraints[rows][:, sequences], e[rows]


def _program(
    mine: tuple[sp.csr_array, Floats],
    theirs: tuple[sp.csr_array, Floats],
    payoff: sp.csr_array,
    base: Floats,
    nearness: float,
    threads: int,
) -> Floats:
    """Maximise ``f'q - nearness / 2 |x - base|^2`` over plans x with ``A'x >= F'q``; return x."""
    import clarabel

    (constraints, e), (others, f) = mine, theirs
    plan, free, answers = len(base), len(f), payoff.shape[1]
    equal = sp.hstack([constraints, sp.csr_array((len(e), free))])
    guarantee = sp.hstack([-payoff.T, others.T])
    positive = sp.hstack([-sp.eye_array(plan), sp.csr_array((plan, free))])
    matrix = sp.csc_matrix(sp.vstack([equal, guarantee, positive]))
    bounds = np.concatenate([e, np.zeros(answers + plan)])
    quadratic = sp.csc_matrix(sp.diags_array(np.concatenate([np.full(plan, nearness), np.zeros(free)])))
    linear = np.concatenate([-nearness * base, -f])
    cones = [clarabel.ZeroConeT(len(e)), clarabel.NonnegativeConeT(answers + plan)]
    settings = make_settings(clarabel, 1e-12, threads, max_iterations=300)
    answer = clarabel.DefaultSolver(quadratic, linear, matrix, bounds, cones, settings).solve()
    found = np.array(answer.x)[:plan]
    if not np.isfinite(found).all():
        raise SolverError(f"polishing failed: Clarabel says {answer.status}")
    return found
