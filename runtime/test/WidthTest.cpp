//===- WidthTest.cpp - More than 2^31 edges -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places and numbers of edges that do not fit in 32 bits, in files and memory that have holes where nobody looks.
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"
#include "TemporaryFolder.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/graph/EdgeFile.h"
#include "runtime/src/io/NpyFile.h"
#include "runtime/src/io/SpillFile.h"
#include "runtime/src/program/Steps.h"
#include "runtime/src/sample/Sampler.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnn::rt;

namespace {

constexpr int64_t numbersOf32 = int64_t(1) << 32;

/// Files have no room until something is written there.
class SparseFiles : public FileSystem {
public:
  int allocate(int file, uint64_t bytes) override { return ftruncate(file, off_t(bytes)); }
};

/// Zeros that take no memory until something is written there.
template <class T> Buffer<T> hole(int64_t count) {
  const size_t bytes = size_t(count) * sizeof(T);
  void *zeros = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(zeros != MAP_FAILED);
  return {std::shared_ptr<void>(zeros, [bytes](void *all) { munmap(all, bytes); }), static_cast<T *>(zeros),
          size_t(count)};
}

/// A .npy file of zeros but for its last elements.
template <class T>
void writeSparse(const std::string &path, const std::string &kind, int64_t rows, int64_t columns,
                 const std::vector<T> &last) {
  std::string header = "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(columns) + "), }";
  header.resize(118 - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00", 8);
  const auto length = uint16_t(header.size());
  file.write(reinterpret_cast<const char *>(&length), sizeof length);
  file << header;
  file.seekp(std::streamoff(10 + header.size()) +
             std::streamoff((rows * columns - int64_t(last.size())) * int64_t(sizeof(T))));
  file.write(reinterpret_cast<const char *>(last.data()), std::streamsize(last.size() * sizeof(T)));
  REQUIRE(file.good());
}

/// Vertex 0 has more than 2^32 edges, all with itself. Any other one reads three of those after it, by edges whose ids
/// are their places.
struct WideGraph {
  static constexpr int64_t vertices = 40, loops = numbersOf32 + 11, edges = loops + 3 * (vertices - 1);

  WideGraph() {
    std::vector<std::array<int64_t, 3>> bySource;
    EdgeSetParts parts;
    parts.givenEdges = edges;
    for (Csr *csr : {&parts.byDestination, &parts.bySource}) {
      csr->offsets = Buffer<int64_t>(size_t(vertices) + 1);
      csr->offsets[0] = 0;
      csr->offsets[1] = loops;
      csr->cols = hole<uint32_t>(edges);
      csr->edgeIds.wide = hole<int64_t>(edges);
    }
    int64_t at = loops;
    for (int64_t v = 1; v < vertices; ++v) {
      std::vector<int64_t> read;
      for (int64_t step : {1, 5, 11})
        read.push_back(1 + (v - 1 + step) % (vertices - 1));
      std::sort(read.begin(), read.end());
      for (int64_t u : read) {
        bySource.push_back({u, v, at});
        parts.byDestination.cols[size_t(at)] = uint32_t(u);
        parts.byDestination.edgeIds.wide[size_t(at)] = at;
        ++at;
      }
      parts.byDestination.offsets[size_t(v) + 1] = at;
    }
    std::sort(bySource.begin(), bySource.end());
    at = loops;
    for (auto [u, v, id] : bySource) {
      parts.bySource.cols[size_t(at)] = uint32_t(v);
      parts.bySource.edgeIds.wide[size_t(at)] = id;
      parts.bySource.offsets[size_t(u) + 1] = ++at;
    }
    graph = Graph::fromSchema({{"vertex", vertices}},
                              {{"edge", 0, 0, {}, {}, {}, 0, EdgeSet::fromParts(std::move(parts))}});
  }

  std::shared_ptr<const Graph> graph;
};

} // namespace

TEST_CASE("files of edge lists and of rows of edges have more than 2^32 elements") {
  const TemporaryFolder folder;
  const int64_t edges = numbersOf32 + 7;
  writeSparse<int64_t>(folder.path("edge_index.npy"), "<i8", 2, edges, {3, 1, 4});
  const NpyFile list(folder.path("edge_index.npy"), "edge_index.npy");
  const Tensor last = list.columns(edges - 3, 3);
  CHECK(std::vector<int64_t>(last.data<int64_t>(), last.data<int64_t>() + 6) == std::vector<int64_t>{0, 0, 0, 3, 1, 4});

  writeSparse<float>(folder.path("e.npy"), "<f4", edges / 2, 3, {1, 2, 3, 4, 5});
  const NpyFile features(folder.path("e.npy"), "e.npy");
  std::vector<float> rows(6), row(3);
  features.read(edges / 2 - 2, 2, rows.data());
  CHECK(rows == std::vector<float>{0, 1, 2, 3, 4, 5});
  features.read(std::vector<WantedRows>{{edges / 2 - 1, 1, row.data()}});
  CHECK(row == std::vector<float>{3, 4, 5});
  std::filesystem::resize_file(folder.path("e.npy"), uint64_t(numbersOf32) * 4);
  CHECK_THROWS_WITH(features.read(edges / 2 - 1, 1, row.data()), Catch::Contains("e.npy: it ends at byte 25769803"));
}

