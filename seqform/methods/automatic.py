"""The method and the reduction that a game is solved by when the user does not say.

Both are ordered lists. The first entry whose condition holds gives the method, or the reduction,
and ``explain=True`` prints its reason. A method is skipped if it lacks one of the options that were
given. The sizes that they ask for are in `seqform.base.thresholds`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from seqform.base import thresholds
from seqform.methods.request import Request


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
