"""The sequence form of a game of hands, whose vectors and entries may never be made."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import perm
from typing import TYPE_CHECKING

import numpy as np

from seqform.form.hand_boards import HandBoards
from seqform.form.hand_numbering import CountedHands, HandNumbering
from seqform.form.hand_origin import HandOrigin
from seqform.form.hand_payoff import HandPayoff
from seqform.form.hand_payoffs import HandPayoffs
from seqform.form.payoff import ZeroSumPayoffs
from seqform.form.profile import Profile
from seqform.form.protocol import Passage
from seqform.form.sequence_form import SequenceForm, ZeroSumForm

if TYPE_CHECKING:
    from seqform.form.hand_structure import HandStructure
    from seqform.form.hands import HandGame


class HandForm(ZeroSumForm):
    """The sequence form of a game of hands in which payoffs have a constant sum."""

    @property
    def payoff(self) -> HandPayoff:
        """Player 0's payoffs, with boards and numbering."""
        operator = self.operator
        if not isinstance(operator, HandPayoff):
            raise TypeError("the operator of this form was exchanged")
        return operator

    @property
    def structure(self) -> HandStructure:
        """The game."""
        return self.payoff.boards.structure

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile: by boards where it is kept so."""
        found = _by_boards(self, profile)
        return super().through(profile, in_integers=in_integers) if found is None else found

    def judged(self, profile: Profile) -> Passage:
        """Return that where nobody asks which board is which."""
        found = _by_boards(self, profile, folds=True)
        return super().judged(profile) if found is None else found


class GeneralHandForm(SequenceForm):
    """The sequence form of a game of hands in which payoffs add up to different amounts."""

    @property
    def structure(self) -> HandStructure:
        """The game."""
        payoffs = self.payoffs
        if not isinstance(payoffs, HandPayoffs):
            raise TypeError("the payoffs of this form were exchanged")
        return payoffs.operators[0].boards.structure

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile: by boards where it is kept so."""
        found = _by_boards(self, profile)
        return super().through(profile, in_integers=in_integers) if found is None else found

    def judged(self, profile: Profile) -> Passage:
        """Return that where nobody asks which board is which."""
        found = _by_boards(self, profile, folds=True)
        return super().judged(profile) if found is None else found


@dataclass(frozen=True, eq=False, repr=False)
class SecurityHandForm(HandForm):
    """A game of hands in which the other player pays what one is paid, whatever it gets itself.

    What the one secures against anybody is its value.

    Parameters
    ----------
    payee
        Who is paid as in the game.
    """

    payee: int = field(kw_only=True)

    def through(self, profile: Profile, *, in_integers: bool = False) -> Passage:
        """Return how the form is gone through for a profile: by boards where it is kept so."""
        found = _by_boards(self, profile, self.payee)
        if found is None:
            return ZeroSumForm.through(self, profile, in_integers=in_integers)
        return found

    def judged(self, profile: Profile) -> Passage:
        """Return that where nobody asks which board is which."""
        found = _by_boards(self, profile, self.payee, folds=True)
        return self.through(profile) if found is None else found


def security_form(form: GeneralHandForm, player: int) -> SecurityHandForm:
    """Return the game in which the other player pays what a player is paid."""
    payoffs = form.payoffs
    if not isinstance(payoffs, HandPayoffs):
        raise TypeError("the payoffs of this form were exchanged")
    operator = payoffs.operators[player]
    return SecurityHandForm(
        treeplexes=form.treeplexes,
        payoffs=ZeroSumPayoffs(operator if player == 0 else operator.negated(), 0),
        origin=form.origin,
        unit=form.unit,
        largest_payoff=form.largest_payoff,
        num_nodes=form.num_nodes,
        payee=player,
    )


def _by_boards(
    form: HandForm | GeneralHandForm, profile: Profile, payee: int = 0, folds: bool = False
) -> Passage | None:
    """Return how a form is gone through by boards; None where a profile is not kept so.

    With `folds` boards may be gone through once that strategies play alike.
    """
    from seqform.form.hand_strategy import HandStrategy

    kept = profile.kept
    if not isinstance(kept, HandStrategy) or not kept.is_of(form.structure):
        return None
    from seqform.form.folded_hand_passage import folded
    from seqform.form.hand_passage import HandPassage

    return (folded if folds else HandPassage)(form, kept, payee)


def hand_form(game: HandGame) -> SequenceForm:
    """Return the sequence form of a game of hands.

    Where payoffs have no constant sum, as with rake, each player's are products of their own.
    """
    boards = HandBoards(game)
    players = HandNumbering(boards, 0), HandNumbering(boards, 1)
    of_game = {
        "treeplexes": (CountedHands(players[0]), CountedHands(players[1])),
        "origin": HandOrigin(boards, players),
        "unit": game.unit,
        "largest_payoff": _largest_payoff(game),
        "num_nodes": _count_nodes(boards),
    }
    if game.constant_sum is None:
        both = HandPayoffs.of(boards, players)
        return GeneralHandForm(payoffs=both, **of_game)  # type: ignore[arg-type]
    payoffs = ZeroSumPayoffs(HandPayoff(boards, players), game.constant_sum)
    return HandForm(payoffs=payoffs, **of_game)  # type: ignore[arg-type]


def _largest_payoff(game: HandGame) -> float:
    return float(np.abs(game.betting.paid).max(initial=0)) / game.betting.denominator


def _count_nodes(boards: HandBoards) -> int:
    """Return the nodes of the game's tree: the root, where both hands are dealt, and all deals."""
    game, shared = boards.game, boards.structure.shared[0]
    pairs = int(shared.num_disjoint().sum())
    return 1 + pairs * sum(perm(game.cards_left, count) for count in game.betting.dealt.tolist())
