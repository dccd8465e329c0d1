// A game of hands, line by line of betting: who holds what there, what is done, and what it gets.
// What is known of a line is packed, and unpacked when a reader goes there.
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
  const NONE = "–";
  const percent = (share) => {
    if (share === null) return NONE;
    if (share > 0 && share < 0.001) return `${(100 * share).toPrecision(1)}\u00a0%`;
    return `${Number((100 * share).toFixed(1))}\u00a0%`;
  };
  const amount = (number) => (number === null ? NONE : `${number}`.replace("-", "−"));
  const BETS = [3, 1, 5, 4, 6, 7]; // colors of bets and raises, from small to large
  const PASSIVE = { fold: 2, check: 0, call: 0 };

  const unpacked = async (holder) => {
    const bytes = Uint8Array.from(atob(holder.textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  class Lines {
    constructor(place) {
      this.place = place;
      this.path = []; // {action} of the node before, or {card}
      this.shown = { player: undefined, what: "actions", by: undefined, cell: undefined };
      this.drawAnew();
    }

    drawAnew() {
      this.record = JSON.parse(document.getElementById(this.place.dataset.lines).textContent);
      this.unpacked = new Map();
      this.shown.by ??= this.record.groups[0] ?? this.record.grid?.group ?? "hand";
      this.steps = make("ol", { class: "steps" });
      this.about = make("div", { class: "at", "aria-live": "polite" });
      this.controls = make("div", { class: "controls" });
      this.matrix = make("div", { class: "wide" });
      this.detail = make("aside", { class: "detail", "aria-live": "polite" });
      this.table = make("div", { class: "wide rows", tabindex: "0", role: "region", "aria-label": "hands" });
      this.place.replaceChildren(this.steps, this.about, this.controls,
        make("div", { class: "pair" }, this.matrix, this.detail), this.table);
      this.go(this.path);
    }

    // Where a path leads: nodes on the way with what was done there, the cards dealt, and the last node
    walk(path) {
      const ways = [];
      const cards = [];
      let node = this.record.first;
      for (const { action, deal } of path) {
        ways.push({ node, action, before: cards.length, deal: [...deal] });
        [node] = this.record.nodes[node].next[action];
        cards.push(...deal);
      }
      return { ways, cards, node };
    }

    line(path) { // as `seqform show --line` takes it: hyphens between actions, slashes around cards
      let [text, wasDeal] = ["", null];
      const add = (word, isDeal) => {
        const joint = isDeal ? "" : "-";
        text += (wasDeal === null ? "" : isDeal === wasDeal ? joint : "/") + word;
        wasDeal = isDeal;
      };
      for (const { node, action, deal } of this.walk(path).ways) {
        add(this.record.nodes[node].actions[action], false);
        deal.forEach((card) => add(this.record.deck[card], true));
      }
      return text;
    }

    free(cards) {
      return this.record.free.filter((card) => !cards.includes(card));
    }

    // The board that stands for the one that is picked, and how cards of it are turned
    board(cards) {
      const places = this.record.boards[cards.length];
      if (!places) return { orbit: 0, turn: this.record.symmetries[0] };
      const left = [...this.record.free];
      let number = 0;
      for (const card of cards) {
        const at = left.indexOf(card);
        number = number * left.length + at;
        left.splice(at, 1);
      }
      return { orbit: places.orbit[number], turn: this.record.symmetries[places.symmetry[number]] };
    }

    // Cards that may be dealt next, on boards that are on this page
    dealable(cards) {
      const shown = this.record.shown[cards.length + 1];
      return this.free(cards).filter((card) => !shown || shown.includes(this.board([...cards, card]).orbit));
    }

    async numbers(node) {
      if (!this.unpacked.has(node)) {
        this.unpacked.set(node, unpacked(document.getElementById(`${this.place.dataset.lines}-${node}`)));
      }
      return this.unpacked.get(node);
    }

    async go(path, focus) {
      this.path = path;
      const { ways, cards, node } = this.walk(path);
      const every = await Promise.all([...ways.map((way) => way.node), node].map((each) => this.numbers(each)));
      if (this.path !== path) return; // somebody went on meanwhile
      const boxes = ways.map((way, place) => this.box(way.node, every[place][this.board(cards.slice(0, way.before)).orbit], place, way));
      const { orbit, turn } = this.board(cards);
      Object.assign(this, { node, cards, turn, of: this.record.nodes[node], now: every[ways.length][orbit] });
      this.steps.replaceChildren(...boxes.flat(), ...this.box(node, this.now, ways.length));
      this.steps.scrollLeft = this.steps.scrollWidth;
      this.show();
      if (focus) (this.steps.querySelector(focus) ?? this.steps.querySelector("li:last-child button"))?.focus({ preventScroll: true });
    }

    color(actions, place) {
      const name = actions[place];
      if (name in PASSIVE) return `var(--action-${PASSIVE[name]})`;
      const bets = actions.filter((each) => !(each in PASSIVE));
      return `var(--action-${BETS[bets.indexOf(name) % BETS.length]})`;
    }

    swatch(actions, place) {
      return make("span", { class: "swatch", style: `background:${this.color(actions, place)}` });
    }

    // What can be done at a node, and what was; after it the cards that are dealt
    box(node, now, place, way) {
      const { player, actions, next } = this.record.nodes[node];
      const buttons = actions.map((name, action) => {
        const [kind, deals] = next[action];
        const why = typeof kind === "string" ? kind : kind in this.record.nodes ? "" : "not on this page";
        const button = make("button", {
          type: "button", "data-action": action, "aria-pressed": way ? `${way.action === action}` : undefined,
          class: why && "end", title: why || undefined,
        }, this.swatch(actions, action), make("span", {}, name), make("small", {}, percent(now.often[action])));
        button.addEventListener("click", () => {
          const before = this.path.slice(0, place);
          const deal = [];
          const { cards } = this.walk(before);
          while (deal.length < (deals ?? 0)) deal.push(this.dealable([...cards, ...deal])[0]);
          const path = [...before, { action, deal }];
          if (why) this.stay(path, why);
          else this.go(path, `[data-step="${place + 1}"] [data-action]`);
        });
        return button;
      });
      const head = make("button", { type: "button", class: "who who-" + player, "aria-current": way ? undefined : "step" }, this.record.players[player]);
      head.addEventListener("click", () => this.go(this.path.slice(0, place), `[data-step="${place}"] [data-action]`));
      const found = [make("li", { class: way ? "step" : "step now", "data-step": place }, head, ...buttons)];
      (way?.deal ?? []).forEach((card, dealt) => found.push(this.picker(place, dealt, way.before + dealt, card)));
      return found;
    }

    card(card) {
      const text = this.record.written[card];
      return make("span", { class: `card suit-${"♠♥♦♣".indexOf(text.at(-1))}` }, text);
    }

    // All cards that may be dealt at a place of the path; the one that is picked is pressed
    picker(place, dealt, before, picked) {
      const { cards } = this.walk(this.path);
      const open = this.dealable(cards.slice(0, before));
      const rows = this.record.picker.map((row) => make("div", {}, ...row.map((card) => {
        const button = make("button", { type: "button", "aria-pressed": `${card === picked}`, "data-card": card, disabled: !open.includes(card) }, this.card(card));
        button.addEventListener("click", () => this.go(this.dealing(place, dealt, card), `[data-deal="${place}-${dealt}"] [data-card="${card}"]`));
        return button;
      })));
      return make("li", { class: "deal", "data-deal": `${place}-${dealt}` }, make("span", { class: "note" }, "dealt: ", this.card(picked)), ...rows);
    }

    // The path with another card dealt; later cards give way where it was theirs
    dealing(place, dealt, card) {
      const cards = [];
      return this.path.map(({ action, deal }, step) => ({
        action,
        deal: deal.map((old, at) => {
          const wanted = step === place && at === dealt ? card : old;
          const open = this.dealable(cards);
          const next = !open.includes(wanted) || (wanted === card && !(step === place && at === dealt) && step >= place)
            ? open.find((each) => each !== card) : wanted;
          cards.push(next);
          return next;
        }),
      }));
    }

    stay(path, why) {
      const line = this.line(path);
      if (why === "not on this page") {
        this.said.replaceChildren(`${line}: not on this page; `, make("code", {}, `${this.record.command} ${line}`), " shows it.");
      } else this.said.textContent = `After ${line} nobody acts any more: ${{ fold: "a fold", showdown: "hands are shown", "all in": "what is left is dealt, and hands are shown" }[why]}.`;
    }

    show() {
      const { players, unit, board } = this.record;
      const line = this.line(this.path);
      const both = (texts) => texts.map((text, player) => make("div", {}, make("span", { class: `who who-${player}` }, players[player]), " ", text));
      const fact = (name, ...content) => make("div", { class: "figure-box" }, make("span", {}, name), ...content);
      this.said = make("p", { class: "note said" });
      this.about.replaceChildren(
        make("p", {}, make("strong", {}, line ? `After ${line}` : "First to act"), ", on ", ...[...board, ...this.cards].map((card) => this.card(card))),
        make("div", { class: "figures" },
          fact("play comes here", make("b", {}, percent(this.now.reach))),
          fact(`EV, ${unit}`, ...both(this.now.ev.map(amount))),
          fact("equity", ...both(this.now.eq.map(percent))),
          fact(`${players[this.of.player]} does`, this.bar(this.of.actions, this.now.often))),
        this.said);
      this.drawControls();
      this.drawHands();
    }

    bar(actions, shares) {
      const said = actions.map((name, place) => `${name} ${percent(shares[place])}`).join(", ");
      return make("div", { class: "cell", role: "img", "aria-label": said, title: said }, ...actions.map((name, place) =>
        make("span", { style: `flex-grow:${shares[place]};background:${this.color(actions, place)}`, class: shares[place] > 0 ? "" : "none" },
          shares[place] >= 0.18 ? percent(shares[place]) : "")));
    }

    get player() {
      return this.shown.player ?? this.of.player;
    }

    get actions() { // what can be done with the hands that are shown
      return this.player === this.of.player ? this.of.actions : [];
    }

    get side() {
      return this.now.sides[this.player];
    }

    switcher(name, texts, chosen, choose) {
      const buttons = texts.map(([value, text]) => {
        const button = make("button", { type: "button", "aria-pressed": `${value === chosen}` }, text);
        button.addEventListener("click", () => {
          choose(value);
          this.drawControls();
          this.drawHands();
          this.controls.querySelector(`[data-group="${name}"] [aria-pressed="true"]`).focus();
        });
        return button;
      });
      return make("div", { class: "switcher", role: "group", "aria-label": name, "data-group": name },
        make("span", {}, name), make("div", {}, ...buttons));
    }

    drawControls() {
      const { players, groups, grid } = this.record;
      const names = [...groups, ...(grid?.group ? [grid.group] : []), ...(this.side.hand ? ["hand"] : [])];
      this.by = names.includes(this.shown.by) ? this.shown.by : names[0];
      const whats = [...(this.actions.length ? ["actions"] : []), "EV", "equity", "weight"];
      this.what = whats.includes(this.shown.what) ? this.shown.what : whats[0];
      this.controls.replaceChildren(
        this.switcher("hands of", players.map((name, player) => [player, name]), this.player, (player) => {
          this.shown.player = player === this.of.player ? undefined : player;
        }),
        ...(grid ? [this.switcher("matrix of", whats.map((what) => [what, what]), this.what, (what) => { this.shown.what = what; })] : []),
        ...(names.length ? [this.switcher("table by", names.map((name) => [name, name]), this.by, (by) => { this.shown.by = by; })] : []));
    }

    drawHands() {
      this.matrix.parentNode.hidden = !this.record.grid;
      if (this.record.grid) this.drawMatrix();
      this.drawTable();
    }

    row(rows, place) { // one row of a table, by name
      const count = this.actions.length;
      rows.isNever ??= new Set(rows.never);
      return {
        n: rows.n[place], weight: rows.weight[place], share: rows.share[place], ev: rows.ev[place], eq: rows.eq[place],
        p: rows.p?.slice(place * count, (place + 1) * count), v: rows.v?.slice(place * count, (place + 1) * count),
        never: rows.isNever.has(place),
      };
    }

    drawMatrix() {
      const { rows, columns, cells } = this.record.grid;
      const grid = this.side.grid;
      const at = new Map(grid.name.map((cell, place) => [cell, place]));
      const most = Math.max(...grid.weight, 1e-9);
      const known = grid.ev.filter((ev) => ev !== null);
      const range = [Math.min(...known), Math.max(...known)];
      const body = rows.map((_, y) => make("tr", {}, ...columns.map((__, x) => {
        const cell = y * columns.length + x;
        const button = make("button", { type: "button", class: "in-matrix", tabindex: "-1", "data-cell": cell }, make("span", {}, cells[cell]));
        if (at.has(cell)) this.fill(button, cells[cell], this.row(grid, at.get(cell)), most, range);
        else button.disabled = true;
        return make("td", {}, button);
      })));
      const whose = `${this.what === "actions" ? "What" : this.what[0].toUpperCase() + this.what.slice(1) + " of what"} ${this.record.players[this.player]} ${this.what === "actions" ? "does" : "holds"}; ` +
        "the lower a color, the less of the hands comes here";
      this.matrix.replaceChildren(make("table", { class: "matrix" }, make("caption", {}, whose), make("tbody", {}, ...body)), this.legend());
      this.buttons = [...this.matrix.querySelectorAll("tr")].map((row) => [...row.querySelectorAll("button")]);
      this.buttons.forEach((row, y) => row.forEach((button, x) => !button.disabled && this.listen(button, y, x)));
      const open = this.buttons.flat().filter((button) => !button.disabled);
      const chosen = open.find((button) => button.dataset.cell === this.shown.cell) ?? open[0];
      if (chosen) this.choose(chosen);
      else this.detail.replaceChildren();
    }

    legend() {
      if (this.what !== "actions") return "";
      return make("ul", { class: "legend" }, ...this.actions.map((name, place) => make("li", {}, this.swatch(this.actions, place), name)));
    }

    // A cell's colors: actions from left to right, or how much; as high as the weight
    fill(button, name, row, most, [least, largest]) {
      const parts = this.what === "actions"
        ? row.p.map((share, place) => [share, this.color(this.actions, place)])
        : [[{ EV: row.ev === null ? 0 : largest > least ? (row.ev - least) / (largest - least) : 1, equity: row.eq ?? 0, weight: row.weight / most }[this.what], "var(--filled)"]];
      let sum = 0;
      const stops = parts.filter(([share]) => share > 0).flatMap(([share, color]) => {
        const from = 100 * sum;
        sum += share;
        return `${color} ${from.toFixed(1)}% ${(100 * sum).toFixed(1)}%`;
      });
      button.style.backgroundImage = `linear-gradient(90deg, ${[...stops, `transparent ${(100 * sum).toFixed(1)}%`].join(", ")})`;
      button.style.backgroundSize = `100% ${this.what === "weight" ? 100 : Math.max(6, 100 * row.weight / most).toFixed(0)}%`;
      const said = { EV: amount(row.ev), equity: percent(row.eq), weight: percent(row.weight) }[this.what];
      if (said !== undefined) button.append(make("small", {}, said.replace("\u00a0%", "")));
      if (row.never) button.classList.add("never");
      if (this.what !== "actions" || row.weight < 0.55 * most) button.classList.add("low"); // the name stands above the color
      button.setAttribute("aria-label", `${name}: ${said ?? this.actions.map((action, place) => `${action} ${percent(row.p[place])}`).join(", ")}`);
      button.tell = () => this.tell(name, row, Number(button.dataset.cell));
    }

    listen(button, y, x) {
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && button.tell());
      button.addEventListener("pointerleave", () => this.chosen.tell());
      button.addEventListener("focus", () => this.choose(button));
      button.addEventListener("click", () => button.focus());
      button.addEventListener("keydown", (event) => {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        let [to, on] = [y + step[0], x + step[1]];
        while (this.buttons[to]?.[on]?.disabled) [to, on] = [to + step[0], on + step[1]];
        this.buttons[to]?.[on]?.focus();
      });
    }

    choose(button) {
      this.chosen?.classList.remove("chosen");
      if (this.chosen) this.chosen.tabIndex = -1;
      this.chosen = button;
      this.shown.cell = button.dataset.cell;
      button.tabIndex = 0;
      button.classList.add("chosen");
      button.tell();
    }

    hand(number) { // how a hand of the board that is picked is written
      const cards = this.record.hands[this.player][number].map((card) => this.turn[card]).sort((a, b) => b - a);
      return make("span", { class: "holding" }, ...cards.map((card) => this.card(card)));
    }

    get alive() { // numbers of the hands that the stored board leaves
      const back = new Map(this.turn.map((image, card) => [image, card]));
      const stored = this.cards.map((card) => back.get(card));
      const every = this.record.hands[this.player].map((cards, number) => [cards, number]);
      return every.filter(([cards]) => !cards.some((card) => stored.includes(card))).map(([, number]) => number);
    }

    tell(name, row, cell) {
      const heads = ["", "played", "EV"].map((text) => make("th", { scope: "col" }, text));
      const actions = this.actions.map((action, place) => make("tr", {},
        make("th", { scope: "row" }, this.swatch(this.actions, place), action), make("td", {}, percent(row.p[place])), make("td", {}, amount(row.v[place]))));
      this.detail.replaceChildren(
        make("h4", {}, `${name}, ${row.n} ${row.n === 1 ? "hand" : "hands"}`),
        make("p", {}, `EV ${amount(row.ev)} ${this.record.unit}, equity ${percent(row.eq)}, share of the range ${percent(row.share)}`),
        ...(actions.length ? [make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...actions))] : []),
        make("p", { class: "note" }, row.never ? "play never comes here with them" : `${percent(row.weight)} of them come here by their own actions`),
        this.inCell(cell));
    }

    inCell(cell) {
      const { hand } = this.side;
      const cells = this.record.cells?.[this.player];
      if (!hand || !cells) return "";
      const alive = this.alive;
      const items = hand.name.map((of, place) => [alive[of], place]).filter(([number]) => cells[number] === cell).map(([number, place]) => {
        const row = this.row(hand, place);
        return make("li", { class: row.never ? "never" : "" }, this.hand(number), " ", this.actions.length ? this.bar(this.actions, row.p) : amount(row.ev));
      });
      return make("ul", { class: "combos" }, ...items);
    }

    drawTable() {
      const rows = this.by === this.record.grid?.group ? this.side.grid : this.side[this.by];
      if (!rows) {
        this.table.replaceChildren();
        return;
      }
      const alive = this.by === "hand" ? this.alive : undefined;
      const name = (of) => (this.by === "hand" ? this.hand(alive[of]) : rows === this.side.grid ? this.record.grid.cells[of] : this.record.names[of]);
      const heads = [this.by, ...(this.by === "hand" ? [] : ["hands"]), "share", "EV", "equity", ...this.actions];
      const body = rows.name.map((of, place) => {
        const row = this.row(rows, place);
        const numbers = [...(this.by === "hand" ? [] : [`${row.n}`]), percent(row.share), amount(row.ev), percent(row.eq)];
        return make("tr", { class: row.never ? "never" : undefined }, make("th", { scope: "row" }, name(of)),
          ...numbers.map((text) => make("td", { class: "number" }, text)),
          ...this.actions.map((_, action) => make("td", { class: "number" }, percent(row.p[action]))));
      });
      const note = rows.never.length ? "; faded: play never comes here with them" : "";
      this.table.replaceChildren(make("table", {}, make("caption", {}, `${this.record.players[this.player]}, by ${this.by}, the best equity first${note}`),
        make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { scope: "col", class: at ? "number" : undefined }, head)))),
        make("tbody", {}, ...body)));
    }
  }

  for (const place of document.querySelectorAll("[data-lines]")) {
    const lines = new Lines(place);
    place.draw = () => lines.drawAnew(); // what is chosen stays chosen
  }
})();
