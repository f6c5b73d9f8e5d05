//===- ReferenceTest.cpp - The oracle against results of others -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GCN and a GAT layer on Cora with fixed weights against float64 results that NumPy computed (shared/data/ref).
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include "gnn/npy.h"
#include "gnn/tensor.hpp"
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

using namespace gnnc;
using namespace gnnc::test;

static const std::string sharedData = GNNC_SHARED_DATA;

static std::vector<double> load(const std::string &file) {
  gnn_tensor_t *handle = nullptr;
  gnn::check(gnn_npy_load((sharedData + "/" + file).c_str(), &handle));
  gnn::Tensor tensor(handle);
  auto convert = [&](auto *data) { return std::vector<double>(data, data + tensor.count()); };
  switch (tensor.element()) {
  case GNN_F32:
    return convert(tensor.data<float>());
  case GNN_F64:
    return convert(tensor.data<double>());
  case GNN_I32:
    return convert(tensor.data<int32_t>());
  default:
    return convert(tensor.data<int64_t>());
  }
}

static std::vector<int64_t> loadIds(const std::string &file) {
  std::vector<double> numbers = load(file);
  return {numbers.begin(), numbers.end()};
}

static bool dataIsHere() {
  if (!sharedData.empty() && std::ifstream(sharedData + "/cora/edge_index.npy"))
    return true;
  WARN("skipped: no reference results at GNNC_SHARED_DATA (" << sharedData << ")");
  return false;
}

static OracleGraph coraWithLoops() {
  const std::vector<int64_t> edges = loadIds("cora/edge_index.npy");
  const auto middle = edges.begin() + edges.size() / 2;
  return transformGraph(graphOf({edges.begin(), middle}, {middle, edges.end()}), 2708, {false, false, true});
}

static void checkClose(const std::string &what, const std::vector<double> &actual,
                       const std::vector<double> &expected) {
  INFO(what);
  REQUIRE(actual.size() == expected.size());
  double largest = 0, error = 0;
  for (size_t i = 0; i < actual.size(); ++i) {
    largest = std::max(largest, std::fabs(expected[i]));
    error = std::max(error, std::fabs(actual[i] - expected[i]));
  }
  CHECK(largest > 0);
  CHECK(error <= 1e-12 * largest);
}

/// c_v * sum(c_u * x_u), c = 1 / sqrt(in-degree).
static unsigned convolve(ModelWriter &writer, unsigned x) {
  unsigned degree = writer.add(ValueKind::InDegree, {GraphKind::V, 0, {}, ElementKind::Real});
  unsigned c = writer.unary(ValueKind::Rsqrt, degree);
  unsigned wide = writer.reshaped(ValueKind::Broadcast, {c}, writer.type(x).shape);
  unsigned sum = writer.aggregate(Reduction::Sum, {writer.source(writer.binary(ValueKind::Mul, wide, x))});
  return writer.binary(ValueKind::Mul, wide, sum);
}

/// A GCN of two layers on a sparse, row-normalised input of 1433 columns.
static ModelWriter writeGcn() {
  ModelWriter writer;
  writer.sparseRelation("x", DimExpr(1433));
  Input sparse;
  sparse.name = "x";
  sparse.sparse = sparse.rowNormalized = true;
  sparse.relation = 1;
  writer.model.inputs.push_back(sparse);

  unsigned x = writer.named(ValueKind::Input, "x", GraphKind::E, {});
  writer.last().type.type = 1;
  unsigned w0 = writer.param("W0", {1433, 16});
  unsigned table = writer.add(ValueKind::Rows, {GraphKind::V, 1, {16}, ElementKind::Real}, {w0});
  unsigned product =
      writer.binary(ValueKind::Mul, writer.reshaped(ValueKind::Broadcast, {x}, {16}), writer.source(table, 1));
  writer.last().type.type = 1;
  unsigned hidden = convolve(writer, writer.aggregate(Reduction::Sum, {product}, End::Destination, 1));
  unsigned relu = writer.binary(ValueKind::Maximum, hidden, writer.constant(0, {16}));
  unsigned logits = convolve(writer, writer.reshaped(ValueKind::MatMul, {relu, writer.param("W1", {16, 7})}, {7}));
  writer.output("hidden", relu);
  writer.output("logits", logits);
  unsigned label = writer.named(ValueKind::Target, "label", GraphKind::V, {}, ElementKind::I64);
  writer.model.loss = writer.add(ValueKind::CrossEntropy, {GraphKind::V, 0, {}, ElementKind::Real}, {logits, label});
  return writer;
}

