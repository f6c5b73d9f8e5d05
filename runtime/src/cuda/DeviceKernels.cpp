//===- DeviceKernels.cpp - The runtime's own kernels ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceKernels.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/DeviceTensor.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace gnn::rt {

namespace {

constexpr char ptx[] =
#define TEXT(stem, text) text
#include "DeviceKernels.inc"
#undef TEXT
    ;
#define BYTES(chip, ...) alignas(16) constexpr unsigned char chip[] = {__VA_ARGS__};
#include "DeviceCode.inc"
#undef BYTES

uint32_t blocksFor(int64_t count, int64_t each) {
  const int64_t blocks = (count + each - 1) / each;
  require(blocks <= INT32_MAX, GNN_ERROR_MEMORY, "an array is too large for a device");
  return uint32_t(blocks);
}

unsigned numberOf(uint32_t element) {
  assert((element == GNN_F32 || element == GNN_I32 || element == GNN_I64) && "code for devices has no other totals");
  return element == GNN_F32 ? 0 : element == GNN_I32 ? 1 : 2;
}

/// The number that Kernels.c has for how a matrix is stored, in the bits of operand `index`.
uint32_t storageOf(uint32_t element, unsigned index = 0) {
  constexpr unsigned bits = 2;
  const uint32_t number = element == GNN_F32 ? 0 : element == GNN_BF16 ? 1 : 2;
  return number << (bits * index);
}

} // namespace

void **DeviceCall::parameters() {
  pointers.clear();
  for (uint64_t &value : values)
    pointers.push_back(&value);
  return pointers.data();
}

void DeviceCall::launch(Device &device) {
  device.launch(function, shape, parameters(), /*isFirst=*/!wasLaunched);
  wasLaunched = true;
}

void DeviceCall::launchAside(Device &device, cuda::Stream stream) {
  device.launchAside(function, shape, parameters(), stream);
}

DeviceKernels::DeviceKernels(std::shared_ptr<Device> device)
    : module(std::move(device), {{80, false, sm_80}, {90, false, sm_90}, {80, true, ptx}}, "the runtime"),
      multiplyFunction(module.function("gnn_multiply")), roundFunction(module.function("gnn_round")),
      checkFunction(module.function("gnn_check_step")), verdictFunction(module.function("gnn_step_verdict")),
      sgd(module.function("gnn_update_sgd")), adam(module.function("gnn_update_adam")),
      stateFunction(module.function("gnn_update_state")), squaresFunction(module.function("gnn_gradient_squares")),
      factorFunction(module.function("gnn_gradient_factor")), scaleFunction(module.function("gnn_scale_gradients")),
      pickLines(module.function("gnn_pick_lines")), pickWords(module.function("gnn_pick_words")),
      pickBytes(module.function("gnn_pick_bytes")), drawFunction(module.function("gnn_draw_edges")) {
  const char *kinds[] = {"sum", "max", "min"}, *elements[] = {"f32", "i32", "i64"};
  for (unsigned kind = 0; kind < 3; ++kind)
    for (unsigned element = 0; element < 3; ++element)
      folds[kind][element] = module.function(std::string("gnn_fold_") + kinds[kind] + "_" + elements[element]);
}

DeviceCall DeviceKernels::multiply(const Matrix &left, const Matrix &right, cuda::Address result, int64_t m, int64_t n,
                                   int64_t depth, int64_t slotDepth, uint32_t resultElement) {
  constexpr int64_t tile = 64; // of Kernels.c
  const int64_t tiles = (m + tile - 1) / tile * ((n + tile - 1) / tile), slots = (depth + slotDepth - 1) / slotDepth;
  DeviceCall call(multiplyFunction, {blocksFor(tiles * slots, 1), blockThreads});
  call.with(left.data).with(left.stride).with(left.depthStride);
  call.with(right.data).with(right.stride).with(right.depthStride);
  call.with(result).with(m).with(n).with(depth).with(slotDepth);
  return call.with(storageOf(left.element) | storageOf(right.element, 1) | storageOf(resultElement, 2));
}

DeviceCall DeviceKernels::round(uint32_t element, cuda::Address from, cuda::Address to, int64_t count) {
  DeviceCall call(roundFunction, {blocksFor(count, blockThreads), blockThreads});
  return call.with(from).with(to).with(count).with(storageOf(element));
}

DeviceCall DeviceKernels::fold(uint32_t kind, uint32_t element, cuda::Address result, cuda::Address slots,
                               size_t stride, int64_t numSlots, int64_t count) {
  DeviceCall call(folds[kind][numberOf(element)], {blocksFor(count, blockThreads), blockThreads});
  return call.with(result).with(slots).with(stride).with(numSlots).with(count);
}

