"""Saved results: a folder with `result.json`, `strategy.csv` and `game.npz`, and its verification from these alone."""

from __future__ import annotations

import csv
import json
import math
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seqform.certificate import Certificate, certify
from seqform.errors import ResultFileError, VerificationError
from seqform.provenance import provenance
from seqform.sequence_form import SequenceForm, build_sequence_form
from seqform.solution import Solution
from seqform.strategy import Profile
from seqform.tree import GameTree
from seqform.tree_file import load_tree, save_tree

RESULT, STRATEGY, GAME = "result.json", "strategy.csv", "game.npz"
COLUMNS = ("player", "infoset", "action", "probability", "reach")
VERSION = 1

CLAIM_TOLERANCE = 1e-12
"""Re-computed numbers may differ from the claimed ones by this share of the largest payoff: another machine rounds otherwise."""


@dataclass(frozen=True)
class Verified:
    """What verification found: the claims, and the certificate made afresh."""

    claims: dict[str, Any]
    certificate: Certificate


def save(solution: Solution, folder: Path, record: dict[str, Any]) -> None:
    """Write a solution to `folder`, which is made if need be; `record` is what `--json` prints.

    Raises
    ------
    ResultFileError
        If the folder cannot be written, or holds files that are not a saved result.
    """
    if solution.game.tree is None:
        raise ResultFileError("a result is saved with its game's tree, which this one has not; solve build_tree(game) to save it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = sorted(p.name for p in folder.iterdir() if p.name not in (RESULT, STRATEGY, GAME))
        if foreign:
            raise ResultFileError(f"{folder} holds other files ({', '.join(foreign[:3])}); give an empty or new folder")
        game = save_tree(solution.game.tree, folder / GAME)
        if solution.profile is not None:
            _write_strategy(solution.game, solution.profile, folder / STRATEGY)
        content = {"version": VERSION, **record, "game_fingerprint": game, "provenance": provenance()}
        aside = folder / (RESULT + ".part")
        aside.write_text(json.dumps(jsonable(content), indent=2) + "\n")
        os.replace(aside, folder / RESULT)
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {error.strerror}") from None


def with_tree(solution: Solution, tree: GameTree) -> Solution:
    """Return the solution of a game that was solved without its tree as one of the tree, whose sequences have the same numbers."""
    return solution if solution.game.tree is not None else replace(solution, game=build_sequence_form(tree))


def verify(folder: Path) -> Verified:
    """Make the certificate of a saved result again from its files, and compare it with what the result claims.

    Raises
    ------
    ResultFileError
        If a file is missing, damaged or foreign.
    VerificationError
        If the files do not prove what the result claims.
    """
    claims = _read_result(folder / RESULT)
    tree = load_tree(folder / GAME)
    form = build_sequence_form(tree)
    if claims.get("value") is None:
        raise VerificationError(f"{folder} holds no solution to verify: its status is {claims.get('status')}")
    profile = Profile.from_behaviors(form.treeplexes, _read_strategy(form, folder / STRATEGY))
    certificate = certify(form, profile)
    _compare(claims, certificate, form)
    return Verified(claims, certificate)


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
                first, label = int(treeplex.first_sequence[infoset]), form.infoset_label(player, infoset)
                reach = plan[treeplex.parent_sequence[infoset]]
                for position, action in enumerate(form.actions(player, infoset)):
                    writer.writerow((player, label, action, repr(behavior[first + position]), repr(reach)))


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
        raise ResultFileError(f"{path} has {len(rows)} rows under {','.join(header)}; this game needs {expected} under {','.join(COLUMNS)}")
    behaviors, row = [], iter(enumerate(rows, start=2))
    for player, treeplex in enumerate(form.treeplexes):
        behavior = np.ones(treeplex.num_sequences)
        for infoset in range(treeplex.num_infosets):
            first, label = int(treeplex.first_sequence[infoset]), str(form.infoset_label(player, infoset))
            for position, action in enumerate(form.actions(player, infoset)):
                line, cells = next(row)
                if cells[:3] != [str(player), label, str(action)]:
                    raise ResultFileError(f"{path}, line {line}: expected {player},{label},{action} and found {','.join(cells[:3])}")
                try:
                    behavior[first + position] = float(cells[3])
                except (ValueError, IndexError):
                    raise ResultFileError(f"{path}, line {line}: the probability is not a number") from None
        behaviors.append(behavior)
    return behaviors


def _read_result(path: Path) -> dict[str, Any]:
    try:
        claims = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultFileError(f"{path} does not exist; give the folder that `seqform solve --out` wrote") from None
    except (OSError, ValueError) as error:
        raise ResultFileError(f"{path} is damaged: {error}") from None
    if not isinstance(claims, dict) or claims.get("version") != VERSION:
        raise ResultFileError(f"{path} is not a result of version {VERSION}")
    return claims


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
        if not isinstance(claim, (int, float)) or not abs(claim - value) <= allowed:
            raise VerificationError(f"the result claims {key} = {claim}, but its own files prove {value!r}")
    sizes = claims.get("sizes", {})
    actual = {
        "nodes": form.num_nodes,
        "infosets": sum(t.num_infosets for t in form.treeplexes),
        "sequences": sum(t.num_sequences for t in form.treeplexes),
    }
    for key, count in actual.items():
        if sizes.get(key) != count:
            raise VerificationError(f"the result claims {sizes.get(key)} {key}, but its own game has {count}")
