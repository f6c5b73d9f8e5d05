//===- WholeGraph.cpp - The whole-graph executor --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/WholeGraph.h"

#include "runtime/src/core/Random.h"
#include "runtime/src/exec/FixedSteps.h"
#include "runtime/src/exec/Product.h"
#include "runtime/src/exec/RowCuts.h"
#include "runtime/src/exec/StepOperands.h"
#include "runtime/src/exec/StepTasks.h"
#include "runtime/src/exec/SweepPlan.h"
#include "runtime/src/exec/Tunings.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

namespace gnn::rt {

WholeGraph::WholeGraph(const Library &opened, const Dims &finished, const Binding &bound, const gnn_program_t &compiled,
                       Team &workers)
    : Executor(opened, compiled), dims(finished), binding(bound), team(workers),
      tuning(library.table().num_tunings ? nearestTuning(library.table(), statisticsOf(library, binding), team.size())
                                         : nullptr),
      producers(findPanels(
          library, program, [&](uint32_t tensor) { return binding.tensorBytes(tensor); },
          [&](const gnn_step_t &step) { return bytesOnEdges(step); })),
      fixed(program.kind == GNN_PROGRAM_INFER ? std::vector<bool>(program.num_steps, false)
                                              : findFixedSteps(library, program, producers)),
      bases(library.tensors().size(), nullptr), results(program.num_results), steps(program.num_steps) {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    steps[s].info = &program.steps[s];
    prepare(steps[s]);
  }
  std::vector<size_t> bytesOfSteps;
  for (Step &step : steps) {
    step.statesBytes = step.hubs.planStates(size_t(step.pass) * step.stateBytes);
    for (size_t group = 0; step.partitions && group + 1 < step.groups.size(); ++group)
      step.statesBytes =
          std::max(step.statesBytes, size_t(step.rowsOfGroup(group)) * size_t(step.pass) * step.stateBytes);
    bytesOfSteps.push_back(step.memoryBytes());
  }
  memory = planMemory(
      library, program, [&](uint32_t tensor) { return producers[tensor] < 0 ? binding.tensorBytes(tensor) : 0; },
      producers, fixed, bytesOfSteps);
  kept = Buffer<char>(memory.keptBytes);
  auto reserve = [](Buffer<char> &buffer, size_t bytes) {
    if (!buffer.data() || buffer.size() < bytes) // of no bytes, too, there is a pointer
      buffer = Buffer<char>(bytes);
  };
  reserve(team.workspace().arena, memory.arenaBytes);
  reserve(team.workspace().scratch, scratchStride * team.size());
}

WholeGraph::~WholeGraph() = default;

void WholeGraph::prepare(Step &step) {
  step.operands.resize(step.info->num_tensors);
  bool isProduct = step.info->kind == GNN_STEP_MATMUL || step.info->kind == GNN_STEP_MATMUL_TN;
  isProduct ? prepareProduct(step) : prepareKernel(step);
  step.main.context = &step;
  step.main.count = uint32_t(step.cuts.size() - 1);
  if (step.slotRows)
    prepareFold(step);
}

void WholeGraph::prepareKernel(Step &step) {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  step.kernel = library.isa().run[step.info->kernel];
  step.block = wholeBlock(library, binding, *step.info);
  if (step.info->kind == GNN_STEP_SWEEP)
    prepareSweep(step);
  else
    step.cuts = isMadeInPanels(step) ? std::vector<int64_t>{0} : cutEvenly(step.block.num_rows, GNN_SLOT_ROWS);
  step.args.size = sizeof(gnn_kernel_args_t);
  step.args.flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
  step.args.extents = dims.extents().data();
  step.args.random = &random;
  step.args.block = &step.block;
  step.args.tensors = step.operands.data();
  step.main.task = Step::runRows;
  if (step.info->kind == GNN_STEP_SWEEP)
    planPasses(step);
  else
    findProducts(step);
  scratchStride = std::max(scratchStride, wholeLines(size_t(dims.extents()[kernel.scratch_bytes])));
  if (kernel.num_totals == 0)
    return;
  step.slotRows = GNN_SLOT_ROWS;
  step.main.task = Step::runSlots;
  size_t bytes = size_t(dims.extents()[kernel.state_bytes]);
  for (const StepTotal &total : stepTotals(library, dims, *step.info)) {
    step.folds.push_back({total.kind, total.offset, total.count, total.element, total.operand, 0});
    bytes = std::max(bytes, total.offset + size_t(total.count) * elementBytes(total.element));
  }
  step.slotStride = wholeLines(bytes);
}

