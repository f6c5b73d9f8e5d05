//===- InterfaceWorld.cpp - Objects that random calls are made on ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterfaceWorld.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

World::World(Random &drawn) : random(drawn) {}

World::~World() {
  for (TrainerHandle &trainer : trainers)
    gnn_trainer_destroy(trainer.handle);
  for (GraphHandle &graph : graphs)
    gnn_graph_destroy(graph.handle);
  for (ModelHandle &model : models)
    gnn_model_destroy(model.handle);
  for (TensorHandle &tensor : tensors)
    gnn_tensor_destroy(tensor.handle);
  for (gnn_tensor_t *tensor : data)
    gnn_tensor_destroy(tensor);
  if (viewsReleased != viewsMade) {
    std::fprintf(stderr, "%d views were made and %d released\n", viewsMade, viewsReleased);
    std::abort();
  }
}

void World::accept(gnn_status_t status, const char *call) {
  ++numCalls;
  expect(status == GNN_OK, std::string(call) + ": " + gnn_status_name(status) + ": " + gnn_last_error());
}

void World::checkRefusal(gnn_status_t status, gnn_status_t expected, const char *what, const std::string &before) {
  ++numCalls;
  expect(status == expected, std::string(what) + " gives " + gnn_status_name(status) + ", expected " +
                                 gnn_status_name(expected) + "; the last error is: " + gnn_last_error());
  expect(gnn_last_error()[0] != 0, std::string(what) + " has no message");
  expect(state() == before, std::string(what) + " was refused, but changed something");
}

namespace {

template <class T> void write(std::string &to, const T *data, size_t count) {
  to.append(reinterpret_cast<const char *>(data), count * sizeof(T));
}

void writeContent(std::string &to, const gnn_tensor_t *tensor) {
  const uint32_t element = gnn_tensor_element(tensor);
  const size_t bytes = element == GNN_BOOL ? 1 : element == GNN_F32 || element == GNN_I32 ? 4 : 8;
  write(to, &element, 1);
  write(to, gnn_tensor_shape(tensor), gnn_tensor_rank(tensor));
  write(to, static_cast<const char *>(gnn_tensor_data(tensor)), size_t(gnn_tensor_count(tensor)) * bytes);
}

void writeContent(std::string &to, const gnn_graph_t *graph) {
  const int64_t numbers[] = {gnn_graph_num_vertices(graph), gnn_graph_num_edges(graph),
                             gnn_graph_num_edge_ids(graph), gnn_graph_num_edge_types(graph),
                             gnn_graph_transforms(graph),   gnn_graph_num_vertex_types(graph),
                             gnn_graph_num_relations(graph)};
  write(to, numbers, sizeof numbers / sizeof *numbers);
  gnn_block_t block{};
  expect(gnn_graph_block(graph, GNN_TO_DESTINATION, &block) == GNN_OK, "a graph has a block");
  write(to, block.cols, size_t(block.offsets[block.num_rows]));
}

} // namespace

std::string World::state() {
  std::string state;
  for (const TensorHandle &tensor : tensors)
    writeContent(state, tensor.handle);
  for (const GraphHandle &graph : graphs)
    writeContent(state, graph.handle);
  for (ModelHandle &model : models) {
    for (const char *dim : {"in", "classes"}) {
      int64_t value = -1;
      const gnn_status_t status = gnn_model_dim(model.handle, dim, &value);
      expect(status == (value < 0 ? GNN_ERROR_MISMATCH : GNN_OK), "a dimension is open or has a value");
      write(state, &value, 1);
    }
    for (uint32_t i = 0; model.facts->isMade && i < gnn_model_num_parameters(model.handle); ++i) {
      gnn_tensor_t *parameter = nullptr;
      expect(gnn_model_parameter(model.handle, gnn_model_parameter_name(model.handle, i), &parameter) == GNN_OK,
             "a model has its parameters");
      writeContent(state, parameter);
      gnn_tensor_destroy(parameter);
    }
  }
  for (TrainerHandle &trainer : trainers)
    state += contentOf(trainer.handle);
  return state;
}

/// Its checkpoint: parameters, moments, seed and steps.
std::string World::contentOf(gnn_trainer_t *trainer) {
  const std::string path = folder.path("state");
  expect(gnn_trainer_save(trainer, path.c_str()) == GNN_OK, "a trainer has a state");
  return TemporaryFolder::readBytes(path);
}

void World::addTensor(gnn_tensor_t *handle, uint32_t element, std::vector<int64_t> shape) {
  place(tensors, 6, gnn_tensor_destroy) = {handle, element, shape};
  expectTensor(handle, element, shape);
}

