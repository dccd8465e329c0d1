// The tree that the page shows: its probabilities are the plans', what a node is worth and how often
// play comes there follow from those below and above, and the root is worth what is proven.

const TENTHS = 0.6; // of the last digit that is shown, and a little for the floats here

const isNear = (shown, right, allowed) => shown === null || Math.abs(shown - right) <= allowed + 1e-12 * Math.abs(right);

const readShown = (name) => {
  const tree = dataOf(name);
  const parent = [-1];
  tree.first = [];
  tree.children.forEach((count, node) => {
    tree.first.push(parent.length);
    for (let n = 0; n < count; n += 1) parent.push(node);
  });
  require(parent.length === tree.children.length, "the tree that the page shows is none");
  return { ...tree, parent };
};

const checkSums = (tree) => {
  const unit = TENTHS * 10 ** -tree.digits;
  const share = TENTHS * 1e-5;
  tree.children.forEach((count, node) => {
    const below = Array.from({ length: Math.max(0, count) }, (_, place) => tree.first[node] + place);
    for (const child of below) {
      const right = tree.reach[node] * tree.p[child];
      const allowed = 0.0101 * Math.max(tree.reach[child], right) + tree.reach[node] * share; // of both three digits
      require(isNear(tree.reach[child], right, allowed), `the page shows that play comes to node ${child} of the tree with ${tree.reach[child]}, and it follows ${right}`);
    }
    if (below.length) tree.worth.forEach((worth, player) => {
      const known = below.every((child) => worth[child] !== null);
      const paid = tree.paid ? tree.paid[player][node] : 0;
      const right = below.reduce((sum, child) => sum + tree.p[child] * worth[child], paid);
      const allowed = below.reduce((sum, child) => sum + tree.p[child] * unit + share * Math.abs(worth[child]), 2 * unit);
      if (known) require(isNear(worth[node], right, allowed), `the page shows ${worth[node]} as what node ${node} of the tree is worth to player ${player}, and it follows ${right}`);
    });
  });
  require(isNear(tree.reach[0], 1, 0), "the page shows that play may not come to the root of the tree");
};

const checkRoot = (tree, found) => {
  const unit = new Ratio(1n, 1n).times(Ratio.parse(`1e${-tree.digits}`));
  const ends = found.values ? found.values.map((value) => [value, value]) : [[found.lower, found.upper]];
  ends.forEach(([least, most], player) => {
    const shown = Ratio.parse(`${tree.worth[player][0]}`);
    const isRight = shown.plus(unit).compare(least) >= 0 && shown.minus(unit).compare(most) <= 0;
    require(isRight, `the page shows ${tree.worth[player][0]} as what the tree is worth to player ${player}, which is not proven`);
  });
};

const compareTrees = (article, found, shares) => {
  let count = 0;
  for (const place of article.querySelectorAll("[data-tree]")) {
    const tree = readShown(place.dataset.tree);
    checkSums(tree);
    checkRoot(tree, found);
    if (found.induction) compareInduction(tree, found.induction);
    else if (found.players.length && tree.s) tree.s.forEach((sequence, node) => {
      if (sequence >= 0) shares.compare(tree.player[tree.parent[node]], sequence, 1e6 * tree.p[node], 10);
    });
    count += tree.children.length;
  }
  return count;
};

// Of backward induction the page holds the whole tree: each node that is shown is compared with it
const compareInduction = (shown, { children, player, first, worth, share }) => {
  shown.children.forEach((count, node) => {
    require(count === children[node] || (count < 0 && children[node] > 0), `the page shows ${count} moves at node ${node} of the tree, not ${children[node]}`);
    require(shown.player[node] === player[node], `the page shows that player ${shown.player[node]} acts at node ${node} of the tree`);
    worth[node].forEach((right, who) => {
      const number = shown.worth[who][node];
      require(isNear(number, right.float(), TENTHS * 10 ** -shown.digits), `the page shows ${number} as what node ${node} of the tree is worth to player ${who}, not ${right.text()}`);
    });
    for (let child = first[node]; child < first[node] + Math.max(0, count); child += 1) {
      const right = share(node, child);
      require(isNear(shown.p[child], right, TENTHS * 1e-5), `the page shows the probability ${shown.p[child]} at node ${child} of the tree, not ${right}`);
    }
  });
};
