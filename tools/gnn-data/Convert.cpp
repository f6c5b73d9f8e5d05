//===- Convert.cpp - gnn-data convert --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A data set of another layout, or a folder without dataset.json, to a folder with one.
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/FolderLock.h"
#include <CLI/CLI.hpp>
#include <iostream>

using namespace gnn::data_tool;

namespace {

struct Options {
  std::string from, to;
  uint32_t clean = GNN_CLEAN_NONE;
  std::vector<uint32_t> split;
  uint64_t seed = 0;
};

bool isNpz(const std::string &path) { return path.size() > 4 && path.compare(path.size() - 4, 4, ".npz") == 0; }

int convert(const Options &options) {
  gnn::Dataset data;
  if (isNpz(options.from)) {
    gnn_npz_options_t npz{};
    npz.size = sizeof(npz);
    npz.clean = options.clean;
    npz.seed = options.seed;
    if (!options.split.empty()) {
      npz.train_per_class = options.split[0];
      npz.val_per_class = options.split[1];
    }
    data = gnn::Dataset::importNpz(options.from, npz);
  } else {
    if (options.clean != GNN_CLEAN_NONE || !options.split.empty())
      throw gnn::Error(GNN_ERROR_ARGUMENT, "--clean and --split are for .npz files");
    data = gnn::Dataset::load(options.from);
  }
  const FolderLock lock(options.to, "writes to");
  data.save(options.to);
  std::cout << "wrote " << options.to << ": " << data.numVertices() << " vertices, " << data.numEdges() << " edges\n";
  return 0;
}

} // namespace

void gnn::data_tool::addConvert(CLI::App &app, Action &chosen) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("convert", "Write a .npz file of gnn-benchmark, or a folder, as a folder with dataset.json");
  command->add_option("from", options->from, "A .npz file or a data set folder")->required();
  command->add_option("to", options->to, "The folder to write")->required();
  const std::map<std::string, uint32_t> cleanings{{"none", GNN_CLEAN_NONE}, {"pyg", GNN_CLEAN_PYG}};
  command->add_option("--clean", options->clean, "none: as it is; pyg: 0/1 attributes, no self loops, symmetric")
      ->transform(CLI::CheckedTransformer(cleanings));
  command
      ->add_option("--split", options->split,
                   "TRAIN,VAL: so many vertices of each class for each; the rest is for testing")
      ->delimiter(',')
      ->expected(2);
  command->add_option("--seed", options->seed, "Seed of the split");
  command->callback([&chosen, options] { chosen = [options] { return convert(*options); }; });
}
