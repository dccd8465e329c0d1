"""The loops of regret minimization over treeplexes, compiled by numba.

For each player, `first` and `parent` are the treeplex (first_sequence, parent_sequence). The other
arrays are over its sequences. `regret` is the cumulative regret and `last` the newest one.
`behavior` is the current strategy, `plan` its realization plan and `average` the weighted sum of
all plans so far. `step` is a row of a rule's schedule, float64 (5,), and `prediction` the rule's.
"""

from __future__ import annotations

from seqform.base.kept_loops import kept_with
from seqform.solvers.iterative.regret import rules
from seqform.solvers.iterative.regret.rules import TIE

jit = kept_with(rules)


@jit
def multiply(indptr, indices, data, vector, out):
    """Write the product of a compressed matrix and a vector to `out`."""
    for row in range(len(indptr) - 1):
        total = 0.0
        for entry in range(indptr[row], indptr[row + 1]):
            total += data[entry] * vector[indices[entry]]
        out[row] = total


@jit
def contract(sequences, weights, player, plans, out):
    """Write to `out` what the player's sequences are paid against the others' plans.

    `sequences` and `weights` are of a `PayoffTensor`. The terms are multiplied and added up in its
    own order, so that the digits are the same.
    """
    out[:] = 0.0
    for entry in range(len(weights)):
        weight = weights[entry, player]
        for other in range(len(plans)):
            if other != player:
                weight *= plans[other][sequences[entry, other]]
        out[sequences[entry, player]] += weight


@jit
def discounted(regret, positive, negative):
    """Return a regret times the discount of its sign."""
    return regret * (positive if regret > 0.0 else negative)


@jit
def basis(regret, newest, positive, negative, prediction):
    """Return what the next strategy is chosen by: the regret, or what it would be next."""
    if prediction == 0.0:
        return regret
    return discounted(regret, positive, negative) + prediction * newest


@jit
def respond(first, parent, utility, regret, last, behavior, step, prediction):
    """Add regrets against `utility`, which is spent; choose by regret matching."""
    positive, negative, _, next_positive, next_negative = step
    for h in range(len(parent) - 1, -1, -1):
        start, stop = first[h], first[h + 1]
        value = 0.0
        for s in range(start, stop):
            value += behavior[s] * utility[s]
        utility[parent[h]] += value
        total = 0.0
        for s in range(start, stop):
            regret_now = utility[s] - value
            if abs(regret_now) <= TIE * (abs(value) + abs(utility[s])):
                regret_now = 0.0
            regret[s] = discounted(regret[s], positive, negative) + regret_now
            last[s] = regret_now
            behavior[s] = max(
                0.0, basis(regret[s], regret_now, next_positive, next_negative, prediction)
            )
            total += behavior[s]
        for s in range(start, stop):
            behavior[s] = behavior[s] / total if total > 0.0 else 1.0 / (stop - start)


@jit
def respond_alike(
    first,
    parent,
    utility,
    bucket_first,
    image,
    regret,
    last,
    behavior,
    step,
    prediction,
):
    """Choose as `respond` does, where information sets of one bucket add up their regrets.

    `regret` and `last` are over the buckets' actions, of which `image` has one for each sequence.
    """
    positive, negative, _, next_positive, next_negative = step
    last[:] = 0.0
    for h in range(len(parent) - 1, -1, -1):
        value = 0.0
        for s in range(first[h], first[h + 1]):
            value += behavior[s] * utility[s]
        utility[parent[h]] += value
        for s in range(first[h], first[h + 1]):
            regret_now = utility[s] - value
            if abs(regret_now) > TIE * (abs(value) + abs(utility[s])):
                last[image[s]] += regret_now
    chosen = regret.copy()
    for bucket in range(len(bucket_first) - 1):
        start, stop = bucket_first[bucket], bucket_first[bucket + 1]
        total = 0.0
        for a in range(start, stop):
            regret[a] = discounted(regret[a], positive, negative) + last[a]
            chosen[a] = max(
                0.0, basis(regret[a], last[a], next_positive, next_negative, prediction)
            )
            total += chosen[a]
        for a in range(start, stop):
            chosen[a] = chosen[a] / total if total > 0.0 else 1.0 / (stop - start)
    for s in range(1, len(image)):
        behavior[s] = chosen[image[s]]


