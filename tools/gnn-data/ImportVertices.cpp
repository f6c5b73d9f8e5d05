//===- ImportVertices.cpp - A table of vertices ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Encoder.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnGuess.h"
#include "tools/gnn-data/ColumnNames.h"
#include "tools/gnn-data/ImportTables.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;
using gnn::rt::Tensor;
using gnn::rt::VertexRecord;

namespace {

/// The table, for further passes.
RereadTable rereadTable(const VertexOptions &own, const ImportOptions &options) {
  return {own.file, [&own, &options] { return openTable(own.file, formOf(own, options), GraphmlPart::Nodes); }};
}

/// "age: number, 3 missing, 2 features".
std::string summaryOf(const ColumnForm &form, const std::vector<ColumnGuess> &seen, const std::string &column,
                      uint64_t numBad) {
  const auto guess = std::find_if(seen.begin(), seen.end(), [&](const ColumnGuess &of) { return of.name == column; });
  std::string text = form.name + ": " + form.kindName() + wordsFor(form);
  if (form.kind == ColumnKind::Category)
    text += " of " + std::to_string(form.values.size());
  if (guess != seen.end() && guess->numMissing())
    text += ", " + std::to_string(guess->numMissing()) + " missing";
  if (numBad)
    text += ", " + std::to_string(numBad) + " bad, read as missing";
  if (guess != seen.end() && !guess->firstOther().empty() && !form.hasValues())
    text += ", no numbers: " + guess->firstOther();
  return text + (form.numFeatures() > 1 ? ", " + std::to_string(form.numFeatures()) + " features" : "");
}

/// The columns of the table that an earlier import made features of, in its order. Others of `columns` are noted.
std::vector<size_t> columnsLike(const VertexOptions &own, const Table &table, const ImportOptions &options,
                                const std::vector<size_t> &columns, Notes &notes) {
  std::vector<size_t> chosen;
  for (const ColumnForm &form : own.like->columns) {
    const auto found =
        std::find_if(columns.begin(), columns.end(),
                     [&](size_t column) { // of columns of one name the next
                       return table.columns()[column] == form.name && !std::count(chosen.begin(), chosen.end(), column);
                     });
    gnn::rt::require(found != columns.end(), GNN_ERROR_DATA, own.file, ": there is no column '", form.name,
                     "', of which ", options.likeFolder, " has features");
    chosen.push_back(*found);
  }
  const std::string &label = options.like->label;
  for (size_t column : columns)
    if (!std::count(chosen.begin(), chosen.end(), column))
      notes.push_back(table.columns()[column] == label
                          ? label + " is what " + options.likeFolder + " predicts: --label " + label + " reads it"
                          : "column " + table.columns()[column] + " is left out: " + options.likeFolder + " has none");
  return chosen;
}

std::string typeName(const VertexOptions &own) { return own.type.empty() ? gnn::rt::plainType : own.type; }

/// Throws a data error that says why the cell of the table's row has no features.
[[noreturn]] void failAtBadCell(const Table &table, std::string_view cell, const ColumnForm &form,
                                const ImportOptions &options) {
  if (const auto number = numberIn(cell); form.kind == ColumnKind::Number && number && !fitsFloat(*number))
    table.fail("the column '", form.name, "' is '", cell,
               "', which 32 bits would round: --scale standard keeps its difference from the mean, --drop leaves the "
               "column out");
  table.fail("the column '", form.name, "' is '", cell, "', expected a ", form.kindName(),
             options.like ? ", as in " + options.likeFolder : std::string());
}

/// A further pass over the table, for the feature `x`. Returns the counts of cells, by column.
std::vector<gnn_cell_counts_t> writeFeatures(const VertexOptions &own, const ImportOptions &options,
                                             const VertexRecord &record, const std::vector<size_t> &columns,
                                             gnn::rt::Dataset &part) {
  std::vector<gnn_cell_counts_t> counts(columns.size());
  const size_t width = record.width();
  if (width == 0)
    return counts;
  Tensor features = Tensor::empty(GNN_F32, {part.numVertices, int64_t(width)});
  float *row = features.mutableData<float>();
  std::vector<std::string_view> cells(columns.size());
  rereadTable(own, options).forRows(part.numVertices, [&](const Table &table) {
    for (size_t i = 0; i < columns.size(); ++i)
      cells[i] = table.cell(columns[i]);
    gnn::rt::encodeRow(record, cells.data(), row, counts.data());
    for (size_t i = 0; i < columns.size(); ++i)
      if (counts[i].bad && !options.cells.badAreMissing)
        failAtBadCell(table, cells[i], record.columns[i], options);
    row += width;
  });
  part.vertexFeatures["x"] = {features, std::nullopt};
  return counts;
}

/// Sets the forms of all columns but those without features, which are noted and taken out of `guesses` and `columns`.
void leaveOut(const VertexOptions &own, std::vector<ColumnGuess> &guesses, std::vector<size_t> &columns,
              std::vector<ColumnForm> &forms, Notes &notes) {
  std::vector<ColumnGuess> used;
  std::vector<size_t> usedColumns;
  for (size_t i = 0; i < guesses.size(); ++i) {
    ColumnForm form = guesses[i].form(own.file);
    if (const std::string why = guesses[i].whyLeftOut(form); !why.empty()) {
      notes.push_back("column " + guesses[i].name + " is left out: " + why);
      continue;
    }
    forms.push_back(std::move(form));
    used.push_back(std::move(guesses[i]));
    usedColumns.push_back(columns[i]);
  }
  guesses.swap(used);
  columns.swap(usedColumns);
}

/// Sets means and scales: those that the guesses computed on the way, the others by one more pass over the table. If
/// `isTraining` says which rows train, means, scales, categories and flags of missing cells are of these alone.
void measure(const VertexOptions &own, const ImportOptions &options, const std::vector<ColumnGuess> &guesses,
             const std::vector<size_t> &columns, int64_t rows, const std::vector<bool> &isTraining,
             std::vector<ColumnForm> &forms) {
  std::vector<std::optional<Moments>> moments;
  std::vector<size_t> unknown;
  const bool isDivided = !isTraining.empty();
  for (size_t i = 0; i < forms.size(); ++i) {
    moments.push_back(!isDivided ? guesses[i].moments(forms[i]) : std::nullopt);
    if (isDivided || (forms[i].hasValues() && !moments[i]))
      unknown.push_back(i);
  }
  for (size_t i : unknown) {
    moments[i].emplace();
    if (isDivided) {
      forms[i].saysMissing = false;
      forms[i].values.clear();
    }
  }
  size_t row = 0;
  if (!unknown.empty())
    rereadTable(own, options).forRows(rows, [&](const Table &table) {
      if (isDivided && !isTraining[row++])
        return;
      for (size_t i : unknown) {
        const std::string_view cell = table.cell(columns[i]);
        ColumnForm &form = forms[i];
        const bool isAbsent = options.cells.isMissing(cell);
        const std::optional<double> value = isAbsent || !form.hasValues() ? std::nullopt : form.value(cell);
        if (value)
          moments[i]->add(*value);
        else if (form.hasValues())
          form.saysMissing = true;
        else if (form.kind == ColumnKind::Category && !isAbsent)
          if (const auto at = std::lower_bound(form.values.begin(), form.values.end(), cell);
              at == form.values.end() || *at != cell)
            form.values.emplace(at, cell);
      }
    });
  for (size_t i = 0; i < forms.size(); ++i) {
    if (!forms[i].hasValues())
      continue;
    const double deviation = moments[i]->deviation();
    forms[i].mean = moments[i]->mean();
    if (options.isScaled && forms[i].kind != ColumnKind::Boolean)
      forms[i].scale = deviation > 0 ? 1 / deviation : 0;
  }
}

} // namespace

