"""A regret rule of our own: late iterations count more, by the square of their number."""

from __future__ import annotations

from seqform.methods.regret import RegretMinimization
from seqform.solvers.iterative.regret.rules import RegretRule

RULE = RegretRule("quadratic-cfr", alpha=2.0, beta=2.0, gamma=2.0)

QUADRATIC_CFR = RegretMinimization(RULE, "CFR with weights t^2 on regrets and strategies")
