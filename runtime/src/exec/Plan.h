//===- Plan.h - How a program goes over a graph -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions that, with model, data, seed and machine, determine the bits of a run. Checkpoints store the plan as
// JSON, so that training is resumed under the same decisions.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_PLAN_H
#define GNN_EXEC_PLAN_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/exec/Executor.h"

#include <map>
#include <string>

namespace gnn::rt {

struct Plan {
  static constexpr int64_t version = 1; // of the JSON

  std::string executor;                       // who decides on views: "whole graph"
  std::string program;                        // which one of several; empty: there is one
  std::string products;                       // what dense products round to: "bf16"; empty: nothing
  std::map<std::string, std::string> samples; // "fan-outs" and "batch" of steps that are not over all
  std::map<std::string, std::string> orders;  // of the vertices of a type: "ids", or a checksum of another order
  std::map<std::string, int64_t> folds;       // how many are folded by themselves before others: "segment", "slot", ...
  std::map<std::string, std::string> inputs;  // by name: "dense f32"

  static Plan of(const Library &library, const Binding &binding, const Executor &executor);
  /// Throws GNN_ERROR_DATA, or GNN_ERROR_VERSION for one of another version; `file` names it in messages.
  static Plan parse(const std::string &json, const std::string &file);
  std::string json() const;

  /// Throws GNN_ERROR_MISMATCH unless `before`, of `file`, is the same.
  void requireSame(const Plan &before, const std::string &file) const;
};

} // namespace gnn::rt

#endif // GNN_EXEC_PLAN_H
