//===- DatasetTest.cpp - Tests of data sets --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders by convention and by dataset.json, the message for each way to be wrong, the data that ships with the
// project, and the real graphs where they are at hand.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Dataset.h"
#include "gnn/error.hpp"
#include "runtime/src/data/Generators.h"
#include "runtime/src/data/Import.h"
#include "runtime/src/io/Npy.h"
#include "runtime/test/FaultyWrites.h"
#include "runtime/test/TemporaryFolder.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// A folder with the edges 0 -> 1 -> 2, labels 0, 1, -1 and whatever a test adds.
class Example {
public:
  Example() {
    put("edge_index", Tensor::of<int64_t>({0, 1, 1, 2}, {2, 2}));
    put("y", Tensor::of<int64_t>({0, 1, -1}));
  }
  void put(const std::string &name, const Tensor &tensor) { writeNpy(folder.path(name + ".npy"), tensor); }
  void describe(const std::string &json) { folder.write("dataset.json", json); }
  std::shared_ptr<const Dataset> load() { return loadDataset(folder.path()); }
  /// The message without the folder's name.
  std::string error() {
    try {
      load();
    } catch (const gnn::Error &error) {
      std::string message = error.what();
      CHECK(message.find(folder.path()) == 0);
      return message.substr(folder.path().size());
    }
    return "none";
  }

  TemporaryFolder folder;
};

/// Authors write papers, which cite papers.
struct SchemaExample : Example {
  SchemaExample() {
    put("w", Tensor::of<int64_t>({0, 2, 1, 0, 0, 1}, {2, 3}));
    put("wt", Tensor::of<int64_t>({0, 1, 0}));
    put("c", Tensor::of<int64_t>({1, 0}, {2, 1}));
    put("x", Tensor::of<float>({1, 2, 3, 4}, {2, 2}));
    put("labels", Tensor::of<int64_t>({2, 0}));
    put("train", Tensor::of<int64_t>({1}));
    put("pairs", Tensor::of<int64_t>({2, 1}, {1, 2}));
    describe(json);
  }

  std::string json = R"({"vertex_types": {"Author": {}, "Paper": {"features": {"x": "x.npy"}}},
    "relations": [{"name": "writes", "source": "Author", "destination": "Paper", "edge_index": "w.npy",
                   "edge_type": "wt.npy", "num_edge_types": 2},
                  {"name": "cites", "source": "Paper", "destination": "Paper", "edge_index": "c.npy"}],
    "labelled": "Paper", "labels": "labels.npy", "split": {"train": "train.npy"}, "pairs": {"test": "pairs.npy"}})";
};

std::vector<int64_t> idsOf(const Tensor &tensor) {
  return {tensor.values<int64_t>().begin(), tensor.values<int64_t>().end()};
}

} // namespace

TEST_CASE("a folder is found by convention") {
  Example example;
  example.put("x", Tensor::of<float>({1, 2, 3}, {3, 1}));
  example.put("vertex_age", Tensor::of<float>({4, 5, 6}, {3}));
  example.put("vertex_word_indptr", Tensor::of<int64_t>({0, 1, 1, 2}));
  example.put("vertex_word_indices", Tensor::of<int32_t>({4, 0}));
  example.put("vertex_word_values", Tensor::of<float>({1, 1}));
  example.put("vertex_word_shape", Tensor::of<int64_t>({3, 5}));
  example.put("edge_weight", Tensor::of<float>({0.5, 2}));
  example.put("train", Tensor::of<int64_t>({0}));
  example.put("val", Tensor::of<bool>({false, true, false}));
  auto data = example.load();
  CHECK(data->numVertices == 3);
  CHECK(data->numClasses == 2);
  CHECK(data->numEdgeTypes == 0);
  CHECK(data->vertexFeatures.size() == 3);
  CHECK(data->denseVertexFeature("age").shape() == std::vector<int64_t>{3});
  CHECK(data->denseVertexFeature("word").values<float>()[4] == 1);
  CHECK(data->sparseVertexFeature("x").nonzeros() == 3);
  CHECK(data->edgeFeature("weight").count() == 2);
  CHECK(idsOf(data->split("val")) == std::vector<int64_t>{1});
  CHECK_THROWS_WITH(data->split("test"), Contains("no split 'test' (it has: train, val)"));
  CHECK_THROWS_WITH(data->denseVertexFeature("nope"), Contains("no vertex feature 'nope' (it has: age, word, x)"));
  CHECK(data->graph(GNN_GRAPH_SELF_LOOPS)->numEdges() == 5);
}

