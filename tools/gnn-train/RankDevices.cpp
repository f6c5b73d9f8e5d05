//===- RankDevices.cpp - Which GPU a rank has -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RankDevices.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/engine/RankLinks.h"
#include "runtime/src/model/OpenEngine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

/// Ranks that see the same GPUs say the same: those of one machine, unless a launcher shows each some of its own.
std::string machineName() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  std::string boot; // where it is not known the host's name has to do
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return std::string(host) + " " + boot + " " + (visible ? visible : "all");
}

std::string whyNone() {
  try {
    rt::cuda::Driver::get();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// What a rank tells the others.
struct Told {
  std::string asked, machine, why; // there is no GPU
  std::vector<int> numbers;        // of the GPUs that it asks for; none: it is on a processor
  int count = 0;                   // of its machine

  explicit Told(const std::string &device) : asked(device), numbers(rt::deviceNumbers(device)) {
    if (numbers.empty())
      return;
    machine = machineName();
    why = whyNone();
    count = rt::Device::count();
    if (asked == "cuda")
      for (int number = 1; number < count; ++number)
        numbers.push_back(number);
  }
  explicit Told(const json &from)
      : asked(from["asked"].get<std::string>()), machine(from["machine"].get<std::string>()),
        why(from["why"].get<std::string>()), numbers(from["numbers"].get<std::vector<int>>()),
        count(from["count"].get<int>()) {}
  json text() const {
    return {{"asked", asked}, {"machine", machine}, {"why", why}, {"numbers", numbers}, {"count", count}};
  }
  /// Whether it chooses from the same GPUs.
  bool isBeside(const Told &other) const { return machine == other.machine && asked == other.asked; }
};

[[noreturn]] void failFor(size_t rank, const std::string &why) {
  throw rt::RanksDiffer("rank " + std::to_string(rank) + " has no GPU: " + why);
}

/// The number of the GPU of a rank.
int choose(const std::vector<Told> &ranks, size_t rank) {
  const Told &told = ranks[rank];
  if (told.count == 0)
    failFor(rank, told.why);
  auto isBeside = [&](const Told &other) { return told.isBeside(other); };
  const auto place = size_t(std::count_if(ranks.begin(), ranks.begin() + std::ptrdiff_t(rank), isBeside));
  const auto beside = std::count_if(ranks.begin(), ranks.end(), isBeside);
  if (place >= told.numbers.size())
    failFor(rank, "--device " + told.asked + " names " + std::to_string(told.numbers.size()) + " for " +
                      std::to_string(beside) + " ranks of its machine");
  const int number = told.numbers[place];
  if (number >= told.count)
    failFor(rank, "there is no cuda:" + std::to_string(number) + ": its machine has " + std::to_string(told.count) +
                      (told.count == 1 ? " device" : " devices"));
  return number;
}

} // namespace

std::string deviceOfRank(const std::string &asked, rt::Comm &comm) {
  std::vector<Told> ranks;
  for (const std::string &text : comm.gather(Told(asked).text().dump(), "which GPUs there are"))
    ranks.emplace_back(json::parse(text));
  for (size_t r = 0; r < ranks.size(); ++r)
    if (ranks[r].numbers.empty() != ranks[0].numbers.empty())
      throw rt::RanksDiffer("rank " + std::to_string(r) + " has another --device than rank 0: " + ranks[r].asked +
                            ", not " + ranks[0].asked);
  if (ranks[0].numbers.empty())
    return asked;
  std::map<std::pair<std::string, int>, size_t> takenBy;
  for (size_t r = 0; r < ranks.size(); ++r) {
    const int number = choose(ranks, r);
    if (const auto [at, isNew] = takenBy.emplace(std::pair(ranks[r].machine, number), r); !isNew)
      failFor(r, "cuda:" + std::to_string(number) + " is that of rank " + std::to_string(at->second));
  }
  return "cuda:" + std::to_string(choose(ranks, size_t(comm.rank())));
}

void linkRanks(rt::Engine &engine, const std::string &asked, rt::Comm &comm) {
  rt::RankLinks *links = engine.rankLinks();
  if (!links || comm.size() == 1)
    return;
  std::string why = "as asked for";
  if (asked != "host")
    try {
      links->linkRanks(comm);
    } catch (const rt::RanksDiffer &error) {
      if (asked == "nccl")
        throw;
      why = error.what();
    }
  if (comm.rank() == 0 && links->link())
    std::fprintf(stderr, "gnn-train: ranks send from GPU to GPU, by %s\n", links->linkName().c_str());
  else if (comm.rank() == 0)
    std::fprintf(stderr, "gnn-train: ranks send by the memory of their processes: %s\n", why.c_str());
}

} // namespace gnn::train_tool
