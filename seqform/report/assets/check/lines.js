// Lines of a game of hands. No certificate of such a game fits a page, but what a page shows of one
// has to fit together: hands add up to ranges, what actions bring to what a point is worth, and that
// is what the points after them are worth, down to where the page ends.

const THREE_PLACES = 5.01e-4; // by how much a share is rounded at most
const FOUR_DIGITS = 5.01e-4; // the same of amounts, and of how often something is done, as a share

const isKnown = (numbers) => numbers.every((number) => number !== null);
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const digits = (number) => Number(number.toPrecision(6));

class Lines {
  constructor(name) {
    Object.assign(this, dataOf(name), { name, points: 0, follow: 0, held: new Map() });
    this.lines = new Map([[this.first, ""]]); // how each point is written
    for (const [node, { actions, next }] of Object.entries(this.nodes)) {
      next.forEach(([there], action) => this.lines.set(there, [this.lines.get(Number(node)), actions[action]].filter(Boolean).join("-")));
    }
  }

  async read() {
    for (const node of Object.keys(this.nodes)) this.held.set(Number(node), JSON.parse(await textOf(document.getElementById(`${this.name}-${node}`))));
  }

  agree(shown, right, allowed, node, what) {
    require(Math.abs(shown - right) <= allowed + 1e-9 * Math.abs(right), `the page shows ${digits(shown)} as ${what}, after “${this.lines.get(node)}”, and it follows ${digits(right)}`);
  }

  check() {
    const { reach } = this.held.get(this.first)[0];
    this.agree(reach, 1, 0, this.first, "how often play begins");
    for (const [node, boards] of this.held) {
      Object.entries(boards).forEach(([orbit, at]) => { // all boards, or those on which given cards are dealt
        this.checkPoint(node, at);
        at.sides.forEach((side, player) => Object.values(side).forEach((rows) => this.checkRows(node, at, player, rows)));
        if (at.sides.every((side) => side.hand)) this.checkHands(node, at);
        this.checkNext(node, at, Number(orbit));
        this.points += 1;
      });
    }
  }

  // What is done, and what both get
  checkPoint(node, { often, after, ev, eq }) {
    const { player } = this.nodes[node];
    if (isKnown(often)) this.agree(total(often), 1, FOUR_DIGITS, node, "how often anything is done");
    if (isKnown(ev) && this.sum !== null) this.agree(ev[0] + ev[1], this.sum, FOUR_DIGITS * (Math.abs(ev[0]) + Math.abs(ev[1])), node, "what both get together");
    if (isKnown(eq)) this.agree(eq[0] + eq[1], 1, 2 * THREE_PLACES, node, "both players' equity together");
    if (ev[player] === null || !isKnown(often)) return;
    const taken = often.map((share, action) => [share, after[action]]).filter(([share, worth]) => share > 0 && worth !== null);
    const right = total(taken.map(([share, worth]) => share * worth));
    const allowed = FOUR_DIGITS * (Math.abs(ev[player]) + 2 * total(taken.map(([share, worth]) => share * Math.abs(worth))));
    this.agree(ev[player], right, allowed, node, `the EV of ${this.players[player]}`);
  }

  // Rows of hands together are the whole range
  checkRows(node, { often, ev, eq }, player, rows) {
    const count = rows.p ? this.nodes[node].actions.length : 0;
    const of = (row, action) => rows.p[row * count + action];
    rows.name.forEach((_, row) => {
      const played = Array.from({ length: count }, (__, action) => of(row, action));
      if (count && isKnown(played)) this.agree(total(played), 1, count * THREE_PLACES, node, "how often hands do anything");
    });
    if (!isKnown(rows.share)) return;
    this.agree(total(rows.share), 1, rows.share.length * THREE_PLACES, node, "the whole range");
    const mean = (numbers, shown, rounding, what) => {
      if (shown === null || !isKnown(numbers.filter((_, row) => rows.share[row] > 0))) return;
      const right = total(numbers.map((number, row) => (number ?? 0) * rows.share[row]));
      const allowed = total(numbers.map((number, row) => THREE_PLACES * Math.abs(number ?? 0) + rounding(number ?? 0) * rows.share[row]));
      this.agree(shown, right, allowed + rounding(shown), node, what);
    };
    const name = this.players[player];
    const inDigits = (number) => FOUR_DIGITS * Math.abs(number);
    mean(rows.ev, ev[player], inDigits, `the EV of ${name}`);
    mean(rows.eq, eq[player], () => THREE_PLACES, `the equity of ${name}`);
    for (let action = 0; action < count; action += 1) {
      mean(rows.name.map((_, row) => of(row, action)), often[action], () => THREE_PLACES, `how often ${name} does it`);
    }
  }