static OracleBindings gcnBindings() {
  OracleBindings bindings;
  bindings.numVertices = {2708};
  bindings.relations = {coraWithLoops(), {}};
  OracleGraph &nonzeros = bindings.relations[1];
  const std::vector<int64_t> indptr = loadIds("cora/x_indptr.npy");
  nonzeros.src = loadIds("cora/x_indices.npy");
  for (int64_t v = 0; v < 2708; ++v)
    nonzeros.dst.insert(nonzeros.dst.end(), indptr[v + 1] - indptr[v], v);
  bindings.inputs = {{"x", load("cora/x_values.npy")}, {"label", load("cora/y.npy")}};
  bindings.params = {{"W0", load("ref/cora_gcn/W0.npy")}, {"W1", load("ref/cora_gcn/W1.npy")}};
  bindings.mask.assign(2708, 0.0);
  for (int64_t v : loadIds("cora/train.npy"))
    bindings.mask[v] = 1;
  return bindings;
}

TEST_CASE("two-layer GCN on Cora") {
  if (!dataIsHere())
    return;
  const ModelWriter writer = writeGcn();
  const OracleBindings bindings = gcnBindings();
  REQUIRE(checkBindings(writer.model, bindings) == "");
  const OracleValues values = evaluate(writer.model, bindings);
  checkClose("hidden", findOutput(writer.model, values, "hidden")->data, load("ref/cora_gcn/hidden.npy"));
  checkClose("logits", findOutput(writer.model, values, "logits")->data, load("ref/cora_gcn/logits.npy"));
  checkClose("loss", {maskedLoss(writer.model, bindings, values)}, load("ref/cora_gcn/loss.npy"));
  const OracleGradients gradients = differentiateLoss(writer.model, bindings, values);
  checkClose("dW0", gradients.at("W0"), load("ref/cora_gcn/dW0.npy"));
  checkClose("dW1", gradients.at("W1"), load("ref/cora_gcn/dW1.npy"));
}

TEST_CASE("gradients of the GCN on Cora against differences") {
  if (!dataIsHere())
    return;
  for (const GradientCheck &check : checkGradients(writeGcn().model, gcnBindings(), 4)) {
    CHECK(check.entries + check.skipped == 4);
    CHECK(check.maxError < 1e-5);
  }
}

/// dot(h, a) over the last dimension, for each head.
static unsigned score(ModelWriter &writer, unsigned h, const char *param) {
  return writer.reduce(Reduction::Sum, writer.binary(ValueKind::Mul, h, writer.param(param, {8, 8})), 1);
}

TEST_CASE("GAT layer of 8 heads on Cora") {
  if (!dataIsHere())
    return;
  ModelWriter writer;
  unsigned x = writer.input("x", {64});
  unsigned h = writer.reshaped(ValueKind::MatMul, {x, writer.param("W", {64, 8, 8})}, {8, 8});
  unsigned s = score(writer, h, "a_src"), d = score(writer, h, "a_dst");
  unsigned sum = writer.binary(ValueKind::Add, writer.source(s), writer.destination(d));
  unsigned positive = writer.compare(ValueKind::Greater, sum, writer.constant(0, {8}));
  unsigned small = writer.binary(ValueKind::Mul, sum, writer.constant(0.2, {8}));
  unsigned e = writer.add(ValueKind::Select, writer.type(sum), {positive, sum, small});
  unsigned alpha = writer.softmax({e});
  unsigned wide = writer.reshaped(ValueKind::Broadcast, {alpha}, {8, 8}, {0});
  unsigned out = writer.aggregate(Reduction::Sum, {writer.binary(ValueKind::Mul, wide, writer.source(h))});

  const std::string folder = "ref/cora_gat/dense64_heads8/";
  OracleBindings bindings;
  bindings.numVertices = {2708};
  bindings.relations = {coraWithLoops()};
  bindings.inputs["x"] = load(folder + "x.npy");
  for (const char *param : {"W", "a_src", "a_dst"})
    bindings.params[param] = load(folder + param + ".npy");
  REQUIRE(checkBindings(writer.model, bindings) == "");
  const OracleValues values = evaluate(writer.model, bindings);
  checkClose("out", values[out].data, load(folder + "out.npy"));
  checkClose("alpha", values[alpha].data, load(folder + "alpha.npy"));
  const OracleGradients gradients = differentiateValue(writer.model, bindings, values, out, load(folder + "R.npy"));
  for (const char *name : {"W", "a_src", "a_dst", "x"})
    checkClose(std::string("d") + name, gradients.at(name), load(folder + "d" + name + ".npy"));
}
