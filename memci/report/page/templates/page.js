"use strict";
(() => {
  const root = document.documentElement;
  const at = (id) => document.getElementById(id);
  const items = [...document.querySelectorAll(".item")];
  const groups = [...document.querySelectorAll(".group, .scope")].reverse();
  const selects = [...document.querySelectorAll("select[data-by]")];
  const texts = new Map();
  at("tools").hidden = false;
  // What can be filtered by: the values that there are, if there is more than one.
  for (const select of selects) {
    const found = new Set(items.flatMap((item) => (item.dataset[select.dataset.by] || "").split(" ")).filter(Boolean));
    for (const value of [...found].sort()) select.add(new Option(value));
    select.parentElement.hidden = found.size < 2;
  }

  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };
  const fits = (item, words, wanted) =>
    wanted.every(([by, value]) =>
      by === "rule" ? item.dataset.rule.split(" ").includes(value) : item.dataset[by] === value) &&
    words.every((word) => textOf(item).includes(word));

  const filter = () => {
    const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = selects.map((select) => [select.dataset.by, select.value]).filter(([, value]) => value);
    const active = words.length + wanted.length > 0;
    let shown = 0;
    for (const item of items) {
      const fit = !active || fits(item, words, wanted);
      item.hidden = !fit;
      shown += fit;
    }
    root.classList.toggle("filtered", active);
    for (const group of groups) {
      const some = group.querySelector(".item:not([hidden])") !== null;
      group.hidden = active && !some;
      if (active && some && group.matches("details")) group.open = true;
    }
    at("nothing").hidden = !active || shown > 0;
    at("count").textContent = active ? `${shown} of ${items.length}` : "";
  };
  let waiting = 0;
  at("find").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  });
  for (const select of selects) select.addEventListener("change", filter);
  at("reset").addEventListener("click", () => {
    at("find").value = "";
    for (const select of selects) select.value = "";
    filter();
    at("find").focus();
  });

  const press = (id, act) => {
    const button = at(id);
    if (!button) return;
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      act(on);
    });
  };
  // What did not change stands on both sides; the left one is made when it is first asked for.
  const twin = () => {
    for (const line of document.querySelectorAll(".diff:not(.whole) > span[data-o]:not(.twin)")) {
      const left = line.cloneNode(true);
      left.dataset.n = line.dataset.o;
      left.classList.add("twin");
      line.removeAttribute("data-o");
      line.before(left);
    }
  };
  press("split", (on) => {
    if (on) twin();
    root.classList.toggle("split", on);
  });
  const unfold = (on) => {
    for (const one of document.querySelectorAll("main details")) one.open = on;
    at("unfold").textContent = on ? "Close all" : "Open all";
  };
  press("unfold", unfold);

  // A page from a disk may not be allowed to remember anything.
  const remember = (value) => {
    try {
      if (value) localStorage.setItem("memci-theme", value);
      return localStorage.getItem("memci-theme");
    } catch {
      return null;
    }
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const name = () => {
    at("theme").textContent = isDark() ? "Light" : "Dark";
  };
  const kept = remember();
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  name();
  dark.addEventListener("change", name);
  at("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember(root.dataset.theme);
    name();
  });

  // On paper nothing can be opened.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of folded) one.open = false;
  });
  const follow = () => {
    const target = at(location.hash.slice(1));
    if (target && target.matches("details")) target.open = true;
  };
  addEventListener("hashchange", follow);
  follow();
})();