TEST_CASE("a folder is described by dataset.json") {
  Example example;
  example.folder.write("ignored.npy", "not read");
  example.put("h", Tensor::of<float>({1, 2, 3, 4}, {4, 1}));
  example.describe(
      R"({"name": "n", "num_vertices": 4, "num_classes": 5, "edge_index": "edge_index.npy", "vertex": {"h": "h.npy"}})");
  auto data = example.load();
  CHECK(data->name == "n");
  CHECK(data->numVertices == 4);
  CHECK(data->numClasses == 5);
  CHECK(!data->labels);
}

TEST_CASE("a wrong dataset.json is refused") {
  auto error = [](const std::string &json) {
    Example example;
    example.describe(json);
    return example.error();
  };
  CHECK(error("{}") == "/dataset.json: the key 'edge_index' is missing");
  CHECK(error("[]") == "/dataset.json: the JSON is no object");
  CHECK_THAT(error("{\"edge_index\": "), Contains("/dataset.json: bad JSON"));
  CHECK(error(R"({"edge_index": "edge_index.npy", "lables": "y.npy"})") == "/dataset.json: unknown key 'lables'");
  CHECK(error(R"({"edge_index": 3})") == "/dataset.json: 'edge_index' is 3, expected a string");
  CHECK_THAT(error(R"({"edge_index": "../edge_index.npy"})"), Contains("expected a path inside the folder"));
  CHECK_THAT(error(R"({"edge_index": "/etc/passwd"})"), Contains("expected a path inside the folder"));
  CHECK_THAT(error(R"({"edge_index": "absent.npy"})"), Contains("/absent.npy: can't open: No such file"));
  CHECK_THAT(error(R"({"edge_index": "a", "edge_index": "b"})"), Contains("occurs twice"));
  CHECK_THAT(error(R"({"edge_index": "edge_index.npy", "num_vertices": -1})"), Contains("'num_vertices' is -1"));
  CHECK_THAT(error(R"({"edge_index": "edge_index.npy", "vertex": {"x": {"indptr": "a"}}})"),
             Contains("'vertex.x.indices' is missing"));
  CHECK_THAT(error(R"({"edge_index": "edge_index.npy", "vertex": {"a b": "y.npy"}})"),
             Contains("'a b' is no identifier"));
}

TEST_CASE("a link out of the folder is refused") {
  Example example;
  std::filesystem::create_symlink(GNNC_EXAMPLE_DATA "/planted/x_shape.npy", example.folder.path("x.npy"));
  CHECK_THAT(example.error(), Contains("/x.npy: leads out of the folder"));
}

TEST_CASE("wrong contents are located") {
  auto error = [](const std::string &name, const Tensor &tensor) {
    Example example;
    example.put(name, tensor);
    return example.error();
  };
  CHECK(error("edge_index", Tensor::of<int64_t>({0, 1, 3, 0}, {2, 2})) ==
        "/edge_index.npy: edge 0: destination 3 is out of range, expected 0 <= destination < 3");
  CHECK(error("edge_index", Tensor::of<int64_t>({0, 1})) ==
        "/edge_index.npy: expected integers [2, edges], got i64 [2]");
  CHECK(error("edge_type", Tensor::of<int64_t>({0, -1})) ==
        "/edge_type.npy: edge 1: type -1 is out of range, expected 0 <= type < 1");
  CHECK(error("edge_type", Tensor::of<int64_t>({0})) == "/edge_type.npy: expected integers [2], got i64 [1]");
  CHECK(error("y", Tensor::of<int64_t>({0, -2, 0})) ==
        "/y.npy: vertex 1: label -2 is out of range, expected -1 (no label) or 0 <= label < 1");
  CHECK(error("x", Tensor::of<float>({1, 2}, {2, 1})) == "/x.npy: expected 3 rows, one for each vertex, got 2");
  CHECK(error("edge_w", Tensor::of<float>({1, 2, 3})) ==
        "/edge_w.npy: expected 2 rows, one for each edge, got the shape [3]");
  CHECK(error("train", Tensor::of<int64_t>({0, 3})) ==
        "/train.npy: entry 1: vertex 3 is out of range, expected 0 <= vertex < 3");
  CHECK(error("train", Tensor::of<int64_t>({0, 0})) == "/train.npy: entry 1: vertex 0 occurs twice");
  CHECK(error("test", Tensor::of<int64_t>({2})) == "/test.npy: entry 0: vertex 2 has no label");
  CHECK_THAT(error("val", Tensor::of<float>({0})), Contains("/val.npy: expected vertex ids or bool [3], got f32 [1]"));

  Example labelled;
  labelled.describe(R"({"edge_index": "edge_index.npy", "labels": "y.npy", "num_classes": 1})");
  CHECK(labelled.error() == "/y.npy: vertex 1: label 1 is out of range, expected -1 (no label) or 0 <= label < 1");
}

