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

llvm::Error gnnc::star::scheduleKernels(mlir::ModuleOp module, llvm::ArrayRef<ScheduleRequest> requests) {
  llvm::SmallVector<std::string> names;
  for (const ScheduleRequest &request : requests) {
    bool applies = false;
    names.clear();
    for (auto kernel : module.getOps<KernelOp>()) {
      if (!kernel.isSweep() && request.knob->steps == Knob::Sweeps)
        continue;
      names.push_back(kernel.getSymName().str());
      bool isMeant = request.subject == names.back() || llvm::any_of(placesOf(kernel), [&](llvm::StringRef place) {
                       return isPlaceWithin(place, request.subject);
                     });
      if (!isMeant && !request.subject.empty())
        continue;
      kernel.setScheduleAttr(
          ScheduleAttr::with(kernel.getScheduleAttr(), module.getContext(), *request.knob, request.value));
      applies = true;
    }
    if (!applies && !request.mayMiss)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "nothing to schedule is called '" + request.subject +
                                         "' (there are: " + llvm::join(names, ", ") + ")");
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
