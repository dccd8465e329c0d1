"""Certificates: what a profile guarantees, from best responses that no solver computed.

In a two-player constant-sum game with payoff matrix A, any plans x and y prove

    min over y' of x'Ay'  <=  value  <=  max over x' of x''Ay

(weak duality; von Stengel 1996, Section 5). Each side is one sparse product and one backward pass.
Both bounds are widened by a bound on all rounding errors on the way, so they hold for the profile
as stored, and for the game's numbers as given, each float the rational number that it is
(`seqform/concepts/rounding.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from seqform.base.errors import ResultFileError
from seqform.base.number import amount
from seqform.base.rounded import interval, significant
from seqform.concepts.best_response import check_profile
from seqform.concepts.judge import Response, responses
from seqform.form.from_any import Formed, form_from
from seqform.form.from_tree import build_sequence_form
from seqform.form.keepers import keeping_of
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm, ZeroSumForm
from seqform.game.kinds import listed
from seqform.game.observations import SignalStructure
from seqform.tree.tree import GameTree

STRATEGY, KEPT = "strategy.csv", "strategy.npz"
"""The files that hold a profile: one row an action, or as its form keeps it."""


@dataclass(frozen=True)
class NashCertificate:
    """Bounds that a profile proves (docs/data-model.md); all amounts are in the game's unit.

    Parameters
    ----------
    values
        Expected payoff of each player.
    gains
        For each player, an upper bound on the gain from deviating alone; at least 0.
    lower, upper
        In a two-player constant-sum game: what player 0's plan guarantees, and the most that
        player 0 can get against player 1's plan. NaN in other games.
    rounding
        By how much bounds on best responses were widened, at most.
    residuals
        For each player, the largest violations of ``E x = e`` and of ``x >= 0``.
    """

    values: tuple[float, ...]
    gains: tuple[float, ...]
    lower: float
    upper: float
    rounding: float
    residuals: tuple[tuple[float, float], ...]

    @property
    def nash_gap(self) -> float:
        """A bound on the sum of what each player could gain by deviating alone.

        The sum of the gains. Of a constant-sum game the width of the interval, which is less by
        rounding errors: what the profile itself pays, and the error of that, cancel.
        """
        return self.upper - self.lower if self.is_constant_sum else float(sum(self.gains))

    @property
    def gap(self) -> float:
        """The nash_gap: 0 for an exact equilibrium."""
        return self.nash_gap

    @property
    def exploitability(self) -> float:
        """`nash_gap` divided by the number of players."""
        return self.nash_gap / len(self.gains)

    @property
    def is_constant_sum(self) -> bool:
        """Whether the profile proves an interval for the value of a constant-sum game."""
        return not isnan(self.lower)

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return what is proven for people."""
        rows = []
        if self.is_constant_sum:
            rows.append(("proven interval", f"[{self.lower:.15g}, {self.upper:.15g}] {unit}"))
        for player, gain in enumerate(self.gains):
            rows.append(
                (f"player {player}'s gain from a best response", amount(significant(gain, 3), unit))
            )
        of = "upper - lower" if self.is_constant_sum else "sum of the gains"
        rows.append((f"nash_gap ({of})", amount(significant(self.nash_gap, 3), unit)))
        name = f"exploitability (nash_gap / {len(self.gains)})"
        return [*rows, (name, amount(significant(self.exploitability, 3), unit))]

    def certainty(self, unit: str) -> str:
        """Say how sure the profile is, in a sentence."""
        if self.is_constant_sum:
            gap = amount(significant(self.nash_gap, 2), unit)
            ends = f"{interval(self.lower, self.upper)} {unit}, a gap of {gap}"
            return f"certified: best responses, with their rounding errors, put the value in {ends}"
        most = amount(significant(max(self.gains), 2), unit)
        return (
            f"certified: by deviating alone nobody gains more than {most}, rounding errors included"
        )

    def record(self) -> dict[str, Any]:
        """Return what is proven as JSON values; an interval only where there is one."""
        interval = {"value": self.values[0], "lower": self.lower, "upper": self.upper}
        return {
            **(interval if self.is_constant_sum else {}),
            "values": list(self.values),
            "nash_gap": self.nash_gap,
            "exploitability": self.exploitability,
            "gains": list(self.gains),
        }


