// A game by its deck, public tree and outcomes, and its quotient by classes of observations. The
// quotient has the game's value if next to their weights all members of a class are followed and
// paid alike: that is checked over all deals. Then plans of the quotient prove bounds on the value.

const safe = (number) => {
  able(Number.isSafeInteger(number), "there are numbers that are too large for this page");
  return number;
};
const addTo = (row, place, amount) => row.set(place, safe((row.get(place) ?? 0) + amount));
const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0n);

class Deck {
  constructor(thing) {
    this.copies = places(part(thing, "copies"), "the deck", part(thing, "cards").length);
    this.again = part(thing, "replacement");
    require(typeof this.again === "boolean", "the deck does not say whether a card can come again");
    require(this.copies.every((count) => count > 0), "the deck has a card without copies");
  }
  key(deal) {
    return safe(deal.reduce((sum, card) => sum * this.copies.length + card, 0));
  }
  ways(length) { // copies told apart
    const size = this.copies.reduce((a, b) => a + b, 0);
    return range(0, length).reduce((all, n) => all * BigInt(this.again ? size : size - n), 1n);
  }
  each(length, seen, tell) { // every deal of so many cards after those seen, and the ways to it
    const left = [...this.copies];
    if (!this.again) for (const card of seen) left[card] -= 1;
    const taken = this.again ? 0 : 1;
    const deal = [];
    const next = (ways) => {
      if (deal.length === length) {
        tell(deal, ways);
        return;
      }
      left.forEach((copies, card) => {
        if (copies <= 0) return;
        left[card] -= taken;
        deal.push(card);
        next(ways * copies);
        deal.pop();
        left[card] += taken;
      });
    };
    next(1);
  }
}

const readNodes = (things) => {
  const nodes = [];
  things.forEach((thing, number) => {
    const kind = ["deal", "player"].find((each) => thing.has(each)) ?? "outcome";
    const said = part(thing, kind);
    const what = typeof said === "bigint" ? Number(said) : said;
    const isPlayer = what === 0 || what === 1;
    require(kind === "outcome" || isPlayer || (kind === "deal" && what === "everyone"), `node ${number} names nobody`);
    const node = { kind, what, action: thing.get("action"), children: [], recipients: [], line: [[-1, 0], [-1, 0]] };
    node.stake = kind === "outcome" ? Ratio.read(part(thing, "stake"), "a stake") : new Ratio(0n);
    const parent = Number(part(thing, "parent"));
    require(number ? parent >= 0 && parent < number : parent === -1, `node ${number} does not come after a parent`);
    if (number) {
      const above = nodes[parent];
      [node.line, node.recipients] = [[...above.line], above.recipients];
      if (above.kind === "deal") node.recipients = [...above.recipients, above.what];
      else if (above.kind === "player") node.line[above.what] = [parent, above.children.length];
      above.children.push(number);
    }
    nodes.push(node);
  });
  nodes.forEach(({ kind, children }, number) => {
    const actions = new Set(children.map((child) => nodes[child].action));
    const isRight = { player: children.length > 0 && actions.size === children.length, deal: children.length === 1, outcome: children.length === 0 }[kind];
    require(isRight, `node ${number} does not have the children of its kind`);
  });
  require(nodes.length > 0, "there are no nodes");
  return nodes;
};

