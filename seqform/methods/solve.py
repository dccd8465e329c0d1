"""solve: from a game to a certified answer, in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from seqform.base import thresholds
from seqform.base.clock import Clock
from seqform.base.deadline import For, on_time, overtime, time_limited
from seqform.base.errors import InvalidParameterError, NotForThisGameError, OutOfTimeError
from seqform.base.interrupt import First, Interrupt, Interrupted
from seqform.concepts.concept import CONCEPTS
from seqform.game.kinds import is_form
from seqform.game.recursive import is_recursive
from seqform.links.chain import Abstract, Step, chain_of, reduction_of
from seqform.links.link import Inverse, ReductionOptions, SequenceMap, apply
from seqform.methods.advice import NASH, advice
from seqform.methods.choose import (
    SEARCH_OF_LARGE,
    Choice,
    Request,
    choose_chain,
    choose_method,
    usual,
    validate,
)
from seqform.methods.complete import completed
from seqform.methods.forecast import announce, certificate_seconds, lifting_seconds
from seqform.methods.method import METHODS, Answer, without_denied_defaults
from seqform.methods.problem import Problem
from seqform.results.asked import asked_of
from seqform.results.solution import Run, Smaller, Solution
from seqform.results.status import Status
from seqform.strategies.exploit.locking import Locking

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.links.link import Applied
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
        chooses by the game's size and the options (seqform/methods/choose.py).
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


class _Lifting(NamedTuple):
    """The way back from a smaller game, and how many seconds it takes, by an estimate."""

    applied: Applied
    seconds: float


def _solved(request: Request, clock: Clock, explain: bool) -> Solution:
    """Choose reduction and method, run them, and return the certified solution."""
    validate(request)
    chain, why = choose_chain(request)
    liftings: list[_Lifting] = []
    for step in chain:
        request, lifting = _reduced(request, step, clock)
        liftings.append(lifting)
    if liftings and request.problem.forgets:
        why += "; players forget by it (imperfect recall), and answers are judged as the game is"
    choice = choose_method(request)
    reasons = _reasons(_names(liftings) or "none", why, choice)
    if explain:
        print("\n".join(reasons))
    if request.prove:
        _check_provable(request.problem, choice)
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
            solution = _certified(choice, answer, clock)
        except OutOfTimeError as error:
            solution = _uncertified(choice, answer, liftings, clock, error)
        else:
            solution = _finished(solution, answer, request, liftings, user, clock)
    return replace(solution, run=replace(solution.run, reasons=reasons))


def _finished(
    solution: Solution,
    answer: Answer,
    request: Request,
    liftings: Sequence[_Lifting],
    user: Interrupt,
    clock: Clock,
) -> Solution:
    """Return a certified solution lifted, with what is proven of it, and completed."""
    if liftings:
        last = liftings[-1].applied
        if (last.lock is not None or _copies_plans(last)) and not user.asked:
            solution = _with_proofs(solution, answer, False, clock)  # proven of the smaller game
        solution = completed(solution, clock, liftings[-1].applied.reduction)
    for lifting in reversed(liftings):
        is_of_locked = lifting.applied.lock is not None and solution.abstract is not None
        if is_of_locked and not user.asked:
            solution = _with_proofs(solution, answer, request.prove, clock)
        solution = _of_larger(solution, lifting, is_whole=lifting is liftings[0])
        if _copies_plans(lifting.applied) and not user.asked:
            solution = _with_copied_proof(solution, lifting.applied.inverse, clock)
    if not user.asked:
        solution = _with_proofs(solution, answer, request.prove, clock)
    return solution if liftings else completed(solution, clock)


def _of_larger(solution: Solution, lifting: _Lifting, *, is_whole: bool) -> Solution:
    """Return the solution of a smaller game lifted to the game that was reduced."""
    applied = lifting.applied
    announce(LIFTING, lifting.seconds)
    lifted = _lifted(solution, applied.inverse)
    lifted = replace(lifted, smaller=Smaller(applied.reduction, solution, applied.lock))
    is_solved = applied.lock is not None and solution.status is Status.SOLVED
    is_locked = is_whole and is_solved and lifted.status is Status.LIFTED
    return replace(lifted, status=Status.LOCKED) if is_locked else lifted


def _copies_plans(applied: Applied) -> bool:
    """Return whether equilibria in fractions of the smaller game are copied."""
    return isinstance(applied.inverse, SequenceMap) and applied.inverse.copies_plans


def _with_copied_proof(solution: Solution, inverse: Inverse, clock: Clock) -> Solution:
    """Return a solution with the smaller game's equilibrium in fractions, proven in the whole game.

    Where it has an interval only, that is proven anew.
    """
    smaller = solution.abstract
    if smaller is None or not smaller.proofs:
        return solution
    from seqform.exact.plan_proof import prove_equilibrium

    try:
        with Interrupt(First.RAISE), on_time(), clock.phase("exact"):
            if smaller.exact is None:
                return _proven(solution, clock)
            plans = [of[to] for of, to in zip(smaller.exact.plans, inverse.sequences, strict=True)]
            proven = prove_equilibrium(solution.game, plans, smaller.exact.denominators)
            return _as_proven(solution.proving(proven))
    except OutOfTimeError as error:
        return solution.saying(error)
    except Interrupted:
        return solution.saying("interrupted before a proof")


def _chain(abstract: Abstract, threshold: float, lock: LockGiven | None) -> tuple[Step, ...] | None:
    """Return the chain that was asked for; None if it is to be chosen."""
    locking = None if lock is None else Locking(lock)
    if isinstance(abstract, str) and abstract in ("auto", "none"):
        chosen: tuple[Step, ...] | None = () if abstract == "none" else None
        return chosen if locking is None else (Step(locking, threshold),)
    if abstract is None or (isinstance(abstract, (tuple, list)) and not abstract):
        return () if locking is None else (Step(locking, threshold),)
    return chain_of(abstract, threshold, locking)


def _names(liftings: Sequence[_Lifting]) -> str:
    return ",".join(lifting.applied.reduction for lifting in liftings)


def _lifted(solution: Solution, inverse: Inverse) -> Solution:
    """Return the solution of the whole game; one without an answer if the time is over before."""
    from seqform.results.lift import lift  # it loads numpy

    try:
        return lift(solution, inverse)
    except OutOfTimeError as error:  # what was found of the smaller game is not lost
        run = replace(solution.run, message=str(error))
        bare = replace(solution, answer=None, certificate=None, proofs=(), run=run)
        return replace(bare, status=Status.LIMIT)


COMPILE_FROM = 2_000_000
"""Payoff nonzeros of a signal game from which its classes, too, are many enough to go by rounds."""

LIFTING = "lifting an answer to the whole game and certifying it there"


def _reduced(request: Request, step: Step, clock: Clock) -> tuple[Request, _Lifting]:
    """Return the request for the smaller game, and the way back."""
    problem, seconds = request.problem, 0.0
    reduction = reduction_of(*step, problem.game)
    if problem.is_signal_game:  # counted before anything is built
        seconds = lifting_seconds(problem.counted_sequences, problem.shows_everybody)
        clock.reserve(seconds, LIFTING)
        _compile_ahead(request)
    with clock.phase("reduce"):
        options = ReductionOptions(step.threshold, problem.max_nodes)
        applied = apply(reduction, problem.game, options)
    if not problem.is_signal_game:
        by_boards = problem.is_form and problem.is_of_hands
        seconds = lifting_seconds(applied.num_sequences, by_boards)
        clock.reserve(seconds, LIFTING)
    announce(LIFTING, seconds)
    made_by = reduction.name if problem.reduction == "none" else f"{problem.reduction},{step.name}"
    smaller = Problem(applied.after, problem.max_nodes, clock, made_by)
    return replace(request, problem=smaller), _Lifting(applied, seconds)


def _compile_ahead(request: Request) -> None:
    """Have loops compiled while classes are found, if a search of a large game is to come."""
    if request.is_iterative or request.problem.counted_nonzeros >= thresholds.ITERATE_FROM:
        name = SEARCH_OF_LARGE if request.method == "auto" else request.method
        if request.problem.counted_nonzeros >= COMPILE_FROM:
            METHODS.get(name).compile_ahead()


def _run(choice: Choice, problem: Problem, clock: Clock) -> Answer:
    """Run the method; what it finds out about the game while it runs leads to others."""
    try:
        return choice.method.run(problem, choice.options, clock)
    except NotForThisGameError as error:
        why = str(error.args[0])
        raise NotForThisGameError(why, advice(problem, choice.method.name, usual)) from None


def _uncertified(
    choice: Choice, answer: Answer, liftings: Sequence[_Lifting], clock: Clock, error: Exception
) -> Solution:
    """Return what was found as it is, at its limit; of a smaller game as what it is of."""
    message = f"{answer.message}; what was found is not certified: {error}"
    nothing = replace(answer, found=None, status=Status.LIMIT, message=message)
    bare = _certified(choice, nothing, clock)
    found = replace(bare, answer=answer.found)
    return replace(bare, smaller=Smaller(_names(liftings), found)) if liftings else found


def _certified(choice: Choice, answer: Answer, clock: Clock) -> Solution:
    """Return the solution; its status follows from the certificate of the answer."""
    concept, status, certificate = CONCEPTS.get(choice.method.concept), answer.status, None
    game = answer.game
    if answer.found is not None:
        with clock.phase("certify"):
            certificate = concept.certify(game, answer.found)
        if answer.stands and status is not None:
            pass
        elif certificate.gap <= answer.tolerance * getattr(game, "payoff_scale", 1.0):
            status = Status.SOLVED
        elif status is None:
            status = Status.INACCURATE
    return Solution(
        game=game,
        status=status or Status.FAILED,
        method=answer.engine,
        answer=answer.found,
        certificate=certificate,
        run=Run(
            message=answer.message,
            seconds=clock.seconds,
            sizes=_sizes(game, answer),
            iterations=answer.iterations,
            history=answer.history,
            path=answer.path,
        ),
        tolerance=float(answer.tolerance),
        concept=concept.name,
    )


def _sizes(game: Any, answer: Answer) -> dict[str, int]:
    """Return the counts of a sequence form, and those of the problem that an engine solved.

    Games in other forms are counted by their methods.
    """
    if not is_form(game):
        return answer.sizes
    from seqform.form.sizes import as_solver_sizes, sizes

    return sizes(game) | as_solver_sizes(answer.sizes)


def _check_provable(problem: Problem, choice: Choice) -> None:
    """Check, before the game is solved, that an interval can be proven."""
    from seqform.exact.bracket import check_bracketable

    if choice.method.concept != NASH:
        raise InvalidParameterError(
            "prove=True is for strategy profiles of games with hidden information; method "
            f"{choice.method.name!r} finds answers of the concept {choice.method.concept!r}, which "
            "have a certificate of their own and no such proof: leave out prove=True"
        )
    check_bracketable(problem.form)


def _with_proofs(solution: Solution, answer: Answer, prove: bool, clock: Clock) -> Solution:
    """Return a solution with what is proven of it in exact arithmetic, as far as time allows."""
    try:
        with Interrupt(First.RAISE), on_time():
            if answer.proving is not None and solution.abstract is None:
                with clock.phase("exact"):
                    solution = _as_proven(answer.proving(solution))
            if prove and solution.bracket is None:
                solution = _proven(solution, clock)
    except OutOfTimeError as error:
        solution = solution.saying(error)
    except Interrupted:
        solution = solution.saying("interrupted before a proof")
    return solution


def _as_proven(solution: Solution) -> Solution:
    """Return a solution that an equilibrium in fractions solves where its floats did not.

    Its answer is then that equilibrium, rounded.
    """
    exact = solution.exact
    if exact is None or solution.status is not Status.INACCURATE:
        return solution
    profile = exact.game.profile_of_plans(exact.floats())
    certificate = CONCEPTS.get(solution.concept).certify(exact.game, profile)
    return replace(solution, status=Status.SOLVED, answer=profile, certificate=certificate)


def _proven(solution: Solution, clock: Clock) -> Solution:
    """Return a solution with what its plans prove in exact arithmetic."""
    from seqform.exact.bracket import bracket

    if solution.profile is None:
        return solution
    with clock.phase("prove"):
        return solution.proving(bracket(solution.game, solution.profile))


def _reasons(reduction: str, why: str, choice: Choice) -> tuple[str, ...]:
    return (
        f"reduction {reduction}: {why}",
        f"method {choice.method.name}: {choice.reason}",
    )
