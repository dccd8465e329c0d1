// Plans of a game in sequence form (B. von Stengel, "Efficient computation of behavior
// strategies", Games and Economic Behavior 14, 1996): what they guarantee, or what players gain by
// deviating from them.

class Treeplex {
  constructor(thing, name) {
    this.name = name;
    this.parents = places(part(thing, "parents"), `${name}'s information sets`);
    const actions = places(part(thing, "actions"), `${name}'s actions`, this.parents.length);
    this.first = [1];
    actions.forEach((count, h) => {
      require(count > 0, `${name} has an information set without actions`);
      const parent = this.parents[h];
      require(parent >= 0 && parent < this.first[h], `${name} has a parent that comes later`);
      this.first.push(this.first[h] + count);
    });
    this.size = this.first[actions.length];
  }
  plan(thing) {
    const denominator = whole(part(thing, "denominator"));
    require(denominator > 0n, `${this.name}'s plan has no positive denominator`);
    const numbers = wholes(part(thing, "numerators"), `${this.name}'s plan`, this.size);
    require(numbers[0] === denominator, `${this.name}'s plan does not begin with 1`);
    require(numbers.every((n) => n >= 0n), `${this.name}'s plan is negative somewhere`);
    this.parents.forEach((parent, h) => {
      let sum = 0n;
      for (let s = this.first[h]; s < this.first[h + 1]; s += 1) sum += numbers[s];
      require(sum === numbers[parent], `${this.name}'s plan does not add up at information set ${h}`);
    });
    return { denominator, numbers };
  }
  best(worth) { // the most that any plan gets, from the last information set to the first
    const values = [...worth];
    for (let h = this.parents.length - 1; h >= 0; h -= 1) {
      let most = values[this.first[h]];
      for (let s = this.first[h] + 1; s < this.first[h + 1]; s += 1) if (values[s] > most) most = values[s];
      values[this.parents[h]] += most;
    }
    return values[0];
  }
}

const treeplexes = (content) => part(content, "treeplexes").map((thing, n) => new Treeplex(thing, `player ${n}`));

const plansOf = (content, players) => {
  const listed = part(content, "plans");
  require(Array.isArray(listed) && listed.length === players.length, "there is not one plan for each player");
  return players.map((player, n) => player.plan(listed[n]));
};

// Two players whose payoffs add up to a constant: a value, or an interval around it

const constantSum = (content) => {
  const players = treeplexes(content);
  require(players.length === 2, "there are not two players");
  const payoffs = part(content, "payoffs");
  const denominator = whole(part(payoffs, "denominator"));
  require(denominator > 0n, "the payoffs have no positive denominator");
  const lengths = places(part(payoffs, "row_lengths"), "the payoffs", players[0].size);
  const columns = places(part(payoffs, "columns"), "the payoffs");
  const entries = wholes(part(payoffs, "numerators"), "the payoffs", columns.length);
  require(lengths.every((n) => n >= 0), "a row of the payoffs has a negative length");
  require(lengths.reduce((a, b) => a + b, 0) === columns.length, "the rows of the payoffs do not fit");
  require(columns.every((c) => c >= 0 && c < players[1].size), "a payoff is at no sequence");
  const plans = plansOf(content, players);
  const [x, y] = plans.map((plan) => plan.numbers);
  const mine = new Array(players[0].size).fill(0n);
  const theirs = new Array(players[1].size).fill(0n);
  let at = 0;
  lengths.forEach((length, row) => {
    for (const end = at + length; at < end; at += 1) {
      mine[row] += entries[at] * y[columns[at]];
      theirs[columns[at]] -= entries[at] * x[row];
    }
  });
  const upper = new Ratio(players[0].best(mine), denominator * plans[1].denominator);
  const lower = new Ratio(-players[1].best(theirs), denominator * plans[0].denominator);
  return { players, plans, ...bounded(content, lower, upper) };
};