class Signals {
  constructor(thing) {
    this.deck = new Deck(part(thing, "deck"));
    this.nodes = readNodes(part(thing, "nodes"));
    const all = this.nodes.reduce((most, { recipients }) => (recipients.length > most.length ? recipients : most), []);
    require(this.nodes.every(({ recipients }) => recipients.every((who, n) => who === all[n])), "who sees a signal depends on the actions");
    const stops = this.nodes.filter(({ kind }) => kind !== "deal").map(({ recipients }) => recipients.length);
    this.stages = [...new Set(stops)].sort((a, b) => a - b);
    require(this.deck.ways(this.stages.at(-1)) > 0n, "the deck has too few cards");
    this.seen = [0, 1].map((player) => this.stages.map((dealt) =>
      range(0, dealt).filter((n) => all[n] === player || all[n] === "everyone")));
    this.observations = this.seen.map((stages) => stages.map((seen) => {
      const found = new Map();
      this.deck.each(seen.length, [], (deal, ways) => found.set(this.deck.key(deal), { number: found.size, deal: [...deal], ways }));
      return found;
    }));
    this.outcomes = part(thing, "outcomes").map((outcome) => this.outcome(outcome));
    this.nodes.forEach((node, number) => {
      if (node.kind === "outcome") require(this.outcomes[node.what]?.stage === this.stage(node), `node ${number} does not end in an outcome after so many signals`);
    });
  }
  stage(node) { // the last one with no more signals than were dealt, -1 before the first
    return this.stages.filter((dealt) => dealt <= node.recipients.length).length - 1;
  }
  outcome(thing) {
    const signals = Number(part(thing, "signals"));
    const stage = this.stages.indexOf(signals);
    require(stage >= 0, "an outcome is at no stage");
    if (thing.has("pays")) {
      const always = safe(Number(whole(thing.get("pays"))));
      return { stage, pays: () => always };
    }
    if (thing.has("strengths")) {
      const [first, second] = thing.get("strengths").map((list, player) =>
        places(list, "the strengths", this.observations[player][stage].size));
      return { stage, pays: (mine, theirs) => Math.sign(first[mine] - second[theirs]) };
    }
    const amounts = places(part(thing, "payoffs"), "the payoffs").map(safe);
    const table = new Map();
    this.deck.each(signals, [], (deal) => table.set(this.deck.key(deal), amounts[table.size]));
    require(table.size === amounts.length, "there is not one payoff for each deal");
    return { stage, pays: (mine, theirs, deal) => table.get(this.deck.key(deal)) };
  }
}

// Vectors by class: those of one class must be their weights times one vector.
class Multiples {
  constructor(name) {
    this.name = name;
    this.models = new Map();
    this.weights = [];
  }
  add(color, weight, row) {
    for (const [place, entry] of row) if (entry === 0) row.delete(place);
    if (weight && !this.models.has(color)) this.models.set(color, [weight, row]);
    const [unit, model] = weight ? this.models.get(color) : [1, new Map()];
    const isSame = row.size === (weight ? model.size : 0)
      && [...row].every(([place, entry]) => safe(entry * unit) === safe((model.get(place) ?? 0) * weight));
    require(isSame, `${this.name} differ within class ${color}`);
    this.weights[color] = safe((this.weights[color] ?? 0) + weight);
  }
  totals() {
    return Array.from(this.weights, (weight, color) => {
      const [unit, row] = this.models.get(color) ?? [1, new Map()];
      return [...row].map(([place, entry]) => [place, (BigInt(entry) * BigInt(weight)) / BigInt(unit)]);
    });
  }
}

