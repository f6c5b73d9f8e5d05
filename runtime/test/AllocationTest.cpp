//===- AllocationTest.cpp - Tests of exhausted memory ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every allocation that a call makes on its own thread is made to fail in turn: the call reports exhausted memory,
// leaks nothing (the sanitizer build sees to that) and works the next time. (Not so for reading a folder:
// std::filesystem and nlohmann/json end the process.)
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

namespace {

/// Allocations until one fails; negative: none does.
thread_local long untilFailure = -1;

} // namespace

void *operator new(size_t size) {
  if (untilFailure >= 0 && untilFailure-- == 0)
    throw std::bad_alloc();
  if (void *data = std::malloc(size ? size : 1))
    return data;
  throw std::bad_alloc();
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}
void operator delete(void *data) noexcept { std::free(data); }
void operator delete(void *data, size_t) noexcept { std::free(data); }

namespace {

/// Runs `call`, which returns a status, with each of its allocations failing; returns how many there are.
template <class Call> int failEach(Call &&call) {
  REQUIRE(call() == GNN_OK); // oneTBB's first allocations must succeed: it waits for ever for a start that failed
  for (int n = 0;; ++n) {
    untilFailure = n;
    gnn_status_t status = call();
    bool allMade = untilFailure >= 0;
    untilFailure = -1;
    if (allMade) {
      CHECK(status == GNN_OK);
      return n;
    }
    REQUIRE(status == GNN_ERROR_MEMORY);
  }
}

} // namespace

TEST_CASE("tensors survive exhausted memory") {
  int64_t shape[] = {2, 3};
  CHECK(failEach([&] {
          gnn_tensor_t *tensor = nullptr;
          gnn_status_t status = gnn_tensor_create(GNN_F32, 2, shape, &tensor);
          gnn_tensor_destroy(tensor);
          return status;
        }) > 1);
  float data[6] = {};
  int released = 0, calls = 0;
  failEach([&] {
    gnn_tensor_t *view = nullptr;
    gnn_status_t status = gnn_tensor_view(
        data, GNN_F32, 2, shape, [](void *count) { ++*static_cast<int *>(count); }, &released, &view);
    calls += status == GNN_OK;
    gnn_tensor_destroy(view);
    return status;
  });
  CHECK(released == calls);
}

TEST_CASE("graphs survive exhausted memory") {
  int64_t src[] = {0, 1, 2, 2}, dst[] = {1, 2, 2, 0};
  gnn_graph_options_t options{};
  options.size = sizeof(options);
  options.transforms = GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS;
  options.order = GNN_ORDER_DEGREE;
  CHECK(failEach([&] {
          gnn_graph_t *graph = nullptr;
          gnn_status_t status = gnn_graph_from_edges(src, dst, 4, 3, &options, &graph);
          gnn_graph_destroy(graph);
          return status;
        }) > 5);
}

TEST_CASE("data sets survive exhausted memory") {
  CHECK(failEach([&] {
          gnn_dataset_t *data = nullptr;
          gnn_status_t status = gnn_dataset_generate("karate", nullptr, &data);
          gnn_dataset_destroy(data);
          return status;
        }) > 20);
}
