"""What was added to an answer where its own plans never come, and what mistakes cost then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seqform.base.number import amount

NOISE = 1e-12
"""Share of the largest of some gains below which another is nothing but rounding."""

Gains = tuple[tuple[float, float], ...]
"""For each player, what could be gained on average after a mistake: by that player, by others."""


@dataclass(frozen=True)
class OffPath:
    """A completion in numbers; docs/explanation/off-path.md has the rule.

    Parameters
    ----------
    completed
        For each player, the information sets whose behaviour was added.
    before, after
        For each player, what could be gained after a mistake of that player, before and after the
        completion, in the game's unit: by that player, and by the others. None where it was not
        computed.
    where
        The game in which it was done, for people, if that is a smaller one.
    """

    completed: tuple[int, ...]
    before: Gains | None = None
    after: Gains | None = None
    where: str = ""

    def rows(self, unit: str) -> list[tuple[str, str]]:
        """Return what was added for people; nothing where plans come everywhere."""
        found = []
        if any(self.completed):
            counts = ", ".join(f"{count:,}" for count in self.completed)
            found.append(("information sets completed", f"{counts} (of each player){self.where}"))
        for player, (before, after) in enumerate(
            zip(self.before or (), self.after or (), strict=True)
        ):
            if any(before + after):
                least = NOISE * max(before + after)
                was, now = ([0.0 if g < least else g for g in gains] for gains in (before, after))
                words = (
                    f"{who} could gain {amount(f'{now[place]:.3g}', unit)} "
                    f"({was[place]:.3g} before)"
                    for place, who in enumerate((f"player {player}", "the others"))
                )
                found.append((f"after a mistake of player {player}", ", ".join(words)))
        return found

    def record(self) -> dict[str, Any]:
        """Return what was added as JSON values; gains only where they were computed."""
        found: dict[str, Any] = {"completed": list(self.completed)}
        for name, gains in (("before", self.before), ("after", self.after)):
            if gains is not None:
                found[name] = [list(pair) for pair in gains]
        return found
