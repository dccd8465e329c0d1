"""From a profile near an equilibrium to the equilibrium: its support is guessed, and then solved.

The other way of polishing, `seqform.methods.polish`, is for zero-sum games. This one is for any
number of players and any payoffs. Which actions are played is guessed from the profile: those above
a threshold, of which several are tried. The rest is `seqform.solvers.support`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from seqform.base.arrays import Floats, Mask
from seqform.base.errors import (
    GameTooLargeError,
    OutOfTimeError,
    SolverError,
    UnsupportedGameError,
)
from seqform.concepts.nash import certify
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.methods.method import Answer
from seqform.results.status import Status
from seqform.solvers.support import Conditions, SupportPoint, closed, on_support

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.exact.plan_proof import ProvenGains
    from seqform.results.solution import Solution

logger = logging.getLogger(__name__)

THRESHOLDS = (1e-1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-6)
"""An action is guessed to be played from this probability on."""

NEAR_ENOUGH = 1e-6
"""A gap in floats, as a share of the payoff scale, from which digits are worth looking for."""

LARGEST = 2_000
"""Sequences that are played, and information sets that they lead to, up to which digits are looked
for: the factors are dense (2 s and 100 MB)."""


MOST_DIGITS = 1_100
"""Binary digits that are looked for where the gap is 0 in floats."""


@dataclass(frozen=True)
class Polished:
    """An equilibrium that was found, up to rounding.

    Parameters
    ----------
    profile
        In floats.
    moved
        How far plans are from those that it was looked for from.
    proof
        What is proven of it in fractions; None in a game with floats, or a large one.
    """

    profile: Profile
    moved: float
    proof: ProvenGains | None

    @property
    def words(self) -> str:
        """How it was found, for people."""
        return f"then solved on its support (plans moved by {self.moved:.2g})"

    def prove(self, solution: Solution) -> Solution:
        """Return a solution with what is proven of it; as it is in a game with floats."""
        from seqform.exact.bracket import gains_of
        from seqform.exact.plan_proof import prove_equilibrium

        try:
            proof = self.proof or gains_of(solution.game, self.profile)
        except UnsupportedGameError:
            return solution
        if proof.nash_gap:
            return solution.proving(proof)
        return solution.proving(prove_equilibrium(proof.game, proof.plans, proof.denominators))


def equilibrium_near(form: SequenceForm, profile: Profile, gap: float) -> Polished | None:
    """Return an equilibrium near to a profile, if one is found.

    Parameters
    ----------
    gap
        The nash_gap to reach, in the game's unit.
    """
    conditions = Conditions(form)
    start = conditions.point(profile.plans)
    for played in _supports(conditions, profile):
        try:
            point = on_support(conditions, start, played)
        except SolverError as error:
            logger.info("%s", error)
            continue
        found = _as_profile(conditions, point, profile)
        reached = certify(form, found).nash_gap
        if reached > max(gap, NEAR_ENOUGH * form.payoff_scale):
            continue
        proof = _proof(conditions, point, gap)
        if proof is not None and proof.nash_gap <= gap:
            point = replace(point, x=_floats(proof))
            found = _as_profile(conditions, point, profile)
        elif proof is not None or reached > gap:
            continue
        return Polished(found, float(np.abs(point.x - start.x).max()), proof)
    return None


def polished_on_support(
    form: SequenceForm, answer: Answer, tolerance: float, clock: Clock
) -> Answer:
    """Return a method's answer with the equilibrium near to it; unchanged if none is found."""
    if answer.found is None:
        return replace(answer, tolerance=tolerance)
    with clock.phase("polish"):
        try:
            found = equilibrium_near(form, answer.found, tolerance * form.payoff_scale)
        except OutOfTimeError:
            found = None
        except GameTooLargeError as error:  # what was found stands
            message = f"{answer.message}; not polished: {error}"
            return replace(answer, tolerance=tolerance, message=message)
    if found is None:
        message = f"{answer.message}; no equilibrium was found on a support near to it"
        return replace(answer, tolerance=tolerance, message=message)
    return replace(
        answer,
        found=found.profile,
        engine=f"{answer.engine}+support",
        tolerance=tolerance,
        status=Status.LIMIT if clock.is_over else None,
        message=f"{answer.message}, {found.words}",
        prover=found,
    )


def _supports(conditions: Conditions, profile: Profile) -> Iterator[Mask]:
    """Yield the supports above the thresholds, each once."""
    behaviors, seen = np.concatenate(profile.behaviors), set()
    for threshold in THRESHOLDS:
        played = closed(conditions, behaviors >= threshold)
        if (key := played.tobytes()) not in seen and _is_whole(conditions, played):
            seen.add(key)
            yield played


def _is_whole(conditions: Conditions, played: Mask) -> bool:
    """Return whether wherever play leads an action is played."""
    led_to = played[conditions.parent]
    number = conditions.constraints @ played.astype(np.float64)
    return bool((number[led_to] + 1 > 0.5).all())


def _as_profile(conditions: Conditions, point: SupportPoint, before: Profile) -> Profile:
    """Return the profile of a point, with the behaviours from before where it never leads."""
    treeplexes, behaviors = conditions.form.treeplexes, []
    for treeplex, plan, earlier in zip(
        treeplexes, conditions.plans(point.x), before.behaviors, strict=True
    ):
        behavior = treeplex.to_behavior(plan)
        if treeplex.num_infosets:
            sums = np.add.reduceat(plan, treeplex.first_sequence[:-1])
            unreached = np.flatnonzero(np.repeat(sums <= 0, treeplex.num_actions)) + 1
            behavior[unreached] = earlier[unreached]
        behaviors.append(behavior)
    return Profile.from_behaviors(treeplexes, behaviors)


def _proof(conditions: Conditions, point: SupportPoint, gap: float) -> ProvenGains | None:
    """Return what is proven of an equilibrium near to the point; None if nothing can be."""
    from seqform.solvers.support_digits import PLAYED, proven

    played = point.x > PLAYED
    if int(played.sum()) + int(played[conditions.parent].sum()) > LARGEST:
        return None
    share = log2(gap) - log2(conditions.form.payoff_scale) if gap else -MOST_DIGITS
    bits = max(64, ceil(-share))
    try:
        return proven(conditions, point, bits)
    except UnsupportedGameError:  # it has floats
        return None


def _floats(proof: ProvenGains) -> Floats:
    """Return the plans of a proof in floats."""
    return np.concatenate(
        [
            np.array([int(weight) / whole for weight in plan], dtype=np.float64)
            for plan, whole in zip(proof.plans, proof.denominators, strict=True)
        ]
    )
