"""The games that are timed: ours by registry name, and what OpenSpiel calls them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from seqform.game.catalogue import make


@dataclass(frozen=True)
class Case:
    """A game of the benchmark. Without an OpenSpiel name, OpenSpiel is given our tree as an .efg
    text."""

    name: str
    game: str
    parameters: dict[str, Any] = field(default_factory=dict)
    open_spiel: str | None = None

    def make(self) -> Any:
        """Make our version."""
        return make(self.game, **self.parameters)


GOOFSPIEL = (
    "turn_based_simultaneous_game("
    "game=goofspiel(num_cards=4,imp_info=True,points_order=descending))"
)
CASES = {
    case.name: case
    for case in (
        Case("kuhn", "kuhn", open_spiel="kuhn_poker"),
        Case("goofspiel 4", "goofspiel", {"cards": 4}, GOOFSPIEL),
        Case("liar's dice 3", "liars-dice", {"sides": 3}, "liars_dice(numdice=1,dice_sides=3)"),
        Case("liar's dice 4", "liars-dice", {"sides": 4}, "liars_dice(numdice=1,dice_sides=4)"),
        Case("leduc 3x2", "leduc", open_spiel="leduc_poker"),
        Case("leduc 4x2", "leduc", {"ranks": 4}),
        Case("liar's dice 5", "liars-dice", {"sides": 5}, "liars_dice(numdice=1,dice_sides=5)"),
        Case("leduc 6x2", "leduc", {"ranks": 6}),
        Case("leduc 13x4 merged", "leduc", {"ranks": 13, "suits": 4, "merge_suits": True}),
        Case("liar's dice 6", "liars-dice", {"sides": 6}, "liars_dice(numdice=1,dice_sides=6)"),
        Case("leduc 13x2", "leduc", {"ranks": 13}),
    )
}
