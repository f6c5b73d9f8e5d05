//===- Pullback.cpp - Forward now, backward later -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Pullback.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/exec/PoisonMemory.h"

#include <cstring>

namespace gnn::rt {

Pullback::Pullback(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &whole,
                   std::vector<uint32_t> results)
    : engine(machine), library(opened), binding(bound),
      part(PartOfProgram::forResults(library, whole, std::move(results))), program(part->program()),
      view(library, binding), prepared(engine.prepare(binding.dimensions(), program, capacityOf(library, view),
                                                      StepViews(program.num_steps, &view))),
      bases(library.tensors().size()) {
  checkEdgeTypes(library, binding, program);
  auto add = [&](std::map<uint32_t, size_t> &places, uint32_t tensor, size_t &end) {
    places[tensor] = end;
    end += wholeLines(binding.tensorBytes(tensor));
  };
  for (const gnn_use_t &use : usesIn(program))
    if (use.is_kept)
      add(kept, use.tensor, numKept);
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    rooms.push_back(prepared->roomBytes(s));
  memory = planMemory(
      library, program, [&](uint32_t tensor) { return kept.count(tensor) ? 0 : binding.tensorBytes(tensor); }, {}, {},
      rooms);
  for (uint32_t result : resultsIn(program))
    if (!kept.count(result) && !isWrittenInPlace(result))
      add(apart, result, memory.arenaBytes);
  transient = engine.allocateTransient(memory.arenaBytes);
}

/// Whether the rows of a result are the caller's.
bool Pullback::isWrittenInPlace(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  if (info.domain == GNN_DOMAIN_EDGE)
    return info.role != GNN_ROLE_GRAD || binding.edgeSet(info.type)->numGivenEdges() == binding.numEdgeIds(info.type);
  return info.domain == GNN_DOMAIN_PARAM || !binding.order(info.type);
}

template <class Number> static void addRow(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(Number); ++i)
    reinterpret_cast<Number *>(to)[i] += reinterpret_cast<const Number *>(from)[i];
}

/// For the edges that were given, the sums of the rows of a computed table over edges: of the edge and of those that
/// mirror it.
static Tensor sumsOfGivenEdges(const EdgeSet &set, const Tensor &table) {
  std::vector<int64_t> shape = table.shape();
  shape[0] = set.numGivenEdges();
  Tensor sums = Tensor::empty(table.element(), std::move(shape));
  auto *to = static_cast<char *>(sums.mutableData());
  const auto *from = static_cast<const char *>(table.data());
  std::memcpy(to, from, sums.bytes());
  const size_t bytes = table.dim(0) ? table.bytes() / size_t(table.dim(0)) : 0;
  for (int64_t added = 0; added < int64_t(set.addedEdges().size()); ++added)
    if (const int64_t origin = set.addedEdges()[size_t(added)]; origin >= 0)
      (table.element() == GNN_F64 ? addRow<double> : addRow<float>)(to + size_t(origin) * bytes,
                                                                    from + sums.bytes() + size_t(added) * bytes, bytes);
  return sums;
}

void Pullback::deliver(uint32_t tensor, Tensor &to) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const Tensor made = Tensor::view(nullptr, bases[tensor], info.element,
                                   binding.dimensions().shapeOf(info, binding.leadingExtent(info)));
  const bool isOfEdges = info.domain == GNN_DOMAIN_EDGE && info.role == GNN_ROLE_GRAD;
  const Tensor rows =
      isOfEdges ? sumsOfGivenEdges(*binding.edgeSet(info.type), made) : binding.inOriginalOrder(info, made);
  std::memcpy(to.mutableData(), rows.data(), to.bytes());
}

void Pullback::run(uint32_t phase, uint64_t key, void *keptAt, std::vector<Tensor> &results) {
  auto *arena = static_cast<char *>(transient->data());
  poison(engine, arena, memory.arenaBytes);
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = arena + planned.offset;
  for (const auto &[tensor, offset] : apart)
    bases[tensor] = arena + offset;
  for (const auto &[tensor, offset] : kept)
    bases[tensor] = static_cast<char *>(keptAt) + offset;
  std::vector<uint32_t> made; // of this phase
  for (uint32_t result : resultsIn(program))
    if ((library.tensor(result).role == GNN_ROLE_GRAD) == (phase == GNN_PHASE_BACKWARD))
      made.push_back(result);
  for (size_t i = 0; i < made.size(); ++i)
    if (!kept.count(made[i]) && !apart.count(made[i]))
      bases[made[i]] = results[i].mutableData();
  for (uint32_t result : made) { // nothing writes the rows of edges that are left out
    const gnn_tensor_info_t &info = library.tensor(result);
    if (info.domain == GNN_DOMAIN_EDGE && binding.relation(info.type).numEdges() != binding.numEdgeIds(info.type))
      std::memset(bases[result], 0, binding.tensorBytes(result));
  }
  prepared->begin({key, {}});
  engine.beginRun();
  std::vector<void *> operands;
  StepCall call;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    if (program.steps[s].phase != phase)
      continue;
    operands.clear();
    for (const Operand operand : library.step(program.steps[s]).operands()) {
      const Tensor &data = binding.data(operand.tensor);
      operands.push_back(data ? const_cast<void *>(data.data()) : bases[operand.tensor]);
    }
    call.room = arena + memory.stepOffsets[s];
    prepared->run(s, view, operands.data(), call);
  }
  engine.endRun();
  for (size_t i = 0; i < made.size(); ++i)
    if (bases[made[i]] != results[i].data())
      deliver(made[i], results[i]);
}

} // namespace gnn::rt
