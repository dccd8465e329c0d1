"""The judge: what players get, and could get by best responses, with bounds on all rounding errors.

A form is gone through block after block (`seqform.form.protocol`), however it is held. A best
response is one backward pass over a player's information sets, last ones first. What each sequence
is paid is raised before by what rounding may have taken from it (`seqform.concepts.rounding`).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum
from typing import NamedTuple

from seqform.base.deadline import check_time
from seqform.concepts.backward_pass import BestResponse
from seqform.concepts.rounding import ErrorShares, error_shares
from seqform.form.profile import Profile
from seqform.form.protocol import Block, Paid, Passage, Played
from seqform.form.sequence_form import SequenceForm


class Response(NamedTuple):
    """What a player gets and, by a best response, could get; all in the game's unit."""

    value: float
    """The expected payoff, as computed."""
    error: float
    """A bound on how far that is off."""
    best: float
    """A bound on what a best response gets."""
    widened: float
    """How much larger that is than the best response value as computed."""
    residuals: tuple[float, float]
    """The largest violations of the constraints on the player's own plan."""


def responses(
    game: SequenceForm, profile: Profile, players: Iterable[int] | None = None
) -> list[Response]:
    """Return what each player gets, and could get at most, against the others' plans.

    Nothing is asked of the form that has the size of the game where it can do without.

    Parameters
    ----------
    players
        Who is asked about; all of them by default.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    passage: Passage = game.judged(profile)
    asked = range(game.num_players) if players is None else players
    sums = [ResponseSums(player, error_shares(game, player)) for player in asked]
    for block in passage.blocks():
        here = [passage.played(player, block) for player in range(game.num_players)]
        plans = [of.plan for of in here]
        for one in sums:
            check_time("certifying an answer")
            one.take(block, block.paid(one.player, plans), here[one.player])
    return [one.response() for one in sums]


def response(game: SequenceForm, profile: Profile, player: int) -> Response:
    """Return what one player gets, and could get at most; see `responses`."""
    return responses(game, profile, [player])[0]


class ResponseSums:
    """What is found for one player, block after block."""

    def __init__(self, player: int, shares: ErrorShares) -> None:
        self.player, self._shares = player, shares
        self._widened, self._computed = BestResponse(), BestResponse()
        self._values: list[float] = []
        self._errors: list[float] = []
        self._residuals: list[tuple[float, float]] = []

    def take(self, block: Block, paid: Paid, here: Played) -> None:
        """Take what the player is paid on a block and on those like it; `paid` is written over."""
        self._residuals.append(here.residuals)
        for part, gradient in paid.gradient.items():
            self._values += [float((gradient * here.plan[part]).sum())] * block.times
        shares = [self._shares.mean(of.size) for of in paid.gradient.values()]
        self._errors += [paid.off(max(shares, default=0.0), here.plan)] * block.times
        steps = list(block.steps(self.player))
        self._widened.take(block, steps, paid.raised(self._shares.best))
        self._computed.take(block, steps, paid.gradient)

    def response(self) -> Response:
        """Return what was found."""
        lost = self._shares.lost
        best = self._widened.value + lost
        equations, negative = (max(each) for each in zip(*self._residuals, strict=True))
        return Response(
            value=fsum(self._values),
            error=fsum(self._errors) + lost,
            best=best,
            widened=best - self._computed.value,
            residuals=(equations, negative),
        )
