//===- Samples.h - Training on samples, as it is said -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of samples on the command line, and the reports about samples, as text and JSON.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_SAMPLES_H
#define GNN_TOOLS_TRAIN_SAMPLES_H

#include "runtime/src/train/StepSource.h"
#include "tools/gnn-train/Options.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

/// The plan of training on samples within a limit of memory.
std::string planText(const rt::SampledWithin &within);
nlohmann::json planJson(const rt::SampledWithin &within);
/// Counts of the rows that its batches have read.
std::string readText(const rt::SampledWithin &within);

/// How large batches are and how many an epoch has, by drawing them.
/// The same of a GPU's memory.
std::string planText(const rt::SampledOnDevice &onDevice);
std::string readText(const rt::SampledOnDevice &onDevice);
nlohmann::json planJson(const rt::SampledOnDevice &onDevice);
nlohmann::json batchJson(const rt::SampledSteps &steps);
/// "gpu", or "processor": who draws the edges of batches. And the same with what was drawn, or why it is not the GPU.
const char *drawnBy(const rt::Sampled &samples);
nlohmann::json drawsJson(const rt::Sampled &samples);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_SAMPLES_H
