//===- DrawnBatch.cpp - A batch and its sample ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/DrawnBatch.h"

#include <system_error>

namespace gnn::rt {

DrawnBatch::DrawnBatch(const Library &library, const Binding &binding, const gnn_program_t &program,
                       const Sampler &given)
    : vertexType(binding.lossMask()->type), sampler(given),
      around(std::make_unique<Neighbourhood>(library, binding, program)) {}

void DrawnBatch::begin(uint64_t stepKey, std::vector<int64_t> seeds, bool onThread) {
  if (drawn.valid())
    drawn.wait();
  key = stepKey;
  rowsOfSeeds = std::move(seeds);
  auto draw = [this] {
    sampler.begin(key);
    around->expand(vertexType, rowsOfSeeds, &sampler);
    if (paged)
      paged->read(*around, rows);
  };
  if (onThread)
    try {
      drawn = std::async(std::launch::async, draw);
      return;
    } catch (const std::system_error &) { // no thread is to be had: later, then
    }
  drawn = std::async(std::launch::deferred, draw);
}

std::unique_ptr<Neighbourhood> &DrawnBatch::take() {
  drawn.get();
  return around;
}

} // namespace gnn::rt
