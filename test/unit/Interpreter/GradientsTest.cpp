//===- GradientsTest.cpp - Reverse mode of every kind of value ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of each kind against central differences, and by hand where differences cannot see: ties and empty
// aggregations.
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include "compiler/Interpreter/Functions.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace gnnc;
using namespace gnnc::test;

/// Checks every entry of every parameter and input of the squares of what `body` makes of x: V [2, 3] and W: P [3, 2].
static void checkGradientsOf(const std::string &what,
                             const std::function<unsigned(ModelWriter &, unsigned, unsigned)> &body,
                             bool positive = false) {
  INFO(what);
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = numbers(5 * 6);
  bindings.params["W"] = numbers(6, 2);
  bindings.training = true;
  if (positive)
    for (auto *arrays : {&bindings.inputs["x"], &bindings.params["W"]})
      for (double &x : *arrays)
        x = std::fabs(x) + 0.1;
  unsigned x = writer.input("x", {2, 3}), w = writer.param("W", {3, 2});
  writer.outputSquares(body(writer, x, w));
  REQUIRE(checkBindings(writer.model, bindings) == "");
  for (const GradientCheck &check : checkGradients(writer.model, bindings, 1000, /*withInputs=*/true)) {
    CHECK(check.entries + check.skipped == (check.name == "x" ? 30 : 6));
    CHECK(check.skipped == 0);
    CHECK(check.maxError < 1e-7);
  }
}

TEST_CASE("gradients of elementwise operations") {
  std::vector<ValueKind> unary = {ValueKind::Neg, ValueKind::Cast};
#define UNARY(KIND, NAME, USAGE, DOC) unary.push_back(ValueKind::KIND);
#include "compiler/Frontend/Functions.def"
  for (ValueKind kind : unary) {
    const std::optional<UnaryFunction> function = unaryFunctionOf(kind);
    checkGradientsOf(
        "unary " + std::to_string(int(kind)),
        [&](ModelWriter &writer, unsigned x, unsigned) { return writer.unary(kind, x); },
        /*positive=*/function && !std::isfinite(valueOf(*function, -1.5)));
  }
  std::vector<ValueKind> binary = {ValueKind::Add, ValueKind::Sub, ValueKind::Mul, ValueKind::Div};
#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) binary.push_back(ValueKind::KIND);
#include "compiler/Frontend/Functions.def"
  for (ValueKind kind : binary)
    checkGradientsOf(
        "binary " + std::to_string(int(kind)),
        [&](ModelWriter &writer, unsigned x, unsigned w) {
          return writer.binary(kind, x, writer.reshaped(ValueKind::Reshape, {w}, {2, 3}));
        },
        /*positive=*/true);
  checkGradientsOf("select", [](ModelWriter &writer, unsigned x, unsigned w) {
    unsigned y = writer.reshaped(ValueKind::Reshape, {w}, {2, 3});
    unsigned less = writer.compare(ValueKind::Less, x, y);
    return writer.add(ValueKind::Select, writer.type(x), {less, x, y});
  });
  checkGradientsOf("dropout", [](ModelWriter &writer, unsigned x, unsigned) {
    unsigned mask = writer.add(ValueKind::DropoutMask, writer.type(x));
    writer.last().number = 0.4;
    writer.last().site = 1;
    return writer.binary(ValueKind::Mul, x, mask);
  });
}

