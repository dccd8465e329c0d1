"""Saved results: a folder with `result.json`, `strategy.csv` and `game.npz`, and its verification from these alone.

Where something was proven in exact arithmetic there is a `certificate.json` too.
"""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seqform.base.errors import ResultFileError, VerificationError
from seqform.base.number import fraction_text
from seqform.base.provenance import provenance
from seqform.concepts.nash import Certificate, certify
from seqform.form.from_tree import build_sequence_form
from seqform.form.profile import Profile
from seqform.form.sequence_form import SequenceForm
from seqform.game.observations import SignalStructure
from seqform.game.signals import SignalGame
from seqform.results.signal_strategy import SignalStrategy
from seqform.results.solution import Solution
from seqform.tree.file import fingerprint, load_tree, save_tree
from seqform.tree.from_any import AnyGame
from seqform.tree.tree import GameTree

if TYPE_CHECKING:
    from seqform.exact.certificate_file import Proof
    from seqform.exact.interval import ProvenInterval

RESULT, STRATEGY, GAME, SIGNALS, CERTIFICATE = (
    "result.json",
    "strategy.csv",
    "game.npz",
    "strategy.npz",
    "certificate.json",
)
COLUMNS = ("player", "infoset", "action", "probability", "reach")
VERSION = 1

CLAIM_TOLERANCE = 1e-12
"""Re-computed numbers may differ from the claimed ones by this share of the largest payoff: another
machine rounds otherwise."""


@dataclass(frozen=True)
class Verified:
    """What verification found: the claims, and the certificate made afresh; so are the exact proofs, where they are claimed."""

    claims: dict[str, Any]
    certificate: Certificate
    proven: ProvenInterval | None = None
    exact: Proof | None = None