TEST_CASE("labels that are no classes are kept as they are") {
  Example example;
  example.put("y", Tensor::of<float>({0.5, 1, 2, 3, 4, 5}, {3, 2}));
  auto data = example.load();
  CHECK(data->numClasses == 0);
  CHECK(data->labels.shape() == std::vector<int64_t>{3, 2});
  example.describe(
      R"({"edge_index": "edge_index.npy", "labels": "y.npy", "num_classes": 2, "split": {"train": "train.npy"}})");
  example.put("train", Tensor::of<int64_t>({1}));
  CHECK(example.error() == "/y.npy: 2 classes are announced, expected integers [3], got f32 [3, 2]");
}

TEST_CASE("classes may be announced without labels") {
  Example example;
  example.describe(R"({"edge_index": "edge_index.npy", "num_classes": 2, "num_vertices": 3})");
  Dataset data = *example.load();
  CHECK(data.numClasses == 2);
  CHECK_THROWS_WITH(splitPerClass(data, 1, 1, 0), Contains("no classes to split by"));
}

TEST_CASE("graphs without edges or vertices are data sets") {
  Example example;
  example.put("edge_index", Tensor::of<int64_t>({}, {2, 0}));
  CHECK(example.load()->graph(0)->numVertices() == 3);
  TemporaryFolder empty;
  writeNpy(empty.path("edge_index.npy"), Tensor::of<int64_t>({}, {2, 0}));
  CHECK(loadDataset(empty.path())->graph(GNN_GRAPH_SELF_LOOPS)->numVertices() == 0);
  TemporaryFolder nothing;
  CHECK_THROWS_WITH(loadDataset(nothing.path()), Contains("not a data set"));
}

TEST_CASE("a schema has types of vertices and relations") {
  SchemaExample example;
  auto data = example.load();
  REQUIRE(data->hasSchema());
  CHECK(data->totalVertices() == 5);
  CHECK(data->numEdges() == 4);
  CHECK(data->numVertices == 2); // papers
  CHECK(data->numClasses == 3);
  CHECK(data->denseVertexFeature("Paper.x").dim(0) == 2);
  auto graph = data->graph(0);
  CHECK(graph->vertexSets()[0].name == "Author");
  CHECK(graph->vertexSets()[0].count == 3); // the largest id of the edges
  CHECK(graph->relations()[0].set->numEdgeTypes() == 2);

  saveDataset(*data, example.folder.path("copy"));
  auto copy = loadDataset(example.folder.path("copy"));
  CHECK(copy->vertexTypes[0].count == 3);
  CHECK(copy->relations[1].name == "cites");
  CHECK(idsOf(copy->relations[0].types) == idsOf(data->relations[0].types));
  CHECK(idsOf(copy->pairs.at("test")) == std::vector<int64_t>{2, 1});
  CHECK(copy->labelled == "Paper");
  CHECK(copy->takeGraph()->numEdges() == 4);
  CHECK(copy->numEdges() == 0);
}