TEST_CASE("gradients of shapes and products") {
  checkGradientsOf("broadcast", [](ModelWriter &writer, unsigned x, unsigned w) {
    unsigned wide = writer.reshaped(ValueKind::Broadcast, {x}, {2, 2, 3}, {0, 2});
    unsigned other = writer.reshaped(ValueKind::Broadcast, {w}, {2, 3, 2}, {1, 2});
    return writer.binary(ValueKind::Mul, wide, writer.reshaped(ValueKind::Reshape, {other}, {2, 2, 3}));
  });
  for (Reduction reduction : {Reduction::Sum, Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::LogSumExp})
    for (unsigned dim : {0, 1})
      checkGradientsOf("reduce " + std::to_string(int(reduction)),
                       [&](ModelWriter &writer, unsigned x, unsigned) { return writer.reduce(reduction, x, dim); });
  checkGradientsOf("matmul", [](ModelWriter &writer, unsigned x, unsigned w) {
    return writer.reshaped(ValueKind::MatMul, {x, w}, {2, 2});
  });
  checkGradientsOf("matmul of a matrix by a tensor", [](ModelWriter &writer, unsigned x, unsigned w) {
    return writer.reshaped(ValueKind::MatMul, {x, writer.reshaped(ValueKind::Reshape, {w}, {3, 2, 1})}, {2, 2, 1});
  });
  for (unsigned dim : {0, 1})
    checkGradientsOf("concat", [&](ModelWriter &writer, unsigned x, unsigned w) {
      Shape shape = {dim == 0 ? 4 : 2, dim == 1 ? 6 : 3};
      return writer.reshaped(ValueKind::Concat, {x, writer.reshaped(ValueKind::Reshape, {w}, {2, 3})}, shape, {dim});
    });
  checkGradientsOf("pad", [](ModelWriter &writer, unsigned x, unsigned) {
    return writer.reshaped(ValueKind::Pad, {x}, {2, 5});
  });
  checkGradientsOf("transpose", [](ModelWriter &writer, unsigned x, unsigned w) {
    unsigned transposed = writer.reshaped(ValueKind::Transpose, {x}, {3, 2}, {1, 0});
    return writer.binary(ValueKind::Mul, transposed, w);
  });
  checkGradientsOf("slice of columns", [](ModelWriter &writer, unsigned x, unsigned) {
    unsigned slice = writer.reshaped(ValueKind::Slice, {x}, {2, 2}, {1});
    writer.last().offset = 1;
    return slice;
  });
  checkGradientsOf("slice of rows", [](ModelWriter &writer, unsigned x, unsigned) {
    unsigned slice = writer.reshaped(ValueKind::Slice, {x}, {1, 3}, {0});
    writer.last().offset = 1;
    return slice;
  });
}

/// The edges of the small graph without the repeated one, whose max would tie.
static void checkGradientsOverEdges(const std::string &what,
                                    const std::function<unsigned(ModelWriter &, unsigned, End, bool)> &body) {
  for (End toward : {End::Destination, End::Source})
    for (bool filtered : {false, true}) {
      INFO(what);
      ModelWriter writer;
      OracleBindings bindings = smallGraph();
      bindings.relations[0].src[3] = 4;
      bindings.inputs["x"] = numbers(5 * 2);
      bindings.inputs["w"] = numbers(5 * 2, 3);
      unsigned x = writer.input("x", {2}), w = writer.input("w", {2}, GraphKind::E);
      unsigned neighbour = writer.binary(ValueKind::Mul, writer.source(x), writer.destination(x));
      writer.outputSquares(body(writer, writer.binary(ValueKind::Mul, neighbour, w), toward, filtered));
      for (const GradientCheck &check : checkGradients(writer.model, bindings, 1000, /*withInputs=*/true)) {
        CHECK(check.entries == 10);
        CHECK(check.maxError < 1e-7);
      }
    }
}

TEST_CASE("gradients along edges") {
  for (Reduction reduction : {Reduction::Sum, Reduction::Mean, Reduction::Max, Reduction::Min, Reduction::LogSumExp})
    checkGradientsOverEdges("aggregate " + std::to_string(int(reduction)),
                            [&](ModelWriter &writer, unsigned message, End toward, bool filtered) {
                              std::vector<unsigned> operands = {message};
                              if (filtered)
                                operands.push_back(writer.compare(
                                    ValueKind::Greater, writer.reduce(Reduction::Sum, message, 0), writer.constant(0)));
                              return writer.aggregate(reduction, operands, toward);
                            });
  checkGradientsOverEdges("softmax", [&](ModelWriter &writer, unsigned message, End toward, bool filtered) {
    std::vector<unsigned> operands = {message};
    if (filtered)
      operands.push_back(
          writer.compare(ValueKind::Greater, writer.reduce(Reduction::Sum, message, 0), writer.constant(0)));
    return writer.binary(ValueKind::Mul, writer.softmax(operands, toward), message);
  });
}

TEST_CASE("gradients of losses") {
  for (ValueKind kind : {ValueKind::CrossEntropy, ValueKind::BinaryCrossEntropy, ValueKind::MeanSquaredError}) {
    ModelWriter writer;
    OracleBindings bindings = smallGraph();
    bindings.inputs["x"] = numbers(5 * 3);
    bindings.params["b"] = numbers(3, 2);
    bindings.mask = {1, 0, 2, 1, 0};
    unsigned logits = writer.binary(ValueKind::Mul, writer.input("x", {3}), writer.param("b", {3}));
    const bool labels = kind == ValueKind::CrossEntropy;
    bindings.inputs["t"] = labels ? std::vector<double>{0, 1, 2, -1, 1} : numbers(15, 3);
    unsigned target =
        labels ? writer.named(ValueKind::Target, "t", GraphKind::V, {}, ElementKind::I64) : writer.input("t", {3});
    writer.model.loss = writer.add(kind, {GraphKind::V, 0, {}, ElementKind::Real}, {logits, target});
    for (const GradientCheck &check : checkGradients(writer.model, bindings, 1000, /*withInputs=*/true)) {
      CHECK(check.entries == (check.name == "b" ? 3 : 15));
      CHECK(check.maxError < 1e-7);
    }
  }
}

