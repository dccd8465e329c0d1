"""Correlated equilibrium of games in which each of two players moves once (Aumann 1974).

An answer is a joint distribution over pairs of actions: an array, and no strategy profile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seqform.plugins import (
    Profile,
    ResultFileError,
    SequenceForm,
    best_response,
    build_sequence_form,
    expected_values,
)


@dataclass(frozen=True)
class CorrelatedCertificate:
    """What a joint distribution pays, and what players gain by disobeying."""

    values: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def gap(self):
        return sum(self.gains)

    def rows(self, unit):
        return [("gain from disobeying", f"{self.gap:.3g} {unit}")]

    def record(self):
        return {"values": list(self.values), "gains": list(self.gains)}


class Correlated:
    """The concept: nobody gains by doing something else than is recommended."""

    name = "correlated"
    keys = ("values", "gains")
    keeps_tree = True

    def prepare(self, game):
        return game if isinstance(game, SequenceForm) else build_sequence_form(game)

    def certify(self, game, answer):
        values, gains = np.zeros(2), np.zeros(2)
        for player, joint in enumerate((answer, answer.T)):
            for action, others in enumerate(joint):
                if others.sum() > 0:
                    told, best = _worth(game, player, action, others / others.sum())
                    values[player] += others.sum() * told
                    gains[player] += others.sum() * max(0.0, best - told)
        return CorrelatedCertificate(tuple(values.tolist()), tuple(gains.tolist()))

    def transfer(self, game, answer):
        return answer

    def save(self, game, answer, folder):
        np.savetxt(folder / "strategy.csv", answer, delimiter=",")

    def load(self, game, folder, claims):
        try:
            answer = np.loadtxt(folder / "strategy.csv", delimiter=",", ndmin=2)
        except (OSError, ValueError) as error:
            raise ResultFileError(f"{folder}: {error}") from None
        if (answer < 0).any() or abs(answer.sum() - 1) > 1e-9:
            raise ResultFileError(f"{folder}: the numbers are no joint distribution")
        return answer


def _worth(game, player, action, beliefs):
    """Return what an action, and the best one, pay against beliefs about the other's action."""
    behaviors = [np.ones(1 + len(beliefs))] * 2
    behaviors[1 - player] = np.append(1.0, beliefs)
    mine = np.zeros(game.treeplexes[player].num_sequences)
    mine[[0, 1 + action]] = 1.0
    behaviors[player] = mine
    profile = Profile.from_behaviors(game.treeplexes, behaviors)
    best, _ = best_response(game, profile, player)
    return expected_values(game, profile)[player], best


CORRELATED = Correlated()
