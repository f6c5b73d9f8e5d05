// site_search.js HTML QUESTIONS WANTED: searches the site in the folder HTML for each line `pages: query` of QUESTIONS, with the site's own
// script and index, and says what it finds where none of the pages is among the first three. Fails if fewer than WANTED are.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [html, questions, wanted] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(html, name), "utf8");

// What the script touches of a browser. It shows its results by _displayNextItem, which is replaced.
const element = { lastChild: null, innerText: "" };
const browser = {
  document: { getElementById: () => element, addEventListener: () => {}, readyState: "loading" },
  _: (text) => text,
  localStorage: { setItem: () => {} },
  SPHINX_HIGHLIGHT_ENABLED: false,
  _ready: () => {},
  console,
};
browser.window = browser;
vm.createContext(browser);
const tools = read("_static/searchtools.js").replace("const _displayNextItem =", "let _displayNextItem =");
const capture = "\nlet found; _displayNextItem = (results) => { found = results; };";
vm.runInContext(tools + capture + read("_static/language_data.js"), browser);
vm.runInContext(read("searchindex.js"), browser);

function search(query) {
  vm.runInContext(`found = []; Search.query(${JSON.stringify(query)});`, browser);
  return vm.runInContext("found.map((item) => item[0])", browser).reverse(); // the best is shown first, and is last
}

let asked = 0;
let right = 0;
for (const line of fs.readFileSync(questions, "utf8").split("\n")) {
  if (!line || line.startsWith("#")) continue;
  const [, pages, query] = line.match(/^(\S+): (.*)$/);
  const found = [...new Set(search(query))];
  ++asked;
  if (pages.split(",").some((page) => found.slice(0, 3).includes(page))) ++right;
  else console.log(`"${query}" finds ${found.slice(0, 3).join(", ") || "nothing"}, not ${pages}${found.some((page) => pages.split(",").includes(page)) ? " among the first three" : ""}`);
}
console.log(`${right} of ${asked} searches find the page among the first three`);
process.exit(right < Number(wanted) ? 1 : 0);
