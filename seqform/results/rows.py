"""What is known of a solution, for people: the rows of the table that is printed."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from seqform.base.number import amount
from seqform.base.summary import counted
from seqform.exact.proof import in_order
from seqform.form.sizes import GAME_SIZES, LP_SIZES, SOLVER_SIZES
from seqform.game.labels import player_names_of, with_names
from seqform.results.status import Status

if TYPE_CHECKING:
    from seqform.results.solution import Solution


def rows(solution: Solution) -> list[tuple[str, str]]:
    """Return the name and the text of each row; values and gaps are those of the certificate."""
    found = [
        *_status_rows(solution),
        *_reduction_rows(solution),
        *_exact_rows(solution),
        *value_rows(solution),
        *(solution.certificate.rows(solution.unit) if solution.certificate else []),
        *_more_rows(solution),
        *(row for point in solution.path for row in point.rows(solution.unit)),
        *(solution.off_path.rows(solution.unit) if solution.off_path else []),
        *_size_rows(solution),
        ("seconds", ", ".join(f"{name} {value:.4f}" for name, value in solution.seconds.items())),
    ]
    names = player_names_of(solution.game)
    return [(with_names(name, names), text) for name, text in found]


def proof_rows(solution: Solution) -> list[tuple[str, str]]:
    """Return what is proven beyond the certificate, proof after proof."""
    return [row for proof in in_order(solution.proofs) for row in proof.rows(solution.unit)]


def _more_rows(solution: Solution) -> list[tuple[str, str]]:
    """Return what is proven beyond the certificate, but for values, which stand on top."""
    proofs = [proof for proof in in_order(solution.proofs) if proof is not solution.exact]
    return [row for proof in proofs for row in proof.rows(solution.unit)]


def _status_rows(solution: Solution) -> list[tuple[str, str]]:
    status = f"{solution.status.name}: {solution.status.value}"
    if solution.tolerance > 0:
        scale = getattr(solution.game, "payoff_scale", 1.0)
        asked = amount(f"{solution.tolerance * scale:.3g}", solution.unit)
        status += f"; asked for: {asked}, {solution.tolerance:.3g} of the largest payoff"
    iterations = counted(solution.iterations, "iteration") if solution.iterations else ""
    detail = ", ".join(part for part in (solution.message, iterations) if part)
    return [("status", status), ("method", solution.method + (f" ({detail})" if detail else ""))]


def _reduction_rows(solution: Solution) -> list[tuple[str, str]]:
    small = solution.abstract
    if small is None:
        return []
    if solution.locked is not None:
        return locked_rows(solution.locked, solution.unit)
    if small.abstract is not None:
        names = ", then ".join(solution.reductions)
        return [("abstraction", f"{names}: {counted(_smallest(small), 'sequence')}")]
    unit, num_sequences = solution.unit, sum(t.num_sequences for t in small.game.treeplexes)
    found = [("abstraction", f"{solution.reduction}: {counted(num_sequences, 'sequence')}")]
    if small.game.merged:
        counts = ", ".join(f"{len(of.members):,}" for of in small.game.merged)
        text = f"{solution.reduction}: buckets of each player {counts}; imperfect recall"
        return [
            ("abstraction", text),
            ("loss (nash_gap in the whole game)", amount(f"{solution.gap:.3g}", unit)),
        ]
    if small.certificate is None:
        return found
    is_lossy = solution.status is Status.LIFTED
    loss = amount(f"{solution.gap:.3g}", unit)
    values = small.values[:1] if small.is_constant_sum else small.values
    what = "value" if small.is_constant_sum else "values"
    return [
        *found,
        (
            f"{what} of the abstract game",
            f"{', '.join(map(_number, values))} {unit}, nash_gap {small.gap:.3g} there",
        ),
        *([("loss (nash_gap of the lifted profile)", loss)] if is_lossy else []),
    ]


def _smallest(solution: Solution) -> int:
    """Return the sequences of all players of the smallest game of a chain."""
    if solution.abstract is not None:
        return _smallest(solution.abstract)
    return sum(treeplex.num_sequences for treeplex in solution.game.treeplexes)


def locked_rows(locked: Solution, unit: str) -> list[tuple[str, str]]:
    """Return what is certified, and proven, of the locked game."""
    num_sequences = sum(t.num_sequences for t in locked.game.treeplexes)
    found = [("locked game", f"{counted(num_sequences, 'sequence')}; {locked.status.name.lower()}")]
    rows = [
        *_reduction_rows(locked),
        *_exact_rows(locked),
        *value_rows(locked),
        *(locked.certificate.rows(unit) if locked.certificate else []),
        *_more_rows(locked),
    ]
    return found + [(f"locked: {name}", text) for name, text in rows]


def value_rows(solution: Solution) -> list[tuple[str, str]]:
    """Return what the answer pays; it is the game's value only if the game is solved."""
    if solution.certificate is None or any(map(isnan, solution.values)):
        return []
    what = "value to"
    if solution.status is not Status.SOLVED:
        what = f"what the {'answer' if solution.profile is None else 'profile'} pays"
    if solution.is_constant_sum:
        return [(f"{what} player 0", amount(_number(solution.value), solution.unit))]
    values = ", ".join(map(_number, solution.values))
    return [(f"{what} each player", amount(values, solution.unit))]


def _exact_rows(solution: Solution) -> list[tuple[str, str]]:
    found = []
    if solution.exact is not None:
        to = "player 0" if solution.is_constant_sum else "each player"
        found.append((f"exact value to {to}", solution.exact.in_words(solution.unit)))
    proven = solution.exact or solution.bracket
    return [*found, ("proof", proven.words)] if proven else found


def _size_rows(solution: Solution) -> list[tuple[str, str]]:
    """Return counts: those of games and of linear programs on one line each.

    What a solver was given has a line where it is not the program of the game that was solved.
    """
    sizes, small = solution.sizes, solution.abstract.sizes if solution.abstract else {}
    kind = "locked" if solution.locked else "abstract"
    lines = [
        (sizes, GAME_SIZES[:3], "nodes, infosets, sequences"),
        (sizes, LP_SIZES, "LP rows, columns, nonzeros"),
        (small, LP_SIZES, f"{kind} LP rows, columns, nonzeros"),
        (sizes, SOLVER_SIZES, "solver rows, columns, nonzeros"),
    ]
    whole = [line for line in lines if line[0].keys() >= set(line[1])]
    known = {name for counts, names, _ in whole if counts is sizes for name in names}
    solved = [(small or sizes).get(name) for name in LP_SIZES]
    if [sizes.get(name) for name in SOLVER_SIZES] == solved:
        whole = [line for line in whole if line[1] != SOLVER_SIZES]
    return [
        *((title, ", ".join(f"{of[name]:,}" for name in names)) for of, names, title in whole),
        *((n.replace("_", " "), f"{count:,}") for n, count in sizes.items() if n not in known),
    ]


def _number(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
