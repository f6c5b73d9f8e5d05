//===- LoadingBytesTest.cpp - What loading a folder takes -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/LoadingBytes.h"
#include "gnn/graph.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace gnn::rt;
using namespace gnn::train_tool;

TEST_CASE("what loading takes is known from the sizes of files") {
  constexpr uint64_t vertices = 1 << 20, edges = 3 << 20, mega = 1 << 20;
  TemporaryFolder folder;
  auto put = [&](const std::string &name, uint32_t element,
                 const std::vector<int64_t> &shape) { // of holes
    const std::string header = npyHeader(element, shape);
    folder.write(name + ".npy", header);
    std::filesystem::resize_file(folder.path(name + ".npy"),
                                 header.size() + size_t(countElements(shape, element)) * elementBytes(element));
  };
  put("edge_index", GNN_I64, {2, edges});
  put("x", GNN_F32, {vertices, 8});
  put("y", GNN_I64, {vertices});
  put("train", GNN_I64, {vertices / 2});
  const uint64_t given = bytesToLoad(folder.path(), GNN_ORDER_GIVEN);
  CHECK(given >= (32 + 16 * 3 + 8 + 4) * mega); // features, the list of edges, labels, the split
  CHECK(bytesToLoad(folder.path(), GNN_ORDER_DEGREE) >= given + (32 + 12) * mega); // features and ids once more
  CHECK(bytesToLoad(folder.path(), GNN_ORDER_COMMUNITY) > bytesToLoad(folder.path(), GNN_ORDER_DEGREE));

  const uint64_t oneWay = bytesToPage(folder.path(), GNN_ORDER_GIVEN, /*toSource=*/false);
  CHECK(oneWay >= (8 + 4 + 8) * mega); // labels, the split, where rows begin
  CHECK(oneWay < given / 2);
  CHECK(bytesToPage(folder.path(), GNN_ORDER_GIVEN, /*toSource=*/true) == oneWay + 8 * mega);
  CHECK(bytesToPage(folder.path(), GNN_ORDER_DEGREE, /*toSource=*/false) >= oneWay + 12 * mega);
  put("train", GNN_I32, {vertices / 2}); // which is read beside what is made of it
  CHECK(bytesToPage(folder.path(), GNN_ORDER_GIVEN, /*toSource=*/false) == oneWay + 2 * mega);

  put("x", GNN_F32, {100, 8});
  put("y", GNN_I64, {100});
  put("train", GNN_I64, {50});
  CHECK(bytesToPage(folder.path(), GNN_ORDER_COMMUNITY, /*toSource=*/true) == 0); // a part of the process
}
