//===- Prediction.cpp - How long a streamed run would take ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Prediction.h"

namespace gnn::rt {

BusyTimes rehearsed(Streamed &streamed, const Prices &prices, const Lanes::Watch &told) {
  BusyWatch watch;
  const double seconds = streamed.rehearse(prices, [&](const LaneSpan &span) {
    watch.note(span);
    if (told)
      told(span);
  });
  BusyTimes times = watch.take();
  times.seconds = seconds;
  return times;
}

BusyTimes predict(Streamed &streamed, const DiskRates *rates, double trialSeconds, const Lanes::Watch &told) {
  Prices prices(rates);
  streamed.runSome(trialSeconds, [&](const LaneSpan &span) { prices.note(span); });
  return rehearsed(streamed, prices, told);
}

} // namespace gnn::rt
