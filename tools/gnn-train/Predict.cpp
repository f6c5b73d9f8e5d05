//===- Predict.cpp - Commands that use weights ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/data/ImportRecord.h"
#include "runtime/src/data/VertexNames.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Npy.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnNames.h"
#include "tools/gnn-data/TextTable.h"
#include "tools/gnn-train/Baseline.h"
#include "tools/gnn-train/Display.h"
#include "tools/gnn-train/PredictionTable.h"
#include "tools/gnn-train/Problem.h"
#include <algorithm>
#include <filesystem>
#include <tuple>

namespace gnn::train_tool {

int evaluate(const PredictOptions &options) {
  Problem problem(options, options.weights);
  const rt::Training training = problem.openEvaluation();
  if (training.context->streams())
    problem.releaseData();
  training.evaluation->run();
  nlohmann::json result{
      {"model", problem.model.library()->name()}, {"data", problem.data->source}, {"weights", options.weights}};
  auto show = showRanking();
  std::map<std::string, rt::Metrics> splits;
  for (const auto &[split, rows] : problem.splits) {
    const bool inFull = !problem.scoresPairs() || (split != "train" && !options.noRanking);
    splits[split] = training.evaluation->metrics(rows, split, inFull, [&, name = split](double share) {
      show(name, share);
      return true;
    });
  }
  addBaselines(splits, *problem.data);
  for (const auto &[split, metrics] : splits) {
    result[split] = metricsJson(metrics);
    if (!options.json)
      std::printf("%-6s%s\n", split.c_str(), metricsText(metrics).c_str());
  }
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  return 0;
}

namespace {

void report(const PredictOptions &options, const std::string &name, const rt::Tensor &table) {
  nlohmann::json result{{"output", name}, {"shape", table.shape()}, {"predictions", options.predictions}};
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  else
    std::printf("%s %s written to %s\n", name.c_str(), rt::shapeText(table.shape()).c_str(),
                options.predictions.c_str());
}

std::vector<double> scoresOf(Problem &problem, const rt::Pairs &pairs) {
  const std::vector<double> noTargets(pairs.src.size(), 0.0);
  if (!problem.config.memory)
    return rt::PairsInMemory(problem.model, problem.graph, problem.features, problem.data->source)
        .evaluate(pairs, noTargets)
        .scores;
  const rt::Training training = problem.openEvaluation();
  if (training.context->streams())
    problem.releaseData();
  training.pairs->prepare();
  return training.pairs->evaluate(pairs, noTargets).scores;
}

/// The data set's name of a type of vertices of the model; empty without a schema.
std::string typeInData(const rt::Dataset &data, const std::string &type) {
  return !data.hasSchema() ? "" : data.vertexTypes.size() == 1 ? data.vertexTypes[0].name : type;
}

/// The user's names of the types that pairs between vertices of two types have: those of the relation that is called
/// `relation`, or of the only one with types between them. Empty: types are numbers.
std::vector<std::string> namesOfTypes(const rt::Dataset &data, const std::string types[2],
                                      const std::string &relation) {
  const std::string file = data.source + "/import.json";
  if (std::error_code error; !std::filesystem::exists(file, error))
    return {};
  std::vector<rt::EdgeRecord> found;
  for (const rt::EdgeRecord &edges : rt::ImportRecord::parse(rt::readFile(file).span(), file).edges)
    if (!edges.types.empty() && (!data.hasSchema() || (edges.source == types[0] && edges.destination == types[1])))
      found.push_back(edges);
  for (const rt::EdgeRecord &edges : found)
    if (edges.name == relation)
      return edges.types;
  return found.size() == 1 ? found[0].types : std::vector<std::string>();
}

/// The columns of a table of pairs. `type` is used where pairs have types.
struct PairColumns {
  size_t source = 0, type = 1, destination = 1;
};

/// The columns that are called after the two types of vertices, or as ends of edges are; without names, the columns of
/// train_pairs.npy. Throws a data error if names do not say which columns these are.
PairColumns pairColumnsOf(const data_tool::Table &table, const std::string &file, const std::string types[2],
                          bool haveTypes) {
  const std::vector<std::string> &names = table.columns();
  const std::string expected = haveTypes ? ": expected three columns: source, type and destination"
                                         : ": expected two columns: source and destination";
  PairColumns columns;
  if (!table.hasNames()) {
    rt::require(names.size() == (haveTypes ? 3 : 2), GNN_ERROR_DATA, file, expected);
    columns.destination = names.size() - 1;
    return columns;
  }
  std::string found;
  for (const std::string &name : names)
    found += (found.empty() ? ", found '" : ", '") + name + "'";
  const auto sources = data_tool::columnsOfType(names, types[0]),
             destinations = data_tool::columnsOfType(names, types[1]);
  const auto pairs = data_tool::pairsOfEnds(names);
  if (types[0] != types[1] && sources.size() == 1 && destinations.size() == 1) {
    columns.source = sources[0];
    columns.destination = destinations[0];
  } else {
    rt::require(pairs.size() == 1, GNN_ERROR_DATA, file, expected, found);
    std::tie(columns.source, columns.destination) = pairs[0];
  }
  if (!haveTypes)
    return columns;
  const auto isType = [](const std::string &name) {
    for (const char *word : {"type", "edge_type", "relation", "rel", "predicate"})
      if (name == word)
        return true;
    return false;
  };
  rt::require(std::count_if(names.begin(), names.end(), isType) == 1, GNN_ERROR_DATA, file, expected, found);
  columns.type = size_t(std::find_if(names.begin(), names.end(), isType) - names.begin());
  return columns;
}

/// Reads pairs of vertices of two types of the data set, by its ids. The first row names the columns unless it is a
/// pair.
rt::Pairs readPairs(const std::string &file, const rt::Dataset &data, const std::string types[2], bool haveTypes,
                    const std::vector<std::string> &typeNames) {
  const rt::VertexNames names[] = {{data, types[0]}, {data, types[1]}};
  data_tool::TextForm form;
  form.hasHeader = false;
  data_tool::TextTable rows(file, form);
  const size_t width = rows.columns().size();
  const bool isPair = width == (haveTypes ? 3 : 2) && rows.next() && names[0].tryFind(rows.cell(0)) &&
                      names[1].tryFind(rows.cell(width - 1));
  form.hasHeader = !isPair;
  data_tool::TextTable table(file, form);
  const PairColumns columns = pairColumnsOf(table, file, types, haveTypes);
  rt::Pairs pairs;
  while (table.next()) {
    for (int end = 0; end < 2; ++end) {
      const std::string_view id = table.cell(end ? columns.destination : columns.source);
      const std::optional<int64_t> vertex = names[end].tryFind(id);
      if (!vertex)
        table.fail("there is no vertex '", id, "'", types[end].empty() ? "" : " of type " + types[end]);
      (end ? pairs.dst : pairs.src).push_back(*vertex);
    }
    if (!haveTypes)
      continue;
    const std::string type(table.cell(columns.type));
    const auto named = std::find(typeNames.begin(), typeNames.end(), type);
    const std::optional<int64_t> number = data_tool::integerIn(type);
    if (typeNames.empty() ? !number || *number < 0 || *number >= data.numEdgeTypes : named == typeNames.end())
      table.fail("there are no edges of type '", type, "'");
    pairs.types.push_back(typeNames.empty() ? *number : named - typeNames.begin());
  }
  return pairs;
}

void writeScores(const PredictOptions &options, Problem &problem) {
  const rt::Library &library = *problem.model.library();
  const rt::Dataset &data = *problem.data;
  const gnn_relation_t &relation = library.relation(*rt::pairsRelation(library));
  const gnn_library_t &table = library.table();
  const std::string types[] = {typeInData(data, table.vertex_types[relation.source_type].name),
                               typeInData(data, table.vertex_types[relation.destination_type].name)};
  const std::vector<std::string> typeNames = namesOfTypes(data, types, relation.name);
  rt::Pairs pairs;
  if (options.pairs.empty()) {
    auto split = problem.splits.find(options.split);
    rt::require(split != problem.splits.end(), GNN_ERROR_MISMATCH, data.source, " has no pairs '", options.split, "'");
    pairs = rt::pairsOf(split->second, options.split + " in " + data.source);
  } else {
    pairs = readPairs(options.pairs, data, types, relation.types >= 0, typeNames);
  }
  const std::vector<double> scores = scoresOf(problem, pairs);
  const rt::Tensor column = rt::Tensor::of(scores);
  if (options.asTable())
    writePairTable(options.predictions, data, types[0], types[1], typeNames, pairs, scores);
  else
    rt::writeNpy(options.predictions, column);
  report(options, "scores of " + (options.pairs.empty() ? options.split : options.pairs), column);
}

/// The edges of a relation of the model as the data set has them, whose graph was made of them.
rt::EdgeTable edgesOf(const rt::Library &library, uint32_t relation, const std::string &folder) {
  const std::shared_ptr<rt::Dataset> data = rt::loadDataset(folder);
  rt::EdgeTable plain;
  plain.index = data->edgeIndex;
  if (!data->hasSchema())
    return plain;
  const gnn_relation_t &wanted = library.relation(relation);
  const gnn_library_t &table = library.table();
  plain.source = typeInData(*data, table.vertex_types[wanted.source_type].name);
  plain.name = wanted.name;
  plain.destination = typeInData(*data, table.vertex_types[wanted.destination_type].name);
  for (const rt::EdgeTable &edges : data->relations)
    if (data->relations.size() == 1 || edges.triple() == plain.triple())
      return edges;
  rt::fail(GNN_ERROR_INTERNAL, folder, " has no edges ", plain.triple());
}

/// What Model::infer gives, within the limit of memory.
std::vector<std::pair<std::string, rt::Tensor>> outputsWithin(Problem &problem) {
  const rt::Library &library = *problem.model.library();
  rt::Binding binding(problem.model.library(), problem.model.dims(), problem.graph, problem.features,
                      /*withTargets=*/false, problem.data->source);
  const gnn_program_t *infer = library.program(GNN_PROGRAM_INFER);
  rt::require(infer != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program @infer");
  std::unique_ptr<rt::WithinMemory> within;
  const std::unique_ptr<rt::Executor> executor = inferenceWithin(problem, binding, within);
  if (within->plan().parts > 0)
    problem.releaseData();
  executor->run(/*stepKey=*/0);
  std::vector<std::pair<std::string, rt::Tensor>> outputs;
  for (uint32_t i = 0; i < infer->num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(infer->results[i]);
    outputs.emplace_back(info.name, binding.inOriginalOrder(info, executor->takeResult(i)));
  }
  return outputs;
}

/// The output that is asked for; the first where none is.
const gnn_tensor_info_t &outputOf(const rt::Library &library, const std::string &name) {
  const gnn_program_t *infer = library.program(GNN_PROGRAM_INFER);
  rt::require(infer != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program @infer");
  std::string known;
  for (uint32_t i = 0; i < infer->num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(infer->results[i]);
    if (name.empty() || info.name == name)
      return info;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  rt::fail(GNN_ERROR_ARGUMENT, library.name(), " has no output '", name, "'; it has ", known);
}

/// Numbers of the vertices that `texts` name: each is an id, or several between commas.
std::vector<int64_t> verticesNamed(const rt::VertexNames &names, const std::vector<std::string> &texts) {
  std::vector<int64_t> vertices;
  for (const std::string &text : texts) {
    if (const auto whole = names.tryFind(text)) { // an id may have a comma
      vertices.push_back(*whole);
      continue;
    }
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find(',', at), text.size());
      vertices.push_back(names.find(text.substr(at, end - at)));
      at = end + 1;
    }
  }
  return vertices;
}

} // namespace

int predict(const PredictOptions &options) {
  Problem problem(options, options.weights, Problem::Edges::All);
  if (problem.scoresPairs()) {
    rt::require(options.vertices.empty(), GNN_ERROR_ARGUMENT, problem.model.library()->name(),
                " scores pairs of vertices: --pairs or --split says which");
    writeScores(options, problem);
    return 0;
  }
  const rt::Library &library = *problem.model.library();
  rt::require(options.pairs.empty(), GNN_ERROR_ARGUMENT, "--pairs: ", library.name(), " does not score pairs");
  const gnn_tensor_info_t &output = outputOf(library, options.output);
  const bool isOfVertices = output.domain == GNN_DOMAIN_VERTEX;
  const std::string outputType = isOfVertices ? library.table().vertex_types[output.type].name : "";
  const bool isOfEdges = output.domain == GNN_DOMAIN_EDGE && library.relation(output.type).kind == GNN_RELATION_EDGES;
  rt::require(!options.asTable() || isOfVertices || isOfEdges, GNN_ERROR_ARGUMENT, output.name,
              " is no output of vertices or edges: it is written as .npy");
  std::vector<int64_t> vertices;
  if (!options.vertices.empty()) { // few vertices are computed as they are
    rt::require(isOfVertices && (options.vertexType.empty() || options.vertexType == outputType), GNN_ERROR_ARGUMENT,
                "--vertices: ", output.name, " has no rows for vertices",
                options.vertexType.empty() ? "" : " of type " + options.vertexType);
    vertices = verticesNamed(rt::VertexNames(*problem.data, typeInData(*problem.data, outputType)), options.vertices);
  }
  auto outputs = !vertices.empty() ? problem.model.inference().inferAt(problem.graph, problem.features, outputType,
                                                                       {vertices.data(), vertices.size()})
                 : problem.config.memory ? outputsWithin(problem)
                                         : problem.model.inference().infer(problem.graph, problem.features);
  for (const auto &[name, table] : outputs) {
    if (name != output.name)
      continue;
    if (options.asTable() && isOfEdges)
      writeEdgeTable(options.predictions, *problem.data, edgesOf(library, output.type, options.data), name, table);
    else if (options.asTable())
      writePredictionTable(options.predictions, *problem.data, typeInData(*problem.data, outputType), name, table,
                           vertices);
    else
      rt::writeNpy(options.predictions, table);
    report(options, name, table);
    return 0;
  }
  rt::fail(GNN_ERROR_INTERNAL, library.name(), ": the output ", output.name, " was not computed");
}

} // namespace gnn::train_tool
