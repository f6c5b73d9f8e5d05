//===- DeviceExecutor.cpp - Whole graphs on a GPU -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceExecutor.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/device/DeviceTensor.h"
#include "runtime/src/exec/FixedSteps.h"
#include "runtime/src/exec/Fold.h"
#include "runtime/src/exec/Product.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

namespace {

/// Blocks of a multiprocessor that have scratch memory; with more, each does the rows of several.
constexpr uint32_t blocksWithScratch = 16;

int64_t ceilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

} // namespace

DeviceExecutor::DeviceExecutor(std::shared_ptr<Device> used, const DeviceLibrary &functions, DeviceKernels &own,
                               const Blas *products, const Library &opened, const Dims &finished, const Binding &bound,
                               std::shared_ptr<DeviceData> copies, const gnn_program_t &compiled)
    : Executor(opened, compiled), device(std::move(used)), code(functions), kernels(own), blas(products),
      dims(finished), binding(bound), data(std::move(copies)),
      fixed(program.kind == GNN_PROGRAM_INFER
                ? std::vector<bool>(program.num_steps, false)
                : findFixedSteps(library, program, std::vector<int32_t>(library.tensors().size(), -1))),
      bases(library.tensors().size()), steps(program.num_steps), graph(device), results(program.num_results) {
  checkEdgeTypes(library, binding, program);
  Device::Scope scope(*device);
  memory = planMemory(
      library, program, [&](uint32_t tensor) { return tensorBytes(tensor); }, /*producers=*/{}, fixed);
  placeTensors();
  const std::vector<int64_t> &values = dims.extents();
  extents = allocate(values.size() * sizeof(int64_t));
  device->upload(extents, values.data(), values.size() * sizeof(int64_t));
  numbers = allocate(sizeof(DeviceKernels::StepNumbers));
  numOwnArrays = arrays.size();
  numOwnBytes = bytes;
}

DeviceExecutor::~DeviceExecutor() {
  Device::Scope scope(*device);
  for (cuda::Event event : events)
    device->destroy(event);
}

cuda::Address DeviceExecutor::allocate(size_t size) {
  arrays.push_back(device->allocate(size));
  bytes += size;
  return arrays.back().address();
}

/// Memory that a sweep has until it is done.
cuda::Address DeviceExecutor::statesOf(size_t size) {
  if (size > stateBytes) {
    states = allocate(size);
    stateBytes = size;
  }
  return states;
}

/// Temporaries and results; what is bound is copied when a step asks for it, and parameters are placed.
void DeviceExecutor::placeTensors() {
  const cuda::Address arena = allocate(memory.arenaBytes), kept = allocate(memory.keptBytes);
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = (planned.isKept ? kept : arena) + planned.offset;
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const uint32_t tensor = program.results[i];
    if (!binding.data(tensor) && !bases[tensor])
      bases[tensor] = allocate(tensorBytes(tensor));
  }
}

/// What processors keep as bits is a byte each.
size_t DeviceExecutor::tensorBytes(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  return info.element == GNN_BITS ? size_t(binding.leadingExtent(info)) * size_t(dims.rowElements(info))
                                  : binding.tensorBytes(tensor);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A step, with the copies of what it reads under way.
DeviceExecutor::Step &DeviceExecutor::prepared(size_t s) {
  if (steps[s])
    return *steps[s];
  const gnn_step_t &info = program.steps[s];
  try {
    for (uint32_t i = 0; i < info.num_tensors; ++i)
      if (const uint32_t tensor = info.tensors[i]; binding.data(tensor))
        bases[tensor] = data->tensor(tensor);
    Step step;
    if (info.kind == GNN_STEP_SWEEP)
      prepareSweep(info, step);
    else if (info.kind == GNN_STEP_MAP)
      prepareMap(info, step);
    else
      prepareProduct(info, step);
    steps[s] = std::move(step);
  } catch (...) { // as if there had been no run
    for (std::optional<Step> &each : steps)
      each.reset();
    arrays.resize(numOwnArrays);
    bytes = numOwnBytes;
    states = stateBytes = 0;
    throw;
  }
  return *steps[s];
}

cuda::Address DeviceExecutor::blockArray(const gnn_step_t &info, const KernelCall &call, uint32_t array) {
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
    return data->blockArray(info, call.block, array);
  }
}