TEST_CASE("labels may be those of edges, and edges are known in the order of time") {
  Example example;
  example.put("edge_w", Tensor::of<float>({5, 6}));
  example.put("y", Tensor::of<int64_t>({1, 0}));
  example.put("train", Tensor::of<int64_t>({0}));
  example.put("test", Tensor::of<int64_t>({1}));
  const std::string known = R"("known_edges": {"train": 1})",
                    json = R"({"edge_index": "edge_index.npy", "labelled": "edge",
    "labels": "y.npy", "edge": {"w": "edge_w.npy"}, "split": {"train": "train.npy", "test": "test.npy"}, )";
  example.describe(json + known + "}");
  auto data = example.load();
  CHECK(data->labelsEdges());
  CHECK(data->numVertices == 3); // not the labels
  CHECK(data->numLabelled() == 2);
  CHECK(data->graph(0)->numEdges() == 2);
  const Dataset train = data->knownTo("train");
  CHECK(train.graph(0)->numEdges() == 1);
  CHECK(train.numVertices == 3);
  CHECK(train.edgeFeature("w").count() == 1);
  CHECK(idsOf(train.labels) == std::vector<int64_t>{1});
  CHECK(idsOf(train.split("train")) == std::vector<int64_t>{0});
  CHECK(train.split("test").count() == 0);
  CHECK(!train.dividesEdges());
  CHECK(data->knownTo("val").numEdges() == 2);
  saveDataset(*data, example.folder.path("copy"));
  CHECK(loadDataset(example.folder.path("copy"))->known == KnownEdges{{"train", 1}});

  example.describe(json + R"("known_edges": {"train": 3}})");
  CHECK_THAT(example.error(), Contains("train knows 3 of 2 edges, expected 0 to 2"));
  example.describe(json + R"("known_edges": {"train": 2, "val": 1}})");
  CHECK_THAT(example.error(), Contains("val knows 1 of 2 edges, expected 2 to 2"));
  example.describe(json + R"("known_edges": {"val": 1}})");
  CHECK_THAT(example.error(), Contains("known_edges has no 'train'"));
  example.describe(json + R"("known_edges": {"test": 1}})");
  CHECK_THAT(example.error(), Contains("unknown key 'known_edges.test'"));
  example.describe(R"({"edge_index": "edge_index.npy", "labelled": "person"})");
  CHECK_THAT(example.error(), Contains("'labelled' is 'person', expected edge, or nothing for vertices"));
  example.describe(json + known + "}");
  example.put("y", Tensor::of<int64_t>({1, 0, 0}));
  CHECK(example.error() == "/y.npy: expected 2 rows, one for each edge, got the shape [3]");
  example.put("y", Tensor::of<int64_t>({1, -1}));
  CHECK(example.error() == "/test.npy: entry 0: edge 1 has no label");
}

TEST_CASE("the edges of a relation may have the labels of a schema") {
  SchemaExample example;
  example.json.replace(example.json.find(R"("labelled": "Paper")"), 19, R"("labelled": "Author:writes:Paper")");
  example.json.insert(example.json.find(R"("num_edge_types": 2)"), R"("known_edges": {"train": 2, "val": 2}, )");
  example.put("labels", Tensor::of<int64_t>({2, 0, 1}));
  example.describe(example.json);
  auto data = example.load();
  CHECK(data->labelsEdges());
  CHECK(data->numLabelled() == 3);
  CHECK(data->numClasses == 3);
  const Dataset train = data->knownTo("train");
  CHECK(train.relations[0].numEdges() == 2);
  CHECK(train.relations[0].types.count() == 2);
  CHECK(train.relations[1].numEdges() == 1);
  CHECK(train.labels.count() == 2);
  CHECK(train.totalVertices() == 5);
  saveDataset(*data, example.folder.path("copy"));
  CHECK(loadDataset(example.folder.path("copy"))->relations[0].known == data->relations[0].known);
  example.json.replace(example.json.find("Author:writes"), 13, "Author:wrote");
  example.describe(example.json);
  CHECK_THAT(example.error(), Contains("labelled: there is no relation Author:wrote:Paper"));
}

