// A run that goes on: the numbers move by themselves. Without this, a reload shows the same.
(() => {
  "use strict";
  const place = document.querySelector("[data-events]");
  if (!place || !window.EventSource) return;
  const bar = place.querySelector("progress"), part = (name) => place.querySelector(`[data-part=${name}]`);
  const source = new EventSource(place.dataset.events);
  source.addEventListener("progress", (event) => {
    const now = JSON.parse(event.data);
    bar.value = now.done;
    part("done").textContent = now.done.toLocaleString("en");
    part("said").textContent = now.said ? ` · ${now.said}` : "";
  });
  source.addEventListener("quiet", () => source.close());
  source.addEventListener("end", () => { source.close(); location.reload(); });
})();
