"""seqform: exact, fast and certified equilibria of extensive-form games.

Everything public is reached lazily from here, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqform.lazy import attributes

__version__ = "0.1.0"

_HOME = {
    "CHANCE": "protocol",
    "TERMINAL": "protocol",
    "Certificate": "certificate",
    "Deck": "deals",
    "Game": "protocol",
    "GameTree": "tree",
    "SequenceForm": "sequence_form",
    "SeqformError": "errors",
    "SignalGame": "signal_game",
    "Solution": "solution",
    "Status": "solution",
    "TreeBuilder": "builder",
    "Treeplex": "treeplex",
    "assemble": "assembly",
    "best_response": "evaluate",
    "build_tree": "build",
    "certify": "certificate",
    "expand": "expansion",
    "expected_values": "evaluate",
    "build_sequence_form": "sequence_form",
    "solve": "pipeline",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from seqform.assembly import assemble as assemble
    from seqform.build import build_tree as build_tree
    from seqform.builder import TreeBuilder as TreeBuilder
    from seqform.certificate import Certificate as Certificate
    from seqform.certificate import certify as certify
    from seqform.deals import Deck as Deck
    from seqform.errors import SeqformError as SeqformError
    from seqform.evaluate import best_response as best_response
    from seqform.evaluate import expected_values as expected_values
    from seqform.expansion import expand as expand
    from seqform.pipeline import solve as solve
    from seqform.protocol import CHANCE as CHANCE
    from seqform.protocol import TERMINAL as TERMINAL
    from seqform.protocol import Game as Game
    from seqform.sequence_form import SequenceForm as SequenceForm
    from seqform.sequence_form import build_sequence_form as build_sequence_form
    from seqform.signal_game import SignalGame as SignalGame
    from seqform.solution import Solution as Solution
    from seqform.solution import Status as Status
    from seqform.tree import GameTree as GameTree
    from seqform.treeplex import Treeplex as Treeplex

__getattr__ = attributes(__name__, _HOME)
