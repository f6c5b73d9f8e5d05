//===- RunSettings.h - How a run was begun ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints note all that decides what a run gives, so that --resume needs to be told nothing again.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNSETTINGS_H
#define GNN_TOOLS_TRAIN_RUNSETTINGS_H

#include "tools/gnn-train/Options.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnn::train_tool {

/// Whether a checkpoint can have this text in its metadata, which are JSON.
bool canBeNoted(const std::string &text);

/// Notes in the checkpoints of a run beside its recipe and progress. `run` has options with all defaults and choices;
/// `dataDigest` is that of DataDigest.h.
std::map<std::string, std::string> notesOf(const rt::TrainingOptions &run, uint64_t dataDigest);

/// The options with which a run goes on: as its checkpoint notes where the command line says nothing. Other values on
/// the command line are taken, and listed in `changes`, or throw GNN_ERROR_MISMATCH, as TrainingOptions.def says;
/// another model throws it, too.
TrainOptions resumedOptions(const TrainOptions &options, const std::string &checkpoint,
                            std::vector<std::string> &changes);

/// Throws GNN_ERROR_MISMATCH if a run that goes on was begun on other data.
void requireSameData(uint64_t dataDigest, const TrainOptions &options, const std::string &checkpoint);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNSETTINGS_H
