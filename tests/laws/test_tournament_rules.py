"""Laws of tournaments' rules: chips add up, and stages are what slow play from the rules says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from games.anything_tournament import AnythingTournament, Stacks, more_is_never_worse
from games.blinds import Blinds
from games.one_card_tournament import one_card_hands
from games.push_fold_stages import HandPairs
from seqform import make, solve_recursive
from seqform.game.recursive import End
from seqform.recursive.solution import RecursiveSolution
from seqform.recursive.walk import stage_graph

TOURNAMENTS = [
    ("kuhn-tournament", {"chips": 7, "first": 2}),
    ("leduc-tournament", {"chips": 9}),
    ("leduc-tournament", {"chips": 30, "first": 1, "ranks": 2, "max_bets": 1}),
    ("one-card-tournament", {"chips": 11, "cards": 4}),
    ("one-card-tournament", {"chips": 12, "cards": 3, "small_blind": 0, "big_blind": 3}),
    ("push-fold-tournament", {"chips": 2000}),
]


@pytest.mark.parametrize(("name", "parameters"), TOURNAMENTS)
def test_chips_add_up(name: str, parameters: dict[str, Any]) -> None:
    """What seat 0 wins seat 1 loses, and nobody wins more than the other has."""
    game = make(name, **parameters)
    for stage in stage_graph(game).stages:
        mine, theirs = stage.key, game.chips - stage.key
        for leaf in stage.form.leaves:
            won = game.won(mine, theirs, leaf)
            assert -min(mine, theirs) <= won <= min(mine, theirs)
            assert not leaf.payoffs or sum(leaf.payoffs) == 0
            after = game.leads_to(mine, leaf)
            left = mine + won
            if left in (0, game.chips):
                assert after == End((int(left > 0), int(left == 0)))
            else:
                assert after == (game.chips - left, (1, 0))


@pytest.mark.parametrize(("name", "parameters"), TOURNAMENTS)
def test_alike_hands_are_one_object(name: str, parameters: dict[str, Any]) -> None:
    game = make(name, **parameters)
    assert all(game.stage(key) is game.stage(key) for key in [*game.keys()])
    forms = {id(stage.form) for stage in stage_graph(game).stages}
    assert len(forms) <= {"kuhn": 2, "leduc": 13}.get(name.partition("-")[0], 3)


def hands(rng: np.random.Generator, classes: int = 3, showdowns: int = 6) -> HandPairs:
    """Return classes drawn at random, some of which are never dealt together."""
    deals = rng.integers(0, 4, size=(classes, classes))
    deals = deals + deals.T
    deals[0, 1] = deals[1, 0] = 5
    wins = np.zeros_like(deals)
    for i, j in product(range(classes), repeat=2):
        wins[i, j] = rng.integers(0, showdowns * deals[i, j] // 2 + 1)
    return HandPairs(
        tuple("abcdef"[:classes]), deals, wins, wins.T, showdowns * deals - wins - wins.T
    )


def slowly(
    of: HandPairs, blinds: Blinds, mine: int, theirs: int, plans: list[dict[str, dict[str, Any]]]
) -> dict[int, Fraction]:
    """Play every deal by the rules; return how likely seat 0 has how many chips then."""
    effective = min(mine, theirs)
    found: dict[int, Fraction] = {}

    def add(won: int, chance: Fraction) -> None:
        if chance:
            found[mine + won] = found.get(mine + won, Fraction(0)) + chance

    total = int(of.deals.sum()) * of.showdowns
    for i, j in product(range(len(of.names)), repeat=2):
        deal = Fraction(int(of.deals[i, j]) * of.showdowns, total)
        win, loss, tie = (Fraction(int(k[i, j]), total) for k in (of.wins, of.losses, of.ties))

        def shown(
            chance: Fraction, win: Fraction = win, loss: Fraction = loss, tie: Fraction = tie
        ) -> None:
            add(effective, win * chance)
            add(-effective, loss * chance)
            add(0, tie * chance)

        if effective <= blinds.small:
            shown(Fraction(1))
            continue
        first = plans[0][f"{of.names[i]}:"]
        add(-blinds.small, deal * first["fold"])
        if effective <= blinds.big:
            shown(first["push"])
            continue
        answer = plans[1][f"{of.names[j]}:push"]
        add(blinds.big, deal * first["push"] * answer["fold"])
        shown(first["push"] * answer["call"])
        if "limp" in first:
            over, last = plans[1][f"{of.names[j]}:limp"], plans[0][f"{of.names[i]}:limp-push"]
            add(blinds.big, deal * first["limp"] * over["fold"])
            add(-blinds.big, deal * first["limp"] * over["push"] * last["fold"])
            shown(first["limp"] * over["push"] * last["call"])
    return found


def drawn(rng: np.random.Generator, form: Any) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return strategies drawn at random, as plans in fractions and by name."""
    plans, named = [], []
    for seat, treeplex in enumerate(form.treeplexes):
        plan: list[Any] = [Fraction(1)] + [Fraction(0)] * (treeplex.num_sequences - 1)
        names = {}
        for infoset in range(treeplex.num_infosets):
            start, stop = treeplex.first_sequence[infoset : infoset + 2].tolist()
            parts = rng.integers(1, 9, size=stop - start).tolist()
            shares = [Fraction(part, sum(parts)) for part in parts]
            above = plan[int(treeplex.parent_sequence[infoset])]
            plan[start:stop] = [above * share for share in shares]
            label = form.origin.infoset_label(seat, infoset)
            names[label] = dict(zip(form.origin.actions(seat, infoset), shares, strict=True))
        plans.append(plan)
        named.append(names)
    return plans, named


