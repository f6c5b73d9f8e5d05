//===- PagedTest.cpp - Tests of data that are read in pieces --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/data/Dataset.h"
#include "runtime/src/graph/KeptEdges.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/FaultyFiles.h"
#include "runtime/test/TemporaryFolder.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// Random edges, some of them twice and some loops, in files.
struct List {
  List(int64_t vertices, int64_t edges, int64_t numTypes) : vertices(vertices) {
    std::mt19937 random(7);
    for (int64_t i = 0; i < edges; ++i) {
      src.push_back(int64_t(random() % uint64_t(vertices)));
      dst.push_back(random() % 4 ? int64_t(random() % uint64_t(vertices)) : random() % 2 ? src.back() : 0);
      if (numTypes)
        types.push_back(int64_t(random() % uint64_t(numTypes)));
    }
    write();
    if (numTypes)
      writeNpy(folder.path("edge_type.npy"), Tensor::of(types).as(GNN_I32, "types"));
  }

  List(int64_t vertices, std::vector<int64_t> from, std::vector<int64_t> to)
      : vertices(vertices), src(std::move(from)), dst(std::move(to)) {
    write();
  }

  void write() {
    std::vector<int64_t> both = src;
    both.insert(both.end(), dst.begin(), dst.end());
    writeNpy(folder.path("edge_index.npy"), Tensor::of(both, {2, int64_t(src.size())}));
  }
  std::shared_ptr<const EdgeSet> whole(uint32_t transforms, uint32_t order) const {
    EdgeOptions options;
    options.transforms = transforms;
    options.order = order;
    if (!types.empty())
      options.edgeTypes = {types.data(), types.size()};
    return EdgeSet::fromEdges({src.data(), src.size()}, {dst.data(), dst.size()}, vertices, options);
  }
  std::shared_ptr<const EdgeSet> paged(uint32_t transforms, uint32_t order, size_t workBytes, bool ids = true,
                                       bool toSource = true) {
    return paged(options(transforms, order, workBytes, ids, toSource));
  }
  std::shared_ptr<const EdgeSet> paged(const PagingOptions &options) {
    EdgeTables tables{open("edge_index.npy"), types.empty() ? nullptr : open("edge_type.npy"), "ends", "types", -1};
    return pagedEdges(tables, vertices, vertices, /*isBetweenTypes=*/false, options, files);
  }
  PagingOptions options(uint32_t transforms, uint32_t order, size_t workBytes, bool ids, bool toSource) {
    PagingOptions options;
    options.folder = folder.path("scratch");
    std::filesystem::create_directory(options.folder);
    options.workBytes = workBytes;
    options.ids = ids;
    options.toSource = toSource;
    options.transforms = transforms;
    options.order = order;
    return options;
  }
  std::shared_ptr<const NpyFile> open(const std::string &name) {
    return std::make_shared<const NpyFile>(folder.path(name), name, files);
  }

  int64_t vertices;
  std::vector<int64_t> src, dst, types;
  TemporaryFolder folder;
  FaultyFiles files;
};

template <class T> std::vector<T> valuesOf(const Buffer<T> &buffer) { return {buffer.begin(), buffer.end()}; }

struct Edge {
  uint32_t col;
  int64_t id;
  int32_t type;

  bool operator==(const Edge &other) const { return col == other.col && id == other.id && type == other.type; }
};

std::vector<Edge> edgesOf(const Relation &relation, uint32_t direction, int64_t begin, int64_t end, bool ids) {
  std::vector<Edge> edges;
  relation.forPieces(direction, begin, end, [&](const EdgePiece &piece) {
    CHECK(piece.begin == begin + int64_t(edges.size()));
    for (int64_t i = 0; i < piece.end - piece.begin; ++i)
      edges.push_back({piece.cols[i], ids ? piece.id(i) : 0, piece.types ? piece.types[i] : 0});
  });
  return edges;
}

