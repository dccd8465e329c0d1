"""Polishing: from an average to a profile whose gap is near rounding.

It solves proximal programs on the actions that matter, an active set.

Of each player only actions are kept that the average uses, or that would lose little against the
opponent's average. For each player a proximal program (`seqform.solvers.saddle`) finds, among the
plans on kept actions, one that guarantees more against the opponent's kept actions and is near.
Then best responses in the whole game say how far to go there, and which actions of the opponent
were missing; the next round keeps them too. A step that was right in full may be longer in the next
round.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seqform.base.arrays import Floats, Mask
from seqform.base.deadline import overtime
from seqform.base.errors import GameTooLargeError, OutOfTimeError, SolverError
from seqform.base.interrupt import Interrupt
from seqform.base.memory import require_memory
from seqform.concepts.nash import NashCertificate, certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.treeplex import Treeplex
from seqform.game import needs
from seqform.methods.method import Answer
from seqform.results.status import Status
from seqform.solvers.saddle.step import Cut, nearest_saddle

if TYPE_CHECKING:
    from seqform.base.clock import Clock

logger = logging.getLogger(__name__)

SUPPORT = 1e-7
"""An action of at least this probability is in the support, and so in the working set."""

POLISH_FROM, POLISH_TO = 1e-5, 1e-9
"""Gaps, as shares of the payoff scale, at which a search stops if its average is to be polished,
and to which it is polished by default."""

LARGE, POLISH_LARGE_FROM = 3_000_000, 1e-7
"""Payoffs of a large game, and where its search stops. It comes there in the time of a few
quadratic programs, and saves more of them: what matters is less there, and better known."""

NEAR_BEST = 1e-3
"""So is one that loses at most this share of what is at stake."""

WEIGHT, FIRST_WEIGHT, LEAST_WEIGHT, LONGER = 0.3, (1e-8, 1e-5), 1e-10, 30.0
"""What half the squared distance costs at first, as a share of the gap; as shares of the largest
payoff, what that is at least and at most, and how little it may become; and by how much less it is
after a full step."""

FINE = 1e-3
"""Programs are solved to this share of the gap so far."""

ENTERING = 1e-14
"""An action enters the working set if the opponent gains at least this share of the largest payoff
by it, against the player's whole plan."""

ROUNDS = 30
"""Rounds at most, unless a caller says otherwise."""

HALVINGS = 10
"""A step is halved so often at most until it is worth taking."""

BYTES_PER_NONZERO = 400
"""What a program takes, factors included, for each payoff among kept actions (3.4 GB in all for 8.6
million, with 52 cards)."""


@dataclass(frozen=True)
class Round:
    """What one round of polishing came to.

    The best gap so far, the kept share of each player's sequences, and seconds.
    """

    gap: float
    kept: tuple[float, float]
    seconds: float


class Polished(NamedTuple):
    """The best profile found, its certificate, and what stopped the search early.

    That is the user, or trouble; or nothing.
    """

    profile: Profile
    certificate: NashCertificate
    interrupted: bool
    trouble: str


def polishes_from(form: SequenceForm) -> float:
    """Return the gap at which a search stops to be polished, as a share of the payoff scale."""
    is_large = needs.is_zero_sum(form) and form.payoffs.num_nonzeros >= LARGE
    return POLISH_LARGE_FROM if is_large else POLISH_FROM


def polished(form: SequenceForm, answer: Answer, tolerance: float, clock: Clock) -> Answer:
    """Return a method's answer with its profile polished to a share of the payoff scale."""
    if answer.found is None:
        return replace(answer, tolerance=tolerance)
    import_module("qdldl")  # outside the timed part
    with overtime(), clock.phase("polish"):
        found = polish(
            form,
            answer.found,
            gap=tolerance * form.payoff_scale,
            deadline=clock.deadline,
        )
    message = f"{answer.message}, then polished" + (f"; {found.trouble}" if found.trouble else "")
    return replace(
        answer,
        found=found.profile,
        engine=f"{answer.engine}+polish",
        tolerance=tolerance,
        status=Status.LIMIT if found.interrupted or clock.is_over else answer.status,
        message=message,
    )