def save(
    solution: Solution,
    folder: Path,
    record: dict[str, Any],
    strategy: SignalStrategy | None = None,
    proven: ProvenInterval | None = None,
) -> None:
    """Write a solution to `folder`, which is made if need be; `record` is what `--json` prints.

    Parameters
    ----------
    strategy
        For a game too large for a tree: its strategies by classes of observations, which are saved
        instead.
    proven
        An interval for `certificate.json`, of a game with a tree, where there is no exact
        equilibrium.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, or holds files that are not a saved result.
    """
    tree = solution.game.tree
    if tree is None and strategy is None and solution.profile is not None:
        raise ResultFileError(
            "a result is saved with its game's tree, which this one has not; solve "
            "build_tree(game) to save it"
        )
    content = {"version": VERSION, **record, "provenance": provenance()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = sorted(
            p.name
            for p in folder.iterdir()
            if p.name not in (RESULT, STRATEGY, GAME, SIGNALS, CERTIFICATE)
        )
        if foreign:
            raise ResultFileError(
                f"{folder} holds other files ({', '.join(foreign[:3])}); give an empty or new "
                f"folder"
            )
        for name in (STRATEGY, GAME, SIGNALS, CERTIFICATE):  # of an earlier result
            (folder / name).unlink(missing_ok=True)
        if tree is not None:
            content["game_fingerprint"] = save_tree(tree, folder / GAME)
            if solution.profile is not None:
                _write_strategy(solution.game, solution.profile, folder / STRATEGY)
            if (found := solution.exact or solution.bracket or proven) is not None:
                from seqform.exact.certificate_file import Proof, write_certificate

                write_certificate(
                    folder / CERTIFICATE,
                    solution.game,
                    _identity(content, solution.game),
                    Proof.of(found),
                )
        elif strategy is not None:
            strategy.save(folder / SIGNALS)
        aside = folder / (RESULT + ".part")
        aside.write_text(json.dumps(jsonable(content), indent=2) + "\n")
        os.replace(aside, folder / RESULT)
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {error.strerror}") from None


def with_tree(solution: Solution, tree: GameTree) -> Solution:
    """Return the solution of a game that was solved without its tree as one of the tree, whose sequences have the same numbers."""
    return (
        solution
        if solution.game.tree is not None
        else replace(solution, game=build_sequence_form(tree))
    )


def verify(folder: Path, load: Callable[[str, dict[str, Any]], AnyGame] | None = None) -> Verified:
    """Make the certificate of a saved result again from its files, and compare it with what the result claims.

    Parameters
    ----------
    folder
        What `save` wrote.
    load
        Returns a game by name and parameters; needed for games that are saved without a tree.

    Raises
    ------
    ResultFileError
        If a file is missing, damaged or foreign.
    VerificationError
        If the files do not prove what the result claims.
    """
    if folder.is_file():
        raise ResultFileError(f"{folder} is a file; give the folder that holds it: {folder.parent}")
    claims = _read_result(folder / RESULT)
    if claims.get("value") is None:
        raise VerificationError(
            f"{folder} holds no solution to verify: its status is {claims.get('status')}"
        )
    form, profile = (
        _saved_signals(folder, claims, load)
        if (folder / SIGNALS).exists()
        else _saved_tree(folder, claims)
    )
    certificate = certify(form, profile)
    _compare(claims, certificate, form)
    proven = _prove_again(claims["proven"], form, profile) if "proven" in claims else None
    return Verified(
        claims, certificate, proven, _check_exactly(folder / CERTIFICATE, claims, form, proven)
    )


def _saved_tree(folder: Path, claims: dict[str, Any]) -> tuple[SequenceForm, Profile]:
    tree = load_tree(folder / GAME)
    if claims.get("game_fingerprint") != fingerprint(tree):
        raise VerificationError(
            f"{folder / RESULT} has another fingerprint than {folder / GAME}: it is of another "
            f"game, or was altered"
        )
    form = build_sequence_form(tree)
    return form, form.profile(_read_strategy(form, folder / STRATEGY))


def load_strategy(folder: Path, load: Callable[[str, dict[str, Any]], AnyGame]) -> SignalStrategy:
    """Return the strategies of a saved result of a signal game that has no tree; see `verify`."""
    claims = _read_result(folder / RESULT)
    return _read_signals(folder, claims, load)


def _saved_signals(
    folder: Path, claims: dict[str, Any], load: Callable[[str, dict[str, Any]], AnyGame] | None
) -> tuple[SequenceForm, Profile]:
    if load is None:
        raise ResultFileError(
            f"{folder} holds a game without its tree: verify it with `seqform verify`, or give "
            f"`load`"
        )
    return _read_signals(folder, claims, load).in_whole_game()


def _read_signals(
    folder: Path, claims: dict[str, Any], load: Callable[[str, dict[str, Any]], AnyGame]
) -> SignalStrategy:
    parameters = claims.get("params") or {}
    if not isinstance(parameters, dict):
        raise ResultFileError(f"{folder / RESULT} is damaged: its params are {parameters!r}")
    game = load(str(claims.get("game")), parameters)
    if not isinstance(game, SignalGame):
        raise ResultFileError(
            f"{folder / RESULT} names {claims.get('game')!r}, which is no signal game, but "
            f"{SIGNALS} is of one"
        )
    return SignalStrategy.load(folder / SIGNALS, SignalStructure(game))


def jsonable(content: Any) -> Any:
    """Replace NaN and infinities, which JSON does not have, by null."""
    if isinstance(content, dict):
        return {key: jsonable(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [jsonable(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


def _write_strategy(form: SequenceForm, profile: Profile, path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for player, treeplex in enumerate(form.treeplexes):
            behavior, plan = profile.behaviors[player].tolist(), profile.plans[player].tolist()
            for infoset in range(treeplex.num_infosets):
                first, label = (
                    int(treeplex.first_sequence[infoset]),
                    form.infoset_label(player, infoset),
                )
                reach = plan[treeplex.parent_sequence[infoset]]
                for position, action in enumerate(form.actions(player, infoset)):
                    writer.writerow(
                        (player, label, action, repr(behavior[first + position]), repr(reach))
                    )


def _read_strategy(form: SequenceForm, path: Path) -> list[NDArray[np.float64]]:
    """Read behaviour strategies; rows must come in the order in which they were written."""
    try:
        with path.open(newline="") as file:
            header, *rows = csv.reader(file)
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist") from None
    except (OSError, ValueError, csv.Error) as error:
        raise ResultFileError(f"{path} cannot be read: {error}") from None
    expected = sum(t.num_sequences - 1 for t in form.treeplexes)
    if tuple(header) != COLUMNS or len(rows) != expected:
        raise ResultFileError(
            f"{path} has {len(rows)} rows under {','.join(header)}; this game needs {expected} "
            f"under {','.join(COLUMNS)}"
        )
    behaviors, row = [], iter(enumerate(rows, start=2))
    for player, treeplex in enumerate(form.treeplexes):
        behavior = np.ones(treeplex.num_sequences)
        for infoset in range(treeplex.num_infosets):
            first, label = (
                int(treeplex.first_sequence[infoset]),
                str(form.infoset_label(player, infoset)),
            )
            for position, action in enumerate(form.actions(player, infoset)):
                line, cells = next(row)
                if cells[:3] != [str(player), label, str(action)]:
                    raise ResultFileError(
                        f"{path}, line {line}: expected {player},{label},{action} and found "
                        f"{','.join(cells[:3])}"
                    )
                try:
                    behavior[first + position] = float(cells[3])
                except (ValueError, IndexError):
                    raise ResultFileError(
                        f"{path}, line {line}: the probability is not a number"
                    ) from None
        behaviors.append(behavior)
    return behaviors


def _read_result(path: Path) -> dict[str, Any]:
    try:
        claims = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultFileError(
            f"{path} does not exist; give the folder that `seqform solve --out` wrote"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ResultFileError(f"{path} is damaged: {error}") from None
    if not isinstance(claims, dict) or claims.get("version") != VERSION:
        raise ResultFileError(f"{path} is not a result of version {VERSION}")
    return claims


def _prove_again(claim: Any, form: SequenceForm, profile: Profile) -> ProvenInterval:
    """Return the interval that a saved strategy proves in exact arithmetic, which leaves no room for differences."""
    from seqform.exact.interval import prove

    proven = prove(form, profile)
    if claim != proven.record():
        raise VerificationError(
            f"the result claims to prove {claim} in exact arithmetic, but its own files prove "
            f"{proven.record()}"
        )
    return proven


def _check_exactly(
    path: Path, claims: dict[str, Any], form: SequenceForm, proven: ProvenInterval | None
) -> Proof | None:
    """Return what the saved certificate proves, if there is one or should be, after comparing it with the claims."""
    if not path.exists() and claims.get("proof") != "exact":
        return None
    from seqform.exact.certificate_file import read_certificate

    proof = read_certificate(path, form, _identity(claims, form))
    if claims.get("proof") == "exact":
        fits = proof.lower == proof.upper and claims.get("exact_value") == fraction_text(
            proof.lower
        )
    else:
        fits = (
            "exact_value" not in claims
            and proven is not None
            and (proven.lower, proven.upper) == (proof.lower, proof.upper)
        )
    if not fits:
        raise VerificationError(
            f"the result claims another value, or interval, than {path} proves in exact arithmetic"
        )
    return proof


def _identity(record: dict[str, Any], form: SequenceForm) -> dict[str, Any]:
    """Return what the certificate calls the game: name, parameters, unit, and the fingerprint of its tree."""
    tree = "" if form.tree is None else fingerprint(form.tree)
    return {
        "name": record.get("game"),
        "params": jsonable(record.get("params")),
        "unit": form.unit,
        "fingerprint": tree,
    }


def _compare(claims: dict[str, Any], certificate: Certificate, form: SequenceForm) -> None:
    allowed = CLAIM_TOLERANCE * form.largest_payoff
    proven = {
        "value": certificate.values[0],
        "lower": certificate.lower,
        "upper": certificate.upper,
        "nash_gap": certificate.nash_gap,
        "exploitability": certificate.exploitability,
    }
    for key, value in proven.items():
        claim = claims.get(key)
        if not isinstance(claim, (int, float)) or not value - allowed <= claim <= value + allowed:
            raise VerificationError(
                f"the result claims {key} = {claim}, but its own files prove {value!r}"
            )
    sizes = claims.get("sizes", {})
    actual = {
        "nodes": form.num_nodes,
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
    }
    for key, count in actual.items():
        claim = sizes.get(key) if isinstance(sizes, dict) else None
        if claim != count:
            raise VerificationError(
                f"the result claims {claim} {key}, but its own game has {count}"
            )
