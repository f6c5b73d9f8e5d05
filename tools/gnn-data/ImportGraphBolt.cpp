//===- ImportGraphBolt.cpp - A folder of DGL's GraphBolt ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What OnDiskDataset reads: metadata.yaml names files of edges, features and the sets of tasks, by types if there are
// several.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Npy.h"
#include "tools/gnn-data/EdgeList.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/NumberColumn.h"
#include "tools/gnn-data/Yaml.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

using namespace gnn::data_tool;
using gnn::rt::Dataset;
using gnn::rt::require;
using gnn::rt::Tensor;
namespace fs = std::filesystem;

namespace {

/// The ends of a relation, which GraphBolt calls "author:writes:paper".
struct RelationName {
  std::string source, name, destination;

  explicit RelationName(const Yaml &type) {
    const std::string &text = type.text();
    const size_t first = text.find(':'), second = text.find(':', first + 1);
    if (first == text.npos || second == text.npos || text.find(':', second + 1) != text.npos)
      type.fail("'", text, "', expected source:relation:destination");
    source = identifierFrom(text.substr(0, first));
    name = identifierFrom(text.substr(first + 1, second - first - 1));
    destination = identifierFrom(text.substr(second + 1));
  }
  bool is(const gnn::rt::EdgeTable &table) const {
    return table.name == name && table.source == source && table.destination == destination;
  }
};

class Importer {
public:
  Importer(const std::string &folder, Dataset &data, Notes &notes)
      : folder(folder), root(canonical(folder)), data(data), notes(notes) {}

  void import(const Yaml &metadata) {
    if (const Yaml *made = metadata.find("graph_topology"))
      made->fail("a graph that DGL has prepared, expected 'graph': take the metadata.yaml that was there before");
    const Yaml &graph = metadata.at("graph");
    const std::vector<Yaml> &nodes = graph.at("nodes").items(), &edges = graph.at("edges").items();
    const bool hasTypes = nodes.size() != 1 || edges.size() != 1 || nodes[0].find("type") || edges[0].find("type");
    for (const Yaml &type : nodes)
      hasTypes ? addVertexType(type) : void(data.numVertices = countOf(type));
    for (const Yaml &relation : edges)
      hasTypes ? addRelation(relation) : void(data.edgeIndex = edgesOf(relation, "edge_index"));
    for (const Yaml *owner : {&graph, &metadata})
      if (const Yaml *features = owner->find("feature_data"))
        for (const Yaml &feature : features->items())
          addFeature(feature);
    if (const Yaml *tasks = metadata.find("tasks"); tasks && !tasks->items().empty()) {
      if (tasks->items().size() > 1)
        notes.push_back("of " + std::to_string(tasks->items().size()) + " tasks the first is read");
      addTask(tasks->items()[0]);
    }
  }

private:
  static fs::path canonical(const std::string &folder) {
    std::error_code error;
    const fs::path path = fs::canonical(folder, error);
    require(!error, GNN_ERROR_IO, folder, ": ", error.message());
    return path;
  }

  static int64_t countOf(const Yaml &type) {
    const int64_t count = type.at("num").integer();
    if (count < 0 || count >= int64_t(UINT32_MAX))
      type.fail(count, " nodes, expected 0 to 2^32 - 2");
    return count;
  }

  /// The file of an entry, which stays inside the folder; `field` is how errors of the data set find it.
  std::string fileOf(const Yaml &entry, const std::string &field) {
    const Yaml &path = entry.at("path");
    const fs::path name = path.text();
    bool isInside = !name.empty() && name.is_relative() && path.text().find('\0') == std::string::npos;
    std::error_code error;
    if (isInside) {
      const fs::path whole = fs::weakly_canonical(root / name, error);
      isInside = !error && std::mismatch(root.begin(), root.end(), whole.begin(), whole.end()).first == root.end();
    }
    if (!isInside)
      path.fail("'", path.text(), "', expected a path inside the folder");
    data.files[field] = path.text();
    return folder + "/" + path.text();
  }

  Tensor arrayOf(const Yaml &entry, const std::string &field) {
    const std::string file = fileOf(entry, field), format = entry.textOr("format", "numpy");
    if (format == "torch")
      entry.fail("the format torch, which Python alone reads: write the file with numpy.save(…, tensor.numpy()), and "
                 "say numpy");
    if (format != "numpy")
      entry.fail("the format '", format, "', expected numpy");
    return gnn::rt::readNpy(file);
  }

  Tensor edgesOf(const Yaml &entry, const std::string &field) {
    if (entry.textOr("format", "numpy") == "csv")
      return readEdgeTable(fileOf(entry, field));
    const Tensor edges = arrayOf(entry, field);
    gnn::rt::requireEdgeIndex(edges.element(), edges.shape(), data.describe(field));
    return edges.as(GNN_I64, data.describe(field));
  }

