//===- ShapeLayoutTest.cpp - Recorded layouts of graphs' shapes -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout of a shape is an estimate, so there is nothing to compare it with: what it says of several programs, shapes
// and residents is recorded here, and may change on purpose only.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/ShapeLayout.h"
#include "runtime/test/FakeLibrary.h"

#include <catch2/catch.hpp>
#include <sstream>

using namespace gnn::rt;
using namespace gnn::train_tool;

namespace {

/// Inference of a model with a table over edges: a sweep makes a score for each edge, from which another one sums.
struct FakeScoresLibrary : FakeLibrary {
  enum { Score = FakeLibrary::NumTensors };
  const uint32_t scoreAccess[3] = {GNN_ACCESS_COL, GNN_ACCESS_ROW, GNN_ACCESS_EDGE},
                 sumAccess[3] = {GNN_ACCESS_COL, GNN_ACCESS_EDGE, GNN_ACCESS_ROW}, scoreTensors[3] = {Z, Degree, Score},
                 sumTensors[3] = {Z, Score, Y};

  FakeScoresLibrary() {
    gnn_tensor_info_t score = tensors[Loss];
    score.name = "%score";
    score.domain = GNN_DOMAIN_EDGE;
    tensors.push_back(score);
    gnn_step_t step = inferSteps[1];
    step.num_tensors = 3;
    for (auto [access, operands] : {std::pair(scoreAccess, scoreTensors), std::pair(sumAccess, sumTensors)}) {
      gnn_kernel_t kernel = kernels[Aggregate];
      kernel.access = access;
      kernel.num_operands = 3;
      kernel.num_inputs = 2;
      step.kernel = uint32_t(kernels.size());
      step.tensors = operands;
      kernels.push_back(kernel);
      run.push_back(run[Aggregate]);
      merge.push_back(merge[Aggregate]);
      inferSteps.push_back(step);
    }
    inferSteps.erase(inferSteps.begin() + 1);
    isas[0].run = run.data();
    isas[0].merge = merge.data();
    programs[0].steps = inferSteps.data();
    programs[0].num_steps = uint32_t(inferSteps.size());
    library.tensors = tensors.data();
    library.num_tensors = uint32_t(tensors.size());
    library.kernels = kernels.data();
    library.num_kernels = uint32_t(kernels.size());
    describe();
  }
};

/// A library over a graph of `vertices` and `edges`, with 64 columns of which rows have 10 entries, and 8 classes.
struct Shape {
  Shape(const FakeLibrary &fake, int64_t vertices, int64_t edges)
      : library(Library::fromTable(&fake.library, "fake.so")),
        shape(*library, dims(), rows(vertices), edgesOf(vertices, edges)) {}

  Dims dims() const {
    Dims bound(library);
    bound.bind("in", 64, "test");
    bound.bind("classes", 8, "test");
    bound.finish();
    return bound;
  }
  std::vector<int64_t> rows(int64_t vertices) const {
    std::vector<int64_t> found(library->table().num_vertex_types, 0);
    found[0] = vertices;
    return found;
  }
  std::vector<int64_t> edgesOf(int64_t vertices, int64_t edges) const {
    std::vector<int64_t> found(library->table().num_relations, 10 * vertices);
    found[0] = edges;
    return found;
  }

  /// What the layout says, in words.
  std::string layout(uint32_t kind, int64_t parts, int ranks, const Residents &residents = {}) const {
    const ShapeLayout found(shape, *library->program(kind), parts, ranks, residents);
    std::ostringstream text;
    const RunTraffic &traffic = found.traffic();
    text << "run " << found.runBytes() << ", results " << found.resultBytes() << ", calls " << traffic.calls
         << ", read " << traffic.moved.bytesRead() << ", written " << traffic.moved.bytesWritten();
    for (auto [tensor, bytes] : traffic.ofTables)
      text << "; " << library->tensor(tensor).name << " " << bytes;
    for (auto [edges, bytes] : traffic.ofEdges)
      text << "; " << library->table().relations[edges.first].name
           << (edges.second == GNN_TO_DESTINATION ? " to destination " : " to source ") << bytes;
    return text.str();
  }

