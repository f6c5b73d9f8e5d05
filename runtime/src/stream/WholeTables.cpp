//===- WholeTables.cpp - Tensors that are whole in an engine --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/WholeTables.h"

namespace gnn::rt {

WholeTables::WholeTables(Engine &engine, const StreamLayout &layout)
    : bound(engine.tables(layout.binding)), places(layout.library.tensors().size()),
      resultTensors(layout.program.num_results) {
  const Binding &binding = layout.binding;
  for (uint32_t i = 0; i < resultTensors.size(); ++i) {
    const uint32_t tensor = layout.program.results[i];
    const gnn_tensor_info_t &info = layout.library.tensor(tensor);
    if (layout.isSpilled(tensor) || binding.data(tensor) || binding.paged().file(tensor))
      continue;
    const auto [element, shape] = layout.storedShape(tensor, binding.leadingExtent(info));
    resultTensors[i] = engine.empty(element, shape);
    if (info.domain == GNN_DOMAIN_EDGE) // nothing writes the rows of edges that are left out
      engine.clear(resultTensors[i].mutableData(), resultTensors[i].bytes());
    place(tensor, resultTensors[i].mutableData());
  }
}

} // namespace gnn::rt
