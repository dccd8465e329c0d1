"""Regret minimization: counterfactual regret minimization under any rule, on any game.

In two-player zero-sum games its averages approach an equilibrium. In others they are a heuristic.

Each published rule is a method of the same name. Your own rule becomes a method by
``RegretMinimization(rule, summary)`` and a line under ``seqform.methods``.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from seqform.methods.method import Answer
from seqform.methods.search_options import SearchOptions

if TYPE_CHECKING:
    from seqform.base.clock import Clock
    from seqform.base.need import Need
    from seqform.form.sequence_form import SequenceForm
    from seqform.methods.problem import Problem
    from seqform.solvers.iterative.regret.rules import RegretRule
    from seqform.solvers.iterative.search import Engine

SINGLE_PRECISION_FROM = 5e-7
"""A gap, as a share of the largest payoff, that regret minimization on signal games still reaches
with regrets in single precision (2.9e-7 was reached on Rhode Island hold'em, 3e-7 on Leduc and 4e-7
on Kuhn poker)."""

ROUNDING_ERROR = 5e-8
"""How much a gap may grow, as a share of the largest payoff, when a profile is rounded to the
digits of single precision (1.5e-8 on Leduc)."""


class RegretMinimization:
    """Regret minimization under one rule, as a method.

    Parameters
    ----------
    rule
        The rule, or the name of a published one; its name is the method's.
    summary
        One line for people.
    """

    concept = "nash"
    parallel = True
    forgets = True
    Options = SearchOptions

    def __init__(self, rule: RegretRule | str, summary: str = "") -> None:
        self._rule = rule
        self.name = rule if isinstance(rule, str) else rule.name
        self.summary = summary or f"regret minimization by the rule {self.name}"

    @property
    def rule(self) -> RegretRule:
        """The rule."""
        from seqform.solvers.iterative.regret.rules import RULES

        return RULES[self._rule] if isinstance(self._rule, str) else self._rule

    def engine(self, form: SequenceForm, single: bool = False, threads: int = 1) -> Engine:
        """Return the engine that searches a game.

        Parameters
        ----------
        single
            Whether single precision will do for regrets, and for the newest part of averages.
        """
        from seqform.solvers.iterative.regret.engine import regret_engine

        return regret_engine(form, self.rule, single, threads)

    def _engine(self, form: SequenceForm, options: SearchOptions, threads: int) -> Engine:
        """Return the engine of a search, or the one that a checkpoint to go on from is of."""
        from seqform.solvers.iterative.checkpoint import first_saved
        from seqform.solvers.iterative.regret.engine import regret_engine

        single = options.aims(form)[0] >= SINGLE_PRECISION_FROM
        engine = self.engine(form, single, threads)
        if form.merged:
            return engine
        if options.resume and options.checkpoint and form.signals is not None:
            others = (  # one is made when it is its turn, since engines are large
                regret_engine(form, self.rule, single, threads, by_rounds)
                for by_rounds in (True, False)
            )
            engines = chain([engine], others)
            return first_saved(options.checkpoint, form, engines, self.name) or engine
        return engine

    def compile_ahead(self) -> None:
        """Begin to compile the loops for large signal games, in another process."""
        from seqform.solvers.iterative.regret import signal_compile

        signal_compile.begin()

    def accepts(self, problem: Problem) -> str | None:
        """Return None for any game that has a sequence form, and so perfect recall."""
        _ = problem.form  # of imperfect recall there is none, which is an error
        return None

    def need(self, form: SequenceForm) -> Need:
        """Return what the search takes."""
        from seqform.methods.need import need_of_search

        return need_of_search(form)

    def run(self, problem: Problem, options: SearchOptions, clock: Clock) -> Answer:
        """Search to the gap; with single precision for regrets where that reaches it."""
        from seqform.methods.iterative import search_equilibrium

        form = problem.form
        with clock.phase("prepare"):
            engine = self._engine(form, options, clock.threads)
        margin = ROUNDING_ERROR if getattr(engine, "single", False) else 0.0
        return search_equilibrium(problem, self.name, engine, options, clock, margin)


DCFR = RegretMinimization("dcfr", "discounted CFR (Brown & Sandholm 2019)")
HS_DCFR = RegretMinimization("hs-dcfr", "DCFR with a schedule (Zhang, McAleer & Sandholm 2024)")
TUNED_DCFR = RegretMinimization("tuned-dcfr", "DCFR with a schedule chosen on small decks of cards")
CFR = RegretMinimization("cfr", "counterfactual regret minimization (Zinkevich et al. 2007)")
CFR_PLUS = RegretMinimization("cfr+", "CFR+ (Tammelin 2014)")
LINEAR_CFR = RegretMinimization("linear-cfr", "linear CFR (Brown & Sandholm 2019)")
PCFR_PLUS = RegretMinimization("pcfr+", "predictive CFR+ (Farina, Kroer & Sandholm 2021)")
PDCFR_PLUS = RegretMinimization("pdcfr+", "predictive discounted CFR+ (Xu et al. 2024)")
SAPCFR_PLUS = RegretMinimization("sapcfr+", "PCFR+ by smaller predictions (Meng et al. 2026)")
SAPDCFR_PLUS = RegretMinimization("sapdcfr+", "PDCFR+ by smaller predictions, of chosen numbers")
