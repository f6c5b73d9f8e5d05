//===- TableOptions.cpp - Which option is for which table -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TableOptions.h"
#include "tools/gnn-data/GraphTables.h"
#include "tools/gnn-data/ImportTables.h"
#include <algorithm>
#include <cctype>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

bool isIdentifier(const std::string &text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

std::vector<std::string> partsOf(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// "name=rest" where the name is made of so many identifiers between colons; else no name and all of the text, such as
/// a file called a-b=c.csv.
std::pair<std::vector<std::string>, std::string> namedFile(const std::string &text, size_t numNames) {
  const size_t equals = text.find('=');
  if (equals == text.npos)
    return {{}, text};
  std::vector<std::string> names = partsOf(text.substr(0, equals), ':');
  if (names.size() != numNames || !std::all_of(names.begin(), names.end(), isIdentifier))
    return {{}, text};
  return {std::move(names), text.substr(equals + 1)};
}

std::string listOf(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

template <class Own>
bool hasColumn(const ImportOptions &options, const Own &table, GraphmlPart part, const std::string &column) {
  TextForm form = formOf(table, options);
  form.named.push_back(column);
  const auto columns = openTable(table.file, form, part)->columns();
  return std::count(columns.begin(), columns.end(), column) > 0;
}

/// The edges of --split-edges, or null.
EdgeOptions *edgesToSplit(TableOptions &tables) {
  for (EdgeOptions &table : tables.edges)
    if (!table.splitEdges.empty())
      return &table;
  return nullptr;
}

/// Puts tables whose times divide other tables before these, as tables are read in their order.
void orderByTime(TableOptions &tables) {
  const auto rank = [](const EdgeOptions &table) {
    const bool isTimed = !table.labels.by.empty();
    return isTimed && !table.labels.label.empty() ? 0 : isTimed && !table.splitEdges.empty() ? 1 : 2;
  };
  std::stable_sort(tables.edges.begin(), tables.edges.end(),
                   [&](const EdgeOptions &a, const EdgeOptions &b) { return rank(a) < rank(b); });
}

/// The standard input is one file.
void requireOneInput(const TableOptions &tables) {
  int64_t uses = 0;
  for (const VertexOptions &table : tables.vertices)
    uses += table.file == "-";
  for (const EdgeOptions &table : tables.edges) {
    uses += table.file == "-" && !table.isOfGraphs;
    for (const PairOptions &pairs : table.pairs) // those of training are the edges, too, without --edges
      uses += pairs.file == "-" && (pairs.split != "train" || table.file != "-");
  }
  require(uses < 2, GNN_ERROR_ARGUMENT, "the standard input, -, is given ", uses, " times, and is one table");
}

/// Finds the table that an option is for.
class Assignment {
public:
  explicit Assignment(const ImportOptions &options) : options(options) {}

  TableOptions run() {
    addTables();
    if (tables.hasSchema)
      requireTypesInUse();
    for (const std::string &id : options.ids)
      setId(id);
    for (const std::string &ends : options.ends)
      setEnds(ends);
    for (const std::string &column : options.edgeTypes)
      edgeTable("--edge-type", column, [](EdgeOptions &table, const std::string &name) { table.typeColumn = name; });
    setSourceAndTarget();
    setDropped();
    for (const std::string &kind : options.kinds)
      setKind(kind);
    setUndirected();
    setPairs();
    setLabel();
    for (VertexOptions &table : tables.vertices)
      table.rejected = std::make_shared<RejectedRows>(table.file, options.faults);
    for (EdgeOptions &table : tables.edges)
      table.rejected = std::make_shared<RejectedRows>(table.file, options.faults);
    if (!options.graphId.empty())
      addGraphs(tables, options);
    setLike();
    if (!options.by.empty())
      orderByTime(tables);
    requireOneInput(tables);
    for (EdgeOptions &table : tables.edges)
      for (PairOptions &pairs : table.pairs)
        pairs.rejected = std::make_shared<RejectedRows>(pairs.file, options.faults);
    return std::move(tables);
  }

private:
  void addTables() {
    std::vector<std::string> files = options.edges;
    if (!options.path.empty()) {
      require(files.empty(), GNN_ERROR_ARGUMENT, "edges are given twice: ", options.path, " and --edges ", files[0]);
      tables.edges.push_back({});
      tables.edges.back().file = options.path;
    }
    for (const std::string &text : files) {
      const auto [names, file] = namedFile(text, 3);
      require(!names.empty() || text.find('=') == text.npos || text.find('/') < text.find('='), GNN_ERROR_ARGUMENT,
              "--edges ", text, ": expected SOURCE:RELATION:DESTINATION=FILE, as customer:bought:product=orders.csv");
      EdgeOptions table;
      table.file = file;
      if (!names.empty()) {
        table.source = names[0];
        table.relation = names[1];
        table.destination = names[2];
      }
      require(std::none_of(tables.edges.begin(), tables.edges.end(),
                           [&](const EdgeOptions &other) { return other.triple() == table.triple(); }),
              GNN_ERROR_ARGUMENT, "--edges ", text, ": there are two tables of ",
              names.empty() ? "edges: --edges SOURCE:RELATION:DESTINATION=FILE names them" : table.triple());
      tables.edges.push_back(std::move(table));
    }
    if (tables.edges.empty())
      addTrainingPairs();
    require(!tables.edges.empty(), GNN_ERROR_ARGUMENT, "there are no edges: --edges FILE says where they are");
    for (const std::string &text : options.vertices) {
      const auto [names, file] = namedFile(text, 1);
      VertexOptions table;
      table.type = names.empty() ? "" : names[0];
      table.file = file;
      require(std::none_of(tables.vertices.begin(), tables.vertices.end(),
                           [&](const VertexOptions &other) { return other.type == table.type; }),
              GNN_ERROR_ARGUMENT, "--vertices ", text, ": there are two tables of vertices",
              names.empty() ? ": --vertices TYPE=FILE names them" : " of type " + table.type);
      tables.vertices.push_back(std::move(table));
    }
    if (!options.graphId.empty())
      nameTablesOfGraphs(tables);
    const auto isNamedEdge = [](const EdgeOptions &table) { return !table.relation.empty(); };
    const auto isNamedVertex = [](const VertexOptions &table) { return !table.type.empty(); };
    tables.hasSchema = std::any_of(tables.edges.begin(), tables.edges.end(), isNamedEdge) ||
                       std::any_of(tables.vertices.begin(), tables.vertices.end(), isNamedVertex);
    if (!tables.hasSchema)
      return;
    for (const EdgeOptions &table : tables.edges)
      require(isNamedEdge(table), GNN_ERROR_ARGUMENT, table.file,
              ": vertices have types, and these edges do not say which: expected --edges SOURCE:RELATION:DESTINATION=",
              table.file);
    for (const VertexOptions &table : tables.vertices)
      require(isNamedVertex(table), GNN_ERROR_ARGUMENT, table.file,
              ": edges are between types of vertices: expected --vertices TYPE=", table.file);
  }

  /// Without edges, the pairs of training are those of the graph.
  void addTrainingPairs() {
    for (const std::string &text : options.pairs)
      if (const auto [split, relation, file] = pairFile(text); split == "train" && relation.empty()) {
        tables.edges.push_back({});
        tables.edges.back().file = file;
        return;
      }
  }

  /// The parts of "SPLIT[:RELATION]=FILE".
  struct PairFile {
    std::string split, relation, file;
  };
  static PairFile pairFile(const std::string &text) {
    const size_t equals = text.find('='), colon = std::min(text.find(':'), equals);
    std::string split = text.substr(0, colon);
    split = split == "valid" || split == "validation" ? "val" : split;
    require(equals != text.npos && (split == "train" || split == "val" || split == "test"), GNN_ERROR_ARGUMENT,
            "--pairs ", text, ": expected SPLIT=FILE or SPLIT:RELATION=FILE, where SPLIT is train, val or test");
    return {split, colon < equals ? text.substr(colon + 1, equals - colon - 1) : "", text.substr(equals + 1)};
  }

  void requireTypesInUse() const {
    std::vector<std::string> ends;
    if (!options.graphId.empty())
      ends.push_back(graphType);
    for (const EdgeOptions &table : tables.edges)
      for (const std::string &type : {table.source, table.destination})
        if (!std::count(ends.begin(), ends.end(), type))
          ends.push_back(type);
    for (const VertexOptions &table : tables.vertices)
      require(std::count(ends.begin(), ends.end(), table.type) > 0, GNN_ERROR_ARGUMENT, "--vertices ", table.type, "=",
              table.file, ": no table of edges has vertices of type ", table.type, ", they have: ", listOf(ends));
  }

  std::vector<std::string> typeNames() const {
    std::vector<std::string> names;
    for (const VertexOptions &table : tables.vertices)
      names.push_back(nameOf(table));
    return names;
  }
  std::vector<std::string> relationNames() const {
    std::vector<std::string> names;
    for (const EdgeOptions &table : tables.edges)
      names.push_back(table.relation.empty() ? gnn::rt::plainRelation : table.relation);
    return names;
  }
  static std::string nameOf(const VertexOptions &table) { return table.type.empty() ? gnn::rt::plainType : table.type; }

  VertexOptions *findVertices(const std::string &name) {
    for (VertexOptions &table : tables.vertices)
      if (nameOf(table) == name)
        return &table;
    return nullptr;
  }

  /// By its relation, if only one table has it, or by its triple.
  EdgeOptions *findEdges(const std::string &name) {
    EdgeOptions *found = nullptr;
    for (EdgeOptions &table : tables.edges) {
      if (table.triple() == name)
        return &table;
      if (table.relation != name && !(table.relation.empty() && name == gnn::rt::plainRelation))
        continue;
      require(!found, GNN_ERROR_ARGUMENT, "there are two relations '", name, "': expected ",
              found ? found->triple() : "", " or ", table.triple());
      found = &table;
    }
    return found;
  }

  /// "TABLE.COLUMN" of a table that there is; else no table and all of the text.
  std::pair<std::string, std::string> tableAndColumn(const std::string &text) {
    const size_t dot = text.find('.');
    if (dot != text.npos && (findVertices(text.substr(0, dot)) || findEdges(text.substr(0, dot))))
      return {text.substr(0, dot), text.substr(dot + 1)};
    return {"", text};
  }

  void setId(const std::string &text) {
    const size_t equals = text.find('=');
    VertexOptions *table = equals == text.npos ? nullptr : findVertices(text.substr(0, equals));
    if (table) {
      table->id = text.substr(equals + 1);
      return;
    }
    require(tables.vertices.size() == 1, GNN_ERROR_ARGUMENT, "--id ", text,
            tables.vertices.empty() ? ": requires --vertices"
                                    : ": expected TYPE=COLUMN, with a type of " + listOf(typeNames()));
    tables.vertices[0].id = text;
  }

  void setEnds(const std::string &text) {
    const size_t equals = text.find('=');
    EdgeOptions *table = equals == text.npos ? nullptr : findEdges(text.substr(0, equals));
    const std::vector<std::string> columns = partsOf(equals == text.npos ? "" : text.substr(equals + 1), ',');
    require(table && columns.size() == 2 && !columns[0].empty() && !columns[1].empty(), GNN_ERROR_ARGUMENT, "--ends ",
            text, ": expected RELATION=COLUMN,COLUMN, with a relation of ", listOf(relationNames()));
    table->sourceColumn = columns[0];
    table->targetColumn = columns[1];
  }

  /// The table of edges that an option names, or the only one.
  template <class Set> void edgeTable(const char *option, const std::string &text, Set &&set) {
    const auto [name, column] = tableAndColumn(text);
    EdgeOptions *table = name.empty() ? nullptr : findEdges(name);
    if (!table && name.empty() && tables.edges.size() == 1)
      table = &tables.edges[0];
    require(table, GNN_ERROR_ARGUMENT, option, " ", text, ": expected RELATION.COLUMN, with a relation of ",
            listOf(relationNames()));
    set(*table, column);
  }

  void setSourceAndTarget() {
    if (options.source.empty() && options.target.empty())
      return;
    require(tables.edges.size() == 1, GNN_ERROR_ARGUMENT,
            "--source and --target apply to one table of edges: --ends RELATION=COLUMN,COLUMN names the columns of one "
            "of several");
    tables.edges[0].sourceColumn = options.source;
    tables.edges[0].targetColumn = options.target;
  }

  void setDropped() {
    for (const std::string &text : options.dropped) {
      const auto [name, column] = tableAndColumn(text);
      for (VertexOptions &table : tables.vertices)
        if (name.empty() || name == nameOf(table))
          table.dropped.push_back(column);
      for (EdgeOptions &table : tables.edges)
        if (name.empty() || findEdges(name) == &table)
          table.dropped.push_back(column);
    }
  }

  /// "[TABLE.]COLUMN=KIND": in all tables, unless one is named.
  void setKind(const std::string &text) {
    const size_t equals = text.rfind('=');
    const auto [name, named] = tableAndColumn(text.substr(0, equals));
    const std::string &column = named; // lambdas of C++17 capture no parts
    const std::optional<ColumnChoice> choice =
        equals == text.npos ? std::nullopt : choiceNamed(text.substr(equals + 1));
    require(choice && !column.empty(), GNN_ERROR_ARGUMENT, "--column ", text,
            ": expected [TABLE.]COLUMN=KIND, where KIND is number, date, date:dmy, date:mdy, date:ymd, boolean, "
            "category or text");
    bool isUsed = false;
    const auto set = [&](auto &table, GraphmlPart part) {
      const auto columns = openTable(table.file, formOf(table, options), part)->columns();
      if (!std::count(columns.begin(), columns.end(), column))
        return;
      table.choices[column] = *choice;
      isUsed = true;
    };
    for (VertexOptions &table : tables.vertices)
      if (name.empty() || name == nameOf(table))
        set(table, GraphmlPart::Nodes);
    for (EdgeOptions &table : tables.edges)
      if (name.empty() || findEdges(name) == &table)
        set(table, GraphmlPart::Edges);
    require(choice->kind != gnn::rt::ColumnKind::Text || name.empty() || findVertices(name), GNN_ERROR_ARGUMENT,
            "--column ", text, ": texts are features of vertices alone");
    require(isUsed, GNN_ERROR_ARGUMENT, "--column ", text, ": ", name.empty() ? "no table has a" : name + " has no",
            " column '", column, "'");
  }

  static std::optional<ColumnChoice> choiceNamed(const std::string &kind) {
    using gnn::rt::ColumnKind;
    using gnn::rt::DateOrder;
    static const std::map<std::string, ColumnChoice> choices{{"number", {ColumnKind::Number, {}}},
                                                             {"date", {ColumnKind::Date, {}}},
                                                             {"date:ymd", {ColumnKind::Date, DateOrder::YearMonthDay}},
                                                             {"date:dmy", {ColumnKind::Date, DateOrder::DayMonthYear}},
                                                             {"date:mdy", {ColumnKind::Date, DateOrder::MonthDayYear}},
                                                             {"boolean", {ColumnKind::Boolean, {}}},
                                                             {"category", {ColumnKind::Category, {}}},
                                                             {"text", {ColumnKind::Text, {}}}};
    const auto found = choices.find(kind);
    return found == choices.end() ? std::nullopt : std::optional(found->second);
  }

  /// Edges between two types have no other way round.
  void setUndirected() {
    bool isUsed = false;
    for (EdgeOptions &table : tables.edges)
      isUsed |= table.isUndirected = options.isUndirected && table.source == table.destination;
    require(isUsed || !options.isUndirected, GNN_ERROR_ARGUMENT,
            "--undirected: no relation is between vertices of one type");
  }

  static std::string nameOf(const EdgeOptions &table) {
    return table.relation.empty() ? gnn::rt::plainRelation : table.relation;
  }

  /// The table of vertices or of edges that has the label; both null: there is none.
  struct Labelled {
    VertexOptions *vertices = nullptr;
    EdgeOptions *edges = nullptr;

    LabelColumns &columns() const { return vertices ? vertices->labels : edges->labels; }
    std::string name() const { return vertices ? nameOf(*vertices) : nameOf(*edges); }
  };

  /// Pairs are those of one relation.
  void setPairs() {
    EdgeOptions *used = nullptr;
    const auto use = [&](const char *option, const std::string &text, const std::string &relation) -> EdgeOptions & {
      EdgeOptions *table = !relation.empty()          ? findEdges(relation)
                           : tables.edges.size() == 1 ? &tables.edges[0]
                                                      : nullptr;
      require(table, GNN_ERROR_ARGUMENT, option, " ", text, ": expected a relation of ", listOf(relationNames()));
      require(!used || used == table, GNN_ERROR_ARGUMENT, option, " ", text, ": there are pairs of ",
              used ? nameOf(*used) : "", " already; a data set has pairs of one relation");
      return *(used = table);
    };
    for (const std::string &text : options.pairs) {
      const PairFile pairs = pairFile(text);
      EdgeOptions &table = use("--pairs", text, pairs.relation);
      require(std::none_of(table.pairs.begin(), table.pairs.end(),
                           [&](const PairOptions &other) { return other.split == pairs.split; }),
              GNN_ERROR_ARGUMENT, "--pairs ", text, ": there are two files of ", pairs.split);
      table.pairs.push_back({pairs.split, pairs.file, nullptr});
    }
    if (options.splitEdges.empty())
      return;
    require(options.pairs.empty(), GNN_ERROR_ARGUMENT,
            "--split-edges makes pairs, and --pairs gives them: expected one");
    const size_t equals = options.splitEdges.find('=');
    EdgeOptions &table = use("--split-edges", options.splitEdges,
                             equals == std::string::npos ? "" : options.splitEdges.substr(0, equals));
    table.splitEdges = options.splitEdges.substr(equals == std::string::npos ? 0 : equals + 1);
  }

  void setLabel() {
    const bool isUsed = !options.label.empty() || options.labelKind != LabelKind::Auto || !options.split.empty();
    require(!tables.vertices.empty() || !options.label.empty() || !isUsed, GNN_ERROR_ARGUMENT,
            "--label-kind, --id and --split require --vertices or --label");
    require(!options.label.empty() || options.labelKind == LabelKind::Auto, GNN_ERROR_ARGUMENT,
            "--label-kind requires --label");
    require(!tables.hasSchema || options.split.empty() || !options.label.empty(), GNN_ERROR_ARGUMENT,
            "--split divides the vertices of the type, or the edges of the relation, that --label labels");
    Labelled labelled;
    if (!options.label.empty()) {
      const auto [name, column] = tableAndColumn(options.label);
      labelled = name.empty() ? tableWith("--label", column) : tableNamed(name);
      labelled.columns().label = column;
    }
    setTimes(labelled);
    if (options.split.empty() || options.splitsByNumbers())
      return;
    const auto [name, column] = tableAndColumn(options.split);
    if (options.label.empty())
      labelled.vertices = &tables.vertices[0];
    require(name.empty() || isNamed(labelled, name), GNN_ERROR_ARGUMENT, "--split ", options.split,
            ": expected a column of ", labelled.name(), ", which is what is labelled");
    labelled.columns().split = column;
  }

  Labelled tableNamed(const std::string &name) {
    VertexOptions *vertices = findVertices(name);
    return {vertices, vertices ? nullptr : findEdges(name)};
  }
  bool isNamed(const Labelled &table, const std::string &name) {
    return table.vertices ? findVertices(name) == table.vertices : findEdges(name) == table.edges;
  }

  /// Sets the columns of --by: one of the table with the label, and any of edges.
  void setTimes(const Labelled &labelled) {
    if (options.by.empty())
      return;
    const std::string all = listOf(options.by);
    const bool isOfLabels = !options.label.empty() && options.splitsByNumbers();
    require(isOfLabels || !options.splitEdges.empty(), GNN_ERROR_ARGUMENT, "--by ", all,
            ": requires --label, and --split with shares, as 60%,20%, or with two boundaries, as "
            "2024-03-01,2024-05-01; or --split-edges");
    for (const std::string &text : options.by) {
      const auto [name, column] = tableAndColumn(text);
      const Labelled table = name.empty() ? timedTable(isOfLabels ? labelled : Labelled(), column) : tableNamed(name);
      require(table.edges || (isOfLabels && labelled.vertices && table.vertices == labelled.vertices),
              GNN_ERROR_ARGUMENT, "--by ", text, ": expected a column of ",
              isOfLabels ? labelled.name() + ", which is what is labelled, or of " : "", "edges",
              isOfLabels || options.label.empty() ? "" : "; --split, as 60%,20%, divides what is labelled");
      require(table.columns().by.empty(), GNN_ERROR_ARGUMENT, "--by ", text, ": there are two columns of ",
              table.name());
      table.columns().by = column;
    }
    const bool isDivided = isOfLabels && !labelled.columns().by.empty();
    const EdgeOptions *pairs = edgesToSplit(tables);
    const bool arePairsDivided = pairs && !pairs->labels.by.empty();
    for (const EdgeOptions &table : tables.edges)
      require(isDivided || arePairsDivided || table.labels.by.empty(), GNN_ERROR_ARGUMENT, "--by ", all,
              ": expected a column of ",
              isOfLabels ? labelled.name() + ", too, which is what is labelled" : "the edges of --split-edges");
    require(!isDivided || !pairs || arePairsDivided, GNN_ERROR_ARGUMENT, "--split-edges ", options.splitEdges,
            ": pairs of training that are drawn at random are later than --split ", options.split, ", too: --by ",
            pairs ? pairs->recordName() : "", ".COLUMN says when these edges are known");
  }

  /// The table of a --by that names none: `divided`, the one that --split divides, else the edges of --split-edges.
  Labelled timedTable(const Labelled &divided, const std::string &column) {
    if (!divided.vertices && !divided.edges)
      return {nullptr, edgesToSplit(tables)};
    const bool isThere = divided.vertices ? hasColumn(options, *divided.vertices, GraphmlPart::Nodes, column)
                                          : hasColumn(options, *divided.edges, GraphmlPart::Edges, column);
    for (const EdgeOptions &table : tables.edges)
      require(isThere || !hasColumn(options, table, GraphmlPart::Edges, column), GNN_ERROR_ARGUMENT, "--by ", column,
              ": ", divided.name(), ", which is what is labelled, has no such column: --by ", nameOf(table), ".",
              column, " names the one of edges");
    return divided;
  }

  /// The table of vertices with such a column, or else of edges; of either only one may have it.
  Labelled tableWith(const char *option, const std::string &column) {
    std::vector<std::string> found;
    Labelled result;
    const auto has = [&](const auto &table, GraphmlPart part) {
      const bool isThere = hasColumn(options, table, part, column);
      if (isThere)
        found.push_back(nameOf(table) + "." + column);
      return isThere;
    };
    for (VertexOptions &table : tables.vertices)
      if (has(table, GraphmlPart::Nodes))
        result.vertices = &table;
    for (EdgeOptions &table : tables.edges)
      if (!result.vertices && has(table, GraphmlPart::Edges))
        result.edges = &table;
    if (found.empty() && tables.vertices.size() == 1)
      return {&tables.vertices[0], nullptr}; // it says which columns there are
    require(found.size() == 1, GNN_ERROR_ARGUMENT, option, " ", column, ": ",
            found.empty() ? "no table has such a column: expected TABLE.COLUMN" : "expected one of " + listOf(found));
    return result;
  }

  void setLike() {
    if (!options.like)
      return;
    const gnn::rt::ImportRecord &like = *options.like;
    for (VertexOptions &table : tables.vertices)
      for (const gnn::rt::VertexRecord &record : like.vertices)
        if (record.type == nameOf(table))
          table.like = &record;
    for (EdgeOptions &table : tables.edges)
      for (const gnn::rt::EdgeRecord &record : like.edges)
        if (table.relation.empty() ? record.name == gnn::rt::plainRelation : record.triple() == table.triple()) {
          table.like = &record;
          table.isUndirected = table.isUndirected || record.isUndirected;
        }
    for (const gnn::rt::VertexRecord &record : like.vertices)
      require(record.columns.empty() || findVertices(record.type), GNN_ERROR_ARGUMENT, "--like: ", options.likeFolder,
              " has features of vertices, so --vertices ",
              record.type == gnn::rt::plainType ? "" : record.type + "=FILE ", "is needed");
    for (const gnn::rt::EdgeRecord &record : like.edges)
      require(std::any_of(tables.edges.begin(), tables.edges.end(),
                          [&](const EdgeOptions &table) { return table.like == &record; }),
              GNN_ERROR_ARGUMENT, "--like: ", options.likeFolder, " has edges ", record.triple(),
              ", and there is no table of them");
    for (const VertexOptions &table : tables.vertices)
      require(table.like, GNN_ERROR_ARGUMENT, "--like: ", options.likeFolder, " has no table of ", nameOf(table));
    for (const EdgeOptions &table : tables.edges)
      require(table.like, GNN_ERROR_ARGUMENT, "--like: ", options.likeFolder, " has no edges ", table.triple());
  }

  const ImportOptions &options;
  TableOptions tables;
};

} // namespace

std::string EdgeOptions::sayEnds() const {
  return relation.empty() ? "--source and --target say which columns are the ends"
                          : "--ends " + relation + "=COLUMN,COLUMN says which columns are the ends";
}

TableOptions gnn::data_tool::tableOptions(const ImportOptions &options) { return Assignment(options).run(); }
