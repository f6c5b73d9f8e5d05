//===- Launcher.cpp - The ranks of one host -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Launcher.h"

#include "runtime/src/comm/SocketComm.h"
#include "runtime/src/core/Guard.h"
#include "support/RunTool.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace gnn::train_tool {

namespace {

constexpr size_t mostRanks = 64;
/// What a rank has to find out by itself that another has ended.
constexpr std::chrono::milliseconds grace(5000);

std::array<volatile pid_t, mostRanks> processes; // 0: none
volatile std::sig_atomic_t firstSignal = 0;

/// Ranks take SIGTERM as what it is here; a terminal's Ctrl-C, which it sends to them as well, they ignore.
void passOn(int number) {
  const int error = errno;
  if (firstSignal == 0)
    firstSignal = number;
  for (volatile pid_t &process : processes)
    if (process > 0)
      kill(process, SIGTERM);
  if (number == SIGINT)
    std::signal(SIGINT, SIG_DFL); // the next one ends this process, and with it all of them
  errno = error;
}

void passOnUnlessIgnored(int number) {
  struct sigaction action {};
  sigaction(number, nullptr, &action);
  if (action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = passOn;
  sigaction(number, &action, nullptr);
}

/// What a rank says of its end by its pipe: a line for what it is, then the message.
struct LastWords {
  bool areThere = false, isOfAnother = false; // that another rank has ended
  std::string message;
};

struct Rank {
  pid_t process = 0;
  rt::Socket words; // the reading end
  bool hasEnded = false, wasKilled = false;
  int status = 0;
  LastWords last;
};

void writeWords(int pipe, bool isOfAnother, const char *message) {
  const std::string text = (isOfAnother ? "o" : "s") + std::string(message).substr(0, 60000);
  size_t at = 0;
  for (ssize_t done; at < text.size() && (done = write(pipe, text.data() + at, text.size() - at)) > 0;)
    at += size_t(done);
}

/// In the process of a rank. The message is for whoever started it.
int beRank(rt::Comm &comm, const rt::Socket &words, const std::function<int(rt::Comm &)> &body) {
  try {
    return runRank(comm, body);
  } catch (const rt::RankLost &error) {
    writeWords(words.get(), true, error.what());
    return tools::exitCodeOf(error.code());
  } catch (const Error &error) {
    writeWords(words.get(), false, error.what());
    return tools::exitCodeOf(error.code());
  } catch (const std::bad_alloc &) {
    writeWords(words.get(), false, "out of memory");
    return tools::exitSystem;
  } catch (const std::runtime_error &error) { // of threads for oneTBB, as in reportException
    writeWords(words.get(), false, error.what());
    return tools::exitSystem;
  } catch (const std::exception &error) {
    writeWords(words.get(), false, error.what());
    return tools::exitInternal;
  }
}

LastWords readWords(int pipe) {
  std::string text;
  char piece[4096];
  for (ssize_t done; (done = read(pipe, piece, sizeof piece)) > 0 || (done < 0 && errno == EINTR);)
    text.append(piece, size_t(std::max<ssize_t>(done, 0)));
  return text.empty() ? LastWords() : LastWords{true, text[0] == 'o', text.substr(1)};
}

/// Notes the next rank that ends; false if none has, or a signal came.
bool reapOne(std::vector<Rank> &ranks, bool mayWait) {
  int status = 0;
  const pid_t process = waitpid(-1, &status, mayWait ? 0 : WNOHANG);
  for (size_t i = 0; i < ranks.size(); ++i)
    if (process > 0 && ranks[i].process == process) {
      processes[i] = 0;
      ranks[i].hasEnded = true;
      ranks[i].status = status;
      ranks[i].last = readWords(ranks[i].words.get());
      return true;
    }
  return false;
}

bool hasFailed(const Rank &rank) { return rank.hasEnded && (WIFSIGNALED(rank.status) || rank.last.areThere); }

/// Returns when all have ended. After a failure the rest have a moment, then they are killed.
void awaitAll(std::vector<Rank> &ranks) {
  auto isLeft = [&] {
    return std::any_of(ranks.begin(), ranks.end(), [](const Rank &rank) { return !rank.hasEnded; });
  };
  std::chrono::milliseconds left = grace;
  constexpr std::chrono::milliseconds moment(10);
  while (isLeft()) {
    const bool isOver = std::any_of(ranks.begin(), ranks.end(), hasFailed);
    if (reapOne(ranks, /*mayWait=*/!isOver) || !isOver)
      continue;
    rt::Deadline(moment).poll(nullptr, 0);
    left -= moment;
    if (left.count() > 0)
      continue;
    for (Rank &rank : ranks)
      if (!rank.hasEnded && !rank.wasKilled) {
        rank.wasKilled = true;
        kill(rank.process, SIGKILL);
      }
  }
}

std::string textOf(size_t number, const Rank &rank) {
  const std::string name = "rank " + std::to_string(number);
  if (!WIFSIGNALED(rank.status))
    return number == 0 || rank.last.isOfAnother ? rank.last.message : name + ": " + rank.last.message;
  const int signal = WTERMSIG(rank.status);
  return name + " was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")" +
         (signal == SIGKILL ? ", as the system does where memory is short" : "");
}

/// The first of the worst kind: ended by a signal, by a fault of its own, by that of another.
const Rank *causeOf(const std::vector<Rank> &ranks) {
  const Rank *found = nullptr;
  auto weight = [](const Rank &rank) { return WIFSIGNALED(rank.status) ? 3 : !rank.last.isOfAnother ? 2 : 1; };
  for (const Rank &rank : ranks)
    if (hasFailed(rank) && !rank.wasKilled && (!found || weight(rank) > weight(*found)))
      found = &rank;
  return found;
}

} // namespace