TEST_CASE("files of sorted edges and of tables have more than 2^32 bytes") {
  const TemporaryFolder folder;
  SparseFiles files;
  EdgeFile edges(folder.path(""), {/*ids=*/true, /*wideIds=*/true, /*types=*/true}, numbersOf32 + 5, 2, files);
  EdgeFile::Writer writer(edges, /*direction=*/1);
  for (int64_t e = 0; e < edgesOfPiece; ++e)
    writer.add(uint32_t(numbersOf32 - 2 - e), numbersOf32 + 2 * e, int32_t(e % 7));
  edges.forPieces(1, edgesOfPiece - 2, edgesOfPiece, [&](const EdgePiece &piece) {
    CHECK((piece.cols[0] == uint32_t(numbersOf32 - edgesOfPiece) && piece.types[1] == (edgesOfPiece - 1) % 7));
    CHECK((piece.id(0) == numbersOf32 + 2 * (edgesOfPiece - 2) && piece.id(1) == numbersOf32 + 2 * (edgesOfPiece - 1)));
  });

  SpillFile spill(folder.path(""), files);
  spill.add(size_t(numbersOf32) * 3);
  const uint64_t place = spill.add(64);
  spill.allocate();
  const std::vector<char> written(64, 'w');
  std::vector<char> read(64);
  spill.write(SpillFile::Tables, written.data(), written.size(), place);
  spill.read(SpillFile::Tables, read.data(), read.size(), place);
  CHECK((place >= uint64_t(numbersOf32) * 3 && read == written));
}

TEST_CASE("samples of a graph with more than 2^32 edges have edges of its rows, also of one that has as many") {
  const FakeLibrary fake;
  const WideGraph wide;
  Features features;
  features["x"].dense = Tensor::of(std::vector<float>(size_t(WideGraph::vertices) * 6, 1), {WideGraph::vertices, 6});
  features["y"].dense = Tensor::of(std::vector<int64_t>(size_t(WideGraph::vertices), 2));
  const auto library = Library::fromTable(&fake.library, "fake.so");
  Dims dims(library);
  bindDims(dims, *library, *wide.graph, features, "test data");
  dims.finish();
  Binding binding(library, dims, wide.graph, features, /*withTargets=*/true, "test data");
  const gnn_program_t &program = *library->program(GNN_PROGRAM_TRAIN);
  CHECK(binding.relation(0).numEdges() == WideGraph::edges);
  const Csr &csr = wide.graph->relations()[0].set->relation().csr(GNN_TO_DESTINATION);
  const std::vector<int64_t> seeds{0, 3, 17};
  for (const char *drawing : {"uniform", "replace"}) {
    Sampler sampler(*library, binding, program, FanOuts("2", "test"), Drawing::parse(drawing, "test"));
    sampler.begin(/*stepKey=*/5);
    std::vector<int64_t> places;
    sampler.choose({0, GNN_TO_DESTINATION, 0, /*vertex=*/0, 0, WideGraph::loops}, places);
    CHECK((places.size() == 2 && places[0] <= places[1] && places[1] < WideGraph::loops));
    CHECK(places[1] > numbersOf32 / 4); // of numbers below 2^32 modulo anything smaller

    Neighbourhood around(*library, binding, program);
    around.expand(/*vertexType=*/0, seeds, &sampler);
    int numSweeps = 0;
    for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
      if (step->kind != GNN_STEP_SWEEP || step->direction != GNN_TO_DESTINATION)
        continue;
      ++numSweeps;
      const gnn_block_t block = around.viewOf(*step).block(step->relation, step->direction);
      const std::vector<int64_t> &ids = around.edgesOf(Neighbourhood::edgeRowsOf(*library, *step));
      for (int64_t row = 0; row < block.num_rows; ++row) {
        const auto v = size_t(block.row_id[row]);
        CHECK(block.offsets[row + 1] - block.offsets[row] == 2);
        for (int64_t e = block.offsets[row]; e < block.offsets[row + 1]; ++e) {
          const int64_t id = block.edge_id ? block.edge_id[e] : ids[size_t(e)];
          CHECK((id >= csr.offsets[v] && id < csr.offsets[v + 1]));
          CHECK(block.col_id[block.cols[e]] == csr.cols[size_t(id)]);
        }
      }
    }
    CHECK(numSweeps > 0);
    CHECK(around.bytes() < size_t(1) << 20);
  }
}
