"""Method: what a user names to have a game solved, its options, and what it returns.

A method is one file beside this one (a file may hold several of one kind), and one line of
pyproject.toml under ``seqform.methods``. Its options are a frozen dataclass. `solve` makes it from
keyword arguments, and the command line makes flags of its fields. Both reject an option that is not
among them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.registry import Registry

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.results.logit_path import LogitPoint
    from seqform.results.solution import Solution
    from seqform.results.status import Status
    from seqform.solvers.iterative.search import Look


class Prover(Protocol):
    """What a method knows of an answer, and what it can prove from that."""

    def prove(self, solution: Solution) -> Solution:
        """Return a certified solution with what is proven of it; as it is where nothing can be.

        A proof that was asked for and is not found leaves the solution at its limit.
        """


@dataclass(frozen=True, eq=False)
class Answer:
    """What a method returns: an answer of its concept, or the reason why it found no answer.

    Parameters
    ----------
    game
        The game of the answer in the form that the method's concept certifies: a sequence form, or
        rules.
    found
        The answer that the method's concept certifies, such as a `Profile`; None if nothing was
        found.
    engine
        The method, and what ran it: ``lp/highs/simplex``.
    tolerance
        The gap asked for, as a share of the game's payoff scale.
    status
        LIMIT or FAILED; None where the certificate decides between SOLVED and INACCURATE.
    message
        What the engine says, for people.
    iterations
        Of the engine.
    history
        The gaps that an iterative engine claimed on its way.
    path
        The logit equilibria at several lambdas, where these were asked for.
    sizes
        Sizes of the problem that the engine solved: counts by name. Those of a linear program are
        ``solver_rows``, ``solver_columns`` and ``solver_nonzeros`` (`LPSize.of_solver`).
    stands
        Whether `status` stands whatever the certificate says: more was asked for than an
        equilibrium.
    finish
        Of methods that were written before there was `prover`: what its `prove` does.
    prover
        What the method knows of its answer, such as a basis, from which more is proven once the
        answer is certified; None if nothing is.
    """

    game: Any
    found: Any | None
    engine: str
    tolerance: float
    status: Status | None = None
    message: str = ""
    iterations: int = 0
    history: tuple[Look, ...] = ()
    path: tuple[LogitPoint, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    stands: bool = False
    finish: Callable[[Solution], Solution] | None = None
    prover: Prover | None = None

    @property
    def proving(self) -> Callable[[Solution], Solution] | None:
        """What proves more of the certified answer, if anything does."""
        return self.finish if self.prover is None else self.prover.prove


class Method(Protocol):
    """A way to solve games.

    A method says its name, summary, concept and options, and has `accepts` and `run`. The other
    members have defaults, which a method inherits from here. One that does not inherit them, such
    as those that were written before there were some, gets them when it is loaded.
    """

    name: str
    """What users call it."""

    summary: str
    """One line for people."""

    concept: str
    """The name of the solution concept of its answers."""

    Options: type
    """A frozen dataclass with defaults; see `option` for its fields."""

    parallel: bool = False
    """Whether it can use several threads."""

    lifts: bool = True
    """Whether profiles that it finds in a smaller game are answers to the game. Not those of a
    method that compares equilibria of the game as it is."""

    records: bool = True
    """Whether it may record gaps on its way (`Answer.history`). A picture of them is refused before
    a method runs that never does."""

    forgets: bool = False
    """Whether it can let merged information sets play alike (`SequenceForm.merged`)."""

    @abstractmethod
    def accepts(self, problem: Problem) -> str | None:
        """Return None if the method can solve this game; else why not.

        `solve` adds which methods accept it.
        """

    @abstractmethod
    def run(self, problem: Problem, options: Any, clock: Clock) -> Answer:
        """Search for an answer within the limits of a clock, and time its phases by it."""

    def need(self, form: SequenceForm) -> Need | None:
        """Return how much memory it takes for a game; None if that is little whatever the game."""
        return None

    def compile_ahead(self) -> None:
        """Begin to compile loops that take long to compile, and return at once."""
        return


METHODS: Registry[Method] = Registry("seqform.methods", "method", Method)


def without_denied_defaults(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of `solve` without options that are False, as they are by default, too.

    The command line has no word for them.
    """
    return {name: value for name, value in asked.items() if value is not False or name in _denied()}


@cache
def _denied() -> frozenset[str]:
    """Return the options of methods that can be denied: those that are neither by default."""
    return frozenset(
        each.name
        for method in METHODS.at_hand()
        for each in fields(method.Options)
        if each.default is None
    )


def option(default: Any, words: str, flag: str = "") -> Any:
    """Return a field of a method's options, with its text in `--help`, and maybe a second flag.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     depth: int | None = option(None, "look so many moves deep")
    >>> Options().depth is None
    True
    """
    return field(default=default, metadata={"help": words, "flag": flag})
