//===- PreparedTest.cpp - Tests of graphs kept beside their data -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kept graph is that of the edges, is used instead of them, is made anew when they change, and is believed in nothing
// that a kernel relies on.
//
//===----------------------------------------------------------------------===//

#include "gnn/dataset.hpp"
#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/Generators.h"
#include "runtime/src/graph/PreparedEdges.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/TemporaryFolder.h"
#include <catch2/catch.hpp>

using namespace gnn::rt;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

/// A folder with a small graph of two types of edges, some of them twice and some to themselves.
struct Example {
  Example() {
    put("edge_index", Tensor::of<int64_t>({0, 1, 3, 3, 2, 1, 0, 1, 0, 3, 2, 2, 1, 1}, {2, 7}));
    put("edge_type", Tensor::of<int64_t>({0, 1, 1, 0, 0, 1, 1}));
    put("y", Tensor::of<int64_t>({0, 1, -1, 0}));
  }
  void put(const std::string &name, const Tensor &tensor) { writeNpy(folder.path(name + ".npy"), tensor); }
  std::shared_ptr<Dataset> load(uint32_t transforms = 0, uint32_t order = GNN_ORDER_GIVEN) {
    return loadPrepared(folder.path(), transforms, order);
  }
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder.path("prepared")))
      names.push_back(entry.path().filename().string());
    return names;
  }

  TemporaryFolder folder;
};

template <class T> std::vector<T> valuesOf(const Buffer<T> &buffer) { return {buffer.begin(), buffer.end()}; }

void checkSame(const Csr &a, const Csr &b) {
  CHECK(valuesOf(a.offsets) == valuesOf(b.offsets));
  CHECK(valuesOf(a.cols) == valuesOf(b.cols));
  CHECK(valuesOf(a.types) == valuesOf(b.types));
  CHECK(valuesOf(a.edgeIds.narrow) == valuesOf(b.edgeIds.narrow));
  CHECK(valuesOf(a.edgeIds.wide) == valuesOf(b.edgeIds.wide));
}

void checkSame(const EdgeSet &a, const EdgeSet &b) {
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    checkSame(a.relation().csr(direction), b.relation().csr(direction));
  CHECK(a.numEdgeIds() == b.numEdgeIds());
  CHECK(a.numEdgeTypes() == b.numEdgeTypes());
  CHECK(a.transforms() == b.transforms());
  CHECK(valuesOf(a.addedEdges()) == valuesOf(b.addedEdges()));
  REQUIRE(bool(a.order()) == bool(b.order()));
  if (a.order()) {
    CHECK(valuesOf(a.order()->id) == valuesOf(b.order()->id));
    CHECK(valuesOf(a.order()->local) == valuesOf(b.order()->local));
  }
}

std::string errorOf(const std::function<void()> &body) {
  try {
    body();
  } catch (const gnn::Error &error) {
    return error.what();
  }
  return "none";
}

/// Parts of two vertices and the edges 0 -> 1 and 1 -> 0, to spoil.
EdgeSetParts twoEdges() {
  auto rows = [] {
    Csr rows;
    rows.offsets = Buffer<int64_t>(3);
    rows.cols = Buffer<uint32_t>(2);
    rows.edgeIds.narrow = Buffer<uint32_t>(2);
    for (uint32_t i : {0, 1, 2})
      rows.offsets[i] = i;
    for (uint32_t i : {0, 1}) {
      rows.cols[i] = 1 - i;
      rows.edgeIds.narrow[i] = i;
    }
    return rows;
  };
  EdgeSetParts parts;
  parts.byDestination = rows();
  parts.bySource = rows();
  parts.givenEdges = 2;
  return parts;
}

/// What reading the parts back says.
std::string errorOfReading(EdgeSetParts parts) {
  TemporaryFolder folder;
  std::string file = folder.path("f");
  writePrepared(file, *EdgeSet::fromParts(std::move(parts)), "stamp");
  return errorOf([&] { parsePrepared(readFile(file), "f", "stamp"); });
}

} // namespace

TEST_CASE("a kept graph is that of the edges") {
  uint32_t transforms = GENERATE(0u, uint32_t(GNN_GRAPH_SELF_LOOPS), uint32_t(GNN_GRAPH_SYMMETRIC),
                                 uint32_t(GNN_GRAPH_INVERSE_RELATIONS | GNN_GRAPH_SELF_LOOPS));
  uint32_t order = GENERATE(uint32_t(GNN_ORDER_GIVEN), uint32_t(GNN_ORDER_DEGREE), uint32_t(GNN_ORDER_LOCALITY),
                            uint32_t(GNN_ORDER_COMMUNITY));
  Example example;
  auto expected = loadDataset(example.folder.path())->graph(transforms, order);
  for (int time : {0, 1}) {
    INFO("time " << time);
    auto data = example.load(transforms, order);
    checkSame(*data->prepared, expected->edgeSet());
    CHECK(data->numEdges() == 7);
    CHECK(data->numVertices == 4);
    CHECK(data->numEdgeTypes == 2);
    CHECK(example.kept().size() == 1);
  }
}

