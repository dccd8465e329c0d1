"""Mixed strategies as they are given: mixtures over reduced pure strategies, played move by move.

With perfect recall a mixture plays like one behaviour strategy (Kuhn, "Extensive games and the
problem of information", 1953, Theorem 4): each action is as likely as the pure strategies that take
it, among those that come there. Where none of them comes, nothing is said.

A table has a line for each pure strategy that is played::

    player,strategy,probability
    0,12*,1/3
    0,211,2/3

Strategies are called as `NormalForm.name` and ``seqform convert GAME game.nfg`` call them: the
places of actions from 1 on, in the order of the information sets, a star where they exclude one.
A player who moves in one information set only may be given names of actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from seqform.base.arrays import Mask
from seqform.base.csv_table import cells_under, header_of, read_rows
from seqform.base.errors import ImperfectRecallError, InvalidStrategyError
from seqform.base.number import plain
from seqform.base.summary import counted
from seqform.form.from_tree import build_sequence_form
from seqform.form.mixed_strategy import MixedStrategy
from seqform.form.names import player_number
from seqform.form.sequence_form import SequenceForm
from seqform.strategies.exactly import as_fraction
from seqform.strategies.given import GivenStrategy
from seqform.strategies.given_rows import probability
from seqform.strategies.given_sums import ROUNDING, checked

COLUMNS = ("player", "strategy", "probability")


def is_table_of_mixtures(path: Path) -> bool:
    """Return whether a table .csv is one of pure strategies, by its header."""
    columns = header_of(read_rows(path))
    return "strategy" in columns and "infoset" not in columns


def read_mixtures(path: Path, form: SequenceForm) -> GivenStrategy:
    """Read mixed strategies from a table; see above.

    Raises
    ------
    ResultFileError
        If the file is missing, or no such table.
    InvalidStrategyError
        If it names a player or a strategy that the game does not have, or one twice; if its
        probabilities are none; or if a player forgets.
    """
    expected = f"mixed strategies have {','.join(COLUMNS)}"
    plans: list[dict[bytes, tuple[Mask, Any]]] = [{} for _ in form.treeplexes]
    for where, (player, name, said) in cells_under(path, read_rows(path), COLUMNS, expected):
        try:
            number = player_number(player, form.num_players, form.player_names)
            plan = pure_plan(form, number, name)
            probability(said)
            if plan.tobytes() in plans[number]:
                raise InvalidStrategyError(f"player {number}: {name!r} is given twice")
            plans[number][plan.tobytes()] = plan, said
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"{where}{error}") from None
    mixtures = [
        MixedStrategy(
            np.array([plan for plan, _ in of.values()]), weights([w for _, w in of.values()])
        )
        if of
        else None
        for of in plans
    ]
    return given_from_mixtures(form, mixtures)


def given_from_mixtures(
    form: SequenceForm, mixtures: Sequence[MixedStrategy | None]
) -> GivenStrategy:
    """Return the behaviour strategies that mixtures play like; exact where their weights are.

    Parameters
    ----------
    mixtures
        For each player, such as `NormalForm.mixed` makes; None says nothing of a player.

    Raises
    ------
    InvalidStrategyError
        If they are not of this game, or weights are no probabilities, or a player forgets.
    """
    require_recall(form)
    if len(mixtures) != form.num_players:
        raise InvalidStrategyError(
            f"{counted(len(mixtures), 'mixed strategy', 'mixed strategies')} given for "
            f"{counted(form.num_players, 'player')}"
        )
    exact: list[list[Fraction | None]] = [[None] * t.num_sequences for t in form.treeplexes]
    behaviors = [np.full(t.num_sequences, np.nan) for t in form.treeplexes]
    for player, mixture in enumerate(mixtures):
        if mixture is None:
            continue
        treeplex = form.treeplexes[player]
        if mixture.plans.shape[1:] != (treeplex.num_sequences,):
            raise InvalidStrategyError(f"player {player}: the mixed strategy is of another game")
        try:
            plan = mixture.to_plan().tolist()
        except InvalidStrategyError as error:
            raise InvalidStrategyError(f"player {player}: {error}") from None
        for sequence, parent in enumerate(treeplex.sequence_parent.tolist()):
            if parent >= 0 and plan[parent]:
                share = plan[sequence] / plan[parent]
                behaviors[player][sequence] = float(share)
                exact[player][sequence] = as_fraction(share)
    return checked(form, behaviors, exact=exact)


def require_recall(form: SequenceForm) -> None:
    """See that every mixture plays like a behaviour strategy.

    Raises
    ------
    InvalidStrategyError
        If a player forgets.
    """
    why = "information sets are merged so that a player forgets" if form.merged else ""
    if form.tree is not None and not why:
        try:
            build_sequence_form(form.tree)
        except ImperfectRecallError as error:
            why = str(error.args[0])
    if why:
        raise InvalidStrategyError(
            "a mixed strategy plays like a behaviour strategy if nobody forgets (Kuhn's theorem), "
            f"and here {why}"
        )


def weights(given: Sequence[Any]) -> Any:
    """Return weights as fractions if all are given so, else as floats; rounding is undone."""
    exact = [as_fraction(number) for number in given]
    found = [number for number in exact if number is not None]
    if len(found) == len(exact) and sum(found) == 1:
        numbers = np.empty(len(found), dtype=object)
        numbers[:] = found
        return numbers
    floats = np.array([probability(number) for number in given])
    total = float(floats.sum())
    return floats / total if abs(total - 1) <= ROUNDING else floats


def pure_plan(form: SequenceForm, player: int, name: str) -> Mask:
    """Return the plan of the reduced pure strategy of a name, bool (num_sequences,).

    Raises
    ------
    InvalidStrategyError
        If the player has none of that name.
    """
    treeplex, text = form.treeplexes[player], str(name).strip()
    first = treeplex.first_sequence.tolist()
    plan = np.zeros(treeplex.num_sequences, dtype=np.bool_)
    plan[0] = True
    if treeplex.num_infosets == 1:
        actions = list(map(str, form.actions(player, 0)))
        if text in actions:
            plan[1 + actions.index(text)] = True
            return plan
    places = text.split(".") if treeplex.most_actions > 9 else list(text)
    fits = len(places) == treeplex.num_infosets or (not treeplex.num_infosets and text == "*")
    for infoset, place in enumerate(places if fits and treeplex.num_infosets else ()):
        comes = bool(plan[treeplex.parent_sequence[infoset]])
        count = first[infoset + 1] - first[infoset]
        fits &= place == "*" if not comes else place.isdecimal() and 1 <= int(place) <= count
        if fits and comes:
            plan[first[infoset] + int(place) - 1] = True
    if not fits:
        how = (
            f"use {', '.join(map(str, form.actions(player, 0)))}"
            if treeplex.num_infosets == 1
            else f"give the places of its actions, from 1 on, in {treeplex.num_infosets} "
            "information sets, and a star in those that it excludes"
        )
        raise InvalidStrategyError(
            f"player {player} has no reduced pure strategy {plain(name)}: {how}"
        )
    return plan


def plan_name(form: SequenceForm, player: int, plan: Mask) -> str:
    """Return the name of a reduced pure strategy, as `pure_plan` reads it.

    That of the action where the player moves in one information set only.
    """
    treeplex = form.treeplexes[player]
    played = np.flatnonzero(plan)[1:]
    infosets = treeplex.infoset_of[played].tolist()
    if treeplex.num_infosets == 1:
        return str(form.actions(player, 0)[int(played[0]) - 1])
    places = ["*"] * treeplex.num_infosets
    for infoset, sequence in zip(infosets, played.tolist(), strict=True):
        places[infoset] = str(1 + sequence - int(treeplex.first_sequence[infoset]))
    return ("." if treeplex.most_actions > 9 else "").join(places) or "*"
