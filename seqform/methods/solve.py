"""solve: from a game to a certified answer, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from seqform.base.clock import Clock
from seqform.base.deadline import For, on_time, overtime, time_limited
from seqform.base.errors import NotForThisGameError, OutOfTimeError
from seqform.base.interrupt import First, Interrupt
from seqform.game.recursive import is_recursive
from seqform.links.chain import Abstract, Step, chain_of
from seqform.methods.advice import NASH, advice
from seqform.methods.certified import certified, uncertified
from seqform.methods.choose import Choice, choose_chain, choose_method, usual, validate
from seqform.methods.complete import completed
from seqform.methods.forecast import certificate_seconds
from seqform.methods.lifting import Lifting, copies_plans, of_larger, reduced, reduction_names
from seqform.methods.method import METHODS, Answer, without_denied_defaults
from seqform.methods.problem import Problem
from seqform.methods.proven import check_provable, with_copied_proof, with_proofs
from seqform.methods.request import Request
from seqform.results.asked import asked_of
from seqform.results.solution import Solution
from seqform.strategies.exploit.locking import Locking

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.range_lock import RangeLock
    from seqform.strategies.exploit.lock import LockGiven
    from seqform.tree.from_any import AnyGame


def solve(
    game: AnyGame | SequenceForm,
    *,
    method: str = "auto",
    abstract: Abstract = "auto",
    threshold: float = 0.0,
    prove: bool = False,
    time_limit: float | None = None,
    threads: int = 1,
    max_nodes: int | None = None,
    callback: Callable[[Any], None] | None = None,
    explain: bool = False,
    plot: bool = False,
    lock: LockGiven | None = None,
    **options: Any,
) -> Solution:
    """Compute an equilibrium of a game and certify it.

    Parameters
    ----------
    game
        Rules, tree, signal game or sequence form. Of a recursive game a `RecursiveSolution` is
        returned, by methods of its own: see `seqform.solve_recursive` for two players whose payoffs
        add up to a constant, and `seqform.search_recursive` for all others.
    method
        The name of a method. 'lp' is the sequence-form linear program. For two players and any
        payoffs there are 'lcp' (complementary pivots), 'mip' (a best equilibrium), 'enumeration'
        (all extreme ones), and the correlated equilibria 'efce', 'efcce' and 'nfcce'. 'dcfr',
        'hs-dcfr', 'tuned-dcfr', 'cfr', 'cfr+', 'linear-cfr', 'pcfr+', 'pdcfr+', 'sapcfr+',
        'sapdcfr+' and 'pdhg' are iterative methods. 'qre' is for any players and payoffs.
        'backward', 'minimax' and 'alphabeta' are for perfect information, and 'best-response' is
        for one player. A game may bring its own methods, and other packages can add some. 'auto'
        chooses by the game's size and the options (seqform/methods/automatic.py).
    abstract
        A reduction or its name, or several: each is applied to the game that the one before made.
        The smallest game is solved, and the answer lifted. Of several, each may be a pair with its
        threshold, and 'lock' says where `lock` belongs. 'auto' takes classes that lose nothing
        where they save time; None or 'none' solves the game as it is.
    threshold
        For reductions that take one: merge what is alike up to this much.
    prove
        Prove an interval for the value, or the players' gains where the game is not constant-sum,
        in exact arithmetic and in the whole game. All payoffs must be int or Fraction.
    time_limit
        Seconds for the whole call. The method stops early enough for certifying and lifting, by an
        estimate; they may end later by half a second and a tenth of the limit. In the main thread
        an alarm ends whatever else is under way (`seqform.base.alarm`).
    threads
        Threads for the method.
    max_nodes
        Largest tree to build, or most states to enter.
    callback
        Called with the progress of a search.
    explain
        Print which reduction and method were chosen, and why; also in `Solution.reasons`.
    plot
        Refuse a method that records no gaps, before it runs: `Solution.plot` is to draw them.
    lock
        What players do in some information sets, whatever else they would: a file, or
        ``{(player, infoset, action): probability}`` (`seqform.strategies.exploit.lock`). The locked
        game is solved, and is `Solution.locked`. The answer's gains are those of the free game.
        ``abstract="lock,equitable"`` solves it by classes.
    options
        Options of the method; each method's module describes its own.

        * 'lp': solver, engine, program, tolerance, exact, polish, gap, refine and family.
        * 'lcp': start, pivots, tolerance, exact and refine.
        * 'mip': solver, tolerance, exact and optimize. 'enumeration': all and exact.
        * 'efce', 'efcce' and 'nfcce': optimize, solver, engine, tolerance and exact.
        * Iterative methods: gap, iterations, checkpoint, resume, polish and half.
        * 'qre': lambda_end, steps, gap and exact.
        * 'backward': trace. 'minimax' and 'alphabeta': trace, depth and evaluation.

    Returns
    -------
    solution
        Certified, whatever its status; a failed or interrupted solve says so in `status`.

    Raises
    ------
    SeqformError
        Of a subclass that says what is wrong with the game or the options.
    OutOfTimeError
        If the time is over before there is an answer, or certifying it would take longer.

    Examples
    --------
    >>> from seqform import make
    >>> solution = solve(make("kuhn"), explain=True)
    reduction none: no cards of the deck can be exchanged, so there is little to merge
    method lp: the linear program is small
    >>> solution.exact.value
    Fraction(-1, 18)
    >>> solve(make("leduc"), method="dcfr", gap=1e-2).nash_gap < 1e-2
    True
    >>> solve(make("centipede")).values  # not zero-sum: one number for each player
    (4, 1)
    """
    if is_recursive(game):
        of_one_game = {
            "abstract": abstract or "none",
            "threshold": threshold,
            "threads": threads,
            "max_nodes": max_nodes,
            "explain": explain,
            "lock": lock,
            "plot": plot,
        }
        limits = {"time_limit": time_limit, "callback": callback}
        taken = {"method": method, **limits, **options}
        return _recursive(game, of_one_game, taken)  # type: ignore[no-any-return]
    asked = asked_of(
        method=method,
        abstract=abstract or "none",
        threshold=threshold,
        prove=prove,
        threads=threads,
        max_nodes=max_nodes,
        lock=lock,
        **without_denied_defaults(options),
    )
    with time_limited(time_limit):
        clock = Clock(None, threads, callback)
        problem = Problem(game, max_nodes, clock)

        def solved(lock: LockGiven | None, is_last: bool = True) -> Solution:
            chain = _chain(abstract, threshold, lock)
            given = options if is_last else _without_checkpoint(options)
            request = Request(problem, method, chain, threshold, prove and is_last, given, plot)
            return _solved(request, clock, explain)

        of_ranges = None if lock is None else _range_lock(lock, problem)
        solution = solved(lock) if of_ranges is None else of_ranges.by_hands(solved)
    run = replace(solution.run, max_nodes=max_nodes, asked=asked)
    return replace(solution, source=game, run=run)


def _range_lock(lock: LockGiven, problem: Problem) -> RangeLock | None:
    """Return what a lock says of whole ranges, if anything; it loads arrays."""
    from seqform.methods.range_lock import range_lock

    return range_lock(lock, problem)


def _without_checkpoint(options: dict[str, Any]) -> dict[str, Any]:
    from seqform.methods.range_lock import without_checkpoint

    return without_checkpoint(options)


NOT_ASKED = {
    "abstract": ("auto", "none"),
    "threshold": (0.0,),
    "threads": (1,),
    "max_nodes": (None,),
    "explain": (False,),
    "lock": (None,),
    "plot": (False,),
}
"""Arguments of `solve` that are of one game, with values that ask for nothing."""


def _recursive(game: Any, of_one_game: dict[str, Any], taken: dict[str, Any]) -> Any:
    """Return the solution of a recursive game, which has methods and options of its own.

    What it is worth is always proven, whether or not that was asked for.

    Raises
    ------
    InvalidParameterError
        If there are options that it does not take.
    """
    from seqform.recursive.by_method import solve_stages

    asked = {name: of for name, of in of_one_game.items() if of not in NOT_ASKED[name]}
    return solve_stages(game, **asked, **taken)


OTHERS = "other packages can add some"
"""What `help(solve)` says of methods of other packages, where there are none."""


def naming_others(words: str) -> str:
    """Return a docstring with the methods of other packages by name, and what each is of.

    None of them is loaded for that.
    """
    found = (f"{name!r} (of {package})" for name, package in METHODS.not_at_hand().items())
    named = ", ".join(found)
    return words.replace(OTHERS, f"other packages add {named}") if named else words


solve.__doc__ = naming_others(solve.__doc__ or "")


def solve_smaller(smaller: SequenceForm, reduction: str) -> Solution:
    """Return a solution that can be lifted of a game that a reduction of this name made.

    Where nothing is hidden, `solve` would find an answer of another concept.

    Raises
    ------
    SeqformError
        As `solve` does.
    """
    clock = Clock(None, 1, None)
    problem = Problem(smaller, None, clock, reduction)
    return _solved(Request(problem, "auto", (), 0.0, False, {}), clock, False)


def _solved(request: Request, clock: Clock, explain: bool) -> Solution:
    """Choose reduction and method, run them, and return the certified solution."""
    validate(request)
    chain, why = choose_chain(request)
    liftings: list[Lifting] = []
    for step in chain:
        request, lifting = reduced(request, step, clock)
        liftings.append(lifting)
    if liftings and request.problem.forgets:
        why += "; players forget by it (imperfect recall), and answers are judged as the game is"
    choice = choose_method(request)
    reasons = _reasons(reduction_names(liftings) or "none", why, choice)
    if explain:
        print("\n".join(reasons))
    if request.prove:
        check_provable(request.problem, choice)
    if choice.method.concept == NASH:
        form = request.problem.form
        clock.reserve(certificate_seconds(form), "certifying an answer")
    with Interrupt(First.PASS) as user, overtime(For.CERTIFYING):
        with on_time():
            answer = _run(choice, request.problem, clock)
        if answer.found is None and user.asked:
            user.end()
        user.first = First.WAIT  # for the certificate of what was found
        try:
            solution = certified(choice, answer, clock)
        except OutOfTimeError as error:
            solution = uncertified(choice, answer, liftings, clock, error)
        else:
            solution = _finished(solution, answer, request, liftings, user, clock)
    return replace(solution, run=replace(solution.run, reasons=reasons))


def _finished(
    solution: Solution,
    answer: Answer,
    request: Request,
    liftings: Sequence[Lifting],
    user: Interrupt,
    clock: Clock,
) -> Solution:
    """Return a certified solution lifted, with what is proven of it, and completed."""
    if liftings:
        last = liftings[-1].applied
        if (last.lock is not None or copies_plans(last)) and not user.asked:
            solution = with_proofs(solution, answer, False, clock)  # proven of the smaller game
        solution = completed(solution, clock, liftings[-1].applied.reduction)
    for lifting in reversed(liftings):
        is_of_locked = lifting.applied.lock is not None and solution.abstract is not None
        if is_of_locked and not user.asked:
            solution = with_proofs(solution, answer, request.prove, clock)
        solution = of_larger(solution, lifting, is_whole=lifting is liftings[0])
        if copies_plans(lifting.applied) and not user.asked:
            solution = with_copied_proof(solution, lifting.applied.inverse, clock)
    if not user.asked:
        solution = with_proofs(solution, answer, request.prove, clock)
    return solution if liftings else completed(solution, clock)


def _chain(abstract: Abstract, threshold: float, lock: LockGiven | None) -> tuple[Step, ...] | None:
    """Return the chain that was asked for; None if it is to be chosen."""
    locking = None if lock is None else Locking(lock)
    if isinstance(abstract, str) and abstract in ("auto", "none"):
        chosen: tuple[Step, ...] | None = () if abstract == "none" else None
        return chosen if locking is None else (Step(locking, threshold),)
    if abstract is None or (isinstance(abstract, (tuple, list)) and not abstract):
        return () if locking is None else (Step(locking, threshold),)
    return chain_of(abstract, threshold, locking)


def _run(choice: Choice, problem: Problem, clock: Clock) -> Answer:
    """Run the method; what it finds out about the game while it runs leads to others."""
    try:
        return choice.method.run(problem, choice.options, clock)
    except NotForThisGameError as error:
        why = str(error.args[0])
        raise NotForThisGameError(why, advice(problem, choice.method.name, usual)) from None


def _reasons(reduction: str, why: str, choice: Choice) -> tuple[str, ...]:
    return (
        f"reduction {reduction}: {why}",
        f"method {choice.method.name}: {choice.reason}",
    )
