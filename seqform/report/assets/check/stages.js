// Recursive games: stages whose leaves lead on to stages, or end play (H. Everett, "Recursive games",
// Contributions to the theory of games III, 1957). A bound u holds at all positions, that is stages
// and seats, if in each of them one best response to the others' plans gets no more, leads being
// worth u; and if play ends against these plans (B), or there is slack wherever endless play would
// pay more than u (C).

const BOUND_BITS = 64n; // bounds are whole numbers over 2 to this

class StageForm {
  constructor(thing, n) {
    this.players = part(thing, "treeplexes").map((one, seat) => new Treeplex(one, `stage form ${n}, seat ${seat}`));
    this.denominator = whole(part(thing, "denominator"));
    require(this.denominator > 0n, `stage form ${n} has no positive denominator`);
    this.weights = wholes(part(thing, "weights"), `the chances of stage form ${n}`);
    require(this.weights.every((weight) => weight >= 0n), `a chance of stage form ${n} is negative`);
    const count = this.weights.length;
    this.leaf = places(part(thing, "leaves"), "the leaves", count);
    this.places = part(thing, "places").map((list) => places(list, "the places", count));
    require(this.places.length === this.players.length, `stage form ${n} has other seats than places`);
    this.places.forEach((list, seat) => require(list.every((s) => s >= 0 && s < this.players[seat].size), `stage form ${n} meets at no sequence`));
    this.groups = this.players.map((player, seat) => this.grouped(seat));
  }
  grouped(seat) { // entries in the order of leaf and sequence, and where each pair begins
    const key = this.leaf.map((leaf, entry) => leaf * this.players[seat].size + this.places[seat][entry]);
    const order = Uint32Array.from(key.keys()).sort((a, b) => key[a] - key[b]);
    const found = [];
    order.forEach((entry, at) => {
      if (!at || key[entry] !== key[order[at - 1]]) found.push({ leaf: this.leaf[entry], sequence: this.places[seat][entry], entries: [] });
      found.at(-1).entries.push(entry);
    });
    return found;
  }
  against(seat, plans) { // how likely each pair of leaf and sequence is against the others' plans
    const others = plans.map((plan, other) => [this.places[other], plan]).filter((_, other) => other !== seat);
    return this.groups[seat].map(({ leaf, sequence, entries }) => {
      let sum = 0n;
      for (const entry of entries) {
        let product = this.weights[entry];
        for (const [list, plan] of others) product *= plan[list[entry]];
        sum += product;
      }
      return { leaf, sequence, chance: sum };
    });
  }
}

class Stages {
  constructor(content) {
    this.whole = whole(part(content, "whole"));
    this.forms = part(content, "forms").map((thing, n) => new StageForm(thing, n));
    this.stages = part(content, "stages").map((thing, n) => this.stage(thing, n));
    this.seats = this.stages[0].form.players.length;
    require(this.stages.every(({ plans }) => plans.length === this.seats), "stages have not as many seats as one another");
    this.leads = this.stages.map(({ leads }) => leads);
    for (const { leads } of this.stages) for (const lead of leads) this.checkLead(lead);
    this.positions = this.stages.flatMap((stage, number) => stage.plans.map((_, seat) => ({ stage, number, seat })));
    this.endless = this.stages.flatMap(({ endless }) => endless);
    this.rewards = this.leads.flat().some((lead) => lead.stage >= 0 && lead.paid.some((paid) => paid.above !== 0n));
    this.common = this.leads.flat().flatMap((lead) => lead.paid).reduce((all, { below }) => (all / common(all, below)) * below, 1n) << BOUND_BITS;
    for (const at of this.positions) this.prepare(at);
  }

  stage(thing, n) {
    const form = this.forms[place(part(thing, "form"))];
    require(form, `stage ${n} has no form`);
    const seats = form.players.length;
    const pairs = (list, name) => list.map((pair) => Ratio.read(pair, name));
    const leads = part(thing, "leads").map((lead) => ({
      paid: pairs(part(lead, "paid"), "what a lead pays"),
      stage: place(part(lead, "stage")),
      seat: places(part(lead, "seats"), "seats"),
    }));
    const after = places(part(thing, "after"), "what comes after leaves");
    require(form.leaf.every((leaf) => leads[after[leaf]] !== undefined), `a leaf of stage ${n} leads nowhere`);
    const plans = part(thing, "plans").map((numbers, seat) => form.players[seat].plan(new Map([["denominator", this.whole], ["numerators", numbers]])).numbers);
    const endless = pairs(part(thing, "endless"), "endless play");
    require(plans.length === seats && endless.length === seats, `stage ${n} has not a plan for each seat`);
    return { form, leads, after, plans, endless };
  }

