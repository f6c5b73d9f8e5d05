//===- Specification.h - An import as a file --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of an import and the decisions on their columns, as YAML with the words of the command line:
//
//   vertices:
//     customer:
//       file: "customers.csv"
//       id: "customer_id"
//       columns:
//         "age": number
//   edges:
//     "customer:bought:product":
//       file: "orders.csv"
//       ends: ["customer_id", "product_id"]
//   label: "customer.churned"
//   split: "60%,20%"
//   by: ["customer.seen", "bought.day"]
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_SPECIFICATION_H
#define GNN_TOOLS_DATA_SPECIFICATION_H

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace gnn::data_tool {

/// Decisions on one table.
struct TableDecisions {
  bool isOfEdges = false;
  std::string name, file;        // a type or SOURCE:RELATION:DESTINATION; empty without a schema
  std::vector<std::string> keys; // columns: the id of vertices, the ends of edges
  std::string typeColumn;        // of edges
  std::vector<std::pair<std::string, std::string>> columns; // name and kind, as --column has it; "drop"
};

/// The specification of an import with these tables, columns of --by, and the options of `command`, which `others`
/// complete.
std::string specificationText(const std::vector<TableDecisions> &tables, const std::vector<std::string> &times,
                              const CLI::App &command, const std::vector<std::pair<std::string, std::string>> &others);

/// The arguments of the command line, in which a specification, the first one behind `import`, is replaced by the
/// options that it stands for. Options that are given beside it take their place. Throws a data error with file and
/// line for what no specification has.
std::vector<std::string> withSpecification(std::vector<std::string> arguments);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_SPECIFICATION_H
