// A pure strategy in a tree of perfect information: no deviation at one decision gains, in any
// subgame. By the one-shot deviation principle it is then subgame-perfect.

const listed = (content, name) => {
  const text = part(content, name);
  require(typeof text === "string", `${name} is no text`);
  return text === "" ? [] : text.split(" ").map((word) => {
    const number = Number(word);
    require(/^-?\d+$/.test(word) && Number.isSafeInteger(number), `${name} holds ${word.slice(0, 20)}`);
    return number;
  });
};

const readTree = (content) => {
  const children = listed(content, "children");
  const acting = listed(content, "player");
  const leaves = listed(content, "leaves");
  const payoffs = part(content, "payoffs").map((row) => row.map((pair) => Ratio.read(pair, "a payoff")));
  const count = Number(part(content, "players"));
  require(payoffs.every((row) => row.length === count), "there is not one payoff for each player");
  const nothing = new Array(count).fill(new Ratio(0n));
  const paid = [];
  const player = [];
  const first = [];
  let [next, inner, leaf] = [1, 0, 0];
  children.forEach((width, node) => {
    require(width >= 0 && next > node, "a node comes before its parent");
    first.push(next);
    next += width;
    player.push(width ? acting[inner++] : -2);
    paid.push(width ? nothing : payoffs[leaves[leaf++]] ?? nothing);
  });
  require(next === children.length, "the nodes are not those of a tree");
  require(inner === acting.length && leaf === leaves.length, "the nodes do not fit who acts, or what is paid");
  require(acting.every((who) => who >= -1 && who < count), "somebody acts who is no player");
  for (const [node, row] of part(content, "inner").map((pair) => pair.map(Number))) {
    require(children[node] > 0 && row >= 0 && row < payoffs.length, "a payoff is at no node");
    paid[node] = payoffs[row];
  }
  return { children, player, first, paid, count };
};

const addedUp = (one, other) => one.map((number, n) => number.plus(other[n]).short());

const checkInduction = (content) => {
  checkHash(content, ["game", "players", "children", "player", "chance", "probabilities", "leaves", "inner", "payoffs"]);
  const { children, player, first, paid, count } = readTree(content);
  const places = listed(content, "choice");
  const shares = part(content, "probabilities").map((pair) => Ratio.read(pair, "a probability"));
  const chances = listed(content, "chance").map((place) => shares[place]);
  let [decision, chance] = [places.length, chances.length];
  const worth = new Array(children.length);
  const chosen = []; // the child of a decision, and where the probabilities of chance begin
  const isNothing = (row) => row.every((number) => number.above === 0n);
  for (let node = children.length - 1; node >= 0; node -= 1) {
    const below = Array.from({ length: children[node] }, (_, place) => worth[first[node] + place]);
    let value = paid[node];
    if (player[node] === -1) {
      chance -= below.length;
      require(chance >= 0, "there are too few probabilities");
      const here = chances.slice(chance, chance + below.length);
      require(here.every((share) => share && share.above >= 0n), "a probability is negative");
      require(here.reduce((sum, share) => sum.plus(share)).compare(new Ratio(1n)) === 0, "probabilities do not add up to 1");
      below.forEach((row, n) => {
        value = addedUp(value, row.map((number) => number.times(here[n])));
      });
    } else if (below.length) {
      decision -= 1;
      const chosen = below[places[decision]];
      require(chosen, "a choice is no child");
      const who = player[node];
      for (const other of below) {
        require(other === chosen || other[who].compare(chosen[who]) <= 0, `player ${who} gains by another move at node ${node}`);
      }
      value = isNothing(value) ? chosen : addedUp(value, chosen);
    }
    worth[node] = value;
    chosen[node] = player[node] >= 0 ? first[node] + places[decision] : chance;
  }
  require(decision === 0 && chance === 0, "there are too many choices or probabilities");
  const values = worth[0];
  const share = (node, child) =>
    player[node] >= 0 ? Number(child === chosen[node]) : chances[chosen[node] + child - first[node]].float();
  part(content, "values").forEach((pair, n) => {
    require(n < count && values[n].compare(Ratio.read(pair, "a value")) === 0, `player ${n} gets ${values[n].text()}`);
  });
  return {
    values, gap: new Ratio(0n), lower: values[0], upper: values[0], players: [], induction: { children, player, first, worth, share },
    result: `Nobody gains by deviating in any subgame, exactly: the players get ${values.map((v) => v.text()).join(", ")}.`,
    steps: [
      hashed(content),
      `the ${many(children.length, "node is a tree", "nodes are a tree")}, parents before children`,
      `at each of ${many(places.length, "decision", "decisions")} no other move is worth more to who decides`,
    ],
  };
};
