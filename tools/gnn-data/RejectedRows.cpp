//===- RejectedRows.cpp - Rows that an import leaves out ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/RejectedRows.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/AtomicFiles.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

constexpr const char *faultNames[numRowFaults] = {"cast",       "missing_columns", "too_many_columns", "unquoted",
                                                  "missing_id", "duplicate_id",    "unknown_vertex"};

constexpr size_t maxKept = 10000;

/// RFC 4180.
std::string csvCell(const std::string &text) {
  if (text.find_first_of(",\"\n\r") == text.npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// How many rows of `total` may be faulty.
uint64_t limitIn(const std::string &most, uint64_t total) {
  if (most.empty())
    return 0;
  const bool isShare = most.back() == '%';
  const std::optional<double> number = numberIn(isShare ? most.substr(0, most.size() - 1) : most);
  require(number && *number >= 0 && (isShare ? *number <= 100 : integerIn(most).has_value()), GNN_ERROR_ARGUMENT,
          "--max-rejects ", most, ": expected a number of rows, as 10, or a share, as 1%");
  return uint64_t(isShare ? *number * double(total) / 100 : *number);
}

} // namespace

void RejectedRows::add(uint64_t row, RejectedRow rejected) {
  if (!numbers.insert(row).second)
    return; // an earlier pass has it
  const size_t fault = size_t(rejected.fault);
  if (counts[fault]++ == 0)
    firsts[fault] = "line " + std::to_string(rejected.line) + ": " + rejected.message;
  uint64_t &count = numKept[isAllowed(rejected.fault)];
  if (count++ < maxKept)
    kept.push_back(std::move(rejected));
}

uint64_t RejectedRows::numFaulty() const {
  uint64_t sum = 0;
  for (size_t fault = 0; fault < numRowFaults; ++fault)
    sum += isAllowed(RowFault(fault)) ? 0 : counts[fault];
  return sum;
}

std::string RejectedRows::note() const {
  std::string list;
  for (size_t fault = 0; fault < numRowFaults; ++fault)
    if (counts[fault])
      list += (list.empty() ? "" : ", ") + std::to_string(counts[fault]) + " " + faultNames[fault] + " (" +
              firsts[fault] + ")";
  return list.empty()
             ? ""
             : file + ": " + std::to_string(count()) + (count() == 1 ? " row is" : " rows are") + " left out: " + list;
}

void gnn::data_tool::finishRejects(const std::vector<std::shared_ptr<RejectedRows>> &tables,
                                   const FaultOptions &options) {
  uint64_t faulty = 0, total = 0;
  std::string text = "file,line,byte,column,error,value,row\n", first;
  for (const auto &table : tables) {
    faulty += table->numFaulty();
    total += table->total();
    for (const RejectedRow &row : table->rows()) {
      if (first.empty() && !table->isAllowed(row.fault))
        first = table->file + ":" + std::to_string(row.line) + ": " + row.message;
      text += csvCell(table->file) + "," + std::to_string(row.line) + "," + std::to_string(row.byte) + "," +
              csvCell(row.column) + "," + faultNames[size_t(row.fault)] + "," + csvCell(row.value) + "," +
              csvCell(row.row) + "\n";
    }
  }
  const uint64_t limit = limitIn(options.most, total);
  if (!options.rejects.empty())
    gnn::rt::atomicWrite(options.rejects, {{text.data(), text.size()}});
  require(faulty <= limit, GNN_ERROR_DATA, first, "; ", faulty, faulty == 1 ? " row is faulty" : " rows are faulty",
          options.rejects.empty() ? "" : ", listed in " + options.rejects, ": --max-rejects ", faulty,
          " imports the others");
}
