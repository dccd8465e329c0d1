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
    if (player >= 0) parts.push(make("span", `who who-${player % 4}`, tree.names ? tree.names[player] : `player ${player}`), " ", make("code", "", tree.infoset[node]), " ");
    if (player === -1) parts.push(make("span", "who chance", "chance"), " ");
    parts.push(make("span", "worth", player === -2 ? `pays ${amounts(tree, node)}` : `worth ${amounts(tree, node)}`));
    if (tree.children[node] < 0) parts.push(make("span", "more", " goes on below, not on this page"));
    return parts;
  };

  const below = (tree, node, opened) => {
    const first = tree.first[node];
    return Array.from({ length: tree.children[node] }, (_, place) => item(tree, first + place, opened));
  };

  const item = (tree, node, opened) => {
    const never = tree.reach[node] === 0 ? "never" : "";
    if (tree.children[node] <= 0) return make("div", `leaf ${never}`, ...line(tree, node));
    const made = make("details", never, make("summary", "", ...line(tree, node)));
    const fill = () => {
      if (made.open && made.childElementCount === 1) made.append(make("div", "below", ...below(tree, node, opened)));
      opened[made.open ? "add" : "delete"](node);
    };
    made.addEventListener("toggle", fill);
    if (opened.has(node)) {
      made.open = true;
      fill();
    }
    return made;
  };

  const draw = (place, opened) => { // again, too: what is open stays open
    const tree = JSON.parse(document.getElementById(place.dataset.tree).textContent);
    let next = 1;
    tree.first = tree.children.map((count) => {
      const first = next;
      next += Math.max(0, count);
      return first;
    });
    place.replaceChildren(item(tree, 0, opened));
    place.draw = () => draw(place, new Set(opened));
  };

  for (const place of document.querySelectorAll("[data-tree]")) draw(place, new Set([0]));
})();
