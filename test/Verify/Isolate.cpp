//===- Isolate.cpp - A trial in a process of its own ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Isolate.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnnc::verify {

/// Processor time, as a busy machine makes nothing slower of it; one that sleeps for good is for who started us to end.
static constexpr rlim_t secondsAllowed = 120;

static void writeAll(int pipe, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(pipe, bytes.data() + done, bytes.size() - done);
    if (count <= 0)
      return;
    done += count;
  }
}

static std::string readAll(int pipe) {
  std::string bytes;
  char buffer[4096];
  for (ssize_t count; (count = read(pipe, buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, count);
  return bytes;
}

/// Numbers as they lie in memory, then the text.
static std::string pack(const TrialResult &result) {
  const int64_t numbers[] = {result.scenarios, result.nearTies, result.cancellations, result.withoutBound,
                             result.arrays};
  return std::string(reinterpret_cast<const char *>(numbers), sizeof numbers) + result.failure;
}

static TrialResult unpack(const std::string &bytes) {
  int64_t numbers[5];
  std::memcpy(numbers, bytes.data(), sizeof numbers);
  return {bytes.substr(sizeof numbers), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

TrialResult isolate(llvm::function_ref<TrialResult()> trial) {
  int ends[2];
  if (pipe(ends) != 0)
    return {"cannot make a pipe"};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const rlimit limit = {secondsAllowed, secondsAllowed};
    setrlimit(RLIMIT_CPU, &limit);
    writeAll(ends[1], pack(trial()));
    std::exit(0); // and not _exit, which would lose what coverage has counted
  }
  close(ends[1]);
  const std::string bytes = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return {"cannot start a process"};
  if (WIFSIGNALED(status))
    return {std::string("ended by ") + strsignal(WTERMSIG(status))};
  if (bytes.size() < 5 * sizeof(int64_t))
    return {"ended early"};
  return unpack(bytes);
}

} // namespace gnnc::verify
