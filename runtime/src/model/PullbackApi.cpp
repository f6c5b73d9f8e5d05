//===- PullbackApi.cpp - Differentiable models in the C interface ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gnn/pullback.h"

#include "runtime/src/core/Options.h"
#include "runtime/src/core/Random.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/model/Model.h"
#include "runtime/src/model/ModelApi.h"

#include <algorithm>
#include <deque>

using namespace gnn::rt;

namespace {

/// The beginning of a workspace.
struct Header {
  uint64_t pullback;     // its number
  uint64_t key;          // of forward's random numbers
  uint64_t numUsesAlone; // of the model when it ran with the model's own parameters, else UINT64_MAX
};
constexpr size_t headerBytes = 64;

struct List {
  std::vector<uint32_t> tensors; // of the library; a cotangent's own
  std::vector<gnn_pullback_item_t> items;
  std::deque<std::vector<int64_t>> shapes;

  void add(uint32_t tensor, const char *name, uint32_t element, std::vector<int64_t> shape) {
    shapes.push_back(std::move(shape));
    tensors.push_back(tensor);
    items.push_back({name, element, uint32_t(shapes.back().size()), shapes.back().data()});
  }
};

} // namespace

struct gnn_pullback_t {
  std::shared_ptr<Model> model;
  std::shared_ptr<const PullbackPlan> plan;
  List lists[4];
  uint64_t number = uniqueNumber(), workspaceBytes = 0;
};

namespace {

constexpr const char *listNames[] = {"parameters", "outputs", "cotangents", "gradients"};

const Tensor &checked(const gnn_pullback_t &pullback, uint32_t list, size_t i, const gnn_tensor_t *given) {
  const gnn_pullback_item_t &item = pullback.lists[list].items[i];
  require(given != nullptr, GNN_ERROR_ARGUMENT, listNames[list], "[", i, "], ", item.name, ", is NULL");
  const Tensor &tensor = given->value;
  require(tensor.element() == item.element && tensor.shape() == pullback.lists[list].shapes[i] && tensor.device() < 0,
          GNN_ERROR_ARGUMENT, listNames[list], "[", i, "], ", item.name, ", is ", elementName(tensor.element()), " ",
          shapeText(tensor.shape()), ", expected ", elementName(item.element), " ",
          shapeText(pullback.lists[list].shapes[i]), " in memory of this process");
  return tensor;
}

/// Why there is no gradient by `name`, a parameter or an input that was asked for.
[[noreturn]] void failWithoutGradient(const Library &library, const std::string &name) {
  const char *reason = nullptr;
  for (const gnn_tensor_info_t &info : library.tensors()) {
    const bool isSparse = info.role == GNN_ROLE_WEIGHTS && name == library.relation(uint32_t(info.source)).name;
    if (isSparse || name == info.name)
      reason = isSparse                                ? "its rows are sparse"
               : info.role == GNN_ROLE_STATE           ? "it is a state"
               : info.flags & GNN_INPUT_ROW_NORMALIZED ? "its rows are divided by their sums when they are bound"
               : info.element >= GNN_I32               ? "its numbers are integers"
                                                       : "it is neither a parameter nor an input that is read";
  }
  require(reason, GNN_ERROR_ARGUMENT, "gnn_pullback_options_t: wanted: ", library.name(),
          " has no parameter or input '", name, "'");
  fail(GNN_ERROR_ARGUMENT, "gnn_pullback_options_t: wanted: there is no gradient by ", name, ": ", reason);
}

/// The gradients of a program that are wanted, in its order.
std::vector<uint32_t> gradientsOf(const Library &library, const gnn_program_t &program,
                                  const gnn_pullback_options_t &options) {
  std::vector<uint32_t> all;
  for (uint32_t result : resultsIn(program))
    if (const gnn_tensor_info_t &info = library.tensor(result);
        info.role == GNN_ROLE_GRAD && !(library.tensor(uint32_t(info.source)).flags & GNN_INPUT_ROW_NORMALIZED))
      all.push_back(result);
  if (!options.wanted)
    return all;
  auto isOf = [&](uint32_t gradient, const char *name) {
    return std::string(name) == library.tensor(uint32_t(library.tensor(gradient).source)).name;
  };
  for (uint32_t i = 0; i < options.num_wanted; ++i)
    if (std::none_of(all.begin(), all.end(), [&](uint32_t each) { return isOf(each, options.wanted[i]); }))
      failWithoutGradient(library, options.wanted[i]);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](uint32_t each) {
                             return std::none_of(options.wanted, options.wanted + options.num_wanted,
                                                 [&](const char *name) { return isOf(each, name); });
                           }),
            all.end());
  return all;
}