void World::expectTensor(const gnn_tensor_t *handle, uint32_t element, const std::vector<int64_t> &shape) {
  expect(handle && gnn_tensor_element(handle) == element && gnn_tensor_rank(handle) == shape.size() &&
             std::equal(shape.begin(), shape.end(), gnn_tensor_shape(handle)) && gnn_tensor_data(handle) &&
             gnn_tensor_device(handle) == -1,
         "a tensor has the element type and the shape that it should have");
}

gnn_input_t World::features(int64_t vertices, int64_t columns, bool isSparse) {
  std::vector<float> values;
  std::vector<int32_t> indices;
  std::vector<int64_t> indptr{0};
  for (int64_t v = 0; v < vertices; ++v) {
    for (int64_t column = 0; column < columns; ++column)
      if (!isSparse || random.oneIn(3)) {
        indices.push_back(int32_t(column));
        values.push_back(float(random.below(17)) / 8 - 1);
      }
    indptr.push_back(int64_t(values.size()));
  }
  const int64_t count = int64_t(values.size());
  if (!isSparse)
    return {"x", tensorOf(GNN_F32, values, {vertices, columns}), nullptr, nullptr, nullptr, 0};
  gnn_tensor_t *starts = tensorOf(GNN_I64, indptr, {vertices + 1}), *places = tensorOf(GNN_I32, indices, {count});
  return {"x", nullptr, starts, places, tensorOf(GNN_F32, values, {count}), columns};
}

gnn_input_t World::labels(int64_t vertices, int64_t classes) {
  std::vector<int64_t> labels;
  for (int64_t v = 0; v < vertices; ++v)
    labels.push_back(random.below(classes));
  return {"y", tensorOf(GNN_I64, labels, {vertices}), nullptr, nullptr, nullptr, 0};
}

gnn_tensor_t *World::allVertices(int64_t vertices) {
  std::vector<int64_t> ids;
  for (int64_t v = 0; v < vertices; ++v)
    ids.push_back(v);
  return tensorOf(GNN_I64, ids, {vertices});
}

namespace {

/// Row `v` of an input, dense or sparse.
std::vector<double> rowOf(const gnn_input_t &x, int64_t v, int64_t columns) {
  std::vector<double> row(static_cast<size_t>(columns));
  if (x.dense) {
    const float *from = static_cast<const float *>(gnn_tensor_data(x.dense)) + v * columns;
    return {from, from + columns};
  }
  const auto *starts = static_cast<const int64_t *>(gnn_tensor_data(x.indptr));
  for (int64_t i = starts[v]; i < starts[v + 1]; ++i)
    row[size_t(static_cast<const int32_t *>(gnn_tensor_data(x.indices))[i])] +=
        double(static_cast<const float *>(gnn_tensor_data(x.values))[i]);
  return row;
}

} // namespace

/// FakeLibrary.h has the formula.
void World::checkLogits(ModelHandle &model, const GraphHandle &graph, const gnn_input_t &x,
                        const gnn_tensor_t *logits) {
  const int64_t in = model.facts->in, classes = model.facts->classes;
  expectTensor(logits, GNN_F32, {graph.vertices, classes});
  gnn_tensor_t *w = nullptr, *b = nullptr;
  expect(gnn_model_parameter(model.handle, "W", &w) == GNN_OK && gnn_model_parameter(model.handle, "b", &b) == GNN_OK,
         "a model has its parameters");
  gnn_block_t block{};
  expect(gnn_graph_block(graph.handle, GNN_TO_DESTINATION, &block) == GNN_OK, "a graph has a block");
  const auto *weights = static_cast<const float *>(gnn_tensor_data(w)),
             *bias = static_cast<const float *>(gnn_tensor_data(b)),
             *given = static_cast<const float *>(gnn_tensor_data(logits));
  for (int64_t row = 0; row < block.num_rows; ++row) {
    const int64_t v = block.row_id ? block.row_id[row] : row;
    std::vector<double> sums(static_cast<size_t>(classes)), sizes(static_cast<size_t>(classes));
    for (int64_t e = block.offsets[row]; e < block.offsets[row + 1]; ++e) {
      const std::vector<double> u = rowOf(x, block.col_id ? block.col_id[block.cols[e]] : block.cols[e], in);
      for (int64_t i = 0; i < in * classes; ++i) {
        const double product = u[size_t(i / classes)] * double(weights[i]);
        sums[size_t(i % classes)] += product;
        sizes[size_t(i % classes)] += std::abs(product);
      }
    }
    const double degree = double(std::max<int64_t>(block.offsets[row + 1] - block.offsets[row], 1));
    for (int64_t c = 0; c < classes; ++c) {
      const double expected = sums[size_t(c)] / degree + double(bias[c]);
      const double most = 1e-5 * (sizes[size_t(c)] / degree + std::abs(double(bias[c])) + 1e-3);
      expect(std::abs(double(given[v * classes + c]) - expected) <= most, "logits are those of this call's inputs");
    }
  }
  gnn_tensor_destroy(w);
  gnn_tensor_destroy(b);
}
