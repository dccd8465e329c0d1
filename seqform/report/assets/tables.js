// Tables that sort: a header's button orders the rows by its column, and again the other way.
"use strict";
(() => {
  const key = (cell) => {
    if (!cell) return [2, 0];
    const given = cell.dataset.sort;
    if (given !== undefined) return [0, Number(given)];
    const text = cell.textContent.trim();
    const number = Number(text.replaceAll(",", "").replace("−", "-"));
    if (text === "" || text === "–") return [2, 0];
    return Number.isNaN(number) ? [1, text.toLowerCase()] : [0, number];
  };
  const compare = (a, b) => {
    if (a[0] !== b[0]) return a[0] - b[0];
    if (a[0] === 1) return a[1].localeCompare(b[1], "en", { numeric: true });
    return a[1] - b[1];
  };
  const sort = (table, place, descending) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [key(row.cells[place]), row]);
    const known = rows.filter(([k]) => k[0] < 2).sort((a, b) => compare(a[0], b[0]));
    if (descending) known.reverse();
    const unknown = rows.filter(([k]) => k[0] === 2); // always last
    body.append(...[...known, ...unknown].map(([, row]) => row));
  };
  const follow = () => { // a link to a part that is closed opens it
    const part = location.hash && document.getElementById(location.hash.slice(1));
    if (part && "open" in part) part.open = true;
  };
  addEventListener("hashchange", follow);
  follow();

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, place) => {
      head.querySelector("button").addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, place, descending);
      });
    });
  }
})();
