//===- LaunchLog.cpp - Which kernel it may have been ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/LaunchLog.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

namespace gnn::rt {

namespace {

/// The users of a GPU in this process, and what ended their context.
struct Users {
  std::vector<LaunchLog *> logs;
  std::string fault;
};

/// Never destroyed: models may be closed while the process ends.
struct Registry {
  std::mutex mutex;
  std::map<int, Users> users; // by ordinal
};

Registry &registry() {
  static auto *all = new Registry;
  return *all;
}

/// "kernel a", "one of kernel a, kernel b (…)".
std::string textOf(const std::vector<std::string> &suspects) {
  constexpr size_t most = 8;
  if (suspects.empty())
    return "a kernel of another user of the device";
  std::string text = suspects.size() > 1 ? "one of " : "";
  for (size_t i = 0; i < std::min(suspects.size(), most); ++i)
    text += (i ? ", " : "") + suspects[i];
  if (suspects.size() > most)
    text += " and " + std::to_string(suspects.size() - most) + " more";
  return text + (suspects.size() > 1 ? " (GNN_NAME_FAULTS=1 in the environment says which)" : "");
}

} // namespace

LaunchLog::LaunchLog(int index) : ordinal(index) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  registry().users[ordinal].logs.push_back(this);
}

LaunchLog::~LaunchLog() {
  std::lock_guard<std::mutex> lock(registry().mutex);
  std::vector<LaunchLog *> &logs = registry().users[ordinal].logs;
  logs.erase(std::find(logs.begin(), logs.end(), this));
  if (logs.empty()) // and with it the context
    registry().users.erase(ordinal);
}

bool LaunchLog::tellsAll() {
  const char *given = std::getenv("GNN_NAME_FAULTS");
  return given && *given && std::string(given) != "0";
}

void LaunchLog::setProgress(volatile uint32_t *counter) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  progress = counter;
}

uint32_t LaunchLog::addName(std::string name) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  names.push_back(std::move(name));
  untold.push_back(false);
  return uint32_t(names.size() - 1);
}

void LaunchLog::noteUntold(const std::vector<uint32_t> &kernels) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  for (uint32_t kernel : kernels)
    untold[kernel] = true;
  hasUntold |= !kernels.empty();
}

void LaunchLog::noteEnd() {
  std::lock_guard<std::mutex> lock(registry().mutex);
  *progress = 0;
  if (hasUntold)
    untold.assign(untold.size(), false);
  hasUntold = false;
}

/// The registry is locked.
std::vector<std::string> LaunchLog::suspects() const {
  std::vector<std::string> result;
  const uint32_t begun = progress ? *progress : 0;
  for (uint32_t i = 0; i < names.size(); ++i)
    if (untold[i] || i + 1 == begun)
      result.push_back(names[i]);
  return result;
}

std::string LaunchLog::faultOf(const std::string &error) {
  std::lock_guard<std::mutex> lock(registry().mutex);
  Users &users = registry().users[ordinal];
  if (!users.fault.empty())
    return users.fault;
  std::vector<std::string> all;
  for (const LaunchLog *log : users.logs)
    for (std::string &name : log->suspects())
      if (std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(std::move(name));
  return users.fault = textOf(all) + " failed: " + error;
}

std::string LaunchLog::knownFault() const {
  std::lock_guard<std::mutex> lock(registry().mutex);
  return registry().users[ordinal].fault;
}

} // namespace gnn::rt
