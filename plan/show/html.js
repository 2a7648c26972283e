"use strict";
const get = (id) => document.getElementById(id), input = get("host"), found = get("found");
const image = document.querySelector("svg"), rows = [...document.querySelectorAll("tbody tr")];
const named = (row) => [...row.querySelectorAll("[data-rows]")];
const marks = image.appendChild(document.createElementNS(image.namespaceURI, "g"));
let left = rows, at = -1;
function mark(cells) { // in the image
  marks.replaceChildren(...[...new Set(cells.map((c) => c.dataset.rows))].filter((r) => r).map((r) => {
    const box = document.createElementNS(image.namespaceURI, "rect"), [y, height] = r.split(" ");
    const all = {x: 1, y, width: 1198, height, class: "found"};
    for (const name in all) box.setAttribute(name, all[name]);
    return box;
  }));
}
function find() {
  const wanted = input.value.trim().toLowerCase(), cells = rows.flatMap(named);
  const text = (c) => c.textContent.toLowerCase();
  const exact = (c) => text(c) === wanted || text(c).startsWith(wanted + "#");
  const fits = cells.some(exact) ? exact : (c) => text(c).includes(wanted);
  const hits = wanted === "" ? [] : cells.filter(fits), at_once = new Set(hits);
  cells.forEach((c) => c.classList.toggle("found", at_once.has(c)));
  left = rows.filter((row) => wanted === "" || named(row).some((c) => at_once.has(c)));
  rows.forEach((row) => { row.hidden = true; row.classList.remove("at"); });
  left.forEach((row) => { row.hidden = false; });
  at = -1;
  mark(hits);
  const names = new Set(hits.map(text)).size;
  found.textContent = wanted === "" ? "" : names === 0 ? "no such name" :
    names === 1 ? hits[0].textContent + ": " + left.length + (left.length === 1 ? " row" : " rows") : names + " names";
}
function step(by) {
  left[at]?.classList.remove("at");
  at = Math.max(0, Math.min(left.length - 1, at + by));
  if (left.length === 0) return;
  left[at].classList.add("at");
  left[at].scrollIntoView({block: "nearest"});
  mark(named(left[at]));
  found.textContent = [...left[at].cells].map((c) => c.textContent).join(", ");
}
input.addEventListener("input", find);
input.form.addEventListener("submit", (e) => e.preventDefault());
input.addEventListener("keydown", (e) => {
  const by = {ArrowDown: 1, ArrowUp: -1}[e.key];
  if (by) { e.preventDefault(); step(by); }
  if (e.key === "Escape") { input.value = ""; find(); }
});
image.addEventListener("pointerover", (e) => {
  const tip = e.target.querySelector?.(":scope > title");
  if (e.target !== image && tip) found.textContent = tip.textContent;
});
input.form.hidden = false;
