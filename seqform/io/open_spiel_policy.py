"""OpenSpiel's policies as strategies: by information state, and the numbers of actions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.base.number import plain
from seqform.form.sequence_form import SequenceForm
from seqform.io.open_spiel_traversal import Move
from seqform.strategies.given import GivenStrategy
from seqform.strategies.given_files import Pairs, read_json
from seqform.strategies.given_rows import GivenRow
from seqform.strategies.read_given import collect

NEEDED = (
    "give a TabularPolicy of pyspiel or of open_spiel.python, another policy of the latter, or "
    "{information state: {action: probability}}"
)


def from_open_spiel_policy(policy: Any, form: SequenceForm) -> GivenStrategy:
    """Return a policy of OpenSpiel as a strategy.

    Parameters
    ----------
    policy
        A tabular policy of pyspiel or of `open_spiel.python.policy`; another policy of the latter,
        which is asked for every state; or a mapping from information states to the probabilities
        of actions, or to pairs of action and probability. Actions are OpenSpiel's numbers, or
        their names. An action that is left out has no probability.
    form
        The game: of a tree that `from_open_spiel` made.

    Raises
    ------
    InvalidStrategyError
        If it names an information state or action that the game does not have, or if its
        probabilities are none.
    """
    table = _table(policy)
    return collect(form, _lines(form, table, ""), patterns=False)


def read_open_spiel_policy(path: Path | str, form: SequenceForm) -> GivenStrategy:
    """Read ``{information state: {action: probability}}`` from a file .json.

    Raises
    ------
    ResultFileError
        If it is missing, or not that.
    InvalidStrategyError
        As `from_open_spiel_policy`.
    """
    path = Path(path)
    return policy_of_json(path, read_json(path), form)


def policy_of_json(path: Path, content: Any, form: SequenceForm) -> GivenStrategy:
    """Return the policy that a JSON file holds; see `read_open_spiel_policy`."""
    if not isinstance(content, Pairs):
        raise ResultFileError(f"{path} is no object: {NEEDED}")
    seen: set[str] = set()
    for state, _ in content:
        if state in seen:
            raise InvalidStrategyError(f"{path}: the information state {state!r} is given twice")
        seen.add(state)
    return collect(form, _lines(form, dict(content), f"{path}: "), patterns=False)


def _table(policy: Any) -> Mapping[Any, Any]:
    """Return a policy by information states."""
    if isinstance(policy, Mapping):
        return policy
    if hasattr(policy, "policy_table"):  # of pyspiel
        return policy.policy_table()  # type: ignore[no-any-return]
    if hasattr(policy, "to_tabular"):  # of open_spiel.python
        tabular = policy.to_tabular()
        return {
            state: dict(enumerate(tabular.policy_for_key(state))) for state in tabular.state_lookup
        }
    raise InvalidStrategyError(f"{type(policy).__name__} is no policy of OpenSpiel: {NEEDED}")


def _lines(form: SequenceForm, table: Mapping[Any, Any], where: str) -> Iterator[GivenRow]:
    """Yield what a table says of each action of the information sets that it has."""
    places: dict[str, list[tuple[int, int]]] = {}
    for player, treeplex in enumerate(form.treeplexes):
        for infoset in range(treeplex.num_infosets):
            name = str(form.infoset_label(player, infoset))
            places.setdefault(name, []).append((player, infoset))
    for state, said in table.items():
        of = f"{where}information state {plain(state)}"
        if str(state) not in places:
            raise InvalidStrategyError(f"{of}: the game has none of that name")
        for player, infoset in places[str(state)]:  # policies do not tell players apart
            actions = form.actions(player, infoset)
            label = form.infoset_label(player, infoset)
            for action, number in _given(actions, said, of).items():
                yield GivenRow(player, label, action, number, where)


def _given(actions: Sequence[Hashable], said: Any, of: str) -> dict[Hashable, Any]:
    """Return the probability of each action; 0 of one that is left out."""
    known = {key: action for action in actions for key in _keys(action)}
    given: dict[Hashable, Any] = dict.fromkeys(actions, 0)
    for key, number in _choices(said, of):
        if key in known:
            given[known[key]] = number
        elif number:
            listed = ", ".join(map(str, actions))
            raise InvalidStrategyError(f"{of} has no action {plain(key)}; use {listed}")
    return given


def _choices(said: Any, of: str) -> list[tuple[str, Any]]:
    """Return actions, as text, and their probabilities; none may come twice."""
    try:
        pairs = said.items() if isinstance(said, Mapping) else said
        found = [(str(action), number) for action, number in pairs]
    except (TypeError, ValueError):
        raise InvalidStrategyError(f"{of}: {plain(said)} says no probability of each action") from (
            None
        )
    names = [action for action, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidStrategyError(f"{of}: the action {twice!r} is given twice")
    return found


def _keys(action: Hashable) -> tuple[str, ...]:
    """Return how an action may be called."""
    return (str(action.action), action.name) if isinstance(action, Move) else (str(action),)
