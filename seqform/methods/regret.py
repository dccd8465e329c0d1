"""Regret minimization: counterfactual regret minimization under any rule, on any game.

In two-player zero-sum games its averages approach an equilibrium. In others they are a heuristic.

Each published rule is a method of the same name. Your own rule becomes a method by
``RegretMinimization(rule, summary)`` and a line under ``seqform.methods``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from seqform.methods.iterative_method import IterativeMethod

if TYPE_CHECKING:
    from seqform.form.sequence_form import SequenceForm
    from seqform.solvers.iterative.regret.rules import RegretRule
    from seqform.solvers.iterative.search import Engine


class RegretMinimization(IterativeMethod):
    """Regret minimization under one rule, as a method.

    Parameters
    ----------
    rule
        The rule, or the name of a published one; its name is the method's.
    summary
        One line for people.
    """

    parallel = True
    forgets = True

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

    def half_engine(self, form: SequenceForm, threads: int = 1) -> Engine:
        """Return the engine of games of hands that keeps regrets and averages in 16 bits."""
        from seqform.solvers.iterative.regret.engine import half_engine

        return half_engine(form, self.rule, threads)

    def others(self, form: SequenceForm, single: bool, threads: int) -> Iterable[Engine]:
        """Return the engines of signal games that a checkpoint may be of, whatever the size."""
        from seqform.solvers.iterative.regret.engine import regret_engine

        if form.merged or form.signals is None:
            return ()
        both = True, False
        return (regret_engine(form, self.rule, single, threads, by_rounds) for by_rounds in both)

    def compile_ahead(self) -> None:
        """Begin to compile the loops for large signal games, in another process."""
        from seqform.solvers.iterative.regret import signal_compile

        signal_compile.begin()


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
