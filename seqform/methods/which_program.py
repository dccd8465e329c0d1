"""Which linear program a game is solved by: the plain one, or one that is smaller."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from seqform.base import thresholds
from seqform.base.errors import InvalidParameterError, UnknownNameError, UnsupportedGameError

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.form.sizes import LPSize
    from seqform.solvers.linear.program import LinearProgram

PROGRAMS = ("auto", "plain", "folded", "sparsified")
"""With every sequence and every payoff ('plain'); with only those sequences that have to be told
apart (seqform.solvers.linear.folded_program); with auxiliary variables for what payoffs have in
common (seqform.solvers.linear.sparsified_program)."""


def large_program_solver(form: SequenceForm) -> str:
    """Return 'pardiso' for the programs that are for it, else 'auto'.

    Raises
    ------
    MissingLibraryError
        If it is not installed, and there is no other way to solve the program.
    """
    from importlib.util import find_spec

    from seqform.base.errors import MissingLibraryError
    from seqform.form.sizes import form_lp_size
    from seqform.solvers.saddle.factors import INSTALL_PARDISO

    nonzeros = form_lp_size(form).nonzeros
    has_signals = form.zero_sum_operator().kronecker_terms is not None
    if not has_signals or not thresholds.PARDISO_FROM <= nonzeros <= thresholds.PARDISO_UP_TO:
        return "auto"
    if find_spec("pypardiso"):
        return "pardiso"
    if nonzeros < thresholds.HOPELESS_FROM:
        return "auto"
    raise MissingLibraryError(
        f"a linear program with {nonzeros:,} nonzeros needs factors by dense blocks: "
        f"{INSTALL_PARDISO}. With it, 50 million nonzeros take about an hour of one core and "
        "10 GB. Without, name a solver that will hardly come to an end (solver='clarabel'), or "
        "use regret minimization (method='dcfr')"
    )


def check_program(name: str, is_exact: bool) -> None:
    """Validate the name of a program.

    Raises
    ------
    UnknownNameError
        If there is no such program.
    InvalidParameterError
        If an exact equilibrium is wanted, which the basis of that program does not lead to.
    """
    if name not in PROGRAMS:
        raise UnknownNameError.of("program", name, PROGRAMS)
    if is_exact and name not in ("auto", "plain"):
        raise InvalidParameterError(
            "an exact equilibrium comes from the basis of the plain program: "
            f"leave out program={name!r}"
        )


def make_program(
    form: SequenceForm, name: str = "auto", wants_basis: bool = False, solver: str = "auto"
) -> LinearProgram:
    """Return the program of player 0 of a name; 'auto' is the one that is solved soonest.

    Parameters
    ----------
    wants_basis
        Whether its basis is to be made exact, for which 'auto' takes the plain program.
    solver
        What is to solve it: HiGHS gains nothing from auxiliary variables but memory.

    Raises
    ------
    UnsupportedGameError
        R10; or if the payoffs are not such as the named program needs.
    GameTooLargeError
        If there is too little memory to solve it.
    """
    from seqform.form.sizes import form_lp_size
    from seqform.methods.need import need_of_program

    if form.origin.hands is not None:  # before pairs of hands are listed
        need_of_program(form, form_lp_size(form)).require()
    if name == "auto" and _takes_only_plain(solver):
        name = "plain"
    if name == "auto" and not wants_basis:
        folded = _folded_if_worth_it(form)
        if folded is not None:
            return folded
    size, build = (
        _named(form, name) if name != "auto" else choose_program(form, wants_basis, solver)
    )
    need_of_program(form, size).require()
    return build()


def _takes_only_plain(solver: str) -> bool:
    from seqform.solvers.linear.solver import SOLVERS, Feature

    return solver != "auto" and Feature.PLAIN in SOLVERS.get(solver).features


Made = tuple["LPSize", Callable[[], "LinearProgram"]]
"""The size of a program, and what makes it."""


def choose_program(form: SequenceForm, wants_basis: bool = False, solver: str = "auto") -> Made:
    """Return the program that a game is best solved by, if it is not folded.

    Raises
    ------
    UnsupportedGameError
        R10: unless the game is two-player and constant-sum.
    """
    from seqform.form.sizes import form_lp_size

    size = form_lp_size(form)
    if wants_basis or size.nonzeros < thresholds.SMALLER_FROM:
        return _named(form, "plain")  # a basis is made exact in the game's own matrix
    has_signals = form.zero_sum_operator().kronecker_terms is not None
    for_memory = has_signals and size.nonzeros >= thresholds.SPARSIFY_FROM
    if not for_memory and solver == "highs":
        return _named(form, "plain")
    from seqform.solvers.linear.sparsified_program import structured

    if structured(form.zero_sum_operator()) is None:
        return _named(form, "plain")
    sparsified = _named(form, "sparsified")
    is_worth_it = sparsified[0].nonzeros <= thresholds.WORTH_SPARSIFYING * size.nonzeros
    return sparsified if for_memory or is_worth_it else _named(form, "plain")


def _folded_if_worth_it(form: SequenceForm) -> LinearProgram | None:
    from seqform.form.sizes import form_lp_size

    nonzeros = form_lp_size(form).nonzeros
    if form.tree is None or nonzeros < thresholds.SMALLER_FROM:
        return None  # classes of a signal game are not alike
    from seqform.solvers.linear.folded_program import build_folded_lp

    folded = build_folded_lp(form)
    is_worth_it = folded is not None and folded.num_nonzeros <= thresholds.WORTH_FOLDING * nonzeros
    return folded if is_worth_it else None


def _named(form: SequenceForm, name: str) -> Made:
    """Return a program; of the folded one the size of what it is made of."""
    from seqform.form.sizes import form_lp_size
    from seqform.solvers.linear.program import build_lp

    if name == "sparsified":
        from seqform.solvers.linear.sparsified_program import sparsified_game

        found = sparsified_game(form)
        return found.size, found.program
    return form_lp_size(form), partial(build_lp if name == "plain" else _folded, form)


def _folded(form: SequenceForm) -> LinearProgram:
    from seqform.solvers.linear.folded_program import build_folded_lp

    program = build_folded_lp(form)
    if program is None:
        raise UnsupportedGameError(
            "a program is folded by payoffs that are equal, and these are floats, or numbers too "
            "large for int64: leave out program="
        )
    return program
