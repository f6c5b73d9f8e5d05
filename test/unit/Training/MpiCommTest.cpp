//===- MpiCommTest.cpp - Ranks that are connected by MPI ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over an MPI of our own, whose ranks are threads: it is no more patient than it must be. What is large is sent when
// it is received, requests and their buffers are looked at when they are done, and a rank may be out of reach.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/MpiComm.h"
#include "tools/gnn-train/Launched.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

using namespace gnn::rt;
using namespace gnn::train_tool;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr int largestEager = 1000;

struct Request {
  int channel = 0, from = 0, to = 0, tag = 0, bytes = 0;
  const void *source = nullptr; // of a send
  void *target = nullptr;       // of a receive
  bool isDone = false;
};

/// All that is under way between the ranks.
struct World {
  std::mutex mutex;
  std::map<gnn_mpi_request_t, Request> requests;
  std::deque<std::pair<Request, gnn_mpi_request_t>> sends, receives; // that have not met; 0: a send that is done
  std::map<gnn_mpi_request_t, std::vector<char>> eager;
  gnn_mpi_request_t next = 1;
  std::atomic<int> unreachable{-1};
} world;
thread_local int self;

/// Under the mutex: the first of those that have not met which fits.
bool meets(const Request &send, const Request &receive) {
  return send.channel == receive.channel && send.to == receive.to &&
         (receive.from == GNN_MPI_ANY_RANK || receive.from == send.from);
}
void deliver(const Request &send, gnn_mpi_request_t sent, gnn_mpi_request_t received) {
  Request &receive = world.requests.at(received);
  if (send.bytes > receive.bytes)
    std::abort(); // what MPI calls truncated
  std::memcpy(receive.target, send.source, size_t(send.bytes));
  receive.from = send.from;
  receive.tag = send.tag;
  receive.bytes = send.bytes;
  receive.isDone = true;
  if (auto found = world.requests.find(sent); found != world.requests.end())
    found->second.isDone = true;
}

void library(char *text) { std::strcpy(text, "an MPI of threads"); }
void describe(int error, char *text) { std::strcpy(text, error == 7 ? "out of reach" : "something else"); }
int start(int *, int *) { return 0; }
int finish() { return 0; }

int send(int channel, int to, int tag, const void *from, int bytes, gnn_mpi_request_t *request) {
  if (to == world.unreachable)
    return 7;
  std::lock_guard<std::mutex> lock(world.mutex);
  *request = world.next++;
  Request own{channel, self, to, tag, bytes, from, nullptr, bytes <= largestEager};
  world.requests[*request] = own;
  for (auto at = world.receives.begin(); at != world.receives.end(); ++at)
    if (meets(own, at->first)) {
      deliver(own, *request, at->second);
      world.receives.erase(at);
      return 0;
    }
  if (own.isDone) {
    auto &kept = world.eager[*request];
    kept.assign(static_cast<const char *>(from), static_cast<const char *>(from) + bytes);
    own.source = kept.data();
  }
  world.sends.emplace_back(own, *request);
  return 0;
}

int receive(int channel, int from, void *to, int most, gnn_mpi_request_t *request) {
  std::lock_guard<std::mutex> lock(world.mutex);
  *request = world.next++;
  const Request own{channel, from, self, 0, most, nullptr, to, false};
  world.requests[*request] = own;
  for (auto at = world.sends.begin(); at != world.sends.end(); ++at)
    if (meets(at->first, own)) {
      deliver(at->first, at->second, *request);
      world.eager.erase(at->second);
      world.sends.erase(at);
      return 0;
    }
  world.receives.emplace_back(own, *request);
  return 0;
}

int test(gnn_mpi_request_t *request, gnn_mpi_status_t *status) {
  std::lock_guard<std::mutex> lock(world.mutex);
  const Request &own = world.requests.at(*request);
  *status = {own.isDone, own.from, own.tag, own.bytes};
  if (own.isDone)
    world.requests.erase(*request);
  return 0;
}

int cancel(gnn_mpi_request_t *request) {
  std::lock_guard<std::mutex> lock(world.mutex);
  for (auto at = world.receives.begin(); at != world.receives.end(); ++at)
    if (at->second == *request) {
      world.receives.erase(at);
      world.requests.erase(*request);
      return 0;
    }
  return 1;
}

const gnn_mpi_t functions{GNN_MPI_VERSION, library, describe, start, finish, send, receive, test, cancel};

/// What each rank has thrown: "" or the message. A rank that throws tells the others.
std::vector<std::string> overMpi(int ranks, milliseconds patience, const std::function<void(Comm &)> &body) {
  world.requests.clear();
  world.sends.clear();
  world.receives.clear();
  world.eager.clear();
  std::vector<std::string> messages(static_cast<size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      self = rank;
      MpiComm comm(functions, rank, ranks, patience);
      try {
        body(comm);
      } catch (const std::exception &error) {
        messages[size_t(rank)] = error.what();
        comm.abort(error.what());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return messages;
}

std::string bytesOf(int rank, size_t count) {
  std::string text(count, '\0');
  for (size_t i = 0; i < count; ++i)
    text[i] = char(i * 7 + size_t(rank) * 31 + i / 1000);
  return text;
}

void clearLauncher() {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_RANK",
                           "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"})
    unsetenv(name);
}

std::optional<Launched> launchedWith(const std::vector<std::pair<const char *, const char *>> &variables) {
  clearLauncher();
  for (const auto &[name, value] : variables)
    setenv(name, value, 1);
  struct End {
    ~End() { clearLauncher(); }
  } end;
  return Launched::find();
}

} // namespace

