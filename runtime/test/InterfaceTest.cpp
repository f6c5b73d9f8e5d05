//===- InterfaceTest.cpp - Tests of the public interface -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ face over the shared library: what an application sees.
//
//===----------------------------------------------------------------------===//

#include "gnn/gnn.hpp"
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

using Catch::Matchers::Contains;

TEST_CASE("errors carry a code and a sentence") {
  try {
    gnn::Graph::fromEdges({0, 5}, {1, 1}, 3);
    FAIL("an id out of range was accepted");
  } catch (const gnn::Error &error) {
    CHECK(error.code() == GNN_ERROR_DATA);
    CHECK(std::string(error.what()).find("edge 1: source 5") == 0);
    CHECK(std::string(gnn_last_error()) == error.what());
  }
  gnn_graph_t *untouched = nullptr;
  CHECK(gnn_graph_from_edges(nullptr, nullptr, 1, 1, nullptr, &untouched) == GNN_ERROR_ARGUMENT);
  CHECK(untouched == nullptr);
  CHECK(gnn_graph_from_edges(nullptr, nullptr, 0, 1, nullptr, nullptr) == GNN_ERROR_ARGUMENT);
}

TEST_CASE("tensors share and view memory") {
  std::vector<float> data{1, 2, 3, 4};
  int released = 0;
  {
    gnn::Tensor view = gnn::Tensor::view(data.data(), {2, 2}, [&] { ++released; });
    gnn::Tensor copy = view;
    view = gnn::Tensor();
    copy.mutableData<float>()[3] = 9;
    CHECK_THROWS_AS(copy.data<double>(), gnn::Error);
    gnn::Tensor again = gnn::Tensor::fromDlpack(copy.toDlpack());
    copy = gnn::Tensor();
    CHECK(again.data<float>() == data.data());
    CHECK(released == 0);
  }
  CHECK(released == 1);
  CHECK(data[3] == 9);
  CHECK_THROWS_AS(gnn::Tensor::view(data.data(), {-1}, [&] { ++released; }), gnn::Error);
  CHECK(released == 1);
}

TEST_CASE("a graph gives its blocks") {
  gnn::Graph graph = gnn::Graph::fromEdges({0, 1}, {1, 2}, 3).transformed(GNN_GRAPH_SELF_LOOPS);
  gnn_block_t block = graph.block(GNN_TO_DESTINATION);
  CHECK(block.num_rows == 3);
  CHECK(block.offsets[3] == 5);
  CHECK(graph.numEdgeIds() == 5);
  CHECK(graph.extendEdges(gnn::Tensor::copy<float>({7, 8}, {2})).shape() == std::vector<int64_t>{5});
}

TEST_CASE("a graph with a schema gives its types and relations") {
  std::vector<int64_t> authors{0, 1}, papers{2, 0}, types{0, 1};
  gnn_edges_t writes{"writes", 0, 1, 3, 0, 2, authors.data(), papers.data(), types.data()};
  gnn::Graph graph = gnn::Graph::fromSchema({{"Author", 2}, {"Paper", 3}}, {writes});
  CHECK(graph.vertexTypes()[1].count == 3);
  CHECK(std::string(graph.relations()[0].name) == "writes");
  CHECK(graph.relations()[0].num_edges == 2);
  CHECK(graph.relations()[0].num_types == 3);
  CHECK(graph.block(GNN_TO_DESTINATION).num_rows == 3);
  gnn_vertices_t unused;
  CHECK(gnn_graph_vertex_type(graph.get(), 2, &unused) == GNN_ERROR_ARGUMENT);
  writes.source = 2;
  CHECK_THROWS_WITH(gnn::Graph::fromSchema({{"Author", 2}, {"Paper", 3}}, {writes}), Catch::Contains("'writes'"));
  writes.name = nullptr;
  CHECK_THROWS_WITH(gnn::Graph::fromSchema({{"Author", 2}, {"Paper", 3}}, {writes}),
                    Catch::Contains("relation 0 has no name"));
}

TEST_CASE("a data set gives its parts") {
  gnn::Dataset data = gnn::Dataset::load(GNNC_EXAMPLE_DATA "/karate");
  CHECK(data.name() == "karate");
  CHECK(data.numVertices() == 34);
  CHECK(data.numEdges() == 156);
  CHECK(data.numClasses() == 2);
  CHECK(data.numEdgeTypes() == 0);
  CHECK(data.tensor("edge_index").shape() == std::vector<int64_t>{2, 156});
  CHECK(data.tensor("train").count() == 2);
  CHECK(!data.find("edge_type"));
  CHECK_THROWS_AS(data.tensor("nonsense"), gnn::Error);
  CHECK(data.graph(GNN_GRAPH_SELF_LOOPS).numEdges() == 190);

  std::vector<gnn_feature_info_t> features = data.features();
  REQUIRE(features.size() == 1);
  CHECK(features[0].name == std::string("x"));
  CHECK(features[0].is_sparse == 1);
  CHECK(features[0].columns == 34);
  gnn::SparseFeature sparse = data.sparseFeature("x");
  CHECK(sparse.columns == 34);
  CHECK(sparse.indices.data<int32_t>()[33] == 33);
  CHECK(data.denseFeature(GNN_FEATURE_VERTEX, "x").data<float>()[35] == 1);
  CHECK_THROWS_AS(data.denseFeature(GNN_FEATURE_EDGE, "x"), gnn::Error);
}