/// The lists of parameters, outputs and gradients; `cotangents` are tensors of the program.
void fillLists(gnn_pullback_t &pullback, const Library &library, const Binding &binding,
               const std::vector<uint32_t> &cotangents) {
  auto add = [&](uint32_t list, uint32_t tensor, uint32_t named) {
    const gnn_tensor_info_t &info = library.tensor(tensor);
    std::vector<int64_t> shape = binding.dimensions().shapeOf(info, binding.leadingExtent(info));
    if (info.domain == GNN_DOMAIN_EDGE && info.role == GNN_ROLE_GRAD)
      shape[0] = binding.edgeSet(info.type)->numGivenEdges();
    pullback.lists[list].add(tensor, library.tensor(named).name, info.element, std::move(shape));
  };
  for (uint32_t index : pullback.model->parameters())
    add(GNN_PULLBACK_PARAMETERS, index, index);
  for (uint32_t result : pullback.plan->results) {
    const gnn_tensor_info_t &info = library.tensor(result);
    add(info.role == GNN_ROLE_GRAD ? GNN_PULLBACK_GRADIENTS : GNN_PULLBACK_OUTPUTS, result,
        info.role == GNN_ROLE_OUTPUT ? result : uint32_t(info.source));
  }
  for (uint32_t tensor : cotangents)
    add(GNN_PULLBACK_COTANGENTS, tensor, uint32_t(library.tensor(tensor).source));
}

/// The model's own parameters, or those that the caller gives, are where steps read them.
void placeParameters(const gnn_pullback_t &pullback, const gnn_tensor_t *const *given, Pullback &prepared) {
  const std::vector<uint32_t> &indices = pullback.model->parameters();
  require(given || indices.empty() || pullback.model->hasValues(), GNN_ERROR_ARGUMENT,
          pullback.model->library()->name(), " has no parameters yet: load or initialise them, or pass them");
  for (size_t i = 0; i < indices.size(); ++i)
    prepared.place(indices[i], given ? checked(pullback, GNN_PULLBACK_PARAMETERS, i, given[i]).data()
                                     : pullback.model->parameter(indices[i]).data());
}

/// Tensors of the caller for the results of a list.
std::vector<Tensor> resultsFor(const gnn_pullback_t &pullback, uint32_t list, gnn_tensor_t *const *given) {
  std::vector<Tensor> results;
  for (size_t i = 0; i < pullback.lists[list].items.size(); ++i)
    results.push_back(checked(pullback, list, i, given[i]));
  return results;
}

void requireAligned(const void *workspace) {
  require(reinterpret_cast<uintptr_t>(workspace) % headerBytes == 0, GNN_ERROR_ARGUMENT,
          "the workspace is not aligned to ", headerBytes, " bytes");
}

} // namespace

