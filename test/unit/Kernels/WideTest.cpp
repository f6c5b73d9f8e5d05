//===- WideTest.cpp - Compiled sweeps beyond 2^32 edges and numbers -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose edges, ids and columns do not fit in 32 bits, or not with a sign, in memory that has holes where nobody
// looks.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cstring>
#include <sys/mman.h>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

constexpr const char *sumOfProducts = R"(
  star.kernel @k sweep of 0 to destination
      inputs [#star.operand<col <V, [@F], f32>>, #star.operand<edge <E, [@F], f32>>]
      outputs [#star.operand<row <V, [@F], f32>>] reduce [#gnn.sum] step {
  ^bb0(%u: !gnn.field<S, [@F], f32>, %e: !gnn.field<E, [@F], f32>):
    %0 = gnn.mul %e, %u : (!gnn.field<E, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
    star.contribute [%0] : !gnn.field<E, [@F], f32>
  } end {
  ^bb0(%sum: !gnn.field<V, [@F], f32>):
    star.yield %sum : !gnn.field<V, [@F], f32>
  })";

constexpr int64_t numbersOf32 = int64_t(1) << 32, before = numbersOf32 + 11;

/// Zeros, but for what it ends with, that take no memory.
template <class T> class AtTheEnd {
public:
  AtTheEnd(int64_t zeros, const std::vector<T> &last) : bytes((zeros + last.size()) * sizeof(T)) {
    void *all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(all != MAP_FAILED);
    first = static_cast<T *>(all);
    std::copy(last.begin(), last.end(), first + zeros);
  }
  AtTheEnd(const AtTheEnd &) = delete;
  ~AtTheEnd() { munmap(first, bytes); }
  T *data() const { return first; }

private:
  const size_t bytes;
  T *first;
};

template <class T> std::vector<T> shifted(std::vector<T> numbers, int64_t by) {
  for (T &number : numbers)
    number += T(by);
  return numbers;
}

} // namespace

TEST_CASE("edges, ids and numbers beyond 2^32 are folded as those below") {
  const Block block = makeBlock(degrees, numCols, 1);
  const auto numEdges = int64_t(block.cols.size());
  std::vector<int64_t> ids(numEdges);
  for (int64_t edge = 0; edge < numEdges; ++edge)
    ids[edge] = numEdges - 1 - edge;
  const std::vector<int64_t> offsets = shifted(block.offsets, before);
  const AtTheEnd<uint32_t> cols(before, shifted(block.cols, numbersOf32 - numCols));
  const AtTheEnd<int64_t> farIds(before, shifted(ids, before));
  for (Target target : runnableTargets()) {
    if (!target.isa) // which has a copy of all memory
      continue;
    for (int64_t width : {1, 7, 33})
      for (bool isOpen : {false, true}) {
        Kernel kernel(text(sumOfProducts, isOpen ? "F" : std::to_string(width)), target, {{"F", width}});
        std::vector<float> u = randomNumbers(numCols * width, 2), e = randomNumbers(numEdges * width, 3);
        const AtTheEnd<float> farU((numbersOf32 - numCols) * width, u), farE(before * width, e);
        std::vector<float> expected(degrees.size() * width), output(expected.size());
        std::vector<char> state(degrees.size() * kernel.stateBytes);
        gnn_block_t near = rowsOnly(degrees.size()), far = near;
        near.num_cols = numCols;
        near.offsets = block.offsets.data();
        near.cols = block.cols.data();
        far.num_cols = numbersOf32;
        far.offsets = offsets.data();
        far.cols = cols.data();
        for (gnn_block_t *each : {&near, &far})
          each->ends = each->offsets + 1;
        for (bool byId : {false, true})
          for (uint32_t flags : {0, int(GNN_SWEEP_PREFETCH)}) {
            INFO(target.name() << ", width " << width << (isOpen ? ", open" : "") << (byId ? ", by id" : "") << flags);
            near.edge_id = byId ? ids.data() : nullptr;
            far.edge_id = byId ? farIds.data() : nullptr;
            kernel.tensors = {u.data(), e.data(), expected.data()};
            kernel.run(near, GNN_SWEEP_FIRST | GNN_SWEEP_LAST | flags, state);
            kernel.tensors = {farU.data(), farE.data(), output.data()};
            kernel.run(far, GNN_SWEEP_FIRST | GNN_SWEEP_LAST | flags, state);
            CHECK(std::memcmp(output.data(), expected.data(), output.size() * sizeof(float)) == 0);
          }
      }
  }
}