int runRank(rt::Comm &comm, const std::function<int(rt::Comm &)> &body) {
  try {
    return body(comm);
  } catch (const rt::RanksDiffer &) {
    throw;
  } catch (const rt::RankLost &error) {
    comm.abort(error.what());
    throw;
  } catch (const std::exception &error) {
    comm.abort("rank " + std::to_string(comm.rank()) + ": " + error.what());
    throw;
  }
}

int launchRanks(int count, std::chrono::milliseconds patience, const std::function<int(rt::Comm &)> &body) {
  std::vector<std::vector<rt::Socket>> sockets = rt::pairUp(count);
  std::vector<Rank> ranks(static_cast<size_t>(count));
  const pid_t parent = getpid();
  std::fflush(nullptr);
  for (size_t i = 0; i < ranks.size(); ++i) {
    int ends[2];
    rt::require(pipe2(ends, O_CLOEXEC) == 0, GNN_ERROR_IO, "cannot start ranks: ", std::strerror(errno));
    ranks[i].words = rt::Socket(ends[0]);
    rt::Socket words(ends[1]);
    const pid_t process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) // it was faster
        _exit(tools::exitSystem);
      std::signal(SIGINT, SIG_IGN);
      std::vector<rt::Socket> own = std::move(sockets[i]);
      sockets.clear();
      ranks.clear();
      if (i > 0 && !std::freopen("/dev/null", "w", stdout)) // rank 0 speaks
        _exit(tools::exitSystem);
      rt::SocketComm comm(int(i), std::move(own), patience);
      return beRank(comm, words, body);
    }
    const int error = errno;
    for (size_t k = 0; k < i && process < 0; ++k)
      kill(ranks[k].process, SIGKILL);
    rt::require(process > 0, GNN_ERROR_MEMORY, "cannot start rank ", i, ": ", std::strerror(error));
    ranks[i].process = process;
    processes[i] = process;
  }
  sockets.clear(); // so that ranks see each other's end
  for (int number : {SIGINT, SIGTERM, SIGHUP})
    passOnUnlessIgnored(number);
  awaitAll(ranks);
  const Rank *cause = causeOf(ranks);
  if (!cause)
    return firstSignal != 0 && WEXITSTATUS(ranks[0].status) != 0 ? 128 + firstSignal : WEXITSTATUS(ranks[0].status);
  if (firstSignal != 0 && WIFSIGNALED(cause->status) && WTERMSIG(cause->status) == SIGTERM) // before it could catch it
    return 128 + firstSignal;
  return tools::reportError("gnn-train", textOf(size_t(cause - ranks.data()), *cause).c_str(),
                            WIFSIGNALED(cause->status) ? tools::exitSystem : WEXITSTATUS(cause->status));
}

} // namespace gnn::train_tool
