// A correlation plan of two players (B. von Stengel and F. Forges, "Extensive-form correlated
// equilibrium", Mathematics of Operations Research 33, 2008): its sums, and what deviations gain.

class CorrelationPlan {
  constructor(content, players) {
    this.players = players;
    this.owner = players.map((player) => {
      const owner = [-1];
      player.parents.forEach((_, h) => owner.push(...new Array(player.first[h + 1] - player.first[h]).fill(h)));
      return owner;
    });
    this.blocks = part(content, "blocks").map((pair) => pair.map(Number));
    this.known = new Set(this.blocks.map((pair) => pair.join()));
    const plan = part(content, "plan");
    this.denominator = whole(part(plan, "denominator"));
    require(this.denominator > 0n, "the plan has no positive denominator");
    this.weights = new Map();
    for (const [mine, theirs, weight] of part(plan, "weights")) {
      const key = this.key(Number(mine), Number(theirs));
      require(!this.weights.has(key), "a pair is there twice");
      require(whole(weight) > 0n, "a weight is not positive");
      this.weights.set(key, whole(weight));
    }
    this.check();
  }
  key(mine, theirs) {
    const block = [this.owner[0][mine], this.owner[1][theirs]].join();
    require(this.known.has(block), `the sequences ${mine} and ${theirs} are no relevant pair`);
    return `${mine},${theirs}`;
  }
  at(mine, theirs) {
    return this.weights.get(this.key(mine, theirs)) ?? 0n;
  }
  of(player, own, other) {
    return player === 0 ? this.at(own, other) : this.at(other, own);
  }
  moves(player, infoset) {
    if (infoset < 0) return [0];
    const { first } = this.players[player];
    return Array.from({ length: first[infoset + 1] - first[infoset] }, (_, n) => first[infoset] + n);
  }
  check() {
    require(this.at(0, 0) === this.denominator, "the pair of empty sequences has not weight 1");
    for (const [player, { parents }] of this.players.entries()) {
      parents.forEach((_, h) => require(this.known.has(player === 0 ? `${h},-1` : `-1,${h}`), "an information set has no pair with the empty sequence"));
    }
    for (const block of this.blocks) {
      for (const player of [0, 1]) {
        if (block[player] < 0) continue;
        const above = this.players[player].parents[block[player]];
        for (const other of this.moves(1 - player, block[1 - player])) {
          const sum = this.moves(player, block[player]).reduce((total, own) => total + this.of(player, own, other), 0n);
          require(sum === this.of(player, above, other), `the plan does not add up at information set ${block[player]} of player ${player}`);
        }
      }
    }
  }
}

// Where a player may stop to obey: what the player was told, the information sets from which on
// the player deviates, and the moves there of which one would be played by obeying.
const TRIGGERS = {
  efce: (player) => player.parents.flatMap((_, h) => range(player.first[h], player.first[h + 1]).map((told) => [told, [h], [told]])),
  efcce: (player) => player.parents.map((told, h) => [told, [h], range(player.first[h], player.first[h + 1])]),
  nfcce: (player) => {
    const tops = range(0, player.parents.length).filter((h) => player.parents[h] === 0);
    return tops.length ? [[0, tops, tops.flatMap((h) => range(player.first[h], player.first[h + 1]))]] : [];
  },
};
const range = (start, stop) => Array.from({ length: stop - start }, (_, n) => start + n);

const checkCorrelation = (content) => {
  checkHash(content, ["game", "treeplexes", "payoffs"]);
  const players = treeplexes(content);
  require(players.length === 2, "there are not two players");
  const triggers = TRIGGERS[part(content, "concept")];
  require(triggers, "this concept is not known here");
  const plan = new CorrelationPlan(content, players);
  const values = [];
  const gains = [];
  players.forEach((player, own) => {
    const payoffs = readPayoffs(part(content, "payoffs")[own], own, players);
    const below = payoffs.denominator * plan.denominator;
    const rows = new Map();
    const kept = new Array(player.size).fill(0n);
    payoffs.entries.forEach((entry, n) => {
      const [mine, theirs] = [payoffs.sequences[own][n], payoffs.sequences[1 - own][n]];
      kept[mine] += entry * plan.of(own, mine, theirs);
      if (!rows.has(mine)) rows.set(mine, []);
      rows.get(mine).push([theirs, entry]);
    });
    const { parents, first } = player;
    for (let h = parents.length - 1; h >= 0; h -= 1) {
      for (let s = first[h]; s < first[h + 1]; s += 1) kept[parents[h]] += kept[s];
    }
    let most = 0n;
    for (const [told, tops, obeyed] of triggers(player)) {
      if (plan.of(own, told, 0) === 0n) continue; // it is never told
      const inside = new Set(tops);
      parents.forEach((parent, h) => parent && inside.has(plan.owner[own][parent]) && inside.add(h));
      const worth = new Map();
      let best = 0n;
      for (const h of [...inside].sort((a, b) => b - a)) {
        const amounts = range(first[h], first[h + 1]).map((s) =>
          (rows.get(s) ?? []).reduce((sum, [other, entry]) => sum + entry * plan.of(own, told, other), worth.get(s) ?? 0n));
        const top = amounts.reduce((a, b) => (a > b ? a : b));
        if (tops.includes(h)) best += top;
        else worth.set(parents[h], (worth.get(parents[h]) ?? 0n) + top);
      }
      const gain = best - obeyed.reduce((sum, s) => sum + kept[s], 0n);
      if (gain > most) most = gain;
    }
    values.push(new Ratio(kept[0], below));
    gains.push(new Ratio(most, below));
  });
  compareClaims(content, "values", values);
  compareClaims(content, "gains", gains);
  const gap = gains.reduce((a, b) => (a.compare(b) > 0 ? a : b));
  const paid = values.map((value) => value.text()).join(", ");
  return {
    values, gap, lower: values[0], upper: values[0], players: [],
    weight: (mine, theirs) => new Ratio(plan.at(mine, theirs), plan.denominator),
    result: gap.above === 0n
      ? `No deviation gains, exactly: those who obey get ${paid}.`
      : `Those who obey get ${paid}, and no deviation gains more than ${gap.text()}.`,
    steps: [
      hashed(content),
      `the plan adds up in all ${many(plan.blocks.length, "block", "blocks")} of relevant pairs, and is nowhere negative`,
      ...gains.map((gain, n) => `the best deviation of player ${n} gains ${gain.text()}`),
      "not checked here: that no pair is relevant besides, and that no equilibrium has more of an objective; seqform verify does both",
    ],
  };
};
