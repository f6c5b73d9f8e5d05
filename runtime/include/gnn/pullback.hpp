//===- pullback.hpp - Differentiable models in C++ -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner of gnn_pullback_t, and of the workspace of each of its calls. Failures throw gnn::Error.
//
//   gnn::Pullback pullback(model, graph, {{"x", features}});
//   gnn::Pullback::Call call = pullback.forward({{"x", features}});
//   gnn::Tensor dx = call.backward({{"logits", slopes(call.outputs().at("logits"))}}).at("x");
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PULLBACK_HPP
#define GNN_PULLBACK_HPP

#include "gnn/model.hpp"
#include "gnn/pullback.h"
#include <memory>

namespace gnn {

struct PullbackOptions {
  bool isTraining = false;
  std::vector<std::string> wanted; // parameters and inputs; empty: all that have gradients
};

class Pullback {
  struct Freed {
    void operator()(gnn_pullback_t *pullback) const { gnn_pullback_destroy(pullback); }
  };

public:
  /// A forward call that waits for its cotangents. It keeps its inputs, model and graph alive.
  class Call {
  public:
    /// Outputs and, in training, next states, by name.
    const std::map<std::string, Tensor> &outputs() const { return results; }

    /// Gradients by parameters and inputs, by name, for gradients of outputs; an output that is not named has 0. May be
    /// called again.
    std::map<std::string, Tensor> backward(const std::map<std::string, Tensor> &cotangents) const {
      std::vector<const gnn_tensor_t *> given;
      size_t numKnown = 0;
      for (const gnn_pullback_item_t &item : listOf(*handle, GNN_PULLBACK_COTANGENTS)) {
        auto found = cotangents.find(item.name);
        numKnown += found != cotangents.end();
        given.push_back(found == cotangents.end() ? nullptr : found->second.get());
      }
      if (numKnown < cotangents.size())
        throw Error(GNN_ERROR_ARGUMENT, "a cotangent is given for a name that is no output with a gradient");
      std::map<std::string, Tensor> gradients;
      const std::vector<gnn_tensor_t *> to = emptyOf(*handle, GNN_PULLBACK_GRADIENTS, gradients);
      const std::vector<gnn_input_t> c = detail::cInputs(inputs);
      check(gnn_pullback_backward(handle.get(), c.data(), uint32_t(c.size()), nullptr, workspace(), given.data(),
                                  to.data()));
      return gradients;
    }

  private:
    friend class Pullback;

    /// Aligned to 64.
    void *workspace() const {
      return reinterpret_cast<void *>((reinterpret_cast<uintptr_t>(memory.get()) + 63) / 64 * 64);
    }

    std::shared_ptr<gnn_pullback_t> handle;
    Inputs inputs;
    std::unique_ptr<char[]> memory;
    std::map<std::string, Tensor> results;
  };

  /// `inputs` have the shapes of those that calls will have.
  Pullback(Model &model, const Graph &graph, const Inputs &inputs, const PullbackOptions &options = {}) {
    std::vector<const char *> wanted;
    for (const std::string &name : options.wanted)
      wanted.push_back(name.c_str());
    const gnn_pullback_options_t c = {sizeof c, options.isTraining, wanted.empty() ? nullptr : wanted.data(),
                                      uint32_t(wanted.size()), 0};
    const std::vector<gnn_input_t> cInputs = detail::cInputs(inputs);
    gnn_pullback_t *made = nullptr;
    check(gnn_pullback_create(model.get(), graph.get(), cInputs.data(), uint32_t(cInputs.size()), &c, &made));
    handle.reset(made, Freed());
  }

  uint64_t workspaceBytes() const { return gnn_pullback_workspace_bytes(handle.get()); }

  /// With the model's own parameters.
  Call forward(const Inputs &inputs, uint64_t seed = 0, uint64_t step = 0) const {
    Call call;
    call.handle = handle;
    call.inputs = inputs;
    call.memory.reset(new char[workspaceBytes() + 63]);
    const std::vector<gnn_tensor_t *> to = emptyOf(*handle, GNN_PULLBACK_OUTPUTS, call.results);
    const std::vector<gnn_input_t> c = detail::cInputs(inputs);
    check(gnn_pullback_forward(handle.get(), c.data(), uint32_t(c.size()), nullptr, seed, step, call.workspace(),
                               to.data()));
    return call;
  }

private:
  static std::vector<gnn_pullback_item_t> listOf(const gnn_pullback_t &pullback, uint32_t list) {
    uint32_t count = 0;
    const gnn_pullback_item_t *items = gnn_pullback_list(&pullback, list, &count);
    return {items, items + count};
  }

  /// Tensors for a list of results, by name, and their handles in its order.
  static std::vector<gnn_tensor_t *> emptyOf(const gnn_pullback_t &pullback, uint32_t list,
                                             std::map<std::string, Tensor> &named) {
    std::vector<gnn_tensor_t *> handles;
    for (const gnn_pullback_item_t &item : listOf(pullback, list)) {
      gnn_tensor_t *tensor = nullptr;
      check(gnn_tensor_create(item.element, item.rank, item.shape, &tensor));
      named[item.name] = Tensor(tensor);
      handles.push_back(tensor);
    }
    return handles;
  }

  std::shared_ptr<gnn_pullback_t> handle;
};

} // namespace gnn

#endif // GNN_PULLBACK_HPP
