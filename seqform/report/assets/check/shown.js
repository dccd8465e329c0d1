// The numbers that the page shows, compared with those that are proven.

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

const compareNumbers = (article, found) => {
  let count = 0;
  for (const shown of article.querySelectorAll("[data-claim]")) {
    const name = shown.dataset.claim;
    const text = shown.value;
    const number = Ratio.parse(text);
    const player = Number(name.split("-")[1]);
    const [least, most] = found.values ? [found.values[player], found.values[player]] : [found.lower, found.upper];
    if (name === "lower") require(number.compare(found.lower) <= 0, `the page shows the bound ${text}, and proven is ${found.lower.text()}`);
    else if (name === "upper") require(number.compare(found.upper) >= 0, `the page shows the bound ${text}, and proven is ${found.upper.text()}`);
    else if (name === "gap") require(number.compare(found.gap) >= 0, `the page shows the bound ${text} on the gains, and proven is ${found.gap.text()}`);
    else require(agrees(text, least, most), `the page shows ${text} as the value to player ${player}, which is not proven`);
    count += 1;
  }
  return count;
};

const FINE = 2n ** 50n;

const compareShares = (article, found) => {
  let count = 0;
  if (!found.players.length) return count; // what was checked has no probabilities
  const isRounded = article.dataset.rounded !== undefined; // and the page says so
  const compare = (player, sequence, share) => {
    const { parents, first } = found.players[player];
    let [low, high] = [0, parents.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (first[middle] <= sequence) low = middle;
      else high = middle - 1;
    }
    const { numbers, denominator } = found.plans[player];
    const above = numbers[parents[low]];
    if (above === 0n) return; // the plan says nothing of what it never comes to
    const difference = 1000000n * numbers[sequence] - BigInt(Math.round(1e6 * share)) * above;
    const rounded = isRounded || denominator >= FINE ? 2000000n : 0n; // such plans may have been rounded to integers
    const least = above * 101n + rounded; // four places are shown
    require(difference <= least && -difference <= least, `the page shows the probability ${share} at player ${player}'s sequence ${sequence}, and the plan has ${new Ratio(numbers[sequence], above).decimal(6)}`);
    count += 1;
  };
  for (const place of article.querySelectorAll("[data-hands]")) {
    for (const { player, parts } of JSON.parse(document.getElementById(place.dataset.hands).textContent).rounds) {
      for (const { lines, cells } of parts) {
        cells.forEach(({ p, s }, column) => {
          const width = lines[column].actions.length;
          (s ?? []).forEach((sequence, row) => {
            for (let n = 0; n < width; n += 1) compare(player, sequence + n, p[row * width + n]);
          });
        });
      }
    }
  }
  for (const shown of article.querySelectorAll("[data-sequence]")) {
    const [player, sequence] = shown.dataset.sequence.split(":").map(Number);
    compare(player, sequence, Number(shown.dataset.share));
  }
  return count;
};
