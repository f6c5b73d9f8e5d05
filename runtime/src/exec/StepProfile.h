//===- StepProfile.h - Time of the steps of a program -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that each step took, as executors measure it, and its report.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_STEPPROFILE_H
#define GNN_EXEC_STEPPROFILE_H

#include "runtime/src/program/Library.h"

#include <map>
#include <string>
#include <vector>

namespace gnn::rt {

/// The name of a step's kernel; a product is named after its result.
std::string stepName(const Library &library, const gnn_step_t &step);

class StepProfile {
public:
  StepProfile(const Library &library, const gnn_program_t &program);

  void note(uint32_t step, double seconds);
  /// Notes the time of an executor's work outside of steps, by name.
  void note(const std::string &work, double seconds);
  void endRun() { ++runs; }

  /// One line a step, slowest first: mean milliseconds, share, those of the quickest run, name, phase and layer.
  std::string text() const;
  /// The least seconds that a step of the program took in any run.
  double leastSeconds(uint32_t step) const { return steps[step].least; }
  /// Seconds of the last run by name.
  std::map<std::string, double> last() const;

private:
  struct Step {
    std::string name, place;
    double seconds = 0, least = 0, last = 0; // all runs together, the quickest, the last
  };

  static void note(Step &step, double seconds);

  std::vector<Step> steps; // and other work behind them
  int64_t runs = 0;
};

} // namespace gnn::rt

#endif // GNN_EXEC_STEPPROFILE_H
