//===- HotRows.cpp - Rows that a GPU keeps --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/HotRows.h"

#include <algorithm>

namespace gnn::rt {

HotRows::HotRows(Engine &engine, const Binding &binding, const std::vector<SentBatch::Table> &tables,
                 const std::vector<std::vector<int64_t>> &kept) {
  for (size_t t = 0; t < tables.size(); ++t) {
    const size_t numRows = binding.data(tables[t].tensor).bytes() / std::max<size_t>(tables[t].rowBytes, 1);
    ofTables.push_back({Buffer<uint32_t>(numRows), uint32_t(kept[t].size()), size});
    Buffer<uint32_t> &places = ofTables.back().places;
    std::fill(places.begin(), places.end(), notKept);
    for (size_t i = 0; i < kept[t].size(); ++i)
      places[size_t(kept[t][i])] = uint32_t(i);
    size += wholeLines(kept[t].size() * tables[t].rowBytes);
  }
  if (size == 0)
    return;
  memory = engine.allocate(size);
  for (size_t t = 0; t < tables.size(); ++t)
    engine.gatherIn(static_cast<char *>(memory->data()) + ofTables[t].offset, binding.data(tables[t].tensor).data(),
                    tables[t].rowBytes, kept[t]);
}

const void *HotRows::rowsOf(size_t table) const {
  return memory ? static_cast<const char *>(memory->data()) + ofTables[table].offset : nullptr;
}

void HotRows::note(const Counts &batch) {
  soFar.rows += batch.rows;
  soFar.hits += batch.hits;
  soFar.bytes += batch.bytes;
}

} // namespace gnn::rt