/// Whether operand `i` is of rows of the dimension of passes alone.
bool WholeGraph::isInPasses(const Step &step, uint32_t i) const {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  const gnn_tensor_info_t &tensor = library.tensor(step.info->tensors[i]);
  const bool isTable = tensor.domain == GNN_DOMAIN_PARAM; // of the columns of a sparse input
  return kernel.passes >= 0 && tensor.rank == 1u + isTable && tensor.element != GNN_BITS &&
         tensor.shape[tensor.rank - 1] == uint32_t(kernel.passes);
}

/// What the model of sweeps is to know of one.
SweepShape WholeGraph::shapeOf(const Step &step) const {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  const gnn_block_t &block = step.block;
  SweepShape shape{block.num_rows, block.num_cols, block.offsets[block.num_rows], step.elements};
  shape.stateBytes = step.stateBytes;
  const Relation &relation = binding.relation(step.info->relation);
  shape.shares =
      DegreeShares(relation.csr(step.info->direction == GNN_TO_SOURCE ? GNN_TO_DESTINATION : GNN_TO_SOURCE).offsets);
  shape.repeated = repeatedEdges(relation.csr(step.info->direction).offsets, shape.cols);
  for (uint32_t i = 0; i < kernel.num_operands; ++i) {
    if (kernel.access[i] == GNN_ACCESS_COL && isInPasses(step, i))
      shape.colElementBytes += elementBytes(library.tensor(step.info->tensors[i]).element);
    else if (kernel.access[i] == GNN_ACCESS_COL)
      shape.colBytes += binding.tensorBytes(step.info->tensors[i]) / std::max<size_t>(size_t(shape.cols), 1);
    else if (kernel.access[i] == GNN_ACCESS_EDGE)
      shape.edgeBytes += binding.rowBytes(step.info->tensors[i]);
    else if (kernel.access[i] == GNN_ACCESS_ROW && i < kernel.num_inputs)
      shape.rowBytes += binding.rowBytes(step.info->tensors[i]);
  }
  return shape;
}

PassCols WholeGraph::passColsOf(const Step &step) const {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  PassCols made(step.block.num_cols, step.elements, step.pass);
  for (uint32_t i = 0; i < kernel.num_inputs; ++i)
    if (kernel.access[i] == GNN_ACCESS_COL && isInPasses(step, i))
      made.add(i, elementBytes(library.tensor(step.info->tensors[i]).element));
  return made;
}

/// Chooses in which passes and over which partitions a sweep goes.
void WholeGraph::planPasses(Step &step) {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  step.groups = groupTasks(step.cuts, step.numGroups);
  step.elements = step.pass = kernel.passes < 0 ? 1 : dims.extents()[kernel.passes];
  step.args.pass_end = step.args.col_stride = step.elements; // for who calls the kernel without passes: panels
  const SweepShape shape = shapeOf(step);
  const Caches caches = cachesOfMachine();
  size_t gathered = size_t(shape.elements) * shape.colElementBytes + shape.colBytes;
  if (size_t(shape.cols) * gathered > caches.own / 2)
    step.args.flags |= GNN_SWEEP_PREFETCH;
  const gnn_knobs_t knobs = knobsOf(step);
  const bool hasTiles = !step.hasStates && knobs.hilbert > 1;
  const uint16_t partitions = hasTiles ? knobs.hilbert : knobs.partitions;
  bool isDoneOnce = fixed[size_t(&step - steps.data())]; // sorting the edges would take longer
  if (step.block.edge_type || isOverPairs(step) || isMadeInPanels(step) || (isDoneOnce && !partitions))
    return;
  SweepPlan plan = planSweep(shape, caches, {partitions, knobs.pass});
  step.pass = plan.pass;
  step.numGroups = plan.groups;
  step.cuts =
      hasTiles ? cutByEdges(step.block, step.hubs, partitions) : splitTasks(step.cuts, shape.rows / plan.groups + 1);
  step.groups = groupTasks(step.cuts, step.numGroups);
  if (step.pass < step.elements)
    step.passCols = passColsOf(step);
  if (plan.partitions == 1)
    return;
  bool withIds = (kernel.needs & GNN_KERNEL_EDGE_ID) || shape.edgeBytes;
  step.partitions = binding.relation(step.info->relation).partitions(step.info->direction, plan.partitions, withIds);
  if (!step.partitions->areCopied())
    step.args.flags |= GNN_SWEEP_ROWS_APART;
  if (hasTiles)
    step.tiles = hilbertCurve(int64_t(step.cuts.size()) - 1, plan.partitions);
}

