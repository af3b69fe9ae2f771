// Words of the query against names, title and text of every section; all must occur, names count most.
const up = document.currentScript ? document.currentScript.dataset.up : document.querySelector("script[data-up]").dataset.up;
const box = document.getElementById("search");
const found = document.getElementById("found");

function score(page, words) {
  const title = page[0].toLowerCase();
  let sum = 0;
  for (const word of words) {
    const inTitle = title.includes(word) ? (page[1].includes("#") ? 5 : 10) : 0;
    const named = (" " + page[3] + " ").includes(" " + word + " ") ? 20 : (" " + page[3]).includes(" " + word) ? 8 : 0;
    const text = (" " + page[2]).includes(" " + word) ? 1 : 0;
    if (inTitle + named + text === 0) return 0;
    sum += inTitle + named + text;
  }
  return sum;
}

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/[^\w.]+/).filter(Boolean);
  const hits = words.length === 0 ? [] : pages.map(page => [score(page, words), page]).filter(hit => hit[0] > 0);
  hits.sort((a, b) => b[0] - a[0]);
  found.textContent = "";
  const shown = {}; // at most three sections of a page
  for (const [, page] of hits) {
    const path = page[1].split("#")[0];
    shown[path] = (shown[path] || 0) + 1;
    if (shown[path] > 3 || found.childElementCount >= 12) continue;
    const link = document.createElement("a");
    link.href = up + page[1];
    link.textContent = page[0];
    found.append(link);
  }
  if (words.length > 0 && hits.length === 0) found.textContent = "Nothing found";
  found.style.display = words.length > 0 ? "block" : "none";
});
box.addEventListener("keydown", event => {
  if (event.key === "Enter" && found.firstElementChild) location.href = found.firstElementChild.href;
  if (event.key === "Escape") found.style.display = "none";
});
