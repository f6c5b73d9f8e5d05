//===- OtherFormats.cpp - Text formats that are no tables -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/OtherFormats.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cctype>
#include <vector>

using namespace gnn::data_tool;

namespace {

using Words = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\r";

Words wordsOf(std::string_view line) {
  Words words;
  for (size_t at = 0; (at = line.find_first_not_of(blanks, at)) != line.npos;) {
    const size_t stop = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, stop - at));
    at = stop;
  }
  return words;
}

/// The first lines that are not empty, in lower case.
std::vector<std::string> firstLines(std::string_view text) {
  constexpr size_t maxLines = 200;
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < maxLines) {
    const size_t stop = std::min(text.find_first_of("\r\n"), text.size());
    std::string line(text.substr(0, std::min(stop, size_t(4096))));
    text.remove_prefix(std::min(stop + 1, text.size()));
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const size_t first = line.find_first_not_of(blanks);
    if (first != line.npos)
      lines.push_back(line.substr(first, line.find_last_not_of(blanks) - first + 1));
  }
  return lines;
}

bool startsWith(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

/// `graph [` of GML or `graph name {` of DOT, on one line or two; returns the bracket, or 0.
char bracketOfGraph(const std::vector<std::string> &lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line = lines[i];
    if (line.find_first_of("[{") == line.npos && i + 1 < lines.size())
      line += " " + lines[i + 1];
    const size_t bracket = line.find_first_of("[{");
    if (bracket == line.npos)
      continue;
    const Words words = wordsOf(std::string_view(line).substr(0, bracket));
    const size_t first = !words.empty() && words[0] == "strict";
    const bool isGraph = words.size() == first + 1 && words[first] == "graph";
    if (line[bracket] == '[' ? isGraph && first == 0
                             : isGraph || (words.size() > first && words.size() <= first + 2 &&
                                           (words[first] == "graph" || words[first] == "digraph")))
      return line[bracket];
  }
  return 0;
}

/// `p edge 5 4` or `p sp 5 4`, and rows that begin with e or a.
bool isDimacs(const std::vector<std::string> &lines) {
  for (const std::string &line : lines) {
    const Words words = wordsOf(line);
    if (words[0] == "c" || words[0] == "n")
      continue;
    return words.size() == 4 && words[0] == "p" && integerIn(words[2]) && integerIn(words[3]);
  }
  return false;
}

bool isTriples(const std::vector<std::string> &lines) {
  for (const std::string &line : lines) {
    if (line[0] == '#')
      continue;
    return (line[0] == '<' || startsWith(line, "_:")) && line.back() == '.' && wordsOf(line).size() >= 3;
  }
  return false;
}

bool isTurtle(const std::vector<std::string> &lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
    const bool declares = startsWith(line, "@prefix ") || startsWith(line, "@base ") || startsWith(line, "prefix ") ||
                          startsWith(line, "base ");
    return declares && line.find('<') != line.npos && line.find('>') != line.npos;
  });
}

/// Names of vertices, a line with nothing but #, and edges: the trivial graph format.
bool isTrivialGraph(const std::vector<std::string> &lines) {
  const auto sign = std::find(lines.begin(), lines.end(), "#");
  return sign != lines.end() &&
         std::any_of(lines.begin(), sign, [](const std::string &line) { return line[0] != '#'; });
}

/// Blocks of `# vertex` and its neighbours below, from the first line on.
bool isLgl(const std::vector<std::string> &lines) {
  int blocks = 0;
  for (size_t i = 0; i + 1 < lines.size(); ++i)
    if (startsWith(lines[i], "# ") && wordsOf(lines[i]).size() == 2 && lines[i + 1][0] != '#')
      ++blocks;
  return blocks >= 2 && startsWith(lines[0], "# ") && wordsOf(lines[0]).size() == 2;
}

/// `0 1 {'weight': 3}`.
bool hasAttributeDicts(const std::vector<std::string> &lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string &line) {
    const size_t open = line.find('{');
    return open != line.npos && open > 0 && line[0] != '#' && line.back() == '}' && open + 1 < line.size() &&
           (line[open + 1] == '\'' || (line[open + 1] == '"' && line.find("\":") != line.npos)) &&
           line.find(':', open) != line.npos;
  });
}