@pytest.mark.parametrize("seed", range(8))
def test_stages_of_push_or_fold_are_what_play_comes_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of = hands(rng)
    blinds = Blinds(2, 4)
    game = AnythingTournament(of, blinds, 14, Stacks(7, 0))
    for key in [*game.keys()]:
        form = game.stage(key)
        plans, named = drawn(rng, form)
        found: dict[int, Fraction] = {}
        for place, weight in enumerate(form.weights.tolist()):
            leaf = form.leaves[int(form.leaf[place])]
            left = key.chips + blinds.won(key.chips, 14 - key.chips, leaf)
            one, other = form.places[:, place].tolist()
            chance = Fraction(weight, form.denominator) * plans[0][one] * plans[1][other]
            found[left] = found.get(left, Fraction(0)) + chance
        assert found == slowly(of, blinds, key.chips, 14 - key.chips, named)


def test_no_raise_gets_more_than_the_bound_of_a_free_player() -> None:
    """The theorem of `games.anything_tournament`: who may raise gets no more than who may limp."""
    of, blinds, chips = one_card_hands(5), Blinds(1, 2), 12
    solution = solve_recursive(AnythingTournament(of, blinds, chips, Stacks(6, 0)))
    assert more_is_never_worse(solution)
    bound = {
        stage.key: float(row[stage.key.free])
        for stage, row in zip(_stages(solution), solution.proof.upper, strict=True)
    }
    value = dict.fromkeys(bound, 0.0)
    for _ in range(200):  # no play that goes on pays anything: from below
        value = {key: free_player(solution, key, value) for key in value}
    assert all(value[key] <= bound[key] + 1e-12 for key in bound)
    assert value[Stacks(6, 0)] > bound[Stacks(6, 0)] - 1e-6  # and the bound is attained


def _stages(solution: RecursiveSolution) -> Any:
    return solution.graph.stages


@cache
def names_of(solution: RecursiveSolution, number: int) -> list[dict[Any, dict[Any, float]]]:
    """Return what each seat does in a stage, by the names of information sets."""
    form, found = solution.graph.stages[number].form, []
    for seat, treeplex in enumerate(form.treeplexes):
        behavior = solution.profile.behaviors[number][seat]
        own = {}
        for infoset in range(treeplex.num_infosets):
            start, stop = treeplex.first_sequence[infoset : infoset + 2].tolist()
            actions = form.origin.actions(seat, infoset)
            own[form.origin.infoset_label(seat, infoset)] = dict(
                zip(actions, behavior[start:stop].tolist(), strict=True)
            )
        found.append(own)
    return found


