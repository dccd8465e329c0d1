// The strategy by hand: a row for each hand, a column for each line of actions, and beside it what
// is known of the cell that is pointed at, tapped or focused.
"use strict";
(() => {
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  };
  const percent = (share) => {
    if (share > 0 && share < 0.001) return `${(100 * share).toPrecision(1)} %`;
    return `${Number((100 * share).toFixed(1))} %`;
  };
  const signed = (number) => (number > 0 ? `+${number}` : `${number}`.replace("-", "−"));
  const tidy = (number, digits) => Number(number.toFixed(digits)) + 0;

  class Grid {
    constructor(place, record) {
      this.round = 0;
      this.part = 0;
      this.board = 0;
      this.highFirst = true; // decks name the low cards first
      this.place = place;
      this.drawAnew(record);
    }

    drawAnew(record) {
      this.record = record;
      this.controls = make("div", { class: "controls" });
      this.table = make("table", { class: "grid" });
      this.detail = make("aside", { class: "detail", "aria-live": "polite" });
      const wide = make("div", { class: "wide" }, this.table);
      this.place.replaceChildren(this.controls, this.legend(), make("div", { class: "pair" }, wide, this.detail));
      this.show();
    }

    get now() {
      return this.record.rounds[this.round];
    }

    color(action) {
      return `var(--action-${action % 8})`;
    }

    legend() {
      const items = this.record.actions.map((name, action) =>
        make("li", {}, make("span", { class: "swatch", style: `background:${this.color(action)}` }), name));
      items.push(make("li", {}, make("span", { class: "swatch never" }), "faded: play never comes here"));
      return make("ul", { class: "legend" }, ...items);
    }

    choice(name, texts, chosen, choose) {
      const select = make("select", {}, ...texts.map((text, value) => make("option", { value }, text)));
      select.value = `${chosen}`;
      select.addEventListener("change", () => choose(Number(select.value)));
      return make("label", {}, make("span", {}, name), select);
    }

    switcher(name, texts, chosen, choose) {
      const buttons = texts.map((text, value) => {
        const button = make("button", { type: "button", "aria-pressed": `${value === chosen}` }, text);
        button.addEventListener("click", () => {
          choose(value);
          this.controls.querySelector(`[data-group="${name}"] [aria-pressed="true"]`).focus();
        });
        return button;
      });
      return make("div", { class: "switcher", role: "group", "aria-label": name, "data-group": name },
        make("span", {}, name), make("div", {}, ...buttons));
    }

    show() {
      const { rounds } = this.record;
      const { player, stage } = this.now;
      const find = (p, s) => rounds.findIndex((round) => round.player === p && round.stage === s);
      const players = [...new Set(rounds.map((round) => round.player))].sort();
      const stages = [...new Set(rounds.map((round) => round.stage))].sort((a, b) => a - b);
      const controls = [];
      if (players.length > 1) {
        controls.push(this.switcher("player", players.map(String), players.indexOf(player), (value) => {
          const same = find(players[value], stage);
          this.go(same >= 0 ? same : rounds.findIndex((round) => round.player === players[value]), true);
        }));
      }
      const own = stages.filter((s) => find(player, s) >= 0);
      if (own.length > 1) {
        controls.push(this.switcher("cards seen", own.map((s) => this.seen(find(player, s))), own.indexOf(stage),
          (value) => this.go(find(player, own[value]))));
      }
      const { parts, boards } = this.now;
      if (parts.length > 1) {
        controls.push(this.choice("betting before", parts.map((part) => part.before), this.part, (value) => {
          this.part = value;
          this.draw();
        }));
      }
      if (boards.length > 1) {
        controls.push(this.choice("on the table", boards, this.board, (value) => {
          this.board = value;
          this.draw();
        }));
      }
      this.controls.replaceChildren(...controls);
      this.draw();
    }

    seen(round) {
      const { boards } = this.record.rounds[round];
      const open = boards[0].split(" ").filter(Boolean).length;
      return open ? `hand + ${open}` : "hand";
    }

    go(round, keep = false) {
      const before = keep ? this.now.parts[this.part].before : undefined;
      this.round = round;
      const place = this.now.parts.findIndex((part) => part.before === before);
      this.part = Math.max(0, place);
      if (!keep) this.board = 0;
      this.board = Math.min(this.board, this.now.boards.length - 1);
      this.show();
    }

    draw() {
      const { rows, parts, boards, player } = this.now;
      const part = parts[this.part];
      const shown = rows.map((row, place) => [...row, place]).filter(([board]) => board === this.board);
      if (this.highFirst) shown.reverse();
      const turn = make("button", { type: "button", "aria-label": "hand: turn the order round" },
        `hand ${this.highFirst ? "↓" : "↑"}`);
      turn.addEventListener("click", () => {
        this.highFirst = !this.highFirst;
        this.draw();
        this.table.querySelector("thead button").focus();
      });
      const head = make("tr", {}, make("th", { scope: "col" }, turn),
        ...part.lines.map((line) => make("th", { scope: "col" }, line.name)));
      const after = part.before ? `, after ${part.before}` : "";
      const on = boards[this.board] ? `, with ${boards[this.board]} on the table` : "";
      this.where = `player ${player}${after}${on}`;
      const body = shown.map(([, hand, count, place]) => make("tr", {},
        make("th", { scope: "row" }, hand, count > 1 ? make("small", {}, ` ×${count}`) : ""),
        ...part.lines.map((line, column) => make("td", {}, this.cell(hand, place, line, column)))));
      this.table.replaceChildren(make("caption", {}, this.where), make("thead", {}, head), make("tbody", {}, ...body));
      const longest = Math.max(...shown.map(([, hand, count]) => hand.length + (count > 1 ? 2 : 0)));
      this.table.style.setProperty("--hand", Math.max(4, longest));
      this.cells = [...this.table.tBodies[0].rows].map((row) => [...row.querySelectorAll("button")]);
      this.cells.forEach((row, y) => row.forEach((button, x) => this.listen(button, y, x)));
      if (this.cells.length) this.select(0, 0);
    }

    numbers(place, line, column) {
      const of = this.now.parts[this.part].cells[column];
      const count = line.actions.length;
      const p = of.p.slice(place * count, (place + 1) * count);
      const v = of.v.slice(place * count, (place + 1) * count);
      of.isNever ??= new Set(of.never);
      return { p, v, reach: of.reach[place], own: of.own[place], never: of.isNever.has(place) };
    }

    cell(hand, place, line, column) {
      const { p, never } = this.numbers(place, line, column);
      const names = line.actions.map((action) => this.record.actions[action]);
      const parts = line.actions.map((action, n) => make("span", {
        style: `flex-grow:${p[n]};background:${this.color(action)}`, class: p[n] > 0 ? "" : "none",
      }, p[n] > 0.995 ? names[n] : p[n] >= 0.18 ? `${Math.round(100 * p[n])}` : ""));
      const said = names.map((name, n) => `${name} ${percent(p[n])}`).join(", ");
      const label = `${hand}, ${line.name}: ${said}${never ? "; never reached" : ""}`;
      const button = make("button", { type: "button", class: never ? "cell never" : "cell", tabindex: "-1", "aria-label": label }, ...parts);
      button.tell = () => this.tell(hand, place, line, column);
      return button;
    }

    listen(button, y, x) {
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && button.tell());
      button.addEventListener("pointerleave", () => this.chosen.tell());
      button.addEventListener("focus", () => this.select(y, x));
      button.addEventListener("click", () => button.focus());
      button.addEventListener("keydown", (event) => {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        const next = step && this.cells[y + step[0]]?.[x + step[1]];
        if (next) {
          event.preventDefault();
          next.focus();
        }
      });
    }

    select(y, x) {
      this.chosen?.classList.remove("chosen");
      if (this.chosen) this.chosen.tabIndex = -1;
      this.chosen = this.cells[y][x];
      this.chosen.tabIndex = 0;
      this.chosen.classList.add("chosen");
      this.chosen.tell();
    }

    tell(hand, place, line, column) {
      const { p, v, reach, own, never } = this.numbers(place, line, column);
      const { digits, unit } = this.record;
      const known = v.every((value) => value !== null);
      const value = known ? v.reduce((sum, each, n) => sum + each * p[n], 0) : null;
      const rows = line.actions.map((action, n) => make("tr", {},
        make("th", { scope: "row" }, make("span", { class: "swatch", style: `background:${this.color(action)}` }), this.record.actions[action]),
        make("td", {}, percent(p[n])),
        make("td", {}, known ? signed(v[n]) : "–"),
        make("td", {}, known ? signed(tidy(v[n] - value, digits)) : "–")));
      const heads = ["", "played", "value", "regret"].map((text) => make("th", { scope: "col" }, text));
      const after = line.name === this.record.start ? line.name : `after ${line.name}`;
      this.detail.replaceChildren(
        make("h4", {}, `${hand}, ${after}`),
        make("p", {}, this.where),
        make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)),
        make("p", { class: "note" },
          known ? `worth ${signed(tidy(value, digits))} ${unit} here; ` : "",
          never
            ? own > 0 ? "never reached: the others do not let it happen" : "never reached: own moves do not lead here"
            : `reached in ${percent(reach)} of all games`));
    }
  }

  for (const place of document.querySelectorAll("[data-hands]")) {
    const read = () => JSON.parse(document.getElementById(place.dataset.hands).textContent);
    const grid = new Grid(place, read());
    place.draw = () => grid.drawAnew(read()); // what is chosen stays chosen
  }
})();
