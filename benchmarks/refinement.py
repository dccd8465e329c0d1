"""One refined equilibrium in a process of its own: `python -m benchmarks.refinement PROGRAM GAME`
prints one JSON line.

Ours: CPU seconds of the linear program and its exact equilibrium, then of what refining takes more,
and of the certificate's checker; and what the other could gain after one mistake, before and after.
OpenSpiel has no refinement; of its linear program the same two.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.exact import CHECKER, child_cpu, cpu, tree_of

GAMES = (
    "kuhn",
    "goofspiel 4",
    *(f"liar's dice {sides}" for sides in (3, 4, 5)),
    "leduc 3x2",
    *(f"leduc {ranks} merged" for ranks in (4, 6, 10, 13, 16, 20)),
)
"""Cases of `benchmarks.exact`."""

OPEN_SPIEL = {"kuhn": "kuhn_poker", "leduc 3x2": "leduc_poker"}
"""What OpenSpiel calls the games that both have."""


NEVER = 1e-6
"""What OpenSpiel's interior point plays less than that is as good as never played."""


def after_a_mistake(game: Any, profile: Any) -> float | None:
    """Return what could be gained after one mistake, the most of any player's mistakes."""
    from seqform.strategies.one_mistake import after_mistakes

    found = after_mistakes(game, profile)
    return None if found is None else max(each.own + each.others for each in found)


def ours(name: str) -> dict[str, Any]:
    """Solve, make exact, refine, and check the certificate."""
    import scipy.sparse.linalg  # noqa: F401 - what the exact step loads

    from seqform import build_sequence_form
    from seqform.exact.certificate import as_bytes, certificate_of
    from seqform.exact.plan_proof import prove_equilibrium
    from seqform.methods.lp import exact_engine
    from seqform.solvers.linear.program import build_lp
    from seqform.solvers.linear.quasi_perfect import quasi_perfect
    from seqform.solvers.linear.rational_vertex import exact_equilibrium
    from seqform.solvers.linear.solver import LPOptions, solve_program

    def once(game: Any) -> tuple[float, float, float, Any, Any]:
        program = build_lp(game)
        options = LPOptions(exact_engine(program.size))
        lp, answer = cpu(lambda: solve_program(program, "highs", options))
        exact, _ = cpu(lambda: exact_equilibrium(program, answer.basis))
        refined, found = cpu(lambda: quasi_perfect(program, answer.basis))
        return lp, exact, refined, found, game.profile_of_plans(program.plans(answer))

    once(build_sequence_form(tree_of("kuhn")))  # loads libraries
    game = build_sequence_form(tree_of(name))
    lp, exact, refined, found, plain = once(game)
    trembles = found.trembles
    plans = [plan[0] for plan in trembles.plans]
    proven = prove_equilibrium(game, plans, trembles.denominators).proven
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        path.write_bytes(as_bytes(certificate_of(proven, {"name": name}, found)))
        checked, size = child_cpu([sys.executable, str(CHECKER), str(path)]), path.stat().st_size
    return {
        "nodes": game.num_nodes,
        "sequences": [treeplex.num_sequences for treeplex in game.treeplexes],
        "LP s": lp,
        "exact s": exact,
        "refine s": refined,
        "all / plain": (lp + exact + refined) / (lp + exact),
        "powers": max(len(plan) for plan in trembles.plans) - 1,
        "bits": max(whole.bit_length() for whole in trembles.denominators),
        "certificate MB": size / 1e6,
        "checker s": checked,
        "mistake, before": after_a_mistake(game, plain),
        "mistake, after": after_a_mistake(game, game.profile(found.floats())),
    }


def open_spiel(name: str) -> dict[str, Any]:
    """Solve OpenSpiel's linear program, and judge its policies."""
    import pyspiel
    from open_spiel.python.algorithms import sequence_form_lp

    from seqform import build_sequence_form
    from seqform.io.open_spiel import from_open_spiel
    from seqform.io.open_spiel_policy import from_open_spiel_policy
    from seqform.strategies.as_profile import profile_of

    their = pyspiel.load_game(OPEN_SPIEL[name])
    seconds, (_, _, *policies) = cpu(lambda: sequence_form_lp.solve_zero_sum_game(their))
    game = build_sequence_form(from_open_spiel(their))
    table: dict[str, Any] = {}
    for policy in policies:
        for state in policy.states:
            key = state.information_state_string()
            if state.current_player() == policies.index(policy):
                shares = policy.action_probabilities(state)
                shares = {a: p if p > NEVER else 0.0 for a, p in shares.items()}
                table[key] = {a: p / sum(shares.values()) for a, p in shares.items()}
    profile = profile_of(game, from_open_spiel_policy(table, game))
    return {"LP s": seconds, "mistake": after_a_mistake(game, profile)}


PROGRAMS = {"seqform": ours, "open_spiel": open_spiel}


def main() -> None:
    """Measure and print."""
    program, name = sys.argv[1:]
    print(json.dumps(PROGRAMS[program](name)))


if __name__ == "__main__":
    main()