/// The value of a parameter of a kernel, or what it points to.
uint64_t DeviceExecutor::argument(const gnn_step_t &info, const KernelCall &call, uint32_t parameter) {
  const uint32_t index = parameter >> 16;
  switch (parameter & 0xffff) {
  case GNN_PARAMETER_BEGIN:
    return 0;
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
  case GNN_PARAMETER_STATE_IN: // the states to merge are in the same array
    return call.state;
  case GNN_PARAMETER_TENSOR:
    assert(bases[info.tensors[index]] && "every tensor of a program is a temporary, a result, bound data or placed");
    return bases[info.tensors[index]];
  case GNN_PARAMETER_BLOCK:
    if (index == GNN_BLOCK_HOT || index == GNN_BLOCK_HOT_COLS)
      return data->hotArray(info, call.block, code.info(info.kernel).hot_cols, index);
    return blockArray(info, call, index);
  case GNN_PARAMETER_HOT:
    return std::min<uint64_t>(code.info(info.kernel).hot_cols, uint64_t(call.block.num_cols));
  case GNN_PARAMETER_GIVEN:
    return blockArray(info, call, index) != 0;
  default:
    return uint64_t(call.numPieces);
  }
}

/// Adds a launch for `numGroups` rows or slots, if there are any.
void DeviceExecutor::addCall(const gnn_step_t &info, const gnn_device_function_t &function, const DeviceFunction &code,
                             KernelCall &call, int64_t numGroups, Step &step) {
  const uint32_t groupsOfBlock = function.block_threads / function.group_threads;
  int64_t blocks = ceilDivide(numGroups, groupsOfBlock);
  const size_t groupScratch = size_t(dims.extents()[function.scratch_bytes]);
  if (groupScratch)
    blocks = std::min(blocks, int64_t(blocksWithScratch) * device->multiprocessors());
  const size_t sharedBytes = size_t(dims.extents()[function.shared_bytes]);
  if (sharedBytes) { // loaded once, for many rows
    device->allowShared(code, sharedBytes);
    blocks = std::min(blocks, device->blocksAtOnce(function.block_threads, sharedBytes));
  }
  blocks = std::min<int64_t>(blocks, INT32_MAX); // each does the rows of several then
  if (blocks == 0)
    return;
  if (groupScratch && !call.scratch)
    call.scratch = allocate(groupScratch * size_t(blocks) * groupsOfBlock);
  DeviceCall launch(code, {uint32_t(blocks), function.block_threads, uint32_t(sharedBytes)});
  for (uint32_t i = 0; i < function.num_parameters; ++i)
    launch.with(argument(info, call, function.parameters[i]));
  step.calls.push_back(std::move(launch));
}

void DeviceExecutor::prepareMap(const gnn_step_t &info, Step &step) {
  const gnn_device_function_t &function = code.info(info.kernel);
  KernelCall call{wholeBlock(library, binding, info), binding.rows(info.vertex_type)};
  if (library.kernel(info.kernel).num_totals == 0)
    return addCall(info, function, code.function(info.kernel), call, call.end, step);
  const int64_t slots = ceilDivide(call.end, GNN_SLOT_ROWS);
  call.state = allocate(size_t(slots) * size_t(dims.extents()[function.state_bytes]));
  addCall(info, function, code.function(info.kernel), call, slots, step);
  addTotals(info, call.end, call.state, step);
}

