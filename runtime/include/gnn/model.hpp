//===- model.hpp - Compiled models in C++ ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin owners of gnn_model_t and gnn_trainer_t. Failures throw gnn::Error.
//
//   gnn::Model model("gcn.so");
//   model.load("gcn.safetensors");
//   gnn::Tensor logits = model.infer(graph, {{"x", features}}).at("logits");
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_HPP
#define GNN_MODEL_HPP

#include "gnn/dataset.hpp"
#include "gnn/graph.hpp"
#include "gnn/model.h"
#include "gnn/tensor.hpp"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gnn {

/// A table over vertices or edges under the name that the model reads it by.
struct Input {
  Input(std::string as, Tensor table) : name(std::move(as)), dense(std::move(table)) {}
  Input(std::string as, SparseFeature table) : name(std::move(as)), sparse(std::move(table)) {}

  gnn_input_t c() const {
    return {name.c_str(), dense.get(), sparse.indptr.get(), sparse.indices.get(), sparse.values.get(), sparse.columns};
  }

  std::string name;
  Tensor dense;
  SparseFeature sparse;
};
using Inputs = std::vector<Input>;

namespace detail {
inline std::vector<gnn_input_t> cInputs(const Inputs &inputs) {
  std::vector<gnn_input_t> result;
  for (const Input &input : inputs)
    result.push_back(input.c());
  return result;
}
} // namespace detail

/// A library that the program is linked with, and what its header is of (gnn_model_from_linked).
struct LinkedLibrary {
  const gnn_library_t *table;
  const char *name, *digest;
};

/// How a model is opened; a number alone is one of threads.
struct ModelOptions {
  ModelOptions(unsigned numThreads = 0) : threads(numThreads) {}

  unsigned threads;            ///< 0: all processors
  std::string isa;             ///< empty: the best that the machine and the library have
  std::string device = "cpu";  ///< "cuda:1", "cuda:0-3", "auto" (gnn_model_options_t)
  uint64_t deviceBytes = 0;    ///< most memory of the GPU; 0: all that it has
  bool deviceOutputs = false;  ///< outputs stay in the memory of the GPU
  std::string inputs = "auto"; ///< "dense", "sparse" (gnn_model_options_t)
  std::string plans = "tried"; ///< "counted" (gnn_model_options_t)

  /// Borrows from this.
  gnn_model_options_t c() const {
    return {sizeof(gnn_model_options_t),
            threads,
            isa.empty() ? nullptr : isa.c_str(),
            device.c_str(),
            deviceBytes,
            deviceOutputs,
            inputs.c_str(),
            plans.c_str()};
  }
};