  void addVertexType(const Yaml &type) {
    data.vertexTypes.push_back({identifierFrom(type.at("type").text()), countOf(type), {}});
  }

  void addRelation(const Yaml &relation) {
    const RelationName name(relation.at("type"));
    gnn::rt::EdgeTable table;
    table.name = name.name;
    table.source = name.source;
    table.destination = name.destination;
    table.index = edgesOf(relation, name.name);
    data.relations.push_back(std::move(table));
  }

  void addFeature(const Yaml &feature) {
    const std::string domain = feature.at("domain").text();
    if (domain != "node" && domain != "edge") {
      notes.push_back("feature " + feature.at("name").text() + " of a " + domain + " is not read");
      return;
    }
    std::string name = identifierFrom(feature.at("name").text());
    if (domain == "node" && name == "feat") // as models call it
      name = "x";
    const std::string owner = data.hasSchema() ? ownerOf(feature, domain) + "." : "";
    const Tensor values = arrayOf(feature, owner + name);
    if (domain == "node") { // before anything is made for each vertex
      const int64_t vertices = verticesOf(data.hasSchema() ? &feature.at("type") : nullptr);
      require(values.rank() > 0 && values.dim(0) == vertices, GNN_ERROR_DATA, data.describe(owner + name),
              ": expected ", vertices, " rows, one for each vertex, got ", values.rank() > 0 ? values.dim(0) : 0);
    }
    const bool isNew = domain == "node" ? tablesOfVertices(feature).emplace(name, gnn::rt::Feature{values, {}}).second
                                        : tablesOfEdges(feature).emplace(name, gnn::rt::Feature{values, {}}).second;
    if (!isNew)
      feature.fail("a second feature '", name, "'");
    notes.push_back((domain == "node" ? "input " : "edge input ") + owner + name);
  }

  static std::string ownerOf(const Yaml &feature, const std::string &domain) {
    const Yaml &type = feature.at("type");
    return domain == "node" ? identifierFrom(type.text()) : RelationName(type).name;
  }

  std::map<std::string, gnn::rt::Feature> &tablesOfVertices(const Yaml &feature) {
    if (!data.hasSchema())
      return data.vertexFeatures;
    for (gnn::rt::VertexTable &type : data.vertexTypes)
      if (type.name == identifierFrom(feature.at("type").text()))
        return type.features;
    feature.at("type").fail("there is no type of nodes '", feature.at("type").text(), "'");
  }

  std::map<std::string, gnn::rt::Feature> &tablesOfEdges(const Yaml &feature) {
    if (!data.hasSchema())
      return data.edgeFeatures;
    const RelationName name(feature.at("type"));
    for (gnn::rt::EdgeTable &relation : data.relations)
      if (name.is(relation))
        return relation.features;
    feature.at("type").fail("there is no type of edges '", feature.at("type").text(), "'");
  }

  void addTask(const Yaml &task) {
    if (const Yaml *count = task.find("num_classes"))
      data.numClasses = count->integer();
    for (auto [theirs, ours] :
         {std::pair("train_set", "train"), std::pair("validation_set", "val"), std::pair("test_set", "test")})
      if (const Yaml *sets = task.find(theirs)) {
        if (sets->items().size() > 1)
          sets->fail("sets of ", sets->items().size(), " types, expected one");
        for (const Yaml &set : sets->items())
          addSet(set, ours);
      }
    if (labels.empty()) {
      data.numClasses = -1;
      return;
    }
    for (int64_t v = 0; v < int64_t(labels.size()); ++v)
      if (areNumbers && std::isnan(labels[size_t(v)]))
        task.fail("labels are numbers, of which vertex ", v, " has none: only classes may be missing");
    if (areNumbers) {
      data.labels = narrowed(Tensor::of(labels));
      data.numClasses = -1;
    } else {
      std::vector<int64_t> classes;
      for (double label : labels)
        classes.push_back(std::isnan(label) ? -1 : int64_t(label));
      data.labels = Tensor::of(classes);
    }
    notes.push_back(areNumbers ? "labels: numbers" : "labels: classes");
  }

  void addSet(const Yaml &set, const std::string &split) {
    const std::vector<Yaml> &arrays = set.at("data").items();
    const Yaml *seeds = nullptr, *values = nullptr;
    for (size_t i = 0; i < arrays.size(); ++i) {
      const std::string name = arrays[i].textOr("name", i == 0 ? "seeds" : i == 1 ? "labels" : "");
      if (name == "seeds" || name == "seed_nodes" || name == "node_pairs")
        seeds = &arrays[i];
      else if (name == "labels")
        values = &arrays[i];
      else
        notes.push_back("split " + split + ": " + name + " is not read");
    }
    if (!seeds)
      set.fail("there are no seeds");
    const Tensor ids = arrayOf(*seeds, split);
    if (ids.rank() == 2)
      return addPairs(ids, values, split);
    require(ids.rank() == 1 && ids.element() >= GNN_I32 && ids.element() != GNN_BOOL, GNN_ERROR_DATA,
            data.describe(split), ": expected integers [nodes] or [pairs, 2], got ",
            gnn::rt::elementName(ids.element()), " ", gnn::rt::shapeText(ids.shape()));
    data.splits[split] = ids.as(GNN_I64, data.describe(split));
    addLabels(set, split, values);
  }