def free_player(solution: RecursiveSolution, key: Stacks, value: dict[Stacks, float]) -> float:
    """Return the most that a free player gets in a hand, raises of all sizes included."""
    game: Any = solution.graph.game
    mine, theirs, free = key.chips, game.chips - key.chips, key.free
    number, blinds, cards = solution.number(key), game.blinds, len(game.hands.names)
    effective, sign = min(mine, theirs), 1 if free == 0 else -1

    def worth(won: int) -> float:
        """Return what it is worth that seat 0 has won so many chips."""
        left = mine + won
        if left in (0, game.chips):
            return float((left > 0) == (free == 0))
        return value[Stacks(game.chips - left, 1 - free)]

    played = names_of(solution, number)

    def plan(seat: int, card: int, seen: str) -> dict[Any, float]:
        return played[seat][f"{game.hands.names[card]}:{seen}"]

    total = 0.0
    for card in range(cards):
        others = [other for other in range(cards) if other != card]
        ends = {o: worth(sign * effective * (1 if card > o else -1)) for o in others}
        if effective <= blinds.small:
            total += sum(ends.values())
        elif free == 1:
            pushes = {o: plan(0, o, "")["push"] for o in others}
            total += sum((1 - pushes[o]) * worth(-blinds.small) for o in others)
            called = sum(pushes[o] * ends[o] for o in others)
            folded = sum(pushes[o] * worth(blinds.big) for o in others)
            total += called if effective <= blinds.big else max(called, folded)
        elif effective <= blinds.big:
            total += max(sum(ends.values()), len(others) * worth(-blinds.small))
        else:
            calls = {o: plan(1, o, "push")["call"] for o in others}
            overs = {o: plan(1, o, "limp")["push"] for o in others}
            choices = [len(others) * worth(-blinds.small)]
            choices.append(
                sum(calls[o] * ends[o] + (1 - calls[o]) * worth(blinds.big) for o in others)
            )
            for raised in range(blinds.big, effective):
                folds = sum((1 - overs[o]) * worth(blinds.big) for o in others)
                called = sum(overs[o] * ends[o] for o in others)
                choices.append(folds + max(called, sum(overs.values()) * worth(-raised)))
            total += max(choices)
    return total / (cards * (cards - 1))


@pytest.mark.parametrize("limps", [False, True])
def test_reach_is_what_the_other_seat_and_the_deal_do(limps: bool) -> None:
    """Summed over a seat's sequences, own plan times reach is how likely entries are."""
    rng = np.random.default_rng(3)
    form = Blinds(1, 2).hand(hands(rng), 6, limps=limps)
    plans = [np.array(plan, dtype=float) for plan in drawn(rng, form)[0]]
    likely = form.shares * plans[0][form.places[0]] * plans[1][form.places[1]]
    for seat, treeplex in enumerate(form.treeplexes):
        reach = form.origin.others_reach(seat, plans)
        own = plans[seat][treeplex.parent_sequence]
        for infoset in range(treeplex.num_infosets):
            below = {*range(*treeplex.first_sequence[infoset : infoset + 2].tolist())}
            for later in range(infoset + 1, treeplex.num_infosets):
                if int(treeplex.parent_sequence[later]) in below:
                    below |= {*range(*treeplex.first_sequence[later : later + 2].tolist())}
            there = np.isin(form.places[seat], sorted(below))
            assert own[infoset] * reach[infoset] == pytest.approx(likely[there].sum())


def test_one_card_hands_are_those_of_a_deck() -> None:
    of = one_card_hands(4)
    for i, j in product(range(4), repeat=2):
        assert (of.deals[i, j], of.wins[i, j], of.losses[i, j]) == (i != j, i > j, i < j)
    assert not of.ties.any()