class Model {
public:
  Model() = default;
  explicit Model(const std::string &path, const ModelOptions &options = {}) {
    const gnn_model_options_t c = options.c();
    check(gnn_model_open(path.c_str(), &c, &handle));
  }
  explicit Model(const gnn_library_t &table, const ModelOptions &options = {}) {
    const gnn_model_options_t c = options.c();
    check(gnn_model_from_table(&table, &c, &handle));
  }
  explicit Model(const LinkedLibrary &linked, const ModelOptions &options = {}) {
    const gnn_model_options_t c = options.c();
    check(gnn_model_from_linked(linked.table, linked.name, linked.digest, &c, &handle));
  }
  Model(Model &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Model &operator=(Model &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Model() { gnn_model_destroy(handle); }

  std::string name() const { return gnn_model_name(handle); }
  std::string manifest() const { return gnn_model_manifest(handle); }
  std::string isa() const { return gnn_model_isa(handle); }
  std::string device() const { return gnn_model_device(handle); }

  /// Of the last inference or step, by the clock of the GPU.
  double deviceSeconds() {
    double seconds = 0;
    check(gnn_model_device_seconds(handle, &seconds));
    return seconds;
  }

  void bindDim(const std::string &name, int64_t value) { check(gnn_model_bind_dim(handle, name.c_str(), value)); }
  int64_t dim(const std::string &name) const {
    int64_t value = 0;
    check(gnn_model_dim(handle, name.c_str(), &value));
    return value;
  }

  void initialize(uint64_t seed) { check(gnn_model_initialize(handle, seed)); }
  void load(const std::string &path) { check(gnn_model_load(handle, path.c_str())); }
  void save(const std::string &path) const { check(gnn_model_save(handle, path.c_str())); }
  std::vector<std::string> parameters() const {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < gnn_model_num_parameters(handle); ++i)
      names.push_back(gnn_model_parameter_name(handle, i));
    return names;
  }
  /// The parameter's own storage.
  Tensor parameter(const std::string &name) {
    gnn_tensor_t *tensor = nullptr;
    check(gnn_model_parameter(handle, name.c_str(), &tensor));
    return Tensor(tensor);
  }

  /// Outputs by name.
  std::map<std::string, Tensor> infer(const Graph &graph, const Inputs &inputs) {
    std::vector<gnn_input_t> c = detail::cInputs(inputs);
    std::vector<gnn_tensor_t *> outputs(gnn_model_num_outputs(handle));
    check(gnn_model_infer(handle, graph.get(), c.data(), uint32_t(c.size()), outputs.data()));
    return named(outputs);
  }

  /// Rows of the outputs for some vertices (gnn_model_infer_at), by name. `vertexType` may be empty where the model
  /// has only one.
  std::map<std::string, Tensor> inferAt(const Graph &graph, const Inputs &inputs, const std::vector<int64_t> &vertices,
                                        const std::string &vertexType = "") {
    std::vector<gnn_input_t> c = detail::cInputs(inputs);
    std::vector<gnn_tensor_t *> outputs(gnn_model_num_outputs(handle));
    Tensor ids = Tensor::copy<int64_t>(vertices, {int64_t(vertices.size())});
    check(gnn_model_infer_at(handle, graph.get(), c.data(), uint32_t(c.size()),
                             vertexType.empty() ? nullptr : vertexType.c_str(), ids.get(), outputs.data()));
    return named(outputs);
  }

  gnn_model_t *get() const { return handle; }

protected:
  /// For headers that gnnc writes: throws a mismatch unless the library is one of the model `name` with these outputs.
  void expect(const std::string &name, const std::vector<std::string> &outputs) const {
    if (this->name() != name)
      throw Error(GNN_ERROR_MISMATCH, "the library is one of " + this->name() + ", not of " + name);
    for (uint32_t i = 0; i < outputs.size(); ++i)
      if (i >= gnn_model_num_outputs(handle) || outputs[i] != gnn_model_output_name(handle, i))
        throw Error(GNN_ERROR_MISMATCH,
                    "the library of " + name + " does not have the output " + outputs[i] + " where its header has it");
  }

private:
  std::map<std::string, Tensor> named(const std::vector<gnn_tensor_t *> &outputs) const {
    std::map<std::string, Tensor> result;
    for (uint32_t i = 0; i < outputs.size(); ++i)
      result[gnn_model_output_name(handle, i)] = Tensor(outputs[i]);
    return result;
  }

  gnn_model_t *handle = nullptr;
};

/// What the model states, where nothing else is set.
struct TrainerOptions : gnn_trainer_options_t {
  TrainerOptions() : gnn_trainer_options_t{} {
    size = sizeof(gnn_trainer_options_t);
    learning_rate = weight_decay = -1;
  }
};

class Trainer {
public:
  Trainer(Model &model, const Graph &graph, const Inputs &inputs, const Tensor &vertices,
          const gnn_trainer_options_t &options = TrainerOptions()) {
    std::vector<gnn_input_t> c = detail::cInputs(inputs);
    check(
        gnn_trainer_create(model.get(), graph.get(), c.data(), uint32_t(c.size()), vertices.get(), &options, &handle));
  }
  Trainer(Trainer &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Trainer &operator=(Trainer &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Trainer() { gnn_trainer_destroy(handle); }

  /// The loss before the update.
  double step() {
    double loss = 0;
    check(gnn_trainer_step(handle, &loss));
    return loss;
  }
  gnn_metrics_t evaluate(const Tensor &vertices) {
    gnn_metrics_t metrics{};
    check(gnn_trainer_evaluate(handle, vertices.get(), &metrics));
    return metrics;
  }
  void save(const std::string &path) const { check(gnn_trainer_save(handle, path.c_str())); }
  void resume(const std::string &path) { check(gnn_trainer_resume(handle, path.c_str())); }

private:
  gnn_trainer_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_MODEL_HPP
