// The game's tree: nodes open when asked to, and only then are their children made.
"use strict";
(() => {
  const make = (name, className, ...children) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  };
  const percent = (share) => {
    if (share > 0 && share < 0.001) return `${(100 * share).toPrecision(1)} %`;
    return `${Number((100 * share).toFixed(1))} %`;
  };
  const amounts = (tree, node) =>
    tree.worth.map((of) => `${of[node]}`.replace("-", "−")).join(", ");

  const line = (tree, node) => {
    const parts = [];
    if (node) {
      const bar = make("span", "track", make("span", "fill"));
      bar.firstChild.style.width = `${100 * tree.p[node]}%`;
      bar.setAttribute("aria-hidden", "true");
      parts.push(make("b", "", tree.move[node]), " ", bar, make("span", "share", percent(tree.p[node])), " ");
    }
    const player = tree.player[node];
    if (player >= 0) parts.push(make("span", `who who-${player % 4}`, `player ${player}`), " ", make("code", "", tree.infoset[node]), " ");
    if (player === -1) parts.push(make("span", "who chance", "chance"), " ");
    parts.push(make("span", "worth", player === -2 ? `pays ${amounts(tree, node)}` : `worth ${amounts(tree, node)}`));
    if (tree.children[node] < 0) parts.push(make("span", "more", " goes on below, not on this page"));
    return parts;
  };

  const below = (tree, node) => {
    const first = tree.first[node];
    return Array.from({ length: tree.children[node] }, (_, place) => item(tree, first + place));
  };

  const item = (tree, node) => {
    const never = tree.reach[node] === 0 ? "never" : "";
    if (tree.children[node] <= 0) return make("div", `leaf ${never}`, ...line(tree, node));
    const made = make("details", never, make("summary", "", ...line(tree, node)));
    const fill = () => {
      if (made.open && made.childElementCount === 1) made.append(make("div", "below", ...below(tree, node)));
    };
    made.addEventListener("toggle", fill);
    made.fill = fill;
    return made;
  };

  const open = (details) => {
    details.open = true;
    details.fill();
  };

  for (const place of document.querySelectorAll("[data-tree]")) {
    const tree = JSON.parse(document.getElementById(place.dataset.tree).textContent);
    let next = 1;
    tree.first = tree.children.map((count) => {
      const first = next;
      next += Math.max(0, count);
      return first;
    });
    const root = item(tree, 0);
    place.append(root);
    if (root.fill) open(root);
  }
})();
