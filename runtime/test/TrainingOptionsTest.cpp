//===- TrainingOptionsTest.cpp - The table of options and its rules -------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/TrainingOptions.h"

#include "runtime/src/core/Guard.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace gnn::rt;
using Catch::Matchers::Contains;
using gnn::Error;

namespace {

const OptionSpelling flags, fields{/*asFields=*/true};

TrainingFacts onProcessor() {
  TrainingFacts facts;
  facts.model = "GCN";
  facts.device = "cpu";
  facts.gpu = facts.severalGpus = facts.links = false;
  return facts;
}

TrainingFacts onGpu() {
  TrainingFacts facts = onProcessor();
  facts.device = "cuda:0";
  facts.gpu = true;
  return facts;
}

/// The message of the first rule that the options break; empty if there is none.
std::string refusal(const TrainingOptions &options, const TrainingFacts &facts, const OptionSpelling &spelling) {
  try {
    checkRules(options, facts, spelling);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("rows of the table of options have names of their own") {
  std::set<std::string> longFlags, notes, cFields;
  for (const TrainingOption &option : trainingOptions()) {
    INFO(option.flag);
    CHECK(longFlags.insert(option.longFlag()).second);
    CHECK((!*option.note || notes.insert(option.note).second));
    CHECK((!*option.field || cFields.insert(option.field).second));
    CHECK(std::string(option.help) != "");
    CHECK(!isGiven(TrainingOptions(), option));
    CHECK(&optionOf(option.member) == &option);
  }
  CHECK(longFlags.count("--dim"));
  CHECK(optionOf(&TrainingOptions::weightDecay).configKey() == "weight_decay");
  CHECK(cFields.size() == 19); // all of gnn_trainer_options_t but `size`
}

TEST_CASE("options of C are given where they differ from their defaults") {
  for (const TrainingOption &option : trainingOptions())
    CHECK(!isGiven(trainingOptionsOf(noTrainerOptions()), option));
  gnn_trainer_options_t given = noTrainerOptions();
  given.learning_rate = 0;
  given.weight_decay = -3;
  given.most_norm = NAN;
  given.fan_outs = "cites=15,10 5";
  given.memory_bytes = 1000;
  const TrainingOptions options = trainingOptionsOf(given);
  CHECK(options.learningRate == 0.0);
  CHECK(!options.weightDecay);
  CHECK(std::isnan(options.clip.value_or(0))); // is refused where the optimizer is made
  CHECK(textOf(options, optionOf(&TrainingOptions::fanOuts)) == "cites=15,10 5");
  CHECK(options.memoryBytes == uint64_t(1000));

  given.shares = 1025;
  CHECK_THROWS_WITH(trainingOptionsOf(given), Contains("shares is 1025, expected 1 to 1024"));
  given.shares = 0;
  given.batch = -1;
  CHECK_THROWS_WITH(trainingOptionsOf(given), Contains("batch is -1, expected 1 or more"));
}

TEST_CASE("a rule speaks to each caller in its own words") {
  TrainingOptions options;
  options.sampler = "labor";
  CHECK(refusal(options, onProcessor(), flags) == "--sampler requires --fanout");
  CHECK(refusal(options, onProcessor(), fields) == "gnn_trainer_options_t: sampler requires fan_outs");
  options.fanOuts = {"3,2"};
  CHECK(refusal(options, onProcessor(), flags).empty());

  options.intervals = 4;
  CHECK(refusal(options, onProcessor(), flags) == "--intervals with --fanout requires --memory or --device-memory");
  options.memoryBytes = 1 << 20;
  CHECK(refusal(options, onProcessor(), flags).empty());
  CHECK(refusal(options, onProcessor(), fields).empty()); // C callers limit the memory of samples, too
  CHECK(refusal(options, onGpu(), fields) ==
        "gnn_trainer_options_t: memory_bytes with a model on cuda:0 requires device_memory_bytes: it limits what lies "
        "beside the memory of a GPU");
}

TEST_CASE("rules hold by facts, and wait for those that are not known") {
  TrainingOptions options;
  options.deviceBytes = 1 << 20;
  CHECK(refusal(options, onProcessor(), flags) ==
        "--device-memory only applies to GPU runs (this run uses --device cpu)");
  CHECK(refusal(options, TrainingFacts(), flags).empty());
  CHECK(refusal(options, onGpu(), flags).empty());

  TrainingOptions links;
  links.negatives = 3;
  CHECK(refusal(links, onProcessor(), flags) == "--negatives only applies to models of links (GCN scores no pairs)");

  TrainingOptions reached;
  reached.rows = "reached";
  CHECK(refusal(reached, onProcessor(), flags).empty());
  CHECK_THAT(refusal(reached, onGpu(), flags), Contains("--rows reached excludes --device cuda:0"));
  reached.rows = "all";
  CHECK(refusal(reached, onGpu(), flags).empty());
}

TEST_CASE("numbers of ranks bound those of intervals and shares") {
  TrainingFacts facts = onProcessor();
  facts.severalRanks = true;
  TrainingOptions options;
  options.ranks = 3;
  options.intervals = 2;
  CHECK(refusal(options, facts, flags) == "--intervals 2 is less than --ranks 3: each rank has one at least");
  options.intervals = 3;
  CHECK(refusal(options, facts, flags).empty());
  options.profile = true;
  OptionSpelling launched;
  launched.ranks = "the ranks of mpirun";
  options.intervals.reset();
  CHECK(refusal(options, facts, launched) ==
        "--profile excludes the ranks of mpirun: it times steps over whole graphs");
}
