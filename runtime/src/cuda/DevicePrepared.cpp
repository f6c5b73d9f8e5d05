//===- DevicePrepared.cpp - Programs on a GPU -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DevicePrepared.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/cuda/DeviceTensor.h"
#include "runtime/src/program/FixedSteps.h"
#include "runtime/src/program/Fold.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace gnn::rt {

namespace {

/// Blocks of a multiprocessor that have scratch memory; with more, each does the rows of several.
constexpr uint32_t blocksWithScratch = 16;

int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

cuda::Address addressOf(const void *there) { return reinterpret_cast<cuda::Address>(there); }

const void *arrayOf(const gnn_block_t &block, uint32_t member) {
  switch (member) {
  case GNN_BLOCK_COLS:
    return block.cols;
  case GNN_BLOCK_ROW_ID:
    return block.row_id;
  case GNN_BLOCK_COL_ID:
    return block.col_id;
  case GNN_BLOCK_EDGE_ID:
    return block.edge_id;
  case GNN_BLOCK_EDGE_ID32:
    return block.edge_id32;
  default:
    assert(member == GNN_BLOCK_EDGE_TYPE && "the others are those of pieces");
    return block.edge_type;
  }
}

/// Of a sweep with totals, each of so many bytes.
int64_t slotsOfTable(size_t stride) {
  constexpr int64_t most = 8192;
  constexpr size_t mostBytes = size_t(64) << 20;
  return std::clamp<int64_t>(int64_t(mostBytes / std::max<size_t>(stride, 1)), 1, most);
}

} // namespace

DevicePrepared::DevicePrepared(const DeviceParts &used, const Dims &finished, const gnn_program_t &compiled,
                               const Capacity &most, const View *view)
    : parts(used), dims(finished), program(compiled), capacity(most), only(view), steps(program.num_steps),
      relations(parts.library.table().num_relations) {
  planned.producers.assign(parts.library.tensors().size(), -1);
  planned.fixed.assign(program.num_steps, false);
  if (only && (only->parametersStay() || program.kind != GNN_PROGRAM_INFER))
    planned.fixed = findFixedSteps(parts.library, program, planned.producers, only->parametersStay());
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (infoOf(s).kind == GNN_STEP_MATMUL || infoOf(s).kind == GNN_STEP_MATMUL_TN)
      checkProduct(parts.library, dims, infoOf(s), capacity.rows[infoOf(s).vertex_type],
                   [&](uint32_t tensor) { return bytesOf(tensor); });
  const std::vector<int64_t> &values = dims.extents();
  extents = allocate(values.size() * sizeof(int64_t), shared);
  device().upload(extents, values.data(), values.size() * sizeof(int64_t));
  numbers = allocate(sizeof(DeviceKernels::StepNumbers), shared);
}

size_t DevicePrepared::bytesOf(uint32_t tensor) const {
  const gnn_tensor_info_t &info = parts.library.tensor(tensor);
  return size_t(info.domain == GNN_DOMAIN_VERTEX ? capacity.rows[info.type] : 1) * dims.rowBytes(info);
}

cuda::Address DevicePrepared::allocate(size_t size, std::vector<DeviceArray> &arrays) {
  arrays.push_back(device().allocate(size));
  bytes += DevicePool::rounded(size);
  return arrays.back().address();
}

/// In the room of the step, if it has one.
cuda::Address DevicePrepared::allocate(size_t size, Step &step) {
  if (wholeLines(size) > step.roomLeft)
    return allocate(size, step.arrays);
  step.roomLeft -= wholeLines(size);
  return std::exchange(step.room, step.room + wholeLines(size));
}

/// Memory that a sweep has until it is done.
cuda::Address DevicePrepared::statesOf(size_t size) {
  if (size > statesSize) {
    states = allocate(size, shared);
    statesSize = size;
  }
  return states;
}

size_t DevicePrepared::stateBytes(uint32_t step) const {
  if (parts.library.kernel(infoOf(step).kernel).num_totals > 0)
    return 0;
  return size_t(dims.extents()[parts.code.info(infoOf(step).kernel).state_bytes]);
}

