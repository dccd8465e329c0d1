// What the page says now, part by part, as SHA-256: as `seqform/report/fingerprint.py` does it. What
// scripts draw is left out, since the check has it drawn anew from the page's data.

const MOVED = new Set(["open", "aria-sort"]); // what readers open and sort
const plain = (text) => text.replace(/[\x00-\x20\x7f-\x9f\ufffd]+/g, " ");
const inOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const seen = (element, isFrame = false) => {
  const name = element.localName.toLowerCase();
  if (isFrame && element.dataset.result !== undefined) return ["result", element.id];
  const isDrawn = element.dataset.drawn !== undefined;
  const kept = new Map();
  for (const { name: written, value } of element.attributes) {
    const key = written.toLowerCase();
    if (isDrawn ? key.startsWith("data-") : !MOVED.has(key)) kept.set(key, plain(value));
  }
  if (isDrawn) return [name, kept, []];
  element.normalize();
  const found = [];
  for (const child of element.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) found.push(seen(child, isFrame));
    else if (child.nodeType === Node.TEXT_NODE && !/^ ?$/.test(plain(child.data))) found.push(plain(child.data));
  }
  if (name !== "tbody") return [name, kept, found];
  const texts = new Map(found.map((each) => [each, canonical(each)])); // readers sort rows
  return [name, kept, found.sort((a, b) => inOrder(texts.get(a), texts.get(b)))];
};

const fingerprint = (content) => sha256(canonical(content));
const HELD = document.getElementById("fingerprints");

// Compare what is there with the fingerprints that the page holds, and return the page's own
const unchanged = (article) => {
  const held = JSON.parse(HELD.textContent);
  const frame = [...document.querySelectorAll("[data-whole]")].map((each) => seen(each, true));
  require(fingerprint(frame) === held.page, "the page was changed after it was written: in its heading, table of results, style or script");
  const parts = [...article.children];
  const expected = held.results[article.id] ?? [];
  parts.forEach((part, n) => {
    const title = part.querySelector("h3")?.textContent ?? "the top";
    require(fingerprint(seen(part)) === expected[n], `the page was changed after it was written: in the part “${title}”`);
  });
  require(parts.length === expected.length, "the page was changed after it was written: there are other parts");
  return fingerprint(new Map([["page", held.page], ["results", new Map(Object.entries(held.results))]]));
};