TEST_CASE("over MPI ranks send each other pieces of any size, all at once, in order, and count them") {
  const std::vector<size_t> sizes{1, 0, 17, 256 << 10, (256 << 10) + 1, 3000000};
  const size_t sum = 1 + 17 + 2 * (256 << 10) + 1 + 3000000;
  CHECK(overMpi(3, seconds(20), [&](Comm &comm) {
          for (int round = 0; round < 3; ++round) {
            std::vector<std::vector<std::string>> received(3);
            std::vector<std::string> sent;
            for (size_t size : sizes)
              sent.push_back(bytesOf(comm.rank() + round, size));
            std::vector<Comm::Send> sends;
            std::vector<Comm::Receive> receives;
            for (int other = 0; other < 3; ++other)
              for (size_t i = 0; i < sizes.size() && other != comm.rank(); ++i) {
                sends.push_back({other, sent[i]});
                received[size_t(other)].reserve(sizes.size());
                received[size_t(other)].push_back(std::string(sizes[i], '\0'));
                receives.push_back({other, Span<char>(received[size_t(other)].back())});
              }
            comm.exchange(sends, receives, "round " + std::to_string(round));
            for (int other = 0; other < 3; ++other)
              for (size_t i = 0; i < sizes.size() && other != comm.rank(); ++i)
                if (received[size_t(other)][i] != bytesOf(other + round, sizes[i]))
                  throw std::runtime_error("other bytes");
          }
          if (comm.traffic().sent != 6 * sum || comm.traffic().received != 6 * sum)
            throw std::runtime_error("counted wrong");
          if (comm.greatest(10 - comm.rank(), "the greatest") != 10 ||
              comm.broadcast(comm.rank() == 0 ? "zero" : "", "rank 0's") != "zero")
            throw std::runtime_error("not what all have");
        }) == std::vector<std::string>(3));
}

TEST_CASE("over MPI a rank that ends says why to those who wait for it, and for another") {
  const std::vector<std::string> messages = overMpi(3, seconds(20), [](Comm &comm) {
    if (comm.rank() == 1)
      throw std::runtime_error("rank 1: no more memory");
    std::string there(3000000, '\0');
    comm.exchange({}, {{comm.rank() == 0 ? 1 : 0, Span<char>(there)}}, "rows of h");
  });
  CHECK(messages == std::vector<std::string>(3, "rank 1: no more memory"));
}

TEST_CASE("over MPI who waits by other means hears of ranks that end") {
  const std::vector<std::string> messages = overMpi(2, seconds(20), [](Comm &comm) {
    if (comm.rank() == 1)
      throw std::runtime_error("rank 1: no more memory");
    for (;; std::this_thread::sleep_for(milliseconds(1)))
      comm.hear({1}, "rows of h");
  });
  CHECK(messages == std::vector<std::string>(2, "rank 1: no more memory"));
}

TEST_CASE("over MPI a rank that says nothing is waited for as long as is allowed, and named with what it owes") {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> messages = overMpi(2, milliseconds(300), [](Comm &comm) {
    if (comm.rank() == 0)
      comm.greatest(1, "whether to go on");
  });
  CHECK(messages[0] == "rank 1 said nothing for 0.3 seconds while rank 0 waited for whether to go on");
  CHECK(std::chrono::steady_clock::now() - begin < seconds(5));
}

TEST_CASE("over MPI ranks that do not do the same are found out, and what MPI reports is told") {
  auto together = [](const char *zeros, const char *ones, size_t bytes) {
    return overMpi(2, seconds(20), [&](Comm &comm) {
      std::string mine(4, '\0'), theirs(comm.rank() == 0 ? 4 : bytes, '\0');
      const int other = 1 - comm.rank();
      comm.exchange({{other, mine}}, {{other, Span<char>(theirs)}}, comm.rank() == 0 ? zeros : ones);
    });
  };
  CHECK(together("rows of a", "rows of a", 4) == std::vector<std::string>(2));
  for (const std::string &message : together("rows of a", "rows of b", 4))
    CHECK_THAT(message, Catch::Contains("it sent something else than rows of"));
  CHECK_THAT(together("rows of a", "rows of a", 5)[1], Catch::Contains("it sent something else than rows of a"));
  world.unreachable = 1;
  const std::string message = together("rows of a", "rows of a", 4)[0];
  world.unreachable = -1;
  CHECK(message == "rank 1 can't be reached while rank 0 waited for rows of a: out of reach");
}

TEST_CASE("what launchers say of their processes") {
  CHECK(!launchedWith({}));
  const auto open =
      launchedWith({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  CHECK((open && open->rank == 3 && open->size == 8 && open->ranksHere == 4));
  const auto mpich = launchedWith({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}});
  CHECK((mpich && mpich->rank == 1 && mpich->size == 2 && mpich->ranksHere == 2));
  const auto slurm = launchedWith({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}});
  CHECK((slurm && slurm->by == "srun" && slurm->rank == 1 && slurm->size == 2));
  // One process: a batch script of a job for four, and mpirun -n 1 within one that is not.
  CHECK(!launchedWith({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}));
  CHECK(!launchedWith({{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}));
  CHECK_THROWS_WITH(launchedWith({{"PMI_RANK", "one"}, {"PMI_SIZE", "2"}}),
                    "PMI_RANK is 'one': expected a number from 0");
  CHECK_THROWS_WITH(launchedWith({{"PMI_RANK", "2"}, {"PMI_SIZE", "2"}}), "PMI_RANK is 2, and PMI_SIZE is 2");
}