/// All edges by fields, in ranges of another length than pieces have.
std::vector<Edge> fieldsOf(const Relation &relation, uint32_t direction, int64_t length) {
  const EdgeFile &file = relation.edgeFile();
  const auto count = size_t(relation.numEdges());
  std::vector<uint32_t> cols(count), ids(count);
  std::vector<int32_t> types(count);
  auto read = [&](EdgeFile::Field field, auto &to) {
    std::vector<WantedRows> wanted;
    for (int64_t first = 0; first < int64_t(count); first += length)
      wanted.push_back({first, std::min(length, int64_t(count) - first), to.data() + first});
    file.read(direction, field, wanted);
  };
  read(EdgeFile::Field::Cols, cols);
  read(EdgeFile::Field::Ids, ids);
  if (file.fields().types)
    read(EdgeFile::Field::Types, types);
  std::vector<Edge> edges;
  for (size_t e = 0; e < count; ++e)
    edges.push_back({cols[e], int64_t(ids[e]), types[e]});
  return edges;
}

void checkSame(const EdgeSet &paged, const EdgeSet &whole, bool ids = true, bool toSource = true) {
  const Relation &relation = paged.relation(), &expected = whole.relation();
  CHECK(relation.isPaged());
  CHECK_FALSE(expected.isPaged());
  CHECK(relation.numEdges() == expected.numEdges());
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE}) {
    if (direction == GNN_TO_SOURCE && !toSource) {
      CHECK(valuesOf(relation.csr(direction).offsets) ==
            std::vector<int64_t>(expected.csr(direction).offsets.size(), 0));
      continue;
    }
    CHECK(valuesOf(relation.csr(direction).offsets) == valuesOf(expected.csr(direction).offsets));
    const int64_t count = expected.numEdges();
    for (auto [begin, end] : {std::pair(int64_t(0), count), std::pair(count / 3, count / 2)}) {
      const bool areSame =
          edgesOf(relation, direction, begin, end, ids) == edgesOf(expected, direction, begin, end, ids);
      CHECK(areSame);
    }
  }
  CHECK(relation.hasTypes() == expected.hasTypes());
  CHECK(paged.numEdgeIds() == whole.numEdgeIds());
  CHECK(paged.numEdgeTypes() == whole.numEdgeTypes());
  CHECK(paged.numGivenEdges() == whole.numGivenEdges());
  CHECK(paged.transforms() == whole.transforms());
  CHECK(valuesOf(paged.addedEdges()) == valuesOf(whole.addedEdges()));
  REQUIRE(bool(paged.order()) == bool(whole.order()));
  if (paged.order()) {
    CHECK(valuesOf(paged.order()->id) == valuesOf(whole.order()->id));
    CHECK(valuesOf(paged.order()->local) == valuesOf(whole.order()->local));
  }
}

constexpr uint32_t pagedTransforms[] = {0, GNN_GRAPH_SELF_LOOPS, GNN_GRAPH_ONE_LOOP, GNN_GRAPH_NO_LOOPS,
                                        GNN_GRAPH_LOOP_KINDS};

} // namespace

TEST_CASE("fields of edges are read alone, in ranges that are no pieces") {
  const int64_t numTypes = GENERATE(0, 3);
  List list(1000, 2 * edgesOfPiece + 5000, numTypes);
  const std::shared_ptr<const EdgeSet> set = list.paged(0, GNN_ORDER_GIVEN, /*workBytes=*/1 << 22);
  const Relation &relation = set->relation();
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE}) {
    const std::vector<Edge> expected = edgesOf(relation, direction, 0, relation.numEdges(), /*ids=*/true);
    CHECK(fieldsOf(relation, direction, 1000) == expected);
    CHECK(fieldsOf(relation, direction, relation.numEdges()) == expected);
  }
}

TEST_CASE("edges prepared in a file are those of memory") {
  for (int64_t numTypes : {0, 3})
    for (uint32_t transforms : pagedTransforms)
      for (uint32_t order : {GNN_ORDER_GIVEN, GNN_ORDER_DEGREE})
        for (size_t workBytes : {size_t(1), size_t(1) << 20}) {
          List list(500, 6000, numTypes);
          const auto whole = list.whole(transforms, order), paged = list.paged(transforms, order, workBytes);
          checkSame(*paged, *whole);
        }
}