class Classes {
  constructor(game, thing) {
    this.game = game;
    require(thing.length === 2 && thing.every((list) => list.length === game.stages.length), "there are not classes of each player and stage");
    this.classes = thing.map((list, player) => list.map((each, stage) => {
      const { size } = game.observations[player][stage];
      const of = places(part(each, "classes"), "the classes", size);
      const weights = places(part(each, "weights"), "the weights", size).map(safe);
      const count = new Set(of).size;
      require(of.every((color) => color >= 0 && color < count), "the classes have gaps");
      require(weights.every((weight) => weight >= 0), "a weight is negative");
      return { of, weights, count };
    }));
    this.up = [0, 1].map((player) => game.stages.map((_, stage) => this.parents(player, stage)));
    this.paid = [0, 1].map((player) => this.payments(player));
    this.unit = game.nodes.reduce((all, { stake }) => (all * stake.below) / common(all, stake.below), 1n);
    this.denominator = this.unit * game.deck.ways(game.stages.at(-1));
  }
  parents(player, stage) { // the class of the stage before of each class
    const { of, weights, count } = this.classes[player][stage];
    if (stage === 0) return new Array(count).fill(0);
    const before = this.classes[player][stage - 1];
    const earlier = this.game.observations[player][stage - 1];
    const { length } = this.game.seen[player][stage - 1];
    const name = `the followers of player ${player}'s observations of stage ${stage - 1}`;
    const follow = before.of.map(() => new Map());
    const up = new Array(count).fill(-1);
    for (const { number, deal } of this.game.observations[player][stage].values()) {
      const above = earlier.get(this.game.deck.key(deal.slice(0, length))).number;
      const color = of[number];
      if (up[color] < 0) up[color] = before.of[above];
      require(up[color] === before.of[above], `members of class ${color} came from different ones`);
      addTo(follow[above], color, weights[number]);
    }
    const alike = new Multiples(name);
    follow.forEach((row, n) => alike.add(before.of[n], before.weights[n], row));
    return up;
  }
  payments(player) { // what player 0 is paid at each outcome, by the player's class and the other's
    const { outcomes, stages } = this.game;
    const paid = outcomes.map((_, n) => new Multiples(`player ${player}'s payoffs of outcome ${n}`));
    stages.forEach((_, stage) => {
      const ends = outcomes.map((outcome, n) => [outcome, paid[n]]).filter(([outcome]) => outcome.stage === stage);
      if (ends.length) this.meet(player, stage, ends);
    });
    return paid.map((each) => each.totals());
  }
  meet(player, stage, ends) { // all deals of a stage, by what the player has seen of them
    const { deck, observations, seen, stages } = this.game;
    const [mine, theirs] = [seen[player][stage], seen[1 - player][stage]];
    const hidden = range(0, stages[stage]).filter((n) => !mine.includes(n));
    const { of, weights } = this.classes[player][stage];
    const others = this.classes[1 - player][stage].of;
    const whole = new Array(stages[stage]).fill(0);
    for (const { number, deal, ways } of observations[player][stage].values()) {
      mine.forEach((place, n) => { whole[place] = deal[n]; });
      const rows = ends.map(() => new Map());
      deck.each(hidden.length, deal, (rest, more) => {
        hidden.forEach((place, n) => { whole[place] = rest[n]; });
        const other = observations[1 - player][stage].get(deck.key(theirs.map((place) => whole[place]))).number;
        const pair = player ? [other, number] : [number, other];
        ends.forEach(([{ pays }], n) => addTo(rows[n], others[other], safe(ways * more * pays(...pair, whole))));
      });
      ends.forEach(([, multiples], n) => multiples.add(of[number], weights[number], rows[n]));
    }
  }
  above(player, node) { // the place in the plan above that leads each class of a player to a node
    const stage = this.game.stage(node);
    const [above, position] = node.line[player];
    const start = above >= 0 ? this.game.stage(this.game.nodes[above]) : -1;
    const width = above >= 0 ? this.game.nodes[above].children.length : 1;
    let colors = range(0, this.classes[player][stage].count);
    for (let later = stage; later > start; later -= 1) colors = colors.map((color) => this.up[player][later][color]);
    return colors.map((color) => color * width + position);
  }
  reach(player, node, plan) { // what leads each class of a player to a node
    const numbers = plan.get(node.line[player][0]);
    return this.above(player, node).map((place) => numbers[place]);
  }
  numbered(player, { plan, denominator }) { // as in sequence form: nodes after fewer moves first
    const { nodes } = this.game;
    const moves = (number) => (number < 0 ? 0 : 1 + moves(nodes[number].line[player][0]));
    const starts = new Map([[-1, 0]]);
    const [numbers, parents, first] = [[denominator], [], [1]];
    for (const number of [...plan.keys()].slice(1).sort((a, b) => moves(a) - moves(b) || a - b)) {
      starts.set(number, numbers.length);
      for (const each of plan.get(number)) numbers.push(each);
      for (const place of this.above(player, nodes[number])) {
        parents.push(starts.get(nodes[number].line[player][0]) + place);
        first.push(first.at(-1) + nodes[number].children.length);
      }
    }
    return [{ parents, first }, { numbers, denominator }];
  }
  plan(player, thing) {
    const name = `player ${player}'s plan`;
    const denominator = whole(part(thing, "denominator"));
    require(denominator > 0n, `${name} has no positive denominator`);
    const numbered = [...this.game.nodes.entries()].filter(([, { kind, what }]) => kind === "player" && what === player);
    const listed = part(thing, "numerators");
    require(listed.length === numbered.length, `${name} is not for each node`);
    const plan = new Map([[-1, [denominator]]]);
    numbered.forEach(([number, node], n) => {
      const width = node.children.length;
      const { count } = this.classes[player][this.game.stage(node)];
      const numbers = wholes(listed[n], name, count * width);
      require(numbers.every((each) => each >= 0n), `${name} is negative somewhere`);
      plan.set(number, numbers);
      this.reach(player, node, plan).forEach((weight, color) => {
        require(sumOf(numbers.slice(color * width, (color + 1) * width)) === weight, `${name} does not add up at node ${number}`);
      });
    });
    return { plan, denominator };
  }
  best(player, plan) { // the most that a player can get against the other's plan
    const { nodes } = this.game;
    const worth = new Array(nodes.length);
    for (let number = nodes.length - 1; number >= 0; number -= 1) {
      const node = nodes[number];
      const below = node.children.map((child) => worth[child]);
      if (node.kind === "outcome") worth[number] = this.end(player, node, plan);
      else if (node.kind === "deal") worth[number] = this.before(player, node, below[0]);
      else worth[number] = below.reduce((a, b) => a.map((x, n) => (node.what !== player ? x + b[n] : x > b[n] ? x : b[n])));
    }
    return sumOf(worth[0]);
  }
  end(player, node, plan) {
    const { deck, stages } = this.game;
    const ways = deck.ways(stages.at(-1)) / deck.ways(node.recipients.length);
    const scale = ((node.stake.above * this.unit) / node.stake.below) * ways * (player ? -1n : 1n);
    const reached = this.reach(1 - player, node, plan);
    return this.paid[player][node.what].map((row) => {
      let sum = 0n;
      for (const [color, amount] of row) sum += amount * reached[color];
      return scale * sum;
    });
  }
  before(player, node, worth) { // before a signal is dealt
    const [before, stage] = [this.game.stage(node), this.game.stage(this.game.nodes[node.children[0]])];
    if (before === stage) return worth;
    const total = new Array(before >= 0 ? this.classes[player][before].count : 1).fill(0n);
    this.up[player][stage].forEach((color, n) => { total[color] += worth[n]; });
    return total;
  }
}

const bySignals = (content) => {
  const game = new Signals(part(content, "signals"));
  const quotient = new Classes(game, part(content, "classes"));
  const listed = part(content, "plans");
  require(listed.length === 2, "there are not two plans");
  const plans = listed.map((thing, player) => quotient.plan(player, thing));
  const [upper, below] = [0, 1].map((player) => {
    const other = plans[1 - player];
    return new Ratio(quotient.best(player, other.plan), quotient.denominator * other.denominator);
  });
  const numbered = plans.map((plan, player) => quotient.numbered(player, plan));
  const counts = quotient.classes.map((list) => list.map(({ count }) => count.toLocaleString("en")).join(", "));
  return {
    ...bounded(content, new Ratio(0n).minus(below), upper),
    players: numbered.map(([player]) => player),
    plans: numbered.map(([, plan]) => plan),
    steps: [
      `over all ${game.deck.ways(game.stages.at(-1)).toLocaleString("en")} deals, all observations of a class are followed and paid alike`,
      `so the game has the value of the one with ${counts[0]} classes of player 0 and ${counts[1]} of player 1`,
      "not checked here: that this is the game you mean",
    ],
  };
};
