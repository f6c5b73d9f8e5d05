//===- dataset_fuzz.cpp - Fuzzing data sets --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is a list of files, each a 16-bit length and that many bytes: dataset.json, then those that it may name
// "0", "1", and so on. Any of that gives a data set, whose graph can then be prepared, or an error.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/core/Guard.h"
#include "runtime/src/data/DatasetFolder.h"

#include <oneapi/tbb/global_control.h>

using namespace gnn::rt;

namespace {

std::vector<Span<const char>> splitFiles(Span<const char> input) {
  std::vector<Span<const char>> files;
  while (input.size() >= 2) {
    size_t length = static_cast<unsigned char>(input[0]) + 256u * static_cast<unsigned char>(input[1]);
    length = std::min(length, input.size() - 2);
    files.push_back(input.slice(2, length));
    input = input.slice(2 + length, input.size() - 2 - length);
  }
  return files;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<Span<const char>> files = splitFiles({reinterpret_cast<const char *>(data), size});
  if (files.empty())
    return 0;
  // Waking another thread takes longer than these graphs.
  static oneapi::tbb::global_control oneThread(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  FileSource source = [&](const std::string &name) {
    size_t index = name.size() == 1 && name[0] >= '0' && name[0] <= '9' ? size_t(name[0] - '0') + 1 : files.size();
    require(index < files.size(), GNN_ERROR_IO, name, ": no such file");
    return copyBytes(files[index]);
  };
  try {
    Dataset dataset = readDataset(parseLayout(files[0], "dataset.json"), "fuzz", source);
    constexpr int64_t manyVertices = 1 << 16; // legal with any number of edges, but slow to prepare
    if (dataset.totalVertices() > manyVertices)
      return 0;
    if (dataset.hasSchema())
      dataset.graph(0);
    else
      dataset.graph(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE);
  } catch (const gnn::Error &) {
  }
  return 0;
}
