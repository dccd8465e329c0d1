"""Solutions: a profile, what it is worth, and the certificate that says how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from seqform.concepts.nash import Certificate
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm

if TYPE_CHECKING:
    from seqform.exact.equilibrium import ExactEquilibrium
    from seqform.exact.interval import ProvenInterval


class Status(Enum):
    """How a solve ended; the value of each member is a sentence for the user."""

    SOLVED = "the certificate proves an equilibrium within the tolerance"
    INACCURATE = (
        "the profile's certificate has a gap above the tolerance: try another solver or method"
    )
    LIFTED = (
        "an abstraction was solved: lifted to the whole game, its profile loses the nash_gap below"
    )
    LIMIT = "a limit was hit, or the user stopped it, before the gap asked for: what was found so far is certified"
    FAILED = "the solver failed: try another solver or method"


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to a solve. Without a profile the value is NaN and there is no certificate."""

    game: SequenceForm
    status: Status
    method: str
    profile: Profile | None
    certificate: Certificate | None
    message: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    iterations: int = 0
    tolerance: float = 1e-6
    """The nash_gap, as a share of the largest payoff, up to which the status is SOLVED."""
    exact: ExactEquilibrium | None = None
    """The equilibrium in fractions, where it was looked for and proven."""
    bracket: ProvenInterval | None = None
    """Where it was looked for and not proven: an interval that the profile's plans prove."""

    @property
    def proof(self) -> str | None:
        """What is proven in exact arithmetic: 'exact', the value; 'bracketed', an interval around it; None if neither was asked for."""
        return "exact" if self.exact else ("bracketed" if self.bracket else None)

    @property
    def value(self) -> float:
        """Player 0's expected payoff under the profile; NaN without one."""
        return self.certificate.values[0] if self.certificate else float("nan")

    @property
    def lower(self) -> float:
        """What player 0's plan guarantees."""
        return self.certificate.lower if self.certificate else float("nan")

    @property
    def upper(self) -> float:
        """The most that player 0 can get against player 1's plan."""
        return self.certificate.upper if self.certificate else float("nan")

    @property
    def nash_gap(self) -> float:
        """The sum of all players' gains from a best response."""
        return self.certificate.nash_gap if self.certificate else float("nan")

    @property
    def exploitability(self) -> float:
        """`nash_gap` divided by the number of players."""
        return self.certificate.exploitability if self.certificate else float("nan")
