//===- EdgeDrawsTest.cpp - Edges that a device draws ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of the tag [fake] need the fake libcuda; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cuda/DeviceEdges.h"
#include "runtime/src/sample/Sampler.h"
#include "runtime/test/FakeData.h"

#include <algorithm>
#include <future>
#include <numeric>
#include <sys/mman.h>

using namespace gnn::rt;

namespace {

/// Rows of so many edges each, in turn, with cols at random.
struct Rows {
  Rows(int64_t count, const std::vector<int64_t> &degrees) {
    std::mt19937 random(7);
    for (int64_t row = 0; row < count; ++row)
      offsets.push_back(offsets.back() + degrees[size_t(row) % degrees.size()]);
    for (int64_t edge = 0; edge < offsets.back(); ++edge)
      cols.push_back(uint32_t(random()));
  }
  int64_t degree(uint32_t row) const { return offsets[row + 1] - offsets[row]; }

  std::vector<int64_t> offsets{0};
  std::vector<uint32_t> cols;
};

/// Places of the edges that the processor draws.
std::vector<int64_t> drawnHere(const Rows &rows, uint32_t row, int64_t id, uint64_t seed, int64_t most,
                               bool isRepeated) {
  const int64_t degree = rows.degree(row);
  const bool isAll = degree == 0 || (degree <= most && !isRepeated);
  std::vector<int64_t> places(size_t(isAll ? degree : most));
  std::iota(places.begin(), places.end(), 0);
  if (!isAll)
    (isRepeated ? drawRepeated : drawUniform)(RandomSequence(seed + mix64(uint64_t(id) + goldenGamma)), degree, most,
                                              places.data());
  for (int64_t &place : places)
    place += rows.offsets[row];
  return places;
}

/// A binding of the model of FakeLibrary, and a device that draws of its edges.
struct Batches {
  Batches(uint32_t order, const std::string &fanOuts, const std::string &drawing)
      : data(400, 3000, order), run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1),
        program(*run.library->program(GNN_PROGRAM_TRAIN)),
        sampler(*run.library, run.binding, program, FanOuts(fanOuts, "test"), Drawing::parse(drawing, "test")),
        device(Device::open(0)) {
    {
      Device::Scope scope(*device);
      kernels.emplace(device);
    }
    tables = DeviceEdges::open(device, *kernels, run.binding, rows());
  }
  std::vector<std::pair<uint32_t, uint32_t>> rows() const { return sampler.rowsForEngines(program); }

  /// What the batches of an epoch are: their vertices, edges and the ids of these, drawn by the processor (null) or
  /// not.
  std::vector<int64_t> epoch(EdgeDraws *draws) {
    Sampler drawn = sampler;
    drawn.drawBy(draws);
    Neighbourhood around(*run.library, run.binding, program);
    std::vector<int64_t> all;
    constexpr size_t batch = 70;
    for (size_t first = 0; first < data.train.size(); first += batch) {
      drawn.begin(stepKey(/*seed=*/3, first / batch));
      const size_t count = std::min(batch, data.train.size() - first);
      around.expand(/*vertexType=*/0, {data.train.data() + first, count}, &drawn);
      const std::vector<int64_t> &vertices = around.verticesOf(0);
      all.insert(all.end(), vertices.begin(), vertices.end());
      for (uint32_t s = 0; s < program.num_steps; ++s)
        if (program.steps[s].kind == GNN_STEP_SWEEP)
          add(program.steps[s], around, all);
    }
    return all;
  }

  FakeLibrary fake;
  FakeData data;
  FakeRun run;
  const gnn_program_t &program;
  Sampler sampler;
  std::shared_ptr<Device> device;
  std::optional<DeviceKernels> kernels;
  std::shared_ptr<DeviceEdges> tables; // null: it does not draw

private:
  void add(const gnn_step_t &step, const Neighbourhood &around, std::vector<int64_t> &all) const {
    const gnn_block_t block = around.viewOf(step).block(step.relation, step.direction);
    const int64_t edges = block.offsets[block.num_rows];
    all.insert(all.end(), block.offsets, block.offsets + block.num_rows + 1);
    all.insert(all.end(), block.cols, block.cols + edges);
    const std::vector<int64_t> &ids = around.edgesOf(Neighbourhood::edgeRowsOf(*run.library, step));
    all.insert(all.end(), ids.begin(), ids.end());
  }
};

} // namespace

