//===- Schedule.h - Learning rates over epochs ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which factor the learning rate of an epoch differs from the one that was asked for. It depends on nothing but the
// number of the epoch and, for a plateau, on how often validation has stood still, so a resumed run has the same rates.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_SCHEDULE_H
#define GNN_TRAIN_SCHEDULE_H

#include <cstdint>
#include <string>

namespace gnn::rt {

class Schedule {
public:
  /// `constant`; `cosine` or `cosine=EPOCHS`: down to 0 by half a cosine; `step=EPOCHS` or `step=EPOCHS,FACTOR`: times
  /// FACTOR (0.1) every EPOCHS epochs; `plateau=EPOCHS` or `plateau=EPOCHS,FACTOR`: times FACTOR when so many epochs
  /// had no better validation result. Before it the rate rises in a line for `warmUp` epochs, at least 0. Throws
  /// GNN_ERROR_ARGUMENT for other text.
  static Schedule parse(const std::string &text, int64_t warmUp = 0);
  /// That text, with all that it may leave out but the length of a cosine.
  std::string text() const;
  int64_t warmUpEpochs() const { return warmUp; }

  /// The factor on the learning rate in `epoch`, counted from 0. `epochs` is the total number, `cuts` how many plateaus
  /// have ended.
  double factor(int64_t epoch, int64_t epochs, int64_t cuts) const;
  /// Epochs without a better result after which a plateau ends; 0: this is no plateau.
  int64_t plateauEpochs() const { return kind == Kind::Plateau ? length : 0; }

private:
  enum class Kind { Constant, Cosine, Step, Plateau };
  Kind kind = Kind::Constant;
  int64_t length = 0; // of a cosine 0: all epochs
  double rest = 1;    // of the rate after a step or plateau
  int64_t warmUp = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_SCHEDULE_H
