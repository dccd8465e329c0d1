// Buttons: what they check is in the page; what is found is said below them.

const many = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

const checkPlans = (content) => {
  const isDealt = content.has("signals");
  able(!content.has("colors"), "colors of information sets are not checked here; tools/check_certificate.py does that");
  const names = isDealt ? ["game", "signals"] : ["game", "treeplexes", "payoffs"];
  checkHash(content, names);
  const found = isDealt ? bySignals(content) : content.has("gains") ? anySum(content) : constantSum(content);
  const sets = found.players.reduce((sum, player) => sum + player.parents.length, 0);
  const where = isDealt ? "information sets of classes" : "information sets";
  found.steps.unshift(
    hashed(content),
    `the plans add up in all ${sets.toLocaleString("en")} ${where}, and are nowhere negative`,
  );
  if (content.has("refinement")) found.steps.push("not checked here: the refinement; tools/check_certificate.py does that");
  return found;
};

const FORMATS = new Map([
  ["seqform-certificate", checkPlans],
  ["seqform-induction", checkInduction],
  ["seqform-correlation", checkCorrelation],
  ["seqform-stages", checkStages],
]);

const check = (text, article) => {
  const content = parse(text);
  require(content instanceof Map, "the certificate is no object");
  const checkFormat = FORMATS.get(content.get("format"));
  require(checkFormat && content.get("version") === 1n, "this is no certificate of version 1");
  const { result, steps, ...found } = checkFormat(content);
  return { result, steps: [...steps, ...compareShown(article, found)] };
};

// Draw what scripts draw anew, compare all that is seen, and say line by line with what
const compareShown = (article, found) => {
  for (const place of article.querySelectorAll("[data-hands], [data-lines], [data-tree]")) place.draw();
  const numbers = compareNumbers(article, found);
  const shares = compareShares(article, found);
  const nodes = compareTrees(article, found, shares);
  const weights = found.weight ? compareDealt(article, found) : 0;
  const compared = [many(numbers, "value or bound", "values and bounds")];
  if (shares.exact) compared.push(many(shares.exact, "probability", "probabilities"));
  if (weights) compared.push(many(weights, "weight", "weights"));
  const lines = [`what this page shows agrees with the certificate: ${compared.join(", ")}`];
  if (shares.coarse) lines.push(`as far as its rounded plans tell, so ${shares.coarse === 1 ? "does" : "do"} ${many(shares.coarse, "probability", "probabilities")} more`);
  if (shares.never) lines.push(`not compared: ${many(shares.never, "probability", "probabilities")} where the player's own moves never lead`);
  if (nodes) lines.push(found.induction
    ? `all ${many(nodes, "node of the tree that is shown is", "nodes of the tree that are shown are")} the certificate's, with the worth of each`
    : `the tree that is shown is worth what is proven, and each of ${many(nodes, "node", "nodes")} what follows from those below it`);
  lines.push(asWritten(article));
  return lines;
};

const asWritten = (article) => {
  const page = unchanged(article);
  return `everything else on this page is as it was written, and not computed anew: fingerprint ${page.slice(0, 12)}…`;
};

const isPacked = (holder) => holder.type === "application/gzip";
const bytesOf = (holder) => Uint8Array.from(atob(holder.textContent), (sign) => sign.charCodeAt(0));
const textOf = async (holder) => {
  if (!isPacked(holder)) return holder.textContent.replaceAll("\\u003c", "<");
  able(typeof DecompressionStream === "function", "this browser cannot unpack the certificate; tools/check_certificate.py checks it once it is saved");
  const unpacked = new Blob([bytesOf(holder)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text();
};

const say = (verdict, kind, title, lines) => {
  const head = document.createElement("strong");
  head.textContent = title;
  const list = document.createElement("ul");
  for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
  verdict.className = `verdict ${kind}`;
  verdict.replaceChildren(head, list);
};

// Have a button check something, which returns a title and lines, or throws
const checking = (button, refusal, damage, checked) => {
  const article = button.closest("[data-result]");
  const verdict = article.querySelector(".verdict");
  verdict.replaceChildren();
  button.addEventListener("click", () => {
    say(verdict, "busy", "Checking …", []);
    setTimeout(async () => {
      const start = performance.now();
      try {
        const [title, steps] = await checked(article);
        const seconds = (performance.now() - start) / 1000;
        say(verdict, "right", title, [...steps, `in ${seconds.toPrecision(2)} seconds`]);
      } catch (error) {
        if (error instanceof Unable) {
          say(verdict, "busy", "Not checked.", [error.message]);
          return;
        }
        say(verdict, "wrong", refusal, [error instanceof Refused ? error.message : `${damage} is damaged: ${error.message}`]);
      }
    }, 20);
  });
};

for (const button of document.querySelectorAll("[data-check]")) {
  checking(button, "Refused: this certificate does not prove what the page says.", "the certificate", async (article) => {
    const { result, steps } = check(await textOf(document.getElementById(button.dataset.check)), article);
    return [`Confirmed. ${result}`, [...await checkLines(article), ...steps]];
  });
}

for (const button of document.querySelectorAll("[data-check-lines]")) {
  checking(button, "Refused: the numbers of this page do not fit together.", "the page", async (article) => {
    for (const place of article.querySelectorAll("[data-lines]")) place.draw();
    const found = await checkLines(article);
    return ["The numbers of this page fit together.", [...found, asWritten(article),
      "not checked here: whether a player gains by playing otherwise, which the command above goes through"]];
  });
}

for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", async () => {
    const holder = document.getElementById(button.dataset.save);
    const held = isPacked(holder) ? bytesOf(holder) : await textOf(holder);
    const blob = new Blob([held], { type: isPacked(holder) ? "application/gzip" : "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = isPacked(holder) ? "certificate.json.gz" : "certificate.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}
