"""The loops of regret minimization over two treeplexes, compiled on a small game.

Its process does nothing else; see `seqform.base.compile_ahead`.
"""

from __future__ import annotations

from seqform.base.array_file import Arrays
from seqform.base.child_process import Record
from seqform.form.from_tree import build_sequence_form
from seqform.game.catalogue import make
from seqform.solvers.iterative.regret.rules import rule
from seqform.solvers.iterative.regret.treeplex_engine import TreeplexEngine
from seqform.tree.from_any import build_tree


def compile_loops(_record: Record, _arrays: Arrays) -> tuple[Record, Arrays]:
    """Compile by using the loops for an iteration of a small game."""
    engine = TreeplexEngine(build_sequence_form(build_tree(make("kuhn"))), rule("dcfr"))
    engine.use_loops()
    engine.run(1)
    engine.bounds()
    return {}, {}
