//===- Model.cpp - A compiled library with its parameters -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/Model.h"

#include "runtime/src/bind/InputChoice.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/cpu/CpuEngine.h"
#include "runtime/src/exec/Whole.h"
#include "runtime/src/io/Safetensors.h"
#include "runtime/src/model/Initialize.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

/// What a checkpoint holds beside parameters begins with this (train/Checkpoint.h).
constexpr char optimizerPrefix[] = "optimizer.";

bool isKept(const gnn_tensor_info_t &info) { return info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE; }

} // namespace

Model::Use::Use(Model &used, Kind wanted) : model(used), kind(wanted) {
  int users = model.users;
  do
    if (kind == Alone ? users != 0 : users < 0)
      fail(GNN_ERROR_ARGUMENT, "the model ", model.opened->name(),
           " is in use by another call: any number of threads may infer with it at once, but what changes it, or is "
           "about training, needs the model and its trainers alone");
  while (!model.users.compare_exchange_weak(users, kind == Alone ? -1 : users + 1));
  if (kind == Shared)
    return;
  ++model.timesAlone;
  model.answers.forgetStored(); // it may change parameters
}

Model::Use::~Use() {
  model.users.fetch_add(kind == Alone ? 1 : -1);
  if (kind == Alone)
    model.answers.forgetEnded(); // meanwhile nobody did
}

Model::Attempt::Attempt(Model &tried) : model(tried), form(model.current) {
  if (!model.isMade)
    before = model.dimensions;
}

Model::Attempt::~Attempt() {
  if (isKept)
    return;
  model.current = form;
  if (!before)
    return;
  model.dimensions = std::move(*before);
  model.values.assign(model.values.size(), Tensor());
  model.isMade = model.areSet = false;
}

Model::Model(std::shared_ptr<const Library> library, unsigned threads)
    : Model(library, std::make_unique<CpuEngine>(library, threads)) {}

Model::Model(std::shared_ptr<const Library> library, std::unique_ptr<Engine> engine)
    : opened(std::move(library)), machine(std::move(engine)), dimensions(opened), values(opened->tensors().size()),
      answers(*this) {
  for (uint32_t i = 0; i < opened->tensors().size(); ++i)
    if (isKept(opened->tensor(i)))
      indices.push_back(i);
  if (formedInput(*opened))
    for (InputForm form : {InputForm::Dense, InputForm::Sparse})
      formed[size_t(form)] = inForm(opened, form);
}

const std::shared_ptr<const Library> &Model::formFor(const Features &inputs) const {
  if (!formed[0] || &library() != &opened || !featureOf(*opened, opened->tensor(formedInput(*opened)->table), inputs))
    return library();
  return formed[size_t(chooseInputForm(*opened, inputs).form)];
}

void Model::keepDense() {
  if (formed[0])
    keep(formed[size_t(InputForm::Dense)]);
}

/// Of several threads the first has its way.
bool Model::keep(const std::shared_ptr<const Library> &form) {
  const std::shared_ptr<const Library> *none = &opened;
  current.compare_exchange_strong(none, &form, std::memory_order_acq_rel);
  return &library() == &form;
}

const std::shared_ptr<const Library> &Model::libraryFor(const Features &inputs) {
  keep(formFor(inputs));
  return library();
}

void Model::setInputForm(InputForm form) {
  if (formed[0]) {
    current = &formed[size_t(form)];
    return;
  }
  auto reads = [&](uint32_t role) {
    return std::any_of(opened->tensors().begin(), opened->tensors().end(),
                       [&](const gnn_tensor_info_t &info) { return info.role == role; });
  };
  if (form == InputForm::Sparse)
    require(
        reads(GNN_ROLE_WEIGHTS), GNN_ERROR_MISMATCH, opened->name(),
        " has no sparse form: something reads its inputs elementwise, or they have fewer than 64 columns, or it was "
        "compiled with --inputs=declared");
  else
    require(!reads(GNN_ROLE_WEIGHTS), GNN_ERROR_MISMATCH, opened->name(),
            " has no dense form: its inputs have fewer than 64 columns, or it was compiled with --inputs=declared");
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

std::unique_ptr<Executor> Model::executor(const Binding &binding, const gnn_program_t &program, bool parametersStay,
                                          FixedFields *shared) {
  materialize();
  return executor(*machine, binding, program, parametersStay, shared);
}

std::unique_ptr<Executor> Model::executor(Engine &engine, const Binding &binding, const gnn_program_t &program,
                                          bool parametersStay, FixedFields *shared) {
  std::unique_ptr<Executor> result =
      std::make_unique<Whole>(engine, *library(), binding.dimensions(), binding, program, parametersStay, shared);
  placeParameters(*this, *result);
  return result;
}

} // namespace gnn::rt
