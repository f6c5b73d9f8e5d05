//===- InputFormsTest.cpp - Tests of inputs in both forms -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"

#include "gnn/gnn.hpp"
#include "runtime/src/bind/InputChoice.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/model/Model.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// Programs of the sparse library, and after them those that read `x` as a table.
struct BothForms : FakeSparseLibrary {
  FakeLibrary dense;
  std::vector<std::vector<uint32_t>> operands;
  std::vector<std::vector<gnn_step_t>> steps;

  BothForms() {
    const uint32_t table = uint32_t(tensors.size());
    tensors.push_back(dense.tensors[X]);
    for (const gnn_program_t &each : dense.programs) {
      steps.emplace_back(each.steps, each.steps + each.num_steps);
      for (gnn_step_t &step : steps.back()) {
        operands.emplace_back(step.tensors, step.tensors + step.num_tensors);
        std::replace(operands.back().begin(), operands.back().end(), uint32_t(X), table);
        step.tensors = operands.back().data();
      }
      programs.push_back(each);
      programs.back().steps = steps.back().data();
    }
    library.tensors = tensors.data();
    library.num_tensors = uint32_t(tensors.size());
    library.programs = programs.data();
    library.num_programs = uint32_t(programs.size());
    describe();
  }

  std::shared_ptr<const Library> open() const { return Library::fromTable(&library, "both.so"); }
};

/// Every `share`-th number of x stays.
Features thinned(const FakeData &data, int64_t share) {
  Features features = data.features;
  const Tensor &x = data.features.at("x").dense;
  std::vector<float> numbers(x.data<float>(), x.data<float>() + x.count());
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int64_t(i) % share == 0 ? 1 + numbers[i] : 0;
  features["x"].dense = Tensor::of(numbers, x.shape());
  return features;
}

std::vector<float> logits(Model &model, const FakeData &data, const Features &features) {
  const Tensor result = model.inference().infer(data.graph, features)[0].second;
  return {result.data<float>(), result.data<float>() + result.count()};
}

bool isNear(const std::vector<float> &a, const std::vector<float> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return std::abs(x - y) <= 1e-5f * (1 + std::abs(y)); });
}

void prepare(Model &model) {
  model.dims().bind("in", 6, "test");
  model.initialize(3);
}

InputForm formOf(const Model &model) { return isUnread(*model.library(), 1) ? InputForm::Dense : InputForm::Sparse; }

} // namespace

TEST_CASE("a library in a form has the programs of that form alone") {
  const BothForms fake;
  const std::shared_ptr<const Library> both = fake.open();
  REQUIRE(formedInput(*both));
  for (InputForm form : {InputForm::Dense, InputForm::Sparse}) {
    const std::shared_ptr<const Library> one = inForm(both, form);
    CHECK(one->programs(GNN_PROGRAM_TRAIN).size() == 1);
    CHECK(one->program(GNN_PROGRAM_TRAIN)->steps[0].kind ==
          (form == InputForm::Dense ? GNN_STEP_MATMUL : GNN_STEP_SWEEP));
    CHECK(!formedInput(*one));
    CHECK(isUnread(*one, 1) == (form == InputForm::Dense));
    CHECK(!isUnread(*one, 0));
  }
  const FakeLibrary single;
  CHECK(!formedInput(*Library::fromTable(&single.library, "single.so")));
}

TEST_CASE("counts alone say which form an input has") {
  CHECK(chooseInputForm(/*nonzeros=*/166, /*rows=*/10, /*columns=*/100).form == InputForm::Sparse);
  CHECK(chooseInputForm(/*nonzeros=*/167, /*rows=*/10, /*columns=*/100).form == InputForm::Dense);
  CHECK(chooseInputForm(/*nonzeros=*/0, /*rows=*/0, /*columns=*/100).form == InputForm::Dense);
  const FakeData data(20, 60);
  const BothForms fake;
  CHECK(chooseInputForm(*fake.open(), thinned(data, 7)).form == InputForm::Sparse);
  CHECK(chooseInputForm(*fake.open(), thinned(data, 5)).form == InputForm::Dense);
  CHECK(chooseInputForm(*fake.open(), thinned(data, 5)).why == "20 % of 20 x 6 are not 0");
}

TEST_CASE("both forms give the same numbers, from entries and from tables") {
  const FakeData data(1500, 4000); // a hub of several segments
  const BothForms fake;
  Features dense = thinned(data, 4), sparse = dense;
  sparse["x"].sparse = SparseMatrix::fromDense(dense["x"].dense, "x");
  sparse["x"].dense = Tensor();
  std::vector<std::vector<float>> results;
  for (InputForm form : {InputForm::Dense, InputForm::Sparse})
    for (const Features *features : {&dense, &sparse}) {
      Model model(fake.open(), 2);
      model.setInputForm(form);
      prepare(model);
      results.push_back(logits(model, data, *features));
    }
  CHECK(results[0] == results[1]);
  CHECK(results[2] == results[3]);
  CHECK(isNear(results[0], results[2]));
}

TEST_CASE("the first data chooses for all calls of a model") {
  const FakeData data(40, 200);
  const BothForms fake;
  const int64_t first = GENERATE(1, 10);
  Model model(fake.open(), 1), other(fake.open(), 1);
  prepare(model);
  prepare(other);
  CHECK_THROWS_AS(model.inference().infer(data.graph, Features()), gnn::Error); // chooses nothing
  Features narrow;
  narrow["x"].dense = Tensor::zeros(GNN_F32, {40, 5});
  CHECK_THROWS_AS(model.inference().infer(data.graph, narrow), gnn::Error);
  logits(model, data, thinned(data, first));
  const InputForm chosen = first == 1 ? InputForm::Dense : InputForm::Sparse;
  CHECK(formOf(model) == chosen);
  const Features later = thinned(data, 11 - first);
  const std::vector<float> result = logits(model, data, later);
  CHECK(formOf(model) == chosen);
  CHECK(isNear(result, logits(other, data, later)));
  CHECK(formOf(other) != chosen);
}

TEST_CASE("a form that a library has not is refused") {
  const FakeLibrary dense;
  Model model(Library::fromTable(&dense.library, "dense.so"), 1);
  model.setInputForm(InputForm::Dense);
  CHECK_THROWS_WITH(model.setInputForm(InputForm::Sparse), Catch::Contains("elementwise"));
  const FakeSparseLibrary sparse;
  Model other(Library::fromTable(&sparse.library, "sparse.so"), 1);
  CHECK_THROWS_WITH(other.setInputForm(InputForm::Dense), Catch::Contains("--inputs=declared"));
  gnn::ModelOptions options(1);
  options.inputs = "compressed";
  CHECK_THROWS_WITH(gnn::Model(dense.library, options), Catch::Contains("compressed"));
}
