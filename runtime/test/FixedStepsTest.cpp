//===- FixedStepsTest.cpp - Tests of what every run computes alike --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"

#include "runtime/src/exec/FixedFields.h"
#include "runtime/src/program/FixedSteps.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// @infer and @evaluate aggregate x first: z = aggregate(x), dz = z W, logits = aggregate(dz). For as many inputs as
/// classes.
struct SumFirst : FakeLibrary {
  const uint32_t sumTensors[4] = {X, Degree, Degree, Z}, productTensors[3] = {Z, W, DZ},
                 lastTensors[4] = {DZ, Degree, B, Y};

  SumFirst() {
    gnn_step_t last = inferSteps[1], sum = last, product = inferSteps[0];
    sum.tensors = sumTensors;
    product.tensors = productTensors;
    last.tensors = lastTensors;
    inferSteps = {sum, product, last};
    evaluateSteps = {sum, product, last, evaluateSteps.back()};
    programs[0].num_steps = 3;
    programs[0].steps = inferSteps.data();
    programs[2].num_steps = 4;
    programs[2].steps = evaluateSteps.data();
    describe();
  }

  std::vector<bool> fixed() const {
    auto opened = Library::fromTable(&library, "fake.so");
    return findFixedSteps(*opened, *opened->program(GNN_PROGRAM_INFER), std::vector<int32_t>(NumTensors, -1));
  }
};

using F = FakeLibrary;

} // namespace

TEST_CASE("steps over data alone are fixed, unless they draw, or read what may change, or make a result") {
  using Change = void (*)(SumFirst &);
  const Change changes[] = {
      [](SumFirst &fake) { fake.kernels[F::Aggregate].needs |= GNN_KERNEL_RANDOM; },
      [](SumFirst &fake) { fake.tensors[F::X].role = GNN_ROLE_TARGET; },
      [](SumFirst &fake) { fake.relations[0].kind = GNN_RELATION_PAIRS; },
      [](SumFirst &fake) { fake.tensors[F::Z].role = GNN_ROLE_OUTPUT; },
  };
  CHECK(SumFirst().fixed() == std::vector<bool>{true, false, false});
  for (Change change : changes) {
    SumFirst fake;
    change(fake);
    fake.describe(); // of pairs no sweep has a layer
    CHECK(fake.fixed() == std::vector<bool>{false, false, false});
  }
}

TEST_CASE("fixed steps of evaluation run once, and what they make is kept; inference has other inputs each time") {
  SumFirst fake;
  FakeData data(300, 1000, GNN_ORDER_GIVEN, /*in=*/3);
  FakeRun stays(fake, data, GNN_PROGRAM_EVALUATE, 2), changes(fake, data, GNN_PROGRAM_INFER, 2);
  auto livesUntil = [](const FakeRun &run) { return run.executor.plan().tensors[0].lastStep; };
  CHECK(livesUntil(stays) == 3);
  CHECK(livesUntil(changes) == 1);
  auto run = [](FakeRun &each) {
    each.executor.run(0);
    return values(each.executor.result(0));
  };
  REQUIRE(run(stays) == run(changes));
  stays.w[0] = changes.w[0] = 5;
  std::vector<float> before = run(stays);
  CHECK(before == run(changes));
  data.features["x"].dense.mutableData<float>()[0] += 1; // the contract forbids it; who does not look sees nothing
  CHECK(run(stays) == before);
  CHECK(run(changes) != before);
  stays.executor.repeatFixedSteps();
  CHECK(run(stays) == run(changes));
}

TEST_CASE("another input makes fixed steps run again") {
  SumFirst fake;
  FakeData data(300, 1000, GNN_ORDER_GIVEN, /*in=*/3), other(300, 1000, GNN_ORDER_GIVEN, /*in=*/3);
  other.features["x"].dense.mutableData<float>()[7] += 1;
  FakeRun run(fake, data, GNN_PROGRAM_EVALUATE, 2), fresh(fake, other, GNN_PROGRAM_EVALUATE, 2);
  run.executor.run(0);
  std::vector<float> before = values(run.executor.result(0));
  CHECK(run.binding.rebind(other.features));
  run.executor.run(0);
  fresh.executor.run(0);
  CHECK(values(run.executor.result(0)) == values(fresh.executor.result(0)));
  CHECK(values(run.executor.result(0)) != before);
}

TEST_CASE("programs over one binding make what they keep once, and then the input is read no more") {
  SumFirst fake;
  FakeData data(300, 1000, GNN_ORDER_GIVEN, /*in=*/3);
  FakeRun run(fake, data, GNN_PROGRAM_EVALUATE, 2); // which keeps its own
  FixedFields shared;
  auto make = [&] {
    auto made = std::make_unique<Whole>(run.engine, *run.library, run.dims, run.binding,
                                        *run.library->program(GNN_PROGRAM_EVALUATE), /*parametersStay=*/false, &shared);
    made->place(F::W, run.w.data());
    made->place(F::B, run.b.data());
    return made;
  };
  auto first = make(), second = make();
  run.executor.run(0);
  const std::vector<float> expected = values(run.executor.result(0));
  CHECK(first->readsAgain(F::X));
  CHECK(second->readsAgain(F::X));
  first->makeFixed();
  CHECK_FALSE(first->readsAgain(F::X));
  CHECK_FALSE(second->readsAgain(F::X));
  CHECK(second->readsAgain(F::Degree)); // the last step reads it, too
  run.binding.releaseTable(F::X);
  for (auto *executor : {second.get(), first.get()}) {
    executor->run(0);
    CHECK(values(executor->result(0)) == expected);
  }
  first = nullptr;
  CHECK_FALSE(second->readsAgain(F::X));
  second = nullptr;
  CHECK(make()->readsAgain(F::X)); // nobody has it any more
}

TEST_CASE("an input that another step reads too is read again") {
  FakeLibrary fake; // @evaluate multiplies x by W first
  FakeData data(300, 1000);
  FakeRun run(fake, data, GNN_PROGRAM_EVALUATE, 2);
  run.executor.makeFixed();
  CHECK(run.executor.readsAgain(F::X));
}

TEST_CASE("steps that are timed are done in the first run, so that it has their times") {
  SumFirst fake;
  FakeData data(300, 1000, GNN_ORDER_GIVEN, /*in=*/3);
  FakeRun run(fake, data, GNN_PROGRAM_EVALUATE, 2);
  run.executor.startProfile();
  run.executor.makeFixed();
  CHECK(run.executor.readsAgain(F::X));
}