TEST_CASE("edges in the order of communities are those of memory in that order, by any memory for sorting") {
  for (int64_t numTypes : {0, 3})
    for (uint32_t transforms : pagedTransforms) {
      List list(500, 6000, numTypes);
      const auto paged = list.paged(transforms, GNN_ORDER_COMMUNITY, size_t(1) << 20);
      checkSame(*paged, *EdgeSet::reordered(*list.whole(transforms, GNN_ORDER_GIVEN), paged->order()));
      const auto again = list.paged(transforms, GNN_ORDER_COMMUNITY, /*workBytes=*/1);
      CHECK(valuesOf(again->order()->id) == valuesOf(paged->order()->id));
    }
}

TEST_CASE("communities that are planted under shuffled ids lie side by side, found by edges of either direction") {
  constexpr int64_t vertices = 20000, size = 100;
  std::mt19937 random(11);
  std::vector<int64_t> number(vertices), src, dst;
  std::iota(number.begin(), number.end(), 0);
  std::shuffle(number.begin(), number.end(), random);
  for (int64_t v = 0; v < vertices; ++v)
    for (int i = 0; i < 10; ++i) {
      const int64_t other = int64_t(random() % (i < 8 ? size : vertices));
      src.push_back(number[size_t(v)]);
      dst.push_back(number[size_t(i < 8 ? v / size * size + other : other)]);
    }
  List list(vertices, std::move(src), std::move(dst));
  auto near = [&](const std::shared_ptr<const VertexOrder> &order) { // edges between vertices that lie close together
    int64_t count = 0;
    for (size_t e = 0; e < list.src.size(); ++e) {
      auto placeOf = [&](int64_t id) { return order ? int64_t(order->local[size_t(id)]) : id; };
      count += std::abs(placeOf(list.src[e]) - placeOf(list.dst[e])) < 2 * size;
    }
    return double(count) / double(list.src.size());
  };
  CHECK(near(nullptr) < 0.03);
  const auto paged = list.paged(0, GNN_ORDER_COMMUNITY, size_t(1) << 20);
  CHECK(near(paged->order()) > 0.7); // of 0.8
}

TEST_CASE("edges of several pieces, and what is not asked for is not there") {
  List list(40000, 3 * edgesOfPiece + 17, 0);
  const auto whole = list.whole(0, GNN_ORDER_GIVEN);
  checkSame(*list.paged(0, GNN_ORDER_GIVEN, size_t(4) << 20), *whole);
  checkSame(*list.paged(0, GNN_ORDER_GIVEN, size_t(4) << 20, /*ids=*/false, /*toSource=*/true), *whole, false, true);
  checkSame(*list.paged(0, GNN_ORDER_GIVEN, size_t(4) << 20, /*ids=*/false, /*toSource=*/false), *whole, false, false);
}

TEST_CASE("no edges and no vertices") {
  List none(5, 0, 0);
  checkSame(*none.paged(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_GIVEN, 1), *none.whole(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_GIVEN));
  checkSame(*none.paged(0, GNN_ORDER_DEGREE, 1), *none.whole(0, GNN_ORDER_DEGREE));
  CHECK(valuesOf(none.paged(0, GNN_ORDER_COMMUNITY, 1)->order()->id) == std::vector<int64_t>{0, 1, 2, 3, 4});
}

TEST_CASE("edges out of range are named as those in memory are") {
  List list(50, 300, 2);
  list.vertices = 20;
  CHECK_THROWS_WITH(list.paged(0, GNN_ORDER_GIVEN, 1),
                    Contains("ends: edge ") && Contains("source ") && Contains("expected 0 <= source < 20"));
  EdgeTables tables{list.open("edge_index.npy"), list.open("edge_type.npy"), "ends", "types", 1};
  CHECK_THROWS_WITH(pagedEdges(tables, 50, 50, false, {list.folder.path(), 1}),
                    Contains("types: edge ") && Contains("type 1 is out of range, expected 0 <= type < 1"));
}

