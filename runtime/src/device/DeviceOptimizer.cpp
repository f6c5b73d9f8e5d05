//===- DeviceOptimizer.cpp - Steps of an optimizer on a GPU ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/device/DeviceOptimizer.h"

#include <algorithm>
#include <tuple>

namespace gnn::rt {

namespace {

auto partsOf(const Update &update) {
  return std::tie(update.element, update.count, update.value, update.gradient, update.firstMoment, update.secondMoment,
                  update.l2, update.shrink);
}

} // namespace

DeviceOptimizer::DeviceOptimizer(std::shared_ptr<Device> used, DeviceKernels &kernels, bool withMoments,
                                 const std::vector<Update> &given)
    : device(std::move(used)), hasMoments(withMoments), updates(given),
      numbers(device->allocate(sizeof(DeviceKernels::StepNumbers))), graph(device) {
  for (const Update &update : updates)
    if (update.count > 0)
      calls.push_back(kernels.update(update, hasMoments, numbers.address()));
}

bool DeviceOptimizer::isFor(bool withMoments, const std::vector<Update> &given) const {
  return hasMoments == withMoments &&
         std::equal(updates.begin(), updates.end(), given.begin(), given.end(),
                    [](const Update &a, const Update &b) { return partsOf(a) == partsOf(b); });
}

void DeviceOptimizer::step(const UpdateRule &rule) {
  const DeviceKernels::StepNumbers now{float(rule.rate), float(rule.stepSize), float(rule.rootCorrection)};
  device->upload(numbers.address(), &now, sizeof now);
  graph.run([&] {
    for (DeviceCall &call : calls)
      call.launch(*device);
  });
}

} // namespace gnn::rt