def polish(
    form: SequenceForm,
    profile: Profile,
    *,
    gap: float = 0.0,
    rounds: int = ROUNDS,
    deadline: float = float("inf"),
    callback: Callable[[Round], None] | None = None,
) -> Polished:
    """Return the best profile found from `profile` on, and its certificate.

    Stops when the certified nash_gap is at most `gap`, after `rounds`, or when a round finds
    neither a better plan nor a missing action. Past `deadline` (of `time.perf_counter`), or at a
    keyboard interrupt, it stops too, and so does a program that is being solved.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """
    form.zero_sum_operator()
    best, certificate, trouble = profile, certify(form, profile), ""
    search = _Search(form, _working_set(form, profile), certificate.nash_gap)
    with Interrupt(insist=False) as user:
        for _ in range(rounds):
            start = time.perf_counter()
            if certificate.nash_gap <= gap or start >= deadline or user.asked:
                break
            try:
                found, grown = search.step(
                    best,
                    certificate.nash_gap,
                    lambda: user.asked or time.perf_counter() >= deadline,
                )
                proven = certify(form, found)
            except OutOfTimeError:
                break
            except (SolverError, GameTooLargeError) as error:
                trouble = f"polishing failed: {error}"
                break
            improved = proven.nash_gap < certificate.nash_gap
            if improved:
                best, certificate = found, proven
            logger.info(
                "polished to a gap of %.3g, keeping %.3f and %.3f of the sequences",
                certificate.nash_gap,
                *search.shares,
            )
            if callback is not None:
                callback(Round(certificate.nash_gap, search.shares, time.perf_counter() - start))
            if not (improved or grown):
                trouble = "polishing found nothing better"
                break
        else:
            if certificate.nash_gap > gap:
                trouble = f"polishing came to its limit of {rounds} rounds"
    return Polished(
        best, certificate, user.asked, "polishing was interrupted" if user.asked else trouble
    )


class _Search:
    """What rounds hand on: the active sequences, and how near each program stays."""

    def __init__(self, form: SequenceForm, kept: tuple[Mask, Mask], gap: float) -> None:
        self.form, self.kept = form, kept
        share = gap / (form.payoff_scale or 1.0)
        first = float(np.clip(WEIGHT * share, *FIRST_WEIGHT))
        self.weights = [first, first]

    @property
    def shares(self) -> tuple[float, float]:
        """Which share of each player's sequences is kept."""
        return float(self.kept[0].mean()), float(self.kept[1].mean())

    def step(self, base: Profile, gap: float, stop: Callable[[], bool]) -> tuple[Profile, bool]:
        """Return a profile that guarantees each player no less, and whether more is kept since."""
        form, treeplexes = self.form, self.form.treeplexes
        first, second = cuts = (
            Cut.of(treeplexes[0], self.kept[0]),
            Cut.of(treeplexes[1], self.kept[1]),
        )
        payoff = form.zero_sum_operator().submatrix(first.sequences, second.sequences)
        require_memory(
            BYTES_PER_NONZERO * payoff.nnz,
            f"polishing with {payoff.nnz:,} payoffs among kept actions",
            "leave out polishing",
        )
        near = first.restrict(base.plans[0]), second.restrict(base.plans[1])
        behaviors, more = [], []
        for player, cut in enumerate(cuts):
            price = self.weights[player] * form.payoff_scale
            prices = (price, 0.0) if player == 0 else (0.0, price)
            found = nearest_saddle(cuts, payoff, near, prices, FINE * gap, stop)[player]
            plan = cut.extend(found, treeplexes[player].num_sequences)
            share, behavior = _as_far_as_it_helps(form, player, base, plan)
            logger.info("player %s: weight %.1e, share %.3g", player, self.weights[player], share)
            behaviors.append(behavior)
            more.append(
                _entering(form, 1 - player, _with_plan(base, player, plan), self.kept[1 - player])
            )
            self._adjust(player, share, bool(more[-1].any()))
        self.kept = self.kept[0] | more[1], self.kept[1] | more[0]
        return Profile.from_behaviors(treeplexes, behaviors), any(mask.any() for mask in more)

    def _adjust(self, player: int, share: float, missing: bool) -> None:
        """Let the player's next step be longer after a full one.

        It is shorter if this one was too long, and for no lack of actions.
        """
        if share == 1.0:
            self.weights[player] = max(self.weights[player] / LONGER, LEAST_WEIGHT)
        elif not missing:
            self.weights[player] = min(self.weights[player] * LONGER, FIRST_WEIGHT[1])


