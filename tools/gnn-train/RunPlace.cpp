//===- RunPlace.cpp - Where runs are kept ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunPlace.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace gnn::train_tool {

namespace {

constexpr const char *filesOfARun[] = {"last.safetensors", "best.safetensors", "metrics.jsonl", "loss.svg",
                                       "summary.json",     "config.json",      "console.log",   "steps.json",
                                       "stream.svg",       "report.html"};

void refuseOldRun(const std::string &folder) {
  std::error_code absent;
  for (const char *file : filesOfARun)
    rt::require(!fs::exists(folder + "/" + file, absent), GNN_ERROR_ARGUMENT, folder, " holds a run already (", file,
                "): --resume goes on with it, --exist-ok replaces it, another --run-dir keeps it");
}

/// Where unnamed runs go; empty: nowhere.
std::string folderOfUnnamed() {
  const char *given = std::getenv("GNN_RUNS");
  return given ? given : "runs";
}

std::string localTime() {
  std::time_t now = std::time(nullptr);
  std::tm fields{};
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d-%H%M%S", localtime_r(&now, &fields));
  return text;
}

} // namespace

RunPlace::RunPlace(const TrainOptions &options)
    : folder(options.runFolder), isUnnamed(options.runFolder.empty() && !options.keepsNothing),
      hasSeveral(options.runs.value_or(1) > 1) {
  if (options.resume)
    findCheckpoint();
  if (!isKept() || options.resume || options.existOk)
    return;
  for (int64_t run = 0; run < options.runs.value_or(1); ++run)
    refuseOldRun(of(options.seed.value_or(0) + uint64_t(run)));
}

void RunPlace::findCheckpoint() {
  std::error_code error;
  if (fs::exists(lastCheckpoint(folder), error)) {
    rt::require(!hasSeveral, GNN_ERROR_ARGUMENT, folder, " holds one run, which --runs can't go on with");
    found = lastCheckpoint(folder);
    return;
  }
  hasSeveral = true;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string checkpoint = lastCheckpoint(entry->path().string());
    if (entry->path().filename().string().rfind("seed-", 0) == 0 && fs::exists(checkpoint, error))
      found = std::max(found, checkpoint); // whichever: it is to be the same each time
  }
  rt::require(!found.empty(), GNN_ERROR_ARGUMENT, folder,
              " has no checkpoint to go on from; without --resume a run begins there");
}

void RunPlace::make(const std::string &model) {
  const std::string base = folderOfUnnamed();
  if (!isUnnamed || base.empty())
    return;
  const std::string stem = base + "/" + model + "-" + localTime();
  std::error_code error;
  fs::create_directories(base, error);
  folder = stem;
  for (int number = 2; !error && ::mkdir(folder.c_str(), 0777) != 0; ++number) {
    if (errno != EEXIST)
      error = {errno, std::generic_category()};
    folder = stem + "-" + std::to_string(number); // one that began in the same second has the name
  }
  rt::require(!error, GNN_ERROR_IO, "cannot make the run directory ", stem, ": ", error.message(),
              "; --run-dir names another, --no-run-dir keeps nothing of the run");
}

std::string RunPlace::of(uint64_t seed) const {
  return isKept() && hasSeveral ? folder + "/seed-" + std::to_string(seed) : folder;
}

std::string lastCheckpoint(const std::string &folder) { return folder + "/last.safetensors"; }

void removeRun(const std::string &folder) {
  for (const char *file : filesOfARun) {
    std::error_code error;
    fs::remove(folder + "/" + file, error);
    rt::require(!error, GNN_ERROR_IO, "cannot replace ", folder, "/", file, ": ", error.message());
  }
}

} // namespace gnn::train_tool