TEST_CASE("each transform and order is kept under a name of its own") {
  Example example;
  example.load();
  example.load(GNN_GRAPH_SYMMETRIC | GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE);
  std::vector<std::string> kept = example.kept();
  std::sort(kept.begin(), kept.end());
  CHECK(kept == std::vector<std::string>{"given.safetensors", "symmetric-self-loops-degree.safetensors"});
}

TEST_CASE("a kept graph is one of the transforms and the order that are asked for") {
  Example example;
  example.load(GNN_GRAPH_SYMMETRIC);
  example.load();
  fs::copy_file(example.folder.path("prepared/symmetric.safetensors"),
                example.folder.path("prepared/given.safetensors"), fs::copy_options::overwrite_existing);
  CHECK(example.load()->prepared->transforms() == 0);
  CHECK_THAT(errorOf([&] { example.load(0, 99); }), Contains("unknown order"));
  CHECK_THAT(errorOf([&] { example.load(128); }), Contains("unknown transforms"));
}

TEST_CASE("with a kept graph the edges are not read") {
  Example example;
  example.load();
  std::string edges = example.folder.path("edge_index.npy");
  fs::file_time_type written = fs::last_write_time(edges);
  example.folder.write("edge_index.npy", std::string(fs::file_size(edges), '?'));
  fs::last_write_time(edges, written);
  CHECK(example.load()->numEdges() == 7);
  CHECK_THAT(errorOf([&] { loadDataset(example.folder.path()); }), Contains("edge_index.npy"));
}

TEST_CASE("a kept graph is made anew for other edges, types or vertices") {
  Example example;
  example.load();
  std::string file = example.folder.path("prepared/given.safetensors"), before = TemporaryFolder::readBytes(file);
  SECTION("edges") {
    std::string edges = example.folder.path("edge_index.npy");
    fs::file_time_type written = fs::last_write_time(edges);
    example.put("edge_index", Tensor::of<int64_t>({0, 1, 3, 3, 2, 1, 0, 1, 0, 3, 2, 2, 1, 3}, {2, 7}));
    fs::last_write_time(edges, written + std::chrono::nanoseconds(1000));
    CHECK(example.load()->prepared->relation().csr(GNN_TO_DESTINATION).degree(3) == 2);
  }
  SECTION("types") {
    fs::remove(example.folder.path("edge_type.npy"));
    CHECK(example.load()->numEdgeTypes == 0);
  }
  SECTION("pairs, where they say how many vertices there are") {
    fs::remove(example.folder.path("y.npy"));
    example.put("test_pairs", Tensor::of<int64_t>({0, 5}, {1, 2}));
    CHECK(example.load()->numVertices == 6);
    example.put("test_pairs", Tensor::of<int64_t>({0, 1, 2, 3}, {2, 2}));
    CHECK(example.load()->numVertices == 4);
  }
  SECTION("vertices") {
    example.put("y", Tensor::of<int64_t>({0, 1, -1, 0, 1}));
    CHECK(example.load()->prepared->relation().numDestinations() == 5);
  }
  CHECK(TemporaryFolder::readBytes(file) != before);
}

TEST_CASE("any damage of a kept graph is found") {
  Example example;
  example.load(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE);
  std::string file = example.folder.path("prepared/self-loops-degree.safetensors");
  const FileBytes whole = readFile(file);
  auto accepts = [](const FileBytes &bytes, const std::string &stamp) {
    try {
      return parsePrepared(bytes, "f", stamp) != nullptr;
    } catch (const gnn::Error &error) {
      CHECK(error.code() == GNN_ERROR_DATA);
      CHECK(std::string(error.what()).find("f: ") == 0);
      return false;
    }
  };
  // the stamp as it is in the file
  std::string text(whole.data, whole.size);
  size_t begin = text.find("\"stamp\":\"") + 9;
  std::string quoted = text.substr(begin, text.find('"', begin) - begin);
  for (size_t newline; (newline = quoted.find("\\n")) != std::string::npos;)
    quoted.replace(newline, 2, "\n");
  REQUIRE(accepts(whole, quoted));
  CHECK_FALSE(accepts(whole, "another"));
  for (size_t length = 0; length < whole.size; ++length)
    if (accepts(copyBytes({whole.data, length}), quoted))
      FAIL("the first " << length << " bytes are accepted");
  for (size_t bit = 0; bit < whole.size * 8; ++bit) {
    whole.data[bit / 8] ^= char(1 << bit % 8);
    bool isPadding = text[bit / 8] == ' '; // of the header, which ends before it
    if (accepts(whole, quoted) && !isPadding)
      FAIL("bit " << bit << " may be flipped");
    whole.data[bit / 8] ^= char(1 << bit % 8);
  }
}

