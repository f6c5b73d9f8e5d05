//===- Model.cpp - A compiled library with its parameters -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Model.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/train/Initialize.h"

#include <cstring>

namespace gnn::rt {

namespace {

/// What a checkpoint holds beside parameters begins with this (train/Checkpoint.h).
constexpr char optimizerPrefix[] = "optimizer.";

bool isKept(const gnn_tensor_info_t &info) { return info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE; }

} // namespace

/// One graph's preparation for @infer.
struct Model::Inference {
  Inference(Model &model, std::shared_ptr<const Graph> graph, const Features &inputs, const gnn_program_t &program)
      : given(graph),
        binding(model.opened, model.dimensions, std::move(graph), inputs, /*withTargets=*/false, "the inputs"),
        executor(model.executor(binding, program)) {}

  std::shared_ptr<const Graph> given; // kept, so that no other graph can have its address
  Binding binding;
  std::unique_ptr<Executor> executor;
};

Model::Use::Use(Model &used) : model(used) {
  if (model.inUse.exchange(true, std::memory_order_acquire))
    fail(GNN_ERROR_ARGUMENT, "the model ", model.opened->name(),
         " is in use by another call: a model and its trainers "
         "are for one thread at a time, and threads that call at once need a model each");
}

Model::Attempt::Attempt(Model &tried) : model(tried) {
  if (!model.isMade)
    before = model.dimensions;
}

Model::Attempt::~Attempt() {
  if (isKept || !before)
    return;
  model.dimensions = std::move(*before);
  model.values.assign(model.values.size(), Tensor());
  model.isMade = model.areSet = false;
}

Model::Model(std::shared_ptr<const Library> library, unsigned threads)
    : Model(library, std::make_unique<CpuEngine>(library, threads)) {}

Model::Model(std::shared_ptr<const Library> library, std::unique_ptr<Engine> engine)
    : opened(std::move(library)), machine(std::move(engine)), dimensions(opened), values(opened->tensors().size()) {
  for (uint32_t i = 0; i < opened->tensors().size(); ++i)
    if (isKept(opened->tensor(i)))
      indices.push_back(i);
}

void Model::materialize() {
  machine->settle();
  if (!isMade)
    make(dimensions);
}

void Model::make(Dims bound) {
  bound.finish();
  std::vector<Tensor> made(values.size());
  for (uint32_t index : indices)
    made[index] = machine->zeros(opened->tensor(index).element, bound.shapeOf(opened->tensor(index)));
  dimensions = std::move(bound);
  values = std::move(made);
  isMade = true;
}

void Model::initialize(uint64_t seed) {
  materialize();
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    gnn::rt::initialize(
        values[index],
        {info.init, info.init_arg, dimensions.extents()[info.fan_in], dimensions.extents()[info.fan_out]}, seed, index);
  }
  areSet = true;
}

void Model::load(const std::string &path) { setParameters(readSafetensors(path).tensors, path); }

void Model::setParameters(const std::map<std::string, Tensor> &tensors, const std::string &origin) {
  Dims bound = dimensions;
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    auto found = tensors.find(info.name);
    require(found != tensors.end(), GNN_ERROR_MISMATCH, origin, " has no parameter ", info.name, " of ",
            opened->name());
    require(found->second.rank() == info.rank, GNN_ERROR_MISMATCH, info.name, " in ", origin, " has shape ",
            shapeText(found->second.shape()), ", but ", opened->name(), " needs ", info.rank, " dimensions");
    for (uint32_t d = 0; d < info.rank; ++d)
      bound.bindExtent(info.shape[d], found->second.dim(d),
                       "dimension " + std::to_string(d) + " of " + info.name + " in " + origin);
  }
  for (const auto &[name, tensor] : tensors) {
    auto known = opened->findTensor(name);
    require((known && isKept(opened->tensor(*known))) || name.rfind(optimizerPrefix, 0) == 0, GNN_ERROR_MISMATCH,
            origin, " has a tensor ", name, ", which ", opened->name(), " has not");
  }
  std::vector<Tensor> converted;
  for (uint32_t index : indices) {
    const gnn_tensor_info_t &info = opened->tensor(index);
    converted.push_back(tensors.at(info.name).converted(info.element, std::string(info.name) + " in " + origin));
  }
  machine->settle();
  if (!isMade) // executors know the addresses of extents and values
    make(std::move(bound));
  for (size_t i = 0; i < indices.size(); ++i) // in place: executors and optimizers know the addresses
    std::memcpy(values[indices[i]].mutableData(), converted[i].data(), converted[i].bytes());
  areSet = true;
}

std::map<std::string, Tensor> Model::parameterTensors() const {
  std::map<std::string, Tensor> result;
  require(areSet, GNN_ERROR_ARGUMENT, opened->name(), " has no parameters yet: load or initialise them");
  machine->settle();
  for (uint32_t index : indices)
    result[opened->tensor(index).name] = values[index];
  return result;
}

void Model::save(const std::string &path) const {
  writeSafetensors(path, {parameterTensors(), {{"model", opened->name()}}});
}

size_t Model::parameterBytes() const {
  size_t bytes = 0;
  for (uint32_t index : indices)
    bytes += values[index] ? values[index].bytes() : 0;
  return bytes;
}

std::unique_ptr<Executor> Model::executor(const Binding &binding, const gnn_program_t &program) {
  materialize();
  std::unique_ptr<Executor> result = std::make_unique<Whole>(*machine, *opened, binding.dimensions(), binding, program);
  for (uint32_t index : indices)
    result->place(index, values[index].mutableData());
  return result;
}

std::vector<std::pair<std::string, Tensor>> Model::infer(const std::shared_ptr<const Graph> &graph,
                                                         const Features &inputs, bool stayThere) {
  const gnn_program_t *program = opened->program(GNN_PROGRAM_INFER);
  require(program != nullptr, GNN_ERROR_MISMATCH, opened->path(), " has no program @infer");
  require(areSet, GNN_ERROR_ARGUMENT, opened->name(), " has no parameters yet: load or initialise them");
  if (!last || last->given != graph || !last->binding.rebind(inputs))
    last = std::make_shared<Inference>(*this, graph, inputs, *program);
  last->executor->run(/*stepKey=*/0);
  std::vector<std::pair<std::string, Tensor>> outputs;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = opened->tensor(program->results[i]);
    outputs.emplace_back(info.name, stayThere ? outputThere(i)
                                              : last->binding.inOriginalOrder(info, last->executor->takeResult(i)));
  }
  return outputs;
}

/// Where vertices have another order than that of ids, it is made here.
Tensor Model::outputThere(uint32_t i) {
  const gnn_tensor_info_t &info = opened->tensor(opened->program(GNN_PROGRAM_INFER)->results[i]);
  if (info.domain == GNN_DOMAIN_VERTEX && last->binding.order(info.type))
    return machine->copied(last->binding.inOriginalOrder(info, last->executor->takeResult(i)));
  return last->executor->takeResultThere(i);
}

} // namespace gnn::rt
