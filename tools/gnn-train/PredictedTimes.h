//===- PredictedTimes.h - How long a run would take -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_PREDICTEDTIMES_H
#define GNN_TOOLS_TRAIN_PREDICTEDTIMES_H

#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/StreamChart.h"

namespace gnn::train_tool {

/// Predicted times of a streamed subject, whose model is initialized: seconds of a step and, in training, of an
/// evaluation, an epoch and all epochs, and what dominates them. Runs some intervals of each program for some seconds,
/// and then releases the data of the problem. `chart` receives an epoch.
nlohmann::json predictedTimes(Problem &problem, Subject &subject, StreamChart &chart);

/// The same of a subject that is not streamed, by running steps for about a second; an object without "step" where they
/// are not finite, with the reason as "failed". Changes the weights of the model.
nlohmann::json measuredTimes(Problem &problem, Subject &subject);

/// Predicted times for people: {"an epoch": "1.20 s", ...}.
nlohmann::json timesLines(const nlohmann::json &times);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_PREDICTEDTIMES_H
