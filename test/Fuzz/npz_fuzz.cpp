//===- npz_fuzz.cpp - Fuzzing the .npz readers -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes give arrays or a data error, member by member and as a data set in the layout of gnn-benchmark.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/data/Import.h"
#include "runtime/src/io/Npz.h"

using namespace gnn::rt;

namespace {

template <class Body> void allowErrors(Body &&body) {
  try {
    body();
  } catch (const gnn::Error &) {
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr uint64_t maxBytes = 1 << 24;
  FileBytes bytes = copyBytes({reinterpret_cast<const char *>(data), size});
  allowErrors([&] {
    NpzArchive archive(bytes, "fuzz.npz", maxBytes);
    for (const auto &member : archive.names())
      allowErrors([&] { archive.read(member.first); });
  });
  allowErrors([&] { importNpz(bytes, "fuzz.npz", GNN_CLEAN_PYG); });
  return 0;
}
