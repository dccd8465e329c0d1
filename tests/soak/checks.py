"""What must agree on a random game: every method, reduction, format and program, with fractions.

A check takes a `Case` and returns nothing if all is well. It raises `DisagreementError` where two
answers cannot both be true, and a `SeqformError` where the game is refused, which is an answer.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import isfinite
from pathlib import Path
from typing import Any

from seqform import METHODS, REDUCTIONS, SOLVERS, build_sequence_form, reduce, solve
from seqform.base.budget import Budget
from seqform.base.errors import UnsupportedGameError
from seqform.base.objectives import OBJECTIVES
from seqform.exact.extreme_equilibria import Equilibria, all_equilibria
from seqform.exact.optimum import worth
from seqform.exact.plan_proof import Bracket, ProvenGains
from seqform.form.sequence_form import SequenceForm
from seqform.io import efg_text, from_open_spiel, parse_efg, write_efg
from seqform.methods.choose import option_names
from seqform.methods.mip import ENUMERATION_STEPS
from seqform.perfect_information import backward_induction, backward_induction_tree, check_one_shot
from seqform.results.solution import Solution
from seqform.results.status import Status
from seqform.tree.as_rules import TreeGame
from seqform.tree.tree import GameTree
from tests.reference.exact_values import proven_interval
from tests.reference.perfect_information import largest_gain, subgame_values
from tests.same_game import assert_same_game
from tests.soak.branches import in_fractions, in_general_sum

CHECKER = Path(__file__).parents[2] / "tools" / "check_certificate.py"
ITERATIONS, SECONDS = 300, 5.0
GAMBIT_NODES, OPEN_SPIEL_NODES = 60, 1000


class DisagreementError(Exception):
    """Two answers that cannot both be true."""


def require(condition: bool, said: str) -> None:
    """Raise unless a condition holds."""
    if not condition:
        raise DisagreementError(said)


@dataclass(frozen=True)
class Case:
    """A game, and what is true of it."""

    tree: GameTree
    signals: Any = None

    @cached_property
    def exact_tree(self) -> GameTree:
        """The game in fractions, of the same value."""
        return self.tree if self.tree.is_exact else in_fractions(self.tree)

    @cached_property
    def solved(self) -> Solution:
        """The exact linear program's answer."""
        return solve(self.exact_tree, method="lp", exact=True)

    @cached_property
    def truth(self) -> tuple[Fraction, Fraction]:
        """An interval that holds the value, most often of width 0.

        Whoever found the two plans: what they prove is found by walking the tree in fractions.
        """
        found, form = self.solved.exact or self.solved.bracket, build_sequence_form(self.exact_tree)
        if found is None:
            raise UnsupportedGameError("no equilibrium and no interval in fractions")
        wholes = getattr(found, "denominators", None) or (2**found.bits,) * 2  # type: ignore[union-attr]
        plans = [
            [Fraction(int(weight), whole) for weight in plan]
            for plan, whole in zip(found.plans, wholes, strict=True)
        ]
        return proven_interval(form, plans)

    @cached_property
    def near(self) -> Fraction:
        """What values computed in floats may be off; nothing in a game of exact numbers."""
        return Fraction(0 if self.tree.is_exact else 1e-12 * self.form.payoff_scale)

    @cached_property
    def in_general_sum(self) -> SequenceForm:
        """The sequence form of the game with other payoffs, which hardly ever have a sum."""
        return build_sequence_form(in_general_sum(self.exact_tree))

    @cached_property
    def listed(self) -> Equilibria:
        """The extreme equilibria of that form, as far as there is room for them."""
        return all_equilibria(self.in_general_sum, Budget(ENUMERATION_STEPS))

    @cached_property
    def form(self) -> SequenceForm:
        """The sequence form of the game as it is."""
        return build_sequence_form(self.tree)


def check_claims(case: Case, solution: Solution) -> None:
    """Check what a solution says of a two-player game of constant sum."""
    lower, upper = case.truth
    if solution.exact is not None:
        require(lower <= solution.exact.value <= upper, f"exact value {solution.exact.value}")
    if solution.bracket is not None:
        least, most = bounds_of(solution.bracket)
        require(least <= upper and lower <= most, f"bracket {solution.bracket}")
    if solution.answer is None:
        require(solution.status is not Status.SOLVED, "solved without an answer")
        return
    claimed = f"[{solution.lower!r}, {solution.upper!r}], truth [{lower}, {upper}]"
    require(isfinite(solution.lower) and isfinite(solution.upper), f"interval {claimed}")
    require(Fraction(solution.lower) <= upper, f"lower bound too high: {claimed}")
    require(lower <= Fraction(solution.upper), f"upper bound too low: {claimed}")
    value = Fraction(solution.value)
    require(
        Fraction(solution.lower) <= value <= Fraction(solution.upper), f"value {value}, {claimed}"
    )
    if solution.status is Status.SOLVED:
        most = solution.tolerance * solution.game.payoff_scale
        require(solution.gap <= most, f"solved with gap {solution.gap} of {most}")


