//===- Generate.cpp - gnn-data generate ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a generated data set; the kinds are described in gnn/dataset.h.
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include "runtime/src/data/Generators.h"
#include "support/NumberChecks.h"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/FolderLock.h"
#include <iostream>

using namespace gnn::data_tool;
namespace rt = gnn::rt;

void gnn::data_tool::addGenerate(CLI::App &app, Action &chosen) {
  struct Options {
    std::string kind, to;
    gnn_generate_options_t generate{};
  };
  auto options = std::make_shared<Options>();
  gnn_generate_options_t &generate = options->generate;
  generate.size = sizeof(generate);
  CLI::App *command =
      app.add_subcommand("generate", "Write a generated data set; the same options give the same bytes");
  command
      ->add_option(
          "kind", options->kind,
          "karate: Zachary's karate club; planted: a citation-like graph to learn from; relational: with "
          "types of edges; knowledge: a knowledge graph; molecules: small graphs to classify; rmat, powerlaw, hubs, "
          "uniform: random graphs to measure with")
      ->required()
      ->check(CLI::IsMember(
          {"karate", "planted", "relational", "knowledge", "molecules", "rmat", "powerlaw", "hubs", "uniform"}));
  command->add_option("to", options->to, "The folder to write")->required();
  command->add_option("--vertices", generate.num_vertices, "Default 1500 (planted), 16384")
      ->check(gnn::tools::wholeNumber(1));
  command->add_option("--edges", generate.num_edges, "Undirected for planted; default 2 (planted) or 16 a vertex")
      ->check(gnn::tools::wholeNumber(1));
  command->add_option("--features", generate.num_features,
                      "Words (planted; default 480) or dense columns (default 16; -1: none)");
  command->add_option("--classes", generate.num_classes, "Default 6")->check(gnn::tools::wholeNumber(1));
  command->add_option("--seed", generate.seed, "Default 0");
  command->callback([&chosen, options] {
    chosen = [options] {
      const FolderLock lock(options->to, "writes to");
      const rt::GeneratedCounts counts = rt::generateFolder(options->kind, options->generate, options->to);
      std::cout << "wrote " << options->to << ": " << counts.vertices << " vertices, " << counts.edges << " edges\n";
      return 0;
    };
  });
}
