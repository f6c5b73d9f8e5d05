//===- StreamTest.cpp - Programs that are streamed ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeKernels.h"
#include "RankCheck.h"
#include "SmallStreams.h"
#include "StreamCheck.h"
#include "runtime/src/stream/Prices.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// Vertex 0 has a row of three segments.
std::vector<std::string> failuresOf(const FakeLibrary &fake, const TemporaryFolder &folder,
                                    const FakeData &data = FakeData(2500, 6000)) {
  auto library = Library::fromTable(&fake.library, "fake.so");
  Model model(library, 2);
  bindDims(model.dims(), *library, *data.graph, data.features, "test data");
  model.initialize(7);
  Tensor &w = model.parameter(FakeLibrary::W); // with a single 1 in each column, products are exact in any order
  const int64_t in = w.dim(0), classes = w.dim(1);
  for (int64_t i = 0; i < in * classes; ++i)
    w.mutableData<float>()[i] = i / classes == i % classes % in ? 1.0f : 0.0f;
  const Span<const int64_t> train(data.train.data(), data.train.size());
  std::vector<std::string> failures =
      checkStream(model, data.graph, data.features, train, folder.path(), /*areProductsExact=*/true);
  for (const std::string &failure : checkRanks(model, data.graph, data.features, train, folder.path()))
    failures.push_back(failure);
  return failures;
}

} // namespace

TEST_CASE("streamed programs match the whole graph") {
  TemporaryFolder folder;
  CHECK(failuresOf(FakeLibrary(), folder) == std::vector<std::string>());
  CHECK(folder.names().empty());
}

TEST_CASE("the comparison of streamed programs notices a kernel that forgets where its chunk begins") {
  FakeLibrary fake;
  fake.run[FakeLibrary::Aggregate] = [](const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
    gnn_block_t block = *args->block;
    block.row_pos = nullptr;
    gnn_kernel_args_t wrong = *args;
    wrong.block = &block;
    fake::aggregate(&wrong, begin, end);
  };
  TemporaryFolder folder;
  CHECK_FALSE(failuresOf(fake, folder).empty());
}

TEST_CASE(
    "what is loaded ahead takes the memory that is planned for it, and many loads are under way before a step runs") {
  TemporaryFolder folder;
  Streams next(folder.path()), more(folder.path(), bytesOfSeek, someAhead), all(folder.path(), bytesOfSeek, 64 << 20);
  CHECK(next.streamed.places().memory().aheadBytes() == 0);
  CHECK(more.streamed.places().memory().aheadBytes() > 0);
  CHECK(more.streamed.places().memory().aheadBytes() <= someAhead);
  CHECK(all.streamed.places().memory().aheadBytes() >
        more.streamed.places().memory().aheadBytes()); // as much as there is, and no more
  CHECK(all.streamed.places().memory().aheadBytes() < 8 << 20);
  for (Streams *streams : {&more, &all}) {
    CHECK(streams->streamed.places().memory().bytes ==
          next.streamed.places().memory().bytes + streams->streamed.places().memory().aheadBytes());
    CHECK(streams->streamed.traffic().host == next.streamed.traffic().host);
    REQUIRE(messageOf(*streams) == "");
  }
  REQUIRE(messageOf(next) == "");
  CHECK(more.results() == next.results());
  CHECK(all.results() == next.results());
  auto mostAhead =
      [](Streams &streams) { // how many orders of Queue::Load are asked for before an order of Queue::Work ends
        std::vector<LaneSpan> spans;
        Prices prices(nullptr);
        streams.streamed.runSome(0, [&](const LaneSpan &span) {
          prices.note({span.order, 0, span.order.queue == Queue::Load ? 0.001 : 1});
        });
        streams.streamed.rehearse(prices, [&](const LaneSpan &span) { spans.push_back(span); });
        size_t most = 0;
        for (const LaneSpan &work : spans)
          if (work.order.queue == Queue::Work && work.order.edges > 0)
            most =
                std::max(most, size_t(std::count_if(spans.begin(), spans.end(), [&](const LaneSpan &span) {
                           return span.order.queue == Queue::Load && span.begin >= work.begin && span.end <= work.end;
                         })));
        return most;
      };
  CHECK(mostAhead(more) > mostAhead(next));
  CHECK(mostAhead(all) >= mostAhead(more));
}

TEST_CASE("a table that is bound again is what the next run reads") {
  TemporaryFolder folder;
  const std::vector<int64_t> others = {3, 77, 150};
  Streams fresh(folder.path()), streams(folder.path());
  fresh.run.binding.setLossRows({others.data(), others.size()});
  REQUIRE(messageOf(fresh) == "");
  REQUIRE(messageOf(streams) == "");
  const std::vector<std::vector<float>> before = streams.results();
  streams.run.binding.setLossRows({others.data(), others.size()});
  CHECK(messageOf(streams) == "");
  CHECK(streams.results() == fresh.results());
  CHECK(streams.results() != before);
}

TEST_CASE("chunks without edges are passed over, but rows that have none still get their numbers") {
  TemporaryFolder folder;
  FakeLibrary fake;
  const FakeData data(300, 0); // all edges are to vertex 0
  CHECK(failuresOf(fake, folder, data) == std::vector<std::string>());
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  SpilledData spilled(run.engine, *run.library, run.binding, /*parts=*/6, folder.path());
  const Chunks &in = spilled.chunks(0, GNN_TO_DESTINATION), &out = spilled.chunks(0, GNN_TO_SOURCE);
  CHECK(in.met(0) == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
  CHECK(in.met(5) == std::vector<int64_t>{0});
  CHECK(in.ofSweep().met == 11);
  CHECK(in.ofSweep().colRows == 300); // none for intervals without edges
  CHECK(out.ofSweep().met == 6);
  CHECK(out.ofSweep().colRows == 300);
}
