"""Where reductions were found before `seqform.links`: plug-ins of earlier versions import it."""

from __future__ import annotations

from seqform.links.chain import check_threshold, reduce, reduction_of
from seqform.links.lifting import compose, lift_profile
from seqform.links.link import (
    EXACTLY,
    REDUCTIONS,
    Inverse,
    LiftsByClasses,
    Reduction,
    ReductionOptions,
    SequenceMap,
)
from seqform.results.lift import lift

__all__ = [
    "EXACTLY",
    "REDUCTIONS",
    "Inverse",
    "LiftsByClasses",
    "Reduction",
    "ReductionOptions",
    "SequenceMap",
    "check_threshold",
    "compose",
    "lift",
    "lift_profile",
    "reduce",
    "reduction_of",
]
