"""Solution: an answer, what it pays, and the certificate that proves how good it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from seqform.base.errors import (
    InvalidParameterError,
    InvalidStrategyError,
    SeqformError,
    UnknownNameError,
    UnsupportedGameError,
    VerificationError,
)
from seqform.base.number import Number
from seqform.base.pictures import PICTURES
from seqform.base.summary import Rows, Summarized
from seqform.concepts.concept import Certificate, Given, given
from seqform.exact.proof import of_kind
from seqform.game import needs
from seqform.game.kinds import is_form, is_profile, is_signal_game
from seqform.results.record import record
from seqform.results.rows import rows
from seqform.results.short import short_rows
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.exact.extreme_equilibria import Equilibria
    from seqform.exact.optimum import Optimum
    from seqform.exact.plan_proof import Bracket, ExactEquilibrium
    from seqform.exact.proof import Proof
    from seqform.exact.trembles import Refinement
    from seqform.form.hand_lock import HandLock
    from seqform.form.keeping import Kept
    from seqform.form.local_strategy import LocalStrategy
    from seqform.form.lock import Lock
    from seqform.form.profile import Profile
    from seqform.results.logit_path import LogitPoint
    from seqform.results.off_path import OffPath
    from seqform.solvers.iterative.search import Look
    from seqform.solvers.linear.equilibrium_family import Family


@dataclass(frozen=True)
class Run:
    """The facts of the run that found an answer.

    Parameters
    ----------
    message
        What the solver or engine says.
    seconds
        Wall-clock seconds by phase: build, solve, certify, ...
    sizes
        Counts by name. `nodes`, `infosets`, `sequences`, and `lp_rows`, `lp_columns`, `lp_nonzeros`
        of the linear program if there is one, are of the game as it was given. `solver_rows`,
        `solver_columns` and `solver_nonzeros` are of the program that a solver was given, which may
        be of a smaller game, folded or sparsified.
    iterations
        Of the engine.
    history
        The gaps that an iterative engine claimed on its way, in the game's unit, beside iterations
        and seconds.
    path
        The logit equilibria at several lambdas, where these were asked for.
    reasons
        Which reduction and method were chosen, and why: one line each.
    max_nodes
        The largest tree to build of the game.
    asked
        The arguments of `solve` that were not its defaults, as JSON values; None if they are not
        known, as of results of earlier versions.
    """

    message: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    iterations: int = 0
    history: tuple[Look, ...] = ()
    path: tuple[LogitPoint, ...] = ()
    reasons: tuple[str, ...] = ()
    max_nodes: int | None = None
    asked: dict[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Smaller:
    """What a reduction had to do with a solution.

    Parameters
    ----------
    reduction
        Its name.
    solution
        That of the smaller game, certified there; None if it was not kept.
    lock
        What was locked; None where nothing was.
    """

    reduction: str
    solution: Solution | None = None
    lock: Lock | HandLock | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Summarized):
    """The answer to a solve.

    Parameters
    ----------
    game
        The game in the form that was solved: a sequence form; rules or a tree for perfect
        information.
    status
        How the solve ended.
    method
        The method, and what ran it: ``lp/highs/simplex``.
    answer
        An answer of the concept, such as a `Profile`; None if nothing was found.
    certificate
        What is proven of the answer, in the game's unit; None without an answer.
    tolerance
        The gap, as a share of the payoff scale, up to which the status is SOLVED.
    concept
        The name of the solution concept.
    run
        The facts of the run. Those of the smaller game are in ``abstract.run``.
    proofs
        What is proven beyond the certificate, each of a kind of its own (`seqform.exact.proof`);
        `exact`, `bracket`, `family`, `equilibria`, `optimum` and `refinement` look here.
    off_path
        What was added to the plans of a profile where they never come; None if nothing was.
    smaller
        The smaller game that was solved in place of this one; None without one.
    source
        The game that was given to `solve`.

    Raises
    ------
    VerificationError
        If a proof is of another game.
    """

    game: Any
    status: Status
    method: str
    answer: Any | None
    certificate: Certificate | None
    run: Run = Run()
    tolerance: float = 1e-6
    concept: str = "nash"
    proofs: tuple[Proof, ...] = ()
    off_path: OffPath | None = None
    smaller: Smaller | None = None
    source: Any = None

    def __post_init__(self) -> None:
        if any(proof.game is not self.game for proof in self.proofs):
            raise VerificationError(
                "a proof is of the game that it was made for, and this solution is of another: "
                "leave them out, and use prove=True to prove an interval"
            )

    def proven(self, kind: str) -> Any | None:
        """Return the proof of a kind; None if nothing of that kind is proven."""
        return of_kind(self.proofs, kind)

    def proving(self, *proofs: Proof) -> Solution:
        """Return the solution with proofs, in place of those of their kinds."""
        kinds = {proof.kind for proof in proofs}
        kept = (proof for proof in self.proofs if proof.kind not in kinds)
        return replace(self, proofs=(*kept, *proofs))

    def saying(self, words: object) -> Solution:
        """Return the solution with words added to its message."""
        return replace(self, run=replace(self.run, message=f"{self.message}; {words}"))

    @property
    def exact(self) -> ExactEquilibrium | None:
        """The equilibrium in fractions, where one was found and proven."""
        return self.proven("exact")

    @property
    def bracket(self) -> Bracket | None:
        """What the plans prove in exact arithmetic.

        It is there where it was asked for, or no equilibrium in fractions was found: an interval
        for the value of a constant-sum game, else gains.
        """
        return self.proven("bracket")

    @property
    def family(self) -> Family | None:
        """All equilibria of a zero-sum game, where they were asked for."""
        return self.proven("family")

    @property
    def equilibria(self) -> Equilibria | None:
        """All extreme equilibria of a two-player game, where they were asked for."""
        return self.proven("equilibria")

    @property
    def optimum(self) -> Optimum | None:
        """What the equilibrium is worth where a best one was asked for."""
        return self.proven("optimum")

    @property
    def refinement(self) -> Refinement | None:
        """The refined equilibrium that the answer is, where one was asked for and proven."""
        return self.proven("refinement")

    @property
    def reduction(self) -> str | None:
        """The name of the reduction that was used; None without one."""
        return self.smaller.reduction if self.smaller else None

    @property
    def abstract(self) -> Solution | None:
        """The solution of the smaller game; None without one."""
        return self.smaller.solution if self.smaller else None

    @property
    def lock(self) -> Lock | HandLock | None:
        """What was locked; None where nothing was."""
        return self.smaller.lock if self.smaller else None

    @property
    def reductions(self) -> tuple[str, ...]:
        """The names of all reductions that were used, one after the other."""
        if self.smaller is None:
            return ()
        further = self.abstract.reductions if self.abstract else ()
        return (self.smaller.reduction, *further)

    @property
    def message(self) -> str:
        """What the solver or engine says."""
        return self.run.message

    @property
    def seconds(self) -> dict[str, float]:
        """Wall-clock seconds by phase: build, solve, certify, ..."""
        return self.run.seconds

    @property
    def sizes(self) -> dict[str, int]:
        """Counts by name; see `Run`."""
        return self.run.sizes

    @property
    def iterations(self) -> int:
        """Iterations of the engine."""
        return self.run.iterations

    @property
    def history(self) -> tuple[Look, ...]:
        """The gaps that an iterative engine claimed on its way."""
        return self.run.history

    @property
    def path(self) -> tuple[LogitPoint, ...]:
        """The logit equilibria at the lambdas that were asked for, if there are several."""
        return self.run.path

    @property
    def reasons(self) -> tuple[str, ...]:
        """Which reduction and method were chosen, and why: one line each."""
        return self.run.reasons

    @property
    def max_nodes(self) -> int | None:
        """The largest tree to build of the game."""
        return self.run.max_nodes

    @property
    def asked(self) -> dict[str, Any] | None:
        """The arguments of `solve` that were not its defaults; None if they are not known."""
        return self.run.asked

    @cached_property
    def profile(self) -> Profile | None:
        """The answer, where it is a strategy profile of a sequence form."""
        found: Any = self.answer
        if not is_profile(found):
            return None
        return cast("Profile", found.of(self.game))

    @property
    def given(self) -> Given:
        """What the certificate gives beyond values and gap."""
        return given(self.certificate)

    @property
    def locked(self) -> Solution | None:
        """The solution of the locked game, certified there; None where nothing was locked."""
        return self.abstract if self.lock is not None else None

    @property
    def unit(self) -> str:
        """What payoffs are counted in."""
        return str(getattr(self.game, "unit", "units"))

    @property
    def proof(self) -> str | None:
        """What is proven in exact arithmetic.

        'exact': an equilibrium; 'bracketed': an interval for the value; 'bounded': gains.
        """
        proven = self.exact or self.bracket
        return proven.proof if proven else None

    @property
    def values(self) -> tuple[Number, ...]:
        """What the answer pays each player; NaN without an answer."""
        if self.certificate is None:
            return (float("nan"),) * int(self.game.num_players)
        return tuple(self.certificate.values)

    @property
    def value(self) -> Number:
        """Player 0's payoff in a two-player zero-sum (or constant-sum) game.

        Raises
        ------
        UnsupportedGameError
            In any other game: `values` has a number for each player.
        """
        if not self.is_constant_sum:
            raise UnsupportedGameError(
                "a game has one value if it is zero-sum (or constant-sum) and for two players; "
                "this one is not known to be: use values, one number for each player"
            )
        return self.values[0]

    @property
    def is_constant_sum(self) -> bool:
        """Whether the game is known to be for two players whose payoffs sum to a constant."""
        if is_form(self.game):
            return needs.is_zero_sum(self.game)
        return self.given.is_constant_sum

    @property
    def lower(self) -> float:
        """What player 0's plan guarantees; NaN where nothing is proven."""
        return self.given.lower

    @property
    def upper(self) -> float:
        """The most that player 0 can get against player 1's plan; NaN where nothing is proven."""
        return self.given.upper

    @property
    def gap(self) -> float:
        """Upper bound on the answer's distance from its concept, in the game's unit.

        NaN without an answer.
        """
        return self.certificate.gap if self.certificate else float("nan")

    @property
    def is_optimized(self) -> bool:
        """Whether there is an answer with an objective, and a bound on it or a proof of its own."""
        return self.optimum is not None or self.given.bound is not None

    @property
    def nash_gap(self) -> float:
        """The sum of all players' gains from a best response."""
        return self.given.nash_gap

    @property
    def exploitability(self) -> float:
        """`nash_gap` divided by the number of players."""
        return self.given.exploitability

    @property
    def strategy(self) -> Kept:
        """The profile of a game of cards, by those that players see.

        Raises
        ------
        UnsupportedGameError
            If the game deals no cards.
        InvalidParameterError
            If there is no profile.
        """
        from seqform.form.keepers import keeping_of
        from seqform.form.signal_strategy import SignalStrategy, strategy_of
        from seqform.game.observations import SignalStructure

        if self.profile is None:
            raise InvalidParameterError(f"there is no profile to ask: {self.status.value}")
        if is_signal_game(self.source) and self.game.signals is None:
            structure = SignalStructure(self.source)  # its tree has the same numbers
            return SignalStrategy(structure, structure.identity, self.profile.behaviors)
        keeping = keeping_of(self.game)
        of = strategy_of if keeping is None else keeping.of
        return of(self.game, self.profile)

    def ask(self, cards: str | Sequence[str], history: str = "") -> LocalStrategy:
        """Return the probability of each action in a situation.

        The `reach` of what is returned is the probability with which the player's own actions lead
        there. Where it is 0 the probabilities were added to the answer
        (docs/explanation/off-path.md).

        Parameters
        ----------
        cards
            What the player to act has seen, in the order in which it was dealt: ``"Ks 7h"``. A rank
            such as ``"K"`` stands for all its suits, and gives the mean over them.
        history
            The actions so far, such as ``"check-bet-call/check"``; a slash stands for a deal.
            Of games that deal no cards, the two are the parts of the name of an information set, or
            of a pattern (`seqform.form.patterns`).

        Raises
        ------
        InvalidParameterError
            If nobody acts after that history, or the cards cannot be what that player has seen.
        UnknownNameError
            If no information set is called so, or those of several players are.
        """
        try:
            strategy = self.strategy
        except UnsupportedGameError:
            if self.profile is None:
                raise
            return _named(self.profile, self.game, cards, history)
        return strategy.ask(cards, history)

    def to_frame(self) -> Any:
        """Return what is played as a `pandas.DataFrame`: a row for each action of each player.

        The columns are those of `seqform.strategies.analysis.StrategyAnalysis.rows`: the names of
        player, information set and action, probability, reach, values, regrets. Of a correlated
        answer probabilities are those of recommendations, and there are no values.

        Raises
        ------
        SolverError
            If pandas is not installed.
        UnsupportedGameError
            If there is no strategy.
        """
        from seqform.base.frame import frame_of

        return frame_of(PICTURES.get("rows")(self))

    def save_frame(self, path: Path | str) -> None:
        """Write the rows of `to_frame` to a table .csv; pandas is not needed.

        Raises
        ------
        ResultFileError
            If the file cannot be written.
        UnsupportedGameError
            If there is no strategy.
        """
        from seqform.base.frame import save_rows

        listed = PICTURES.get("rows")(self)
        save_rows(listed.columns, listed.rows(as_text=True), path)

    def plot(self, by: str = "iterations") -> Any:
        """Return how the gap fell, as a figure of matplotlib, for any game.

        ``solution.plot().savefig("gap.pdf")`` writes it. See
        `seqform.drawing.convergence.draw_convergence`.

        Parameters
        ----------
        by
            'iterations' or 'seconds'.

        Raises
        ------
        UnsupportedGameError
            If the method records no gaps, as linear programs do not.
        UnknownNameError
            If gaps cannot be drawn by that.
        """
        return PICTURES.get("convergence")(self, by)

    def save(self, folder: Path | str, name: str = "", parameters: Any = None) -> None:
        """Write the solution to a folder, from which `seqform.load` and `seqform verify` take it.

        Parameters
        ----------
        folder
            Is created if it does not exist. Only an earlier result in it is replaced.
        name, parameters
            The game's name and parameters, as `make` takes them. A game too large for a tree is
            loaded by these. Of one that is too large to be kept, only the claims are written, which
            nobody can verify.

        Raises
        ------
        ResultFileError
            If the folder cannot be written, or holds files that are not a saved result.
        """
        from seqform.results.saving import save

        save(self, Path(folder), name, parameters)

    def rows(self) -> Rows:
        """Return what is known for people: name and text of each row of a table."""
        return rows(self)

    def record(self, name: str = "", parameters: Any = None) -> dict[str, Any]:
        """Return what is known as JSON values."""
        return record(self, name, parameters)

    def __repr__(self) -> str:
        """Return the short answer: worth, certainty, time, and what is played."""
        return str(PICTURES.get("brief")(self))

    def _repr_html_(self) -> str:
        """Return what is known, and what is played where that is short, for notebooks."""
        try:
            return str(PICTURES.get("solution")(self))
        except SeqformError:  # there is nothing that tables could show
            return super()._repr_html_()

    def summary(self) -> Rows:
        """Return worth, certainty and time; `rows` has all that is known."""
        return short_rows(self)


def _named(profile: Profile, form: Any, cards: str | Sequence[str], history: str) -> LocalStrategy:
    """Return what is done in the information sets of a name, for `Solution.ask`."""
    from seqform.form.patterns import asked, name_of

    name = name_of(cards, history)
    try:
        found = asked(form, name, range(form.num_players))
    except InvalidStrategyError as error:
        raise UnknownNameError(str(error)) from None
    if len(found) > 1:
        players = " and ".join(map(form.player_text, found))
        raise UnknownNameError(
            f"{name!r} matches information sets of {players}: ask profile[player, {name!r}]"
        )
    (player,) = found
    return cast("LocalStrategy", profile[player, name])
