//===- TuningTest.cpp - Tuning files and the search -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the search asks for and concludes, with times that nobody measured; files that are sound and that are not.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tuning/TuningSearch.h"
#include <catch2/catch.hpp>

using namespace gnnc;

namespace {

std::string textOf(const std::vector<ScheduleRequest> &requests) {
  std::string text;
  for (const ScheduleRequest &request : requests)
    text += request.subject + "." + request.knob->name.str() + "=" + std::to_string(request.value) + ";";
  return text;
}

/// Runs a search in which `time` says how long kernel a takes with each request; b always takes 1 ms.
template <class Time> TuningSearch searched(Time time) {
  TuningSearch search(Knob::Processors);
  for (TuningSearch::Batch batch = search.next(); !batch.empty(); batch = search.next()) {
    std::vector<KernelTimes> times;
    for (const std::vector<ScheduleRequest> &requests : batch)
      times.push_back({{"a", time(requests)}, {"b", 1.0}});
    search.add(times);
  }
  return search;
}

std::string failure(llvm::StringRef text) {
  llvm::Expected<TuningFile> file = TuningFile::parse(text, "m.tuning");
  return file ? "" : llvm::toString(file.takeError());
}

} // namespace

TEST_CASE("the search asks for every number of a knob at once, and keeps what gains") {
  TuningSearch first(Knob::Processors);
  TuningSearch::Batch batch = first.next();
  CHECK(batch.size() == 9); // 4 to 512, and without
  CHECK(batch[0].empty());
  CHECK(textOf(batch[1]) == ".tile=4;");
  CHECK(textOf(batch[8]) == ".tile=512;");

  TuningSearch found = searched([](const std::vector<ScheduleRequest> &requests) {
    return requests.empty() ? 10.0 : requests.back().value == 32 ? 5.0 : 8.0;
  });
  CHECK(textOf(found.requests()) == "a.tile=32;");
  CHECK(found.comments() == std::vector<std::string>{"5.0000 ms, 10.0000 ms before"});
}

TEST_CASE("what gains next to nothing is not kept") {
  CHECK(searched([](const auto &requests) { return requests.empty() ? 10.0 : 9.8; }).requests().empty());
}

TEST_CASE("what does not hold when it is measured again is not kept") {
  TuningSearch lucky(Knob::Processors);
  std::vector<KernelTimes> times(lucky.next().size(), {{"a", 10.0}});
  times[3]["a"] = 5;
  lucky.add(times);
  for (unsigned left = lucky.numBatches() - 2; left > 0; --left) // the other knobs gain nothing
    lucky.add(std::vector<KernelTimes>(lucky.next().size(), {{"a", 10.0}}));
  TuningSearch::Batch again = lucky.next();
  REQUIRE(again.size() == 2);
  CHECK(again[0].empty());
  CHECK(textOf(again[1]) == "a.tile=16;");
  lucky.add({{{"a", 10.0}}, {{"a", 9.9}}});
  CHECK(lucky.next().empty());
  CHECK(lucky.requests().empty());
}

TEST_CASE("a tuning file is read as it was written") {
  TuningFile file;
  file.model = "GCN";
  ScheduleRequest request = llvm::cantFail(parseScheduleRequest("conv1_z_sweep.tile=64"));
  file.put({{34, 156, 17}, "x86-64-v3", 2, {request}, {"1.0 ms, 2.0 ms before"}});
  file.put({{2708, 13264, 169}, "x86-64-v3", 2, {}, {}});
  CHECK(file.text() == "gnnc-tuning 1\nmodel GCN\n\ngraph vertices=34 edges=156 longest=17 isa=x86-64-v3 threads=2\n"
                       "conv1_z_sweep.tile=64  # 1.0 ms, 2.0 ms before\n\n"
                       "graph vertices=2708 edges=13264 longest=169 isa=x86-64-v3 threads=2\n");
  TuningFile read = llvm::cantFail(TuningFile::parse(file.text(), "m.tuning"));
  CHECK(read.text() == file.text());
  CHECK(read.sections[0].requests[0].mayMiss);
  file.put({{34, 156, 17}, "x86-64-v3", 2, {}, {}}); // again: in its place
  CHECK(file.sections.size() == 2);
  CHECK(file.sections[0].requests.empty());
}