TEST_CASE("max sends its gradient to the first of equals in canonical order") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph(); // edges 0: 0 -> 1, 1 and 3: 2 -> 1
  bindings.inputs["w"] = {7, 7, 1, 7, 1};
  unsigned w = writer.input("w", {}, GraphKind::E);
  unsigned best = writer.aggregate(Reduction::Max, {w});
  auto gradient = [&] {
    OracleValues values = evaluate(writer.model, bindings);
    return differentiateValue(writer.model, bindings, values, best, {10, 20, 30, 40, 50}).at("w");
  };
  CHECK(gradient() == std::vector<double>{20, 0, 10, 0, 40});
  bindings.inputs["w"][0] = 0;
  CHECK(gradient() == std::vector<double>{0, 20, 10, 0, 40});
  bindings.relations[0].src[0] = 4; // now edge 0 comes last in row 1
  bindings.inputs["w"] = {7, 7, 1, 7, 1};
  CHECK(gradient() == std::vector<double>{0, 20, 10, 0, 40});
}

TEST_CASE("elementwise maximum and minimum send a tie to their first operand, abs nowhere") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params = {{"a", {2}}, {"b", {2}}, {"c", {0}}};
  unsigned a = writer.param("a", {}), b = writer.param("b", {}), c = writer.param("c", {});
  unsigned larger = writer.binary(ValueKind::Maximum, a, b), smaller = writer.binary(ValueKind::Minimum, b, a);
  unsigned absolute = writer.unary(ValueKind::Abs, c);
  OracleValues values = evaluate(writer.model, bindings);
  CHECK(differentiateValue(writer.model, bindings, values, larger, {3}).at("a")[0] == 3);
  CHECK(differentiateValue(writer.model, bindings, values, larger, {3}).at("b")[0] == 0);
  CHECK(differentiateValue(writer.model, bindings, values, smaller, {3}).at("b")[0] == 3);
  CHECK(differentiateValue(writer.model, bindings, values, absolute, {3}).at("c")[0] == 0);
}

TEST_CASE("kinks: margins, ties and decisions") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.inputs["x"] = {0.5, -0.25, 0, 4, -3};
  unsigned x = writer.input("x", {}), zero = writer.constant(0);
  writer.binary(ValueKind::Maximum, x, zero);
  auto find = [&] { return findKinks(writer.model, bindings, evaluate(writer.model, bindings)); };
  KinkReport report = find();
  CHECK(report.margin == 0.25);
  CHECK(report.ties == 1);
  bindings.inputs["x"][1] = -0.125;
  CHECK(find().decisions == report.decisions);
  bindings.inputs["x"][1] = 0.125;
  CHECK(find().decisions != report.decisions);
}

TEST_CASE("another winner over edges or a dimension is another decision") {
  ModelWriter writer;
  OracleBindings bindings;
  bindings.numVertices = {1};
  bindings.relations = {graphOf({0, 0}, {0, 0})};
  bindings.inputs["x"] = {1, 2};
  bindings.params["p"] = {1, 2};
  writer.aggregate(Reduction::Max, {writer.input("x", {}, GraphKind::E)});
  writer.reduce(Reduction::Max, writer.param("p", {2}), 0);
  auto find = [&] { return findKinks(writer.model, bindings, evaluate(writer.model, bindings)); };
  const KinkReport report = find();
  CHECK(report.margin == 0.5);
  bindings.inputs["x"] = {2, 1};
  CHECK(find().decisions != report.decisions);
  bindings.inputs["x"] = {1, 2};
  bindings.params["p"] = {2, 1};
  CHECK(find().decisions != report.decisions);
}

TEST_CASE("the gradient check sees a wrong gradient's size and skips kinks") {
  ModelWriter writer;
  OracleBindings bindings = smallGraph();
  bindings.params["p"] = {0, 1};
  writer.outputSquares(writer.unary(ValueKind::Abs, writer.param("p", {2})));
  std::vector<GradientCheck> checks = checkGradients(writer.model, bindings);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].name == "p");
  CHECK(checks[0].skipped == 1);
  CHECK(checks[0].entries == 1);
}