def _as_far_as_it_helps(
    form: SequenceForm, player: int, base: Profile, plan: Floats
) -> tuple[float, Floats]:
    """Return the first share of a step that guarantees more, and the behaviour there.

    Shares are 1, 1/2, 1/4, ... of the way from the base to a plan; 0 if none does.
    """
    start = base.plans[player]
    least = _guarantee(form, player, base)
    for halvings in range(HALVINGS + 1):
        share = 0.5**halvings
        behavior = _behavior(
            form.treeplexes[player], start + share * (plan - start), base.behaviors[player]
        )
        if (
            _guarantee(
                form, player, _with_plan(base, player, form.treeplexes[player].to_plan(behavior))
            )
            > least
        ):
            return share, behavior
    return 0.0, base.behaviors[player]


def _guarantee(form: SequenceForm, player: int, profile: Profile) -> float:
    """Return what the player's plan guarantees, up to a constant."""
    return -form.treeplexes[1 - player].best_value(form.gradient(1 - player, profile.plans))


def _with_plan(profile: Profile, player: int, plan: Floats) -> Profile:
    """Return a profile for use in gradients, with one plan replaced and behaviours as they are."""
    plans = (plan, profile.plans[1]) if player == 0 else (profile.plans[0], plan)
    return Profile(profile.behaviors, plans)


def _behavior(treeplex: Treeplex, plan: Floats, unreached: Floats) -> Floats:
    """Return the behaviour of a plan, and another where it has no weight."""
    behavior = treeplex.to_behavior(plan)
    if treeplex.num_infosets:
        reached = np.repeat(
            np.add.reduceat(plan, treeplex.first_sequence[:-1]) > 0, treeplex.num_actions
        )
        behavior[1:][~reached] = unreached[1:][~reached]
    return behavior


def _working_set(form: SequenceForm, profile: Profile) -> tuple[Mask, Mask]:
    """Return which sequences of each player are used, or nearly best, from the root on."""
    first, second = (
        _connected(form.treeplexes[player], _near(form, player, profile)) for player in (0, 1)
    )
    return first, second


def _near(form: SequenceForm, player: int, profile: Profile) -> Mask:
    """Return which actions a player uses, or would lose little by."""
    treeplex = form.treeplexes[player]
    worth, best = _worth(treeplex, form.gradient(player, profile.plans))
    stake = _worth(treeplex, form.absolute_gradient(player, profile.plans))[1]
    owner = treeplex.infoset_of[1:]
    near = np.ones(treeplex.num_sequences, dtype=bool)
    near[1:] = (best[owner] - worth[1:] <= NEAR_BEST * stake[owner]) | (
        profile.behaviors[player][1:] >= SUPPORT
    )
    return near


def _connected(treeplex: Treeplex, wanted: Mask) -> Mask:
    """Return the sequences that are wanted with all above them."""
    connected, parent = wanted.copy(), treeplex.sequence_parent
    for _, sequences in treeplex.runs:
        connected[sequences] &= connected[parent[sequences]]
    return connected


def _entering(form: SequenceForm, player: int, profile: Profile, kept: Mask) -> Mask:
    """Return what the player should have kept, too, to answer the opponent best.

    Where something else is better, that is all that is near.
    """
    treeplex = form.treeplexes[player]
    gradient = form.gradient(player, profile.plans)
    _, best = _worth(treeplex, gradient)
    _, best_kept = _worth(treeplex, np.where(kept, gradient, -np.inf))
    lacking = kept[treeplex.parent_sequence] & (best - best_kept > ENTERING * form.largest_payoff)
    more = np.zeros_like(kept)
    near = _near(form, player, profile) & ~kept
    parent = treeplex.sequence_parent
    owner = treeplex.infoset_of
    for _, sequences in treeplex.runs:
        more[sequences] = near[sequences] & (lacking[owner[sequences]] | more[parent[sequences]])
    return more


def _worth(treeplex: Treeplex, gradient: Floats) -> tuple[Floats, Floats]:
    """Return the worth of each sequence and information set if all that follows is best."""
    worth = treeplex.worth(gradient)
    best = (
        np.maximum.reduceat(worth, treeplex.first_sequence[:-1])
        if treeplex.num_infosets
        else np.zeros(0)
    )
    return worth, best
