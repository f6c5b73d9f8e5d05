//===- StreamedRun.h - A program of a scenario, streamed --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_STREAMEDRUN_H
#define GNNC_TEST_VERIFY_STREAMEDRUN_H

#include "runtime/src/bind/Binding.h"
#include "test/Verify/Compile.h"
#include "test/Verify/StreamWays.h"
#include <functional>
#include <map>

namespace gnnc::verify {

/// Data of a scenario that are read some rows at a time.
class PagedData {
public:
  /// Of a library, which must outlive this; not paged: all are left in memory.
  PagedData(const gnn::rt::Library &library, bool isPaged) : library(library), isPaged(isPaged) {}

  /// The edges of a relation prepared outside of memory; null where that can't be.
  std::shared_ptr<const gnn::rt::EdgeSet> edges(const gnn::rt::EdgeSpec &spec,
                                                const std::vector<gnn::rt::VertexSet> &vertices, uint32_t order);
  /// Puts those into files that can be read by rows.
  void move(gnn::rt::Features &features);

private:
  std::shared_ptr<const gnn::rt::NpyFile> file(const gnn::rt::Tensor &tensor);

  const gnn::rt::Library &library;
  const bool isPaged;
  TemporaryFolder folder;
  int files = 0;
};

/// Runs a program of `library` in one of the ways, and again with another engine: the results of the last run. Throws
/// gnn::Error with what is wrong, if runs have different bits, or others than the whole graph where these are to be the
/// same, or read and write something else than was planned.
std::vector<gnn::rt::Tensor> runStreamed(const std::shared_ptr<const gnn::rt::Library> &library,
                                         gnn::rt::Binding &binding, const gnn_program_t &program,
                                         std::map<uint32_t, gnn::rt::Tensor> &parameters, const StreamWay &way,
                                         uint64_t key);

/// The same on the first GPU, without another engine; `parameters` stay where they are.
std::vector<gnn::rt::Tensor> runStreamedOnGpu(const std::shared_ptr<const gnn::rt::Library> &library,
                                              gnn::rt::Binding &binding, const gnn_program_t &program,
                                              const std::map<uint32_t, gnn::rt::Tensor> &parameters,
                                              const StreamWay &way, uint64_t key);

/// The same by several ranks, each with a binding of its own: the results of one process, which those of all ranks must
/// have the bits of.
std::vector<gnn::rt::Tensor> runByRanks(const std::shared_ptr<const gnn::rt::Library> &library,
                                        const std::function<std::unique_ptr<gnn::rt::Binding>()> &bind,
                                        const gnn_program_t &program, std::map<uint32_t, gnn::rt::Tensor> &parameters,
                                        const StreamWay &way, uint64_t key);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_STREAMEDRUN_H
