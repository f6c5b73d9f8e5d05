//===- ShapeText.cpp - Sizes of a graph and of a machine ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/ShapeText.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/InputForms.h"

#include <cmath>
#include <map>

namespace gnn::train_tool {

namespace {

/// A number with K, M, G or T behind it, which are thousands, and what follows; nothing if there is none.
std::optional<std::pair<double, std::string>> numberIn(const std::string &text) {
  static const std::map<char, double> factors{{'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
  if (text.empty() || text[0] < '0' || text[0] > '9')
    return std::nullopt;
  char *end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  std::string rest = end;
  if (const auto factor = rest.empty() ? factors.end() : factors.find(rest[0]); factor != factors.end()) {
    number *= factor->second;
    rest.erase(0, 1);
  }
  return std::pair(number, rest);
}

/// Calls `body` with each name, its value and both.
template <class Body> void forSettings(const std::string &option, const std::string &text, Body body) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string setting = text.substr(begin, end - begin);
    const size_t equals = setting.find('=');
    rt::require(equals != std::string::npos && equals > 0, GNN_ERROR_ARGUMENT, option, ": expected NAME=NUMBER, not '",
                setting, "'");
    body(setting.substr(0, equals), setting.substr(equals + 1), option + " " + setting);
    begin = end + 1;
  }
}

/// Where numbers of a shape go.
class Shape {
public:
  explicit Shape(const rt::Library &library)
      : library(library), table(library.table()), vertices(table.num_vertex_types, -1), edges(table.num_relations, -1) {
    for (uint32_t t = 0; t < table.num_vertex_types; ++t)
      if (!table.vertex_types[t].is_table)
        add("vertex", table.vertex_types[t].name, &vertices[t]);
    for (uint32_t r = 0; r < table.num_relations; ++r)
      if (table.relations[r].kind == GNN_RELATION_PAIRS || rt::isUnread(library, r))
        edges[r] = 0; // what scores pairs is refused
      else
        add(table.relations[r].kind == GNN_RELATION_EDGES ? "edge" : "entries", table.relations[r].name, &edges[r]);
    for (const auto &[kind, ofKind] : kinds)
      if (ofKind.size() == 1)
        places[kind] = {ofKind[0]};
  }

  /// False: it is none of the graph's.
  bool set(const std::string &name, int64_t number, const std::string &origin) {
    const auto found = places.find(name);
    if (found == places.end())
      return false;
    rt::require(found->second.size() == 1, GNN_ERROR_ARGUMENT, origin, ": ", name, " is several things: vertex.", name,
                ", edge.", name, " or entries.", name, " says which");
    int64_t &place = *found->second[0];
    rt::require(place < 0 || place == number, GNN_ERROR_ARGUMENT, origin, ": it was ", place, " before");
    place = number;
    return true;
  }

  std::string names() const {
    std::string all;
    for (const auto &[name, found] : places)
      all += (all.empty() ? "" : ", ") + name;
    return all;
  }

  void requireAll() const {
    for (uint32_t t = 0; t < table.num_vertex_types; ++t)
      require(table.vertex_types[t].is_table || vertices[t] >= 0, "vertices", "vertex", table.vertex_types[t].name);
    for (uint32_t r = 0; r < table.num_relations; ++r)
      if (const gnn_relation_t &relation = table.relations[r]; relation.kind == GNN_RELATION_EDGES)
        require(edges[r] >= 0, "edges", "edge", relation.name);
      else if (relation.kind == GNN_RELATION_SPARSE_INPUT && !rt::isUnread(library, r))
        require(edges[r] >= 0, "entries other than 0", "entries", relation.name);
  }

  const rt::Library &library;
  const gnn_library_t &table;
  std::vector<int64_t> vertices, edges;

private:
  void add(const std::string &kind, const std::string &name, int64_t *place) {
    kinds[kind].push_back(place);
    places[kind + "." + name] = {place};
    places[name].push_back(place);
  }
  void require(bool isThere, const char *what, const std::string &kind, const std::string &name) const {
    rt::require(isThere, GNN_ERROR_MISMATCH, "--data-shape does not say how many ", what, " of ", name, " ",
                library.name(), " has: ", kind, ".", name, "=NUMBER");
  }

