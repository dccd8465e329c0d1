"""Which method and which reduction a game is solved by when the user does not say.

Both are ordered lists. The first entry whose condition holds gives the method, or the reduction,
and ``explain=True`` prints its reason. A method is skipped if it lacks one of the options that were
given. The sizes that they ask for are in `seqform.base.thresholds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from seqform.base import thresholds
from seqform.base.errors import (
    InvalidParameterError,
    NotForThisGameError,
    UnknownNameError,
    UnsupportedGameError,
)
from seqform.base.nearest import hint
from seqform.links.chain import Step, checked, having_thresholds
from seqform.links.link import REDUCTIONS
from seqform.methods.advice import NASH, advice, option_names, refusal, unasked
from seqform.methods.game_method import game_method
from seqform.methods.method import METHODS, Method
from seqform.methods.problem import Problem
from seqform.methods.refine import UNDOMINATED
from seqform.perfect_information.game_methods import game_methods
from seqform.results.asked import DEFAULTS
from seqform.strategies.exploit.locking import Locking

NO_FAMILY = "family=True is for zero-sum games of two players, whose equilibria are one polytope"

SEARCHING = ("gap", "iterations", "checkpoint", "resume", "half")
"""Options that only searches have; `gap` is for polishing too."""

AS_IT_IS = "needs the linear program of the game as it is: use it without abstract=,"
"""What is said of an equilibrium in fractions of a reduced game."""

MANY_PLAYERS = (
    "refine= is for two players, and of more check_sequential_equilibrium judges given strategies "
    "and beliefs"
)
"""What is said of a refined equilibrium of more players."""


NO_GAPS = (
    "there will be no convergence to draw: method {!r} records no gaps; iterative methods do, such "
    "as method='dcfr' or 'pdhg'"
)
"""What is said of a picture that nothing would be on."""


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
        return {name for name, value in self.options.items() if _asks(value)}

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


class MethodRule(NamedTuple):
    """A method that is taken if the condition holds; OWN is the first of the game's own."""

    method: str
    holds: Callable[[Request], bool]
    reason: str


class ReductionRule(NamedTuple):
    """A reduction that is made if the condition holds; None: the game is solved as it is."""

    reduction: str | None
    holds: Callable[[Request], bool]
    reason: str


SEARCH_OF_LARGE = "tuned-dcfr"
"""The method of zero-sum games whose linear program is too large."""

SEARCH_OF_HANDS = "dcfr"
"""The method of large games of hands, in which predictions do harm (benchmarks/holdem.py)."""

OWN = ""
"""In a rule: the first of the game's own methods."""