TEST_CASE("the tuning of the most similar graph is taken") {
  TuningFile file;
  file.put({{1000, 10000, 50}, "", 1, {}, {}});
  file.put({{100000, 9000000, 5000}, "", 1, {}, {}});
  CHECK(file.nearest(Knob::Processors, GraphStatistics{1500, 9000, 0})->graph.vertices == 1000);
  CHECK(file.nearest(Knob::Processors, GraphStatistics{50000, 2000000, 0})->graph.vertices == 100000);
  CHECK(file.nearest(Knob::Processors, std::nullopt)->graph.vertices == 100000);
  CHECK(TuningFile().nearest(Knob::Processors, std::nullopt) == nullptr);
}

TEST_CASE("processors and devices have sections of their own, and a device its own before another's") {
  TuningFile file;
  file.put({{1000, 10000, 50}, "x86-64-v3", 2, {}, {}});
  CHECK(file.nearest(Knob::Devices, std::nullopt) == nullptr);
  file.put({{1000, 10000, 50}, "sm_90", 1, {}, {}});
  file.put({{1000, 10000, 50}, "sm_80", 1, {}, {}});
  file.put({{9, 9, 9}, "sm_100", 1, {}, {}});
  CHECK(file.sections.size() == 4);
  const GraphStatistics like{900, 9000, 0};
  CHECK(file.nearest(Knob::Processors, like)->isa == "x86-64-v3");
  CHECK(file.nearest(Knob::Devices, like)->isa == "sm_90");
  CHECK(file.nearest(Knob::Devices, like, {"sm_80"})->isa == "sm_80");
  CHECK(file.nearest(Knob::Devices, like, {"sm_100"})->isa == "sm_90"); // the graph says more
  CHECK(file.nearest(Knob::Devices, GraphStatistics{10, 10, 0}, {"sm_80"})->isa == "sm_100");
}

TEST_CASE("on a device its knobs are searched, and what it cannot run is passed over") {
  TuningSearch search(Knob::Devices);
  CHECK(textOf(search.next()[1]) == ".threads=1;");
  for (TuningSearch::Batch batch = search.next(); !batch.empty(); batch = search.next()) {
    std::vector<KernelTimes> times;
    for (const std::vector<ScheduleRequest> &requests : batch) {
      const bool isHot = !requests.empty() && requests.back().knob->name == "hot";
      if (isHot && requests.back().value > 64)
        times.emplace_back(); // takes more than there is
      else
        times.push_back({{"a", isHot ? 100.0 / double(requests.back().value) : 10.0}});
    }
    search.add(times);
  }
  CHECK(textOf(search.requests()) == "a.hot=64;");
}

TEST_CASE("damaged tuning files are located") {
  CHECK(failure("") == "m.tuning:0: not a tuning file: it is empty");
  CHECK(failure("hello") == "m.tuning:1: not a tuning file: expected 'gnnc-tuning 1'");
  CHECK(failure("gnnc-tuning 2") == "m.tuning:1: version 2 of tuning files, this gnnc reads 1");
  CHECK(failure("gnnc-tuning 1\n\na.tile=8\n") == "m.tuning:3: expected 'graph' before the first knob");
  CHECK(failure("gnnc-tuning 1\ngraph vertices=x") ==
        "m.tuning:2: expected vertices=, edges=, longest=, threads= or isa=, found 'vertices=x'");
  CHECK(failure("gnnc-tuning 1\ngraph vertices=1\na.tile=7") ==
        "m.tuning:3: 'tile' is a power of two from 4 to 512, not '7'");
}

TEST_CASE("measurements that make no sense are refused") {
  for (const char *text : {"", "[]", "{}", R"({"graph": {}, "libraries": [1]})"}) {
    llvm::Expected<Measurements> read = Measurements::parse(text);
    CHECK_FALSE(bool(read));
    llvm::consumeError(read.takeError());
  }
  Measurements read = llvm::cantFail(Measurements::parse(
      R"({"model": "M", "isa": "v", "threads": 2, "graph": {"vertices": 3, "edges": 4, "longest": 2},
          "libraries": [{"kernel_ms": {"a": 1.5}}, {"failed": "too much"}]})"));
  CHECK(read.section.graph == GraphStatistics{3, 4, 2});
  CHECK(read.libraries[0].at("a") == 1.5);
  CHECK(read.libraries[1].empty());
}