/// A table of a data set without a schema may have them in the first column, whatever it is called.
size_t gnn::data_tool::columnOfKeys(const Table &table, const VertexOptions &own) {
  const std::vector<std::string> &names = table.columns();
  if (!own.id.empty())
    return table.column(own.id);
  if (!table.hasNames())
    return 0;
  if (own.type.empty())
    return columnOfIds(names).value_or(0);
  const std::vector<size_t> keys = keysOf(names, own.type);
  const std::string say = ": --id " + own.type + "=COLUMN says which column has the ids";
  gnn::rt::require(!keys.empty(), GNN_ERROR_DATA, own.file, ": no column is called id or ", own.type, "_id", say);
  gnn::rt::require(keys.size() == 1, GNN_ERROR_DATA, own.file, ": the ids may be in the column '", names[keys[0]],
                   "' or '", names[keys.back()], "'", say);
  return keys[0];
}

/// Rejects rows without an id, with the id of an earlier row, or with a cell that is not of its column's kind, if the
/// import goes on after such faults.
static void rejectRows(const VertexOptions &own, const ImportOptions &options) {
  const auto open = [&] { return openTable(own.file, formOf(own, options), GraphmlPart::Nodes); };
  std::unique_ptr<Table> table = open();
  const size_t id = columnOfKeys(*table, own);
  CellOptions cells = options.cells;
  cells.badAreMissing = true;
  std::optional<size_t> by;
  if (!own.labels.by.empty())
    by = table->column(own.labels.by);
  std::vector<std::pair<size_t, ColumnGuess>> guesses;
  for (size_t column = 0; column < table->columns().size(); ++column) {
    const std::string &name = table->columns()[column];
    if (column != id && !(column == 0 && table->hasNames() && isUnnamed(name)) && name != own.labels.label &&
        name != own.labels.split && !std::count(own.dropped.begin(), own.dropped.end(), name))
      guesses.emplace_back(column, ColumnGuess(name, table->isText(column), ColumnGuess::Use::Feature, cells,
                                               choiceOf(own.choices, name)));
  }
  TextIndex ids;
  while (table->next()) {
    const std::string_view key = table->cell(id);
    if (key.empty())
      table->reject(RowFault::MissingId, table->columns()[id], key, "the column '", table->columns()[id],
                    "' is empty, expected the vertex's id");
    else if (const int64_t known = ids.size(); ids.numberOf(key) < known)
      table->reject(RowFault::DuplicateId, table->columns()[id], key, "the id '", key, "' is there twice");
    else
      for (auto &[column, guess] : guesses)
        guess.see(table->cell(column), table->line());
  }
  if (!own.rejected->collects() || options.cells.badAreMissing)
    return;
  std::vector<ColumnForm> forms;
  for (const auto &[column, guess] : guesses) {
    const auto like = [&, &name = guess.name](const ColumnForm &form) { return form.name == name; };
    const auto earlier = own.like ? std::find_if(own.like->columns.begin(), own.like->columns.end(), like)
                                  : std::vector<ColumnForm>::const_iterator();
    forms.push_back(!own.like || column == by            ? guess.form(own.file)
                    : earlier != own.like->columns.end() ? *earlier
                                                         : ColumnForm()); // which is not read
  }
  for (table = open(); table->next();)
    for (size_t i = 0; i < forms.size(); ++i) {
      const std::string_view cell = table->cell(guesses[i].first);
      if (!forms[i].hasValues() || options.cells.isMissing(cell) || forms[i].value(cell))
        continue;
      table->reject(RowFault::Cast, forms[i].name, cell, "the column '", forms[i].name, "' is '", cell,
                    "', expected a ", forms[i].kindName());
      break;
    }
}