TEST_CASE("files that fail while edges are prepared are errors, and nothing is left") {
  List list(60, 900, 2);
  for (uint32_t order : {GNN_ORDER_DEGREE, GNN_ORDER_COMMUNITY}) {
    list.files.calls = 0;
    list.files.failAt = -1;
    list.paged(GNN_GRAPH_SELF_LOOPS, order, 1);
    const int calls = list.files.calls;
    REQUIRE(calls > 30);
    for (int failAt = 0; failAt < calls; ++failAt) {
      list.files.calls = 0;
      list.files.failAt = failAt;
      try {
        list.paged(GNN_GRAPH_SELF_LOOPS, order, 1);
        FAIL("call " << failAt << " failed unnoticed");
      } catch (const gnn::Error &error) {
        CHECK(error.code() == GNN_ERROR_IO);
        CHECK_THAT(error.what(), Contains(list.folder.path()) && Contains("Input/output error"));
      }
    }
  }
  list.files.failAt = -1;
  list.files.isShort = true;
  checkSame(*list.paged(0, GNN_ORDER_GIVEN, 1), *list.whole(0, GNN_ORDER_GIVEN));
  CHECK(std::filesystem::is_empty(list.folder.path("scratch")));
}

TEST_CASE("tables are read by rows as they are read whole") {
  TemporaryFolder folder;
  std::vector<double> numbers;
  for (int i = 0; i < 60; ++i)
    numbers.push_back(i * 0.37 - 5);
  const Tensor table = Tensor::of(numbers, {12, 5});
  for (uint32_t element : {GNN_F64, GNN_F32, GNN_F16}) {
    if (element == GNN_F16) { // as NumPy has it
      const std::string text = "{'descr': '>f2', 'fortran_order': False, 'shape': (12, 5), }";
      std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + char(text.size() + 1) + '\0' + text + '\n';
      for (int i = 0; i < 60; ++i)
        bytes += {char(0x3c + i % 3), char(i)};
      folder.write("x.npy", bytes);
    } else {
      writeNpy(folder.path("x.npy"), table.as(element, "table"));
    }
    const Tensor whole = readNpy(folder.path("x.npy"));
    const NpyFile file(folder.path("x.npy"), "x.npy");
    CHECK(file.element() == whole.element());
    CHECK(file.shape() == whole.shape());
    std::vector<char> piece(7 * file.rowBytes());
    file.read(4, 7, piece.data());
    CHECK(std::equal(piece.begin(), piece.end(), static_cast<const char *>(whole.data()) + 4 * file.rowBytes()));
  }
}

TEST_CASE("columns of either layout") {
  TemporaryFolder folder;
  for (bool isColumnMajor : {false, true}) {
    const std::string text =
        std::string("{'descr': '<u2', 'fortran_order': ") + (isColumnMajor ? "True" : "False") + ", 'shape': (2, 4), }";
    std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + char(text.size() + 1) + '\0' + text + '\n';
    for (int i = 0; i < 8; ++i)
      bytes += {char(isColumnMajor ? 4 * (i % 2) + i / 2 : i), '\0'};
    folder.write("e.npy", bytes);
    const Tensor columns = NpyFile(folder.path("e.npy"), "e.npy").columns(1, 2).as(GNN_I64, "ends");
    CHECK(std::vector<int64_t>(columns.values<int64_t>().begin(), columns.values<int64_t>().end()) ==
          std::vector<int64_t>{1, 2, 5, 6});
  }
}

TEST_CASE("what can't be read in a piece is counted from its first row") {
  TemporaryFolder folder;
  const std::string text = "{'descr': '|b1', 'fortran_order': False, 'shape': (9,), }";
  folder.write("m.npy", std::string("\x93NUMPY\x01\x00", 8) + char(text.size() + 1) + '\0' + text + '\n' +
                            std::string("\0\1\0\1\0\1\7\0\0", 9));
  const NpyFile file(folder.path("m.npy"), "m.npy");
  CHECK(file.rows(0, 5).values<bool>()[3]);
  CHECK_THROWS_WITH(file.rows(4, 5), Contains("m.npy: from row 4 on: element 2 is the byte 7"));
}

