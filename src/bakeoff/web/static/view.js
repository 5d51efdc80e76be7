// The rows that a view shows, and their order: what bakeoff.board.table does on the server, for boards whose rows
// are all on the page. tests/web/static/views.json holds cases that both must answer alike.
const BoardView = (() => {
  "use strict";
  const FACETS = ["organisation", "licence", "precision", "provenance"];
  const NAMES = ["search", ...FACETS, "state", "parameters_min", "parameters_max", "cost_max", "latency_max", "since",
    "pareto", "tied", "preset", "sort", "columns", "pin", "compare", "at", "version", "page", "per_page"];
  const LIMITS = [["parameters", "parameters_min", "parameters_max"], ["cost", "", "cost_max"], ["latency", "", "latency_max"]];
  // What the server's patterns do not know, or this browser might never finish.
  const ELSEWHERE = /\(\?[=!<P]|\\[1-9k]|\([^)]*[+*}][^)]*\)[+*{]/;

  // A test of a row's text; null where the pattern is none, or is one for the server alone.
  function matcher(search) {
    if (search.length > 1 && search.startsWith("/") && search.endsWith("/")) {
      const pattern = search.slice(1, -1);
      if (!pattern || ELSEWHERE.test(pattern)) return null;
      try {
        const found = new RegExp(pattern, "mi");
        return (text) => found.test(text);
      } catch { return null; }
    }
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return (text) => words.every((word) => text.includes(word));
  }

  // What is searched of each row, its parts on lines of their own; worked out once.
  const known = new WeakMap();
  function searched(data) {
    if (!known.has(data)) {
      const parts = ["organisation", "precision", "licence"].map((name) => data.choices[name]);
      const said = (row) => parts.map(([values, codes]) => (values[codes[row]] === "-" ? "" : values[codes[row]]));
      known.set(data, data.models.map((model, row) => [model, ...said(row)].join("\n").toLowerCase()));
    }
    return known.get(data);
  }

  // Which rows match, in the board's order; null where this is for the server to say.
  function matching(data, asked) {
    const tests = [];
    const search = (asked.get("search") ?? "").trim();
    if (search) {
      const found = matcher(search);
      if (!found) return null;
      const texts = searched(data);
      tests.push((row) => found(texts[row]));
    }
    for (const name of FACETS) {
      const wanted = new Set(asked.getAll(name).filter((each) => each.trim()));
      const [values, codes] = data.choices[name];
      if (wanted.size) tests.push((row) => wanted.has(values[codes[row]]));
    }
    if (asked.get("state") === "ranked") tests.push((row) => data.ranked[row] === 1);
    for (const [name, low, high] of LIMITS) {
      const least = asked.get(low) || null, most = asked.get(high) || null, numbers = data.numbers[name] ?? [];
      if (least === null && most === null) continue;
      tests.push((row) => numbers[row] != null && (least === null || numbers[row] >= +least) && (most === null || numbers[row] <= +most));
    }
    const since = asked.get("since");
    if (since) tests.push((row) => data.since[row] >= since);
    if (asked.get("pareto")) {
      const front = new Set(data.fronts[asked.get("pareto")] ?? []);
      tests.push((row) => front.has(row));
    }
    if (data.kept) tests.push((row) => data.kept[row] === 1);
    return data.keys.map((_, row) => tests.every((test) => test(row)));
  }

  // The numbers of all rows in the order of the view, the pinned ones first; null where a column is not on the page.
  function order(data, asked) {
    const sort = asked.get("sort") ?? "", key = sort.replace(/^-/, "");
    const rows = data.keys.map((_, row) => row);
    if (sort) {
      const codes = data.codes[key];
      if (!codes) return null;
      const sign = sort.startsWith("-") ? -1 : 1;
      rows.sort((a, b) => (codes[a] < 0) - (codes[b] < 0) || (codes[a] < 0 ? 0 : sign * (codes[a] - codes[b])) || a - b);
    }
    const pins = new Set(asked.getAll("pin"));
    return [...rows.filter((row) => pins.has(data.keys[row])), ...rows.filter((row) => !pins.has(data.keys[row]))];
  }

  // The parameters in the one order that an address has, without those that are empty.
  function canonical(asked) {
    const found = new URLSearchParams();
    for (const name of NAMES) for (const value of asked.getAll(name)) if (value.trim()) found.append(name, value.trim());
    return found;
  }

  return { matching, order, canonical };
})();