/// A row is cut where merging its pieces costs little beside them; without states pieces are as short as keeps threads
/// busy.
RowSplit DeviceExecutor::splitOf(const gnn_step_t &info) const {
  constexpr int64_t longestRow = 2 * GNN_SEGMENT_LENGTH, longestPiece = 256;
  const gnn_kernel_t &kernel = library.kernel(info.kernel);
  const gnn_device_function_t &function = code.info(info.kernel);
  RowSplit split{dims.extents()[function.state_bytes] > 0, function.split, info.relation == binding.pairsRelation()};
  for (uint32_t i = kernel.num_inputs; i < kernel.num_operands; ++i)
    split.hasStates |= kernel.access[i] == GNN_ACCESS_ROW; // that a row is to write once
  if (split.longest == 0)
    split.longest = split.hasStates ? longestRow : longestPiece;
  if (split.hasStates)
    split.longest = std::max<int64_t>(split.longest, GNN_SEGMENT_LENGTH);
  return split;
}

/// Rows and pieces of others in one launch; then the pieces are merged and the rows that they are of ended.
void DeviceExecutor::prepareSweep(const gnn_step_t &info, Step &step) {
  const gnn_device_function_t &function = code.info(info.kernel);
  KernelCall call{wholeBlock(library, binding, info), 0};
  call.pieces = data->pieces(info, call.block, splitOf(info));
  const DevicePieces &pieces = call.pieces;
  call.end = pieces.count;
  call.numPieces = pieces.numStates;
  if (pieces.numCut > 0)
    call.state = statesOf(size_t(pieces.numStates) * size_t(dims.extents()[function.state_bytes]));
  addCall(info, function, code.function(info.kernel), call, call.end, step);
  if (pieces.numCut == 0)
    return;
  KernelCall merge = call;
  merge.end = pieces.numCut;
  merge.pieces.offsets = pieces.moreOffsets;
  merge.pieces.ends = pieces.moreEnds;
  merge.scratch = 0; // another function's
  addCall(info, code.mergeInfo(info.kernel), code.merge(info.kernel), merge, merge.end, step);
  KernelCall last = call;
  last.end = pieces.numCut;
  last.pieces.offsets = pieces.ends; // no edges
  last.flags = GNN_SWEEP_LAST;
  last.numPieces = 0;
  addCall(info, function, code.function(info.kernel), last, last.end, step);
}

/// The totals of a map: slots begin with the identities of their folds, and are folded into the results.
void DeviceExecutor::addTotals(const gnn_step_t &info, int64_t rows, cuda::Address state, Step &step) {
  const std::vector<StepTotal> totals = stepTotals(library, dims, info);
  const size_t stride = size_t(dims.extents()[code.info(info.kernel).state_bytes]);
  const int64_t slots = ceilDivide(rows, GNN_SLOT_ROWS);
  Buffer<char> identities(size_t(slots) * stride);
  std::fill(identities.begin(), identities.end(), char(0));
  for (const StepTotal &total : totals) {
    const cuda::Address result = bases[info.tensors[total.operand]];
    if (slots == 0)
      step.fills.push_back({result, 0, size_t(total.count) * elementBytes(total.element)});
    else if (total.count > 0)
      step.calls.push_back(
          kernels.fold(total.kind, total.element, result, state + total.offset, stride, slots, total.count));
    for (int64_t slot = 0; slot < slots; ++slot)
      fillIdentity(total.kind, total.element, total.count, identities.data() + size_t(slot) * stride + total.offset);
  }
  const cuda::Address kept = allocate(identities.size());
  device->upload(kept, identities.data(), identities.size());
  step.fills.push_back({state, kept, identities.size()});
}

/// None where there is no cuBLASLt for it.
std::optional<BlasCall> DeviceExecutor::byBlas(const DenseProduct &product) const {
  return blas ? blas->prepare(product) : std::nullopt;
}

void DeviceExecutor::prepareProduct(const gnn_step_t &info, Step &step) {
  const auto [rows, k, n] = productSizes(library, dims, binding, info);
  const bool isSum = info.kind == GNN_STEP_MATMUL_TN;
  if (rows == 0 || n == 0 || k == 0) {
    const uint32_t result = info.tensors[2];
    const size_t count = size_t(isSum ? k * n : rows * n);
    step.fills.push_back({bases[result], 0, count * elementBytes(library.tensor(result).element)});
    return;
  }
  isSum ? prepareProductSum(info, step) : prepareRowProduct(info, step);
}

