"""Which method and which reductions a game is solved by: those asked for, else automatic ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from numbers import Real
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
from seqform.methods.automatic import AUTO_METHOD, AUTO_REDUCTION, OWN
from seqform.methods.game_method import game_method
from seqform.methods.method import METHODS, Method
from seqform.methods.problem import Problem
from seqform.methods.request import Request, asks
from seqform.results.asked import DEFAULTS

NO_FAMILY = "family=True is for zero-sum games of two players, whose equilibria are one polytope"

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
    foreign = sorted(name for name, value in given.items() if name not in known and asks(value))
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
    idle = [name for name, value in given.items() if not asks(value)]
    for name in idle:
        if not any(name in option_names(method) for method in METHODS.at_hand()):
            raise InvalidParameterError(_owners([name]))


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
