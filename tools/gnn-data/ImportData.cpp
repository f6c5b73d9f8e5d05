//===- ImportData.cpp - What is imported, by its kind ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Random.h"
#include "runtime/src/data/Import.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/JoinedTable.h"
#ifdef GNNC_HAS_PARQUET
#include "tools/gnn-data/ParquetTable.h"
#endif
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>

using namespace gnn::data_tool;
using gnn::rt::require;
using gnn::rt::Tensor;

namespace {

/// Divides the labelled vertices or edges, or all where there are no labels; the rest is for testing.
void splitByShares(gnn::rt::Dataset &data, const Shares &shares, uint64_t seed) {
  const double train = shares.train / 100, val = shares.val / 100;
  std::vector<int64_t> vertices;
  const bool haveClasses = data.labels && data.numClasses > 0, haveNumbers = data.labels && data.labels.rank() == 1;
  for (int64_t v = 0; v < data.numLabelled(); ++v)
    if (haveClasses ? data.labels.data<int64_t>()[v] >= 0
                    : !haveNumbers || !std::isnan(gnn::rt::numberAt(data.labels, v)))
      vertices.push_back(v);
  gnn::rt::RandomSequence random(seed);
  for (size_t i = vertices.size(); i > 1; --i)
    std::swap(vertices[i - 1], vertices[random.below(i)]);
  const size_t ends[] = {0, size_t(std::llround(double(vertices.size()) * train)),
                         size_t(std::llround(double(vertices.size()) * (train + val))), vertices.size()};
  constexpr const char *names[] = {"train", "val", "test"};
  for (int i = 0; i < 3; ++i) {
    std::vector<int64_t> part(vertices.begin() + std::ptrdiff_t(ends[i]),
                              vertices.begin() + std::ptrdiff_t(ends[i + 1]));
    std::sort(part.begin(), part.end());
    data.splits[names[i]] = Tensor::of(part);
  }
}

/// Divides by counts or shares, unless the table with the labels was divided by a column or by time.
void split(gnn::rt::Dataset &data, const ImportOptions &options, Notes &notes) {
  if (!options.splitsByNumbers() || notes.isSplitByTime)
    return;
  if (const std::optional<Shares> shares = sharesOf(options.split, "--split")) {
    splitByShares(data, *shares, options.seed);
  } else {
    const size_t comma = options.split.find(',');
    int64_t counts[2];
    for (int i = 0; i < 2; ++i) {
      const std::string part = i ? options.split.substr(comma + 1) : options.split.substr(0, comma);
      const std::optional<int64_t> count = integerIn(part);
      require(count && *count >= 0, GNN_ERROR_ARGUMENT,
              "--split: expected a column, counts as 20,30 or shares as 60%,20%, found '", options.split, "'",
              dateIn(part) ? ", of which --by COLUMN says what has these dates" : "");
      counts[i] = *count;
    }
    require(data.labels && data.numClasses > 0, GNN_ERROR_MISMATCH, "--split ", options.split,
            ": so many vertices of each class, and ", data.labels ? "labels are numbers" : "there are no labels",
            ": shares as 60%,20% divide all vertices");
    gnn::rt::splitPerClass(data, counts[0], counts[1], options.seed);
  }
  for (const auto &[name, vertices] : data.splits)
    if (vertices.count() == 0 && data.numLabelled() > 0)
      notes.push_back("the split " + name + " is empty");
}

std::string startOf(const std::string &path, size_t size = 16) {
  std::string start(size, '\0');
  TextFile file(path);
  size_t filled = 0;
  while (const size_t got = filled < size ? file.read(&start[filled], size - filled) : 0)
    filled += got;
  start.resize(filled);
  return start;
}

bool isNpz(const std::string &path) {
  const std::string start = startOf(path);
  return start.compare(0, 4, "PK\3\4") == 0 || start.compare(0, 4, "PK\5\6") == 0; // the latter has nothing in it
}

/// A tag, in UTF-8 or UTF-16, behind a byte order mark or not. An id such as <http://example.org/a> is none.
bool isXml(const std::string &path) {
  std::string start = startOf(path, 256);
  for (const std::string_view mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"})
    if (start.compare(0, mark.size(), mark) == 0)
      start.erase(0, mark.size());
  start.erase(std::remove(start.begin(), start.end(), '\0'), start.end());
  start.erase(0, std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  const size_t end = start.find_first_of(" \t\r\n/>", 1);
  const std::string_view name = std::string_view(start).substr(0, end).substr(start.empty() ? 0 : 1);
  const auto isOfName = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; };
  return start.size() > 1 && start[0] == '<' &&
         (start[1] == '?' || start[1] == '!' ||
          (end != std::string::npos && std::isalpha(static_cast<unsigned char>(start[1])) &&
           std::all_of(name.begin(), name.end(), isOfName)));
}

bool isJson(const std::string &path) {
  std::string start = startOf(path, 256);
  start.erase(std::remove_if(start.begin(), start.end(), [](unsigned char c) { return std::isspace(c); }), start.end());
  return start.size() > 1 && (start[0] == '{' || start[0] == '[') && std::strchr("\"{[", start[1]);
}

bool isParquet(const std::string &path) {
  const std::string start = startOf(path);
  const bool isText = std::none_of(start.begin(), start.end(), [](char c) { return c >= 0 && c < '\t'; });
  return !isText && (start.compare(0, 4, "PAR1") == 0 || start.compare(0, 4, "PARE") == 0); // the latter is encrypted
}

} // namespace

/// A table that rejects no rows.
static std::unique_ptr<Table> openAny(const std::string &path, const TextForm &form, GraphmlPart part) {
  const bool areTags = isXml(path), areColumns = !areTags && isParquet(path);
  require(!form.isLatin1 || !(areTags || areColumns), GNN_ERROR_ARGUMENT, path, ": --encoding does not apply to ",
          areTags ? "GraphML, whose first line says it" : "Parquet, whose texts are UTF-8");
  if (areTags)
    return std::make_unique<GraphmlTable>(path, part);
  if (areColumns) {
#ifdef GNNC_HAS_PARQUET
    return std::make_unique<ParquetTable>(path);
#else
    gnn::rt::fail(GNN_ERROR_DATA, path,
                  ": this build does not read Parquet (docs/data.md says how to build one that does); "
                  "pandas.read_parquet(…).to_csv(…) makes a table of it");
#endif
  }
  require(!isJson(path), GNN_ERROR_DATA, path,
          ": JSON, which is no table; pandas.read_json(…).to_csv(…) makes one of it, networkx.write_graphml a file of "
          "a graph");
  return std::make_unique<TextTable>(path, form);
}

std::unique_ptr<Table> gnn::data_tool::openTable(const std::string &path, const TextForm &form, GraphmlPart part) {
  TextForm whole = form; // with the parts of keys, by which a header is found
  for (const std::string &name : form.named)
    if (const auto [first, second] = JoinedTable::partsOf(name); !first.empty())
      whole.named.insert(whole.named.end(), {first, second});
  std::unique_ptr<Table> table = openAny(path, whole, part);
  table->leaveOut(form.rejected);
  table = JoinedTable::of(std::move(table), form.named);
  table->leaveOut(form.rejected);
  return table;
}

/// Vertices that are in two splits are told: what is trained on can't be tested on.
static void noteOverlaps(const gnn::rt::Dataset &data, Notes &notes) {
  for (auto a = data.splits.begin(); a != data.splits.end(); ++a)
    for (auto b = std::next(a); b != data.splits.end(); ++b) {
      std::vector<int64_t> first(a->second.values<int64_t>().begin(), a->second.values<int64_t>().end()),
          second(b->second.values<int64_t>().begin(), b->second.values<int64_t>().end()), both;
      std::sort(first.begin(), first.end());
      std::sort(second.begin(), second.end());
      std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
      if (!both.empty())
        notes.push_back("warning: " + std::to_string(both.size()) + (data.labelsEdges() ? " edges" : " vertices") +
                        " are in both " + a->first + " and " + b->first);
    }
}

void gnn::data_tool::requirePlausible(int64_t vertices, int64_t edges, const std::string &path) {
  constexpr int64_t few = int64_t(1) << 16, mostForEdge = 1000;
  require(vertices <= few || vertices / mostForEdge <= edges, GNN_ERROR_DATA, path, ": ", vertices, " vertices for ",
          edges, " edges: is the number of vertices right, and are they numbered from 0 on?");
}

void gnn::data_tool::refuseTableOptions(const ImportOptions &options, const std::string &what,
                                        const std::string &allowed) {
  const bool areOfTables =
      !options.vertices.empty() || !options.edges.empty() || !options.ends.empty() || !options.source.empty() ||
      !options.target.empty() || !options.edgeTypes.empty() || !options.ids.empty() || !options.label.empty() ||
      options.labelKind != LabelKind::Auto || !options.dropped.empty() || !options.kinds.empty() ||
      options.cells.areGiven() || !options.by.empty() || !options.graphId.empty() || !options.splitEdges.empty() ||
      !options.pairs.empty() || options.like || options.faults.areGiven() || options.form.delimiter ||
      options.form.hasHeader || options.form.isLatin1 || !options.isScaled;
  require(!areOfTables, GNN_ERROR_ARGUMENT, options.path, ": ", what, ", for which there are only ", allowed);
  require(options.split.empty() || options.splitsByNumbers(), GNN_ERROR_ARGUMENT,
          "--split: expected counts as 20,30 or shares as 60%,20%, found '", options.split, "'");
}

std::optional<gnn::rt::ImportRecord> gnn::data_tool::importData(ImportOptions options, rt::Dataset &data,
                                                                Notes &notes) {
  std::optional<rt::ImportRecord> record;
  std::error_code error; // what cannot be looked at cannot be opened, which tells why
  const bool haveAll = !options.path.empty();
  if (haveAll && std::filesystem::exists(options.path + "/metadata.yaml", error))
    importGraphBolt(options, data, notes);
  else if (haveAll && !tuStem(options.path).empty())
    importTu(options, data, notes);
  else if (haveAll && std::filesystem::is_directory(options.path, error))
    importOgb(options, data, notes);
  else if (haveAll && isNpz(options.path))
    importNpz(options, data, notes);
  else {
    if (haveAll && options.vertices.empty() && isXml(options.path))
      options.vertices = {options.path};
    record = importTables(options, data, notes);
  }
  data.finish(); // labels are checked, vertices and classes counted
  if (!data.hasSchema() && data.vertexFeatures.empty() && !data.labels) {
    const auto edges = std::find_if(notes.tables.begin(), notes.tables.end(),
                                    [](const TableDecisions &table) { return table.isOfEdges; });
    requirePlausible(data.numVertices, data.numEdges(), edges == notes.tables.end() ? options.path : edges->file);
  }
  split(data, options, notes);
  data.finish();
  noteOverlaps(data, notes);
  return record;
}