DeviceKernels::CheckedResult DeviceKernels::checked(cuda::Address data, uint32_t element, size_t bytes) {
  switch (element) {
  case GNN_F32:
    return {data, int64_t(bytes / 4), 1, 0x7f800000};
  case GNN_F64:
    return {data + 4, int64_t(bytes / 8), 2, 0x7ff00000};
  default:
    return {data, 0, 1, 0}; // integers are finite
  }
}

DeviceCall DeviceKernels::check(cuda::Address results, int64_t count, cuda::Address found, uint32_t numBlocks) {
  DeviceCall call(checkFunction, {numBlocks, blockThreads});
  return call.with(results).with(count).with(found);
}

DeviceCall DeviceKernels::verdict(cuda::Address found, int64_t count, cuda::Address loss, cuda::Address verdict) {
  DeviceCall call(verdictFunction, {1, blockThreads});
  return call.with(found).with(count).with(loss).with(verdict);
}

DeviceCall DeviceKernels::squares(cuda::Address gradients, int64_t count, cuda::Address squares, uint32_t numBlocks) {
  DeviceCall call(squaresFunction, {numBlocks, blockThreads});
  return call.with(gradients).with(count).with(squares);
}

DeviceCall DeviceKernels::factor(cuda::Address squares, int64_t count, double mostNorm) {
  DeviceCall call(factorFunction, {1, blockThreads});
  return call.with(squares).with(count).with(mostNorm).with(clipEpsilon);
}

DeviceCall DeviceKernels::scale(cuda::Address gradients, int64_t count, cuda::Address factor, uint32_t numBlocks) {
  DeviceCall call(scaleFunction, {numBlocks, blockThreads});
  return call.with(gradients).with(count).with(factor);
}

DeviceCall DeviceKernels::update(const Update &update, cuda::Address gradient, bool hasMoments, cuda::Address numbers,
                                 cuda::Address verdict) {
  assert(update.element == GNN_F32);
  DeviceCall call(hasMoments ? adam : sgd, {blocksFor(update.count, blockThreads), blockThreads});
  call.with(numbers).with(verdict).with(HostCopy::addressOf(update.value)).with(gradient);
  if (!hasMoments)
    return call.with(update.count).with(float(update.l2));
  call.with(HostCopy::addressOf(update.firstMoment)).with(HostCopy::addressOf(update.secondMoment)).with(update.count);
  call.with(float(update.l2)).with(float(update.shrink));
  call.with(float(UpdateRule::beta1)).with(float(1 - UpdateRule::beta1));
  call.with(float(UpdateRule::beta2)).with(float(1 - UpdateRule::beta2));
  return call.with(float(UpdateRule::epsilon));
}

DeviceCall DeviceKernels::updateState(const StateUpdate &state, cuda::Address next, cuda::Address verdict) {
  const auto bytes = int64_t(state.bytes);
  DeviceCall call(stateFunction, {blocksFor(bytes, blockThreads), blockThreads});
  return call.with(verdict).with(HostCopy::addressOf(state.value)).with(next).with(bytes);
}

DeviceCall DeviceKernels::pick(const RowPicks &picks) {
  auto at = [](const void *there) { return reinterpret_cast<cuda::Address>(there); };
  const size_t unit = picks.rowBytes % 16 == 0 ? 16 : picks.rowBytes % sizeof(uint32_t) == 0 ? sizeof(uint32_t) : 1;
  const auto units = int64_t(picks.rowBytes / unit);
  DeviceCall call(unit == 16                 ? pickLines
                  : unit == sizeof(uint32_t) ? pickWords
                                             : pickBytes,
                  {blocksFor(picks.count * units, blockThreads), blockThreads});
  call.with(at(picks.to)).with(at(picks.kept)).with(picks.numTables).with(at(picks.others)).with(at(picks.places));
  return call.with(picks.numKept).with(picks.count).with(units);
}

DeviceCall DeviceKernels::drawEdges(const EdgeRows &of, const EdgeDrawing &drawing) {
  DeviceCall call(drawFunction, {blocksFor(drawing.count, blockThreads), blockThreads});
  call.with(of.offsets).with(of.cols).with(of.kept).with(of.numTables);
  call.with(drawing.rows).with(drawing.keptPlaces).with(drawing.ids).with(drawing.count).with(drawing.seed);
  call.with(drawing.most).with(uint32_t(drawing.isRepeated));
  call.with(drawing.seen).with(drawing.drawn).with(drawing.places);
  return call;
}

