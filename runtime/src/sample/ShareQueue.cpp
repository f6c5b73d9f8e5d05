//===- ShareQueue.cpp - Samples that are drawn ahead ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/ShareQueue.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/sample/SentBatch.h"

#include <algorithm>

namespace gnn::rt {

ShareQueue::ShareQueue(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
                       const Sampler &sampler, const Shares &cut, const Shares::Range &part, size_t numSamples,
                       DrawnBy drawnBy)
    : shares(cut), mine(part) {
  for (size_t i = 0; i < numSamples; ++i)
    all.push_back(
        std::make_unique<DrawnShare>(library, binding, std::vector<const gnn_program_t *>{&program}, sampler, shares));
  openDraws(engine, library, binding, program, sampler, drawnBy);
  for (const auto &sample : all) {
    if (tables)
      sample->drawBy(tables->draws());
    if (engine.rowGather())
      sample->sendBy(std::make_unique<SentBatch>(engine, library, binding, program));
  }
}

void ShareQueue::openDraws(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
                           const Sampler &sampler, DrawnBy drawnBy) {
  DeviceSampler *there = engine.sampler();
  const std::vector<std::pair<uint32_t, uint32_t>> rows = sampler.rowsForEngines(program);
  if (!there)
    whyHere = engine.device() + " is no GPU";
  else if (drawnBy == DrawnBy::Host)
    whyHere = "asked for";
  else if (pairsRelation(library))
    whyHere = "batches of links leave edges out";
  else if (rows.empty())
    whyHere = "not all edges are drawn alike, at most " + std::to_string(EdgeDraws::mostOfRow) + " of a row";
  else if (!(tables = there->drawTables(binding, rows)))
    whyHere = engine.device() + " can't read edges in memory of this machine";
  require(tables || drawnBy != DrawnBy::Device, GNN_ERROR_MISMATCH, engine.device(), " can't draw the edges of ",
          library.name(), "'s batches: ", whyHere);
}

int64_t ShareQueue::endOf(const Seeds &seeds) const {
  return std::max(mine.begin + 1, std::min(mine.end, std::min(shares.count, seeds.count())));
}

DrawnShare &ShareQueue::draw(const ExpectedBatch &step, int64_t share, const std::deque<ExpectedBatch> &following) {
  struct Wanted {
    const ExpectedBatch *step;
    int64_t share;
    bool isIn(const DrawnShare &sample) const { return sample.isOf(step->key, share); }
  };
  std::vector<Wanted> wanted;
  auto want = [&](const ExpectedBatch &of, int64_t from) {
    for (int64_t number = from; number < endOf(*of.seeds) && wanted.size() < all.size(); ++number)
      wanted.push_back({&of, number});
  };
  want(step, share);
  for (const ExpectedBatch &next : following)
    want(next, mine.begin);
  for (const Wanted &each : wanted) {
    auto hasIt = [&](const auto &sample) { return each.isIn(*sample); };
    if (std::any_of(all.begin(), all.end(), hasIt))
      continue;
    auto isFree = [&](const auto &sample) {
      return std::none_of(wanted.begin(), wanted.end(), [&](const Wanted &other) { return other.isIn(*sample); });
    };
    (*std::find_if(all.begin(), all.end(), isFree))
        ->begin(each.step->key, each.step->seeds, each.share, /*onThread=*/all.size() > 1);
  }
  return **std::find_if(all.begin(), all.end(), [&](const auto &sample) { return wanted[0].isIn(*sample); });
}

void ShareQueue::sendAhead(uint64_t nextKey, int64_t nextShare) {
  for (const auto &sample : all) {
    if (!sample->sent() || !sample->isBegun())
      continue;
    if (sample->isOf(nextKey, nextShare))
      sample->await();
    if (sample->isDrawn())
      sample->sent()->send();
  }
}

void ShareQueue::readFrom(const std::shared_ptr<PagedRows> &paged) {
  for (const auto &sample : all)
    sample->readFrom(paged);
}

void ShareQueue::reserve() {
  for (const auto &sample : all) {
    sample->sent()->reserve(all[0]->sent()->mostBytes());
    if (sample->draws())
      sample->draws()->reserve(all[0]->draws()->bytes());
  }
}

size_t ShareQueue::bytes() const {
  size_t bytes = 0;
  for (const auto &sample : all)
    bytes += (sample->sent() ? sample->sent()->bytes() : 0) + (sample->draws() ? sample->draws()->bytes() : 0);
  return bytes;
}

} // namespace gnn::rt
