//===- GraphmlTable.cpp - Nodes or edges of GraphML -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expat calls back for tags and texts, and is stopped at the end of each row.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/GraphmlTable.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/TextFile.h"
#include <algorithm>
#include <exception>
#include <expat.h>
#include <map>
#include <optional>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

constexpr size_t chunkBytes = size_t(1) << 16;
constexpr size_t maxTextBytes = size_t(1) << 20; // of a tag, a comment or a value
constexpr size_t maxKeys = 1000, maxDepth = 100;

/// Without a prefix of a namespace.
std::string_view localName(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// The attributes of a tag.
class Attributes {
public:
  explicit Attributes(const XML_Char **pairs) : pairs(pairs) {}
  std::optional<std::string> find(std::string_view name) const {
    for (const XML_Char **pair = pairs; *pair; pair += 2)
      if (localName(pair[0]) == name)
        return pair[1];
    return std::nullopt;
  }

private:
  const XML_Char **pairs;
};

struct Key {
  size_t column = 0; // 0: of what is not read
  std::optional<std::string> standard;
};

bool isNumber(const std::string &type) {
  return type == "int" || type == "long" || type == "float" || type == "double";
}

/// `true` or `false`, in whatever letters, or 1 or 0 (XML Schema; NetworkX writes True): one text for each, so that a
/// file that mixes them has no more than two categories.
bool makeBoolean(std::string &cell) {
  const bool isWord = cell.size() >= 4; // neither yes nor t
  const std::optional<bool> value = cell == "1" ? true : cell == "0" ? false : isWord ? booleanIn(cell) : std::nullopt;
  if (value)
    cell = *value ? "true" : "false";
  return value.has_value();
}

/// What a tag is, by its name and what it is in.
enum class Element { Graphml, Key, Default, Graph, Row, Data, Other };

} // namespace

class GraphmlTable::Reader {
public:
  Reader(const std::string &path, GraphmlPart part, std::vector<std::string> &names)
      : path(path), part(part), names(names), file(path), parser(XML_ParserCreate(nullptr), XML_ParserFree) {
    require(parser != nullptr, GNN_ERROR_MEMORY, path, ": memory is exhausted");
    XML_SetUserData(parser.get(), this);
    XML_SetElementHandler(
        parser.get(),
        [](void *self, const XML_Char *name, const XML_Char **attributes) {
          static_cast<Reader *>(self)->guarded(
              [&](Reader &reader) { reader.begin(localName(name), Attributes(attributes)); });
        },
        [](void *self, const XML_Char *) {
          static_cast<Reader *>(self)->guarded([](Reader &reader) { reader.end(); });
        });
    XML_SetCharacterDataHandler(parser.get(), [](void *self, const XML_Char *text, int size) {
      static_cast<Reader *>(self)->guarded([&](Reader &reader) { reader.characters({text, size_t(size)}); });
    });
    XML_SetStartDoctypeDeclHandler(
        parser.get(), [](void *self, const XML_Char *name, const XML_Char *, const XML_Char *, int) {
          static_cast<Reader *>(self)->guarded([&](Reader &reader) {
            if (std::string_view(name) == "html")
              reader.failWebPage();
            reader.fail("a document type, whose entities may grow without end; GraphML needs none: delete it");
          });
        });
    names = part == GraphmlPart::Nodes ? std::vector<std::string>{"id"} : std::vector<std::string>{"source", "target"};
    numEnds = names.size();
    types.assign(numEnds, "string");
    while (!hasGraph && parse())
      ;
    require(hasGraph, GNN_ERROR_DATA, path, ": there is no graph");
  }

  /// Whether there is another row.
  bool next() {
    for (hasRow = false; !hasRow;)
      if (!parse())
        return false;
    return true;
  }

  const std::string &cell(size_t column) const { return cells[column]; }
  uint64_t rowLine() const { return lineOfRow; }
  bool rowIsUndirected() const { return isRowUndirected; }
  bool isText(size_t column) const {
    return column >= numEnds && (types[column] == "string" || types[column] == "boolean");
  }

private:
  /// Exceptions do not pass through Expat, which is C.
  template <class Body> void guarded(Body &&body) {
    if (error)
      return;
    try {
      numUnfinished = 0;
      body(*this);
    } catch (...) {
      error = std::current_exception();
      XML_StopParser(parser.get(), XML_FALSE);
    }
  }

