"""The games that methods for two-player zero-sum games accept."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seqform.methods.problem import Problem


def why_not_zero_sum(problem: Problem, method: str) -> str | None:
    """Return None for two-player constant-sum games; for others why not."""
    if problem.is_zero_sum:
        return None
    form = problem.form
    if form.num_players != 2:
        return f"R10: method {method!r} is for 2 players and the game has {form.num_players}"
    return (
        f"R10: method {method!r} is for zero-sum (or constant-sum) games, and here the players' "
        "payoffs add up to different amounts at different leaves"
    )