TEST_CASE("a damaged kept graph is an error that names it") {
  Example example;
  example.load();
  std::string name = "prepared/given.safetensors", bytes = example.folder.read(name);
  bytes.back() ^= 1;
  example.folder.write(name, bytes);
  CHECK_THAT(errorOf([&] { example.load(); }), Contains("given.safetensors: damaged"));
}

TEST_CASE("indices of a kept graph that lead nowhere are refused") {
  CHECK(errorOfReading(twoEdges()) == "none");
  EdgeSetParts parts = twoEdges();
  SECTION("columns") {
    parts.byDestination.cols[1] = 2;
    CHECK(errorOfReading(std::move(parts)) == "f: to_destination.cols has an entry out of range");
  }
  SECTION("ids") {
    parts.bySource.edgeIds.narrow[0] = 2;
    CHECK(errorOfReading(std::move(parts)) == "f: to_source.ids has an entry out of range");
  }
  SECTION("offsets that fall") {
    parts.byDestination.offsets[1] = 3;
    CHECK(errorOfReading(std::move(parts)) == "f: to_destination.offsets has an entry out of range");
  }
  SECTION("offsets that end elsewhere") {
    parts.byDestination.offsets[2] = 1;
    CHECK(errorOfReading(std::move(parts)) == "f: to_destination.offsets don't span the edges");
  }
  SECTION("types") {
    parts.types = parts.givenTypes = 2;
    parts.byDestination.types = Buffer<int32_t>(2);
    parts.bySource.types = Buffer<int32_t>(2);
    for (Buffer<int32_t> *types : {&parts.byDestination.types, &parts.bySource.types})
      (*types)[0] = (*types)[1] = 0;
    parts.bySource.types[1] = 2;
    CHECK(errorOfReading(std::move(parts)) == "f: to_source.types has an entry out of range");
  }
  SECTION("types that were not given") {
    parts.givenTypes = 5;
    CHECK(errorOfReading(std::move(parts)) == "f: 0 types of 5 given ones under the transforms 0");
  }
  SECTION("unknown transforms") {
    parts.transforms = 64;
    CHECK(errorOfReading(std::move(parts)) == "f: 0 types of 0 given ones under the transforms 64");
  }
  SECTION("edges that added ones mirror") {
    parts.addedFrom = Buffer<int64_t>(1);
    parts.addedFrom[0] = 2;
    CHECK(errorOfReading(std::move(parts)) == "f: added_from has an entry out of range");
  }
  SECTION("an order that is none") {
    auto order = std::make_shared<VertexOrder>();
    order->id = Buffer<int64_t>(2);
    order->local = Buffer<uint32_t>(2);
    for (uint32_t v : {0, 1})
      order->id[v] = order->local[v] = 0;
    parts.order = order;
    CHECK(errorOfReading(std::move(parts)) == "f: order has an entry out of range");
  }
}

TEST_CASE("what needs the edges of a data set that has a kept graph says so") {
  Example example;
  auto data = example.load();
  CHECK_THAT(errorOf([&] { data->graph(0); }), Contains("another graph needs the edges as they are given"));
  CHECK_THAT(errorOf([&] { data->pairSplits(); }), Contains("training on the edges as pairs needs the edges"));
  CHECK_THAT(errorOf([&] { saveDataset(*data, example.folder.path("copy")); }), Contains("writing it needs the edges"));
  CHECK_FALSE(fs::exists(example.folder.path("copy")));
}

TEST_CASE("the graph of a schema is not kept") {
  TemporaryFolder folder;
  saveDataset(generateDataset("molecules", {}), folder.path("m"));
  CHECK_THAT(errorOf([&] { loadPrepared(folder.path("m"), 0, 0); }), Contains("schema"));
}

TEST_CASE("a graph that can't be kept is an error") {
  Example example;
  example.folder.write("prepared", "a file where the folder would be");
  CHECK_THAT(errorOf([&] { example.load(); }), Contains("prepared: can't make the folder"));
}

TEST_CASE("kept graphs through the C++ interface") {
  Example example;
  for (int time : {0, 1}) {
    INFO("time " << time);
    auto [data, graph] = gnn::Dataset::loadPrepared(example.folder.path(), GNN_GRAPH_SELF_LOOPS);
    CHECK(data.numEdges() == 7);
    CHECK(graph.numEdges() == 8); // one vertex had no loop
    CHECK_THROWS_AS(data.tensor("edge_index"), gnn::Error);
  }
}
