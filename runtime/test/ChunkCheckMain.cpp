//===- ChunkCheckMain.cpp - chunk-check -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chunk-check [--device=NAME] [--samples | --stream=FOLDER] MODEL.so DATA [NAME=VALUE...]: the programs of a compiled
// library over pieces of a data set against the whole graph, or training on samples of it against a plain reference, or
// programs streamed from a file in a folder against the whole graph, and by several ranks against one process, with
// random parameters and dropout on. Inputs and targets that the data set does not have in the model's shape are random
// too.
//
//===----------------------------------------------------------------------===//

#include "ChunkCheck.h"
#include "RankCheck.h"
#include "ReachCheck.h"
#include "SampleCheck.h"
#include "StreamCheck.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/train/ModelData.h"

#include <cstdio>
#include <cstdlib>

using namespace gnn::rt;

namespace {

/// A random table for an input, over `rows` vertices or edges; open dimensions of its shape become 5. Integers are 0 or
/// 1, a third of the reals is 0.
Feature randomFeature(Dims &dims, const gnn_library_t &table, const gnn_tensor_info_t &info, int64_t rows) {
  std::vector<uint32_t> width(info.shape, info.shape + info.rank);
  if (info.role == GNN_ROLE_WEIGHTS)
    width = {uint32_t(table.vertex_types[table.relations[info.source].source_type].rows)};
  std::vector<int64_t> shape{rows};
  for (uint32_t extent : width) {
    if (!dims.known(extent))
      dims.bindExtent(extent, 5, "chosen by chunk-check");
    shape.push_back(*dims.known(extent));
  }
  bool isReal = info.element == GNN_F32 || info.element == GNN_F64;
  Feature feature;
  feature.dense = Tensor::zeros(isReal ? GNN_F64 : GNN_I64, shape);
  RandomSequence random(rows);
  for (int64_t i = 0; i < feature.dense.count(); ++i)
    if (isReal)
      feature.dense.mutableData<double>()[i] = random.below(3) ? 2 * random.uniform() - 1 : 0;
    else
      feature.dense.mutableData<int64_t>()[i] = int64_t(random.below(2));
  return feature;
}

/// How many vertices or edges an input is of.
int64_t rowsOf(const Dataset &data, const gnn_library_t &table, const gnn_tensor_info_t &info) {
  const bool isOfEdges = info.domain == GNN_DOMAIN_EDGE && info.role != GNN_ROLE_WEIGHTS;
  if (!data.hasSchema())
    return isOfEdges ? data.numEdges() : data.numVertices;
  for (const EdgeTable &relation : data.relations)
    if (isOfEdges && relation.name == table.relations[info.type].name)
      return relation.numEdges();
  const uint32_t type =
      info.role == GNN_ROLE_WEIGHTS ? table.relations[info.source].destination_type : uint32_t(info.type);
  for (const VertexTable &vertices : data.vertexTypes)
    if (!isOfEdges && vertices.name == table.vertex_types[type].name)
      return vertices.count;
  fail(GNN_ERROR_MISMATCH, data.source, " has no vertices or edges for ", info.name);
}

/// The data set's table if it is of the model's rank: a matrix for a sparse input.
const Feature *findFeature(const Features &features, const std::string &name, const gnn_tensor_info_t &info) {
  auto found = features.find(name);
  if (found == features.end())
    return nullptr;
  size_t rank = found->second.sparse ? 2 : found->second.dense.rank();
  return rank == (info.role == GNN_ROLE_WEIGHTS ? 2 : info.rank + 1) ? &found->second : nullptr;
}

/// Features for all inputs and targets of the model, those that the data set has first: they bind dimensions.
Features completeFeatures(Dims &dims, const Library &library, const Dataset &data) {
  Features features = featuresFor(library, data);
  for (bool fromData : {true, false})
    for (const gnn_tensor_info_t &info : library.tensors()) {
      bool isSparse = info.role == GNN_ROLE_WEIGHTS;
      std::string name = isSparse ? library.table().relations[info.source].name : info.name;
      if (!isSparse && info.role != GNN_ROLE_INPUT && info.role != GNN_ROLE_TARGET)
        continue;
      const Feature *feature = findFeature(features, name, info);
      if (!fromData && !feature)
        features[name] = randomFeature(dims, library.table(), info, rowsOf(data, library.table(), info));
      for (uint32_t d = 0; fromData && feature && !isSparse && d < info.rank; ++d)
        dims.bindExtent(info.shape[d], feature->sparse ? feature->sparse->columns() : feature->dense.dim(d + 1),
                        name + " in " + data.name);
    }
  return features;
}

} // namespace

int main(int argc, char **argv) try {
  std::string device = "cpu";
  constexpr char option[] = "--device=";
  if (argc > 1 && std::string(argv[1]).rfind(option, 0) == 0) {
    device = argv[1] + sizeof option - 1;
    --argc;
    ++argv;
  }
  auto isAsked = [&](const char *what) {
    const bool is = argc > 1 && std::string(argv[1]) == what;
    argc -= is;
    argv += is;
    return is;
  };
  const bool withSamples = isAsked("--samples"), withReach = isAsked("--reached");
  std::string streamFolder;
  constexpr char stream[] = "--stream=";
  if (argc > 1 && std::string(argv[1]).rfind(stream, 0) == 0) {
    streamFolder = argv[1] + sizeof stream - 1;
    --argc;
    ++argv;
  }
  if (argc < 3) {
    std::fprintf(stderr, "usage: chunk-check [--device=NAME] [--samples | --reached | --stream=FOLDER] MODEL.so DATA "
                         "[NAME=VALUE...]\n");
    return 2;
  }
  auto library = Library::open(argv[1]);
  auto data = loadDataset(argv[2]);
  Model model(library, openEngine(library, device, /*threads=*/2, /*deviceBytes=*/0));
  for (int i = 3; i < argc; ++i) {
    std::string setting = argv[i];
    size_t equals = setting.find('=');
    model.dims().bind(setting.substr(0, equals), std::atoll(setting.c_str() + equals + 1), setting);
  }
  Features features = completeFeatures(model.dims(), *library, *data);
  std::shared_ptr<const Graph> graph = data->graph(/*transforms=*/0);
  bindDataset(model.dims(), *library, *graph, *data, features);
  model.initialize(/*seed=*/5);
  const Tensor train = data->split("train");
  const Span<const int64_t> seeds = train.values<int64_t>();
  std::vector<std::string> failures = withSamples             ? checkSamples(model, graph, features, seeds)
                                      : withReach             ? checkReach(model, graph, features, seeds)
                                      : !streamFolder.empty() ? checkStream(model, graph, features, seeds, streamFolder)
                                                              : checkChunks(model, graph, features, seeds);
  if (!streamFolder.empty())
    for (const std::string &failure : checkRanks(model, graph, features, seeds, streamFolder))
      failures.push_back(failure);
  for (const std::string &failure : failures)
    std::printf("%s\n", failure.c_str());
  const std::string compared = withSamples            ? "samples"
                               : withReach            ? "reached rows"
                               : streamFolder.empty() ? "chunks"
                                                      : "streamed runs",
                    with = withSamples ? "chunks" : "the whole graph";
  std::printf("%s over %s: %s\n", library->name().c_str(), data->name.c_str(),
              (compared + (failures.empty() ? " match " + with : " differ")).c_str());
  return failures.empty() ? 0 : 1;
} catch (const gnn::Error &error) {
  std::fprintf(stderr, "chunk-check: error: %s\n", error.what());
  return 1;
}
