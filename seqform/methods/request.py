"""Request: what was asked of `solve`, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

from seqform.base import thresholds
from seqform.links.chain import Step
from seqform.methods.problem import Problem
from seqform.methods.refine import UNDOMINATED
from seqform.perfect_information.game_methods import game_methods
from seqform.strategies.exploit.locking import Locking

SEARCHING = ("gap", "iterations", "checkpoint", "resume", "half")
"""Options that only searches have; `gap` is for polishing too."""


@dataclass(frozen=True)
class Request:
    """What was asked of `solve`.

    Parameters
    ----------
    problem
        The game.
    method
        A name, or 'auto'.
    chain
        The reductions that were asked for, one after the other; None for what is chosen here.
    threshold
        Up to what to merge what is alike.
    prove
        Whether an interval is to be proven.
    options
        The keyword arguments that are for the method.
    plot
        Whether the gaps on the way are to be drawn.
    """

    problem: Problem
    method: str
    chain: tuple[Step, ...] | None
    threshold: float
    prove: bool
    options: Mapping[str, Any]
    plot: bool = False

    @property
    def given(self) -> set[str]:
        """Names of options that ask for something."""
        return {name for name, value in self.options.items() if asks(value)}

    @property
    def searches(self) -> bool:
        """Whether options were given that only searches have."""
        searching = {*SEARCHING} - ({"gap"} if self.options.get("polish") else set())
        return bool(self.given & searching)

    @property
    def resumes(self) -> bool:
        """Whether a search is to go on from a checkpoint."""
        return bool(self.options.get("checkpoint") and self.options.get("resume"))

    @property
    def resumes_whole_game(self) -> bool:
        """Whether the checkpoint to go on from is of the game as it is."""
        path = self.options.get("checkpoint")
        if not (self.resumes and isinstance(path, (str, PathLike))):
            return False
        from seqform.solvers.iterative.checkpoint import searched

        reduction, sizes = searched(Path(path))
        if reduction is not None:
            return reduction == "none"
        if sizes is None or not self.problem.is_signal_game:
            return not self.problem.is_too_large
        return bool(sizes == self.problem.counts["sequences_per_player"])

    @property
    def reduce_from(self) -> int:
        """Nonzeros of a linear program from which it is solved by classes."""
        is_inexact = self.options.get("exact") is False
        return thresholds.REDUCE_INEXACT_FROM if is_inexact else thresholds.REDUCE_FROM

    @property
    def is_iterative(self) -> bool:
        """Whether the method asked for, or the options, are those of a search."""
        return self.searches or self.method not in ("auto", "lp")

    @property
    def wants_exact(self) -> bool:
        """Whether an exact equilibrium was asked for, or all of them, or a refined one."""
        return any(self.options.get(name) for name in ("exact", "family", "refine"))

    @property
    def locks(self) -> bool:
        """Whether some behaviour is locked."""
        return any(isinstance(step.reduction, Locking) for step in self.chain or ())

    @property
    def only_locks(self) -> bool:
        """Whether the game is solved as it is, but for what is locked."""
        return self.locks and len(self.chain or ()) == 1

    @property
    def merges_hands(self) -> bool:
        """Whether a game of hands is solved by classes of them: programs are, linear or quadratic.

        Polishing takes the latter, whatever it goes on from; 16 bits are of single hands.
        """
        if self.runs_own or self._is_of_whole or not self.problem.merges_hands:
            return False
        nonzeros = self.problem.lp_nonzeros
        if nonzeros < thresholds.REDUCE_FROM or "half" in self.given:
            return False
        if self.resumes:
            return not self.resumes_whole_game
        if "polish" in self.given or self.is_iterative:
            return "polish" in self.given
        return self.method == "lp" or self.wants_exact or nonzeros < thresholds.ITERATE_FROM

    @property
    def is_reduced(self) -> bool:
        """Whether fractions would be of a smaller game only: it is asked for, or needed."""
        return (bool(self.chain) and not self.lifts_fractions) or self.problem.is_too_large

    @property
    def lifts_fractions(self) -> bool:
        """Whether equilibria in fractions of the smaller game asked for are some of the game."""
        names = [step.name for step in self.chain or ()]
        return names == ["equitable"] and self.problem.merges_hands and not self._is_of_whole

    @property
    def _is_of_whole(self) -> bool:
        """Whether all equilibria are asked for, or trembles, which are proven of the game as it is.

        Random play, against which an undominated plan is best, is the same by classes.
        """
        return "family" in self.given or self.options.get("refine") not in (None, UNDOMINATED)

    @property
    def compares(self) -> bool:
        """Whether equilibria of the game as it is are to be compared: a best one, or all."""
        return bool(self.given & {"optimize", "all"})

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The names of the game's own methods."""
        return tuple(game_methods(self.problem.game))

    @property
    def runs_own(self) -> bool:
        """Whether the game is to be solved by a method that it brings along."""
        if self.method == "auto":
            return bool(self.own) and not self.prove and not self.given
        return self.method in self.own


def asks(value: object) -> bool:
    """Return whether the value of an option asks for something."""
    return not (value is None or value is False or (isinstance(value, str) and value == "auto"))
