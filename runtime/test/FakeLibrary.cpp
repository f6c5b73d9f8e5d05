//===- FakeLibrary.cpp - A compiled library written by hand ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeLibrary.h"

#include "FakeKernels.h"

#include "runtime/src/program/ProgramUses.h"

#include <cstring>

namespace {

const char manifest[] =
    R"({"training": {"optimizer": "adam", "learning_rate": 0.05, "weight_decay": 0.001, "decayed_layers": ["W"], "epochs": 20, "patience": -1}})";

const uint32_t dimIn[] = {0}, dimClasses[] = {1}, dimBoth[] = {0, 1};
const uint32_t shapeIn[] = {FakeLibrary::In}, shapeClasses[] = {FakeLibrary::Classes},
               shapeBoth[] = {FakeLibrary::In, FakeLibrary::Classes};

using F = FakeLibrary;
const uint32_t aggregateAccess[] = {GNN_ACCESS_COL, GNN_ACCESS_ROW, GNN_ACCESS_WHOLE, GNN_ACCESS_ROW};
const uint32_t backAccess[] = {GNN_ACCESS_COL, GNN_ACCESS_COL, GNN_ACCESS_ROW};
const uint32_t lossAccess[] = {GNN_ACCESS_ROW, GNN_ACCESS_ROW,   GNN_ACCESS_ROW,  GNN_ACCESS_WHOLE,
                               GNN_ACCESS_ROW, GNN_ACCESS_WHOLE, GNN_ACCESS_WHOLE};
const uint32_t evaluateAccess[] = {GNN_ACCESS_ROW, GNN_ACCESS_ROW, GNN_ACCESS_ROW, GNN_ACCESS_ROW};

const uint32_t bagAccess[] = {GNN_ACCESS_COL, GNN_ACCESS_EDGE, GNN_ACCESS_ROW};

const uint32_t productTensors[] = {F::X, F::W, F::Z}, inferTensors[] = {F::Z, F::Degree, F::B, F::Y};
const uint32_t droppedTensors[] = {F::Z, F::Degree, F::B, F::DropZ};
const uint32_t lossTensors[] = {F::DropZ, F::Label, F::Mask, F::Scale, F::DY, F::LossTotal, F::GradB};
const uint32_t backTensors[] = {F::DY, F::Degree, F::DZ}, gradTensors[] = {F::X, F::DZ, F::GradW};
const uint32_t evaluateTensors[] = {F::Y, F::Label, F::Loss, F::Correct};
const uint32_t bagTensors[] = {F::W, F::X, F::Z}, bagBackTensors[] = {F::DZ, F::X, F::GradW};
const uint32_t inferResults[] = {F::Y}, trainResults[] = {F::LossTotal, F::GradW, F::GradB},
               evaluateResults[] = {F::Y, F::Loss, F::Correct};

gnn_tensor_info_t tensor(const char *name, uint32_t role, uint32_t domain, uint32_t element, uint32_t rank,
                         const uint32_t *shape, int32_t source = -1) {
  gnn_tensor_info_t info{};
  info.size = sizeof info;
  info.role = role;
  info.name = name;
  info.domain = domain;
  info.element = element;
  info.rank = rank;
  info.shape = shape;
  info.source = source;
  return info;
}

gnn_kernel_t kernel(uint32_t kind, const char *name, uint32_t needs, uint32_t operands, const uint32_t *access,
                    uint32_t inputs, uint32_t totals, uint32_t scratch, uint32_t state) {
  static const uint32_t sums[] = {GNN_FOLD_SUM, GNN_FOLD_SUM};
  return {sizeof(gnn_kernel_t), kind, name, needs, operands, access, inputs, totals, sums, scratch, state,
          /*passes=*/-1,        {}};
}

/// Forward, rows are those that are asked for; backward, gradients flow to their neighbours.
gnn_step_t launch(uint32_t kind, uint32_t kernel, uint32_t direction, uint32_t count, const uint32_t *tensors) {
  gnn_step_t step{};
  const bool isBack = direction == GNN_TO_SOURCE;
  step.row_depth = isBack ? 1 : 0;
  step.col_depth = isBack ? 0 : 1;
  step.size = sizeof step;
  step.kind = kind;
  step.kernel = kernel;
  step.direction = direction;
  step.num_tensors = count;
  step.tensors = tensors;
  return step;
}

gnn_step_t product(uint32_t kind, const uint32_t *tensors) {
  gnn_step_t step = launch(kind, 0, 0, 3, tensors);
  step.row_depth = 1; // of what neighbours give
  step.k = FakeLibrary::In;
  step.n = FakeLibrary::Classes;
  return step;
}

} // namespace