AUTO_METHOD = (
    MethodRule(
        "dcfr",
        lambda r: r.problem.forgets,
        "merged information sets forget (imperfect recall): regret minimization only",
    ),
    MethodRule(
        SEARCH_OF_HANDS,
        lambda r: "half" in r.given,
        "what is kept in 16 bits are regrets of games of hands",
    ),
    MethodRule(
        "mip",
        lambda r: "optimize" in r.given,
        "a best equilibrium comes from an integer program",
    ),
    MethodRule(
        "enumeration",
        lambda r: "all" in r.given,
        "all equilibria are to be enumerated",
    ),
    MethodRule(
        OWN,
        lambda r: bool(r.own) and not r.prove,
        "the game brings a method of its own",
    ),
    MethodRule(
        "backward",
        lambda r: r.problem.declares_perfect_information and not r.prove,
        "nothing is hidden in this game, so every subgame can be solved",
    ),
    MethodRule(
        "lp",
        lambda r: r.wants_exact and r.problem.is_zero_sum,
        "an exact equilibrium comes from a linear program's basis",
    ),
    MethodRule(
        "backward",
        lambda r: (
            not r.problem.is_zero_sum
            and r.problem.has_perfect_information
            and r.problem.reduction == "none"
        ),
        "nothing is hidden in this game, which is not zero-sum",
    ),
    MethodRule(
        "best-response",
        lambda r: not r.problem.is_zero_sum and len(r.problem.movers) < 2,
        "only one player moves, so a best response is an equilibrium",
    ),
    MethodRule(
        SEARCH_OF_HANDS,
        lambda r: (
            not r.problem.is_zero_sum
            and r.problem.is_of_hands
            and r.problem.num_sequences > thresholds.PIVOT_HANDS_UP_TO
        ),
        "a game of hands whose payoffs add up to different amounts, and too large for pivots: a "
        "search finds plans, and what each player could gain is certified",
    ),
    MethodRule(
        "lcp",
        lambda r: not r.problem.is_zero_sum and r.problem.form.num_players == 2,
        "two players, whose payoffs add up to different amounts",
    ),
    MethodRule(
        "qre",
        lambda r: (
            not r.problem.is_zero_sum
            and r.problem.form.tree is not None
            and (r.problem.num_sequences < thresholds.QRE_UP_TO or bool(r.options.get("exact")))
        ),
        "more than two players: the logit path leads to an equilibrium",
    ),
    MethodRule(
        "pdcfr+",
        lambda r: not r.problem.is_zero_sum,
        "more than two players, and too large or without a tree for the logit path: "
        "regrets find the support",
    ),
    MethodRule(
        SEARCH_OF_HANDS,
        lambda r: r.problem.is_of_hands and r.problem.lp_nonzeros >= thresholds.ITERATE_FROM,
        "a game of hands with so many pairs of them is searched by boards",
    ),
    MethodRule(
        SEARCH_OF_LARGE,
        lambda r: r.problem.lp_nonzeros >= thresholds.ITERATE_FROM,
        f"the linear program would have {thresholds.ITERATE_FROM:,} nonzeros or more",
    ),
    MethodRule(
        "sapdcfr+",
        lambda r: r.searches,
        "options of iterative methods were given",
    ),
    MethodRule("lp", lambda _: True, "the linear program is small"),
)

AUTO_REDUCTION = (
    ReductionRule(
        "equitable",
        lambda r: r.merges_hands,
        "programs are smaller by classes of hands that meet the same, which lose nothing",
    ),
    ReductionRule(
        None,
        lambda r: not r.problem.is_signal_game,
        "classes are looked for without being asked only in two-player signal games",
    ),
    ReductionRule(
        None,
        lambda r: r.runs_own,
        "the game brings a method of its own, which works on the game as it is",
    ),
    ReductionRule(
        None,
        lambda r: r.resumes_whole_game,
        "the checkpoint is of the game as it is",
    ),
    ReductionRule(
        "equitable",
        lambda r: r.resumes,
        "the checkpoint is of these classes",
    ),
    ReductionRule(
        "equitable",
        lambda r: r.problem.is_too_large,
        "the game is too large for a tree, and these classes lose nothing",
    ),
    ReductionRule(
        None,
        lambda r: r.wants_exact,
        "an exact equilibrium needs the linear program of the game as it is",
    ),
    ReductionRule(
        None,
        lambda r: not r.problem.has_symmetries,
        "no cards of the deck can be exchanged, so there is little to merge",
    ),
    ReductionRule(
        "equitable",
        lambda r: r.is_iterative and r.problem.counted_sequences >= thresholds.REDUCE_SEARCH_FROM,
        f"a search among {thresholds.REDUCE_SEARCH_FROM:,} sequences "
        "or more is faster on classes, which lose nothing",
    ),
    ReductionRule(None, lambda r: r.is_iterative, "the game is small"),
    ReductionRule(
        "equitable",
        lambda r: r.problem.counted_nonzeros >= r.reduce_from,
        "the linear program would be large, and is smaller by classes, which lose nothing",
    ),
    ReductionRule(None, lambda _: True, "the game is small"),
)


