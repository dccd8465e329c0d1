"""What player 0 is sure of by one action, in games in which that player moves once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from seqform.plugins import ResultFileError, VerificationError, bounds

FILE = "pure-guarantee.json"


@dataclass(frozen=True, eq=False)
class PureGuarantee:
    """The proof: an action, and what it pays player 0 at least, whatever player 1 does."""

    action: int
    least: Fraction
    game: Any

    kind: ClassVar[str] = "pure-guarantee"

    def rows(self, unit):
        return [("proven of one action", f"action {self.action} pays at least {self.least} {unit}")]

    def record(self):
        return {"action": self.action, "least": str(self.least)}

    def on(self, game):
        return guarantee(game, self.action)


def guarantee(game, action):
    """Prove what an action pays at least, in integers; it is all that is known of player 1."""
    mine, theirs = (np.zeros(of.num_sequences, dtype=np.int64) for of in game.treeplexes)
    mine[[0, 1 + action]] = theirs[[0, 1]] = 1
    return PureGuarantee(action, bounds(game, (mine, theirs), (1, 1))[0], game)


class OfPureGuarantees:
    """The kind: what a saved result says, which file it has, and how it is proven again."""

    name = "pure-guarantee"
    keys = ("pure-guarantee",)
    after = ()

    def claims(self, proof):
        return {self.name: proof.record()}

    def write(self, proof, proven):
        return {FILE: json.dumps(proof.record()).encode()}

    def read(self, files, claims, proven):
        if self.name not in claims:
            return None
        try:
            action = int(json.loads(files.path(FILE).read_bytes())["action"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ResultFileError(f"{files.path(FILE)} is damaged: {error!r}") from None
        if not 0 <= action < proven.game.treeplexes[0].num_sequences - 1:
            raise ResultFileError(f"{files.path(FILE)} names no action of the game")
        found = guarantee(proven.game, action)
        if found.record() != claims[self.name]:
            raise VerificationError(f"{files.path(FILE)} proves {found.record()}, not the claim")
        return found


OF_PURE_GUARANTEES = OfPureGuarantees()