def certify(game: Formed, profile: Profile) -> NashCertificate:
    """Return the certificate of a profile.

    `lower` and `upper` are NaN unless the game is two-player and constant-sum. Gains include bounds
    on all rounding errors; each is at least the true gain.

    Parameters
    ----------
    game
        Rules, a tree, a signal game or a sequence form: two players or more, zero-sum or not.
    profile
        One realization plan per player, float64 (num_sequences,), finite.

    Raises
    ------
    InvalidStrategyError
        If the profile is of another game, or not finite.
    """
    game = form_from(game)
    check_profile(profile)
    of = game.without_constant() if isinstance(game, ZeroSumForm) else game
    return _certificate(game, responses(of, profile))


def _certificate(game: SequenceForm, found: Sequence[Response]) -> NashCertificate:
    """Return what best responses prove; of a constant-sum game they leave out the constant."""
    if not isinstance(game, ZeroSumForm):
        lower = upper = float("nan")
        values = tuple(of.value for of in found)
        gains = tuple(max(0.0, of.best - of.value) + of.error for of in found)
    else:
        mine, theirs = found
        lower, upper = -theirs.best - game.sum_spread, mine.best
        values = mine.value, float(game.constant_sum) - mine.value
        gains = (
            max(0.0, upper - mine.value) + mine.error,
            max(0.0, mine.value - lower) + mine.error,
        )
    return NashCertificate(
        values=values,
        gains=gains,
        lower=lower,
        upper=upper,
        rounding=max(of.widened for of in found),
        residuals=tuple(of.residuals for of in found),
    )


class Nash:
    """Nash equilibrium: nobody gains by deviating alone."""

    name = "nash"
    keys = ("value", "lower", "upper", "values", "nash_gap", "exploitability", "gains")
    keeps_tree = True

    def prepare(self, game: Any) -> SequenceForm:
        """Return the sequence form of a tree, or of a signal game without a reduction."""
        game = listed(game)
        if isinstance(game, SequenceForm):
            return game
        if isinstance(game, GameTree):
            return build_sequence_form(game)
        from seqform.form.whole_form import whole_form

        return whole_form(SignalStructure(game))

    def certify(self, game: SequenceForm, answer: Profile) -> NashCertificate:
        """Return what a profile proves; see `certify`."""
        return certify(game, answer)

    def transfer(self, game: SequenceForm, answer: Profile) -> Profile:
        """Return the profile itself: sequences have the same numbers in tree and signal game."""
        return answer

    def save(self, game: SequenceForm, answer: Profile, folder: Path) -> None:
        """Write a profile: a table, or in the way of a form that keeps its profiles otherwise."""
        keeping = keeping_of(game)
        if keeping is not None:
            keeping.of(game, answer).save(folder / KEPT)
            return
        from seqform.form.profile_table import write_table

        write_table(game, answer, folder / STRATEGY)

    def load(self, game: SequenceForm, folder: Path, claims: Mapping[str, Any]) -> Profile:
        """Read the profile that `save` wrote.

        Raises
        ------
        ResultFileError
            If the file is missing, damaged, or of another game.
        """
        keeping = keeping_of(game)
        if keeping is not None:
            return keeping.load(folder / KEPT).in_form(game)
        if game.tree is None and not (folder / STRATEGY).exists():
            raise ResultFileError(f"{folder} holds neither a tree nor a game of signals")
        from seqform.form.profile_table import read_table

        return read_table(game, folder / STRATEGY)


NASH = Nash()