TEST_CASE("a wrong schema of a data set is located") {
  auto error = [](const std::string &from, const std::string &to) {
    SchemaExample example;
    size_t at = example.json.find(from);
    REQUIRE(at != std::string::npos);
    example.json.replace(at, from.size(), to);
    example.describe(example.json);
    return example.error();
  };
  CHECK_THAT(error("\"source\": \"Author\"", "\"source\": \"Autor\""),
             Contains("relation 'writes': there is no type of vertices 'Autor' (there are: Author, Paper)"));
  CHECK_THAT(error("\"source\": \"Author\", ", ""), Contains("the key 'relations[0].source' is missing"));
  CHECK_THAT(error("\"labelled\": \"Paper\"", "\"labelled\": \"Book\""), Contains("labelled: there is no type"));
  CHECK_THAT(error("\"labelled\": \"Paper\", ", ""), Contains("need 'labelled'"));
  CHECK_THAT(error("\"labelled\"", "\"edge_index\": \"w.npy\", \"labelled\""), Contains("unknown key 'edge_index'"));
  CHECK_THAT(error("\"cites\"", "\"cites it\""), Contains("'cites it' is no identifier"));
  CHECK_THAT(error("{\"features\": {\"x\": \"x.npy\"}}", "{\"count\": 1}"),
             Contains("/w.npy: edge 2: destination 1 is out of range, expected 0 <= destination < 1"));
  CHECK_THAT(error("\"num_edge_types\": 2", "\"num_edge_types\": 1"),
             Contains("/wt.npy: edge 1: type 1 is out of range"));
  CHECK_THAT(error("\"relations\": [", "\"relations\": [], \"name\": ["), Contains("at least one of each"));
  CHECK_THAT(error("\"Author\": {}", "\"Author\": 3"), Contains("'vertex_types.Author' is no object"));
}

TEST_CASE("pairs are checked against vertices and types") {
  auto error = [](const Tensor &pairs) {
    Example example;
    example.put("edge_type", Tensor::of<int64_t>({0, 1}));
    example.put("val_pairs", pairs);
    return example.error();
  };
  CHECK(error(Tensor::of<int32_t>({0, 1, 2}, {1, 3})) == "none");
  CHECK(error(Tensor::of<int64_t>({0, 1, 2, 0, 2, 1}, {2, 3})) ==
        "/val_pairs.npy: pair 1: type 2 is out of range, expected 0 <= type < 2");
  CHECK(error(Tensor::of<int64_t>({0, 3}, {1, 2})) ==
        "/val_pairs.npy: pair 0: vertex 3 is out of range, expected 0 <= vertex < 3");
  CHECK(error(Tensor::of<int64_t>({0, -1}, {1, 2})) ==
        "/val_pairs.npy: pair 0: vertex -1 is out of range, expected 0 <= vertex < 3");
  CHECK_THAT(error(Tensor::of<int64_t>({0, 1})), Contains("expected integers [pairs, 2] or [pairs, 3], got i64 [2]"));
  CHECK_THAT(error(Tensor::of<float>({0, 1}, {1, 2})), Contains("got f32 [1, 2]"));
  Example example;
  example.put("test_pairs", Tensor::of<int64_t>({0, 1}, {1, 2}));
  CHECK(idsOf(example.load()->pairSplits().at("train")) == std::vector<int64_t>{0, 1, 1, 2});
}

TEST_CASE("a saved data set is the same") {
  Example example;
  example.put("x", Tensor::of<float>({1, 0, 3}, {3, 1}));
  example.put("edge_type", Tensor::of<int64_t>({4, 0}));
  example.put("edge_weight", Tensor::of<float>({0.5, 2}));
  example.put("train", Tensor::of<int64_t>({0}));
  TemporaryFolder target;
  saveDataset(*example.load(), target.path("copy"));
  auto copy = loadDataset(target.path("copy"));
  CHECK(copy->numEdgeTypes == 5);
  CHECK(idsOf(copy->edgeIndex) == std::vector<int64_t>{0, 1, 1, 2});
  CHECK(idsOf(copy->labels) == std::vector<int64_t>{0, 1, -1});
  CHECK(copy->denseVertexFeature("x").values<float>()[2] == 3);
  CHECK(copy->edgeFeature("weight").values<float>()[1] == 2);
  CHECK(idsOf(copy->split("train")) == std::vector<int64_t>{0});
}

