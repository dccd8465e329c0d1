"""In which way a game is held, and whether an answer is a profile: asked without loading either.

A search through the rules of a game needs no arrays, and loads none. So the classes of forms, trees
and profiles, which need them, have bases here that have nothing.
"""

from __future__ import annotations

from typing import Any


class FormKind:
    """The base of `SequenceForm`."""


class TreeKind:
    """The base of `GameTree`."""


class ProfileKind:
    """The base of `Profile`."""


def is_form(value: object) -> bool:
    """Return whether something is a `SequenceForm`."""
    return isinstance(value, FormKind)


def is_tree(value: object) -> bool:
    """Return whether something is a `GameTree`."""
    return isinstance(value, TreeKind)


def is_profile(value: object) -> bool:
    """Return whether something is a `Profile`."""
    return isinstance(value, ProfileKind)


def is_other_form(value: object) -> bool:
    """Return whether something is a form in another representation than a `SequenceForm`.

    It has what `seqform.form.protocol.Form` lists.
    """
    return not is_form(value) and callable(getattr(value, "explicit", None))


def listed(game: Any) -> Any:
    """Return the explicit form of a game in another representation; any other game as it is."""
    return game.explicit() if is_other_form(game) else game


def is_signal_game(value: object) -> bool:
    """Return whether something is a `SignalGame`; users' classes of that kind have no base."""
    if not hasattr(value, "deck"):
        return False
    from seqform.game.signals import SignalGame  # it loads numpy, and so has a deck

    return isinstance(value, SignalGame)
