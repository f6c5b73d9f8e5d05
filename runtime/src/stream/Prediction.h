//===- Prediction.h - How long a streamed run would take --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_PREDICTION_H
#define GNN_STREAM_PREDICTION_H

#include "runtime/src/stream/BusyTimes.h"
#include "runtime/src/stream/DiskRates.h"
#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/Streamed.h"

namespace gnn::rt {

/// Runs some intervals of a program, for about `trialSeconds` as far as that goes, and rehearses a run by what they
/// took. `rates`: of the disk, where the file will not be in the page cache; null: it will. What is bound must be in
/// the file, and parameters have values. `told` is told of all orders, from this thread.
BusyTimes predict(Streamed &streamed, const DiskRates *rates, double trialSeconds, const Lanes::Watch &told = {});

/// The same by orders of a run that were noted.
BusyTimes rehearsed(Streamed &streamed, const Prices &prices, const Lanes::Watch &told = {});

} // namespace gnn::rt

#endif // GNN_STREAM_PREDICTION_H
