"""Logit equilibria on the way: the points of a path at the lambdas that were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from seqform.base.number import amount
from seqform.base.summary import Rows
from seqform.concepts.nash import NashCertificate, certify

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm


@dataclass(frozen=True, eq=False)
class LogitPoint:
    """The logit equilibrium at one lambda.

    Parameters
    ----------
    parameter
        Lambda, in the inverse of the game's unit.
    profile
        The logit equilibrium of the branch that begins with uniform play at lambda 0, where the
        branch first comes to this lambda.
    form
        The game.
    """

    parameter: float
    profile: Profile
    form: SequenceForm

    @cached_property
    def certificate(self) -> NashCertificate:
        """What the profile proves: values, and what each player gains by a best response."""
        return certify(self.form, self.profile)

    @property
    def values(self) -> tuple[float, ...]:
        """What each player gets, in the game's unit."""
        return self.certificate.values

    @property
    def nash_gap(self) -> float:
        """The sum of what players gain by best responses, in the game's unit."""
        return self.certificate.nash_gap

    def rows(self, unit: str) -> Rows:
        """Return the point for people, in a row."""
        values = amount(", ".join(f"{value:.6g}" for value in self.values), unit)
        return [
            (f"at lambda {self.parameter:g}", f"values {values}; nash_gap {self.nash_gap:.3g}"),
        ]

    def record(self) -> dict[str, Any]:
        """Return the point as JSON values: its probabilities are by player, set and action."""
        form = self.form
        return {
            "lambda": self.parameter,
            "values": list(self.values),
            "nash_gap": self.nash_gap,
            "strategies": {
                str(player): {
                    form.infoset_text(player, infoset): {
                        action: float(self.profile.behaviors[player][first + place])
                        for place, action in enumerate(form.action_texts(player, infoset))
                    }
                    for infoset, first in enumerate(treeplex.first_sequence[:-1].tolist())
                }
                for player, treeplex in enumerate(form.treeplexes)
            },
        }
