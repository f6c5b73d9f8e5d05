//===- FakeClock.h - The time of the fake devices ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With topology=FILE in GNN_FAKE_CUDA devices have a clock, by which events tell times: copies take the latency and the
// bandwidth of the links of the file, which those that are on a link at the same time share (max-min fairness), and
// kernels what the memory of a device takes for the bytes that they read and write. What the process itself does takes
// no time. Nothing of this is shared with what plans (runtime/src/links), so that one can be held against the other.
//
// With clock-only beside it kernels are not run, so that larger graphs take a bearable time. What they move is then
// estimated (ptx::Machine::estimate), and what they would have computed is none.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_FAKECLOCK_H
#define GNNC_TEST_DEVICE_FAKECLOCK_H

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fake {

class FakeClock {
public:
  /// Of this process; null: GNN_FAKE_CUDA has no topology.
  static FakeClock *get();

  // Of a stream, each after what came before on it. A mark is the end of that.
  using Mark = size_t;
  void move(const void *stream, int from, int to, uint64_t bytes); // devices, or the process
  void kernel(const void *stream, double bytes, double operations, bool isLaunched);
  void wait(const void *stream, Mark until);
  Mark mark(const void *stream);

  /// The process goes on when it is reached.
  void reach(Mark mark);
  /// In seconds, of one that was reached.
  double timeOf(Mark mark) const { return items[mark - 1].end; }
  /// Whether devices reach each other's memory.
  bool arePeers(int device, int other) const;

  bool isAlone() const { return isOnly; }

private:
  struct Link {
    std::string from, to;
    double rate, latency;
  };
  struct Item {
    double delay = 0, bytes = 0;  // what is left: first seconds, then bytes
    std::vector<size_t> channels; // links, twice each
    Mark until = 0;               // that it waits for
    double end = -1;
  };

  explicit FakeClock(const std::string &file);
  Mark add(const void *stream, Item item);
  std::vector<std::string> path(int device) const; // its name, and those of what it hangs from
  size_t channel(const std::string &from, const std::string &to) const;
  std::vector<double> ratesOf(const std::vector<Item *> &moving) const;
  void advance();

  std::vector<Link> links;
  std::map<std::string, std::string> above;
  std::map<std::string, size_t> deviceGroups; // by the list of peers that they are in
  bool hasGroups = false;
  const bool isOnly;
  double memoryRate = 1500e9, arithmetic = 15e12, launchSeconds = 4e-6;
  std::deque<Item> items;
  std::map<const void *, std::deque<Mark>> streams; // what has not ended
  std::map<const void *, Mark> last;
  double now = 0;
};

/// Of this process: else they are priced alone.
bool runsKernels();

} // namespace fake

#endif // GNNC_TEST_DEVICE_FAKECLOCK_H