/// cuBLASLt multiplies two matrices of one type: where rows are of 16 bits it gets the parameter rounded too.
void DeviceExecutor::prepareRowProduct(const gnn_step_t &info, Step &step) {
  const auto [rows, k, n] = productSizes(library, dims, binding, info);
  const cuda::Address a = bases[info.tensors[0]], b = bases[info.tensors[1]], result = bases[info.tensors[2]];
  const bool isTransposed = info.flags & GNN_MATMUL_TRANSPOSE_B;
  const uint32_t ofRows = elementOf(info.tensors[0]), ofResult = elementOf(info.tensors[2]);
  if (blas && (isNarrow(ofRows) || !isNarrow(ofResult))) {
    const cuda::Address factor = isNarrow(ofRows) ? allocate(size_t(k * n) * sizeof(uint16_t)) : b;
    step.product = byBlas({a, factor, result, rows, n, k, /*transposeA=*/false, isTransposed, ofRows, ofResult});
    if (step.product && isNarrow(ofRows))
      step.rounding = kernels.round(ofRows, b, factor, k * n);
  }
  if (step.product)
    return;
  const Matrix left{a, k, 1, ofRows}, right = isTransposed ? Matrix{b, k, 1} : Matrix{b, 1, n};
  step.calls.push_back(kernels.multiply(left, right, result, rows, n, k, k, ofResult));
}

