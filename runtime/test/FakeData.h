//===- FakeData.h - Small random data for the fake library ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random graph with a hub, features, labels that depend on them, and what it takes to run a program of FakeLibrary
// over them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAKEDATA_H
#define GNN_TEST_FAKEDATA_H

#include "FakeLibrary.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/TemporaryFolder.h"

#include <random>

struct FakeData {
  /// Vertex 0 has an edge from every vertex, so for more than GNN_SEGMENT_LENGTH vertices its row has several segments.
  /// After all others come the first `again` edges once more.
  explicit FakeData(int64_t vertices, int64_t edges, uint32_t order = gnn::rt::EdgeOptions().order, int64_t in = 6,
                    int64_t again = 0) {
    std::mt19937 random(5);
    for (int64_t i = 0; i < edges; ++i) {
      src.push_back(int64_t(random() % uint64_t(vertices)));
      dst.push_back(int64_t(random() % uint64_t(vertices)));
    }
    for (int64_t v = 0; v < vertices; ++v) {
      src.push_back(v);
      dst.push_back(0);
    }
    for (int64_t e = 0; e < again; ++e) {
      src.push_back(src[size_t(e)]);
      dst.push_back(dst[size_t(e)]);
    }
    gnn::rt::EdgeOptions options;
    options.order = order;
    graph = gnn::rt::Graph::fromEdges({src.data(), src.size()}, {dst.data(), dst.size()}, vertices, options);
    std::vector<float> x;
    std::vector<int64_t> y;
    for (int64_t v = 0; v < vertices; ++v) {
      y.push_back(int64_t(random() % 3));
      for (int64_t i = 0; i < in; ++i)
        x.push_back(float(random() % 1000) / 1000 + (i == y.back() ? 1.0f : 0.0f));
      (v % 2 ? train : test).push_back(v);
    }
    features["x"].dense = gnn::rt::Tensor::of(x, {vertices, in});
    features["y"].dense = gnn::rt::Tensor::of(y);
  }

  std::shared_ptr<const gnn::rt::Graph> graph;
  gnn::rt::Features features;
  std::vector<int64_t> src, dst, train, test;
};

/// Parameters and executor over FakeData.
struct FakeRun {
  FakeRun(const FakeLibrary &fake, const FakeData &data, uint32_t kind, unsigned threads)
      : library(gnn::rt::Library::fromTable(&fake.library, "fake.so")), dims(bound(*library, data)),
        binding(library, dims, data.graph, data.features, true, "test data"), engine(library, threads),
        executor(engine, *library, dims, binding, *library->program(kind)) {
    binding.setLossRows({data.train.data(), data.train.size()});
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = float(i % 7) / 7 - 0.4f;
    executor.place(FakeLibrary::W, w.data());
    executor.place(FakeLibrary::B, b.data());
  }

  gnn::rt::Dims bound(const gnn::rt::Library &opened, const FakeData &data) {
    gnn::rt::Dims result(library);
    gnn::rt::bindDims(result, opened, *data.graph, data.features, "test data");
    result.finish();
    w.resize(size_t(result.extents()[FakeLibrary::InClasses]));
    b.assign(size_t(result.extents()[FakeLibrary::Classes]), 0.125f);
    return result;
  }

  std::vector<float> w, b;
  std::shared_ptr<const gnn::rt::Library> library;
  gnn::rt::Dims dims;
  gnn::rt::Binding binding;
  gnn::rt::CpuEngine engine;
  gnn::rt::Whole executor;
};

/// `features` with x in a file of `folder`, which gets a folder "spill" beside it.
inline const gnn::rt::Features &xInFile(gnn::rt::Features &features, const TemporaryFolder &folder,
                                        gnn::rt::FileSystem &files) {
  std::filesystem::create_directory(folder.path("spill"));
  gnn::rt::writeNpy(folder.path("x.npy"), features["x"].dense);
  features["x"].file = std::make_shared<const gnn::rt::NpyFile>(folder.path("x.npy"), "x.npy", files);
  features["x"].dense = gnn::rt::Tensor();
  return features;
}

inline std::vector<float> values(const gnn::rt::Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.count()};
}

#endif // GNN_TEST_FAKEDATA_H