FakeLibrary::FakeLibrary() {
  dims = {{"in", -1, -1}, {"classes", -1, 3}};
  terms = {{1, 1, 0, dimIn},      {1, 1, 0, dimClasses}, {1, 0, 0, nullptr}, {1, 2, 0, dimBoth},
           {8, 1, 0, dimClasses}, {4, 1, 0, dimClasses}, {4, 0, 0, nullptr}};
  extents = {{1, 0, &terms[0]}, {1, 0, &terms[1]}, {1, 0, &terms[2]}, {1, 0, &terms[3]},
             {1, 0, &terms[4]}, {2, 0, &terms[5]}, {0, 0, nullptr},   {1, 0, &terms[5]}};
  vertexTypes = {{"vertex", -1, 0}};
  relations = {{"edges", 0, 0, GNN_RELATION_EDGES, 0, -1, 0}};

  const uint32_t V = GNN_DOMAIN_VERTEX, P = GNN_DOMAIN_PARAM;
  tensors.resize(NumTensors);
  tensors[X] = tensor("x", GNN_ROLE_INPUT, V, GNN_F32, 1, shapeIn);
  tensors[Label] = tensor("y", GNN_ROLE_TARGET, V, GNN_I32, 0, nullptr);
  tensors[Mask] = tensor("mask", GNN_ROLE_MASK, V, GNN_F32, 0, nullptr);
  tensors[Scale] = tensor("scale", GNN_ROLE_SCALE, P, GNN_F32, 0, nullptr);
  tensors[Degree] = tensor("in_degree", GNN_ROLE_DEGREE_IN, V, GNN_F32, 0, nullptr, 0);
  tensors[W] = tensor("W", GNN_ROLE_PARAM, P, GNN_F32, 2, shapeBoth);
  tensors[W].init = GNN_INIT_GLOROT_UNIFORM;
  tensors[W].fan_in = In;
  tensors[W].fan_out = Classes;
  tensors[B] = tensor("b", GNN_ROLE_PARAM, P, GNN_F32, 1, shapeClasses);
  tensors[Z] = tensor("%z", GNN_ROLE_TEMP, V, GNN_F32, 1, shapeClasses);
  tensors[Y] = tensor("logits", GNN_ROLE_OUTPUT, V, GNN_F32, 1, shapeClasses);
  tensors[Loss] = tensor("%loss", GNN_ROLE_TEMP, V, GNN_F32, 0, nullptr);
  tensors[Correct] = tensor("%correct", GNN_ROLE_TEMP, V, GNN_F32, 0, nullptr);
  tensors[DropZ] = tensor("%y", GNN_ROLE_TEMP, V, GNN_F32, 1, shapeClasses);
  tensors[DY] = tensor("%dy", GNN_ROLE_TEMP, V, GNN_F32, 1, shapeClasses);
  tensors[DZ] = tensor("%dz", GNN_ROLE_TEMP, V, GNN_F32, 1, shapeClasses);
  tensors[LossTotal] = tensor("%total", GNN_ROLE_TEMP, P, GNN_F32, 0, nullptr);
  tensors[GradW] = tensor("grad.W", GNN_ROLE_GRAD, P, GNN_F32, 2, shapeBoth, W);
  tensors[GradB] = tensor("grad.b", GNN_ROLE_GRAD, P, GNN_F32, 1, shapeClasses, B);

  kernels = {
      kernel(GNN_KERNEL_SWEEP, "aggregate", 0, 4, aggregateAccess, 3, 0, StateBytes, StateBytes),
      kernel(GNN_KERNEL_SWEEP, "aggregate_dropped", GNN_KERNEL_EDGE_ID | GNN_KERNEL_RANDOM, 4, aggregateAccess, 3, 0,
             StateBytes, StateBytes),
      kernel(GNN_KERNEL_MAP, "loss_grad", 0, 7, lossAccess, 4, 2, Zero, TotalBytes),
      kernel(GNN_KERNEL_SWEEP, "aggregate_back", GNN_KERNEL_EDGE_ID | GNN_KERNEL_RANDOM, 3, backAccess, 2, 0,
             StateBytes, StateBytes),
      kernel(GNN_KERNEL_MAP, "evaluate", 0, 4, evaluateAccess, 2, 0, Zero, Zero),
  };
  run = {fake::aggregate, fake::aggregateDropped, fake::lossGrad, fake::aggregateBack, fake::evaluate};
  merge = {fake::mergeSum, fake::mergeSum, nullptr, fake::mergeSum, nullptr};
  isas = {{"x86-64-v2", run.data(), merge.data()}};

  gnn_step_t forward = product(GNN_STEP_MATMUL, productTensors);
  inferSteps = {forward, launch(GNN_STEP_SWEEP, Aggregate, GNN_TO_DESTINATION, 4, inferTensors)};
  trainSteps = {forward, launch(GNN_STEP_SWEEP, AggregateDropped, GNN_TO_DESTINATION, 4, droppedTensors),
                launch(GNN_STEP_MAP, LossGrad, 0, 7, lossTensors),
                launch(GNN_STEP_SWEEP, AggregateBack, GNN_TO_SOURCE, 3, backTensors),
                product(GNN_STEP_MATMUL_TN, gradTensors)};
  evaluateSteps = inferSteps;
  evaluateSteps.push_back(launch(GNN_STEP_MAP, Evaluate, 0, 4, evaluateTensors));
  programs = {{sizeof(gnn_program_t), GNN_PROGRAM_INFER, "infer", 2, 1, inferSteps.data(), inferResults, 0, 0, nullptr},
              {sizeof(gnn_program_t), GNN_PROGRAM_TRAIN, "train", 5, 3, trainSteps.data(), trainResults, 0, 0, nullptr},
              {sizeof(gnn_program_t), GNN_PROGRAM_EVALUATE, "evaluate", 3, 3, evaluateSteps.data(), evaluateResults, 0,
               0, nullptr}};

  library.size = sizeof library;
  library.magic = GNN_LIBRARY_MAGIC;
  library.abi_version = GNN_ABI_VERSION;
  library.real = GNN_F32;
  library.name = "Fake";
  library.manifest = manifest;
  library.manifest_bytes = std::strlen(manifest);
  library.num_dims = uint32_t(dims.size());
  library.num_extents = uint32_t(extents.size());
  library.num_vertex_types = uint32_t(vertexTypes.size());
  library.num_relations = uint32_t(relations.size());
  library.num_tensors = NumTensors;
  library.num_kernels = NumKernels;
  library.num_isas = 1;
  library.num_programs = 3;
  library.dims = dims.data();
  library.extents = extents.data();
  library.vertex_types = vertexTypes.data();
  library.relations = relations.data();
  library.tensors = tensors.data();
  library.kernels = kernels.data();
  library.isas = isas.data();
  library.programs = programs.data();
  describe();
}

