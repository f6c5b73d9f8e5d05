//===- DescribeTunings.cpp - Tables of tuned graphs -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/DescribeTunings.h"
#include "dialects/Star/Transforms/ScheduleKernels.h"

using namespace gnnc;

/// The knobs of a kernel with the schedule `schedule`.
gnn_knobs_t gnnc::knobsOf(star::ScheduleAttr schedule) {
  if (!schedule)
    return {};
  return {uint32_t(schedule.getSplit()), uint16_t(schedule.getPartition()), uint16_t(schedule.getPass()),
          uint16_t(schedule.getHilbert()), 0};
}

static TuningImage describe(mlir::ModuleOp module, const LibraryImage &image, const TuningSection &section) {
  TuningImage result{section.graph.vertices, section.graph.edges, section.graph.longest, section.threads, {}};
  llvm::StringMap<star::ScheduleAttr> schedules;
  for (const ScheduleRequest &request : section.requests)
    if (request.knob->reader == Knob::Runtime)
      for (star::KernelOp kernel : star::kernelsMeant(module, request)) {
        star::ScheduleAttr &schedule = schedules[kernel.getSymName()];
        schedule = star::ScheduleAttr::with(schedule, module.getContext(), *request.knob, request.value);
      }
  for (const KernelImage &kernel : image.kernels)
    result.knobs.push_back(knobsOf(schedules.lookup(kernel.name)));
  return result;
}

std::vector<TuningImage> gnnc::describeTunings(mlir::ModuleOp module, const LibraryImage &image,
                                               llvm::ArrayRef<TuningSection> sections) {
  std::vector<TuningImage> tunings;
  for (const TuningSection &section : sections)
    tunings.push_back(describe(module, image, section));
  return tunings;
}