  checkLead({ paid, stage, seat }) {
    require(paid.length === this.seats, "a lead does not pay each seat");
    if (stage < 0) return;
    require(stage < this.stages.length, "a lead comes to no stage");
    require([...seat].sort((a, b) => a - b).join() === [...Array(this.seats).keys()].join(), "a lead does not seat all players");
  }

  prepare(at) { // what stays the same while bounds change
    const { form, leads, after, plans } = at.stage;
    at.player = form.players[at.seat];
    at.met = form.against(at.seat, plans).map(({ leaf, ...pair }) => ({ ...pair, lead: after[leaf] }));
    at.below = form.denominator * this.whole ** BigInt(this.seats - 1);
    at.paid = leads.map((lead) => (lead.paid[at.seat].above * this.common) / lead.paid[at.seat].below);
    at.next = leads.map((lead) => (lead.stage < 0 ? -1 : lead.stage * this.seats + lead.seat[at.seat]));
    at.own = plans[at.seat];
    for (const sign of [1n, -1n]) { // by no plan more, and by none less
      const all = at.player.best(this.gradient(at, leads.map(() => sign)));
      require(all === sign * at.below, `the chances of stage ${at.number} do not add up to 1, whatever seat ${at.seat} does`);
    }
  }

  gradient(at, worth) {
    const found = new Array(at.player.size).fill(0n);
    for (const { sequence, lead, chance } of at.met) found[sequence] += chance * worth[lead];
    return found;
  }

  // What a position gets where positions are worth u, times this.common: the most, or by its own plan
  once(at, u, own, sign) {
    const scale = this.common >> BOUND_BITS;
    const worth = at.paid.map((paid, lead) => sign * paid + (at.next[lead] < 0 ? 0n : u[at.next[lead]] * scale));
    const paid = this.gradient(at, worth);
    if (!own) return new Ratio(at.player.best(paid), at.below);
    return new Ratio(paid.reduce((sum, each, s) => sum + each * at.own[s], 0n), at.below * this.whole);
  }

  endsPlay(own) {
    let staying = this.positions.map(() => true);
    while (staying.includes(true)) {
      const left = this.positions.map((at, p) => staying[p] && this.mayStay(at, staying, own));
      if (left.every((stays, p) => stays === staying[p])) return false;
      staying = left;
    }
    return true;
  }

  mayStay(at, staying, own) {
    const leaves = this.gradient(at, at.next.map((next) => (next < 0 || !staying[next] ? -1n : 0n)));
    if (!own) return at.player.best(leaves) === 0n;
    return leaves.every((out, s) => out * at.own[s] === 0n);
  }

  // Check bounds of all positions, which belong to payoffs times a sign
  prove(thing, own, sign) {
    const kind = part(thing, "case");
    require(CASES.has(kind) || kind === "horizon", "it is not said why bounds hold");
    able(kind !== "horizon", "these bounds come from finite horizons, whose many sweeps this page does not repeat; seqform verify does that");
    const u = wholes(part(thing, "values"), "the bounds", this.positions.length);
    let strict = true;
    this.positions.forEach((at, p) => {
      const bound = new Ratio(u[p] * (this.common >> BOUND_BITS));
      const order = this.once(at, u, own, sign).compare(bound);
      require(order <= 0, `stage ${at.number}, seat ${at.seat}: a plan gets more than the bound`);
      const endless = this.endless[p].times(new Ratio(sign));
      strict &&= order < 0 || new Ratio(u[p], 1n << BOUND_BITS).compare(endless) >= 0;
    });
    if (kind === "slack") require(strict && !this.rewards, "bounds have no slack where endless play would pay more");
    else require(this.endsPlay(own), "it is claimed that the plans end play, and they do not");
    return u.map((number) => new Ratio(sign * number, 1n << BOUND_BITS));
  }