def bounds_of(proven: Bracket) -> tuple[Fraction, Fraction]:
    """Return what a proof says of the value of a two-player game of constant sum.

    Who deviates best from plans gets what the other's plan holds him to.
    """
    if isinstance(proven, ProvenGains):
        return proven.values[0] - proven.gains[1], proven.values[0] + proven.gains[0]
    return proven.lower, proven.upper


def by_method(case: Case, method: str, **options: Any) -> str:
    """Solve by a method of the registry; see `check_claims`. Return the status."""
    names = option_names(METHODS.get(method))
    if "iterations" in names:
        options = {"iterations": ITERATIONS, "gap": 1e-3 * case.form.payoff_scale}
    limit = {} if options.get("solver") == "cvxpy" else {"time_limit": SECONDS}
    game = case.tree if case.signals is None else case.signals
    solution = solve(game, method=method, **limit, **options)
    check_claims(case, solution)
    return solution.status.name.lower()


def by_reduction(case: Case, name: str) -> str:
    """Solve what a reduction makes of the game, and lift; without loss where it promises none."""
    game = case.tree if case.signals is None else case.signals
    solution = solve(game, abstract=name, time_limit=SECONDS)
    check_claims(case, solution)
    if REDUCTIONS.get(name).lossless and case.tree.is_exact:
        form, _ = reduce(game, name)
        small = solve(form, method="lp", exact=True)
        if small.exact is not None:
            lower, upper = case.truth
            require(lower <= small.exact.value <= upper, f"merged value {small.exact.value}")
    if REDUCTIONS.get(name).lossless and solution.abstract is not None:
        lost = solution.status is not Status.SOLVED and solution.abstract.status is Status.SOLVED
        require(not lost, f"lossless, yet gap {solution.gap} after {solution.abstract.gap}")
    return solution.status.name.lower()


def exactly(case: Case) -> str:
    """Find the value in fractions; the standalone checker confirms its certificate."""
    lower, upper = case.truth
    solution = case.solved
    check_claims(Case(case.exact_tree), solution)
    if solution.exact is None:
        return "bracketed"
    require(lower == upper == solution.exact.value, f"exact value {solution.exact.value}")
    with tempfile.TemporaryDirectory() as folder:
        solution.save(Path(folder) / "result", "soak")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = _checker().main([str(Path(folder) / "result" / "certificate.json")])
        require(status == 0, said.getvalue())
    return "exact"


def by_objective(case: Case, objective: str) -> str:
    """Look for a best equilibrium of the game in general sum, and compare it with all of them."""
    form, found = case.in_general_sum, case.listed
    if not found.is_complete:
        raise UnsupportedGameError("too many extreme equilibria to list all")
    solution = solve(form, optimize=objective, time_limit=SECONDS)
    best, said = max(worth(each.values, objective) for each in found), solution.optimum
    is_ended = solution.status is Status.LIMIT
    require(said is not None or is_ended, f"no equilibrium, and one is worth {best}")
    if said is not None:
        solved = solution.status is Status.SOLVED
        require(said.value <= best, f"an equilibrium worth {said.value} is not listed")
        require(not solved or said.value == best, f"solved with {said.value}, and best is {best}")
        require(said.proven is None or said.proven.most >= best, f"{said.proven}, best is {best}")
    return solution.status.name.lower()


def by_backward_induction(case: Case) -> str:
    """Compare backward induction on rules and on the tree with a plain recursion in fractions."""
    tree, rules = case.tree, TreeGame(case.tree)
    on_tree, on_rules = (
        backward_induction_tree(tree, exact=tree.is_exact),
        backward_induction(rules),
    )
    for found, game in ((on_tree, tree), (on_rules, rules)):
        claimed = Fraction(check_one_shot(game, found).gap)
        require(not tree.is_exact or claimed == 0, f"gain {claimed}")
    choice = {
        node: int(on_tree.best_child[node])
        for node in range(tree.num_nodes)
        if tree.player[node] >= 0
    }
    gain, claimed = (
        largest_gain(case.exact_tree, choice),
        check_one_shot(tree, on_tree).gap,
    )
    require(Fraction(gain) <= Fraction(claimed), f"gain {gain}, not {claimed}")
    if tree.num_players == 2 and case.form.constant_sum is not None:
        (lower, upper), near = case.truth, case.near
        for value in (on_tree.value[0], on_rules.value[0], subgame_values(rules, 0)[0]):
            require(lower - near <= value <= upper + near, f"{value}, truth [{lower}, {upper}]")
    return "agrees"


