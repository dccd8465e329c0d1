"""Options of iterative methods."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING

from seqform.base.checkpoint_path import checkpoint_path
from seqform.base.errors import InvalidParameterError
from seqform.base.number import is_float_sized
from seqform.methods.method import option

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm


def check_gap(gap: float | None) -> None:
    """Validate a gap to reach.

    Raises
    ------
    InvalidParameterError
        Unless it is a finite number above 0, or None.
    """
    if gap is not None and not (is_float_sized(gap) and gap > 0):
        raise InvalidParameterError(f"gap={gap!r:.40}: use a number above 0, in the game's unit")


SEARCH_TO = 1e-5
"""The gap, as a share of the payoff scale, at which a search stops by default."""

POLISH_HELP = (
    "Go on to the gap: by quadratic programs, and where the game is not zero-sum on the support "
    "that is found, which is the default there with --method auto, in small games."
)


def check_tolerance(tolerance: object) -> None:
    """Validate the gap, as a share of the payoff scale, that counts as solved.

    Raises
    ------
    InvalidParameterError
        Unless it is a finite number above 0.
    """
    if not (is_float_sized(tolerance) and tolerance > 0):
        raise InvalidParameterError(f"tolerance={tolerance!r:.40}: use a number above 0")


def check_always_exact(exact: object, method: str) -> None:
    """Validate the option `exact` of a method whose equilibria are exact in any case.

    Raises
    ------
    InvalidParameterError
        If it is False.
    """
    if exact is False:
        raise InvalidParameterError(
            f"exact=False: what method {method!r} finds is proven in fractions; leave it out"
        )


@dataclass(frozen=True)
class SearchOptions:
    """When an iterative method stops, and what is kept of it.

    Parameters
    ----------
    gap
        The nash_gap to reach, in the game's unit; by default 1e-5 of the payoff scale, 1e-9 with
        `polish`.
    iterations
        How many at most.
    checkpoint
        A file to save the search to, every minute and when a limit stops it.
    resume
        Whether to go on from that file.
    polish
        Go on to `gap` by quadratic programs on the actions that matter. They start from the average
        of a search that stops at 1e-5 of the payoff scale at the latest, in large games at 1e-7.
        In games that are not two-player zero-sum, where the average alone is a heuristic, on the
        support that it has: by default where the method was chosen, and not where it was named, in
        games that are small.
    half
        Whether regrets and averages are kept in 16 bits, which halves the memory: in games of
        hands, by rules that neither predict nor play at the same time.
    """

    gap: float | None = option(
        None, "The nash_gap to reach, in the game's unit; with lp, for polishing."
    )
    iterations: int | None = option(None, "How many iterations at most.")
    checkpoint: Path | None = option(
        None, "A file to save the search to, every minute and at a limit."
    )
    resume: bool = option(False, "Go on from the checkpoint.")
    polish: bool | None = option(None, POLISH_HELP)
    half: bool = option(False, "Keep regrets and averages of games of hands in 16 bits.")

    def __post_init__(self) -> None:
        path = checkpoint_path(self.checkpoint, self.resume)
        object.__setattr__(self, "checkpoint", path)
        check_gap(self.gap)
        if self.iterations is not None and not (
            isinstance(self.iterations, Real) and self.iterations >= 1
        ):
            raise InvalidParameterError(f"iterations={self.iterations!r}: use 1 or more")

    def aims(self, form: SequenceForm) -> tuple[float, float]:
        """Return the gaps to search to and to reach in the end, as shares of the payoff scale."""
        from seqform.methods.polish import POLISH_TO, polishes_from

        polish = self.polishes(form)
        if self.gap is not None:
            tolerance = float(self.gap) / form.payoff_scale
        else:
            tolerance = POLISH_TO if polish else SEARCH_TO
        return max(tolerance, polishes_from(form)) if polish else tolerance, tolerance

    def polishes(self, form: SequenceForm) -> bool:
        """Return whether an average of this game is to be polished."""
        if self.polish and form.merged:
            raise InvalidParameterError(
                "polish=True would let merged information sets play differently: leave it out"
            )
        return bool(self.polish)