  std::map<std::string, std::vector<int64_t *>> kinds, places; // by kind, and by name
};

/// Ids of vertices have 32 bits, all that can be counted is far from the end of 64.
constexpr double mostVertices = 4294967295.0, mostNumber = 1e15;

int64_t wholeNumber(const std::string &value, const std::string &origin) {
  const auto number = numberIn(value);
  rt::require(number && number->second.empty() && std::isfinite(number->first) &&
                  std::nearbyint(number->first) == number->first,
              GNN_ERROR_ARGUMENT, origin, ": expected a whole number from 0, as 1000, 111M or 1.6G");
  rt::require(number->first <= mostNumber, GNN_ERROR_ARGUMENT, origin, ": the most are 1000T");
  return int64_t(number->first);
}

/// What the graph decides of the model: rows of parameters.
void bindVertices(const Shape &shape, rt::Dims &dims) {
  for (uint32_t t = 0; t < shape.table.num_vertex_types; ++t) {
    const gnn_vertex_type_t &type = shape.table.vertex_types[t];
    rt::require(double(shape.vertices[t]) <= mostVertices, GNN_ERROR_MISMATCH, "--data-shape: ", shape.vertices[t],
                " vertices of ", type.name, ": the most of a type are 4294967295");
    if (!type.is_table && type.rows >= 0 && !dims.isOfGraph(uint32_t(type.rows)))
      dims.bindExtent(uint32_t(type.rows), shape.vertices[t], std::string("vertices of ") + type.name);
  }
}

/// Whether a shape says of how many entries an input is.
bool saysEntries(const std::string &text, const std::string &input) {
  bool says = false;
  forSettings("--data-shape", text, [&](const std::string &name, const std::string &, const std::string &) {
    says |= name == "entries" || name == input || name == "entries." + input;
  });
  return says;
}

} // namespace

std::shared_ptr<const rt::Library> libraryOfShape(const std::shared_ptr<const rt::Library> &library,
                                                  const std::string &text) {
  const std::optional<rt::FormedInput> formed = rt::formedInput(*library);
  if (!formed)
    return library;
  const bool isSparse = saysEntries(text, library->tensor(formed->table).name);
  return rt::inForm(library, isSparse ? rt::InputForm::Sparse : rt::InputForm::Dense);
}

GraphShape parseShape(const rt::Library &library, rt::Dims &dims, const std::string &text) {
  Shape shape(library);
  forSettings("--data-shape", text, [&](const std::string &name, const std::string &value, const std::string &origin) {
    const int64_t number = wholeNumber(value, origin);
    if (shape.set(name, number, origin))
      return;
    rt::require(library.findDim(name).has_value(), GNN_ERROR_ARGUMENT, origin, ": ", library.name(),
                " has no vertices, edges or dimension '", name, "'; numbers of the graph are ", shape.names());
    dims.bind(name, number, origin);
  });
  shape.requireAll();
  bindVertices(shape, dims);
  dims.finish();
  return {library, dims, shape.vertices, shape.edges};
}

std::string shapeTextOf(const rt::Library &library, const rt::Dims &dims, const rt::Binding &graph) {
  const gnn_library_t &table = library.table();
  std::string text;
  const auto add = [&](const std::string &name, int64_t number) {
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(number);
  };
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (!table.vertex_types[t].is_table)
      add(std::string("vertex.") + table.vertex_types[t].name, graph.rows(t));
  for (uint32_t r = 0; r < table.num_relations; ++r)
    if (table.relations[r].kind != GNN_RELATION_PAIRS && !rt::isUnread(library, r))
      add((table.relations[r].kind == GNN_RELATION_EDGES ? "edge." : "entries.") + std::string(table.relations[r].name),
          graph.relation(r).numEdges());
  for (uint32_t d = 0; d < table.num_dims; ++d)
    if (!dims.isDimOfGraph(d))
      add(table.dims[d].name, dims.value(table.dims[d].name));
  return text;
}

Machine parseMachine(const std::string &text) {
  Machine machine;
  const std::map<std::string, double *> places{{"disk", &machine.rates.disk},
                                               {"link", &machine.rates.link},
                                               {"memory", &machine.rates.memory},
                                               {"arithmetic", &machine.rates.arithmetic}};
  if (text.empty())
    return machine;
  forSettings("--machine", text, [&](const std::string &name, const std::string &value, const std::string &origin) {
    const auto place = places.find(name);
    rt::require(place != places.end(), GNN_ERROR_ARGUMENT, origin, ": a machine has disk, link, memory and arithmetic");
    const auto number = numberIn(value);
    const bool isBytes = name != "arithmetic";
    const std::string unit = number ? number->second : "";
    rt::require(number && std::isfinite(number->first) && number->first > 0 &&
                    (isBytes ? unit == "B/s" || unit == "bit/s" : unit == "/s"),
                GNN_ERROR_ARGUMENT, origin, ": expected ",
                isBytes ? "a rate above 0, as 1.25GB/s or 10Gbit/s" : "operations a second above 0, as 200G/s");
    constexpr double bitsOfByte = 8;
    *place->second = unit == "bit/s" ? number->first / bitsOfByte : number->first;
    rt::require(machine.stated.insert(name).second, GNN_ERROR_ARGUMENT, origin, ": ", name, " is said twice");
  });
  return machine;
}

} // namespace gnn::train_tool
