//===- Prediction.cpp - How long a streamed run would take ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prediction.h"

#include "runtime/src/stream/Prices.h"

namespace gnn::rt {

Prediction predict(Streamed &streamed, const DiskRates *rates, double trialSeconds, const Lanes::Watch &told) {
  Prices prices(rates);
  streamed.runSome(trialSeconds, [&](const LaneSpan &span) { prices.note(span); });
  Prediction prediction;
  prediction.seconds = streamed.rehearse(prices, [&](const LaneSpan &span) {
    prediction.busy[unsigned(span.order.queue)] += span.end - span.begin;
    if (told)
      told(span);
  });
  return prediction;
}

} // namespace gnn::rt