def validate(request: Request) -> None:
    """Check that the method exists and has the options given, before anything is built.

    Raises
    ------
    InvalidParameterError
        If a name is not text, the method lacks an option, or the options exclude each other.
    """
    if not isinstance(request.method, str):
        raise InvalidParameterError(f"method={request.method!r}: give a name")
    max_nodes = request.problem.max_nodes
    if max_nodes is not None and not (isinstance(max_nodes, (int, Real)) and max_nodes >= 1):
        raise InvalidParameterError(f"max_nodes={max_nodes!r}: use a number from 1 on")
    if request.method == "auto":
        _check_names(request.options)
        return
    method = _named(request)
    make_options(method, request.options)
    takes = method.concept == NASH if request.only_locks else lifts(method)
    if not takes and request.chain:
        raise InvalidParameterError(
            f"method {method.name!r} works on the game as it is: "
            f"leave out {'lock' if request.only_locks else 'abstract'}=, or use method='auto'"
        )


def lifts(method: Method) -> bool:
    """Return whether a method's answers to a smaller game are answers to the game."""
    return method.concept == NASH and method.lifts


class Choice(NamedTuple):
    """A method with its options, and why it was chosen."""

    method: Method
    options: Any
    reason: str


def choose_chain(request: Request) -> tuple[tuple[Step, ...], str]:
    """Return the reductions that a game is solved by, if any, and why.

    Raises
    ------
    UnknownNameError
        If there is no such reduction.
    InvalidParameterError
        If the options exclude each other.
    """
    as_it_is, asked = request.only_locks, bool(request.chain)
    if request.wants_exact and not as_it_is and request.is_reduced:
        raise InvalidParameterError(
            f"refine= {AS_IT_IS} on a smaller game; without refine=, what a reduced game's plans "
            "leave open off the path of play is completed by best replies"
            if request.options.get("refine")
            else f"exact=True {AS_IT_IS} on a smaller game; or use prove=True"
        )
    if request.compares and asked and not as_it_is:
        raise InvalidParameterError(
            "a best equilibrium, or all of them, are looked for in the game as it is: "
            "leave out abstract="
        )
    if request.chain:
        found = (Step(checked(*step), step.threshold) for step in request.chain)
        return tuple(found), "it was asked for"  # each is refused where its game is there
    if request.threshold:
        raise InvalidParameterError(f"threshold= needs abstract=, one of {having_thresholds()}")
    if request.chain is not None:
        return (), "none was asked for"
    is_named = request.method in METHODS
    if request.compares or (is_named and not lifts(METHODS.get(request.method))):
        return (), "the method works on the game as it is"
    rule = next(rule for rule in AUTO_REDUCTION if rule.holds(request))
    if rule.reduction is None:
        return (), rule.reason
    refused = REDUCTIONS.get(rule.reduction).accepts(request.problem.game)
    return ((), refused) if refused else ((Step(rule.reduction),), rule.reason)


def choose_method(request: Request) -> Choice:
    """Return the method that a game is solved by, its options, and why.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    InvalidParameterError
        If it lacks one of the options that were given.
    NotForThisGameError
        If the method does not accept the game, with those that do; or all equilibria of a game that
        is not zero-sum are asked for as a polytope.
    UnsupportedGameError
        If gaps are to be drawn, and the method never records any.
    """
    if request.method != "auto":
        choice = Choice(_named(request), None, "it was asked for")
    else:
        choice = _first(request)
    if request.problem.threads > 1 and not choice.method.parallel:
        raise InvalidParameterError(
            f"threads={request.problem.threads}: method {choice.method.name!r} uses one thread"
        )
    options = make_options(choice.method, {**request.options, **_by_choice(request, choice.method)})
    if request.options.get("family") and not request.problem.is_zero_sum:
        raise NotForThisGameError(NO_FAMILY, "of two players all=True lists the extreme equilibria")
    refused = refusal(choice.method, request.problem)
    if refused and request.options.get("refine") and request.problem.game.num_players > 2:
        refused = f"{refused}; {MANY_PLAYERS}"
    if refused:
        raise NotForThisGameError(
            refused, advice(request.problem, choice.method.name, usual, request.given)
        )
    if request.plot and not choice.method.records:
        raise UnsupportedGameError(NO_GAPS.format(choice.method.name))
    return choice._replace(options=options)