TEST_CASE("the batches of an epoch are the same whoever draws them") {
  const uint32_t order = GENERATE(uint32_t(GNN_ORDER_GIVEN), uint32_t(GNN_ORDER_DEGREE));
  const std::string drawing = GENERATE("uniform", "replace");
  Batches batches(order, "5", drawing);
  REQUIRE(batches.tables);
  const std::vector<int64_t> expected = batches.epoch(nullptr);
  const std::unique_ptr<EdgeDraws> draws = batches.tables->draws();
  CHECK(batches.epoch(draws.get()) == expected);
  CHECK(draws->counts.edges > 0);
  CHECK(draws->counts.keptRows == 0);

  // Of rows that it keeps and rows of a peer.
  const std::shared_ptr<DeviceEdges> peer =
      DeviceEdges::open(batches.device, *batches.kernels, batches.run.binding, batches.rows());
  std::vector<std::vector<uint32_t>> ofTwo(2);
  for (uint32_t row = 0; row < 400; ++row)
    if (row % 3 != 2)
      ofTwo[row % 3].push_back(row);
  for (const auto &[relation, direction] : batches.rows())
    for (size_t bytes : peer->keep(relation, direction, {peer.get(), batches.tables.get()}, ofTwo))
      CHECK(bytes > ofTwo[0].size() * 8);
  draws->counts = {};
  CHECK(batches.epoch(draws.get()) == expected);
  CHECK((draws->counts.keptEdges > 0 && draws->counts.peerEdges > 0));
  CHECK(draws->counts.keptRows + draws->counts.peerRows < draws->counts.rows);

  // Of two sets of rows that are kept, the hub among them, by two threads.
  for (size_t every : {size_t(1), size_t(3)}) {
    std::vector<uint32_t> kept;
    for (size_t row = 0; row < 400; row += every)
      kept.push_back(uint32_t(row));
    for (const auto &[relation, direction] : batches.rows())
      CHECK(batches.tables->keep(relation, direction, {batches.tables.get()}, {kept})[0] > kept.size() * 8);
    const std::unique_ptr<EdgeDraws> others = batches.tables->draws();
    draws->counts = {};
    auto beside = std::async(std::launch::async, [&] { return batches.epoch(others.get()); });
    CHECK(batches.epoch(draws.get()) == expected);
    CHECK(beside.get() == expected);
    CHECK(others->counts.keptEdges == draws->counts.keptEdges);
    CHECK((draws->counts.keptRows == draws->counts.rows) == (every == 1));
    CHECK((draws->counts.keptEdges == draws->counts.edges) == (every == 1));
    CHECK(draws->counts.keptEdges > 0);
  }
}

TEST_CASE("a device draws all edges or none") {
  const Batches all(GNN_ORDER_GIVEN, "64", "replace");
  CHECK(all.rows().size() == 1);
  for (const auto &[fanOuts, drawing] :
       std::vector<std::pair<std::string, std::string>>{{"all", "uniform"}, {"65", "uniform"}, {"5", "labor"}}) {
    CAPTURE(fanOuts, drawing);
    const Batches batches(GNN_ORDER_GIVEN, fanOuts, drawing);
    CHECK(batches.rows().empty());
  }
}