void FakeLibrary::describe() {
  uses.resize(programs.size());
  for (size_t i = 0; i < programs.size(); ++i) {
    gnn_program_t &program = programs[i];
    gnn::rt::ProgramUses found = gnn::rt::usesOf(library, program);
    for (uint32_t s = 0; s < program.num_steps; ++s) {
      auto &step = const_cast<gnn_step_t &>(program.steps[s]); // of one of our vectors
      step.phase = found.phases[s];
      step.layer = found.layers[s];
    }
    uses[i] = std::move(found.uses);
    program.num_uses = uint32_t(uses[i].size());
    program.uses = uses[i].data();
  }
}

FakeSparseLibrary::FakeSparseLibrary() {
  const uint32_t words = uint32_t(vertexTypes.size()), entries = uint32_t(relations.size());
  vertexTypes.push_back({"x.columns", In, 1});
  relations.push_back({"x", words, 0, GNN_RELATION_SPARSE_INPUT, 0, -1, 0});
  tensors[X] = tensor("x.values", GNN_ROLE_WEIGHTS, GNN_DOMAIN_EDGE, GNN_F32, 0, nullptr, int32_t(entries));
  tensors[X].type = entries;
  kernels.push_back(kernel(GNN_KERNEL_SWEEP, "bag", GNN_KERNEL_EDGE_ID, 3, bagAccess, 2, 0, StateBytes, StateBytes));
  kernels.push_back(
      kernel(GNN_KERNEL_SWEEP, "bag_back", GNN_KERNEL_EDGE_ID, 3, bagAccess, 2, 0, StateBytes, StateBytes));
  run.insert(run.end(), {fake::bag, fake::bag});
  merge.insert(merge.end(), {fake::mergeSum, fake::mergeSum});
  isas = {{"x86-64-v2", run.data(), merge.data()}};
  gnn_step_t forward = launch(GNN_STEP_SWEEP, Bag, GNN_TO_DESTINATION, 3, bagTensors);
  forward.relation = entries;
  inferSteps[0] = trainSteps[0] = evaluateSteps[0] = forward;
  trainSteps.back() = launch(GNN_STEP_SWEEP, BagBack, GNN_TO_SOURCE, 3, bagBackTensors);
  trainSteps.back().relation = entries;
  library.num_vertex_types = uint32_t(vertexTypes.size());
  library.num_relations = uint32_t(relations.size());
  library.num_kernels = uint32_t(kernels.size());
  library.vertex_types = vertexTypes.data();
  library.relations = relations.data();
  library.kernels = kernels.data();
  library.isas = isas.data();
  describe();
}
