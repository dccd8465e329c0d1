"""The extent of a game, which bounds the rounding of backward induction in floats."""

from __future__ import annotations

from seqform import TERMINAL
from seqform.perfect_information import backward_induction


class _Shortcut:
    """One player; a chain of 100 states that the first move may enter at its 90th or at its start.

    The states do not hold how they were reached, so the table settles the end of the chain on the
    short path, and the long one meets it there.
    """

    num_players = 1

    def root(self) -> int:
        return -1

    def player(self, state: int) -> int:
        return TERMINAL if state == 100 else 0

    def actions(self, state: int) -> tuple[str, ...]:
        return ("late", "early") if state == -1 else ("on",)

    def child(self, state: int, action: str) -> int:
        return {"late": 90, "early": 0}.get(action, state + 1)

    def chance(self, state: int) -> None:
        raise AssertionError(state)

    def infoset(self, state: int) -> int:
        return state

    def payoffs(self, state: int) -> tuple[float, ...]:
        return (0.1,)


def test_the_longest_path_counts_what_the_table_settled_on_a_shorter_one() -> None:
    assert backward_induction(_Shortcut()).extent.depth == 102
