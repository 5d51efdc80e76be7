// Light or dark: as the system says, until somebody says otherwise. And "/" leads to the search of the page.
(() => {
  "use strict";
  const root = document.documentElement, button = document.getElementById("theme");
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem("theme", theme); } catch { /* private windows keep nothing */ } };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  if (stored()) root.dataset.theme = stored();
  if (button) {
    button.hidden = false;
    const tell = () => button.setAttribute("aria-pressed", String(dark()));
    tell();
    button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; store(root.dataset.theme); tell(); });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const field = document.querySelector("main input[type=search]") ?? document.querySelector("input[type=search]");
    if (field) { event.preventDefault(); field.focus(); field.select(); }
  });
})();
