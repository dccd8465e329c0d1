// The numbers that the page shows, compared with those that are proven.

const figure = (text) => { // a number as the page writes it
  const found = text.trim().replaceAll("−", "-");
  require(/^-?\d[\d,]*(\.\d+)?(e[+-]?\d+|\/\d+)?$/i.test(found), `the page shows “${text.slice(0, 30)}” where a number should be`);
  return found.replaceAll(",", "");
};

const unitOfLast = (text) => { // one in the last place of a decimal number
  const [digits, power = "0"] = text.toLowerCase().split("e");
  return Ratio.parse(`1e${Number(power) - (digits.split(".")[1] ?? "").length}`);
};

const agrees = (text, least, most) => {
  const shown = Ratio.parse(text);
  if (text.includes("/")) return shown.compare(least) === 0 && shown.compare(most) === 0;
  const unit = unitOfLast(text);
  return shown.plus(unit).compare(least) >= 0 && shown.minus(unit).compare(most) <= 0;
};

const compareClaim = (name, written, found) => {
  if (name === "exact") {
    require(found.gap.above === 0n && written.trim() === "exact", `the page calls the proof “${written}”, and players gain up to ${found.gap.text()}`);
    return;
  }
  const text = figure(written);
  const number = Ratio.parse(text);
  const player = Number(name.split("-")[1]);
  const [least, most] = found.values ? [found.values[player], found.values[player]] : [found.lower, found.upper];
  if (name === "lower") require(number.compare(found.lower) <= 0, `the page shows the bound ${text}, and proven is ${found.lower.text()}`);
  else if (name === "upper") require(number.compare(found.upper) >= 0, `the page shows the bound ${text}, and proven is ${found.upper.text()}`);
  else if (name === "gap") require(number.compare(found.gap) >= 0, `the page shows the bound ${text} on the gains, and proven is ${found.gap.text()}`);
  else require(agrees(text, least, most), `the page shows ${text} as the value to player ${player}, which is not proven`);
};

// Values and bounds: what is seen, and what it says it is
const compareNumbers = (article, found) => {
  const own = article.querySelectorAll("[data-claim]");
  const above = document.querySelectorAll(`nav [data-of="${article.id}"]`); // in the table of results
  for (const shown of [...own, ...above]) {
    compareClaim(shown.dataset.claim, shown.textContent, found);
    if (shown.value !== "") compareClaim(shown.dataset.claim, shown.value, found);
  }
  return own.length + above.length + (found.bounds ? compareBounds(article, found) : 0);
};

const FINE = 2n ** 50n;

// Probabilities: `compare` one with the plan's. What is left of a plan where it hardly ever comes
// may be less than the integers can tell; then it is compared as far as they can, and counted apart.
class Shares {
  constructor(article, found) {
    this.isRounded = article.dataset.rounded !== undefined; // and the page says so
    Object.assign(this, { found, exact: 0, coarse: 0, never: 0 });
  }
  infoset(player, sequence) { // the last one that begins at or before a sequence
    const { first, parents } = this.found.players[player];
    let [low, high] = [0, parents.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (first[middle] <= sequence) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  compare(player, sequence, share, unit) { // shown to a unit of the last place, both in millionths
    const { parents, first } = this.found.players[player];
    const { numbers, denominator } = this.found.plans[player];
    const infoset = this.infoset(player, sequence);
    const above = numbers[parents[infoset]];
    if (above === 0n) { // the plan says nothing of what it never comes to
      this.never += 1;
      return;
    }
    require(Number.isFinite(share), `the page shows no probability at player ${player}'s sequence ${sequence}`);
    const difference = 1000000n * numbers[sequence] - BigInt(Math.round(share)) * above;
    const actions = BigInt(first[infoset + 1] - first[infoset]);
    // one action after the other is rounded to an integer, and passes half a one on to the next
    const rounding = this.isRounded || denominator >= FINE ? 500000n * actions : 0n;
    const least = above * BigInt(unit + 1);
    const distance = difference < 0n ? -difference : difference;
    require(distance <= least + rounding, `the page shows the probability ${share / 1e6} at player ${player}'s sequence ${sequence}, and the plan has ${new Ratio(numbers[sequence], above).decimal(6)}`);
    this[rounding <= least ? "exact" : "coarse"] += 1;
  }
}

const dataOf = (place) => JSON.parse(document.getElementById(place).textContent);

const compareShares = (article, found) => {
  const shares = new Shares(article, found);
  if (found.stages) compareStages(article, found, shares);
  if (!found.players.length) return shares; // what was checked has no other probabilities
  for (const place of article.querySelectorAll("[data-hands]")) {
    for (const { player, parts } of dataOf(place.dataset.hands).rounds) {
      for (const { lines, cells } of parts) {
        cells.forEach(({ p, s }, column) => {
          const width = lines[column].actions.length;
          (s ?? []).forEach((sequence, row) => {
            for (let n = 0; n < width; n += 1) shares.compare(player, sequence + n, 1e6 * p[row * width + n], 100);
          });
        });
      }
    }
  }
  for (const shown of article.querySelectorAll("[data-sequence]")) {
    const [player, sequence] = shown.dataset.sequence.split(":").map(Number);
    shares.compare(player, sequence, ...percentage(shown.textContent));
  }
  return shares;
};

const percentage = (written) => { // a percentage and one in its last place, both in millionths
  if (written.trim() === "–") return [NaN, 0];
  const text = figure(written.replace("%", ""));
  const [digits, power = "0"] = text.split("e");
  return [1e4 * Number(text), Math.ceil(1e4 * 10 ** (Number(power) - (digits.split(".")[1] ?? "").length))];
};

const compareDealt = (article, found) => { // weights of recommendations
  const shown = article.querySelectorAll("[data-pair]");
  for (const cell of shown) {
    const [mine, theirs] = cell.dataset.pair.split(",").map(Number);
    const weight = found.weight(mine, theirs);
    for (const part of cell.textContent.split("=")) {
      const text = figure(part.replace("%", ""));
      const [number, unit] = part.includes("%")
        ? [Ratio.parse(text).times(new Ratio(1n, 100n)), unitOfLast(text).times(new Ratio(1n, 100n))]
        : [Ratio.parse(text), new Ratio(0n)];
      const isNear = number.plus(unit).compare(weight) >= 0 && number.minus(unit).compare(weight) <= 0;
      require(isNear, `the page shows the weight ${part.trim()} for the sequences ${mine} and ${theirs}, and the plan has ${weight.text()}`);
    }
  }
  return shown.length;
};
