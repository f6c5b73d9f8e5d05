//===- ScheduleTest.cpp - How models want to be run -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `schedule`: what it asks for, in which order, and where it is wrong.
//
//===----------------------------------------------------------------------===//

#include "FrontendTesting.h"
#include "compiler/Frontend/Frontend.h"
#include <catch2/catch.hpp>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

using Codes = std::vector<std::string>;

/// Layers conv1, to 32 features, and conv2, and a field `near` of `in`.
std::string model(const std::string &schedule, const std::string &ofLayer = "") {
  return "layer Conv(in: dim, out: dim) {\n  " + ofLayer +
         "\n  param W: real[in, out]\n  vertex v (h: real[in]) -> real[out] {\n    let z = h @ W\n"
         "    let s = sum(u.z for u -> v)\n    return s\n  }\n}\n"
         "model M(in: dim, out: dim) {\n  schedule { " +
         schedule +
         " }\n  layer conv1 = Conv(in, 32)\n  layer conv2 = Conv(32, out)\n  vertex v {\n    input x: real[in]\n"
         "    let near = mean(u.x for u -> v)\n    output y = conv2(relu(conv1(near)))\n  }\n}\n";
}

/// `tile 8 on conv1` of the checked model as `conv1.tile=8`.
std::vector<std::string> requests(const std::string &text) {
  Frontend frontend(defaultOptions());
  REQUIRE(frontend.loadBuffer(text, "test.gnn"));
  std::optional<CheckedModel> checked = frontend.check(/*needsModel=*/true);
  REQUIRE(checked);
  std::vector<std::string> result;
  for (const ScheduleRequest &request : checked->schedule)
    result.push_back(request.subject + "." + request.knob->name.str() + "=" + std::to_string(request.value));
  return result;
}

} // namespace

TEST_CASE("settings of layers come before those of the model") {
  CHECK(requests(model("tile 16; tile 8 on conv1, near")) == Codes{".tile=16", "conv1.tile=8", "near.tile=8"});
  CHECK(requests(model("tile 16 on conv2", "schedule { tile 32; tile 4 on s }")) ==
        Codes{"conv1.tile=32", "conv1.s.tile=4", "conv2.tile=32", "conv2.s.tile=4", "conv2.tile=16"});
}

TEST_CASE("wrong schedules") {
  CHECK(check(model("tiles 16")).codes == Codes{"E0109"});
  CHECK(check(model("tile 16 on conv3")).codes == Codes{"E0109"});
  CHECK(check(model("tile 16 on h")).codes == Codes{"E0109"}); // of a layer, not of the model
  for (const char *number :
       {"tile 3", "tile 48", "tile 1024", "tile -8", "tile 8.5", "tile 1e300", "tile", "tile wide"})
    CHECK(check(model(number)).codes == Codes{"E0112"});
  CHECK(check("model M(d: dim) { schedule { tile 8 } vertex v { input x: real[d]; output y = relu(x) } }").codes ==
        Codes{"E0112"});
}

TEST_CASE("threads are those of a warp, of aggregations and of what vertices compute alone") {
  CHECK(requests(model("threads 8; threads 1 on conv1")) == Codes{".threads=8", "conv1.threads=1"});
  for (const char *number : {"threads 64", "threads 12", "threads 0", "threads"})
    CHECK(check(model(number)).codes == Codes{"E0112"});
  CHECK(check("model M(d: dim) { schedule { threads 8 } vertex v { input x: real[d]; output y = relu(x) } }")
            .codes.empty());
}

TEST_CASE("hot other ends are those of aggregations") {
  CHECK(requests(model("hot 1024 on conv1")) == Codes{"conv1.hot=1024"});
  for (const char *number : {"hot 8", "hot 1000", "hot 65536"})
    CHECK(check(model(number)).codes == Codes{"E0112"});
  CHECK(check("model M(d: dim) { schedule { hot 64 } vertex v { input x: real[d]; output y = relu(x) } }").codes ==
        Codes{"E0112"});
}

TEST_CASE("a Hilbert curve goes over edges that keep a value") {
  auto edges = [](const std::string &schedule, const std::string &body) {
    return check("model M(d: dim) {\n  schedule { " + schedule + " }\n  layer attend = DotScore(d)\n" + body +
                 "\n}\nlayer DotScore(d: dim) { edge u -> v (h: real[d]) -> real { return dot(u.h, v.h) } }\n")
        .codes;
  };
  const std::string scores = "vertex v { input x: real[d] } edge u -> v { let s = attend(x); output y = 2 * s }";
  const std::string sums = "vertex v { input x: real[d]; let s = attend(x); output y = sum(s * u.x for u -> v) }";
  for (const char *schedule : {"hilbert 8", "hilbert 1", "hilbert 8 on attend", "hilbert 8 on y"})
    CHECK(edges(schedule, scores).empty());
  for (const char *schedule : {"hilbert 8", "hilbert 8 on attend"})
    CHECK(edges(schedule, sums) == Codes{"E0112"});
  for (const char *number : {"hilbert 12", "hilbert 128", "hilbert 0", "hilbert"})
    CHECK(edges(number, scores) == Codes{"E0112"});
  CHECK(check(model("hilbert 8 on conv1")).codes == Codes{"E0112"});
  CHECK(edges("hilbert 8", "vertex v { input x: real[d] } edge u -> v { output y = dot(u.x, v.x) }").empty());
  CHECK(edges("hilbert 8", "graph { pairs p } vertex v { input x: real[d] } edge u -p-> v { output y = attend(x) }") ==
        Codes{"E0112"});
  CHECK(
      check(
          "layer DotScore(d: dim) { schedule { hilbert 8 } edge u -> v (h: real[d]) -> real { return dot(u.h, v.h) } }")
          .codes.empty());
}

TEST_CASE("a tile is no wider than what is aggregated, where that is known") {
  CHECK(check(model("tile 32 on conv1")).codes.empty());
  CHECK(check(model("tile 64 on conv1")).codes == Codes{"E0112"});
  CHECK(check(model("tile 64 on conv2")).codes.empty()); // `out` is open
  CHECK(check(model("tile 64")).codes.empty());
}

TEST_CASE("text of a request") {
  auto read = [](llvm::StringRef text) {
    llvm::Expected<ScheduleRequest> request = parseScheduleRequest(text);
    return request ? request->subject + "|" + request->knob->name.str() + "|" + std::to_string(request->value)
                   : llvm::toString(request.takeError());
  };
  CHECK(read("tile=8") == "|tile|8");
  CHECK(read("conv1.z.tile=64") == "conv1.z|tile|64");
  CHECK(read("conv1.tile") == "expected KERNEL.KNOB=VALUE, found 'conv1.tile'");
  CHECK(read("conv1.tiles=8") ==
        "there is no knob 'tiles' (there are: tile, prefetch, partition, hilbert, pass, threads, hot, split)");
  CHECK(read("tile=9") == "'tile' is a power of two from 4 to 512, not '9'");
  CHECK(read("tile=") == "expected KERNEL.KNOB=VALUE, found 'tile='");
}

TEST_CASE("places") {
  CHECK(isPlaceWithin("conv1.z", "conv1"));
  CHECK(isPlaceWithin("conv1", "conv1"));
  CHECK(isPlaceWithin("conv1.z", ""));
  CHECK_FALSE(isPlaceWithin("conv10.z", "conv1"));
  CHECK_FALSE(isPlaceWithin("conv1", "conv1.z"));
}
