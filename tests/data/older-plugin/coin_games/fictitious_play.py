"""Fictitious play: everybody always answers the average of what the others did (Brown 1951)."""

from __future__ import annotations

from dataclasses import dataclass

from seqform.methods.method import Answer, option

TOLERANCE = 0.05
"""As a share of the largest payoff; fictitious play is slow."""


@dataclass(frozen=True)
class Options:
    """How long to play."""

    rounds: int = option(1000, "How many rounds to play.")


class FictitiousPlay:
    """The method; it needs the game's sequence form only."""

    name = "fictitious-play"
    summary = "everybody answers the average of what the others did so far"
    concept = "nash"
    Options = Options

    def accepts(self, problem):
        players = problem.game.num_players
        if players == 2:
            return None
        return f"{self.name} is for two players, not {players}"

    def run(self, problem, options, clock):
        from seqform.form.profile import Profile  # here, so that --help need not load numpy

        form, played = problem.form, 0
        plans = list(Profile.uniform(form.treeplexes).plans)
        with clock.phase("solve"):
            while played < options.rounds and not clock.is_over:
                played += 1
                for player, treeplex in enumerate(form.treeplexes):
                    _, answer = treeplex.best_response(form.gradient(player, plans))
                    plans[player] = plans[player] + (answer - plans[player]) / (played + 1)
        profile = Profile.from_plans(form.treeplexes, plans)
        return Answer(form, profile, self.name, TOLERANCE, iterations=played)


FICTITIOUS_PLAY = FictitiousPlay()