TEST_CASE("a data set that can't be written leaves the one that was there") {
  TemporaryFolder target;
  const std::string folder = target.path("d");
  Example example;
  example.put("x", Tensor::of<float>({1, 2, 3}, {3, 1}));
  const auto old = example.load();
  example.put("x", Tensor::of<float>({4, 5, 6}, {3, 1}));
  example.put("y", Tensor::of<int64_t>({1, 1, 1}));
  const auto fresh = example.load();
  auto bytes = [&](const char *name) { return TemporaryFolder::readBytes(folder + "/" + name); };
  FaultyWrites counting;
  saveDataset(*fresh, folder, {{"more.txt", "fresh"}}, counting);
  const std::string freshX = bytes("x.npy"), freshY = bytes("y.npy");
  for (int failAt = 0; failAt < counting.calls; ++failAt) {
    std::filesystem::remove_all(folder);
    saveDataset(*old, folder, {{"more.txt", "old"}});
    FaultyWrites files;
    files.failAt = failAt;
    files.error = ENOSPC;
    CHECK_THROWS_AS(saveDataset(*fresh, folder, {{"more.txt", "fresh"}}, files), gnn::Error);
    const bool isFresh = bytes("more.txt") == "fresh" && bytes("x.npy") == freshX && bytes("y.npy") == freshY;
    if (bytes("dataset.json").find("incomplete") != std::string::npos)
      CHECK_THROWS_WITH(loadDataset(folder), Contains("dataset.json: writing this data set was cut short"));
    else if (!isFresh)
      CHECK(loadDataset(folder)->denseVertexFeature("x").values<float>()[0] == 1);
    CHECK((files.renamed || (bytes("more.txt") == "old" && bytes("x.npy") != freshX && bytes("y.npy") != freshY)));
  }
}

TEST_CASE("gnn-benchmark archives are imported") {
  std::string path = GNNC_FUZZ_CORPUS "/npz/stored.npz";
  Dataset plain = importNpz(readFile(path), path, GNN_CLEAN_NONE),
          clean = importNpz(readFile(path), path, GNN_CLEAN_PYG);
  CHECK(plain.name == "stored");
  CHECK(idsOf(plain.edgeIndex) == std::vector<int64_t>{0, 0, 1, 2, 1, 2, 0, 2});
  CHECK(plain.denseVertexFeature("x").values<float>()[0] == 2);
  CHECK(idsOf(clean.edgeIndex) == std::vector<int64_t>{0, 0, 1, 2, 1, 2, 0, 0});
  CHECK(clean.denseVertexFeature("x").values<float>()[0] == 1);
  splitPerClass(clean, 1, 0, 7);
  CHECK(clean.splits["train"].count() == 2);
  CHECK(clean.splits["test"].count() == 1);
}

TEST_CASE("generators give the data that ships with the project") {
  for (auto [kind, expected] :
       {std::pair("karate", 10), {"planted", 10}, {"relational", 7}, {"knowledge", 5}, {"molecules", 9}}) {
    TemporaryFolder folder;
    saveDataset(generateDataset(kind, {}), folder.path("d"));
    int files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(std::string(GNNC_EXAMPLE_DATA "/") + kind)) {
      INFO(entry.path().string());
      CHECK(folder.read("d/" + entry.path().filename().string()) == TemporaryFolder::readBytes(entry.path().string()));
      ++files;
    }
    CHECK(files == expected);
  }
}

TEST_CASE("random graphs are seeded and have the numbers asked for") {
  gnn_generate_options_t options{};
  options.num_vertices = 1000;
  options.num_edges = 30000;
  options.num_features = 3;
  options.seed = 5;
  const char *kind = GENERATE("rmat", "powerlaw", "hubs", "uniform");
  Dataset a = generateDataset(kind, options), again = generateDataset(kind, options);
  CHECK(a.numVertices == 1000);
  CHECK(a.numEdges() == 30000);
  CHECK(a.denseVertexFeature("x").dim(1) == 3);
  CHECK(idsOf(a.edgeIndex) == idsOf(again.edgeIndex));
  options.seed = 6;
  CHECK(idsOf(a.edgeIndex) != idsOf(generateDataset(kind, options).edgeIndex));
  options.num_features = -1;
  CHECK(generateDataset(kind, options).vertexFeatures.empty());
  CHECK_THROWS_WITH(generateDataset("tree", options), Contains("unknown kind of data set 'tree'"));
}

