// The queue as it moves: the server says when it changed, and what stands there now is fetched and put in its place.
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live || !window.EventSource) return;
  const inUse = () => live.contains(document.activeElement) && document.activeElement !== document.body;
  const renew = async () => {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
    if (!fresh) return;
    const focused = inUse() ? document.activeElement.id : "";
    live.replaceChildren(...fresh.childNodes);
    if (focused) document.getElementById(focused)?.focus();
  };
  const source = new EventSource(live.dataset.events);
  source.addEventListener("changed", () => { if (!document.hidden) renew(); });
  source.addEventListener("progress", (event) => {
    for (const [number, { done, total, samples }] of Object.entries(JSON.parse(event.data))) {
      const entry = document.getElementById(`submission-${number}`), bar = entry?.querySelector("progress");
      if (!bar) continue;
      if (total) { bar.max = total; bar.value = done; }
      entry.querySelector(".samples").textContent = samples;
    }
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) renew(); });
  addEventListener("pagehide", () => source.close());
})();
