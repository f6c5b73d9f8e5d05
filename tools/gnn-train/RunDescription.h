//===- RunDescription.h - What a run says of its steps ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether steps are over the whole graph, streamed or on samples decides what a run says of them, and on nothing else.
// Each source of steps has a description.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNDESCRIPTION_H
#define GNN_TOOLS_TRAIN_RUNDESCRIPTION_H

#include "runtime/src/train/Training.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

struct Problem;

class RunDescription {
public:
  /// Describes a training, which must outlive it.
  static std::unique_ptr<RunDescription> of(Problem &problem, const rt::Training &training);
  virtual ~RunDescription() = default;

  /// Lines for people, before and after training.
  virtual std::vector<std::string> before() const = 0;
  virtual std::vector<std::string> after() const { return {}; }
  /// Adds to the JSON of a run that has ended.
  virtual void addTo(nlohmann::json &result) const = 0;
  /// Adds to the JSON of a plan what is known of steps on samples.
  virtual void addToPlan(nlohmann::json &) const {}
  /// Which rows steps are over, and why: of steps over graphs.
  virtual nlohmann::json rows() const { return nullptr; }
  /// Adds what ranks have read and written.
  virtual void addTraffic(nlohmann::json &) const {}
  /// Decisions that determine the bits of steps, in which ranks must be alike.
  virtual std::string decisions() const = 0;
  /// Sets the options that a checkpoint keeps, by what was chosen.
  virtual void settle(rt::TrainingOptions &run) const = 0;
  /// Whether the steps of the program can be timed one by one.
  virtual bool canProfile() const { return true; }
  /// The same after training, for the report.
  virtual bool canMeasureSteps() const { return false; }
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNDESCRIPTION_H