TEST_CASE("random graphs that are written as they are made are the same files") {
  gnn_generate_options_t options{};
  options.num_vertices = 5000;
  options.num_edges = 600000; // more than one piece, and a piece with both rows
  options.num_features = GENERATE(-1, 7);
  const char *kind = GENERATE("rmat", "powerlaw", "hubs", "uniform", "planted");
  if (std::string(kind) == "planted")
    options = gnn_generate_options_t{};
  TemporaryFolder folder;
  saveDataset(generateDataset(kind, options), folder.path("whole"));
  generateFolder(kind, options, folder.path("pieces"));
  int files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path("whole"))) {
    INFO(entry.path().string());
    CHECK(folder.read("pieces/" + entry.path().filename().string()) ==
          TemporaryFolder::readBytes(entry.path().string()));
    ++files;
  }
  CHECK(files >= 6);
  options.num_edges = int64_t(1) << 40;
  if (std::string(kind) == "rmat")
    CHECK_THROWS_WITH(generateFolder(kind, options, folder.path("large")), Contains("bytes, and "));
}

TEST_CASE("random graphs have the degrees that their kind promises") {
  gnn_generate_options_t options{};
  options.num_vertices = 10000;
  options.num_edges = 1000000;
  auto degreesOf = [&](const char *kind, int end) {
    Dataset data = generateDataset(kind, options);
    std::vector<int64_t> degrees(10000), ids = idsOf(data.edgeIndex);
    for (size_t e = 0; e < 1000000; ++e)
      ++degrees[size_t(ids[size_t(end) * 1000000 + e])];
    return degrees;
  };
  int end = GENERATE(0, 1);
  std::vector<int64_t> hubs = degreesOf("hubs", end), power = degreesOf("powerlaw", end);
  int64_t ofHubs = 0;
  for (size_t v = 0; v < hubs.size(); v += 5)
    ofHubs += hubs[v];
  CHECK(ofHubs == Approx(1000000 * 5 / 6).epsilon(0.01));
  // The chance to be among the first k of n by degree is close to sqrt(k / n).
  std::sort(power.rbegin(), power.rend());
  CHECK(std::accumulate(power.begin(), power.begin() + 100, int64_t(0)) == Approx(1000000 * 0.1).epsilon(0.1));
  CHECK(std::accumulate(power.begin(), power.begin() + 2500, int64_t(0)) == Approx(1000000 * 0.5).epsilon(0.05));
  CHECK(power[0] == Approx(40 * 100).epsilon(0.1));
}

TEST_CASE("real graphs have their published counts") {
  struct Real {
    const char *name;
    int64_t vertices, edges, classes, types, train, val, test;
  };
  auto real =
      GENERATE(Real{"cora", 2708, 10556, 7, 0, 140, 500, 1000},
               Real{"amazon_photo", 7650, 238162, 8, 0, 160, 240, 7250}, Real{"aifb", 8285, 29043, 4, 45, 140, 28, 36});
  std::string folder = std::string(GNNC_SHARED_DATA) + "/" + real.name;
  if (!std::filesystem::is_directory(folder)) {
    WARN("skipped: " << real.name << " is not at hand");
    return;
  }
  auto data = loadDataset(folder);
  CHECK(data->numVertices == real.vertices);
  CHECK(data->numEdges() == real.edges);
  CHECK(data->numClasses == real.classes);
  CHECK(data->numEdgeTypes == real.types);
  CHECK(data->split("train").count() == real.train);
  CHECK(data->split("val").count() == real.val);
  CHECK(data->split("test").count() == real.test);
  CHECK(data->graph(GNN_GRAPH_SELF_LOOPS)->numEdges() == real.edges + real.vertices);
}