@jit
def respond_partly(
    first,
    parent,
    utility,
    followed,
    free,
    regret,
    last,
    chosen,
    behavior,
    step,
    prediction,
):
    """Choose as `respond` does what is free, where a model is followed now and then.

    `followed` is the model's behaviour times how often it is followed, and `free` what that leaves
    of each information set. `chosen` is the free part, and `behavior` both together.
    """
    positive, negative, _, next_positive, next_negative = step
    for h in range(len(parent) - 1, -1, -1):
        start, stop = first[h], first[h + 1]
        value, forced = 0.0, 0.0
        for s in range(start, stop):
            value += chosen[s] * utility[s]
            forced += followed[s] * utility[s]
        utility[parent[h]] += forced + free[h] * value
        total = 0.0
        for s in range(start, stop):
            regret_now = utility[s] - value
            if abs(regret_now) <= TIE * (abs(value) + abs(utility[s])):
                regret_now = 0.0
            regret[s] = discounted(regret[s], positive, negative) + regret_now
            last[s] = regret_now
            chosen[s] = max(
                0.0, basis(regret[s], regret_now, next_positive, next_negative, prediction)
            )
            total += chosen[s]
        for s in range(start, stop):
            chosen[s] = chosen[s] / total if total > 0.0 else 1.0 / (stop - start)
            behavior[s] = followed[s] + free[h] * chosen[s]


@jit
def follow(first, parent, behavior, plan, average, weight):
    """Add the plan to the average, and make the plan of the new behaviour."""
    average[0] += weight
    for h in range(len(parent)):
        above = plan[parent[h]]
        for s in range(first[h], first[h + 1]):
            average[s] += weight * plan[s]
            plan[s] = above * behavior[s]


@jit
def iterate(schedule, players, matrices, prediction, alternating):
    """Run as many iterations as the schedule has rows; `matrices` are A and -A', compressed."""
    first0, parent0, regret0, last0, behavior0, plan0, average0, utility0 = players[0]
    first1, parent1, regret1, last1, behavior1, plan1, average1, utility1 = players[1]
    indptr0, indices0, data0 = matrices[0]
    indptr1, indices1, data1 = matrices[1]
    for t in range(len(schedule)):
        step = schedule[t]
        multiply(indptr0, indices0, data0, plan1, utility0)
        if not alternating:
            multiply(indptr1, indices1, data1, plan0, utility1)
        respond(first0, parent0, utility0, regret0, last0, behavior0, step, prediction)
        follow(first0, parent0, behavior0, plan0, average0, step[2])
        if alternating:
            multiply(indptr1, indices1, data1, plan0, utility1)
        respond(first1, parent1, utility1, regret1, last1, behavior1, step, prediction)
        follow(first1, parent1, behavior1, plan1, average1, step[2])


@jit
def best_value(first, parent, utility):
    """Return the best response value against `utility`, which is spent."""
    for h in range(len(parent) - 1, -1, -1):
        best = utility[first[h]]
        for s in range(first[h] + 1, first[h + 1]):
            best = max(best, utility[s])
        utility[parent[h]] += best
    return utility[0]


@jit
def best_value_partly(first, parent, utility, followed, free):
    """Return the best response value where a model is followed as in `respond_partly`."""
    for h in range(len(parent) - 1, -1, -1):
        best, forced = utility[first[h]], 0.0
        for s in range(first[h], first[h + 1]):
            best = max(best, utility[s])
            forced += followed[s] * utility[s]
        utility[parent[h]] += forced + free[h] * best
    return utility[0]
