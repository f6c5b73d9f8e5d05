//===- Import.cpp - gnn-data import ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A data set from tables of edges and vertices, with ids of any kind.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/FolderLock.h"
#include "support/Process.h"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/ImportTables.h"
#include <filesystem>
#include <iostream>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

/// What was decided for the folder of --like.
void takeLike(ImportOptions &options) {
  std::error_code error;
  require(!std::filesystem::equivalent(options.likeFolder, options.to, error), GNN_ERROR_ARGUMENT,
          "--like: ", options.to, " would be replaced");
  const std::string path = options.likeFolder + "/import.json";
  options.like = ImportRecord::parse(gnn::rt::readFile(path).span(), path);
  options.isUndirected = options.isUndirected || options.like->isUndirected;
}

/// A data set may hold more than an import writes, such as pairs that were taken out of its edges.
void requireNoDataset(const ImportOptions &options) {
  for (const char *file : {"dataset.json", "edge_index.npy"}) {
    std::error_code error; // of what cannot be looked at writing says more
    require(options.existOk || !std::filesystem::exists(options.to + "/" + file, error), GNN_ERROR_ARGUMENT, options.to,
            " holds a data set (", file, "): --exist-ok replaces it, another folder keeps it");
  }
}

int import(const ImportOptions &options) {
  requireNoDataset(options); // before a long time of reading
  std::error_code unknown;   // of what is not there reading says more
  gnn::rt::require(!std::filesystem::equivalent(options.edges, options.to, unknown), GNN_ERROR_ARGUMENT, options.to,
                   ": is what is imported, and would be written over");
  gnn::rt::Dataset data;
  data.source = options.to;
  data.name = std::filesystem::path(options.to).lexically_normal().filename().string();
  Notes notes;
  const std::optional<ImportRecord> record = importData(options, data, notes);
  const std::string recordFile = "import.json";
  gnn::rt::TextFiles others;
  if (record)
    others[recordFile] = record->text();
  const gnn::rt::FolderLock lock(options.to, "imports into");
  requireNoDataset(options); // another process may have written one meanwhile
  gnn::rt::saveDataset(data, options.to, others);
  std::error_code error;
  if (!record) // that of what was there before goes
    std::filesystem::remove(options.to + "/" + recordFile, error);
  require(!error, GNN_ERROR_IO, options.to, "/", recordFile,
          " is of an earlier import and can't be removed: ", error.message());
  for (const std::string &note : notes)
    std::cout << "  " << gnn::tools::printable(note) << "\n";
  std::cout << "wrote " << options.to << ": " << data.totalVertices() << " vertices, " << data.numEdges() << " edges\n";
  return 0;
}

} // namespace

void gnn::data_tool::addImport(CLI::App &app, Action &chosen) {
  auto options = std::make_shared<ImportOptions>();
  auto delimiter = std::make_shared<std::string>("auto");
  auto header = std::make_shared<std::string>("auto");
  auto scale = std::make_shared<std::string>("standard");
  CLI::App *command =
      app.add_subcommand("import", "Make a data set of a table of edges and one of vertices: CSV, TSV, "
                                   "blanks between columns, Matrix Market; or of GraphML, .npz, OGB, GraphBolt");
  command
      ->add_option("edges", options->edges,
                   "The file of the edges; or what has all: GraphML, a .npz archive, a folder of the Open Graph "
                   "Benchmark or of DGL's GraphBolt")
      ->required();
  command->add_option("to", options->to, "The folder to write")->required();
  command->add_option("--source", options->source, "The column of the sources (default: by its name, or the first)")
      ->type_name("COLUMN");
  command->add_option("--target", options->target, "The column of the targets (default: by its name, or the second)")
      ->type_name("COLUMN");
  command->add_option("--edge-type", options->edgeType, "The column of the edges' types")->type_name("COLUMN");
  command->add_flag("--undirected", options->isUndirected, "Add each edge the other way round too");
  command->add_option("--vertices", options->vertices, "A file with a row for each vertex")->type_name("FILE");
  command->add_option("--id", options->id, "Its column of ids (default: by its name, or the first)")
      ->type_name("COLUMN");
  command->add_option("--label", options->label, "Its column of what is to be predicted: classes, or numbers")
      ->type_name("COLUMN");
  command
      ->add_option("--label-kind", options->labelKind,
                   "class or number (default: integers and texts are classes, other numbers numbers)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, LabelKind>{{"class", LabelKind::Class}, {"number", LabelKind::Number}}))
      ->type_name("KIND");
  command
      ->add_option("--split", options->split,
                   "Its column that says train, val or test; or 20,30: so many of each class to train and to validate, "
                   "the rest to test; or 60%,20%: such shares of all")
      ->type_name("COLUMN|TRAIN,VAL");
  command->add_option("--seed", options->seed, "Seed of such a split");
  command->add_option("--drop", options->dropped, "Columns not to read, as name,comment")
      ->delimiter(',')
      ->type_name("COLUMNS");
  command->add_flag("--exist-ok", options->existOk, "Replace the data set that the folder holds");
  CLI::Option *like =
      command
          ->add_option("--like", options->likeFolder,
                       "Make the features, classes and types of an earlier import: the folder that it wrote")
          ->type_name("FOLDER");
  command->add_option("--scale", *scale, "standard: numbers and dates get mean 0 and deviation 1 (the default)")
      ->check(CLI::IsMember({"standard", "none"}))
      ->excludes(like);
  command->add_option("--delimiter", *delimiter, "What is between columns (default: what gives every row equally many)")
      ->check(CLI::IsMember({"auto", "comma", "semicolon", "tab", "blank"}));
  command->add_option("--header", *header, "Whether the first row names the columns (default: if it looks so)")
      ->check(CLI::IsMember({"auto", "yes", "no"}));
  command->callback([=, &chosen] {
    options->form.delimiter = *delimiter == "comma"       ? ','
                              : *delimiter == "semicolon" ? ';'
                              : *delimiter == "tab"       ? '\t'
                              : *delimiter == "blank"     ? ' '
                                                          : 0;
    if (*header != "auto")
      options->form.hasHeader = *header == "yes";
    options->isScaled = *scale == "standard";
    if (!options->likeFolder.empty())
      takeLike(*options);
    chosen = [options] { return import(*options); };
  });
}
