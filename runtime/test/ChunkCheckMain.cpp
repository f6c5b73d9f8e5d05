//===- ChunkCheckMain.cpp - chunk-check -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chunk-check MODEL.so DATA [NAME=VALUE...]: the programs of a compiled library over pieces of a data set against the whole graph, with random
// parameters and dropout on.
//
//===----------------------------------------------------------------------===//

#include "ChunkCheck.h"
#include "gnn/error.hpp"
#include "runtime/src/train/DataFeatures.h"

#include <cstdio>
#include <cstdlib>

using namespace gnn::rt;

int main(int argc, char **argv) try {
  if (argc < 3) {
    std::fprintf(stderr, "usage: chunk-check MODEL.so DATA [NAME=VALUE...]\n");
    return 2;
  }
  auto library = Library::open(argv[1]);
  auto data = loadDataset(argv[2]);
  Model model(library, /*threads=*/2);
  for (int i = 3; i < argc; ++i) {
    std::string setting = argv[i];
    size_t equals = setting.find('=');
    model.dims().bind(setting.substr(0, equals), std::atoll(setting.c_str() + equals + 1), setting);
  }
  Features features = featuresFor(*library, *data);
  bindDataset(model.dims(), *library, *data, features);
  model.initialize(/*seed=*/5);
  std::vector<std::string> failures = checkChunks(model, data->graph(/*transforms=*/0), features, data->split("train").values<int64_t>());
  for (const std::string &failure : failures)
    std::printf("%s\n", failure.c_str());
  std::printf("%s over %s: %s\n", library->name().c_str(), data->name.c_str(), failures.empty() ? "chunks match the whole graph" : "chunks differ");
  return failures.empty() ? 0 : 1;
} catch (const gnn::Error &error) {
  std::fprintf(stderr, "chunk-check: error: %s\n", error.what());
  return 1;
}
