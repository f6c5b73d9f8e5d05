//===- RunLayoutTest.cpp - In which parts, and where ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout says of a run is what the run has.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunLayout.h"
#include "runtime/src/io/Json.h"
#include "runtime/test/FakeData.h"

#include <catch2/catch.hpp>
#include <map>

using namespace gnn::rt;
using gnn::train_tool::RunLayout;

static RunLayout layoutOf(const FakeRun &run, uint32_t kind) {
  return RunLayout::of(*run.library, run.binding, *run.library->program(kind), run.executor);
}

TEST_CASE("a layout says in which parts sweeps go") {
  FakeData data(5000, 20000); // vertex 0 has an edge from each
  FakeLibrary fake;
  for (gnn_kernel_t &kernel : fake.kernels)
    kernel.knobs.split = 1024;
  fake.kernels[FakeLibrary::AggregateDropped].knobs.partition = 4;
  const FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 2);
  const RunLayout layout = layoutOf(run, GNN_PROGRAM_TRAIN);
  REQUIRE(layout.sweeps.size() == 2);
  const gnn_program_t &program = *run.library->program(GNN_PROGRAM_TRAIN);
  for (const RunLayout::Sweep &sweep : layout.sweeps) {
    const gnn_step_t &step = program.steps[sweep.step];
    CHECK(step.kind == GNN_STEP_SWEEP);
    CHECK(sweep.kernel == run.library->kernel(step.kernel).name);
    CHECK(sweep.parts.partitions == (step.kernel == FakeLibrary::AggregateDropped ? 4 : 1));
    CHECK(sweep.parts.passes == 1);
    CHECK(sweep.parts.hubs == (step.direction == GNN_TO_DESTINATION ? 1 : 0));
  }
}

TEST_CASE("a layout says where each tensor of a program lies") {
  FakeData data(3003, 9000);
  FakeLibrary fake;
  const FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 1);
  const RunLayout layout = layoutOf(run, GNN_PROGRAM_TRAIN);
  std::map<std::string, RunLayout::Place> places;
  for (const RunLayout::Place &place : layout.places)
    CHECK(places.emplace(place.name, place).second);
  CHECK(places.at("x").in == "binding");
  CHECK(places.at("x").bytes == run.binding.data(FakeLibrary::X).bytes());
  CHECK(places.at("W").in == "model");
  CHECK(places.at("W").bytes == run.w.size() * sizeof(float));
  CHECK(places.at("%total").in == "results");
  for (const PlannedTensor &planned : run.executor.plan().tensors) {
    const RunLayout::Place &place = places.at(run.library->tensor(planned.tensor).name);
    CHECK(place.in == (planned.isKept ? "lasting" : "arena"));
    CHECK(place.offset == planned.offset);
    CHECK(place.bytes == planned.bytes);
    CHECK(place.first == planned.firstStep);
    CHECK(place.last == planned.lastStep);
  }
  const nlohmann::json json = nlohmann::json::parse(layout.json());
  CHECK(json["version"] == RunLayout::version);
  CHECK(json["sweeps"].size() == layout.sweeps.size());
  CHECK(json["places"].size() == layout.places.size());
}
