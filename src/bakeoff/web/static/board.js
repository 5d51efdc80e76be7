// A board: searching, filtering, sorting, pinning and choosing at once, where all rows are on the page. Whatever
// this cannot do is left to the form and the links, which the server answers.
(() => {
  "use strict";
  const MANY = new Set(["organisation", "licence", "precision", "provenance", "pin", "compare"]);
  const one = (what, where = document) => where.querySelector(what);
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const form = one("#view"), table = one("#rows"), scroll = one("#scroll"), together = one("#together"), count = one("#count");
  if (!form || !table) return;
  const source = one("#data"), data = source && JSON.parse(source.textContent);
  const body = table.tBodies[0], rows = all("tr", body), points = new Map(all(".chart [data-key]").map((each) => [each.dataset.key, each]));
  const by = new Map(rows.map((row) => [+row.dataset.i, row]));
  let now = BoardView.canonical(new URLSearchParams(location.search));
  let sorted = null;

  // A header that stays in sight, where the table need not scroll sideways.
  new ResizeObserver(() => scroll.classList.toggle("fits", table.offsetWidth <= scroll.clientWidth + 1)).observe(scroll);

  // What the form says, without what is empty; pins and the order are not fields of its own here.
  form.addEventListener("formdata", (event) => {
    const said = event.formData;
    for (const name of new Set(said.keys())) {
      const values = said.getAll(name).filter((value) => value.trim());
      said.delete(name);
      if (name !== "pin" && name !== "sort") values.forEach((value) => said.append(name, value));
    }
    for (const name of ["pin", "sort"]) now.getAll(name).forEach((value) => said.append(name, value));
  });

  // Up to four rows to compare.
  const boxes = all("input[name=compare]", body);
  function choose() {
    const chosen = boxes.filter((box) => box.checked).length + all("input[type=hidden][name=compare]", form).length;
    if (!together) return;
    together.hidden = chosen === 0;
    one("[data-chosen]", together).textContent = `${chosen} of up to 4 rows chosen${chosen === 1 ? ", one more to compare" : ""}`;
    one("button", together).disabled = chosen < 2;
    for (const box of boxes) box.disabled = chosen >= 4 && !box.checked;
  }
  body.addEventListener("change", (event) => { if (event.target.name === "compare") { choose(); if (data) ask(); } });
  choose();

  // A row and its point in the chart are one thing. Where rows are on several pages, their boxes know their keys.
  const keyed = new Map(rows.map((row) => [data ? data.keys[+row.dataset.i] : one("input[name=compare]", row)?.value, row]));
  const keys = new Map([...keyed].map(([key, row]) => [row, key]));
  function light(key, on) {
    points.get(key)?.classList.toggle("hot", on);
    keyed.get(key)?.classList.toggle("hot", on);
  }
  for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    for (const [name, on] of [[enter, true], [leave, false]]) {
      body.addEventListener(name, (event) => {
        const row = event.target.closest("tr");
        if (row) light(keys.get(row), on);
      });
      one(".chart.scatter")?.addEventListener(name, (event) => {
        const point = event.target.closest("[data-key]");
        if (point) light(point.dataset.key, on);
      });
    }
  }

  const copy = one("[data-copy]");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(location.href);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy link"; }, 2000);
    });
  }
  if (!data) return;

  // From here on: boards whose rows are all here.
  form.hidden = false;
  const problem = one("#problem");
  const apply = one("[data-apply]", form);
  if (apply) apply.hidden = true;

  function show() {
    const met = BoardView.matching(data, now);
    form.elements.search.setAttribute("aria-invalid", String(!met));
    if (problem.hidden !== Boolean(met)) problem.hidden = Boolean(met);
    if (!met) return;
    const pins = new Set(now.getAll("pin"));
    let matching = 0;
    for (const [index, row] of by) {
      const pinned = pins.has(data.keys[index]), hidden = !met[index] && !pinned;
      matching += met[index];
      if (row.hidden !== hidden) row.hidden = hidden;
      points.get(data.keys[index])?.classList.toggle("off", !met[index]);
    }
    const order = `${now.get("sort") ?? ""} ${[...pins].sort().join(" ")}`;
    if (sorted !== null && sorted !== order) {
      const places = BoardView.order(data, now);
      if (places) body.append(...places.map((index) => by.get(index)));
      heads(now.get("sort") ?? "");
    }
    sorted = order;
    const words = `${matching.toLocaleString("en")} of ${data.keys.length.toLocaleString("en")} row${data.keys.length === 1 ? "" : "s"}`;
    if (count.textContent !== words) count.textContent = words;
  }

  function heads(sort) {
    table.classList.toggle("ordered", sort === "");
    for (const head of all("thead th", table)) {
      head.removeAttribute("aria-sort");
      for (const link of all("a", head)) {
        delete link.dataset.arrow;
        if ((sort || "ranks").replace(/^-/, "") !== link.dataset.key) continue;
        const down = "down" in link.dataset !== sort.startsWith("-");
        link.dataset.arrow = down ? "↓" : "↑";
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
      }
    }
  }

  // The form was changed: its view becomes what is seen, and the address.
  function ask(changes = {}) {
    const said = new URLSearchParams(new FormData(form));
    said.delete("columns");
    for (const name of ["columns", "per_page"]) now.getAll(name).forEach((value) => said.append(name, value));
    for (const [name, values] of Object.entries(changes)) {
      said.delete(name);
      values.forEach((value) => said.append(name, value));
    }
    now = BoardView.canonical(said);
    show();
    tell();
  }

  function tell() {
    const query = now.size ? `?${now}` : "";
    history.replaceState(history.state, "", location.pathname + query + location.hash);
    for (const link of all("a[data-rows]")) link.href = link.href.replace(/\?.*$/, "") + query;
    for (const chip of all("[data-active] a")) chip.hidden = !now.getAll(chip.dataset.name).includes(chip.dataset.value);
  }

  // Links to other views were written for the view that the page was made for: what they change of that one, they
  // change of the present one.
  const made = new Set([...now].map(String)), written = new WeakMap();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("main a[href]");
    if (!link || "reset" in link.dataset || link.hash || link.pathname !== location.pathname) return;
    if (!written.has(link)) written.set(link, link.search);
    const asked = [...new URLSearchParams(written.get(link))], wanted = new Set(asked.map(String));
    const added = asked.filter((pair) => !made.has(String(pair)));
    const anew = new Set(added.map(([name]) => name).filter((name) => !MANY.has(name)));
    const kept = [...now].filter((pair) => (wanted.has(String(pair)) || !made.has(String(pair))) && !anew.has(pair[0]));
    link.search = BoardView.canonical(new URLSearchParams([...kept, ...added]));
  }, true);

  let waiting = 0;
  form.addEventListener("input", (event) => {
    if (event.target.name === "at" || event.target.name === "columns") return;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => ask());
  });
  form.addEventListener("change", (event) => { if (event.target.name === "at") form.submit(); });
  form.addEventListener("submit", (event) => {
    const search = form.elements.search;
    if (search.getAttribute("aria-invalid") === "true" || (event.submitter && event.submitter !== apply)) return;
    event.preventDefault();
  });

  table.tHead.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const key = link.dataset.key, sort = now.get("sort") ?? "";
    const next = key === "ranks" ? (sort === "" ? "-ranks" : "") : { [key]: `-${key}`, [`-${key}`]: "" }[sort] ?? key;
    ask({ sort: next ? [next] : [] });
  });

  body.addEventListener("click", (event) => {
    const pin = event.target.closest("[data-pin]");
    if (!pin) return;
    event.preventDefault();
    const row = pin.closest("tr"), key = data.keys[+row.dataset.i], pins = now.getAll("pin");
    const on = !pins.includes(key), button = one("[data-pin]", row);
    ask({ pin: on ? [...pins, key] : pins.filter((each) => each !== key) });
    row.classList.toggle("pinned", on);
    button.setAttribute("aria-label", button.getAttribute("aria-label").replace(/^(Pin|Unpin)/, on ? "Unpin" : "Pin"));
    points.get(key)?.classList.toggle("m", on);
    button.focus();
  });

  one("[data-active]")?.addEventListener("click", (event) => {
    const chip = event.target.closest("a"), field = chip && form.elements[chip.dataset.name];
    // What has no field of its own, or several, is for the server.
    if (!field?.type || field.type === "hidden") return;
    event.preventDefault();
    field.value = "";
    ask();
    form.elements.search.focus();
  });

  sorted = `${now.get("sort") ?? ""} ${now.getAll("pin").sort().join(" ")}`;
  if (location.protocol === "file:" && now.size) { fill(); sorted = ""; }
  show();

  // On a page from a file the address has been read by nobody yet.
  function fill() {
    for (const field of form.elements) if (field.name && field.type !== "checkbox") field.value = now.get(field.name) ?? "";
  }
})();
