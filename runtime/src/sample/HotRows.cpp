//===- HotRows.cpp - Rows that GPUs keep ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/HotRows.h"

#include <algorithm>

namespace gnn::rt {

HotRows::HotRows(const std::vector<Engine *> &engines, const Binding &binding,
                 const std::vector<SentBatch::Table> &tables,
                 const std::vector<std::vector<std::vector<int64_t>>> &kept)
    : ofEngines(engines.size()) {
  bool isAny = false;
  for (size_t t = 0; t < tables.size(); ++t) {
    const size_t numRows = binding.data(tables[t].tensor).bytes() / std::max<size_t>(tables[t].rowBytes, 1);
    ofTables.push_back({Buffer<uint32_t>(numRows), {0}});
    auto &[places, firsts] = ofTables.back();
    std::fill(places.begin(), places.end(), notKept);
    for (size_t e = 0; e < engines.size(); ++e) {
      const std::vector<int64_t> &rows = kept[e][t];
      for (size_t i = 0; i < rows.size(); ++i)
        places[size_t(rows[i])] = firsts.back() + uint32_t(i);
      firsts.push_back(firsts.back() + uint32_t(rows.size()));
      isAny |= !rows.empty();
    }
  }
  if (!isAny)
    return;
  for (size_t e = 0; e < engines.size(); ++e) {
    auto &[memory, bytes, offsets, counts] = ofEngines[e];
    for (size_t t = 0; t < tables.size(); ++t) {
      offsets.push_back(bytes);
      bytes += wholeLines(kept[e][t].size() * tables[t].rowBytes);
    }
    offsets.push_back(bytes);
    bytes += wholeLines(engines.size() * tables.size() * sizeof(KeptTable));
    memory = engines[e]->allocate(bytes);
    for (size_t t = 0; t < tables.size(); ++t)
      engines[e]->gatherIn(static_cast<char *>(memory->data()) + offsets[t], binding.data(tables[t].tensor).data(),
                           tables[t].rowBytes, kept[e][t]);
  }
  std::vector<KeptTable> all;
  for (size_t t = 0; t < tables.size(); ++t)
    for (size_t e = 0; e < engines.size(); ++e)
      all.push_back(
          {static_cast<char *>(ofEngines[e].memory->data()) + ofEngines[e].offsets[t], ofTables[t].firsts[e]});
  for (size_t e = 0; e < engines.size(); ++e)
    engines[e]->copyIn(static_cast<char *>(ofEngines[e].memory->data()) + ofEngines[e].offsets.back(), all.data(),
                       all.size() * sizeof(KeptTable));
}

const KeptTable *HotRows::tablesOf(size_t engine, size_t table) const {
  const OfEngine &of = ofEngines[engine];
  if (!of.memory)
    return nullptr;
  const char *all = static_cast<const char *>(of.memory->data()) + of.offsets.back();
  return reinterpret_cast<const KeptTable *>(all) + table * ofEngines.size();
}

void HotRows::Counts::operator+=(const Counts &more) {
  rows += more.rows;
  hits += more.hits;
  ofPeers += more.ofPeers;
  bytes += more.bytes;
  peerBytes += more.peerBytes;
}

} // namespace gnn::rt