  // What a hand gets is the mean of what its actions get
  checkHands(node, { sides }) {
    const { player, actions } = this.nodes[node];
    const { hand } = sides[player];
    hand.ev.forEach((ev, row) => {
      const [p, v] = [hand.p, hand.v].map((numbers) => numbers.slice(row * actions.length, (row + 1) * actions.length));
      if (ev === null || !isKnown(p) || !isKnown(v)) return;
      const allowed = FOUR_DIGITS * Math.abs(ev) + total(v.map((worth, n) => (THREE_PLACES + FOUR_DIGITS * p[n]) * Math.abs(worth)));
      this.agree(ev, total(v.map((worth, n) => p[n] * worth)), allowed, node, "the EV of a hand");
    });
  }

  // Play goes on to the points after this one as often as it says, and gets there what it says
  checkNext(node, { reach, often, after }, orbit) {
    const { player, dealt, next } = this.nodes[node];
    next.forEach(([there, deals], action) => {
      if (!this.held.has(there) || deals > 1 || reach === null || !isKnown(often)) return;
      const boards = this.held.get(there);
      const found = deals === 0 ? [boards[orbit]] : this.after(dealt, orbit).map((place) => boards[place]);
      if (found.includes(undefined)) return; // other cards are not on this page
      const right = reach * often[action];
      const sum = total(found.map((each) => each.reach));
      this.agree(sum, right, FOUR_DIGITS * (sum + 2 * right), there, "how often play comes there");
      const known = found.filter((each) => each.reach > 0);
      if (after[action] === null || !known.every((each) => each.ev[player] !== null)) return;
      const worth = total(known.map((each) => each.reach * each.ev[player]));
      const size = total(known.map((each) => each.reach * Math.abs(each.ev[player])));
      const allowed = FOUR_DIGITS * (2 * size + 3 * right * Math.abs(after[action]));
      this.agree(worth, right * after[action], allowed, there, `reach times the EV of ${this.players[player]}`);
      this.follow += found.length;
    });
  }

  // The stored boards after one card more, one for each card
  after(dealt, orbit) {
    const number = dealt ? this.boards[dealt].orbit.indexOf(orbit) : 0;
    const count = this.free.length - dealt;
    return this.boards[dealt + 1].orbit.slice(number * count, (number + 1) * count);
  }

  // Where play begins, EV is what is certified
  checkStart(article) {
    const { ev } = this.held.get(this.first)[0];
    const claims = new Map([...article.querySelectorAll("[data-claim]")].map((each) => [each.dataset.claim, Number(figure(each.value))]));
    let count = 0;
    ev.forEach((worth, player) => {
      const value = claims.get(`value-${player}`);
      if (value === undefined || worth === null) return;
      const right = value + this.beyond[player];
      this.agree(worth, right, FOUR_DIGITS * Math.abs(worth) + 1e-5 * Math.abs(value), this.first, `the EV of ${this.players[player]}`);
      count += 1;
    });
    const [lower, upper] = [claims.get("lower") ?? -Infinity, claims.get("upper") ?? Infinity];
    const value = claims.get("value-0");
    if (value !== undefined) require(lower - 1e-5 * Math.abs(lower) <= value && value <= upper + 1e-5 * Math.abs(upper), `the page shows the value ${value}, which is not within its bounds`);
    return count;
  }
}

const checkLines = async (article) => {
  const found = [];
  for (const place of article.querySelectorAll("[data-lines]")) {
    const lines = new Lines(place.dataset.lines);
    await lines.read();
    lines.check();
    const values = lines.checkStart(article);
    found.push(`at ${many(lines.points, "point", "points")} of the betting, boards told apart, probabilities add up, hands add up to ranges, and what actions bring to EV`);
    if (lines.follow) found.push(`reach and EV of ${many(lines.follow, "point follows", "points follow")} from the points before`);
    if (values) found.push(`where play begins, EV is what is certified at the top of this page (${many(values, "value", "values")})`);
  }
  return found;
};
