//===- TrainingOptions.h - The options of training --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TrainingOptions.def as a struct of values, as a table, and as rules about combinations.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TRAININGOPTIONS_H
#define GNN_TRAIN_TRAININGOPTIONS_H

#include "gnn/model.h"
#include "runtime/src/core/Span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gnn::rt {

/// The largest number of ranks that train together.
constexpr int64_t mostRanks = 64;

/// How options are declared in TrainingOptions.def.
namespace option {

// Types of options. An option that is not given is empty, or false.
using Text = std::string;
using Texts = std::vector<std::string>;
using Whole = std::optional<int64_t>;
using Unsigned = std::optional<uint64_t>;
using Size = std::optional<uint64_t>; // bytes: 500MB, 8GB
using Real = std::optional<double>;   // at least 0
using Flag = bool;
enum class Type { Text, Texts, Whole, Unsigned, Size, Real, Flag };

/// Sections of the help, in this order.
enum class Group { Common, Training, Links, Samples, Memory, Processes, Machine, Folder };

/// Bits of the commands of gnn-train that have an option. Default: `Train`.
enum Command : unsigned { Train = 1, Evaluate = 2, Predict = 4, Plan = 8, Time = 16 };

/// How --resume treats an option.
enum class Resume {
  Kept,     // a checkpoint notes it; another value is refused
  Taken,    // a checkpoint notes it; another value is taken, and printed
  Filled,   // a checkpoint notes it, which counts where the command line has no value
  Forgotten // it belongs to the command, not to the run
};

/// How ranks that train together treat an option.
enum class InRanks {
  Own,        // each has its own
  Inherited,  // each has its own, or else that of rank 0
  Same,       // all must be given the same, and take what rank 0 makes of it
  SameContent // the same, but for the path of a file
};

} // namespace option

struct TrainingOptions {
#define OPTION(TYPE, member, ...) option::TYPE member{};
#include "runtime/src/train/TrainingOptions.def"
};

namespace option {

using Member = std::variant<Text TrainingOptions::*, Texts TrainingOptions::*, Whole TrainingOptions::*,
                            Unsigned TrainingOptions::*, Real TrainingOptions::*, Flag TrainingOptions::*>;
using FieldMember = std::variant<const char * gnn_trainer_options_t::*, int64_t gnn_trainer_options_t::*,
                                 uint64_t gnn_trainer_options_t::*, double gnn_trainer_options_t::*>;

} // namespace option

/// A row of TrainingOptions.def.
struct TrainingOption {
  option::Type type;
  option::Member member;
  const char *flag; // "--epochs"; "-D,--dim"
  option::Group group = option::Group::Training;
  unsigned commands = option::Train;
  const char *help = "", *value = ""; // `value`: what the help calls it; empty: by its type
  const char *choices = "";           // "sgd,adam,adamw"; empty: any text
  int64_t least = 0, most = INT64_MAX;
  option::Resume resume = option::Resume::Forgotten;
  const char *note = "";      // key in checkpoints
  const char *before = "";    // value of checkpoints that lack the note; "": any, null: the option was not given
  const char *forgotten = ""; // why checkpoints lack it
  option::InRanks inRanks = option::InRanks::Own;
  bool isPath = false;
  bool choosesDefault = false; // without a value, or with "auto", a run chooses one
  bool decidesNumbers = false;
  bool isInConfig = false;
  const char *field = ""; // in gnn_trainer_options_t; empty: none
  option::FieldMember fieldMember = static_cast<int64_t gnn_trainer_options_t::*>(nullptr);

  /// "--dim"
  std::string longFlag() const;
  /// Key in config.json: "dim", "weight_decay".
  std::string configKey() const;
};

/// All rows, in the order of the table.
Span<const TrainingOption> trainingOptions();
/// The row of a member: `optionOf(&TrainingOptions::epochs)`.
const TrainingOption &optionOf(const option::Member &member);

bool isGiven(const TrainingOptions &options, const TrainingOption &option);
/// The value as checkpoints note it and messages show it; empty if it is not given. A flag is "yes".
std::string textOf(const TrainingOptions &options, const TrainingOption &option);

/// The options of a C caller. Throws GNN_ERROR_ARGUMENT for a number outside the range of its option.
TrainingOptions trainingOptionsOf(const gnn_trainer_options_t &given);
/// No option is given.
gnn_trainer_options_t noTrainerOptions();

/// How messages call options, and facts about a run.
struct OptionSpelling {
  bool asFields = false;         // memory_bytes, not --memory
  std::string ranks = "--ranks"; // what started the ranks
  /// "--memory"; "" for an option that the caller does not have.
  std::string of(const TrainingOption &option) const;
};

/// Facts that rules refer to. A rule that depends on an unknown fact is not checked.
struct TrainingFacts {
  std::string model, device; // names for messages
  std::string noValidation;  // why there are no validation results, for messages
  std::optional<bool> gpu, severalGpus, links, severalRanks;
  std::optional<bool> launched;    // mpirun or srun has started this rank
  std::optional<bool> commandLine; // all options are on the command line, and none is a checkpoint's
  std::optional<bool> embedded;    // the caller has opened the engine by itself
  std::optional<bool> epochs;      // the run has a number of epochs
  std::optional<bool> validation;  // a split is evaluated after epochs
  std::optional<bool> caches;      // caches of GPUs are planned, and no run
};

/// Throws GNN_ERROR_ARGUMENT, or GNN_ERROR_MISMATCH where model or data are the reason, with a message that says what
/// does not go together and why.
void checkRules(const TrainingOptions &options, const TrainingFacts &facts, const OptionSpelling &spelling);

} // namespace gnn::rt

#endif // GNN_TRAIN_TRAININGOPTIONS_H