/// `[1, 2]` or `(1, 2)` on every line.
bool areLists(const std::vector<std::string> &lines) {
  return std::all_of(lines.begin(), lines.end(), [](const std::string &line) {
    const size_t last = line.find_last_not_of(", ");
    return (line[0] == '[' && line[last] == ']') || (line[0] == '(' && line[last] == ')');
  });
}

/// What a server sends in place of a file.
bool isAnswer(const std::vector<std::string> &lines) {
  constexpr size_t maxLines = 3;
  if (lines.size() > maxLines)
    return false;
  for (const char *text : {"not found", "forbidden", "access denied", "unauthorized", "bad request", "bad gateway",
                           "too many requests", "rate limit exceeded", "internal server error", "service unavailable",
                           "gateway timeout", "moved permanently", "authentication required", "permission denied"})
    if (lines[0].find(text) != std::string::npos && lines[0].find_first_of(",;\t") == std::string::npos)
      return true;
  return false;
}

/// What the text is, with what to do; empty: nothing that is known.
std::string otherFormat(const std::vector<std::string> &lines) {
  const auto byNetworkx = [](const std::string &format, const std::string &reader) {
    return format + ", which is not read: networkx.write_graphml(networkx." + reader +
           "(…), \"graph.graphml\") converts it";
  };
  const std::string &first = lines[0];
  if (startsWith(first, "version https://git-lfs."))
    return "a pointer of Git LFS in place of the file: 'git lfs pull' fetches the file";
  if (first.size() == 5 && startsWith(first, "sep="))
    return "the first line says to Excel what is between columns, and is no row: delete it";
  if (isAnswer(lines))
    return "the answer of a server in place of the file: download the file again";
  const char bracket = bracketOfGraph(lines);
  if (bracket == '[')
    return byNetworkx("GML", "read_gml");
  if (bracket == '{')
    return byNetworkx("Graphviz' DOT", "nx_pydot.read_dot");
  if (startsWith(first, "*vertices") || startsWith(first, "*network"))
    return byNetworkx("Pajek's format", "read_pajek");
  if (first == "dl" || startsWith(first, "dl ") || startsWith(first, "dl\t"))
    return "UCINET's DL format, which is not read: igraph's read_graph(…, format=\"dl\") and write_graph(…, "
           "format=\"graphml\") convert it";
  if (startsWith(first, "nodedef>"))
    return "GUESS' GDF format, which is not read: Gephi opens it and exports GraphML";
  if (startsWith(first, "leda.graph"))
    return byNetworkx("LEDA's format", "read_leda");
  if (startsWith(first, ">>graph6<<") || startsWith(first, ">>sparse6<<"))
    return byNetworkx("sparse6 or graph6", "read_sparse6");
  if (isDimacs(lines))
    return "DIMACS' format, which is not read: grep '^[ea] ' FILE | cut -d ' ' -f 2- makes a table of its edges";
  if (isTurtle(lines))
    return "Turtle (RDF), which is not read: write a table of the triples, with rdflib or 'rapper -o ntriples' and a "
           "script";
  if (isTriples(lines))
    return "N-Triples (RDF), which is not read: write a table of subject, predicate and object, with tabs between them";
  if (isTrivialGraph(lines))
    return "the trivial graph format (TGF; a line with # alone divides vertices from edges), which is not read: save "
           "what is above that line and what is below it as two files";
  if (isLgl(lines))
    return "LGL's format (a line '# vertex' and its neighbours below), which is not read: igraph's read_graph(…, "
           "format=\"lgl\") and write_graph(…, format=\"graphml\") convert it";
  if (areLists(lines))
    return "lists in brackets, as JSON and Python write them, which are not read: pandas.DataFrame(…).to_csv(…) makes "
           "a "
           "table of them";
  if (hasAttributeDicts(lines))
    return "attributes in braces, as NetworkX writes them, which are not read: networkx.write_edgelist(…, "
           "data=[\"weight\"]) writes their values, networkx.write_graphml all";
  return "";
}

} // namespace

void gnn::data_tool::refuseOtherFormats(const std::string &path, std::string_view text) {
  const std::vector<std::string> lines = firstLines(text);
  const std::string format = lines.empty() ? "" : otherFormat(lines);
  rt::require(format.empty(), GNN_ERROR_DATA, path, ": ", format);
}
