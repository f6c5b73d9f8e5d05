//===- DeviceUpdates.cpp - What a step of training changes ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceUpdates.h"

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

} // namespace

DeviceUpdates::DeviceUpdates(DeviceKernels &kernels, const TrainingStep &step,
                             const std::vector<cuda::Address> &results, cuda::Address numbers)
    : hasMoments(step.rule.hasMoments), updates(step.updates), states(step.states) {
  const cuda::Address loss = results[0];
  for (size_t i = 0; i < updates.size(); ++i)
    if (updates[i].count > 0)
      calls.push_back(kernels.update(updates[i], results[i + 1], hasMoments, numbers, loss));
  for (const StateUpdate &state : states)
    if (state.bytes > 0)
      calls.push_back(kernels.updateState(state, results[state.result], loss));
}

bool DeviceUpdates::isFor(const TrainingStep &step) const {
  return hasMoments == step.rule.hasMoments && areEqual(updates, step.updates) && areEqual(states, step.states);
}

void DeviceUpdates::launch(Device &device) {
  for (DeviceCall &call : calls)
    call.launch(device);
}

} // namespace gnn::rt
