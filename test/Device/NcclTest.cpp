//===- NcclTest.cpp - Exchanges between GPUs ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the fake libnccl, by ranks that are threads.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cuda/NcclExchange.h"
#include "runtime/test/AsRanks.h"

#include <numeric>
#include <thread>

using namespace gnn::rt;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// Ranks with a GPU each, as many bytes there, and an exchange between them.
struct Rank {
  static constexpr size_t bytes = 3000;

  explicit Rank(Comm &comm) : device(Device::open(comm.rank())), exchange(NcclExchange::open(comm, device)) {
    Device::Scope scope(*device);
    array = device->allocate(bytes);
    put(std::vector<char>(bytes, char(comm.rank())));
  }
  Span<char> at(size_t begin, size_t count) { return {reinterpret_cast<char *>(array.address()) + begin, count}; }
  Span<const char> from(size_t begin, size_t count) { return {at(begin, count).data(), count}; }
  void put(const std::vector<char> &values) {
    Device::Scope scope(*device);
    device->upload(array.address(), values.data(), bytes);
  }
  std::vector<char> get() {
    std::vector<char> values(bytes);
    Device::Scope scope(*device);
    device->download(values.data(), array.address(), bytes);
    return values;
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<NcclExchange> exchange;
  DeviceArray array;
};

std::vector<std::string> onGpus(int ranks, milliseconds patience, const std::function<void(Comm &, Rank &)> &body) {
  return asRanks(ranks, patience, [&](Comm &comm) {
    Rank rank(comm);
    body(comm, rank);
  });
}

} // namespace

TEST_CASE("rows go from GPU to GPU, in their order", "[fake][nccl]") {
  const Fake fake("devices=3");
  CHECK(onGpus(3, seconds(20), [](Comm &comm, Rank &rank) {
          std::vector<char> values(Rank::bytes);
          for (int round = 0; round < 3; ++round) {
            for (size_t i = 0; i < Rank::bytes; ++i)
              values[i] = char(comm.rank() * 50 + round * 7 + int(i % 11));
            rank.put(values); // what is sent is what is there in its turn
            std::vector<Span<char>> all;
            for (size_t r = 0; r < 3; ++r)
              all.push_back(rank.at(r * 1000, r == 2 ? 0 : 1000)); // the last one has no rows
            const Span<char> own = all[size_t(comm.rank())];
            rank.exchange->exchangeWithAll({own.data(), own.size()}, all, "rows of h");
            const std::vector<char> found = rank.get();
            for (size_t i = 0; i < 2000; ++i)
              if (found[i] != char(int(i / 1000) * 50 + round * 7 + int(i % 11)))
                throw std::runtime_error("another byte in row " + std::to_string(i));
          }
          const uint64_t sent = comm.rank() == 2 ? 0 : 3 * 2 * 1000, received = comm.rank() == 2 ? 6000 : 3000;
          if (rank.exchange->traffic().sent != sent || rank.exchange->traffic().received != received)
            throw std::runtime_error("other bytes are counted");
          if (comm.traffic().sent > 4096)
            throw std::runtime_error("rows went by the processes");
        }) == std::vector<std::string>(3));
}

TEST_CASE("what a rank sent before it ended still arrives", "[fake][nccl]") {
  const Fake fake("devices=2");
  CHECK(onGpus(2, seconds(20), [](Comm &comm, Rank &rank) {
          if (comm.rank() == 0)
            return rank.exchange->exchange({{1, rank.from(0, 1000)}}, {}, "rows of h");
          std::this_thread::sleep_for(milliseconds(300));
          rank.exchange->exchange({}, {{0, rank.at(0, 1000)}}, "rows of h");
          if (rank.get()[999] != 0)
            throw std::runtime_error("another byte");
        }) == std::vector<std::string>(2));
}

TEST_CASE("two pieces for one rank come in their order", "[fake][nccl]") {
  const Fake fake("devices=2");
  CHECK(onGpus(2, seconds(20), [](Comm &comm, Rank &rank) {
          std::vector<char> values(Rank::bytes);
          std::iota(values.begin(), values.end(), char(0));
          if (comm.rank() == 0) {
            rank.put(values);
            return rank.exchange->exchange({{1, rank.from(0, 100)}, {1, rank.from(500, 30)}}, {}, "totals");
          }
          rank.exchange->exchange({}, {{0, rank.at(2000, 100)}, {0, rank.at(0, 30)}}, "totals");
          const std::vector<char> found = rank.get();
          if (!std::equal(values.begin(), values.begin() + 100, found.begin() + 2000) ||
              !std::equal(values.begin() + 500, values.begin() + 530, found.begin()))
            throw std::runtime_error("other bytes");
        }) == std::vector<std::string>(2));
}

TEST_CASE("a rank that ends while others wait for it by NCCL is named, whether NCCL says so or not", "[fake][nccl]") {
  const Fake fake(GENERATE("devices=3", "devices=3,nccl-tells"));
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::string> messages = onGpus(3, seconds(20), [](Comm &comm, Rank &rank) {
    if (comm.rank() == 2)
      throw std::runtime_error("rank 2: the disk is full");
    rank.exchange->exchange({}, {{2, rank.at(0, 1000)}}, "rows of h");
  });
  CHECK(messages == std::vector<std::string>(3, "rank 2: the disk is full"));
  CHECK(std::chrono::steady_clock::now() - begin < seconds(10));
}

TEST_CASE("what never comes by NCCL is waited for as long as ranks wait for each other", "[fake][nccl]") {
  const Fake fake("devices=2,nccl-stalls=2"); // the first is a byte when they connect
  const std::vector<std::string> messages = onGpus(2, milliseconds(1500), [](Comm &comm, Rank &rank) {
    if (comm.rank() == 0)
      rank.exchange->exchange({}, {{1, rank.at(0, 1000)}}, "rows of h");
    else
      std::this_thread::sleep_for(milliseconds(2500));
  });
  CHECK(messages[0] == "rank 1 said nothing for 1.5 seconds while rank 0 waited for rows of h");
}

TEST_CASE("what one rank has not, none uses", "[fake][nccl]") {
  const auto why = [](const std::string &settings) {
    const Fake fake(settings);
    return asRanks(3, milliseconds(1500), [](Comm &comm) {
      try {
        NcclExchange::open(comm, Device::open(comm.rank()));
      } catch (const RanksDiffer &error) {
        const std::string message = error.what();
        comm.gather(message, "what went wrong"); // all go on
        throw std::runtime_error(message);
      }
    });
  };
  CHECK(why("devices=3,nccl-fails=1") ==
        std::vector<std::string>(3, "rank 1: cuda:1 (Fake): NCCL 2.19.3 failed: unhandled system error"));
  CHECK(why("devices=3,nccl-stalls=1") ==
        std::vector<std::string>(
            3, "rank 0: NCCL 2.19.3 has not sent a byte between the GPUs of all ranks in 1.5 seconds"));
}