void WholeGraph::prepareProduct(Step &step) {
  const ProductSizes sizes = productSizes(library, dims, binding, *step.info);
  const int64_t rows = sizes.rows;
  step.element = library.table().real;
  step.k = sizes.k;
  step.n = sizes.n;
  const bool isSum = step.info->kind == GNN_STEP_MATMUL_TN;
  for (unsigned operand = 0; operand < 3; ++operand) {
    const uint32_t stored = library.tensor(step.info->tensors[operand]).element;
    step.numberBytes[operand] = elementBytes(stored);
    if (stored != step.element)
      step.wide[operand].emplace(stored, operand == 0 ? step.k : step.n, team.size());
  }
  for (unsigned operand = 0; operand <= unsigned(isSum); ++operand)
    if (int32_t producer = producers[step.info->tensors[operand]]; producer >= 0) {
      const Step &maker = steps[size_t(producer)];
      step.panels[operand].emplace(maker.kernel, maker.args, maker.operands,
                                   size_t(operand == 0 ? step.k : step.n) * step.numberBytes[operand], team.size());
    }
  if (!isSum) {
    step.cuts = isMadeInPanels(step) ? std::vector<int64_t>{0} : cutEvenly(rows, productTileRows);
    step.main.task = Step::runProduct;
    return;
  }
  step.slotRows = partialRows(rows);
  step.cuts = cutEvenly(rows, step.slotRows);
  step.main.task = Step::runPartialProduct;
  step.folds.push_back({GNN_FOLD_SUM, 0, step.k * step.n, step.element, 2, 0});
  step.slotStride = wholeLines(size_t(step.k * step.n) * elementBytes(step.element));
}

void WholeGraph::prepareFold(Step &step) {
  step.numSlots = int64_t(step.cuts.size()) - 1;
  int64_t tasks = 0;
  for (Step::Fold &fold : step.folds) {
    fold.firstTask = tasks;
    tasks += (fold.elements + Step::foldElements - 1) / Step::foldElements;
  }
  step.fold = {Step::runFold, &step, uint32_t(tasks)};
}

void WholeGraph::refreshRelations() {
  for (Step &step : steps) {
    if (step.info->kind != GNN_STEP_SWEEP || !isOverPairs(step)) // other edges stay, and with them what is planned
      continue;
    step.block = binding.relation(step.info->relation).block(step.info->direction);
    cutSweep(step);
    step.groups = groupTasks(step.cuts, step.numGroups);
    step.main.count = uint32_t(step.cuts.size() - 1);
  }
}

/// The operands of a map that products make in panels.
void WholeGraph::findProducts(Step &step) {
  for (uint32_t i = 0; i < library.kernel(step.info->kernel).num_inputs; ++i)
    if (int32_t producer = producers[step.info->tensors[i]]; producer >= 0) {
      if (!step.products)
        step.products.emplace(step.operands, team.size());
      Step &product = steps[size_t(producer)];
      step.products->add(i, product, size_t(product.n) * product.numberBytes[2]);
    }
}

gnn_knobs_t WholeGraph::knobsOf(const Step &step) const {
  return rt::knobsOf(library.table(), tuning, step.info->kernel);
}

/// Whether those who read it make what the step would store.
bool WholeGraph::isMadeInPanels(const Step &step) const {
  return producers[step.info->tensors[step.info->num_tensors - 1]] >= 0;
}

/// Whether the edges of a sweep are others each time.
bool WholeGraph::isOverPairs(const Step &step) const {
  return library.table().relations[step.info->relation].kind == GNN_RELATION_PAIRS;
}

/// What the edges of a sweep read.
size_t WholeGraph::bytesOnEdges(const gnn_step_t &step) const {
  const gnn_kernel_t &kernel = library.kernel(step.kernel);
  const Relation &relation = binding.relation(step.relation);
  size_t bytes = sizeof(uint32_t), cols = size_t(relation.block(step.direction).num_cols);
  for (uint32_t i = 0; i < kernel.num_inputs; ++i)
    if (kernel.access[i] == GNN_ACCESS_COL) // of a learned table the tensor is the parameter
      bytes += binding.tensorBytes(step.tensors[i]) / std::max<size_t>(cols, 1);
    else if (kernel.access[i] == GNN_ACCESS_EDGE)
      bytes += binding.rowBytes(step.tensors[i]);
  return bytes * size_t(relation.numEdges());
}

