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

/// Notes in the checkpoints of a run beside its recipe and progress; `dataDigest` is that of DataDigest.h.
/// Whether a checkpoint can have this text in its metadata, which are JSON.
bool canBeNoted(const std::string &text);

/// Words as the notes of a checkpoint have them, such as values of dimensions.
std::string joined(const std::vector<std::string> &words);

std::map<std::string, std::string> notesOf(const TrainOptions &options, uint64_t dataDigest);

/// The options with which a run goes on: as its checkpoint notes where the command line says nothing. What it says else
/// of epochs, patience, learning rate, device and instruction set is taken, and told in `changes`; another model or
/// other settings throw GNN_ERROR_MISMATCH.
TrainOptions resumedOptions(const TrainOptions &options, const std::string &checkpoint,
                            std::vector<std::string> &changes);

/// Throws GNN_ERROR_MISMATCH if a run that goes on was begun on other data.
void requireSameData(uint64_t dataDigest, const TrainOptions &options, const std::string &checkpoint);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNSETTINGS_H