// What two plans prove of the value, compared with what is claimed
const bounded = (content, lower, upper) => {
  const claimed = content.has("value") ? [content.get("value"), content.get("value")] : part(content, "interval");
  require(Array.isArray(claimed) && claimed.length === 2, "there is no interval");
  const [low, high] = content.has("value")
    ? claimed.map((pair) => Ratio.read(pair, "the value"))
    : claimed.map((pair) => Ratio.read(pair, "the interval"));
  require(lower.compare(low) === 0, `player 0's plan guarantees ${lower.text()}, not ${low.text()}`);
  require(upper.compare(high) === 0, `player 1's plan holds player 0 to ${upper.text()}, not ${high.text()}`);
  const gap = upper.minus(lower);
  const result = gap.above === 0n
    ? `The value to player 0 is ${lower.text()}, exactly.`
    : `The value to player 0 is from ${lower.text()} to ${upper.text()}.`;
  return {
    lower, upper, gap, values: undefined, result,
    steps: [
      `player 0's plan gets at least ${lower.text()}, whatever player 1 does`,
      `against player 1's plan nobody gets more than ${upper.text()}`,
    ],
  };
};

const readPayoffs = (thing, own, players) => {
  const name = `player ${own}'s payoffs`;
  const denominator = whole(part(thing, "denominator"));
  require(denominator > 0n, `${name} have no positive denominator`);
  const entries = wholes(part(thing, "numerators"), name);
  const sequences = part(thing, "sequences").map((list) => places(list, name, entries.length));
  require(sequences.length === players.length, `${name} are not of these players`);
  sequences.forEach((list, n) => require(list.every((s) => s >= 0 && s < players[n].size), `${name} are at no sequence`));
  return { denominator, entries, sequences };
};

const compareClaims = (content, name, found) => {
  const claimed = part(content, name);
  require(Array.isArray(claimed) && claimed.length === found.length, `there is not one of the ${name} for each player`);
  found.forEach((number, n) => {
    const claim = Ratio.read(claimed[n], `player ${n}'s ${name}`);
    require(number.compare(claim) === 0, `proven is ${number.text()} of player ${n}'s ${name}, not ${claim.text()}`);
  });
};

// Any players and payoffs: what each gets, and gains at most by another plan

const anySum = (content) => {
  const players = treeplexes(content);
  const plans = plansOf(content, players);
  const values = [];
  const gains = [];
  part(content, "payoffs").forEach((thing, own) => {
    const { denominator, sequences, entries } = readPayoffs(thing, own, players);
    const worth = new Array(players[own].size).fill(0n);
    entries.forEach((entry, place) => {
      let product = entry;
      sequences.forEach((list, n) => {
        if (n !== own) product *= plans[n].numbers[list[place]];
      });
      worth[sequences[own][place]] += product;
    });
    const below = plans.reduce((all, plan, n) => (n === own ? all : all * plan.denominator), denominator);
    const mine = worth.reduce((sum, each, s) => sum + each * plans[own].numbers[s], 0n);
    values.push(new Ratio(mine, below * plans[own].denominator));
    gains.push(new Ratio(players[own].best(worth), below).minus(values[own]));
  });
  require(values.length === players.length, "there are not payoffs for each player");
  compareClaims(content, "values", values);
  compareClaims(content, "gains", gains);
  const gap = gains.reduce((sum, gain) => sum.plus(gain), new Ratio(0n));
  const paid = values.map((value) => value.text()).join(", ");
  const result = gap.above === 0n
    ? `An equilibrium, exactly: it pays the players ${paid}, and nobody gains by deviating.`
    : `The plans pay the players ${paid}, and by deviating alone they gain at most ${gains.map((gain) => gain.text()).join(", ")}.`;
  return {
    players, plans, values, gap, result,
    steps: gains.map((gain, n) => `player ${n} gets ${values[n].text()} and gains ${gain.text()} by the best other plan`),
  };
};
