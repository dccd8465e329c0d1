"""Perfect information: backward induction, minimax and alpha-beta, on rules or trees.

Reached lazily from here: only what goes through whole trees at once loads numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.lazy import attributes

_HOME = {
    "Decision": "decision",
    "Induction": "induction",
    "OneShotCertificate": "one_shot",
    "SearchProgress": "result",
    "SearchResult": "result",
    "TreeInduction": "tree_induction",
    "alpha_beta": "search",
    "backward_induction": "induction",
    "backward_induction_tree": "tree_induction",
    "check_one_shot": "one_shot",
    "minimax": "search",
    "pure_equilibria": "equilibria",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.perfect_information.decision import Decision as Decision
    from seqform.perfect_information.equilibria import pure_equilibria as pure_equilibria
    from seqform.perfect_information.induction import Induction as Induction
    from seqform.perfect_information.induction import backward_induction as backward_induction
    from seqform.perfect_information.one_shot import OneShotCertificate as OneShotCertificate
    from seqform.perfect_information.one_shot import check_one_shot as check_one_shot
    from seqform.perfect_information.result import SearchProgress as SearchProgress
    from seqform.perfect_information.result import SearchResult as SearchResult
    from seqform.perfect_information.search import alpha_beta as alpha_beta
    from seqform.perfect_information.search import minimax as minimax
    from seqform.perfect_information.tree_induction import TreeInduction as TreeInduction
    from seqform.perfect_information.tree_induction import (
        backward_induction_tree as backward_induction_tree,
    )

__getattr__ = attributes(__name__, _HOME)
