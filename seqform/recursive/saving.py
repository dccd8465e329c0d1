"""Solutions of recursive games saved: the claims, and the plans in integers that prove them.

``result.json`` has the claims, with the bounds of every position as fractions. ``plans.npz`` has
the plans in integers. The game itself is code, and is made again by its name.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seqform.base.array_file import write_arrays
from seqform.base.errors import ResultFileError
from seqform.base.provenance import provenance
from seqform.base.whole_file import reason, write_text
from seqform.base.whole_folder import checksum, digests, replacing_folder
from seqform.recursive.graph import StageGraph
from seqform.results.folder import PLANS, RESULT, check_folder
from seqform.results.folder import VERSION as RESULTS

if TYPE_CHECKING:
    from seqform.recursive.solution import RecursiveSolution

FORMAT, VERSION = "seqform stationary plans", 1
FILES = (RESULT, PLANS)


def save(solution: RecursiveSolution, folder: Path, name: str, parameters: Any = None) -> None:
    """Write a solution to a folder; see `RecursiveSolution.save`."""
    if not name:
        raise ResultFileError(
            "a recursive game is loaded by its name: give name (and parameters), as seqform.make "
            "takes them, or module:attribute"
        )
    check_folder(folder)
    claims = solution.record(name, parameters)
    content = {"version": RESULTS, **claims, "provenance": provenance()}
    content["game_fingerprint"] = fingerprint(solution.graph)
    arrays = {
        f"{stage}.{seat}": plan
        for stage, own in enumerate(solution.proof.plans)
        for seat, plan in enumerate(own)
    }
    try:
        with replacing_folder(folder, FILES, RESULT) as aside:
            write_arrays(aside / PLANS, FORMAT, VERSION, {}, arrays)
            content["files"] = digests(aside)
            content["checksum"] = checksum(content)
            write_text(aside / RESULT, json.dumps(content, indent=2) + "\n")
    except OSError as error:
        raise ResultFileError(f"cannot write to {folder}: {reason(error)}") from None


def fingerprint(graph: StageGraph) -> str:
    """Return a digest of all that a recursive game is made of."""
    digest = hashlib.sha256()
    digest.update(repr((graph.num_players, graph.endless)).encode())
    for number, stage in enumerate(graph.stages):
        form = stage.form
        digest.update(repr((graph.label(number), stage.leads, form.denominator)).encode())
        for treeplex in form.treeplexes:
            for part in treeplex.fingerprint():
                digest.update(part)
        form.feed(digest.update, stage.lead)
    return digest.hexdigest()