void DeviceExecutor::prepareProductSum(const gnn_step_t &info, Step &step) {
  const auto [rows, k, n] = productSizes(library, dims, binding, info);
  const cuda::Address a = bases[info.tensors[0]], b = bases[info.tensors[1]], result = bases[info.tensors[2]];
  const uint32_t ofLeft = elementOf(info.tensors[0]), ofRight = elementOf(info.tensors[1]);
  if (ofLeft == ofRight)
    step.product = byBlas({a, b, result, k, n, rows, /*transposeA=*/true, /*transposeB=*/false, ofLeft});
  if (step.product)
    return;
  const int64_t slotRows = partialRows(rows), slots = ceilDivide(rows, slotRows);
  const size_t slotBytes = size_t(k * n) * sizeof(float);
  const cuda::Address partials = slots == 1 ? result : allocate(size_t(slots) * slotBytes);
  step.calls.push_back(kernels.multiply({a, 1, k, ofLeft}, {b, 1, n, ofRight}, partials, k, n, rows, slotRows));
  if (slots > 1)
    step.calls.push_back(kernels.fold(GNN_FOLD_SUM, GNN_F32, result, partials, slotBytes, slots, k * n));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void DeviceExecutor::launch(Step &step) {
  for (const Step::Fill &fill : step.fills)
    fill.from ? device->copy(fill.to, fill.from, fill.bytes) : device->fillZeros(fill.to, fill.bytes);
  if (step.rounding)
    step.rounding->launch(*device);
  if (step.product)
    step.product->launch(*device);
  for (DeviceCall &call : step.calls)
    call.launch(*device);
}

/// Of the steps those that are `fixed`, or the others.
void DeviceExecutor::launchAll(bool fixedOnes) {
  for (size_t s = 0; s < steps.size(); ++s) {
    if (fixed[s] != fixedOnes)
      continue;
    Step &step = prepared(s);
    data->awaitCopies();
    launch(step);
  }
}

void DeviceExecutor::begin() {
  std::fill(results.begin(), results.end(), Tensor());
  data->refreshTensors();
  data->refreshPairs();
  if (std::all_of(steps.begin(), steps.end(), [](const std::optional<Step> &step) { return step.has_value(); }))
    data->awaitCopies(); // a graph awaits nothing
  device->noteReuse();
}

void DeviceExecutor::run(uint64_t key) {
  Device::Scope scope(*device);
  begin();
  const gnn_random_t keys{key};
  device->upload(numbers, &keys, sizeof keys);
  device->beginRun();
  if (profile) {
    launchTimed();
  } else {
    if (!areFixedStepsDone())
      launchAll(/*fixedOnes=*/true);
    graph.run([&] { launchAll(/*fixedOnes=*/false); });
  }
  device->endRun();
  if (profile) {
    device->finish();
    noteTimes();
  }
  fixedFor = binding.numRebinds();
}

StepOutcome DeviceExecutor::train(const TrainingStep &step) {
  Device::Scope scope(*device);
  begin();
  if (!exchange)
    exchange = device->pinned(sizeof(Exchange));
  if (!training || !training->updates.isFor(step)) {
    std::vector<cuda::Address> addresses;
    for (uint32_t i = 0; i < program.num_results; ++i)
      addresses.push_back(bases[program.results[i]]);
    training.reset(new Training{DeviceUpdates(*device, kernels, step, addresses, numbers), DeviceGraph(device)});
  }
  Exchange &shared = *static_cast<Exchange *>(exchange.get());
  shared.numbers = {step.key, float(step.rule.rate), float(step.rule.stepSize), float(step.rule.rootCorrection)};
  auto doWhole = [&](auto launchSteps) {
    device->copyIn(numbers, &shared.numbers, sizeof shared.numbers);
    launchSteps();
    training->updates.launch(*device);
    device->copyOut(&shared.verdict, training->updates.verdict(), sizeof shared.verdict);
  };
  device->beginRun();
  if (profile) {
    doWhole([&] { launchTimed(); });
  } else {
    if (!areFixedStepsDone())
      launchAll(/*fixedOnes=*/true);
    training->graph.run([&] { doWhole([&] { launchAll(/*fixedOnes=*/false); }); });
  }
  device->endRun();
  device->finish();
  if (profile)
    noteTimes();
  fixedFor = binding.numRebinds();
  StepOutcome outcome{double(shared.verdict.loss), std::nullopt};
  if (shared.verdict.refusedBy != DeviceKernels::nothing)
    outcome.refusedBy = uint32_t(shared.verdict.refusedBy);
  return outcome;
}

void DeviceExecutor::launchTimed() {
  while (events.size() <= steps.size())
    events.push_back(device->createEvent());
  isTimed.assign(steps.size(), false);
  for (size_t s = 0; s < steps.size(); ++s) {
    isTimed[s] = !fixed[s] || !areFixedStepsDone();
    Step &step = prepared(s);
    data->awaitCopies();
    device->record(events[s]);
    if (isTimed[s])
      launch(step);
  }
  device->record(events.back());
}

void DeviceExecutor::noteTimes() {
  for (size_t s = 0; s < steps.size(); ++s)
    if (isTimed[s])
      profile->note(uint32_t(s), device->secondsBetween(events[s], events[s + 1]));
  profile->endRun();
}

const Tensor &DeviceExecutor::result(uint32_t i) {
  const uint32_t tensor = program.results[i];
  if (!results[i] && binding.data(tensor)) // an input that is passed on
    results[i] = binding.data(tensor).onHost();
  if (!results[i]) {
    Device::Scope scope(*device);
    Tensor copy = Tensor::empty(library.tensor(tensor).element, resultShape(tensor));
    device->download(copy.mutableData(), bases[tensor], copy.bytes());
    results[i] = std::move(copy);
  }
  return results[i];
}

std::vector<int64_t> DeviceExecutor::resultShape(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  std::vector<int64_t> shape = dims.shapeOf(info);
  if (info.domain != GNN_DOMAIN_PARAM)
    shape.insert(shape.begin(), binding.leadingExtent(info));
  return shape;
}

/// A copy: the memory that the steps write to stays the same.
Tensor DeviceExecutor::takeResultThere(uint32_t i) {
  Device::Scope scope(*device);
  const uint32_t tensor = program.results[i];
  if (const Tensor &given = binding.data(tensor))
    return given.device() < 0 ? copyToDevice(device, given) : given;
  const size_t size = binding.tensorBytes(tensor);
  DeviceArray array = device->allocate(size);
  device->copy(array.address(), bases[tensor], size);
  device->finish();
  return deviceTensor(device, std::move(array), library.tensor(tensor).element, resultShape(tensor));
}

Tensor DeviceExecutor::takeResult(uint32_t i) {
  Tensor taken = result(i);
  results[i] = Tensor();
  return taken;
}

} // namespace gnn::rt
