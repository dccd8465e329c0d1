"""RecursiveSolution: stationary strategies of a recursive game, and what they prove."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.number import amount, decimal, fraction_text, plain
from seqform.base.summary import Rows, Summarized, counted
from seqform.game.recursive import StagesKind
from seqform.recursive.graph import StageGraph
from seqform.recursive.proof import RecursiveProof
from seqform.recursive.stationary import StationaryProfile
from seqform.results.solution import Run
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.strategies.show.brief import Brief
    from seqform.strategies.show.table_text import Table

DIGITS = 12
"""Of bounds in tables, rounded outwards."""


@dataclass(frozen=True, eq=False, repr=False)
class RecursiveSolution(StagesKind, Summarized):
    """The answer to a recursive game.

    Parameters
    ----------
    profile
        What everybody does; the plans of `proof` rounded to floats.
    proof
        What the plans prove: a bracket for every position, or every player's gain.
    status
        How the search ended.
    method
        What ran.
    tolerance
        The width of brackets, in the game's unit, up to which the status is SOLVED.
    run
        The facts of the run.
    """

    profile: StationaryProfile
    proof: RecursiveProof
    status: Status
    method: str
    tolerance: float
    run: Run = field(default_factory=Run)

    @property
    def graph(self) -> StageGraph:
        """The stages."""
        return self.profile.graph

    @property
    def unit(self) -> str:
        """What payoffs are counted in."""
        return self.graph.unit

    @property
    def width(self) -> Fraction:
        """The widest bracket of any position, or the largest gain."""
        return self.proof.width

    @property
    def lower(self) -> Fraction:
        """What seat 0 of the first stage is guaranteed, or gets at least."""
        return self.proof.lower[0][0]

    @property
    def upper(self) -> Fraction:
        """The most that seat 0 of the first stage gets against the others' strategies."""
        return self.proof.upper[0][0]

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """The most that each player gains by any deviation in the whole game, from the start."""
        return self.proof.gains

    @property
    def gain(self) -> Fraction:
        """The most that any player gains by a deviation, from the first stage on."""
        return max(self.gains)

    @property
    def share_of_fee(self) -> str | None:
        """That gain in percent of the entry fee, rounded up; None where the game has no fee."""
        fee = getattr(self.graph.game, "entry_fee", None)
        if not fee:
            return None
        return decimal(100 * self.gain / Fraction(fee), 3, ROUND_CEILING)

    def number(self, key: Hashable) -> int:
        """Return the number of the stage of a key, or of one that is written so.

        Raises
        ------
        UnknownNameError
            If there is none, or if who sits where matters and there are several.
        """
        return self.graph.number(key)

    def bracket(self, key: Hashable = None, seat: int = 0) -> tuple[Fraction, Fraction]:
        """Return the proven bounds of a position; by default of seat 0 of the first stage."""
        stage = 0 if key is None else self.number(key)
        return self.proof.lower[stage][seat], self.proof.upper[stage][seat]

    def stage(self, key: Hashable = None) -> Any:
        """Return a stage as a solution of its own, each lead worth the middle of its bracket.

        It can be shown, drawn, played and saved as any `Solution`.
        """
        return self.stage_at(0 if key is None else self.number(key))

    def stage_at(self, number: int) -> Any:
        """Return the stage of a number as a solution of its own; see `stage`."""
        from seqform.recursive.stage_solution import stage_solution

        return stage_solution(self, number)

    @cached_property
    def _labels(self) -> list[str]:
        return [self.graph.label(stage) for stage in range(len(self.graph.stages))]

    def summary(self) -> Rows:
        """Return the rows."""
        return self.rows()

    def rows(self) -> Rows:
        """Return what is known, the most important first."""
        found = self._bracket_rows() if self.proof.is_zero_sum else self._gain_rows()
        remark = [("remark", self.run.message)] if self.run.message else []
        return [
            ("first stage", self._labels[0]),
            *found,
            *remark,
            ("by case", "; ".join(case.value for case in self.proof.cases)),
            ("status", self.status.value),
            ("method", f"{self.method}, {counted(self.run.iterations, 'iteration')}"),
        ]

    def _bracket_rows(self) -> Rows:
        """Return the value of the first stage, and how wide brackets are anywhere."""
        low, high = self.outwards(0, 0)
        widest = amount(decimal(self.width, 3, ROUND_CEILING), self.unit)
        stages = counted(len(self.graph.stages), "stage")
        sure = f"proven in integers, in every one of {stages}: no bracket is wider than {widest}"
        return [("value to seat 0", f"in [{low}, {high}] {self.unit}"), ("certainty", sure)]

    def _gain_rows(self) -> Rows:
        """Return what the first stage is worth to everybody, and what deviations gain."""
        rows = []
        for seat, gain in enumerate(self.gains):
            low = decimal(self.proof.lower[0][seat], DIGITS, ROUND_FLOOR)
            more = decimal(gain, 3, ROUND_CEILING)
            text = f"at least {amount(low, self.unit)}, and by a deviation at most {more} more"
            rows.append((f"worth to seat {seat}", text))
        most = amount(decimal(self.gain, 3, ROUND_CEILING), self.unit)
        share = self.share_of_fee
        of_fee = "" if share is None else f", {share}% of the entry fee"
        anywhere = amount(decimal(self.width, 3, ROUND_CEILING), self.unit)
        stages = counted(len(self.graph.stages), "stage")
        gained = f"by no deviation anybody gains more than {most} from the first stage on{of_fee}"
        sure = f"proven in integers: {gained}; nor more than {anywhere} from any of {stages} on"
        return [*rows, ("certainty", sure), ("equilibrium", self._as_asked())]

    def _as_asked(self) -> str:
        """Say whether the strategies are an equilibrium, as near as was asked for."""
        asked = amount(f"{self.tolerance:.3g}", self.unit)
        if self.width <= self.tolerance:
            return f"proven, within {asked} at every position"
        return f"not proven within {asked}, as was asked for"

    def brief(self, name: str = "", parameters: Any = None, saved: str = "") -> Brief:
        """Return the short answer that ``seqform solve`` prints.

        Parameters
        ----------
        name, parameters
            The game's, for commands; without a name, what is next are calls.
        saved
            The folder that the solution is saved in, if it is.
        """
        from seqform.recursive.shown import brief_of_stages

        return brief_of_stages(self, name, parameters, saved)

    def table(self) -> Table:
        """Return a row for each stage with its bounds."""
        return self.proof.table()

    def __repr__(self) -> str:
        """Return the short answer."""
        return self.brief().text

    def outwards(self, stage: int, seat: int, digits: int = DIGITS) -> tuple[str, str]:
        """Return the bounds of a position as decimals, rounded outwards."""
        low, high = self.proof.lower[stage][seat], self.proof.upper[stage][seat]
        return decimal(low, digits, ROUND_FLOOR), decimal(high, digits, ROUND_CEILING)

    def record(self, name: str = "", parameters: Any = None) -> dict[str, Any]:
        """Return all that is known as JSON values; fractions are text."""
        return {
            "kind": "recursive",
            "game": name,
            "parameters": dict(parameters or {}),
            "status": self.status.name.lower(),
            "method": self.method,
            "unit": self.unit,
            "tolerance": self.tolerance,
            "is_zero_sum": self.proof.is_zero_sum,
            "lower": fraction_text(self.lower),
            "upper": fraction_text(self.upper),
            "width": fraction_text(self.width),
            "gains": [fraction_text(gain) for gain in self.gains],
            "percent_of_entry_fee": self.share_of_fee,
            "cases": [bound.case.name.lower() for bound in self.proof.bounds],
            "iterations": self.run.iterations,
            "message": self.run.message,
            "seconds": self.run.seconds,
            "stages": [
                {
                    "stage": plain(stage.key),
                    "label": label,
                    "lower": [fraction_text(number) for number in low],
                    "upper": [fraction_text(number) for number in high],
                }
                for stage, label, low, high in zip(
                    self.graph.stages,
                    self._labels,
                    self.proof.lower,
                    self.proof.upper,
                    strict=True,
                )
            ],
        }

    def save(self, folder: Path | str, name: str = "", parameters: Any = None) -> None:
        """Write the solution to a folder; `seqform.load` and `verify` prove it again.

        Raises
        ------
        ResultFileError
            If the folder cannot be written, or holds files that are not a saved result.
        """
        from seqform.recursive.saving import save

        save(self, Path(folder), name, parameters)
