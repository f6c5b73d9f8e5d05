//===- DeviceUpdates.cpp - What a step of training changes ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceUpdates.h"

#include "runtime/src/cuda/DeviceTensor.h"

#include <algorithm>
#include <tuple>

namespace gnn::rt {

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

/// What is looked through before anything is changed: the results in their order.
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
