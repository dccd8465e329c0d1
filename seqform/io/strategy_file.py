"""Strategies from files of any kind, as the command line takes them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from seqform.base.errors import InvalidStrategyError, ResultFileError
from seqform.concepts.nash import KEPT, STRATEGY
from seqform.form.keepers import keeping_of
from seqform.form.keeping import Kept
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.form.signal_strategy import SignalStrategy
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame
from seqform.io.gambit_profile import gambit_profiles
from seqform.io.open_spiel_policy import policy_of_json
from seqform.strategies.as_profile import profile_of
from seqform.strategies.given import RULES, GivenStrategy
from seqform.strategies.given_files import Pairs, read_json
from seqform.strategies.mixed import is_table_of_mixtures, read_mixtures
from seqform.strategies.read_given import read_given

PICKLES = (".pkl", ".pickle", ".p")


def read_strategy(path: Path | str, form: SequenceForm) -> GivenStrategy | Kept:
    """Return the strategy that a file, or the folder of a saved result, holds.

    Parameters
    ----------
    path
        A table .csv or a .json (`seqform.strategies.read_given`), a table .csv of mixed strategies
        (`seqform.strategies.mixed`), one of OpenSpiel's policies as .json
        (`seqform.io.open_spiel_policy`), a .npz of classes of hands, what a program of Gambit
        printed, or a folder that `Solution.save` wrote. The claims of a saved result are not
        verified: what its strategy is worth is computed anew.
    form
        The game.

    Raises
    ------
    ResultFileError
        If it is missing, damaged or of no such kind.
    InvalidStrategyError
        If it is not of this game.
    """
    path = Path(path)
    if os.path.isdir(path):
        return _of_folder(path, form)
    suffix = path.suffix.lower()
    if suffix in PICKLES or _is_pickle(path):
        raise ResultFileError(
            f"{path} is a pickle, which could run any code when it is read; write the policy as "
            '.json: {"information state": {"action": probability}}'
        )
    if suffix == ".csv":
        return read_mixtures(path, form) if is_table_of_mixtures(path) else read_given(path, form)
    if suffix == ".json":
        content = read_json(path)
        return (
            policy_of_json(path, content, form) if _is_policy(content) else read_given(path, form)
        )
    if suffix == ".npz":
        return _kept(path, form)
    return _of_gambit(path, form)


def read_model(path: Path | str, form: SequenceForm) -> Path | GivenStrategy | Kept:
    """Return what a file says of a player, as `seqform.exploit` takes it.

    A table, or JSON by players, stays a file: there it is read in fractions, and may leave
    something open. Anything else is read as by `read_strategy`, with the same errors.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if os.path.isdir(path) or suffix not in (".csv", ".json"):
        return read_strategy(path, form)
    is_policy = suffix == ".json" and _is_policy(read_json(path))
    return read_strategy(path, form) if is_policy else path


def read_rule(rule: str, form: SequenceForm, rules: Sequence[str] = RULES) -> str | Profile:
    """Return a rule by which strategies are completed; see `GivenStrategy.completed`.

    Parameters
    ----------
    rule
        The name of one, or a file or folder with a complete strategy, which `read_strategy` reads.
    form
        The game.
    rules
        The names.

    Raises
    ------
    InvalidStrategyError
        If the strategy says nothing of some information set.
    """
    if rule in rules:
        return rule
    try:
        return profile_of(form, read_strategy(rule, form), "refuse")
    except (ResultFileError, InvalidStrategyError) as error:
        raise type(error)(
            f"complete={rule!r} is neither {' nor '.join(rules)}, nor a complete strategy: {error}"
        ) from None


def _of_folder(folder: Path, form: SequenceForm) -> GivenStrategy | Kept:
    if os.path.exists(folder / KEPT):
        return _kept(folder / KEPT, form)
    if os.path.exists(folder / STRATEGY):
        return read_given(folder / STRATEGY, form, patterns=False)
    raise ResultFileError(
        f"{folder} holds no strategy: neither {STRATEGY} nor {KEPT}; give a folder that "
        "`seqform solve --out` wrote, or a file"
    )


def read_signal_strategy(path: Path | str, game: SignalGame) -> SignalStrategy:
    """Return the strategy by classes of hands that a file or folder holds.

    Nothing is built of the whole game but the table of its deals.

    Raises
    ------
    ResultFileError
        If it is missing, damaged, or of another game.
    """
    path = Path(path)
    if os.path.isdir(path):
        path = path / KEPT
    if path.suffix.lower() != ".npz":
        raise ResultFileError(
            f"{path}: a strategy of a game too large for a tree is a folder that `seqform solve "
            "--out` wrote, or its strategy.npz"
        )
    return SignalStrategy.load(path, SignalStructure(game))


def _kept(path: Path, form: SequenceForm) -> Kept:
    """Return strategies that were written as their form keeps them."""
    keeping = keeping_of(form)
    if keeping is None:
        raise InvalidStrategyError(
            f"{path} holds a strategy by classes of hands, which is of a signal game too large for "
            "a tree; here the tree was built: give the game of the result, with its parameters"
        )
    return keeping.load(path)


def _of_gambit(path: Path, form: SequenceForm) -> GivenStrategy:
    found = gambit_profiles(path, form)
    if len(found) > 1:
        raise ResultFileError(
            f"{path} holds {len(found)} profiles; keep the line of one of them, or take them in "
            "Python (seqform.io.gambit_profiles)"
        )
    return found[0]


def _is_policy(content: object) -> bool:
    """Return whether JSON is by information states, and not by players first."""
    if not isinstance(content, Pairs) or not content:
        return False
    _, inner = content[0]
    if not isinstance(inner, Pairs):
        return isinstance(inner, list)
    return bool(inner) and not isinstance(inner[0][1], Pairs)


def _is_pickle(path: Path) -> bool:
    """Return whether a file begins as pickles of protocol 2 and later do."""
    try:
        with path.open("rb") as file:
            return file.read(1) == b"\x80"
    except OSError:
        return False