extern "C" {

gnn_status_t gnn_pullback_create(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                 uint32_t num_inputs, const gnn_pullback_options_t *given, gnn_pullback_t **out) {
  return guard([&] {
    require(model && graph && out, GNN_ERROR_ARGUMENT, "gnn_pullback_create: NULL argument");
    const gnn_pullback_options_t options = readOptions(given, "gnn_pullback_create");
    Model &owner = *model->value;
    const Model::Use use(owner, owner.isMaterialized() ? Model::Use::Shared : Model::Use::Alone);
    require(owner.engine().ordinal() < 0, GNN_ERROR_MISMATCH, owner.library()->name(), " computes on ",
            owner.engine().device(), ", where there are no pullbacks yet: open it on the processor");
    const Library &library = *owner.library();
    const bool isApart = options.is_training && library.program(GNN_PROGRAM_VJP_TRAIN);
    const uint32_t kind = isApart ? GNN_PROGRAM_VJP_TRAIN : GNN_PROGRAM_VJP;
    const gnn_program_t *program = library.program(kind);
    require(program != nullptr, GNN_ERROR_MISMATCH, library.path(), " has no program of gradients by outputs: compile ",
            library.name(), " with gnnc --vjp");
    require(std::none_of(library.table().relations, library.table().relations + library.table().num_relations,
                         [](const gnn_relation_t &relation) { return relation.kind == GNN_RELATION_PAIRS; }),
            GNN_ERROR_MISMATCH, library.name(), " scores pairs of vertices, over which there are no pullbacks yet");
    const Features features = featuresOf(inputs, num_inputs, owner.engine());
    std::optional<Model::Attempt> attempt;
    if (!owner.isMaterialized()) {
      attempt.emplace(owner);
      bindDims(owner.dims(), library, *graph->value, features, "the inputs");
      owner.materialize();
    }
    std::vector<uint32_t> results;
    for (uint32_t result : resultsIn(*program))
      if (library.tensor(result).role != GNN_ROLE_GRAD)
        results.push_back(result);
    const std::vector<uint32_t> gradients = gradientsOf(library, *program, options);
    results.insert(results.end(), gradients.begin(), gradients.end());
    std::vector<uint32_t> cotangents;
    for (const gnn_use_t &each : usesIn(*program))
      if (library.tensor(each.tensor).role == GNN_ROLE_COTANGENT)
        cotangents.push_back(each.tensor);
    auto made = std::make_unique<gnn_pullback_t>();
    made->model = model->value;
    made->plan = std::make_shared<const PullbackPlan>(PullbackPlan{graph->value, kind, std::move(results)});
    owner.inference().pullBack(made->plan, features, [&](const Binding &binding, Pullback &prepared) {
      made->workspaceBytes = headerBytes + prepared.keptBytes();
      fillLists(*made, library, binding, cotangents);
    });
    if (attempt)
      attempt->keep();
    *out = made.release();
  });
}

void gnn_pullback_destroy(gnn_pullback_t *pullback) { delete pullback; }

const gnn_pullback_item_t *gnn_pullback_list(const gnn_pullback_t *pullback, uint32_t list, uint32_t *count) {
  const bool isList = list < std::size(pullback->lists);
  *count = isList ? uint32_t(pullback->lists[list].items.size()) : 0;
  return isList ? pullback->lists[list].items.data() : nullptr;
}

uint64_t gnn_pullback_workspace_bytes(const gnn_pullback_t *pullback) { return pullback->workspaceBytes; }

gnn_status_t gnn_pullback_forward(const gnn_pullback_t *pullback, const gnn_input_t *inputs, uint32_t num_inputs,
                                  const gnn_tensor_t *const *parameters, uint64_t seed, uint64_t step, void *workspace,
                                  gnn_tensor_t *const *outputs) {
  return guard([&] {
    require(pullback && workspace && outputs, GNN_ERROR_ARGUMENT, "gnn_pullback_forward: NULL argument");
    requireAligned(workspace);
    Model &model = *pullback->model;
    const Model::Use use(model, Model::Use::Shared);
    std::vector<Tensor> results = resultsFor(*pullback, GNN_PULLBACK_OUTPUTS, outputs);
    const uint64_t key = stepKey(seed, step);
    model.inference().pullBack(
        pullback->plan, featuresOf(inputs, num_inputs, model.engine()), [&](const Binding &, Pullback &prepared) {
          placeParameters(*pullback, parameters, prepared);
          prepared.run(GNN_PHASE_FORWARD, key, static_cast<char *>(workspace) + headerBytes, results);
        });
    const Header header = {pullback->number, key, parameters ? UINT64_MAX : model.numUsesAlone()};
    std::memcpy(workspace, &header, sizeof header);
  });
}

gnn_status_t gnn_pullback_backward(const gnn_pullback_t *pullback, const gnn_input_t *inputs, uint32_t num_inputs,
                                   const gnn_tensor_t *const *parameters, const void *workspace,
                                   const gnn_tensor_t *const *cotangents, gnn_tensor_t *const *gradients) {
  return guard([&] {
    require(pullback && workspace && cotangents && gradients, GNN_ERROR_ARGUMENT,
            "gnn_pullback_backward: NULL argument");
    requireAligned(workspace);
    Model &model = *pullback->model;
    const Model::Use use(model, Model::Use::Shared);
    Header header;
    std::memcpy(&header, workspace, sizeof header);
    require(header.pullback == pullback->number, GNN_ERROR_ARGUMENT,
            "gnn_pullback_backward: no forward call of this pullback has written the workspace");
    require(header.numUsesAlone == (parameters ? UINT64_MAX : model.numUsesAlone()), GNN_ERROR_ARGUMENT,
            "gnn_pullback_backward: the parameters are not those of the forward call: since then ",
            parameters || header.numUsesAlone == UINT64_MAX
                ? "it changed whose they are"
                : "another call, such as loading or training, had the model");
    std::vector<Tensor> results = resultsFor(*pullback, GNN_PULLBACK_GRADIENTS, gradients);
    model.inference().pullBack(
        pullback->plan, featuresOf(inputs, num_inputs, model.engine()),
        [&](const Binding &binding, Pullback &prepared) {
          placeParameters(*pullback, parameters, prepared);
          const List &list = pullback->lists[GNN_PULLBACK_COTANGENTS];
          std::vector<Tensor> given; // until the run is over
          for (size_t i = 0; i < list.tensors.size(); ++i) {
            given.push_back(cotangents[i]
                                ? binding.inLocalOrder(model.library()->tensor(list.tensors[i]),
                                                       checked(*pullback, GNN_PULLBACK_COTANGENTS, i, cotangents[i]))
                                : Tensor::zeros(list.items[i].element, list.shapes[i]));
            prepared.place(list.tensors[i], given.back().data());
          }
          prepared.run(GNN_PHASE_BACKWARD, header.key,
                       const_cast<char *>(static_cast<const char *>(workspace)) + headerBytes, results);
        });
  });
}

} // extern "C"
