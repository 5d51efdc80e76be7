// A battle: answers appear while they are written. Without this, the page is loaded again every two seconds.
(() => {
  "use strict";
  const again = async () => {
    const { page } = document.getElementById("battle").dataset;  // a form that was not taken has another address
    const answer = await fetch(page, { cache: "no-store" });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    const place = document.getElementById("battle"), fresh = found.getElementById("battle");
    if (!fresh) { location.replace(page); return; }
    place.replaceWith(document.adoptNode(fresh));
    document.title = found.title;
    ready(fresh);
    if (fresh.dataset.state === "answering") setTimeout(() => watch(fresh), 500);
    else fresh.querySelector("[tabindex]")?.focus({ preventScroll: true });
  };
  const watch = (place) => {
    if (!place?.dataset.events || !window.EventSource) return;
    const side = (name) => place.querySelector(`[data-side=${name}]`);
    const source = new EventSource(place.dataset.events);
    source.addEventListener("more", (event) => {
      const more = JSON.parse(event.data);
      side("left").append(more.left);
      side("right").append(more.right);
    });
    const look = () => { source.close(); again().catch(() => setTimeout(look, 2000)); };
    source.addEventListener("over", look);
    // By itself a browser tries again where the connection broke, and not where the server has no room.
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(look, 2000); });
  };
  // One click is one vote; and what is sent by keys is what the button would send.
  const ready = (within) => {
    for (const form of within.querySelectorAll("form")) {
      form.addEventListener("submit", (event) => {
        if (form.dataset.sent) event.preventDefault();
        form.dataset.sent = "yes";
      });
    }
    for (const keys of within.querySelectorAll(".keys")) keys.hidden = false;
    for (const area of within.querySelectorAll(".ask textarea")) {
      area.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); area.form.requestSubmit(); }
      });
    }
    for (const button of within.querySelectorAll(".fill")) {
      button.hidden = false;
      button.nextElementSibling.hidden = true;
      button.addEventListener("click", () => {
        const area = document.querySelector(".ask textarea");
        area.value = button.textContent;
        area.focus();
      });
    }
  };
  ready(document);
  // A page that was gone back to may have been sent before.
  addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sent; });
  watch(document.getElementById("battle"));
})();
