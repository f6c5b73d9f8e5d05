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
#include "support/Process.h"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/FolderLock.h"
#include "tools/gnn-data/ImportTables.h"
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

using namespace gnn::data_tool;
using gnn::rt::DateOrder;
using gnn::rt::require;

namespace {

/// What was decided for the folder of --like.
void takeLike(ImportOptions &options) {
  std::error_code error;
  require(!std::filesystem::equivalent(options.likeFolder, options.to, error), GNN_ERROR_ARGUMENT,
          "--like: ", options.to, " would be replaced");
  const std::string path = options.likeFolder + "/import.json";
  options.like = gnn::rt::ImportRecord::parse(gnn::rt::readFile(path).span(), path);
  for (const gnn::rt::VertexRecord &table : options.like->vertices)
    for (const gnn::rt::ColumnForm &column : table.columns) { // without any, the words are of edges alone
      require(options.cells.missing.empty() || options.cells.missing == column.missing, GNN_ERROR_ARGUMENT,
              "--missing: ", path, " says which words are missing");
      options.cells.missing = column.missing;
    }
}

/// A data set may hold more than an import writes, such as pairs that were taken out of its edges.
void requireNoDataset(const ImportOptions &options) {
  for (const char *file : {"dataset.json", "edge_index.npy"}) {
    std::error_code error; // of what cannot be looked at writing says more
    require(options.existOk || !std::filesystem::exists(options.to + "/" + file, error), GNN_ERROR_ARGUMENT, options.to,
            " holds a data set (", file, "): --exist-ok replaces it, another folder keeps it");
  }
}

/// The label with its table and kind, as options.
std::vector<std::pair<std::string, std::string>> labelOf(const gnn::rt::ImportRecord &record,
                                                         const gnn::rt::Dataset &data) {
  if (record.labelled.empty() || !data.labels) // --like names a label that need not be there
    return {};
  return {{"label", record.labelled + "." + record.label}, {"label-kind", data.numClasses > 0 ? "class" : "number"}};
}

int import(const ImportOptions &options, const CLI::App &command) {
  if (!options.isDryRun)
    requireNoDataset(options); // before a long time of reading
  std::error_code unknown;     // of what is not there reading says more
  require(!std::filesystem::equivalent(options.path, options.to, unknown), GNN_ERROR_ARGUMENT, options.to,
          ": is what is imported, and would be written over");
  gnn::rt::Dataset data;
  data.source = options.to;
  data.name = std::filesystem::path(options.to).lexically_normal().filename().string();
  Notes notes;
  const std::optional<gnn::rt::ImportRecord> record = importData(options, data, notes);
  if (options.isDryRun) {
    require(record.has_value(), GNN_ERROR_ARGUMENT, "--dry-run applies to tables, not to ", options.path);
    for (const std::string &note : notes)
      std::cout << "# " << gnn::tools::printable(note) << "\n";
    std::cout << "# " << data.totalVertices() << " vertices, " << data.numEdges() << " edges\n"
              << specificationText(notes.tables, notes.times, command, labelOf(*record, data));
    return 0;
  }
  const std::string recordFile = "import.json";
  gnn::rt::TextFiles others;
  if (record)
    others[recordFile] = record->text();
  const FolderLock lock(options.to, "imports into");
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
  auto decimal = std::make_shared<std::string>("auto");
  auto thousands = std::make_shared<std::string>("auto");
  auto badCells = std::make_shared<std::string>("error");
  auto encoding = std::make_shared<std::string>("utf-8");
  auto unknown = std::make_shared<std::string>("error");
  auto duplicates = std::make_shared<std::string>("error");
  auto places = std::make_shared<std::vector<std::string>>();
  CLI::App *command = app.add_subcommand(
      "import", "Make a data set of tables of vertices and edges: CSV, TSV, blanks between columns, Matrix Market; or "
                "of GraphML, .npz, OGB, TUDataset, GraphBolt\n\n"
                "  gnn-data import edges.csv shop --vertices users.csv --label fraud\n"
                "  gnn-data import shop --vertices customer=customers.csv --vertices product=products.csv \\\n"
                "    --edges customer:bought:product=orders.csv --label customer.churned --split 60%,20%\n");
  command
      ->add_option(
          "source to", *places,
          "The folder to write; before it a file of edges, unless --edges names some, or what has everything: a "
          ".yaml file of --dry-run, GraphML, a .npz archive, a folder of the Open Graph Benchmark or of DGL's "
          "GraphBolt. Files may be packed by gzip or zstd; - is the standard input")
      ->required()
      ->expected(1, 2)
      ->type_name("PATH");
  const auto repeatable = [&](const char *name, std::vector<std::string> &values, const char *help, const char *type) {
    return command->add_option(name, values, help)->allow_extra_args(false)->type_name(type);
  };
  repeatable("--vertices", options->vertices, "A file with a row for each vertex; TYPE names several", "[TYPE=]FILE");
  repeatable("--edges", options->edges,
             "A file with a row for each edge; SRC:REL:DST names the types of its ends and the relation",
             "[SRC:REL:DST=]FILE");
  repeatable("--id", options->ids, "The column of ids of a table of vertices (default: by its name)", "[TYPE=]COLUMN");
  repeatable("--ends", options->ends, "The columns of a relation's sources and destinations (default: by their names)",
             "REL=COLUMN,COLUMN");
  command->add_option("--source", options->source, "The column of the sources, where there is one file of edges")
      ->type_name("COLUMN");
  command->add_option("--target", options->target, "The column of the targets, where there is one file of edges")
      ->type_name("COLUMN");
  repeatable("--edge-type", options->edgeTypes, "A column of edges that gives them types", "[REL.]COLUMN");
  command->add_flag("--undirected", options->isUndirected,
                    "Add each edge between vertices of one type the other way round too");
  command
      ->add_option("--label", options->label,
                   "The column of vertices or edges that is to be predicted: classes, or numbers")
      ->type_name("[TABLE.]COLUMN");
  command
      ->add_option("--label-kind", options->labelKind,
                   "class or number (default: integers and texts are classes, other numbers numbers)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, LabelKind>{{"class", LabelKind::Class}, {"number", LabelKind::Number}}))
      ->type_name("KIND");
  command
      ->add_option("--split", options->split,
                   "A column beside the label that says train, val or test; or 20,30: so many of each class to train "
                   "and to validate, the rest to test; or 60%,20%: such shares of all; or, with --by, boundaries: "
                   "2024-03-01,2024-05-01 validates from the first on and tests from the second on")
      ->type_name("COLUMN|TRAIN,VAL");
  repeatable(
      "--by", options->by,
      "The column of dates or numbers by which --split divides: what is earlier trains, and sees no later edges. "
      "Means and categories are those of the training rows then. Edges have their own column (default: the only "
      "one of dates)",
      "[TABLE.]COLUMN");
  command
      ->add_option("--split-edges", options->splitEdges,
                   "Edges that become pairs for a model of links, as 80%,10%: such shares train and validate, the rest "
                   "tests; with --by the later ones, or boundaries. What does not train leaves the graph, with all "
                   "edges between the same vertices")
      ->type_name("[REL=]TRAIN,VAL");
  repeatable(
      "--pairs", options->pairs,
      "A file of pairs for a model of links: SPLIT is train, val or test. Without --edges, the pairs of training "
      "are the graph's edges, too",
      "SPLIT[:REL]=FILE");
  command
      ->add_option("--graph-id", options->graphId,
                   "The column of a table of vertices that names the graph of each: there are vertices of type Graph "
                   "then, which --label Graph.COLUMN labels and --vertices Graph=FILE describes. Where tables of edges "
                   "have the column, too, ids are those within a graph")
      ->type_name("[TYPE.]COLUMN");
  command->add_option("--seed", options->seed, "Seed of such splits");
  command->add_option("--drop", options->dropped, "Columns not to read, as name,comment or customer.name")
      ->delimiter(',')
      ->type_name("[TABLE.]COLUMNS");
  repeatable(
      "--column", options->kinds,
      "The kind of a column: number, date (date:dmy has the day first, date:mdy the month), boolean, category or "
      "text (default: found out from all of its cells)",
      "[TABLE.]COLUMN=KIND");
  command->add_option("--decimal", *decimal, "What is before the decimals of numbers (default: found out by column)")
      ->check(CLI::IsMember({"auto", "point", "comma"}));
  command
      ->add_option("--thousands", *thousands,
                   "What separates thousands, where numbers are written so (default: found out by column)")
      ->check(CLI::IsMember({"auto", "point", "comma", "blank", "apostrophe"}));
  command
      ->add_option("--dates", options->cells.dates,
                   "ymd, dmy or mdy: the order of year, month and day (default: found out by column)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, DateOrder>{
          {"ymd", DateOrder::YearMonthDay}, {"dmy", DateOrder::DayMonthYear}, {"mdy", DateOrder::MonthDayYear}}))
      ->type_name("ORDER");
  command
      ->add_option("--bad-cells", *badCells,
                   "missing: where nine of ten cells or more are numbers, dates or booleans, the others are read as "
                   "missing and counted (default: they are an error)")
      ->check(CLI::IsMember({"error", "missing"}));
  command
      ->add_option("--missing", options->cells.missing,
                   "Words for missing cells, as unknown,-999, in place of NA, NaN, null, None and their like; empty "
                   "cells are missing in any case")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORDS");
  command
      ->add_option("--unknown", *unknown,
                   "skip: edges of vertices that are not in the table are left out and counted; add: such vertices get "
                   "rows whose cells are all missing (default: an error)")
      ->check(CLI::IsMember({"error", "skip", "add"}));
  command
      ->add_option("--duplicates", *duplicates,
                   "first: of rows with the same id the first one counts (default: an error)")
      ->check(CLI::IsMember({"error", "first"}));
  command
      ->add_option("--rejects", options->faults.rejects,
                   "Write faulty rows to this CSV file, with line and reason, and read on; the import fails at the end "
                   "unless --max-rejects allows so many")
      ->type_name("FILE");
  command
      ->add_option("--max-rejects", options->faults.most, "Leave out so many faulty rows, or such a share (default: 0)")
      ->type_name("N|P%");
  command->add_flag(
      "--dry-run", options->isDryRun,
      "Read everything and write no data set: print what was decided as YAML, which `import FILE.yaml` reads");
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
      ->check(CLI::IsMember({"auto", "comma", "semicolon", "tab", "blank", "bar", "colons"}));
  command->add_option("--header", *header, "Whether the first row names the columns (default: if it looks so)")
      ->check(CLI::IsMember({"auto", "yes", "no"}));
  command
      ->add_option("--encoding", *encoding,
                   "latin1: tables are in ISO 8859-1 (default: utf-8). Bytes of rejected rows are counted as in UTF-8")
      ->check(CLI::IsMember({"utf-8", "latin1"}));
  command->callback([=, &chosen] {
    options->to = places->back();
    options->path = places->size() > 1 ? places->front() : "";
    options->form.delimiter = *delimiter == "comma"       ? ','
                              : *delimiter == "semicolon" ? ';'
                              : *delimiter == "tab"       ? '\t'
                              : *delimiter == "blank"     ? ' '
                              : *delimiter == "bar"       ? '|'
                              : *delimiter == "colons"    ? ':'
                                                          : 0;
    if (*header != "auto")
      options->form.hasHeader = *header == "yes";
    options->isScaled = *scale == "standard";
    options->form.isLatin1 = *encoding == "latin1";
    const std::map<std::string, char> characters{{"point", '.'}, {"comma", ','}, {"blank", ' '}, {"apostrophe", '\''}};
    if (*decimal != "auto")
      options->cells.decimal = characters.at(*decimal);
    if (*thousands != "auto")
      options->cells.thousands = characters.at(*thousands);
    require(!options->cells.decimal || options->cells.decimal != options->cells.thousands, GNN_ERROR_ARGUMENT,
            "--decimal and --thousands are the same, ", *decimal);
    options->cells.badAreMissing = *badCells == "missing";
    options->faults.skipsUnknown = *unknown == "skip";
    options->faults.addsUnknown = *unknown == "add";
    options->faults.takesFirst = *duplicates == "first";
    if (!options->likeFolder.empty())
      takeLike(*options);
    chosen = [options, command] { return import(*options, *command); };
  });
}
