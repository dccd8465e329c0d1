"""seqform: exact, fast and certified equilibria of extensive-form games.

Everything public is reached lazily from here, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.base.lazy import attributes

__version__ = "0.1.0"

_HOME = {
    "CHANCE": "game.rules",
    "TERMINAL": "game.rules",
    "Certificate": "concepts.concept",
    "Deck": "game.deals",
    "Game": "game.rules",
    "GameTree": "tree.tree",
    "SequenceForm": "form.sequence_form",
    "SeqformError": "base.errors",
    "SignalGame": "game.signals",
    "Solution": "results.solution",
    "Status": "results.solution",
    "TreeBuilder": "tree.builder",
    "Treeplex": "form.treeplex",
    "assemble": "tree.from_signals",
    "best_response": "concepts.best_response",
    "build_tree": "tree.from_any",
    "certify": "concepts.nash",
    "expand": "tree.from_rules",
    "expected_values": "concepts.best_response",
    "build_sequence_form": "form.sequence_form",
    "make": "game.catalogue",
    "solve": "methods.solve",
    "verify": "results.folder",
    "load": "results.folder",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.base.errors import SeqformError as SeqformError
    from seqform.concepts.best_response import best_response as best_response
    from seqform.concepts.best_response import expected_values as expected_values
    from seqform.concepts.nash import Certificate as Certificate
    from seqform.concepts.nash import certify as certify
    from seqform.form.sequence_form import SequenceForm as SequenceForm
    from seqform.form.sequence_form import build_sequence_form as build_sequence_form
    from seqform.form.treeplex import Treeplex as Treeplex
    from seqform.game.catalogue import make as make
    from seqform.game.deals import Deck as Deck
    from seqform.game.rules import CHANCE as CHANCE
    from seqform.game.rules import TERMINAL as TERMINAL
    from seqform.game.rules import Game as Game
    from seqform.game.signals import SignalGame as SignalGame
    from seqform.methods.solve import solve as solve
    from seqform.results.solution import Solution as Solution
    from seqform.results.solution import Status as Status
    from seqform.tree.builder import TreeBuilder as TreeBuilder
    from seqform.tree.from_any import build_tree as build_tree
    from seqform.tree.from_rules import expand as expand
    from seqform.tree.from_signals import assemble as assemble
    from seqform.tree.tree import GameTree as GameTree

__getattr__ = attributes(__name__, _HOME)