def by_search(case: Case, method: str) -> str:
    """Search the tree; the value is proven."""
    solution = solve(case.tree, method=method, time_limit=SECONDS)
    lower, upper = case.truth
    if solution.status is Status.SOLVED:
        value, near = Fraction(solution.values[0]), case.near
        require(lower - near <= value <= upper + near, f"{value}, truth [{lower}, {upper}]")
    return solution.status.name.lower()


def by_text(case: Case) -> str:
    """Write an .efg file and read it."""
    assert_same_game(case.tree, parse_efg(efg_text(case.tree)), infoset_labels=False)
    return "agrees"


def by_gambit(case: Case) -> str:
    """Solve the .efg text by Gambit's exact linear program."""
    if not find_spec("pygambit") or case.tree.num_nodes > GAMBIT_NODES:
        raise UnsupportedGameError("not installed, or too large for it")
    from benchmarks.gambit import value
    from tests.reference import gambit

    (lower, upper), theirs = case.truth, gambit.read(efg_text(case.exact_tree))
    try:
        found = value(theirs)
    except ValueError as error:  # it says 0 for all actions where there is but one
        raise UnsupportedGameError(str(error)) from None
    require(lower <= found <= upper, f"Gambit's {found}, truth [{lower}, {upper}]")
    return "agrees"


def by_open_spiel(case: Case) -> str:
    """Let OpenSpiel read the .efg file, read its game, and let its linear program solve it."""
    scale = case.form.payoff_scale
    if not find_spec("pyspiel") or case.tree.num_nodes > OPEN_SPIEL_NODES:
        raise UnsupportedGameError("not installed, or too large for it")
    if not 1e-3 <= scale <= 1e6 or not case.tree.num_infosets:
        raise UnsupportedGameError("beyond the accuracy of its solver, or nobody decides")
    import pyspiel

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        write_efg(case.tree, path)
        try:
            theirs = pyspiel.load_game("efg_game", {"filename": str(path)})
        except (pyspiel.SpielError, RuntimeError) as error:
            raise UnsupportedGameError(str(error)) from None
        ours = from_open_spiel(theirs)
        lower, upper = map(float, case.truth)
        again = solve(ours, method="lp").value
        near = 1e-6 * scale
        require(lower - near <= again <= upper + near, f"{again} of their game, truth {lower}")
        try:
            from open_spiel.python.algorithms import sequence_form_lp

            found = sequence_form_lp.solve_zero_sum_game(theirs)[0]
        except (AssertionError, ValueError, ImportError) as error:  # of its program
            raise UnsupportedGameError(f"OpenSpiel: {error}") from None
        near = 1e-5 * scale
        require(lower - near <= found <= upper + near, f"OpenSpiel's {found}, truth {lower}")
    return "agrees"


def _checker() -> Any:
    spec = spec_from_file_location("check_certificate", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Check = Callable[[Case], str]


def checks_of(case: Case) -> Iterator[tuple[str, Check]]:
    """Go through the checks that a game is for."""
    yield "efg round trip", by_text
    if case.tree.perfect_information:
        yield "backward induction", by_backward_induction
    if case.tree.num_players == 2:
        for objective in (name for name in OBJECTIVES if name != "none"):
            yield f"best by {objective}", partial(by_objective, objective=objective)
    if case.tree.num_players != 2 or case.form.constant_sum is None:
        return
    yield "exact", exactly
    for name in METHODS.names():
        concept = METHODS.get(name).concept
        if concept == "game-value" and case.tree.perfect_information:
            yield name, partial(by_search, method=name)
        elif concept == "nash":
            yield name, partial(by_method, method=name)
    yield "lp, polished", partial(by_method, method="lp", polish=True)
    for solver, engine in ENGINES:
        options = {"solver": solver} | ({"engine": engine} if engine else {})
        yield f"lp, {solver} {engine}".strip(), partial(by_method, method="lp", **options)
    for name in REDUCTIONS.names():
        yield f"reduction {name}", partial(by_reduction, name=name)
    yield "Gambit", by_gambit
    yield "OpenSpiel", by_open_spiel


ENGINES = [(name, "") for name in SOLVERS.names()] + [("highs", "ipx"), ("highs", "pdlp")]
