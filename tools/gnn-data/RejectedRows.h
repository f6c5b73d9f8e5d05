//===- RejectedRows.h - Rows that an import leaves out ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault of a row ends an import, unless the user asks to go on: then the row is left out in all passes over its file,
// and said.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_REJECTEDROWS_H
#define GNN_TOOLS_DATA_REJECTEDROWS_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gnn::data_tool {

enum class RowFault { Cast, MissingColumns, TooManyColumns, Unquoted, MissingId, DuplicateId, UnknownVertex };
constexpr size_t numRowFaults = 7;

/// Options for rows with faults.
struct FaultOptions {
  std::string rejects;                            // the file for rejected rows; empty: none
  std::string most;                               // rows that may be rejected, as 10 or 1%; empty: none may be
  bool skipsUnknown = false, addsUnknown = false; // --unknown skip, add
  bool takesFirst = false;                        // --duplicates first

  /// Whether rows with faults of any kind are counted before the import ends with an error or goes on.
  bool collects() const { return !rejects.empty() || !most.empty(); }
  bool areGiven() const { return collects() || skipsUnknown || addsUnknown || takesFirst; }
};

/// A row as the file of rejects has it.
struct RejectedRow {
  uint64_t line = 0, byte = 0; // from 1, from 0
  RowFault fault;
  std::string column, value, row, message;
};

/// Those of one table. `options` outlive it.
class RejectedRows {
public:
  RejectedRows(std::string file, const FaultOptions &options) : file(std::move(file)), options(options) {}

  const std::string file;

  /// Whether rows with other faults than --unknown and --duplicates allow are rejected.
  bool collects() const { return options.collects(); }
  /// Whether the user says that rows with this fault are left out, without being faulty.
  bool isAllowed(RowFault fault) const {
    return (fault == RowFault::UnknownVertex && options.skipsUnknown) ||
           (fault == RowFault::DuplicateId && options.takesFirst);
  }
  bool accepts(RowFault fault) const { return collects() || isAllowed(fault); }
  /// Rows are numbered from 0, in the order of the file.
  bool has(uint64_t row) const { return numbers.count(row) > 0; }
  void add(uint64_t row, RejectedRow rejected);
  void see(uint64_t rows) { numRows = rows > numRows ? rows : numRows; }

  uint64_t count() const { return numbers.size(); }
  /// Those that the user did not allow.
  uint64_t numFaulty() const;
  uint64_t total() const { return numRows; }
  const std::vector<RejectedRow> &rows() const { return kept; }
  /// "3 rows are left out: 2 unknown_vertex (line 17: …), 1 too_many_columns (line 9: …)"; empty: there are none.
  std::string note() const;

private:
  const FaultOptions &options;
  std::unordered_set<uint64_t> numbers;
  std::vector<RejectedRow> kept;     // the first ones
  std::array<uint64_t, 2> numKept{}; // faulty ones, and allowed ones, which leave room for these
  std::array<uint64_t, numRowFaults> counts{};
  std::array<std::string, numRowFaults> firsts;
  uint64_t numRows = 0;
};

/// Writes the file of rejects, and throws a data error if more rows are faulty than the options allow.
void finishRejects(const std::vector<std::shared_ptr<RejectedRows>> &tables, const FaultOptions &options);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_REJECTEDROWS_H
