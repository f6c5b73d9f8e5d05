//===- FixedFields.cpp - What programs keep of the same data --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/FixedFields.h"

#include "runtime/src/program/Steps.h"

namespace gnn::rt {

FixedFields::ByTensor FixedFields::of(const Library &library, const gnn_program_t &program,
                                      const std::vector<bool> &fixed, const MemoryPlan &plan, Engine &engine) {
  std::map<uint32_t, int64_t> made; // by tensor: its number
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    if (!fixed[s])
      continue;
    const ProgramStep step = library.step(program.steps[s]);
    std::vector<int64_t> how{step->kind,      step->kernel,      step->relation,
                             step->direction, step->vertex_type, int64_t(step->flags)};
    for (const Operand input : step.inputs()) {
      auto found = made.find(input.tensor);
      how.push_back(found == made.end() ? -1 - int64_t(input.tensor) : found->second);
    }
    for (const Operand output : step.outputs()) {
      how.push_back(output.index);
      made[output.tensor] = numbers.emplace(how, int64_t(numbers.size())).first->second;
      how.pop_back();
    }
  }
  ByTensor kept;
  for (const PlannedTensor &tensor : plan.tensors) {
    if (!tensor.isKept)
      continue;
    std::weak_ptr<Field> &known = fields[made.at(tensor.tensor)];
    std::shared_ptr<Field> field = known.lock();
    if (!field)
      known = field = std::make_shared<Field>(Field{engine.allocate(tensor.bytes), std::nullopt});
    kept[tensor.tensor] = std::move(field);
  }
  return kept;
}

} // namespace gnn::rt