  /// Pairs that are true: those whose label is not 0.
  void addPairs(const Tensor &pairs, const Yaml *values, const std::string &split) {
    data.files[split + "_pairs"] = data.files[split];
    const std::string where = data.describe(split);
    require(pairs.dim(1) == 2 && pairs.element() >= GNN_I32, GNN_ERROR_DATA, where,
            ": expected integers [pairs, 2], got ", gnn::rt::elementName(pairs.element()), " ",
            gnn::rt::shapeText(pairs.shape()));
    if (!values) {
      data.pairs[split] = pairs;
      return;
    }
    const Tensor truths = arrayOf(*values, "labels");
    require(truths.rank() == 1 && truths.dim(0) == pairs.dim(0), GNN_ERROR_DATA, data.describe("labels"),
            ": expected a label for each of ", pairs.dim(0), " pairs, got the shape ",
            gnn::rt::shapeText(truths.shape()));
    std::vector<int64_t> rows;
    for (int64_t i = 0; i < truths.count(); ++i)
      if (gnn::rt::numberAt(truths, i) != 0)
        rows.push_back(i);
    data.pairs[split] = pairs.rowsAt({rows.data(), rows.size()});
  }

  void addLabels(const Yaml &set, const std::string &split, const Yaml *values) {
    if (data.hasSchema()) {
      const std::string type = identifierFrom(set.at("type").text());
      if (!data.labelled.empty() && data.labelled != type)
        set.at("type").fail("'", type, "', expected ", data.labelled, " as in the set before");
      data.labelled = type;
    }
    const int64_t vertices = verticesOf(data.hasSchema() ? &set.at("type") : nullptr);
    const Tensor &ids = data.splits[split];
    for (int64_t i = 0; i < ids.count(); ++i) {
      const int64_t v = ids.data<int64_t>()[i];
      require(v >= 0 && v < vertices, GNN_ERROR_DATA, data.describe(split), ": entry ", i, ": vertex ", v,
              " is out of range, expected 0 <= vertex < ", vertices);
    }
    if (!values)
      return;
    const Tensor given = arrayOf(*values, "labels");
    require(given.rank() > 0 && given.dim(0) == ids.count() && given.count() == ids.count(), GNN_ERROR_DATA,
            data.describe("labels"), ": expected a label for each of ", ids.count(), " seeds, got the shape ",
            gnn::rt::shapeText(given.shape()));
    areNumbers = areNumbers || given.element() < GNN_I32;
    if ((data.hasSchema() ? tablesOfVertices(set) : data.vertexFeatures).empty())
      requirePlausible(vertices, numEdges(), folder);
    labels.resize(size_t(vertices), std::numeric_limits<double>::quiet_NaN());
    for (int64_t i = 0; i < ids.count(); ++i) {
      const double label = gnn::rt::numberAt(given, i);
      require(areNumbers || (label >= -1 && label <= INT32_MAX), GNN_ERROR_DATA, data.describe("labels"), ": entry ", i,
              ": ", label, " is no class");
      labels[size_t(ids.data<int64_t>()[i])] = label;
    }
  }

  int64_t numEdges() const {
    int64_t count = data.hasSchema() ? 0 : data.edgeIndex.dim(1);
    for (const gnn::rt::EdgeTable &relation : data.relations)
      count += relation.index.dim(1);
    return count;
  }

  /// Those of a type, if there are types.
  int64_t verticesOf(const Yaml *type) const {
    if (!type)
      return data.numVertices;
    for (const gnn::rt::VertexTable &table : data.vertexTypes)
      if (table.name == identifierFrom(type->text()))
        return table.count;
    type->fail("there is no type of nodes '", type->text(), "'");
  }

  const std::string &folder;
  const fs::path root;
  Dataset &data;
  Notes &notes;
  std::vector<double> labels; // of all vertices; none: NaN
  bool areNumbers = false;
};

} // namespace

void gnn::data_tool::importGraphBolt(const ImportOptions &options, rt::Dataset &data, Notes &notes) {
  refuseTableOptions(options, "a folder");
  data.source = options.path;
  const std::string file = options.path + "/metadata.yaml";
  const rt::FileBytes bytes = rt::readFile(file);
  const Yaml metadata = Yaml::parse(bytes.span(), file);
  Importer(options.path, data, notes).import(metadata);
  require(!options.isUndirected || !data.hasSchema(), GNN_ERROR_ARGUMENT, options.path,
          ": --undirected is of graphs of one type");
  if (options.isUndirected)
    addReverseEdges(data, notes);
}
