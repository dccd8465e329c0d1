"""Method: what a user names to have a game solved, its options, and what it returns.

A method is one file beside this one (a file may hold several of one kind), and one line of
pyproject.toml under ``seqform.methods``. Its options are a frozen dataclass. `solve` makes it from
keyword arguments, and the command line makes flags of its fields. Both reject an option that is not
among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from seqform.base.registry import Registry

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.methods.problem import Problem
    from seqform.results.solution import Solution, Status
    from seqform.solvers.iterative.search import Look


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
    sizes
        Sizes of the problem that the engine solved: counts by name. Those of a linear program are
        ``solver_rows``, ``solver_columns`` and ``solver_nonzeros`` (`LPSize.of_solver`).
    stands
        Whether `status` stands whatever the certificate says: more was asked for than an
        equilibrium.
    finish
        Proves more once the answer is certified: takes the solution and returns it with the proof.
    """

    game: Any
    found: Any | None
    engine: str
    tolerance: float
    status: Status | None = None
    message: str = ""
    iterations: int = 0
    history: tuple[Look, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    stands: bool = False
    finish: Callable[[Solution], Solution] | None = None


class Method(Protocol):
    """A way to solve games.

    A method that can use several threads has an attribute ``parallel`` that is true. One that
    compares equilibria of the game as it is has an attribute ``lifts`` that is false. One that can
    let merged information sets play alike (`SequenceForm.merged`) has ``forgets`` true. One whose
    loops take long to compile may have ``compile_ahead()``, which begins that and returns at once.
    One whose memory depends on the game says how much it takes by ``need(form)``, a
    `seqform.base.need.Need`.
    """

    @property
    def name(self) -> str:
        """What users call it."""

    @property
    def summary(self) -> str:
        """One line for people."""

    @property
    def concept(self) -> str:
        """The name of the solution concept of its answers."""

    @property
    def Options(self) -> type:  # noqa: N802 (it is a class)
        """A frozen dataclass with defaults; see `option` for its fields."""

    def accepts(self, problem: Problem) -> str | None:
        """Return None if the method can solve this game; else why not.

        `solve` adds which methods accept it.
        """

    def run(self, problem: Problem, options: Any, clock: Clock) -> Answer:
        """Search for an answer within the limits of a clock, and time its phases by it."""


METHODS: Registry[Method] = Registry("seqform.methods", "method")


def option(default: Any, words: str) -> Any:
    """Return a field of a method's options, with its text in `--help`.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     depth: int | None = option(None, "look so many moves deep")
    >>> Options().depth is None
    True
    """
    return field(default=default, metadata={"help": words})