  uint64_t line() const { return XML_GetCurrentLineNumber(parser.get()); }

  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    gnn::rt::fail(GNN_ERROR_DATA, path, ":", line(), ": ", parts...);
  }

  [[noreturn]] void failWebPage() const {
    fail("a web page, such as a server sends in place of a file; expected GraphML");
  }

  /// Up to the end of a row, or of a piece of the file; false: that was all.
  bool parse() {
    XML_Status status;
    if (isStopped) {
      status = XML_ResumeParser(parser.get());
    } else {
      if (isAtEnd)
        return false;
      const size_t size = file.read(chunk, sizeof(chunk));
      isAtEnd = size == 0;
      numUnfinished += size;
      status = XML_Parse(parser.get(), chunk, int(size), isAtEnd);
    }
    if (error)
      std::rethrow_exception(error);
    isStopped = status == XML_STATUS_SUSPENDED;
    if (status == XML_STATUS_ERROR)
      fail("no XML: ", XML_ErrorString(XML_GetErrorCode(parser.get())), ", column ",
           XML_GetCurrentColumnNumber(parser.get()) + 1);
    if (numUnfinished > maxTextBytes + chunkBytes)
      fail("a tag or comment of more than 1 MiB");
    return true;
  }

  Element elementOf(std::string_view name) const {
    if (open.empty() && (name == "html" || name == "HTML"))
      failWebPage();
    if (open.empty() && name != "graphml")
      fail("<", name, ">, expected <graphml>");
    if (open.empty())
      return Element::Graphml;
    switch (open.back()) {
    case Element::Graphml:
      return name == "key" ? Element::Key : name == "graph" ? Element::Graph : Element::Other;
    case Element::Key:
      return name == "default" ? Element::Default : Element::Other;
    case Element::Graph:
      if (name == "hyperedge")
        fail("a hyperedge, expected edges of two nodes");
      return name == "node" || name == "edge" ? Element::Row : Element::Other;
    case Element::Row:
      if (name == "graph")
        fail("a graph in a node, expected one graph of nodes and edges");
      return name == "data" ? Element::Data : Element::Other;
    default:
      return Element::Other;
    }
  }

  void begin(std::string_view name, const Attributes &attributes) {
    const Element element = elementOf(name);
    if (open.size() >= maxDepth)
      fail("tags within ", maxDepth, " others");
    open.push_back(element);
    switch (element) {
    case Element::Key:
      return beginKey(attributes);
    case Element::Graph:
      return beginGraph(attributes);
    case Element::Row:
      return beginRow(name == "node" ? GraphmlPart::Nodes : GraphmlPart::Edges, attributes);
    case Element::Data:
      key = keyOf(attributes);
      break;
    case Element::Other:
      isNested = true;
      return;
    default:
      break;
    }
    value.clear();
    isNested = false;
  }

  void end() {
    const Element element = open.back();
    open.pop_back();
    if (element == Element::Default && !isNested)
      key->standard = std::string(trimmed(value));
    else if (element == Element::Data)
      setValue();
    else if (element == Element::Row && isMine)
      endRow();
  }

  void characters(std::string_view text) {
    if (open.back() != Element::Data && open.back() != Element::Default)
      return;
    if (value.size() + text.size() > maxTextBytes)
      fail("a value of more than 1 MiB");
    value += text;
  }

  void beginKey(const Attributes &attributes) {
    if (hasGraph)
      fail("a key behind the graph, expected all before it");
    const auto id = attributes.find("id");
    if (!id)
      fail("a key without an id");
    const auto [found, isNew] = keys.try_emplace(*id);
    if (!isNew)
      fail("the key ", *id, " is there twice");
    key = &found->second;
    const std::string domain = attributes.find("for").value_or("all");
    if (domain != "all" && domain != (part == GraphmlPart::Nodes ? "node" : "edge"))
      return;
    if (attributes.find("yfiles.type")) // how yEd draws
      return;
    addColumn(attributes.find("attr.name").value_or(*id), attributes.find("attr.type").value_or("string"));
  }

  /// Of keys that have one name, but several types, as NetworkX writes them, a column has numbers if all do.
  void addColumn(const std::string &name, const std::string &type) {
    if (!isNumber(type) && type != "string" && type != "boolean")
      fail("the key of ", name, " has the type '", type, "', expected boolean, int, long, float, double or string");
    const auto found = std::find(names.begin() + std::ptrdiff_t(numEnds), names.end(), name);
    key->column = size_t(found - names.begin());
    if (found != names.end()) {
      types[key->column] = isNumber(types[key->column]) ? type : "string";
      return;
    }
    if (names.size() > maxKeys)
      fail("more than ", maxKeys, " keys");
    names.push_back(name);
    types.push_back(type);
  }

  void beginGraph(const Attributes &attributes) {
    if (hasGraph)
      fail("a second graph, expected one");
    const std::string direction = attributes.find("edgedefault").value_or("directed");
    if (direction != "directed" && direction != "undirected")
      fail("edgedefault is '", direction, "', expected directed or undirected");
    isUndirected = direction == "undirected";
    hasGraph = true;
    cells.resize(names.size());
    XML_StopParser(parser.get(), XML_TRUE);
  }

  void beginRow(GraphmlPart kind, const Attributes &attributes) {
    isMine = kind == part;
    if (!isMine)
      return;
    lineOfRow = line();
    isSet.assign(names.size(), false);
    for (size_t column = 0; column < numEnds; ++column) {
      const auto end = attributes.find(names[column]);
      if (!end)
        fail(part == GraphmlPart::Nodes ? "a node" : "an edge", " without ", names[column]);
      cells[column] = *end;
    }
    const std::string direction = attributes.find("directed").value_or(isUndirected ? "false" : "true");
    if (direction != "true" && direction != "false")
      fail("directed is '", direction, "', expected true or false");
    isRowUndirected = direction == "false";
  }

  Key *keyOf(const Attributes &attributes) {
    const auto id = attributes.find("key");
    if (!id)
      fail("data without a key");
    const auto found = keys.find(*id);
    if (found == keys.end())
      fail("data of the key ", *id, ", which is not declared");
    return &found->second;
  }

  void setValue() {
    if (!isMine || key->column == 0 || isNested)
      return;
    if (isSet[key->column])
      fail("a second value of ", names[key->column]);
    isSet[key->column] = true;
    cells[key->column] = trimmed(value);
  }

  void endRow() {
    for (size_t column = numEnds; column < names.size(); ++column)
      if (!isSet[column])
        cells[column].clear();
    for (const auto &[id, key] : keys)
      if (key.column && key.standard && !isSet[key.column])
        cells[key.column] = *key.standard;
    for (size_t column = numEnds; column < names.size(); ++column)
      if (const std::string &cell = cells[column]; isNumber(types[column]) && !isMissing(cell) && !numberIn(cell))
        fail("the value of ", names[column], " is '", cell, "', expected a number, as its key says ", types[column]);
    for (size_t column = numEnds; column < names.size(); ++column)
      if (std::string &cell = cells[column]; types[column] == "boolean" && !isMissing(cell) && !makeBoolean(cell))
        fail("the value of ", names[column], " is '", cell, "', expected true or false, as its key says boolean");
    hasRow = true;
    XML_StopParser(parser.get(), XML_TRUE);
  }

  const std::string &path;
  const GraphmlPart part;
  std::vector<std::string> &names; // of columns: first the ends
  size_t numEnds = 0;
  std::vector<std::string> types; // of columns, as keys say them
  TextFile file;
  char chunk[chunkBytes];
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser;
  std::exception_ptr error;
  size_t numUnfinished = 0; // bytes that were read without an event: Expat keeps them
  bool isAtEnd = false, isStopped = false;
  std::vector<Element> open;
  bool hasGraph = false, isUndirected = false;
  std::map<std::string, Key> keys;
  Key *key = nullptr; // of the value that is open
  std::string value;
  bool isNested = false; // it has tags in it: how yEd draws
  bool hasRow = false, isMine = false, isRowUndirected = false;
  uint64_t lineOfRow = 0;
  std::vector<std::string> cells;
  std::vector<bool> isSet;
};

GraphmlTable::GraphmlTable(const std::string &file, GraphmlPart part)
    : Table(file), reader(std::make_unique<Reader>(path, part, names)) {
  cells.resize(names.size());
}

GraphmlTable::~GraphmlTable() = default;

bool GraphmlTable::isText(size_t column) const { return reader->isText(column); }

bool GraphmlTable::read() {
  if (!reader->next())
    return false;
  for (size_t column = 0; column < names.size(); ++column)
    cells[column] = reader->cell(column);
  rowLine = reader->rowLine();
  rowIsUndirected = reader->rowIsUndirected();
  return true;
}