def usual(problem: Problem) -> str | None:
    """Return the method that is taken where neither it nor any option is named."""
    found = _first(Request(problem, "auto", (), 0.0, False, {})).method
    return found.name if refusal(found, problem) is None else None


def _by_choice(request: Request, method: Method) -> dict[str, Any]:
    """Return the options that are chosen with a method; one that was named answers as it is."""
    if request.method != "auto" or request.options.get("polish") is not None:
        return {}
    averages = {"polish", "iterations"} <= option_names(method) and not request.problem.is_zero_sum
    if not averages or request.problem.form.merged:
        return {}
    is_small = request.problem.form.payoffs.num_nonzeros <= thresholds.POLISHED_UP_TO
    return {"polish": True} if is_small else {}


def _named(request: Request) -> Method:
    if request.method in request.own:
        return game_method(request.problem, request.method)
    if request.method not in METHODS:
        raise UnknownNameError.of(
            "method", request.method, ("auto", *METHODS.names(), *request.own)
        )
    return METHODS.get(request.method)


def _first(request: Request) -> Choice:
    """Return the first method of the list that has all options that were given."""
    for rule in AUTO_METHOD:
        # options are compared at once; what holds of a game may need its whole tree
        if _may_take(rule.method, request.given) and rule.holds(request):
            name = rule.method or request.own[0]
            method = game_method(request.problem, name) if rule.method == OWN else METHODS.get(name)
            if request.given <= option_names(method):
                return Choice(method, None, rule.reason)
    raise InvalidParameterError(
        "none of the methods that are for this game has the options "
        f"{', '.join(sorted(request.given))}; {_owners(request.given)}: name one with method="
    )


def _may_take(method: str, given: Set[str]) -> bool:
    """Return whether a method has these options; those of a game's own are not known yet."""
    return not given or method == OWN or given <= option_names(METHODS.get(method))


def make_options(method: Method, given: Mapping[str, Any]) -> Any:
    """Return a method's options from keyword arguments; None stands for a default.

    Raises
    ------
    InvalidParameterError
        If the method has no such option, naming those that have it; or the option is not valid.
    """
    known = option_names(method)
    _check_names(given)
    foreign = sorted(name for name, value in given.items() if name not in known and _asks(value))
    if foreign:
        has = f"it has {', '.join(sorted(known))}" if known else "it has none"
        raise InvalidParameterError(
            f"method {method.name!r} has no option {foreign[0]!r}; {has}; {_owners(foreign)}"
        )
    return method.Options(
        **{name: value for name, value in given.items() if name in known and value is not None}
    )


def _check_names(given: Mapping[str, Any]) -> None:
    """Refuse options that ask for nothing and are of no method: they are misspelled."""
    idle = [name for name, value in given.items() if not _asks(value)]
    for name in idle:
        if not any(name in option_names(method) for method in METHODS.at_hand()):
            raise InvalidParameterError(_owners([name]))


def _asks(value: object) -> bool:
    """Return whether the value of an option asks for something."""
    return not (value is None or value is False or (isinstance(value, str) and value == "auto"))


OF_SOLVE = (*DEFAULTS, "time_limit", "callback", "explain", "plot")
"""Arguments of `solve` itself."""


def _owners(names: Iterable[str]) -> str:
    """Return a sentence: which methods have the options."""
    owners = []
    for name in sorted(names):
        having = [method.name for method in METHODS.at_hand() if name in option_names(method)]
        if having:
            owners.append(f"{name!r} is an option of {', '.join(having)}")
        else:
            every = sorted(
                {option for method in METHODS.at_hand() for option in option_names(method)}
            )
            near = hint(name, (*every, *OF_SOLVE))
            known = f"they have {', '.join(every)}{unasked()}"
            owners.append(f"{name!r} is an option of no method{near}: {known}")
    return "; ".join(owners)
