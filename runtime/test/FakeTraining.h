//===- FakeTraining.h - Training of the fake library ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAKETRAINING_H
#define GNN_TEST_FAKETRAINING_H

#include "FakeData.h"
#include "runtime/src/train/Training.h"

/// A model of FakeLibrary and its training over FakeData.
struct FakeTraining {
  explicit FakeTraining(unsigned threads, int64_t vertices = 1500, const gnn::rt::MemoryLimit *limit = nullptr)
      : data(vertices, 3 * vertices), library(gnn::rt::Library::fromTable(&fake.library, "fake.so")),
        model(library, threads) {
    bindDims(model.dims(), *library, *data.graph, data.features, "test data");
    model.materialize();
    gnn::rt::TrainingConfig config;
    if (limit)
      config.memory = *limit;
    training =
        openTraining(model, {data.graph, data.features, "test data"}, gnn::rt::Tensor::of(data.train), "train", config);
  }

  FakeData data;
  FakeLibrary fake;
  std::shared_ptr<const gnn::rt::Library> library;
  gnn::rt::Model model;
  gnn::rt::Training training;
};

#endif // GNN_TEST_FAKETRAINING_H
