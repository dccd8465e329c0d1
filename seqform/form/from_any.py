"""From any kind of game to its sequence form."""

from __future__ import annotations

from typing import TypeAlias

from seqform.form.from_tree import build_sequence_form
from seqform.form.protocol import Form
from seqform.form.sequence_form import SequenceForm
from seqform.game.kinds import listed
from seqform.tree.from_any import AnyGame, build_tree

Formed: TypeAlias = AnyGame | SequenceForm | Form
"""A game in any shape: its rules, a tree, a signal game, or a sequence form, however it is held."""


def form_by_tree(game: AnyGame | SequenceForm, max_nodes: int | None = None) -> SequenceForm:
    """Return the sequence form of a game by its tree; one that is there already as it is.

    Raises
    ------
    InvalidGameError
        If it is no game.
    GameTooLargeError
        If its tree has more than `max_nodes` nodes.
    """
    if isinstance(game, SequenceForm):
        return game
    return build_sequence_form(build_tree(game, max_nodes))


def form_from(game: Formed, max_nodes: int | None = None) -> SequenceForm:
    """Return the sequence form of a whole game, without its tree if that is too large.

    Parameters
    ----------
    game
        Rules, a tree, a signal game, or a form: one that lists its sequences is returned as it is.
    max_nodes
        The largest tree to build.

    Raises
    ------
    InvalidGameError
        If it is none of these.
    GameTooLargeError
        If its tree is too large, and it deals no signals.
    """
    known: AnyGame | SequenceForm = listed(game)
    if isinstance(known, SequenceForm):
        return known
    from seqform.form.counts_from_signals import is_too_large

    if is_too_large(known, max_nodes):
        from seqform.form.whole_form import whole_form
        from seqform.game.observations import SignalStructure

        return whole_form(SignalStructure(known))  # type: ignore[arg-type]
    return build_sequence_form(build_tree(known, max_nodes))
