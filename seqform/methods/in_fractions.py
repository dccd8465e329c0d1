"""Equilibria in fractions of games too large for them: refused, with what would be taken."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from seqform.base.errors import GameTooLargeError
from seqform.methods.refine import BY_BEHAVIOR, BY_BEHAVIOR_UP_TO, UNDOMINATED

if TYPE_CHECKING:
    from seqform.base.need import Need
    from seqform.form.sequence_form import SequenceForm


def require_in_fractions(
    form: SequenceForm, need: Need, refine: str | None, family: bool = False
) -> None:
    """Refuse what takes too long, or too much memory, before the game is solved.

    Parameters
    ----------
    form
        The game as it would be solved.
    need
        What an equilibrium in fractions takes, before it is refined.
    refine, family
        The refinement that was asked for, by name, and whether all equilibria were.

    Raises
    ------
    GameTooLargeError
        If there is too little memory or time; or if it is extensive-form perfect equilibria of more
        than `BY_BEHAVIOR_UP_TO` rows.
    """
    instead = otherwise(form, need, refine, family)
    size = sum(1 + t.num_infosets + t.num_sequences for t in form.treeplexes)
    if refine == BY_BEHAVIOR and size > BY_BEHAVIOR_UP_TO:
        raise GameTooLargeError(
            "extensive-form perfect equilibria are found where both players have up to "
            f"{BY_BEHAVIOR_UP_TO} sequences and constraints, and this game has {size:,}; {instead}"
        )
    replace(need, instead=instead).require()


def otherwise(form: SequenceForm, need: Need, refine: str | None, family: bool = False) -> str:
    """Return what to ask for instead: another refinement, classes of hands, or no fractions."""
    if refine and need.is_met:
        return "use refine='quasi-perfect'"
    if form.origin.hands is not None:
        from seqform.form.merged_hands import merges_hands

        if merges_hands(form):
            return _by_classes(refine, family)
    asked = "refine" if refine else "family" if family else "exact"
    return f"leave out {asked}=, and {need.instead}"


def _by_classes(refine: str | None, family: bool) -> str:
    """Return what classes of hands can be asked for: one equilibrium, maybe an undominated one."""
    classes = "use method='lp' on classes of hands (abstract='equitable')"
    if family:
        return f"{classes} and exact=True, for one equilibrium instead of all"
    return f"{classes} and refine={UNDOMINATED!r}" if refine else classes
