// Ranks the pages that a search finds. Sphinx puts this file into language_data.js, behind its own script, which finds only pages with all of
// the words and ranks them by their best word. Here a page needs one of the words: rare words count more than common ones, and words in titles and headings
// more than those in the text.
var Scorer = {
  objNameMatch: 101, // a declaration of that name comes before all pages,
  objPartialMatch: 1, // and others come after them
  objPrio: { 0: 1, 1: 0, 2: -1 },
  objPrioDefault: 0,
  title: 0,
  partialTitle: 0,
  term: 0,
  partialTerm: 0,
};

const placeWeights = { title: 6, heading: 3, text: 1 };

// Pages that name nearly everything, and those for developers of gnnc, are rarely what is looked for.
const pageWeights = [
  [/^dev\/|^changelog$|^contents$|^contributing$|^security$/, 0.4],
  [/^(api|options|errors|layers|schemas|measurements)$/, 0.7],
];

// The words of an index of terms that a searched word means: itself, else those that it begins.
function wordsMeant(terms, word) {
  if (Object.hasOwn(terms, word)) return [word];
  return word.length > 2 ? Object.keys(terms).filter((term) => term.startsWith(word)) : [];
}

function rankPages(searchTerms, excludedTerms) {
  const index = Search._index;
  const stemmer = new Stemmer();
  const pagesOf = (terms, word) => new Set(wordsMeant(terms, word).flatMap((term) => terms[term]));
  const scores = new Map();
  let best = 0;
  for (const word of searchTerms) {
    const headings = pagesOf(index.titleterms, word);
    const pages = new Set([...pagesOf(index.terms, word), ...headings]);
    const rarity = Math.log(1 + index.docnames.length / Math.max(pages.size, 1));
    best += rarity * placeWeights.title;
    for (const page of pages) {
      const title = splitQuery(index.titles[page].toLowerCase()).map((part) => stemmer.stemWord(part));
      const place = title.includes(word) ? "title" : headings.has(page) ? "heading" : "text";
      scores.set(page, (scores.get(page) ?? 0) + rarity * placeWeights[place]);
    }
  }
  for (const word of excludedTerms) for (const page of pagesOf(index.terms, word)) scores.delete(page);
  return [...scores].map(([page, score]) => {
    const name = index.docnames[page];
    const weight = (pageWeights.find(([pattern]) => pattern.test(name)) ?? ["", 1])[1];
    return [name, index.titles[page], "", null, (100 * weight * score) / best, index.filenames[page]];
  });
}

Search.performTermsSearch = rankPages;
