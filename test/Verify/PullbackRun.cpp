//===- PullbackRun.cpp - A scenario by vector-Jacobian products -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/PullbackRun.h"
#include "gnn/error.hpp"
#include "gnn/pullback.h"
#include "runtime/src/model/Model.h"
#include "test/Verify/TensorNumbers.h"
#include <cstring>

using namespace gnnc;
using namespace gnnc::verify;
using namespace gnn::rt;

namespace {

/// Handles of tensors for calls of the C interface.
class Handles {
public:
  gnn_tensor_t *add(Tensor tensor) {
    owned.push_back(std::make_unique<gnn_tensor_t>(gnn_tensor_t{std::move(tensor)}));
    all.push_back(owned.back().get());
    return all.back();
  }
  gnn_tensor_t *const *data() const { return all.data(); }
  const Tensor &operator[](size_t i) const { return all[i]->value; }

private:
  std::vector<std::unique_ptr<gnn_tensor_t>> owned;
  std::vector<gnn_tensor_t *> all;
};

/// A pullback over a scenario.
class PulledBack {
public:
  PulledBack(gnn_model_t &model, const std::shared_ptr<const Graph> &graph, Features given, bool training)
      : features(std::move(given)) {
    for (const auto &[name, feature] : features) {
      gnn_input_t &input = inputs.emplace_back(gnn_input_t{name.c_str(), nullptr, nullptr, nullptr, nullptr, 0});
      if (feature.dense) {
        input.dense = tables.add(feature.dense);
        continue;
      }
      input.indptr = tables.add(feature.sparse->indptrTensor());
      input.indices = tables.add(feature.sparse->indicesTensor());
      input.values = tables.add(feature.sparse->values());
      input.columns = feature.sparse->columns();
    }
    const gnn_pullback_options_t options{sizeof options, training, nullptr, 0, 0};
    const gnn_graph_t over{graph};
    gnn::check(gnn_pullback_create(&model, &over, inputs.data(), uint32_t(inputs.size()), &options, &handle));
  }
  ~PulledBack() { gnn_pullback_destroy(handle); }

  std::vector<gnn_pullback_item_t> list(uint32_t which) const {
    uint32_t count = 0;
    const gnn_pullback_item_t *items = gnn_pullback_list(handle, which, &count);
    return {items, items + count};
  }
  Handles emptyOf(uint32_t which) const {
    Handles made;
    for (const gnn_pullback_item_t &item : list(which))
      made.add(Tensor::empty(item.element, {item.shape, item.shape + item.rank}));
    return made;
  }
  Handles tensorsOf(uint32_t which, const std::map<std::string, std::vector<double>> &numbers) const {
    Handles made;
    for (const gnn_pullback_item_t &item : list(which))
      made.add(tensorOf(numbers.at(item.name), item.element, {item.shape, item.shape + item.rank}));
    return made;
  }

  Tensor forward(const Handles &parameters, uint64_t seed, uint64_t step, Handles &outputs) const {
    Tensor workspace = Tensor::empty(GNN_I64, {int64_t(gnn_pullback_workspace_bytes(handle) / sizeof(int64_t) + 1)});
    gnn::check(gnn_pullback_forward(handle, inputs.data(), uint32_t(inputs.size()), parameters.data(), seed, step,
                                    workspace.mutableData(), outputs.data()));
    return workspace;
  }
  Handles backward(const Handles &parameters, const Tensor &workspace, const Handles &cotangents) const {
    Handles gradients = emptyOf(GNN_PULLBACK_GRADIENTS);
    gnn::check(gnn_pullback_backward(handle, inputs.data(), uint32_t(inputs.size()), parameters.data(),
                                     workspace.data(), cotangents.data(), gradients.data()));
    return gradients;
  }

private:
  const Features features;
  Handles tables;
  std::vector<gnn_input_t> inputs;
  gnn_pullback_t *handle = nullptr;
};

} // namespace

CompiledResults gnnc::verify::runPullback(const std::shared_ptr<const Library> &library, const Dims &dims,
                                          unsigned threads, const std::shared_ptr<const Graph> &graph,
                                          Features features, const CheckedModel &model, const Scenario &scenario) {
  gnn_model_t opened{std::make_shared<Model>(library, threads)};
  opened.value->dims() = dims;
  const PulledBack pullback(opened, graph, std::move(features), scenario.bindings.training);
  const Handles parameters = pullback.tensorsOf(GNN_PULLBACK_PARAMETERS, scenario.bindings.params),
                cotangents = pullback.tensorsOf(GNN_PULLBACK_COTANGENTS, scenario.cotangents);
  Handles outputs = pullback.emptyOf(GNN_PULLBACK_OUTPUTS), others = pullback.emptyOf(GNN_PULLBACK_OUTPUTS);
  const OracleBindings &drawn = scenario.bindings;
  const Tensor workspace = pullback.forward(parameters, drawn.seed, drawn.step, outputs),
               other = pullback.forward(parameters, drawn.seed, drawn.step, others);
  const Handles first = pullback.backward(parameters, other, cotangents);
  pullback.backward(parameters, workspace, cotangents);
  const Handles gradients = pullback.backward(parameters, workspace, cotangents);
  CompiledResults results;
  const std::vector<gnn_pullback_item_t> made = pullback.list(GNN_PULLBACK_OUTPUTS),
                                         by = pullback.list(GNN_PULLBACK_GRADIENTS);
  for (size_t i = 0; i < made.size(); ++i)
    (i < model.outputs.size() ? results.outputs : results.states)[made[i].name] = numbersOf(outputs[i]);
  for (size_t i = 0; i < by.size(); ++i) {
    if (std::memcmp(first[i].data(), gradients[i].data(), first[i].bytes()) != 0)
      throw gnn::Error(GNN_ERROR_INTERNAL, std::string("the gradient by ") + by[i].name + " is another the next time");
    results.gradients[by[i].name] = numbersOf(gradients[i]);
  }
  return results;
}
