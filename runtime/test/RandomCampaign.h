//===- RandomCampaign.h - Many random cases, each from its seed -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the campaigns share that scripts/nightly runs whole and ctest in small: case i draws from seed + i alone, so one
// that fails is repeated by `--seed THAT --count 1`.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_RANDOMCAMPAIGN_H
#define GNN_TEST_RANDOMCAMPAIGN_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

/// The same draws on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// In [0, count), which must be positive.
  int64_t below(int64_t count) { return int64_t(engine() % uint64_t(count)); }
  bool oneIn(int64_t count) { return below(count) == 0; }

private:
  std::mt19937_64 engine;
};

/// Ends the case that runs, as failed.
inline void expect(bool condition, const std::string &what) {
  if (!condition)
    throw std::logic_error(what);
}

struct Campaign {
  uint64_t seed = 1;
  int64_t count = 0;

  /// Runs `body(random)` for each case and says which fail; gives how many do.
  template <class Body> int64_t run(Body &&body) const {
    int64_t failures = 0;
    for (int64_t i = 0; i < count; ++i) {
      Random random(seed + uint64_t(i));
      try {
        body(random);
      } catch (const std::exception &error) {
        ++failures;
        std::cerr << "--seed " << seed + uint64_t(i) << " --count 1: " << error.what() << "\n";
      }
    }
    return failures;
  }
};

/// `--seed N` and `--count N`; ends the process with 2 for anything else.
inline Campaign parseCampaign(int argc, char **argv, int64_t count) {
  Campaign campaign{1, count};
  for (int i = 1; i < argc; i += 2) {
    char *end = nullptr;
    const bool isSeed = !std::strcmp(argv[i], "--seed"), isCount = !std::strcmp(argv[i], "--count");
    const unsigned long long value = i + 1 < argc ? std::strtoull(argv[i + 1], &end, 10) : 0;
    if (!(isSeed || isCount) || i + 1 == argc || end == argv[i + 1] || *end) {
      std::cerr << "usage: " << argv[0] << " [--seed N] [--count N]\n";
      std::exit(2);
    }
    if (isSeed)
      campaign.seed = value;
    else
      campaign.count = int64_t(value);
  }
  return campaign;
}

#endif // GNN_TEST_RANDOMCAMPAIGN_H