TextForm gnn::data_tool::formOf(const VertexOptions &own, const ImportOptions &options) {
  TextForm form = options.form;
  form.named = own.dropped;
  form.named.insert(form.named.end(), {own.id, own.labels.label, own.labels.split, own.labels.by});
  form.rejected = own.rejected;
  if (own.like)
    for (const ColumnForm &column : own.like->columns)
      form.named.push_back(column.name);
  return form;
}

ReadVertices gnn::data_tool::importVertices(const VertexOptions &own, const ImportOptions &options, rt::Dataset &data,
                                            Notes &notes, rt::ImportRecord &record) {
  if (options.faults.areGiven())
    rejectRows(own, options);
  // The first pass: ids, labels and splits, and what the other columns hold.
  const std::unique_ptr<Table> opened = openTable(own.file, formOf(own, options), GraphmlPart::Nodes);
  Table &table = *opened;
  const std::vector<std::string> &names = table.columns();
  const size_t id = columnOfKeys(table, own);
  if (const std::string note = table.note(); !note.empty())
    notes.push_back(note);
  Labelling labelling(table, rereadTable(own, options), own.labels, own.choices, options, typeName(own));
  const std::optional<size_t> time = labelling.timeColumn();
  std::vector<size_t> columns;
  std::vector<ColumnGuess> guesses;
  for (size_t column = 0; column < names.size(); ++column)
    if (column != id && !labelling.reads(column) && column != time &&
        !(column == 0 && table.hasNames() && isUnnamed(names[0])) &&
        !std::count(own.dropped.begin(), own.dropped.end(), names[column])) {
      columns.push_back(column);
      guesses.emplace_back(names[column], table.isText(column), ColumnGuess::Use::Feature, options.cells,
                           choiceOf(own.choices, names[column]));
    }
  IdColumn ids;
  size_t numIntegers = 0; // before the first other id
  std::string other;
  while (table.next()) {
    if (table.cell(id).empty())
      table.fail("the column '", names[id], "' is empty, expected the vertex's id");
    const bool hadTexts = ids.hasTexts();
    ids.add(table.cell(id));
    if (!hadTexts && ids.hasTexts()) {
      numIntegers = ids.size() - 1;
      other = "'" + std::string(table.cell(id)) + "' in line " + std::to_string(table.line());
    }
    labelling.take(table, table.cell(id));
    for (size_t i = 0; i < columns.size(); ++i)
      guesses[i].see(table.cell(columns[i]), table.line());
  }
  data.numVertices = int64_t(ids.size());
  if (ids.hasTexts() && numIntegers >= 9 * (ids.size() - numIntegers)) // a row of totals, or a footer
    notes.push_back("warning: the ids in '" + names[id] + "' are integers up to " + other +
                    "; is it a vertex? If not, delete the row");
  labelling.finish(data, record, notes);
  if (time)
    notes.times.push_back(typeName(own) + "." + names[*time]);

  VertexRecord &features = record.vertices.emplace_back(VertexRecord{typeName(own), {}});
  if (own.like) {
    features.columns = own.like->columns;
    columns = columnsLike(own, table, options, columns, notes);
  } else {
    leaveOut(own, guesses, columns, features.columns, notes);
    measure(own, options, guesses, columns, data.numVertices, labelling.trainingRows(), features.columns);
  }
  const std::vector<gnn_cell_counts_t> counts = writeFeatures(own, options, features, columns, data);
  for (size_t i = 0; i < columns.size(); ++i)
    notes.push_back(summaryOf(features.columns[i], guesses, names[columns[i]], counts[i].bad));
  TableDecisions &decisions = notes.tables.emplace_back();
  decisions.name = own.type;
  decisions.file = own.file;
  decisions.keys = {names[id]};
  for (const std::string &name : names) {
    const auto form = std::find_if(features.columns.begin(), features.columns.end(),
                                   [&](const ColumnForm &column) { return column.name == name; });
    if (form != features.columns.end())
      decisions.columns.emplace_back(name, choiceText(*form));
    else if (time && name == names[*time])
      decisions.columns.emplace_back(name, labelling.timeKind());
    else if (name != names[id] && name != own.labels.label && name != own.labels.split && !isUnnamed(name))
      decisions.columns.emplace_back(name, "drop");
  }
  for (size_t i = 0; i < columns.size(); ++i)
    if (counts[i].unseen)
      notes.push_back(features.columns[i].name + ": " + std::to_string(counts[i].unseen) + " of no category in " +
                      (own.like ? options.likeFolder : "the training rows"));
  VertexIds numbered = VertexIds::ofRows(std::move(ids), [&](size_t twice) {
    const std::unique_ptr<Table> again = openTable(own.file, formOf(own, options), GraphmlPart::Nodes);
    for (size_t row = 0; again->next(); ++row)
      if (row == twice)
        again->fail("the id '", again->cell(id), "' is there twice");
    gnn::rt::fail(GNN_ERROR_DATA, own.file, ": the file has changed while it was read");
  });
  return {std::move(numbered), labelling.phases(), labelling.boundaries()};
}
