// The graph of a data set with the ids of its vertices, to which a service appends rows of tables.
#ifndef GRAPH_HPP
#define GRAPH_HPP

#include "limits.hpp"

#include <gnn/encoder.hpp>
#include <gnn/gnn.hpp>
#include <gnn/npy.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>

using Json = nlohmann::ordered_json;

/// An id in JSON: a text, or a whole number.
inline std::string idIn(const Json &value) {
  if (!value.is_string() && !value.is_number_integer())
    throw Refusal(400, "expected an id, a text or a whole number, found " + value.dump());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class Graph {
public:
  /// Grows if the model allows it. Throws if the data set has not what the model reads.
  Graph(const std::string &folder, gnn::Model &model) : data(gnn::Dataset::load(folder)) {
    readSchema(folder);
    const Json manifest = Json::parse(model.manifest());
    for (const Json &input : manifest["inputs"])
      if (input.contains("relation"))
        whyFixed = "the model reads an input of edges, " + input["name"].get<std::string>();
    for (const gnn_feature_info_t &feature : data.features())
      if (feature.is_sparse)
        inputs.emplace_back(feature.name, data.sparseFeature(feature.name));
      else if (feature.domain == GNN_FEATURE_VERTEX || !whyFixed.empty())
        inputs.emplace_back(feature.name, data.denseFeature(feature.domain, feature.name));
    const Json &output = manifest["outputs"].at(0);
    outputName = output["name"];
    modelType = output.value("vertex_type", "");
    type = types.size() == 1 ? types[0].name : modelType;
    typeNamed(type);
    if (whyFixed.empty())
      makeGrowing(model);
    if (!growing)
      fixed = data.graph();
    check(model);
  }

  std::vector<std::string> classNames() const { return encoder ? encoder->classNames() : std::vector<std::string>(); }
  /// How many times something was appended.
  uint64_t number() const { return now()->number; }

  /// Rows of the output for vertices, and the number of the snapshot that they are of.
  std::pair<gnn::Tensor, uint64_t> infer(gnn::Model &model, const std::vector<std::string> &ids) const {
    std::vector<int64_t> vertices;
    std::unique_lock<std::mutex> lock(mutex);
    const std::shared_ptr<const View> view = newest; // which has these ids
    for (const std::string &id : ids)
      vertices.push_back(find(typeNamed(type), id));
    lock.unlock();
    return {inferAt(model, vertices, *view), view->number};
  }
  /// Throws if the model does not answer over this graph.
  void check(gnn::Model &model) const {
    if (const std::lock_guard<std::mutex> alone(appending); !typeNamed(type).numbers.empty())
      inferAt(model, {0}, *now());
  }

  /// Appends all of {"vertices": {TYPE: [row, …]}, "edges": {RELATION: [[id, id], …]}}, or throws and appends nothing.
  /// Returns the number of the snapshot that has it; `replaced` counts cells that were encoded as missing.
  uint64_t append(const Json &request, gnn_cell_counts_t &replaced) {
    if (!growing)
      throw Refusal(409, "nothing can be appended: " + whyFixed);
    if (!request.is_object() || request.empty() || request.size() != request.count("vertices") + request.count("edges"))
      throw Refusal(400, "expected \"vertices\", \"edges\" or both");
    const std::lock_guard<std::mutex> alone(appending);
    Added added;
    std::vector<gnn_vertices_t> vertices;
    gnn::Inputs rows;
    const Json newVertices = listsIn(request, "vertices"), newEdges = listsIn(request, "edges");
    for (const auto &[name, list] : newVertices.items()) {
      const Type &type = typeNamed(name, 400);
      NewVertices &some = added[name];
      for (const Json &row : list)
        addVertex(type, row, some, replaced);
      const int64_t count = int64_t(some.numbers.size());
      vertices.push_back({type.name.c_str(), count});
      if (!some.x.empty())
        rows.emplace_back(featureOf(type), gnn::Tensor::copy<float>(some.x, {count, int64_t(some.x.size()) / count}));
    }
    std::map<std::string, std::vector<int64_t>> ends[2]; // by relation
    std::vector<gnn_edges_t> edges;
    for (const auto &[name, list] : newEdges.items()) {
      const auto known = std::find_if(relations.begin(), relations.end(),
                                      [&name = name](const Relation &relation) { return relation.name == name; });
      if (known == relations.end())
        throw Refusal(400, "the data set has no relation '" + name + "'");
      for (const Json &pair : list) {
        if (!pair.is_array() || pair.size() != 2)
          throw Refusal(400, name + ": expected a pair of ids, found " + pair.dump());
        const int64_t source = find(typeNamed(known->source), idIn(pair[0]), added),
                      destination = find(typeNamed(known->destination), idIn(pair[1]), added);
        for (const int64_t from : known->isUndirected ? std::set{source, destination} : std::set{source}) {
          ends[0][name].push_back(from);
          ends[1][name].push_back(from == source ? destination : source);
        }
      }
      edges.push_back(edgesOf(*known, ends[0][name].data(), ends[1][name].data(), int64_t(ends[0][name].size())));
    }
    growing->append(vertices, rows, edges);
    auto next = std::make_shared<View>(View{number() + 1, growing->snapshot()});
    const std::lock_guard<std::mutex> lock(mutex);
    for (Type &type : types)
      type.numbers.merge(added[type.name].numbers);
    newest = next;
    return next->number;
  }

private:
  struct View {
    uint64_t number = 0;
    gnn::Snapshot snapshot; // none of a fixed graph
  };
  using Numbers = std::unordered_map<std::string, int64_t>; // of vertices, by id
  struct Type {
    std::string name;
    Numbers numbers{};
  };
  struct Relation {
    std::string name, source, destination;
    gnn::Tensor index;         // [2, edges]
    bool isUndirected = false; // each edge is there in both directions
  };
  struct NewVertices {
    Numbers numbers;
    std::vector<float> x;
  };
  using Added = std::map<std::string, NewVertices>; // by type

  /// Types and relations, which dataset.json has if there are several.
  void readSchema(const std::string &folder) {
    std::ifstream file(folder + "/dataset.json");
    Json description = file ? Json::parse(file) : Json::object();
    hasSchema = description.contains("vertex_types");
    if (!hasSchema) {
      types.push_back({"vertex"});
      relations.push_back(Relation{"edge", "vertex", "vertex", data.tensor("edge_index")});
    }
    for (const auto &[name, unused] : description["vertex_types"].items())
      types.push_back({name});
    for (Type &type : types) {
      const gnn::VertexIds ids = data.vertexIds(hasSchema ? type.name : "");
      for (int64_t vertex = 0; vertex < ids.size(); ++vertex)
        type.numbers.emplace(ids.at(vertex), vertex);
    }
    for (const Json &relation : description["relations"])
      relations.push_back(Relation{relation["name"], relation["source"], relation["destination"],
                                   gnn::loadNpy(folder + "/" + relation["edge_index"].get<std::string>())});
    if (std::ifstream import(folder + "/import.json"); import) {
      encoder = gnn::Encoder::load(folder + "/import.json");
      const Json record = Json::parse(import);
      for (Relation &known : relations)
        known.isUndirected = record.value("edges", Json::object())
                                 .value(known.source + ":" + known.name + ":" + known.destination, Json::object())
                                 .value("undirected", false);
    } else
      whyFixed = "the data set has no import.json, which says how rows are encoded";
    if (data.numEdgeTypes() > 0)
      whyFixed = "its edges have types";
  }

  std::string featureOf(const Type &type) const { return hasSchema ? type.name + ".x" : "x"; }

  gnn_edges_t edgesOf(const Relation &relation, const int64_t *sources, const int64_t *destinations,
                      int64_t count) const {
    gnn_edges_t edges{};
    edges.name = relation.name.c_str();
    edges.source = uint32_t(&typeNamed(relation.source) - types.data());
    edges.destination = uint32_t(&typeNamed(relation.destination) - types.data());
    edges.num_edges = count;
    edges.src = sources;
    edges.dst = destinations;
    return edges;
  }

  /// Sets `whyFixed` if the model does not answer over graphs that grow.
  void makeGrowing(gnn::Model &model) {
    try {
      std::vector<gnn_vertices_t> vertices;
      for (const Type &type : types)
        vertices.push_back({type.name.c_str(), int64_t(type.numbers.size())});
      std::vector<gnn_edges_t> edges;
      for (const Relation &relation : relations) {
        const int64_t count = relation.index.shape()[1], *sources = relation.index.data<int64_t>();
        edges.push_back(edgesOf(relation, sources, sources + count, count));
      }
      growing.emplace(vertices, edges, inputs);
      newest = std::make_shared<View>(View{0, growing->snapshot()});
      check(model);
    } catch (const gnn::Error &error) {
      if (error.code() != GNN_ERROR_MISMATCH)
        throw;
      whyFixed = error.what();
      newest = std::make_shared<View>();
      growing.reset();
    }
  }

  std::shared_ptr<const View> now() const {
    const std::lock_guard<std::mutex> lock(mutex);
    return newest;
  }
  gnn::Tensor inferAt(gnn::Model &model, const std::vector<int64_t> &vertices, const View &view) const {
    auto outputs = growing ? view.snapshot.inferAt(model, vertices, modelType)
                           : model.inferAt(*fixed, inputs, vertices, modelType);
    return std::move(outputs.at(outputName));
  }

  const Type &typeNamed(const std::string &name, int status = 500) const {
    for (const Type &type : types)
      if (type.name == name)
        return type;
    throw Refusal(status, "the data set has no vertices of type '" + name + "'");
  }
  /// The number of a vertex that there is or that `added` has.
  static int64_t find(const Type &type, const std::string &id, const Added &added = {}) {
    if (const auto known = type.numbers.find(id); known != type.numbers.end())
      return known->second;
    if (const auto some = added.find(type.name); some != added.end())
      if (const auto known = some->second.numbers.find(id); known != some->second.numbers.end())
        return known->second;
    throw Refusal(404, "there is no " + type.name + " '" + id + "'");
  }

  /// A member of a request, lists by name, or nothing.
  static Json listsIn(const Json &request, const char *member) {
    const Json lists = request.value(member, Json::object());
    if (!lists.is_object() ||
        !std::all_of(lists.begin(), lists.end(), [](const Json &list) { return list.is_array(); }))
      throw Refusal(400, std::string("\"") + member + "\": expected lists by name");
    return lists;
  }

  /// A row of a table: the "id", and a cell for each column that the encoder reads.
  void addVertex(const Type &type, const Json &row, NewVertices &added, gnn_cell_counts_t &replaced) const {
    const std::string where = type.name + " " + std::to_string(added.numbers.size()) + ": ";
    if (!row.is_object() || !row.contains("id"))
      throw Refusal(400, where + "expected an object with an \"id\"");
    const std::string id = idIn(row["id"]);
    if (type.numbers.count(id) || !added.numbers.emplace(id, type.numbers.size() + added.numbers.size()).second)
      throw Refusal(409, where + "there is a " + type.name + " '" + id + "' already");
    const gnn::Encoder::Table table = encoder->table(hasSchema ? type.name : "");
    std::vector<std::string> texts;
    for (const std::string &column : table.columns()) {
      if (!row.contains(column) || row[column].is_structured())
        throw Refusal(400, where + "expected a text, a number or null for \"" + column + "\"");
      const Json &cell = row[column];
      texts.push_back(cell.is_string() ? cell.get<std::string>() : cell.is_null() ? "" : cell.dump());
    }
    added.x.resize(added.x.size() + size_t(table.width()));
    const gnn::EncodeReport report = table.encode({gnn::Cells(texts.begin(), texts.end())},
                                                  added.x.data() + (added.x.size() - size_t(table.width())));
    for (size_t i = 0; i < texts.size(); ++i)
      if (report.bad(table.columns()[i]))
        throw Refusal(400, where + "'" + texts[i] + "' is no \"" + table.columns()[i] + "\" like those of the table");
    replaced.missing += report.total().missing;
    replaced.unseen += report.total().unseen;
  }

  const gnn::Dataset data;
  std::optional<gnn::Encoder> encoder;
  bool hasSchema = false;
  std::vector<Relation> relations;
  gnn::Inputs inputs;
  std::string outputName, whyFixed, type, modelType; // `type` in the data set
  std::optional<gnn::Graph> fixed;                   // or
  std::optional<gnn::GrowingGraph> growing;
  mutable std::mutex appending;
  mutable std::mutex mutex; // of what follows
  std::vector<Type> types;
  std::shared_ptr<const View> newest = std::make_shared<View>();
};

#endif // GRAPH_HPP
