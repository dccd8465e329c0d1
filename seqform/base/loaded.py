"""Whether something is of a type whose module may not be loaded, and then need not be."""

from __future__ import annotations

import sys


def is_a(value: object, module: str, name: str) -> bool:
    """Return ``isinstance(value, module.name)`` without importing the module.

    If nobody has imported it, there are no instances.

    Examples
    --------
    >>> is_a(1, "seqform.form.profile", "Profile")
    False
    """
    loaded = sys.modules.get(module)
    return loaded is not None and isinstance(value, getattr(loaded, name))


def is_form(value: object) -> bool:
    """Return whether something is a `SequenceForm`."""
    return is_a(value, "seqform.form.sequence_form", "SequenceForm")


def is_zero_sum_form(value: object) -> bool:
    """Return whether something is a `ZeroSumForm`: two players, and a constant sum."""
    return is_a(value, "seqform.form.sequence_form", "ZeroSumForm")


def is_tree(value: object) -> bool:
    """Return whether something is a `GameTree`."""
    return is_a(value, "seqform.tree.tree", "GameTree")


def is_signal_game(value: object) -> bool:
    """Return whether something is a `SignalGame`, which has a `Deck`."""
    if "seqform.game.deals" not in sys.modules:
        return False
    from importlib import import_module

    return isinstance(value, import_module("seqform.game.signals").SignalGame)