size_t DevicePrepared::ownBytes() const {
  return bytes + (only || numbersOfRows.address() ? 0 : DevicePool::rounded(size_t(mostRows()) * sizeof(uint32_t)));
}

/// Which vertices are hot is found on the processor.
bool DevicePrepared::takesViewsThere() const {
  return !only && !parts.library.steps(program).any([&](const ProgramStep &step) {
    return step.isSweep() && parts.code.info(step->kernel).hot_cols > 0;
  });
}

/// As much as `prepared` asks for over the largest view.
size_t DevicePrepared::roomBytes(uint32_t s) const {
  if (only)
    return 0;
  const gnn_step_t &info = infoOf(s);
  if (info.kind == GNN_STEP_MATMUL || info.kind == GNN_STEP_MATMUL_TN) {
    const size_t numbers = size_t(dims.extents()[info.k] * dims.extents()[info.n]);
    const bool isSum = info.kind == GNN_STEP_MATMUL_TN;
    if (isSum && parts.blas && elementOf(info.tensors[0]) == elementOf(info.tensors[1]))
      return 0;
    const int64_t slots = std::min(ceilDivide(capacity.rows[info.vertex_type], leastPartialRows), maxPartials);
    return wholeLines(isSum                                  ? size_t(slots) * numbers * sizeof(float)
                      : isNarrow(elementOf(info.tensors[0])) ? numbers * sizeof(uint16_t)
                                                             : 0);
  }
  const int64_t slots = mostSlots(info);
  const int64_t rows =
      info.kind == GNN_STEP_MAP ? capacity.rows[info.vertex_type] : capacity.rows[parts.library.step(info).rowType()];
  return wholeLines(scratchBytes(parts.code.info(info.kernel), slots > 0 ? slots : rows)) +
         2 * wholeLines(size_t(slots) * slotBytes(info));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void DevicePrepared::begin(const RunNumbers &run) {
  Device::Scope scope(device());
  HostCopy::sendAll(device());
  for (uint32_t r = 0; only && r < relations.size(); ++r)
    if (relations[r])
      relations[r]->see(*only);
  if (std::all_of(steps.begin(), steps.end(), [](const std::optional<Step> &step) { return step.has_value(); }))
    parts.copies->await(); // what is recorded awaits nothing
  device().noteReuse();
  const DeviceKernels::StepNumbers values{run.key, float(run.rule.rate), float(run.rule.stepSize),
                                          float(run.rule.rootCorrection)};
  device().upload(numbers, &values, sizeof values);
}

/// As if there had been no run.
void DevicePrepared::dropSteps() {
  for (std::optional<Step> &step : steps)
    step.reset();
  shared.resize(2);
  bytes = 0;
  for (const DeviceArray *array : {&shared[0], &shared[1], &numbersOfRows})
    bytes += array->address() ? DevicePool::rounded(array->bytes()) : 0;
  states = statesSize = 0;
}

void DevicePrepared::run(uint32_t s, const View &view, void *const *operands, const StepCall &call) {
  Device::Scope scope(device());
  std::vector<cuda::Address> places;
  for (const Operand operand : parts.library.step(infoOf(s)).operands())
    places.push_back(HostCopy::addressOf(operands[operand.index], operand.isOutput));
  if (!only || !steps[s] || steps[s]->operands != places)
    try {
      if (!only)
        device().noteReuse();
      if (steps[s])
        for (const DeviceArray &array : steps[s]->arrays)
          bytes -= DevicePool::rounded(array.bytes());
      steps[s].reset();
      steps[s] = prepared(s, view, std::move(places), call);
    } catch (...) {
      dropSteps();
      throw;
    }
  parts.copies->await();
  launch(*steps[s]);
}

void DevicePrepared::launch(Step &step) {
  for (const Step::Fill &fill : step.fills)
    fill.from ? device().copy(fill.to, fill.from, fill.bytes) : device().fillZeros(fill.to, fill.bytes);
  if (step.rounding)
    step.rounding->launch(device());
  if (step.product)
    step.product->launch(device());
  for (DeviceCall &call : step.calls)
    call.launch(device());
}

void DevicePrepared::merge(uint32_t s, void *into, const void *more, int64_t begin, int64_t end) {
  Device::Scope scope(device());
  const gnn_step_t &info = infoOf(s);
  std::vector<int64_t> bounds;
  for (int64_t row = 0; row <= end; ++row)
    bounds.push_back(row);
  Step step;
  const cuda::Address offsets = allocate(bounds.size() * sizeof(int64_t), step.arrays);
  device().upload(offsets, bounds.data(), bounds.size() * sizeof(int64_t));
  KernelCall call{gnn_block_t{}, /*isThere=*/false, end, begin};
  call.pieces.offsets = offsets;
  call.pieces.ends = offsets + sizeof(int64_t);
  call.state = addressOf(into);
  call.moreStates = addressOf(more);
  addCall(info, parts.code.mergeInfo(info.kernel), parts.code.merge(info.kernel), call, end - begin, step);
  launch(step);
  for (const DeviceArray &array : step.arrays)
    bytes -= DevicePool::rounded(array.bytes());
}

bool DevicePrepared::expectUpdate(const TrainingStep &step, const std::vector<Tensor> &results) {
  Device::Scope scope(device());
  std::vector<cuda::Address> from;
  for (const Tensor &result : results)
    from.push_back(addressOf(result.data()));
  if (updates && updates->isFor(step) && updatedFrom == from)
    return false;
  if (!verdict)
    verdict = std::static_pointer_cast<DeviceKernels::StepVerdict>(device().pinned(sizeof *verdict));
  updates = std::make_unique<DeviceUpdates>(device(), parts.kernels, step, from, numbers);
  updatedFrom = std::move(from);
  return true;
}

void DevicePrepared::update() {
  Device::Scope scope(device());
  updates->launch(device());
  device().copyOut(verdict.get(), updates->verdict(), sizeof *verdict);
}

StepOutcome DevicePrepared::outcome() {
  Device::Scope scope(device());
  device().finish();
  updates->noteChanges();
  HostCopy::refreshLent(device());
  StepOutcome outcome{double(verdict->loss), std::nullopt};
  if (verdict->refusedBy != DeviceKernels::nothing)
    outcome.refusedBy = uint32_t(verdict->refusedBy);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A step, with the copies of what it reads under way.
DevicePrepared::Step DevicePrepared::prepared(uint32_t s, const View &view, std::vector<cuda::Address> operands,
                                              const StepCall &call) {
  const gnn_step_t &info = infoOf(s);
  Step step;
  step.room = addressOf(call.room);
  step.roomLeft = call.room ? roomBytes(s) : 0;
  step.operands = std::move(operands);
  if (info.kind == GNN_STEP_SWEEP)
    prepareSweep(info, view, call, step);
  else if (info.kind == GNN_STEP_MAP)
    prepareMap(info, view, step);
  else
    prepareProduct(info, view, step);
  return step;
}

/// The arrays of the edges of a sweep.
DeviceBlocks &DevicePrepared::blocks(const gnn_step_t &info, const View &view) {
  std::shared_ptr<DeviceBlocks> &known = relations[info.relation];
  const Relation *lasting = only ? only->lasting(info.relation) : nullptr;
  if (!known)
    known =
        lasting ? parts.blocksOf(*lasting, info.relation) : std::make_shared<DeviceBlocks>(parts.copies, info.relation);
  if (only)
    known->see(view);
  else
    known->turnTo(view.content(info.relation));
  return *known;
}

cuda::Address DevicePrepared::rowIds(const gnn_step_t &info, const KernelCall &call) {
  if (!call.block.row_id || call.isThere)
    return addressOf(call.block.row_id);
  DeviceCopy &copy = ids.try_emplace(info.vertex_type, parts.copies).first->second;
  copy.update(call.block.row_id, size_t(call.end) * sizeof(int64_t), only ? 1 : uniqueNumber());
  return copy.address();
}

cuda::Address DevicePrepared::blockArray(const gnn_step_t &info, const KernelCall &call, uint32_t array) {
  switch (array) {
  case GNN_BLOCK_ROWS:
    return call.pieces.rows;
  case GNN_BLOCK_OFFSETS:
    return call.pieces.offsets;
  case GNN_BLOCK_ENDS:
    return call.pieces.ends;
  case GNN_BLOCK_ROW_POS:
    return call.pieces.positions;
  default:
    break;
  }
  if (info.kind == GNN_STEP_MAP)
    return array == GNN_BLOCK_ROW_ID ? rowIds(info, call) : 0;
  if (call.isThere)
    return addressOf(arrayOf(call.block, array));
  return relations[info.relation]->array(info.direction, call.block, array);
}

/// The most rows that blocks have.
int64_t DevicePrepared::mostRows() const {
  int64_t most = 0;
  for (const ProgramStep step : parts.library.steps(program))
    if (step.isSweep())
      most = std::max(most, capacity.rows[step.rowType()]);
  return most;
}

cuda::Address DevicePrepared::rowNumbers() {
  if (!numbersOfRows.address()) {
    std::vector<uint32_t> rows;
    rows.resize(size_t(mostRows()));
    std::iota(rows.begin(), rows.end(), 0);
    numbersOfRows = device().allocate(rows.size() * sizeof(uint32_t));
    device().upload(numbersOfRows.address(), rows.data(), rows.size() * sizeof(uint32_t));
    bytes += DevicePool::rounded(numbersOfRows.bytes());
  }
  return numbersOfRows.address();
}

DevicePieces DevicePrepared::piecesOf(const gnn_step_t &info, const View &view, const gnn_block_t &block) {
  if (!view.isThere())
    return blocks(info, view).pieces(info.direction, block, splitOf(info, view));
  require(parts.code.info(info.kernel).hot_cols == 0, GNN_ERROR_MISMATCH, parts.library.kernel(info.kernel).name,
          " was compiled to keep the rows of hot vertices (`hot`), which takes all edges at once");
  DevicePieces pieces;
  pieces.count = block.num_rows;
  pieces.rows = rowNumbers();
  pieces.offsets = addressOf(block.offsets);
  pieces.ends = addressOf(block.ends);
  pieces.positions = addressOf(block.row_pos);
  return pieces;
}

/// The value of a parameter of a kernel, or what it points to.
uint64_t DevicePrepared::argument(const gnn_step_t &info, const Step &step, const KernelCall &call,
                                  uint32_t parameter) {
  const uint32_t index = parameter >> 16;
  switch (parameter & 0xffff) {
  case GNN_PARAMETER_BEGIN:
    return uint64_t(call.begin);
  case GNN_PARAMETER_END:
    return uint64_t(call.end);
  case GNN_PARAMETER_FLAGS:
    return call.flags;
  case GNN_PARAMETER_EXTENTS:
    return extents;
  case GNN_PARAMETER_RANDOM:
    return numbers;
  case GNN_PARAMETER_SCRATCH:
    return call.scratch;
  case GNN_PARAMETER_STATE:
    return call.state;
  case GNN_PARAMETER_STATE_IN:
    return call.moreStates;
  case GNN_PARAMETER_TENSOR:
    return step.operands[index];
  case GNN_PARAMETER_BLOCK:
    if (index == GNN_BLOCK_HOT || index == GNN_BLOCK_HOT_COLS)
      return relations[info.relation]->hotArray(info.direction, call.block, parts.code.info(info.kernel).hot_cols,
                                                index);
    return blockArray(info, call, index);
  case GNN_PARAMETER_HOT:
    return std::min<uint64_t>(parts.code.info(info.kernel).hot_cols, uint64_t(call.block.num_cols));
  case GNN_PARAMETER_GIVEN:
    return blockArray(info, call, index) != 0;
  case GNN_PARAMETER_SLOT_ROWS:
    return uint64_t(call.slotRows);
  default:
    return uint64_t(call.numPieces);
  }
}

/// Of totals: those of a kernel in a slot, and slots over the largest view; 0 without totals.
size_t DevicePrepared::slotBytes(const gnn_step_t &info) const {
  return size_t(dims.extents()[parts.code.info(info.kernel).state_bytes]);
}

int64_t DevicePrepared::mostSlots(const gnn_step_t &info) const {
  if (parts.library.kernel(info.kernel).num_totals == 0)
    return 0;
  if (info.kind == GNN_STEP_MAP)
    return ceilDivide(capacity.rows[info.vertex_type], GNN_SLOT_ROWS);
  const int64_t rows = capacity.rows[parts.library.step(info).rowType()];
  return 1 + std::min(rows, slotsOfTable(slotBytes(info)));
}

int64_t DevicePrepared::blocksOf(const gnn_device_function_t &function, int64_t numGroups) const {
  const int64_t blocks = ceilDivide(numGroups, function.block_threads / function.group_threads);
  return dims.extents()[function.scratch_bytes] > 0
             ? std::min(blocks, int64_t(blocksWithScratch) * device().multiprocessors())
             : blocks;
}

/// Of all groups of a launch.
size_t DevicePrepared::scratchBytes(const gnn_device_function_t &function, int64_t numGroups) const {
  return size_t(dims.extents()[function.scratch_bytes]) * size_t(blocksOf(function, numGroups)) *
         (function.block_threads / function.group_threads);
}

/// Adds a launch for `numGroups` rows or slots, if there are any.
void DevicePrepared::addCall(const gnn_step_t &info, const gnn_device_function_t &function, const DeviceFunction &code,
                             KernelCall &call, int64_t numGroups, Step &step) {
  int64_t blocks = blocksOf(function, numGroups);
  const size_t sharedBytes = size_t(dims.extents()[function.shared_bytes]);
  if (sharedBytes) { // loaded once, for many rows
    device().allowShared(code, sharedBytes);
    blocks = std::min(blocks, device().blocksAtOnce(function.block_threads, sharedBytes));
  }
  blocks = std::min<int64_t>(blocks, INT32_MAX); // each does the rows of several then
  if (blocks == 0)
    return;
  if (const size_t scratch = scratchBytes(function, numGroups); scratch > 0 && !call.scratch)
    call.scratch = allocate(scratch, step);
  DeviceCall launch(code, {uint32_t(blocks), function.block_threads, uint32_t(sharedBytes)});
  for (uint32_t i = 0; i < function.num_parameters; ++i)
    launch.with(argument(info, step, call, function.parameters[i]));
  step.calls.push_back(std::move(launch));
}

void DevicePrepared::prepareMap(const gnn_step_t &info, const View &view, Step &step) {
  const gnn_device_function_t &function = parts.code.info(info.kernel);
  KernelCall call{gnn_block_t{}, view.isThere(), view.rows(info.vertex_type)};
  call.block.row_id = view.ids(info.vertex_type);
  if (parts.library.kernel(info.kernel).num_totals == 0)
    return addCall(info, function, parts.code.function(info.kernel), call, call.end, step);
  const int64_t slots = ceilDivide(call.end, GNN_SLOT_ROWS);
  call.state = allocate(size_t(slots) * size_t(dims.extents()[function.state_bytes]), step);
  addCall(info, function, parts.code.function(info.kernel), call, slots, step);
  addTotals(info, slots, call.state, step);
}

/// A row is a hub where merging its pieces costs little beside them; without states pieces are as short as keeps
/// threads busy. Where views differ, rows are as they are.
RowSplit DevicePrepared::splitOf(const gnn_step_t &info, const View &view) const {
  constexpr int64_t longestRow = 2 * GNN_SEGMENT_LENGTH, longestPiece = 256;
  const gnn_kernel_t &kernel = parts.library.kernel(info.kernel);
  const gnn_device_function_t &function = parts.code.info(info.kernel);
  const bool hasStates = kernel.num_totals == 0 && dims.extents()[function.state_bytes] > 0;
  RowSplit split{hasStates, function.split, !view.lasting(info.relation)};
  for (uint32_t i = kernel.num_inputs; i < kernel.num_operands; ++i)
    split.hasStates |= kernel.access[i] == GNN_ACCESS_ROW; // that a row is to write once
  if (!only)
    return {split.hasStates, RowSplit::none, true};
  if (split.longest == 0)
    split.longest = split.hasStates ? longestRow : longestPiece;
  if (split.hasStates)
    split.longest = std::max<int64_t>(split.longest, GNN_SEGMENT_LENGTH);
  return split;
}

/// Rows and pieces of others in one launch; then the pieces are merged and the rows that they are of ended.
void DevicePrepared::prepareSweep(const gnn_step_t &info, const View &view, const StepCall &how, Step &step) {
  if (parts.library.kernel(info.kernel).num_totals > 0)
    return prepareTableSum(info, view, how, step);
  const gnn_device_function_t &function = parts.code.info(info.kernel);
  KernelCall call{view.block(info.relation, info.direction), view.isThere(), 0};
  call.pieces = piecesOf(info, view, call.block);
  const DevicePieces &pieces = call.pieces;
  call.end = pieces.count;
  call.flags = how.flags;
  call.numPieces = pieces.numStates;
  call.state = call.moreStates = addressOf(how.states);
  if (pieces.numHubs > 0)
    call.state = call.moreStates = statesOf(size_t(pieces.numStates) * size_t(dims.extents()[function.state_bytes]));
  addCall(info, function, parts.code.function(info.kernel), call, call.end, step);
  if (pieces.numHubs == 0)
    return;
  KernelCall merge = call;
  merge.end = pieces.numHubs;
  merge.pieces.offsets = pieces.moreOffsets;
  merge.pieces.ends = pieces.moreEnds;
  merge.scratch = 0; // another function's
  addCall(info, parts.code.mergeInfo(info.kernel), parts.code.merge(info.kernel), merge, merge.end, step);
  KernelCall last = call;
  last.end = pieces.numHubs;
  last.pieces.offsets = pieces.ends; // no edges
  last.flags = GNN_SWEEP_LAST;
  last.numPieces = 0;
  addCall(info, function, parts.code.function(info.kernel), last, last.end, step);
}

/// As many slots as keep the threads of a device busy, of rows and pieces of others as they come: runs of edges are
/// folded one after the other in each. What earlier calls left is the first slot of those that go on.
void DevicePrepared::prepareTableSum(const gnn_step_t &info, const View &view, const StepCall &how, Step &step) {
  const gnn_device_function_t &function = parts.code.info(info.kernel);
  const size_t stride = slotBytes(info);
  KernelCall call{view.block(info.relation, info.direction), view.isThere(), 0};
  call.pieces = piecesOf(info, view, call.block);
  call.end = call.pieces.count;
  call.slotRows = std::max<int64_t>(ceilDivide(call.end, slotsOfTable(stride)), 1);
  const int64_t slots = ceilDivide(call.end, call.slotRows), before = how.flags & GNN_SWEEP_FIRST ? 0 : 1;
  const cuda::Address state = allocate(size_t(before + slots) * stride, step);
  call.state = state + size_t(before) * stride;
  addCall(info, function, parts.code.function(info.kernel), call, slots, step);
  addTotals(info, before + slots, state, step);
  for (const StepTotal &total : stepTotals(parts.library, dims, info))
    if (before > 0)
      step.fills.push_back(
          {state + total.offset, step.operands[total.operand], size_t(total.count) * elementBytes(total.element)});
}

/// The totals of a step: slots begin with the identities of their folds, and are folded into the results.
void DevicePrepared::addTotals(const gnn_step_t &info, int64_t slots, cuda::Address state, Step &step) {
  const std::vector<StepTotal> totals = stepTotals(parts.library, dims, info);
  const size_t stride = slotBytes(info);
  for (const StepTotal &total : totals) {
    const cuda::Address result = step.operands[total.operand];
    if (slots == 0)
      step.fills.push_back({result, 0, size_t(total.count) * elementBytes(total.element)});
    else if (total.count > 0)
      step.calls.push_back(
          parts.kernels.fold(total.kind, total.element, result, state + total.offset, stride, slots, total.count));
  }
  const size_t size = size_t(slots) * stride;
  if (std::all_of(totals.begin(), totals.end(), [](const StepTotal &total) { return total.kind == GNN_FOLD_SUM; }))
    return step.fills.push_back({state, 0, size});
  Buffer<char> identities(size);
  std::fill(identities.begin(), identities.end(), char(0));
  for (const StepTotal &total : totals)
    for (int64_t slot = 0; slot < slots; ++slot)
      fillIdentity(total.kind, total.element, total.count, identities.data() + size_t(slot) * stride + total.offset);
  const cuda::Address kept = allocate(identities.size(), step);
  device().upload(kept, identities.data(), identities.size());
  step.fills.push_back({state, kept, identities.size()});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// None where there is no cuBLASLt for it.
std::optional<BlasCall> DevicePrepared::byBlas(const DenseProduct &product) const {
  return parts.blas ? parts.blas->prepare(product) : std::nullopt;
}

void DevicePrepared::prepareProduct(const gnn_step_t &info, const View &view, Step &step) {
  const ProductSizes sizes{view.rows(info.vertex_type), dims.extents()[info.k], dims.extents()[info.n]};
  const bool isSum = info.kind == GNN_STEP_MATMUL_TN;
  if (sizes.rows == 0 || sizes.n == 0 || sizes.k == 0) {
    const size_t count = size_t(isSum ? sizes.k * sizes.n : sizes.rows * sizes.n);
    step.fills.push_back({step.operands[2], 0, count * elementBytes(elementOf(info.tensors[2]))});
    return;
  }
  isSum ? prepareProductSum(info, sizes, step) : prepareRowProduct(info, sizes, step);
}

/// cuBLASLt multiplies two matrices of one type: where rows are of 16 bits it gets the parameter rounded too.
void DevicePrepared::prepareRowProduct(const gnn_step_t &info, const ProductSizes &sizes, Step &step) {
  const auto [rows, k, n] = sizes;
  const cuda::Address a = step.operands[0], b = step.operands[1], result = step.operands[2];
  const bool isTransposed = info.flags & GNN_MATMUL_TRANSPOSE_B;
  const uint32_t ofRows = elementOf(info.tensors[0]), ofResult = elementOf(info.tensors[2]);
  if (parts.blas && (isNarrow(ofRows) || !isNarrow(ofResult))) {
    const cuda::Address factor = isNarrow(ofRows) ? allocate(size_t(k * n) * sizeof(uint16_t), step) : b;
    step.product = byBlas({a, factor, result, rows, n, k, /*transposeA=*/false, isTransposed, ofRows, ofResult});
    if (step.product && isNarrow(ofRows))
      step.rounding = parts.kernels.round(ofRows, b, factor, k * n);
  }
  if (step.product)
    return;
  const Matrix left{a, k, 1, ofRows}, right = isTransposed ? Matrix{b, k, 1} : Matrix{b, 1, n};
  step.calls.push_back(parts.kernels.multiply(left, right, result, rows, n, k, k, ofResult));
}

void DevicePrepared::prepareProductSum(const gnn_step_t &info, const ProductSizes &sizes, Step &step) {
  const auto [rows, k, n] = sizes;
  const cuda::Address a = step.operands[0], b = step.operands[1], result = step.operands[2];
  const uint32_t ofLeft = elementOf(info.tensors[0]), ofRight = elementOf(info.tensors[1]);
  if (ofLeft == ofRight)
    step.product = byBlas({a, b, result, k, n, rows, /*transposeA=*/true, /*transposeB=*/false, ofLeft});
  if (step.product)
    return;
  const int64_t slotRows = partialRows(rows), slots = ceilDivide(rows, slotRows);
  const size_t slotBytes = size_t(k * n) * sizeof(float);
  const cuda::Address partials = slots == 1 ? result : allocate(size_t(slots) * slotBytes, step);
  step.calls.push_back(parts.kernels.multiply({a, 1, k, ofLeft}, {b, 1, n, ofRight}, partials, k, n, rows, slotRows));
  if (slots > 1)
    step.calls.push_back(parts.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, partials, slotBytes, slots, k * n));
}

} // namespace gnn::rt
