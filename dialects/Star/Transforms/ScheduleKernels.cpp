//===- ScheduleKernels.cpp - Schedules of kernels -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Transforms/ScheduleKernels.h"
#include "dialects/Gnn/IR/SourceName.h"
#include "dialects/Star/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using namespace gnnc::star;

namespace gnnc::star {
#define GEN_PASS_DEF_SCHEDULEKERNELS
#include "dialects/Star/Transforms/Passes.h.inc"
} // namespace gnnc::star

/// Where in the source the edges of a sweep, or the rows of a map, are computed.
static llvm::SmallSetVector<llvm::StringRef, 4> placesOf(KernelOp kernel) {
  llvm::SmallSetVector<llvm::StringRef, 4> places;
  mlir::Region &region = kernel.isSweep() ? kernel.getStep() : kernel.getEnd();
  region.walk([&](mlir::Operation *op) {
    if (llvm::StringRef place = gnn::sourcePlace(op->getLoc()); !place.empty())
      places.insert(place);
  });
  return places;
}

static bool canHave(KernelOp kernel, const Knob &knob) {
  switch (knob.steps) {
  case Knob::Sweeps:
    return kernel.isSweep();
  case Knob::EdgeSweeps:
    return kernel.isEdgeWise();
  case Knob::SweepsAndMaps:
    return true;
  }
  llvm_unreachable("unknown steps of a knob");
}

llvm::SmallVector<KernelOp> gnnc::star::kernelsMeant(mlir::ModuleOp module, const ScheduleRequest &request) {
  llvm::SmallVector<KernelOp> kernels;
  for (auto kernel : module.getOps<KernelOp>()) {
    auto isWithin = [&](llvm::StringRef place) { return isPlaceWithin(place, request.subject); };
    if (canHave(kernel, *request.knob) &&
        (request.subject.empty() || request.subject == kernel.getSymName() || llvm::any_of(placesOf(kernel), isWithin)))
      kernels.push_back(kernel);
  }
  return kernels;
}

llvm::Error gnnc::star::scheduleKernels(mlir::ModuleOp module, llvm::ArrayRef<ScheduleRequest> requests) {
  for (const ScheduleRequest &request : requests) {
    llvm::SmallVector<KernelOp> kernels = kernelsMeant(module, request);
    for (KernelOp kernel : kernels)
      kernel.setScheduleAttr(
          ScheduleAttr::with(kernel.getScheduleAttr(), module.getContext(), *request.knob, request.value));
    if (!kernels.empty() || request.mayMiss)
      continue;
    llvm::SmallVector<std::string> names;
    for (auto kernel : module.getOps<KernelOp>())
      if (canHave(kernel, *request.knob))
        names.push_back(kernel.getSymName().str());
    if (names.empty())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "nothing has the knob '" + request.knob->name + "' here");
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "nothing to schedule is called '" + request.subject +
                                                                       "' (there are: " + llvm::join(names, ", ") +
                                                                       ")");
  }
  return llvm::Error::success();
}

namespace {
class ScheduleKernels : public star::impl::ScheduleKernelsBase<ScheduleKernels> {
public:
  using ScheduleKernelsBase::ScheduleKernelsBase;

  void runOnOperation() override {
    llvm::SmallVector<ScheduleRequest> parsed;
    for (const std::string &text : requests) {
      llvm::Expected<ScheduleRequest> request = parseScheduleRequest(text);
      if (!request)
        return fail(request.takeError());
      parsed.push_back(*request);
    }
    if (llvm::Error error = scheduleKernels(getOperation(), parsed))
      return fail(std::move(error));
    for (auto kernel : getOperation().getOps<KernelOp>())
      numScheduled += kernel.getScheduleAttr() != nullptr;
  }

private:
  void fail(llvm::Error error) {
    getOperation().emitError(llvm::toString(std::move(error)));
    signalPassFailure();
  }
};
} // namespace