/// What a sweep needs before its parts are planned.
void WholeGraph::prepareSweep(Step &step) {
  const gnn_kernel_t &kernel = library.kernel(step.info->kernel);
  step.merge = library.isa().merge[step.info->kernel];
  step.stateBytes = size_t(dims.extents()[kernel.state_bytes]);
  step.hasStates = step.stateBytes > 0;
  for (uint32_t i = kernel.num_inputs; i < kernel.num_operands; ++i)
    step.hasStates |= kernel.access[i] == GNN_ACCESS_ROW;
  cutSweep(step);
}

/// Where sweeps over pairs would have states, their rows stay whole.
void WholeGraph::cutSweep(Step &step) const {
  if (isMadeInPanels(step)) {
    step.cuts = {0};
    return;
  }
  step.hubs = HubRows();
  if (!isOverPairs(step) || !step.hasStates)
    step.hubs = HubRows(step.block, HubRows::longestWhole(step.block, knobsOf(step).split, team.size()));
  step.cuts = cutByEdges(step.block, step.hubs, maxTasksPerThread * int64_t(team.size()));
}

/// An executor that was made since the last run may have made the workspace larger.
void WholeGraph::placeTemporaries() {
  Workspace &workspace = team.workspace();
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = (planned.isKept ? kept : workspace.arena).data() + planned.offset;
  for (size_t s = 0; s < steps.size(); ++s) {
    Step &step = steps[s];
    step.memory = workspace.arena.data() + memory.stepOffsets[s];
    step.scratch = workspace.scratch.data();
    step.scratchStride = scratchStride;
  }
}

void WholeGraph::bindOperands(Step &step) const {
  for (uint32_t i = 0; i < step.info->num_tensors; ++i) {
    step.operands[i] = bases[step.info->tensors[i]];
    assert(step.operands[i] && "every tensor of a program is a temporary, a result, bound data or placed");
  }
}

void WholeGraph::run(uint64_t key) {
  using Clock = std::chrono::steady_clock;
  random.step_key = key;
  placeTemporaries();
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    if (binding.data(program.results[i])) { // an input that is passed on
      results[i] = binding.data(program.results[i]);
      continue;
    }
    if (!results[i].isSole()) { // the application has that of an earlier run
      std::vector<int64_t> shape = dims.shapeOf(info);
      if (info.domain != GNN_DOMAIN_PARAM)
        shape.insert(shape.begin(), binding.leadingExtent(info));
      results[i] = Tensor::empty(info.element, std::move(shape));
    }
    bases[program.results[i]] = results[i].mutableData();
  }
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (binding.data(i))
      bases[i] = const_cast<void *>(binding.data(i).data()); // kernels only read what is bound
  const bool hasFixed = fixedFor == binding.numRebinds();
  for (size_t s = 0; s < steps.size(); ++s) {
    if (hasFixed && fixed[s])
      continue;
    Step &step = steps[s];
    auto begin = profile ? Clock::now() : Clock::time_point();
    bindOperands(step);
    if (step.info->kind == GNN_STEP_SWEEP)
      step.runPasses(team);
    else
      team.run(step.main);
    team.run(step.fold);
    if (profile)
      profile->note(uint32_t(s), std::chrono::duration<double>(Clock::now() - begin).count());
  }
  fixedFor = binding.numRebinds();
  if (profile)
    profile->endRun();
}

Tensor WholeGraph::takeResult(uint32_t i) { return results[i]; }

size_t WholeGraph::peakBytes() const {
  size_t bytes = memory.arenaBytes + memory.keptBytes + scratchStride * team.size();
  std::set<const Partitions *> counted;
  for (const Step &step : steps) {
    if (step.partitions && counted.insert(step.partitions.get()).second)
      bytes += step.partitions->bytes();
    for (const std::optional<Panels> &operand : step.panels)
      bytes += operand ? operand->bytes() : 0;
    for (const std::optional<WideRows> &operand : step.wide)
      bytes += operand ? operand->bytes() : 0;
    bytes += step.products ? step.products->bytes() : 0;
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    bytes += binding.tensorBytes(program.results[i]);
  return bytes;
}

} // namespace gnn::rt
