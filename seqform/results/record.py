"""What is known of a solution, as JSON values: what is printed and saved."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from seqform.base.memory import peak_rss_mb
from seqform.concepts.concept import CONCEPTS
from seqform.exact.proof import claims_of
from seqform.form.sizes import ABSTRACT_SIZES

if TYPE_CHECKING:
    from seqform.results.solution import Solution


def record(solution: Solution, name: str = "", parameters: Any = None) -> dict[str, Any]:
    """Return what ``--json`` prints and ``result.json`` holds; the answer's worth as certified.

    Parameters
    ----------
    solution
        Any solution; without an answer, what would be certified is null.
    name, parameters
        The game's name and parameters, as `make` takes them.

    Returns
    -------
    record
        JSON values: text, numbers, lists and dicts; NaN and infinities are null.
    """
    certified = dict.fromkeys(CONCEPTS.get(solution.concept).keys)
    if solution.certificate is not None:
        certified |= solution.certificate.record()
    content = {
        "game": name,
        "params": {} if parameters is None else parameters,
        "concept": solution.concept,
        "method": solution.method,
        "status": solution.status.name.lower(),
        **certified,
        "unit": solution.unit,
        "message": solution.message,
        "iterations": solution.iterations,
        "tolerance": solution.tolerance,
        "sizes": solution.sizes,
        "seconds": {phase: round(value, 6) for phase, value in solution.seconds.items()},
        "peak_rss_mb": round(peak_rss_mb(), 1),
    }
    if solution.asked is not None:
        content["asked"] = solution.asked
    content |= claims_of(solution.proofs)
    if solution.off_path is not None:
        content["off_path"] = solution.off_path.record()
    if solution.locked is not None:
        content["locked"] = locked_record(solution.locked)
    if solution.abstract is not None:
        names = solution.reductions
        content["abstraction"] = names[0] if len(names) == 1 else list(names)
        content["loss"] = solution.gap
        content["abstract_value"] = solution.abstract.values[0]
        content["abstract_sizes"] = {
            name: solution.abstract.sizes[name]
            for name in ABSTRACT_SIZES
            if name in solution.abstract.sizes
        }
    if solution.path:
        content["path"] = [point.record() for point in solution.path]
    if solution.history:
        content["history"] = [[look[0], *_digits(look[1:])] for look in solution.history]
    return jsonable(content)  # type: ignore[no-any-return]


def locked_record(locked: Solution) -> dict[str, Any]:
    """Return what is certified of the locked game, and what is proven of it."""
    certified = locked.certificate.record() if locked.certificate else {}
    return {"status": locked.status.name.lower(), **certified, **claims_of(locked.proofs)}


def _digits(numbers: tuple[float, ...]) -> list[float]:
    """Return numbers to six digits, which is more than a picture shows."""
    return [float(f"{number:.6g}") for number in numbers]


def jsonable(content: Any) -> Any:
    """Replace NaN and infinities, which JSON does not have, by null."""
    if isinstance(content, dict):
        return {key: jsonable(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [jsonable(value) for value in content]
    return None if isinstance(content, float) and not isfinite(content) else content