  std::shared_ptr<const Library> library;
  GraphShape shape;
};

constexpr uint32_t infer = GNN_PROGRAM_INFER, train = GNN_PROGRAM_TRAIN, evaluate = GNN_PROGRAM_EVALUATE;
const Residents inEdges{{}, {{0, GNN_TO_DESTINATION}}};

} // namespace

TEST_CASE("shape layouts of a dense model are as they were") {
  const FakeLibrary fake;
  const Shape shape(fake, 1000000, 10000000);
  CHECK(shape.layout(infer, 1, 1) ==
        "run 484000008, results 0, calls 2, read 372000000, written 64000000; x 256000000; "
        "in_degree 4000000; %z 64000000; logits 32000000; edges to destination 80000000");
  CHECK(shape.layout(train, 1, 1) ==
        "run 520000008, results 2176, calls 5, read 752000000, written 64000000; x 512000000; y 4000000; "
        "mask 4000000; in_degree 8000000; %z 64000000; %dy 64000000; edges to destination 80000000; "
        "edges to source 80000000");
  CHECK(shape.layout(train, 5, 1) ==
        "run 163204112, results 2176, calls 65, read 1024000000, written 64000000; x 512000000; y 4000000; "
        "mask 4000000; in_degree 24000000; %z 192000000; %dy 192000000; edges to destination 80000000; "
        "edges to source 80000000");
  CHECK(shape.layout(evaluate, 5, 1) ==
        "run 155200016, results 0, calls 35, read 504000000, written 72000000; x 256000000; y 4000000; "
        "in_degree 4000000; %z 192000000; logits 32000000; %loss 4000000; %correct 4000000; "
        "edges to destination 80000000");
  CHECK(shape.layout(train, 512, 1) ==
        "run 1536768, results 2176, calls 525824, read 35500000000, written 64000000; x 512000000; "
        "y 4000000; mask 4000000; in_degree 2052000000; %z 16416000000; %dy 16416000000; "
        "edges to destination 80000000; edges to source 80000000");
  CHECK(shape.layout(train, 8, 4) ==
        "run 100516464, results 2176, calls 38, read 307000000, written 16000000; x 128000000; y 1000000; "
        "mask 1000000; in_degree 9000000; %z 72000000; %dy 72000000; edges to destination 20000000; "
        "edges to source 20000000");
  CHECK(shape.layout(evaluate, 7, 3) ==
        "run 109551664, results 0, calls 27, read 210666848, written 24000048; x 85333504; y 1333336; "
        "in_degree 1333336; %z 106666688; logits 10666688; %loss 1333336; %correct 1333336; "
        "edges to destination 26666672");
}

TEST_CASE("shape layouts with residents are as they were") {
  const FakeLibrary fake;
  const Shape shape(fake, 1000000, 10000000);
  CHECK(shape.layout(train, 5, 1, {{FakeLibrary::X, FakeLibrary::Z}, {}}) ==
        "run 97604112, results 2176, calls 65, read 352000000, written 32000000; y 4000000; mask 4000000; "
        "in_degree 24000000; %dy 192000000; edges to destination 80000000; edges to source 80000000");
  CHECK(shape.layout(train, 5, 1, inEdges) ==
        "run 163204112, results 2176, calls 65, read 1024000000, written 64000000; x 512000000; y 4000000; "
        "mask 4000000; in_degree 24000000; %z 192000000; %dy 192000000; edges to destination 80000000; "
        "edges to source 80000000");
  CHECK(shape.layout(train, 5, 1, {{FakeLibrary::Z, FakeLibrary::DY}, {{0, GNN_TO_DESTINATION}, {0, GNN_TO_SOURCE}}}) ==
        "run 188804112, results 2176, calls 45, read 624000000, written 0; x 512000000; y 4000000; "
        "mask 4000000; in_degree 24000000; edges to source 80000000");
  CHECK(shape.layout(evaluate, 5, 2, {{FakeLibrary::Y, FakeLibrary::Loss}, {}}) ==
        "run 155200016, results 36000000, calls 21, read 268000000, written 18000000; x 128000000; "
        "y 2000000; in_degree 2000000; %z 112000000; %correct 2000000; edges to destination 40000000");
}