namespace {

auto partsOf(const Update &update) {
  return std::tie(update.element, update.count, update.value, update.firstMoment, update.secondMoment, update.l2,
                  update.shrink);
}

auto partsOf(const StateUpdate &state) { return std::tie(state.value, state.result, state.bytes); }

template <class T> bool areEqual(const std::vector<T> &some, const std::vector<T> &others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [](const T &a, const T &b) { return partsOf(a) == partsOf(b); });
}

/// Where the device has the arrays that are updated.
std::vector<cuda::Address> placesOf(const std::vector<Update> &updates, const std::vector<StateUpdate> &states,
                                    bool areWritten = false) {
  std::vector<cuda::Address> places;
  for (const Update &update : updates)
    for (const void *array : {update.value, update.firstMoment, update.secondMoment})
      places.push_back(HostCopy::addressOf(array, areWritten));
  for (const StateUpdate &state : states)
    places.push_back(HostCopy::addressOf(state.value, areWritten));
  return places;
}

} // namespace

/// The results that must be finite before anything is updated: the loss, gradients and next states.
static std::vector<DeviceKernels::CheckedResult> checkedResults(const TrainingStep &step,
                                                                const std::vector<cuda::Address> &results) {
  std::vector<DeviceKernels::CheckedResult> checked{DeviceKernels::checked(results[0], GNN_F32, sizeof(float))};
  for (const Update &update : step.updates)
    checked.push_back(DeviceKernels::checked(results[checked.size()], update.element,
                                             size_t(update.count) * elementBytes(update.element)));
  for (const StateUpdate &state : step.states)
    checked.push_back(DeviceKernels::checked(results[state.result], state.element, state.bytes));
  return checked;
}

/// Enough that no thread has many numbers, few enough that one block looks through what they found.
static uint32_t blocksThatCheck(const std::vector<DeviceKernels::CheckedResult> &results) {
  constexpr int64_t numbersOfThread = 16, most = 1024;
  int64_t count = 0;
  for (const DeviceKernels::CheckedResult &result : results)
    count = std::max(count, result.count);
  const int64_t each = numbersOfThread * DeviceKernels::blockThreads;
  return uint32_t(std::clamp<int64_t>((count + each - 1) / each, 1, most));
}

DeviceUpdates::DeviceUpdates(Device &device, DeviceKernels &kernels, const TrainingStep &step,
                             const std::vector<cuda::Address> &results, cuda::Address numbers)
    : hasMoments(step.rule.hasMoments), mostNorm(step.mostNorm), updates(step.updates), states(step.states),
      places(placesOf(updates, states)) {
  const std::vector<DeviceKernels::CheckedResult> all = checkedResults(step, results);
  const uint32_t blocks = blocksThatCheck(all);
  checked = device.allocate(all.size() * sizeof all[0]);
  device.upload(checked.address(), all.data(), all.size() * sizeof all[0]);
  found = device.allocate(blocks * sizeof(int32_t));
  verdictMemory = device.allocate(sizeof(DeviceKernels::StepVerdict));
  calls.push_back(kernels.check(checked.address(), int64_t(all.size()), found.address(), blocks));
  calls.push_back(kernels.verdict(found.address(), blocks, results[0], verdict()));
  if (mostNorm > 0 && !updates.empty()) {
    squares = device.allocate(blocks * sizeof(double));
    const cuda::Address gradients = checked.address() + sizeof all[0]; // behind the loss
    const auto count = int64_t(updates.size());
    calls.push_back(kernels.squares(gradients, count, squares.address(), blocks));
    calls.push_back(kernels.factor(squares.address(), blocks, mostNorm));
    calls.push_back(kernels.scale(gradients, count, squares.address(), blocks));
  }
  for (size_t i = 0; i < updates.size(); ++i)
    if (updates[i].count > 0)
      calls.push_back(kernels.update(updates[i], results[i + 1], hasMoments, numbers, verdict()));
  for (const StateUpdate &state : states)
    if (state.bytes > 0)
      calls.push_back(kernels.updateState(state, results[state.result], verdict()));
}

bool DeviceUpdates::isFor(const TrainingStep &step) const {
  return hasMoments == step.rule.hasMoments && mostNorm == step.mostNorm && areEqual(updates, step.updates) &&
         areEqual(states, step.states) && places == placesOf(updates, states);
}

void DeviceUpdates::noteChanges() const { placesOf(updates, states, /*areWritten=*/true); }

void DeviceUpdates::launch(Device &device) {
  noteChanges();
  for (DeviceCall &call : calls)
    call.launch(device);
}

} // namespace gnn::rt