namespace {

/// A struct of a header that has `Options` and a field more.
template <class Options> struct Longer {
  Options options{};
  uint64_t added = 0;
};

} // namespace

TEST_CASE("what options that are shorter than the runtime's do not have has its default") {
  const int64_t ids[] = {0, 1}, types[] = {5, 5};
  gnn_graph_options_t options{};
  options.size = offsetof(gnn_graph_options_t, edge_type); // of a header without it
  options.transforms = GNN_GRAPH_SELF_LOOPS;
  options.edge_type = types; // it does not know that there is such a thing
  gnn_graph_t *graph = nullptr;
  REQUIRE(gnn_graph_from_edges(ids, ids, 2, 2, &options, &graph) == GNN_OK);
  CHECK(gnn_graph_transforms(graph) == GNN_GRAPH_SELF_LOOPS);
  CHECK(gnn_graph_num_edge_types(graph) == 0);
  gnn_graph_destroy(graph);

  gnn_generate_options_t generate{};
  generate.size = offsetof(gnn_generate_options_t, num_edges);
  generate.num_vertices = 50;
  generate.num_edges = -1; // would be an error
  gnn_dataset_t *data = nullptr;
  REQUIRE(gnn_dataset_generate("uniform", &generate, &data) == GNN_OK);
  CHECK(gnn_dataset_num_vertices(data) == 50);
  gnn_dataset_destroy(data);
}

TEST_CASE("options that are longer than the runtime's must not ask for what it does not know") {
  Longer<gnn_graph_options_t> longer;
  longer.options.size = sizeof longer;
  gnn_graph_t *graph = nullptr;
  REQUIRE(gnn_graph_from_edges(nullptr, nullptr, 0, 1, &longer.options, &graph) == GNN_OK);
  gnn_graph_destroy(graph);
  longer.added = 1;
  graph = nullptr;
  CHECK(gnn_graph_from_edges(nullptr, nullptr, 0, 1, &longer.options, &graph) == GNN_ERROR_VERSION);
  CHECK(graph == nullptr);
  CHECK_THAT(gnn_last_error(), Contains("older than the application's headers"));
}

TEST_CASE("a size that was not set is an argument error") {
  const uint32_t size = GENERATE(0u, 3u, 0xcdcdcdc8u);
  gnn_graph_options_t options{};
  options.size = size;
  gnn_graph_t *graph = nullptr;
  CHECK(gnn_graph_from_edges(nullptr, nullptr, 0, 1, &options, &graph) == GNN_ERROR_ARGUMENT);
  gnn_npz_options_t npz{};
  npz.size = size;
  gnn_dataset_t *data = nullptr;
  CHECK(gnn_dataset_import_npz("none.npz", &npz, &data) == GNN_ERROR_ARGUMENT);
  gnn_model_options_t modelOptions{};
  modelOptions.size = size;
  gnn_model_t *model = nullptr;
  CHECK(gnn_model_open("none.so", &modelOptions, &model) == GNN_ERROR_ARGUMENT);
}

TEST_CASE("of a struct that the runtime fills in, it writes what there is room for") {
  gnn_dataset_t *data = nullptr;
  REQUIRE(gnn_dataset_generate("karate", nullptr, &data) == GNN_OK);
  gnn_feature_info_t info{};
  info.size = offsetof(gnn_feature_info_t, columns);
  info.columns = info.nonzeros = -7;
  REQUIRE(gnn_dataset_feature_info(data, 0, &info) == GNN_OK);
  CHECK(info.name == std::string("x"));
  CHECK(info.size == offsetof(gnn_feature_info_t, columns));
  CHECK((info.columns == -7 && info.nonzeros == -7));
  gnn_dataset_destroy(data);
}

TEST_CASE("missing files are I/O errors") {
  gnn_tensor_t *tensor = nullptr;
  CHECK(gnn_npy_load("/no/such/file.npy", &tensor) == GNN_ERROR_IO);
  gnn_dataset_t *data = nullptr;
  CHECK(gnn_dataset_load("/no/such/folder", &data) == GNN_ERROR_IO);
}
