//===- FixedFields.h - What programs keep of the same data ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training and evaluation over one binding often keep the same: the sum of the features with which both begin. It is
// known by how it is made, and is there once.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_FIXEDFIELDS_H
#define GNN_EXEC_FIXEDFIELDS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/program/MemoryPlan.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gnn::rt {

/// The fixed fields of one library over one binding on one engine.
class FixedFields {
public:
  struct Field {
    std::unique_ptr<Memory> memory;
    std::optional<uint64_t> madeFor; // Binding::numRebinds of the inputs that it was made of, if it was
  };
  using ByTensor = std::map<uint32_t, std::shared_ptr<Field>>;

  /// The fields that the `fixed` steps of `program` (see findFixedSteps) write and `plan` keeps, by tensor of the
  /// library. Callers whose fields are computed alike share them, for as long as one caller holds them.
  ByTensor of(const Library &library, const gnn_program_t &program, const std::vector<bool> &fixed,
              const MemoryPlan &plan, Engine &engine);

private:
  std::map<std::vector<int64_t>, int64_t> numbers; // by how a tensor is made: the step and its operands
  std::map<int64_t, std::weak_ptr<Field>> fields;
};

} // namespace gnn::rt

#endif // GNN_EXEC_FIXEDFIELDS_H
