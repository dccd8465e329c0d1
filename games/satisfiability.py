"""A formula as a game: whoever correlates best finds the best assignment, which is NP-hard.

References
----------
von Stengel & Forges, "Extensive-form correlated equilibrium: definition and computational
complexity", Math. of OR 33, 2008, Section 3 and Figure 9; payoffs as in Gambit's catalogue.
"""

from __future__ import annotations

from fractions import Fraction

from games.parameters import require
from seqform.base.errors import InvalidParameterError
from seqform.game.catalogue import GameEntry
from seqform.tree.builder import TreeBuilder
from seqform.tree.tree import GameTree

MAX_CLAUSES = 1000

NOT = "-"
"""In front of a variable: it is to be false."""


def satisfiability(formula: str = "x, -x y, -x -y") -> GameTree:
    """Return the game of a formula: clauses between commas, and literals between spaces.

    Chance draws a clause. Player 1 sees it, and names a literal of it. Player 0 is told the
    variable alone, and says whether it is true. If that makes the literal true, both get 1, else
    nothing. What player 0 says of all variables is an assignment, and the best that players can do
    is the largest share of clauses that one assignment satisfies. Without a mediator or with one,
    that is what a best equilibrium pays.

    The formula of the default, x and (not x or y) and (not x or not y), is satisfied by no
    assignment, and two of its three clauses are by most: (2/3, 2/3).

    Parameters
    ----------
    formula
        Clauses with commas between them; ``-x`` is the negation of ``x``.
    """
    clauses = _clauses(formula)
    require("clauses", len(clauses), 1, MAX_CLAUSES)
    b = TreeBuilder(num_players=2)
    names = [f"clause {number}" for number in range(1, len(clauses) + 1)]
    drawn = b.chance(b.root, [(name, Fraction(1, len(names))) for name in names])
    for node, name, literals in zip(drawn, names, clauses, strict=True):
        for literal, named in zip(literals, b.decision(node, 1, name, literals), strict=True):
            variable = literal.removeprefix(NOT)
            said = [variable, NOT + variable]
            for value, end in zip(said, b.decision(named, 0, variable, said), strict=True):
                b.terminal(end, (1, 1) if value == literal else (0, 0))
    return b.freeze()


def _clauses(formula: str) -> list[list[str]]:
    """Return the literals of each clause.

    Raises
    ------
    InvalidParameterError
        If a clause is empty, or has a literal twice or without a variable.
    """
    clauses = [clause.split() for clause in formula.split(",")]
    for number, clause in enumerate(clauses, start=1):
        wrong = not clause or len(set(clause)) < len(clause)
        if wrong or any(NOT in literal[1:] or literal == NOT for literal in clause):
            raise InvalidParameterError(
                f"formula={formula!r}: clause {number} is to have different literals between "
                "spaces, such as x or -x"
            )
    return clauses


SATISFIABILITY = GameEntry(
    "satisfiability", "A formula as a game of von Stengel & Forges; not zero-sum", satisfiability
)
