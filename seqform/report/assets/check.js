// Checks the certificate that the page holds. All arithmetic is in whole numbers of any length.
// It shares nothing with the programs that found or wrote what it checks.
"use strict";
(() => {
  class Refused extends Error {}
  const require = (condition, message) => {
    if (!condition) throw new Refused(message);
  };

  // JSON, with whole numbers as BigInt and other numbers as they are written

  class Written {
    constructor(text) {
      this.text = text;
    }
  }

  const parse = (text) => {
    let at = 0;
    const space = /[ \t\n\r]*/y;
    const number = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
    const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
    const skip = () => {
      space.lastIndex = at;
      space.exec(text);
      at = space.lastIndex;
    };
    const take = (pattern, what) => {
      pattern.lastIndex = at;
      const found = pattern.exec(text);
      require(found, `the file is damaged: no ${what} at place ${at}`);
      at = pattern.lastIndex;
      return found;
    };
    const expect = (sign) => {
      skip();
      require(text[at] === sign, `the file is damaged: no ${sign} at place ${at}`);
      at += 1;
    };
    const list = (end, read) => {
      at += 1;
      skip();
      if (text[at] === end) {
        at += 1;
        return;
      }
      for (;;) {
        read();
        skip();
        if (text[at] === end) break;
        expect(",");
      }
      at += 1;
    };
    const value = () => {
      skip();
      const sign = text[at];
      if (sign === "{") {
        const found = new Map();
        list("}", () => {
          skip();
          const key = JSON.parse(take(string, "name")[0]);
          require(!found.has(key), `the field ${key} is there twice`);
          expect(":");
          found.set(key, value());
        });
        return found;
      }
      if (sign === "[") {
        const found = [];
        list("]", () => found.push(value()));
        return found;
      }
      if (sign === '"') return JSON.parse(take(string, "text")[0]);
      for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
        if (text.startsWith(word, at)) {
          at += word.length;
          return meaning;
        }
      }
      const [digits, part, power] = take(number, "number");
      return part || power ? new Written(digits) : BigInt(digits);
    };
    const found = value();
    skip();
    require(at === text.length, "the file goes on after its end");
    return found;
  };

  const canonical = (thing) => {
    if (thing instanceof Map) {
      const keys = [...thing.keys()].sort();
      return `{${keys.map((key) => `${canonical(key)}:${canonical(thing.get(key))}`).join(",")}}`;
    }
    if (Array.isArray(thing)) return `[${thing.map(canonical).join(",")}]`;
    if (thing instanceof Written) return thing.text;
    if (typeof thing === "bigint") return thing.toString();
    const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return JSON.stringify(thing).replace(/[\u0080-\uffff]/g, escape);
  };

  // SHA-256 (FIPS 180-4) of text that is ASCII

  const primes = (count) => {
    const found = [];
    for (let n = 2; found.length < count; n += 1) {
      if (found.every((p) => n % p)) found.push(n);
    }
    return found;
  };
  const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;

  const sha256 = (text) => {
    const constants = primes(64).map((p) => fraction(Math.cbrt(p)));
    const state = primes(8).map((p) => fraction(Math.sqrt(p)));
    const length = (((text.length + 8) >> 6) + 1) * 64;
    const bytes = new Uint8Array(length);
    for (let n = 0; n < text.length; n += 1) bytes[n] = text.charCodeAt(n);
    bytes[text.length] = 128;
    const view = new DataView(bytes.buffer);
    view.setUint32(length - 8, Math.floor(text.length / 2 ** 29));
    view.setUint32(length - 4, (text.length * 8) >>> 0);
    const words = new Int32Array(64);
    const turn = (word, by) => (word >>> by) | (word << (32 - by));
    for (let start = 0; start < length; start += 64) {
      for (let n = 0; n < 16; n += 1) words[n] = view.getInt32(start + 4 * n);
      for (let n = 16; n < 64; n += 1) {
        const [a, b] = [words[n - 15], words[n - 2]];
        const small = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        words[n] = (words[n - 16] + small + words[n - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let n = 0; n < 64; n += 1) {
        const big = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        const one = (h + big + ((e & f) ^ (~e & g)) + constants[n] + words[n]) | 0;
        const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, n) => {
        state[n] = (state[n] + word) | 0;
      });
    }
    return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };

  // Whole numbers and fractions

  const whole = (value) => {
    if (typeof value === "bigint") return value;
    require(typeof value === "string" && /^-?0x[\da-f]+$/.test(value), `${value} is no whole number`);
    return value[0] === "-" ? -BigInt(value.slice(1)) : BigInt(value);
  };
  const wholes = (values, name, length) => {
    require(Array.isArray(values), `${name} is no list`);
    require(length === undefined || values.length === length, `${name} has ${values.length} entries, not ${length}`);
    return values.map(whole);
  };
  const places = (values, name, length) => wholes(values, name, length).map(Number);
  const part = (thing, name) => {
    require(thing instanceof Map && thing.has(name), `there is no ${name}`);
    return thing.get(name);
  };

  class Ratio {
    constructor(above, below = 1n) {
      [this.above, this.below] = below < 0n ? [-above, -below] : [above, below];
    }
    minus(other) {
      return new Ratio(this.above * other.below - other.above * this.below, this.below * other.below);
    }
    plus(other) {
      return new Ratio(this.above * other.below + other.above * this.below, this.below * other.below);
    }
    compare(other) {
      const [left, right] = [this.above * other.below, other.above * this.below];
      return left < right ? -1 : left > right ? 1 : 0;
    }
    short() {
      let [a, b] = [this.above < 0n ? -this.above : this.above, this.below];
      while (b) [a, b] = [b, a % b];
      return new Ratio(this.above / a, this.below / a);
    }
    text() {
      const { above, below } = this.short();
      const exact = below === 1n ? `${above}` : `${above}/${below}`;
      return (exact.length <= 24 ? exact : this.decimal(15)).replace("-", "−");
    }
    decimal(digits) { // rounded towards zero
      const size = this.above < 0n ? -this.above : this.above;
      const scaled = ((size * 10n ** BigInt(digits)) / this.below).toString().padStart(digits + 1, "0");
      return `${this.above < 0n ? "-" : ""}${scaled.slice(0, -digits)}.${scaled.slice(-digits)}…`;
    }
    static read(pair, name) {
      const [above, below] = wholes(pair, name, 2);
      require(below > 0n, `${name} has no positive denominator`);
      return new Ratio(above, below);
    }
    static parse(text) { // a fraction, or a decimal number
      if (text.includes("/")) {
        const [above, below] = text.split("/");
        return new Ratio(BigInt(above), BigInt(below));
      }
      const [digits, power = "0"] = text.toLowerCase().split("e");
      const [before, after = ""] = digits.split(".");
      const shift = Number(power) - after.length;
      const number = BigInt(before + after);
      return shift >= 0 ? new Ratio(number * 10n ** BigInt(shift)) : new Ratio(number, 10n ** BigInt(-shift));
    }
  }

  // A player's information sets (B. von Stengel, "Efficient computation of behavior strategies",
  // Games and Economic Behavior 14, 1996)

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
      players, plans, lower, upper, gap, values: undefined, result,
      steps: [
        `player 0's plan gets at least ${lower.text()}, whatever player 1 does`,
        `against player 1's plan nobody gets more than ${upper.text()}`,
      ],
    };
  };

  // Any players and payoffs: what each gets, and gains at most by another plan

  const anySum = (content) => {
    const players = treeplexes(content);
    const plans = plansOf(content, players);
    const values = [];
    const gains = [];
    part(content, "payoffs").forEach((thing, own) => {
      const name = `player ${own}'s payoffs`;
      const denominator = whole(part(thing, "denominator"));
      require(denominator > 0n, `${name} have no positive denominator`);
      const entries = wholes(part(thing, "numerators"), name);
      const sequences = part(thing, "sequences").map((list) => places(list, name, entries.length));
      require(sequences.length === players.length, `${name} are not of these players`);
      sequences.forEach((list, n) => require(list.every((s) => s >= 0 && s < players[n].size), `${name} are at no sequence`));
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
    for (const [name, found] of [["values", values], ["gains", gains]]) {
      const claimed = part(content, name);
      require(Array.isArray(claimed) && claimed.length === found.length, `there is not one of the ${name} for each player`);
      found.forEach((number, n) => {
        const claim = Ratio.read(claimed[n], `player ${n}'s ${name}`);
        require(number.compare(claim) === 0, `the plans prove ${number.text()} of player ${n}'s ${name}, not ${claim.text()}`);
      });
    }
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

  // The numbers that the page shows

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
      const rounded = denominator >= FINE ? 2000000n : 0n; // such plans may have been rounded to integers
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

  const many = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

  const check = (text, article) => {
    const content = parse(text);
    require(content instanceof Map, "the certificate is no object");
    require(content.get("format") === "seqform-certificate" && content.get("version") === 1n, "this is no seqform-certificate of version 1");
    const described = new Map(["game", "treeplexes", "payoffs"].map((name) => [name, part(content, name)]));
    require(sha256(canonical(described)) === content.get("hash"), "the game is not the one that was hashed");
    const found = content.has("gains") ? anySum(content) : constantSum(content);
    const numbers = compareNumbers(article, found);
    const shares = compareShares(article, found);
    const sets = found.players.reduce((sum, player) => sum + player.parents.length, 0);
    const steps = [
      `the game is the one that was hashed: ${content.get("hash").slice(0, 12)}…`,
      `the plans add up in all ${sets.toLocaleString("en")} information sets, and are nowhere negative`,
      ...found.steps,
      `what this page shows agrees: ${many(numbers, "value or bound", "values and bounds")} at the top, `
        + many(shares, "probability", "probabilities"),
    ];
    if (content.has("refinement")) steps.push("not checked here: the refinement; tools/check_certificate.py does that");
    return { result: found.result, steps };
  };

  // Buttons

  const textOf = (name) => document.getElementById(name).textContent.replaceAll("\\u003c", "<");

  const say = (verdict, kind, title, lines) => {
    const head = document.createElement("strong");
    head.textContent = title;
    const list = document.createElement("ul");
    for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
    verdict.className = `verdict ${kind}`;
    verdict.replaceChildren(head, list);
  };

  for (const button of document.querySelectorAll("[data-check]")) {
    const article = button.closest("[data-result]");
    const verdict = article.querySelector(".verdict");
    button.addEventListener("click", () => {
      say(verdict, "busy", "Checking …", []);
      setTimeout(() => {
        const start = performance.now();
        try {
          const { result, steps } = check(textOf(button.dataset.check), article);
          const seconds = (performance.now() - start) / 1000;
          say(verdict, "right", `Confirmed. ${result}`, [...steps, `in ${seconds.toPrecision(2)} seconds`]);
        } catch (error) {
          const words = error instanceof Refused ? error.message : `the certificate is damaged: ${error.message}`;
          say(verdict, "wrong", "Refused: this certificate does not prove what the page says.", [words]);
        }
      }, 20);
    });
  }

  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => {
      const blob = new Blob([textOf(button.dataset.save)], { type: "application/json" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = "certificate.json";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
})();