TEST_CASE("a file that is shorter or another than when it was opened is an error") {
  TemporaryFolder folder;
  writeNpy(folder.path("x.npy"), Tensor::zeros(GNN_F32, {100, 4}));
  {
    const NpyFile file(folder.path("x.npy"), "x.npy");
    std::filesystem::resize_file(folder.path("x.npy"), 700);
    CHECK_THROWS_WITH(file.rows(90, 10), Contains(folder.path("x.npy")) && Contains("it ends at byte"));
    CHECK_THROWS_WITH(file.rows(0, 3), Contains("x.npy: the file was changed while it was used"));
  }
  writeNpy(folder.path("x.npy"), Tensor::zeros(GNN_F32, {100, 4}));
  const NpyFile file(folder.path("x.npy"), "x.npy");
  std::filesystem::last_write_time(folder.path("x.npy"),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  CHECK_THROWS_WITH(file.rows(0, 3), Contains("the file was changed while it was used"));
}

TEST_CASE("edges in a file are checked whenever they are read") {
  List list(50, 400, /*numTypes=*/3);
  const std::shared_ptr<const EdgeSet> set = list.paged(/*transforms=*/0, GNN_ORDER_GIVEN, /*workBytes=*/1 << 12);
  list.files.flips = true;
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    CHECK_THROWS_WITH(set->relation().forPieces(direction, 0, 400, [](const EdgePiece &) {}),
                      Contains("edges from 0 on are not what was written"));
  list.files.flips = false;
  checkSame(*set, *list.whole(/*transforms=*/0, GNN_ORDER_GIVEN));
}

TEST_CASE("edges that are kept are those that were prepared") {
  for (int64_t numTypes : {0, 3})
    for (uint32_t transforms : pagedTransforms)
      for (uint32_t order : {GNN_ORDER_GIVEN, GNN_ORDER_DEGREE})
        for (auto [ids, toSource] : {std::pair(true, true), std::pair(false, true), std::pair(false, false)}) {
          List list(500, 6000, numTypes);
          const PagingOptions options = list.options(transforms, order, size_t(1) << 12, ids, toSource);
          const auto paged = list.paged(options);
          writeKept(list.folder.path("kept"), *paged, options, "stamp");
          const auto kept = readKept(list.folder.path("kept"), options, "stamp");
          REQUIRE(kept);
          checkSame(*kept, *list.whole(transforms, order), ids, toSource);
          CHECK(kept->digest() == paged->digest());
          CHECK(std::filesystem::is_empty(options.folder));
        }
}

TEST_CASE("kept edges of several pieces; none; and those of something else, which are not taken") {
  List large(40000, 3 * edgesOfPiece + 17, 0), none(5, 0, 0);
  for (List *list : {&large, &none}) {
    PagingOptions options = list->options(0, GNN_ORDER_GIVEN, size_t(4) << 20, true, true);
    const std::string path = list->folder.path("kept");
    writeKept(path, *list->paged(options), options, "stamp");
    checkSame(*readKept(path, options, "stamp"), *list->whole(0, GNN_ORDER_GIVEN));
    CHECK_FALSE(readKept(path, options, "another"));
    options.ids = false;
    CHECK_FALSE(readKept(path, options, "stamp"));
    list->folder.write("kept", "gnnc edges 3\nand so on, which no version so far can read");
    CHECK_FALSE(readKept(path, options, "stamp"));
  }
}

TEST_CASE("kept edges that are damaged, cut or can't be read are errors") {
  List list(60, 900, 2);
  const PagingOptions options = list.options(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE, 1, true, true);
  const std::string path = list.folder.path("kept");
  writeKept(path, *list.paged(options), options, "stamp");
  const std::string good = list.folder.read("kept");
  auto read = [&] { return readKept(path, options, "stamp", list.files); };
  for (size_t at = 0; at < good.size(); at += at < 400 ? 1 : 97) {
    std::string bad = good;
    bad[at] ^= 1;
    list.folder.write("kept", bad);
    if (at < 13) // of the version
      CHECK_FALSE(read());
    else
      CHECK_THROWS_WITH(read(), Contains(path + ": damaged: ") && Contains("without the file it is made anew"));
    list.folder.write("kept", good.substr(0, at));
    if (at < 21)
      CHECK_FALSE(read());
    else
      CHECK_THROWS_WITH(read(), Contains(path + ": damaged: "));
  }
  list.folder.write("kept", good + "x");
  CHECK_THROWS_WITH(read(), Contains("there is more behind the last table"));
  list.folder.write("kept", good);
  list.files.calls = 0;
  const auto kept = read();
  const int calls = list.files.calls;
  checkSame(*kept, *list.whole(GNN_GRAPH_SELF_LOOPS, GNN_ORDER_DEGREE));
  for (int failAt = 0; failAt < calls; ++failAt) {
    list.files.calls = 0;
    list.files.failAt = failAt;
    CHECK_THROWS_WITH(read(), Contains("Input/output error"));
  }
}

TEST_CASE("kept edges are read where they are, and must stay what they were", "[paged]") {
  List list(40000, edgesOfPiece + 17, 2);
  PagingOptions options = list.options(0, GNN_ORDER_GIVEN, size_t(4) << 20, true, true);
  const std::string path = list.folder.path("kept");
  writeKept(path, *list.paged(options), options, "stamp");
  options.folder = list.folder.path("none"); // nothing is copied
  const auto kept = readKept(path, options, "stamp", list.files);
  auto read = [&](uint32_t direction) { kept->relation().forPieces(direction, 0, 5, [](const EdgePiece &) {}); };
  checkSame(*kept, *list.whole(0, GNN_ORDER_GIVEN));
  list.files.flips = true;
  for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
    CHECK_THROWS_WITH(read(direction), Contains(path + ": edges from 0 on are not what was written"));
  list.files.flips = false;
  list.folder.write("kept", list.folder.read("kept") + "x");
  CHECK_THROWS_WITH(read(GNN_TO_SOURCE), Contains(path) && Contains("the file was changed while it was used"));
}

TEST_CASE("a schema whose relations are prepared in files") {
  List among(40, 700, 3), between(30, 500, 0);
  for (int64_t &id : between.dst)
    id %= 20;
  TemporaryFolder folder;
  for (const char *name : {"edge_index.npy", "edge_type.npy"})
    folder.write(name, among.folder.read(name));
  std::vector<int64_t> both = between.src;
  both.insert(both.end(), between.dst.begin(), between.dst.end());
  writeNpy(folder.path("to.npy"), Tensor::of(both, {2, 500}));
  writeNpy(folder.path("x.npy"), Tensor::zeros(GNN_F32, {40, 3}));
  writeNpy(folder.path("y.npy"), Tensor::zeros(GNN_I64, {20}));
  folder.write("dataset.json", R"({
    "vertex_types": {"A": {"features": {"x": "x.npy"}}, "B": {}},
    "relations": [{"name": "like", "source": "A", "destination": "A", "edge_index": "edge_index.npy",
                   "edge_type": "edge_type.npy"},
                  {"name": "to", "source": "A", "destination": "B", "edge_index": "to.npy"}],
    "labelled": "B", "labels": "y.npy"})");
  PagingOptions options;
  options.folder = folder.path();
  auto whole = loadDataset(folder.path()), paged = openPaged(folder.path(), LeftInFiles::OfAll, &options);
  CHECK(paged->totalVertices() == whole->totalVertices());
  CHECK(paged->numEdges() == whole->numEdges());
  CHECK(paged->vertexFeatures.at("A.x").file);
  auto graphOfWhole = whole->takeGraph(), graph = paged->takeGraph();
  for (size_t r = 0; r < 2; ++r)
    checkSame(*graph->relations()[r].set, *graphOfWhole->relations()[r].set);
}