TEST_CASE("a device draws the edges that the processor draws") {
  Arrays arrays;
  const Rows rows(700, {0, 1, 5, 10, 11, 2, 40, 0, 3, 5000});
  const auto offsets = MappedArray::of(arrays.device, rows.offsets.data(), rows.offsets.size() * sizeof(int64_t)),
             cols = MappedArray::of(arrays.device, rows.cols.data(), rows.cols.size() * sizeof(uint32_t));
  std::vector<uint32_t> asked(rows.offsets.size() - 1), keptPlaces(asked.size(), UINT32_MAX);
  std::iota(asked.begin(), asked.end(), 0u);
  std::shuffle(asked.begin(), asked.end(), std::mt19937(1));
  std::vector<int64_t> ids;
  for (uint32_t row : asked)
    ids.push_back(int64_t(row) * 1000003 + 5);
  std::vector<DeviceKernels::KeptEdges> tables; // of rows 0, 3, ..., of none, and of rows 1, 4, ...
  uint32_t numKept = 0;
  for (uint32_t table = 0; table < 3; ++table) {
    const uint32_t first = numKept;
    std::vector<uint32_t> offsets{0}, cols;
    for (uint32_t row = table / 2; table != 1 && row + 1 < rows.offsets.size(); row += 3) {
      keptPlaces[size_t(std::find(asked.begin(), asked.end(), row) - asked.begin())] = numKept++;
      cols.insert(cols.end(), rows.cols.begin() + rows.offsets[row], rows.cols.begin() + rows.offsets[row + 1]);
      offsets.push_back(uint32_t(cols.size()));
    }
    cols.push_back(0); // not empty
    tables.push_back({arrays.put(offsets), arrays.put(cols), first});
  }
  const auto count = asked.size();
  const cuda::Address rowsThere = arrays.put(asked), idsThere = arrays.put(ids), placesThere = arrays.put(keptPlaces),
                      tablesThere = arrays.put(tables);
  for (uint32_t most : {1u, 5u, 10u, 64u, 0u})
    for (bool isRepeated : {false, true})
      for (bool hasIds : {false, true})
        for (bool keepsSome : {false, true}) {
          CAPTURE(most, isRepeated, hasIds, keepsSome);
          const uint64_t seed = mix64(most + 10 * isRepeated);
          const cuda::Address seen = arrays.put(std::vector<uint32_t>(count)),
                              drawn = arrays.put(std::vector<uint32_t>(count * most + 1)),
                              places = arrays.put(std::vector<int64_t>(count * most + 1));
          arrays.kernels
              .drawEdges({offsets->address(), cols->address(), tablesThere, uint32_t(tables.size())},
                         {rowsThere, keepsSome ? placesThere : 0, hasIds ? idsThere : 0, int64_t(count), seed, most,
                          isRepeated, seen, drawn, hasIds ? places : 0})
              .launchAside(*arrays.device, arrays.device->workStream());
          const auto counts = arrays.get<uint32_t>(seen, count), found = arrays.get<uint32_t>(drawn, count * most);
          const auto at = arrays.get<int64_t>(places, count * most);
          size_t differences = 0;
          for (size_t i = 0; i < count; ++i) {
            const std::vector<int64_t> expected =
                drawnHere(rows, asked[i], hasIds ? ids[i] : asked[i], seed, most, isRepeated);
            differences += counts[i] != uint32_t(expected.size());
            for (size_t k = 0; k < expected.size() && differences == 0; ++k) {
              differences += found[k * count + i] != rows.cols[size_t(expected[k])];
              differences += hasIds && at[k * count + i] != expected[k];
            }
          }
          CHECK(differences == 0);
        }
}

TEST_CASE("memory of the process is read where it is, or as a copy", "[fake]") {
  const std::vector<int64_t> offsets{0, 2};
  const size_t bytes = offsets.size() * sizeof(int64_t);
  auto addressOf = [&](const std::shared_ptr<const MappedArray> &array) { return array ? array->address() : 0; };
  const auto here = cuda::Address(reinterpret_cast<uintptr_t>(offsets.data()));
  std::weak_ptr<Device> first;
  {
    Arrays arrays;
    first = arrays.device;
    const auto copy = MappedArray::of(arrays.device, offsets.data(), bytes);
    CHECK(addressOf(copy) != 0);
    CHECK(addressOf(copy) != here);
    const auto pinned = MappedArray::of(arrays.device, offsets.data(), bytes, /*mostCopied=*/0),
               again = MappedArray::of(arrays.device, offsets.data(), bytes, /*mostCopied=*/0);
    CHECK(addressOf(pinned) == here);
    CHECK(addressOf(again) == here);
    CHECK(MappedArray::of(arrays.device, offsets.data(), bytes / 2, /*mostCopied=*/0) == nullptr); // the same page
  }
  CHECK(first.expired());
  Arrays arrays; // nothing is pinned any more
  CHECK(addressOf(MappedArray::of(arrays.device, offsets.data(), bytes, /*mostCopied=*/0)) == here);
  void *file = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // as that of a data set
  const auto read = [&] { return addressOf(MappedArray::of(arrays.device, file, 4096, /*mostCopied=*/0)); };
  CHECK(read() == cuda::Address(reinterpret_cast<uintptr_t>(file)));
  {
    const Fake fake("no-read-only");
    CHECK(read() == 0);
    CHECK(addressOf(MappedArray::of(arrays.device, offsets.data(), bytes, /*mostCopied=*/0)) == here); // as before
  }
  munmap(file, 4096);
  const Fake fake("no-map");
  CHECK(MappedArray::of(arrays.device, offsets.data(), bytes, /*mostCopied=*/0) == nullptr);
}
