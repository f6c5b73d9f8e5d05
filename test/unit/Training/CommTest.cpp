//===- CommTest.cpp - The processes of one run ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/test/AsRanks.h"
#include "tools/gnn-train/Rendezvous.h"

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <numeric>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>

using namespace gnn::rt;
using namespace gnn::train_tool;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const std::vector<std::string> nothing(3);

std::string bytesOf(int rank, size_t count) {
  std::string text(count, '\0');
  for (size_t i = 0; i < count; ++i)
    text[i] = char(i * 7 + size_t(rank) * 31 + i / 1000);
  return text;
}

/// A port that was free a moment ago.
std::string freePort() {
  const Socket socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  REQUIRE(bind(socket.get(), reinterpret_cast<sockaddr *>(&address), length) == 0);
  REQUIRE(getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &length) == 0);
  return std::to_string(ntohs(address.sin_port));
}

/// As asRanks, over TCP; `sizes` are what each takes the number of ranks for, `hosts` by what name it knows rank 0's.
std::vector<std::string> overTcp(const std::vector<int> &sizes, milliseconds patience,
                                 const std::function<void(Comm &)> &body, std::vector<std::string> hosts = {}) {
  const std::string port = freePort();
  hosts.resize(sizes.size(), "127.0.0.1");
  std::vector<std::string> messages(sizes.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < sizes.size(); ++rank)
    threads.emplace_back([&, rank] {
      try {
        std::this_thread::sleep_for(milliseconds(rank == 0 ? 50 : 0)); // some are there before who listens
        SocketComm comm(int(rank), connectRanks({hosts[rank], port}, int(rank), sizes[rank], patience), patience);
        body(comm);
      } catch (const std::exception &error) {
        messages[rank] = error.what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return messages;
}

void tellEachOther(Comm &comm) {
  const std::vector<std::string> all = comm.gather(bytesOf(comm.rank(), size_t(comm.rank()) * 5), "names");
  for (int rank = 0; rank < comm.size(); ++rank)
    if (all[size_t(rank)] != bytesOf(rank, size_t(rank) * 5))
      throw std::runtime_error("other bytes");
  if (comm.greatest(10 - comm.rank(), "the greatest") != 10)
    throw std::runtime_error("not the greatest");
  if (comm.broadcast(comm.rank() == 0 ? "zero" : "", "rank 0's") != "zero")
    throw std::runtime_error("not of rank 0");
}

} // namespace

TEST_CASE("ranks tell each other what they have, over sockets of one host and over TCP") {
  CHECK(asRanks(3, seconds(20), tellEachOther) == nothing);
  CHECK(overTcp({3, 3, 3}, seconds(20), tellEachOther) == nothing);
  CHECK(asRanks(1, seconds(20), tellEachOther) == std::vector<std::string>(1));
}

TEST_CASE("all ranks may send much at once, in messages of any size, and count it") {
  const std::vector<size_t> sizes{1, 0, 17, 300000, 5000000};
  const size_t sum = std::accumulate(sizes.begin(), sizes.end(), size_t(0));
  auto body = [&](Comm &comm) {
    std::vector<std::vector<std::string>> received(3);
    std::vector<std::string> sent;
    for (size_t size : sizes)
      sent.push_back(bytesOf(comm.rank(), size));
    std::vector<Comm::Send> sends;
    std::vector<Comm::Receive> receives;
    for (int other = 0; other < 3; ++other)
      for (size_t i = 0; i < sizes.size() && other != comm.rank(); ++i) {
        sends.push_back({other, sent[i]});
        received[size_t(other)].reserve(sizes.size());
        received[size_t(other)].push_back(std::string(sizes[i], '\0'));
        receives.push_back({other, Span<char>(received[size_t(other)].back())});
      }
    comm.exchange(sends, receives, "much");
    for (int other = 0; other < 3; ++other)
      for (size_t i = 0; i < sizes.size() && other != comm.rank(); ++i)
        if (received[size_t(other)][i] != bytesOf(other, sizes[i]))
          throw std::runtime_error("other bytes");
    if (comm.traffic().sent != 2 * sum || comm.traffic().received != 2 * sum)
      throw std::runtime_error("counted wrong");
  };
  CHECK(asRanks(3, seconds(20), body) == nothing);
  CHECK(overTcp({3, 3, 3}, seconds(20), body) == nothing);
}

TEST_CASE("a rank that is ahead waits with what it has for others") {
  CHECK(asRanks(3, seconds(20), [](Comm &comm) {
          for (int round = 0; round < 50; ++round) {
            if (comm.rank() == round % 3)
              std::this_thread::sleep_for(milliseconds(1));
            std::string mine = bytesOf(comm.rank() + round, 1000), theirs(1000, '\0');
            const int next = (comm.rank() + 1) % 3, before = (comm.rank() + 2) % 3;
            comm.exchange({{next, mine}}, {{before, Span<char>(theirs)}}, "round " + std::to_string(round));
            if (theirs != bytesOf(before + round, 1000))
              throw std::runtime_error("other bytes");
          }
        }) == nothing);
}

TEST_CASE("ranks that differ are named, in all ranks alike") {
  auto agree = [](const std::string &library, const std::string &plan) {
    return asRanks(3, seconds(20), [&](Comm &comm) {
      comm.agree({{"library", comm.rank() == 2 ? library : "a"}, {"plan", comm.rank() == 1 ? plan : "p"}});
    });
  };
  CHECK(agree("a", "p") == nothing);
  CHECK(agree("b", "p") == std::vector<std::string>(3, "rank 2 has another library than rank 0: b, not a"));
  CHECK(agree("b", "q") == std::vector<std::string>(3, "rank 1 has another plan than rank 0: q, not p"));
  CHECK(asRanks(2, seconds(20), [](Comm &comm) {
          comm.agree(comm.rank() == 0 ? std::vector<Comm::Item>{} : std::vector<Comm::Item>{{"--lr", "1"}});
        }) == std::vector<std::string>(2, "rank 1 has another --lr than rank 0: 1, not none"));
}

TEST_CASE("a rank that says nothing is waited for as long as is allowed, and named with what it owes") {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> messages = asRanks(2, milliseconds(300), [](Comm &comm) {
    if (comm.rank() == 1)
      std::this_thread::sleep_for(milliseconds(900));
    else
      comm.greatest(1, "who is the greatest");
  });
  CHECK(messages[0] == "rank 1 said nothing for 0.3 seconds while rank 0 waited for who is the greatest");
  CHECK(std::chrono::steady_clock::now() - begin < seconds(5));
}

TEST_CASE("a rank that fails in the middle of a table says why to all, also to those who wait for another") {
  for (size_t size : {size_t(10), size_t(3000000)}) {
    const std::vector<std::string> messages = asRanks(3, seconds(20), [&](Comm &comm) {
      std::string mine(size, 'x'), theirs(size, '\0');
      if (comm.rank() == 2) {
        std::thread late([&] { std::this_thread::sleep_for(milliseconds(100)); });
        late.join();
        throw std::runtime_error("rank 2: no space left");
      }
      if (comm.rank() == 1) // of rank 2 it wants nothing
        comm.exchange({}, {{0, Span<char>(theirs)}}, "the table");
      else // rank 2 takes nothing of it
        comm.exchange({{2, mine}, {1, mine}}, {{2, Span<char>(theirs)}}, "the table");
    });
    CHECK(messages[0] == "rank 2: no space left");
    CHECK((messages[1] == "rank 2: no space left" || messages[1].empty())); // it may have had all before
  }
}

TEST_CASE("a process that is killed is noticed at once by who waits for it, and who waits for that one") {
  std::vector<std::vector<Socket>> sockets = pairUp(3);
  const pid_t child = fork();
  if (child == 0) {
    sockets[0].clear();
    sockets[1].clear();
    std::vector<Socket> own = std::move(sockets[2]);
    SocketComm comm(2, std::move(own), seconds(20));
    kill(getpid(), SIGKILL);
  }
  sockets[2].clear();
  std::vector<std::string> messages(2);
  std::vector<std::thread> threads;
  const auto begin = std::chrono::steady_clock::now();
  for (int rank : {0, 1})
    threads.emplace_back([&, rank] {
      SocketComm comm(rank, std::move(sockets[size_t(rank)]), seconds(20));
      try {
        std::string theirs(100, '\0');
        comm.exchange({}, {{rank == 0 ? 2 : 0, Span<char>(theirs)}}, "its part");
      } catch (const RankLost &error) {
        messages[size_t(rank)] = error.what();
        comm.abort(error.what());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  waitpid(child, nullptr, 0);
  CHECK(messages == std::vector<std::string>(2, "rank 2 has ended while rank 0 waited for its part"));
  CHECK(std::chrono::steady_clock::now() - begin < seconds(5));
}

TEST_CASE("who waits by other means hears of ranks that end, and keeps what they had sent") {
  for (bool isAhead : {false, true}) {
    const std::vector<std::string> messages = asRanks(3, seconds(20), [&](Comm &comm) {
      std::string word(100, 'w'), theirs(100, '\0');
      if (comm.rank() == 2) // and ends without a cause
        return isAhead ? comm.exchange({{0, word}}, {}, "a word") : void();
      if (comm.rank() == 1) {
        comm.exchange({}, {{0, Span<char>(theirs)}}, "a sign");
        throw std::runtime_error("rank 1: no space left");
      }
      for (int i = 0; i < 100; ++i, std::this_thread::sleep_for(milliseconds(1)))
        comm.hear({1}, "rows of h"); // of rank 2 nothing is expected
      try {
        comm.hear({1, 2}, "rows of h");
      } catch (const RankLost &error) {
        if (std::string(error.what()) != "rank 2 has ended while rank 0 waited for rows of h")
          throw;
      }
      if (isAhead)
        comm.exchange({}, {{2, Span<char>(theirs)}}, "a word");
      if (isAhead && theirs != word)
        throw std::runtime_error("other bytes");
      comm.exchange({{1, word}}, {}, "a sign");
      for (;; std::this_thread::sleep_for(milliseconds(1)))
        comm.hear({}, "rows of h");
    });
    CHECK(messages[0] == "rank 1: no space left");
  }
}

TEST_CASE("ranks that do not do the same are found out") {
  const std::vector<std::string> messages = asRanks(2, seconds(20), [](Comm &comm) {
    std::string mine(8, 'x'), theirs(8, '\0');
    comm.exchange({{1 - comm.rank(), mine}}, {{1 - comm.rank(), Span<char>(theirs)}},
                  comm.rank() == 0 ? "rows of h" : "rows of g");
  });
  const std::string found = "rank 1 is not where rank 0 is: it sent something else than rows of h";
  CHECK(
      (messages[0] == found || messages[1] == "rank 0 is not where rank 1 is: it sent something else than rows of g"));
}

TEST_CASE("ranks that do not come, or come twice or to others, are named") {
  CHECK(overTcp({3, 3}, seconds(1), tellEachOther)[0].find("rank 2 did not come to 127.0.0.1:") == 0);
  const std::vector<std::string> messages = overTcp({2, 3}, seconds(1), tellEachOther);
  CHECK(messages[0].find("rank 1 did not come") == 0);
  CHECK(messages[1] == "rank 0 has --ranks 2, and rank 1 has --ranks 3");
}

TEST_CASE("rank 0 listens at an address, or with a name at all addresses of its machine") {
  CHECK(overTcp({3, 3, 3}, seconds(20), tellEachOther, {"localhost", "127.0.0.2", "localhost"}) == nothing);
  const std::vector<std::string> messages = overTcp({2, 2}, seconds(1), tellEachOther, {"127.0.0.1", "127.0.0.2"});
  CHECK(messages[0].find("rank 1 did not come to 127.0.0.1:") == 0);
  CHECK(messages[1].find("rank 0 is not at 127.0.0.2:") == 0);
}

TEST_CASE("ranks of other machines are not told a loopback address") {
  ifaddrs *all = nullptr;
  REQUIRE(getifaddrs(&all) == 0);
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> interfaces(all, freeifaddrs);
  char outside[INET_ADDRSTRLEN] = "";
  for (const ifaddrs *at = all; at; at = at->ifa_next)
    if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_UP) &&
        !(at->ifa_flags & IFF_LOOPBACK))
      inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in *>(at->ifa_addr)->sin_addr, outside, sizeof outside);
  if (!*outside) {
    WARN("skipped: this machine has no network");
    return;
  }
  CHECK(overTcp({3, 3, 3}, seconds(20), tellEachOther, {"localhost", outside, "localhost"}) == nothing);
  const std::string why =
      "rank 1 came to rank 0 by a loopback address, where rank 2 of another machine can't reach it: "
      "in place of 'localhost' give rank 1 the address of its machine in the network";
  CHECK(overTcp({3, 3, 3}, seconds(20), tellEachOther, {"localhost", "localhost", outside}) ==
        std::vector<std::string>(3, why));
}

TEST_CASE("who is no rank does not disturb those who are") {
  const Place place{"127.0.0.1", freePort()};
  std::vector<std::string> messages(2);
  std::vector<std::thread> threads;
  for (int rank : {0, 1})
    threads.emplace_back([&, rank] {
      try {
        if (rank == 1) { // first somebody else
          std::this_thread::sleep_for(milliseconds(200));
          const Socket stranger(::socket(AF_INET, SOCK_STREAM, 0));
          sockaddr_in address{};
          address.sin_family = AF_INET;
          address.sin_port = htons(uint16_t(std::stoi(place.port)));
          address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
          const std::string words = "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n";
          if (connect(stranger.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
              send(stranger.get(), words.data(), words.size(), MSG_NOSIGNAL) < 0)
            throw std::runtime_error("nobody listens");
        }
        SocketComm comm(rank, connectRanks(place, rank, 2, seconds(10)), seconds(10));
        tellEachOther(comm);
      } catch (const std::exception &error) {
        messages[size_t(rank)] = error.what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(messages == std::vector<std::string>(2));
}

TEST_CASE("places are a host and a port") {
  CHECK(Place::parse("node7:7000").host == "node7");
  CHECK(Place::parse("[::1]:7000").host == "::1");
  CHECK(Place::parse("[::1]:7000").port == "7000");
  for (const char *wrong : {"", "host", ":7000", "host:"})
    CHECK_THROWS_WITH(Place::parse(wrong), Catch::Contains("expected host:port"));
}