TEST_CASE("shape layouts of few vertices, of none and of edges with wide ids are as they were") {
  const FakeLibrary fake;
  CHECK(Shape(fake, 3, 7).layout(train, 8, 1) ==
        "run 5176, results 2176, calls 27, read 2296, written 192; x 1536; y 12; mask 12; in_degree 48; "
        "%z 384; %dy 384; edges to destination 56; edges to source 56");
  CHECK(Shape(fake, 3, 7).layout(train, 8, 2) ==
        "run 7224, results 2176, calls 18, read 1520, written 128; x 1024; y 8; mask 8; in_degree 32; "
        "%z 256; %dy 256; edges to destination 32; edges to source 32");
  CHECK(Shape(fake, 0, 0).layout(train, 4, 1) ==
        "run 16, results 2176, calls 5, read 0, written 0; x 0; y 0; mask 0; in_degree 0; %z 0; %dy 0; "
        "edges to destination 0; edges to source 0");
  CHECK(Shape(fake, 1000, 5000000000).layout(train, 10, 1) ==
        "run 1200082616, results 2176, calls 230, read 120001204000, written 64000; x 512000; y 4000; "
        "mask 4000; in_degree 44000; %z 352000; %dy 352000; edges to destination 60000000000; "
        "edges to source 60000000000");
}

TEST_CASE("shape layouts of a sparse input are as they were") {
  const FakeSparseLibrary fake;
  const Shape shape(fake, 100000, 700000);
  CHECK(shape.layout(infer, 1, 1) ==
        "run 23200008, results 0, calls 2, read 17200000, written 6400000; in_degree 400000; %z 6400000; "
        "logits 3200000; edges to destination 5600000; x to destination 8000000");
  CHECK(shape.layout(train, 6, 1) ==
        "run 7600680, results 2176, calls 90, read 72400000, written 9600000; y 400000; mask 400000; "
        "in_degree 2800000; %z 22400000; %dy 22400000; %dz 6400000; edges to destination 5600000; "
        "edges to source 5600000; x to destination 8000000; x to source 8000000");
  CHECK(shape.layout(train, 6, 3) ==
        "run 7601192, results 2176, calls 34, read 31600024, written 3200064; y 133336; mask 133336; "
        "in_degree 933336; %z 7466688; %dy 7466688; %dz 4266688; edges to destination 1866672; "
        "edges to source 1866672; x to destination 2666672; x to source 8000000");
}

TEST_CASE("shape layouts with a table over edges are as they were") {
  const FakeScoresLibrary fake;
  const Shape shape(fake, 100000, 700000);
  CHECK(shape.layout(infer, 1, 1) ==
        "run 48800072, results 0, calls 3, read 46400000, written 9200000; x 25600000; in_degree 400000; "
        "%z 9600000; logits 3200000; %score 5600000; edges to destination 11200000");
  CHECK(shape.layout(infer, 6, 1) ==
        "run 12867144, results 0, calls 78, read 78400000, written 9200000; x 25600000; in_degree 400000; "
        "%z 41600000; logits 3200000; %score 5600000; edges to destination 11200000");
  CHECK(shape.layout(infer, 6, 1, {{FakeLibrary::Z, FakeScoresLibrary::Score}, inEdges.edges}) ==
        "run 14533504, results 0, calls 18, read 26000000, written 3200000; x 25600000; in_degree 400000; "
        "logits 3200000");
  CHECK(shape.layout(infer, 6, 1, {{FakeLibrary::Z}, inEdges.edges}) ==
        "run 13933640, results 0, calls 78, read 40000000, written 6000000; x 25600000; in_degree 400000; "
        "logits 3200000; %score 5600000; edges to destination 11200000");
  CHECK(shape.layout(infer, 6, 2, {{FakeScoresLibrary::Score}, {}}) ==
        "run 15511496, results 0, calls 39, read 37800000, written 3200000; x 12800000; in_degree 200000; "
        "%z 20800000; logits 1600000; edges to destination 5600000");
}