  // What both players of two get together, which has to be the same whatever happens
  constant(pair) {
    const total = Ratio.read(pair, "the sum");
    const sum = (paid) => paid.reduce((all, each) => all.plus(each), new Ratio(0n));
    require(this.seats === 2 && !this.rewards, "a sum is of two players, and of play that pays at its end");
    const ends = this.leads.flat().filter(({ stage }) => stage < 0).map(({ paid }) => paid);
    for (const paid of [...ends, ...this.stages.map(({ endless }) => endless)]) {
      require(sum(paid).compare(total) === 0, "payoffs do not add up to the constant that is claimed");
    }
    return total;
  }
}

const largest = (ratios) => ratios.reduce((most, each) => (each.compare(most) > 0 ? each : most));

const CASES = new Map([
  ["slack", "in each stage there is slack wherever endless play would pay more"],
  ["ends", "the others' plans end play, whatever a player does"],
]);

const checkStages = (content) => {
  const game = new Stages(content);
  const upper = game.prove(part(content, "deviations"), false, 1n);
  const isValue = content.has("sum");
  let lower;
  if (isValue) {
    const total = game.constant(content.get("sum"));
    lower = upper.map((_, p) => total.minus(upper[p ^ 1]));
  } else lower = game.prove(part(content, "worth"), true, -1n);
  const gains = upper.map((most, p) => most.minus(lower[p]));
  const first = gains.slice(0, game.seats);
  const sets = game.stages.reduce((sum, { form }) => sum + form.players.reduce((all, { parents }) => all + parents.length, 0), 0);
  const [low, high] = [lower[0].decimal(12), upper[0].decimal(12)];
  const result = isValue
    ? `The first stage is worth from ${low} to ${high} to seat 0, in the whole game.`
    : `In the whole game, from the first stage on, nobody gains more than ${largest(first).decimal(12)} by any deviation.`;
  return {
    players: [], lower: lower[0], upper: upper[0], values: undefined, result,
    gap: isValue ? largest(gains) : largest(first),
    bounds: { lower, upper },
    stages: game.stages.map(({ form, plans }) => ({
      players: form.players, plans: plans.map((numbers) => ({ numbers, denominator: game.whole })),
    })),
    seats: game.seats,
    steps: [
      `the plans add up in all ${many(sets, "information set", "information sets")} of ${many(game.stages.length, "stage", "stages")}, and are nowhere negative`,
      "the chances of where each stage leads add up to 1, whatever one seat does",
      `at each of ${many(game.positions.length, "position", "positions")} the best answer to the others' plans gets no more than its bound, where stages are worth their bounds: in whole numbers`,
      `so no strategy gets more in the whole game: ${CASES.get(part(part(content, "deviations"), "case"))}`,
      ...(isValue ? [] : ["what the plans themselves are worth is no less than is said, by the same theorem"]),
      "not checked here: that these stages are those of the game of this name; seqform verify does that",
    ],
  };
};

// Bounds of positions, and what is played in stages, as the page shows them
const compareBounds = (article, { bounds, seats }) => {
  const shown = article.querySelectorAll("[data-bound]");
  for (const cell of shown) {
    const [side, stage, seat] = cell.dataset.bound.split(":");
    const proven = bounds[side]?.[Number(stage) * seats + Number(seat)];
    require(proven, `the page shows a bound of stage ${stage}, seat ${seat}, which there is not`);
    const text = figure(cell.textContent);
    const order = Ratio.parse(text).compare(proven);
    require(side === "lower" ? order <= 0 : order >= 0, `the page shows the bound ${text} of stage ${stage}, seat ${seat}, and proven is ${proven.text()}`);
  }
  return shown.length;
};

const compareStages = (article, found, shares) => {
  for (const place of article.querySelectorAll("[data-stage]")) {
    const own = new Shares(article, found.stages[Number(place.dataset.stage)]);
    for (const shown of place.querySelectorAll("[data-sequence]")) {
      const [player, sequence] = shown.dataset.sequence.split(":").map(Number);
      own.compare(player, sequence, ...percentage(shown.textContent));
    }
    for (const count of ["exact", "coarse", "never"]) shares[count] += own[count];
  }
};
