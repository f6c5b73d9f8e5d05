//===- DeviceMemory.h - Memory that is watched ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the emulated device: allocations far apart, so that an address past the end of one lies in none; and
// for every byte who wrote and who read it last, so that two threads that touch it without a barrier between them are
// found however they happen to be scheduled.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_DEVICEMEMORY_H
#define GNNC_TEST_DEVICE_DEVICEMEMORY_H

#include "PtxModule.h"

#include <cstring>
#include <functional>
#include <memory>

namespace ptx {

constexpr uint32_t warpSize = 32;

/// A thread at a time: `clock` counts the barriers that it has passed.
struct Access {
  uint32_t block, thread, clock;
};

/// What the threads of a block know of each other: an access of `thread` at `clock` is before all that follows in
/// `byThread` iff known[byThread][thread] >= clock. Barriers make it so.
class Clocks {
public:
  explicit Clocks(uint32_t threads) : count(threads), known(size_t(threads) * threads, 0) {
    for (uint32_t t = 0; t < threads; ++t)
      known[size_t(t) * threads + t] = 1;
  }
  uint32_t now(uint32_t thread) const { return known[size_t(thread) * count + thread]; }
  bool isBefore(uint32_t thread, uint32_t clock, uint32_t byThread) const {
    return thread == byThread || known[size_t(byThread) * count + thread] >= clock;
  }
  /// The threads of a barrier, those of the block or some of a warp, learn what each of them knows.
  void meet(const std::vector<uint32_t> &threads);

private:
  uint32_t count;
  std::vector<uint32_t> known;
};

/// A piece of memory with its watch.
class Region {
public:
  explicit Region(uint64_t bytes) : data(bytes, 0xff) {}

  std::vector<uint8_t> data;

  enum Kind { Read, ConstantRead, Write };
  /// Notes that `access` reads or writes bytes from `offset` on in launch `launch`; gives the access that it races
  /// with, if there is one. Reads as of constants race with all writes of the launch, in whatever order.
  const Access *note(uint64_t offset, unsigned bytes, Kind kind, const Access &access, uint32_t launch,
                     const Clocks &clocks);

private:
  struct Cell {
    uint32_t launch = 0;
    bool isWritten = false, isReadByBlocks = false; // by more than one
    bool isConstant = false;                        // read so
    Access writer{};
    bool isRead = false;
    Access reader{};          // the first
    std::vector<Access> more; // others, of the same block
  };
  const Access *noteCell(Cell &cell, Kind kind, const Access &access, const Clocks &clocks);
  void splitCells();

  /// Of memory that a kernel has touched: of words of four bytes while accesses are of whole ones, else of bytes.
  std::vector<Cell> cells;
  unsigned cellBytes = 4;
};

/// What stands for numbers that nobody has computed: as a float of any size it is not a number, as an integer of 32
/// bits the largest. Such bytes for memory at an address.
inline void fillWithNone(uint8_t *memory, uint64_t address, uint64_t bytes) {
  std::memset(memory, 0xff, bytes);
  for (uint64_t highest = 3 - address % 4; highest < bytes; highest += 4)
    memory[highest] = 0x7f;
}

constexpr uint64_t mostDevices = 16;

/// Memory of this process that kernels of all devices read where it is. They do not write there, and it is not watched.
class MappedMemory {
public:
  static MappedMemory &get();
  /// False, as of the real driver, for a page that has been added already.
  bool add(const void *memory, uint64_t bytes);
  bool remove(const void *memory);
  /// Null if not all of [address, address + bytes) is of one piece.
  const uint8_t *find(uint64_t address, uint64_t bytes) const;

private:
  static constexpr uint64_t page = 4096;
  std::map<uint64_t, uint64_t> pieces; // bytes, by address
};

/// Allocations by address. Each device has addresses of its own.
class DeviceMemory {
public:
  /// Memory that an address is of, if it is not of this and may be read and written all the same; null: it may not.
  using Others = std::function<DeviceMemory *(uint64_t address)>;

  explicit DeviceMemory(uint64_t budget, int device = 0, Others others = nullptr)
      : budget(budget), next(uint64_t(device) * spanOfDevice + firstAddress),
        endOfDevice(uint64_t(device + 1) * spanOfDevice), others(std::move(others)) {}
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;

  /// The device that an address is of; -1: of the process.
  static int deviceOf(uint64_t address) { return address < lastAddress ? int(address / spanOfDevice) : -1; }

  /// 0 if the budget does not allow it.
  uint64_t allocate(uint64_t bytes);
  bool release(uint64_t address);
  /// The region that all of [address, address + bytes) lies in, with its start; null if there is none.
  Region *find(uint64_t address, uint64_t bytes, uint64_t &start);
  /// The same without others.
  Region *findOwn(uint64_t address, uint64_t bytes, uint64_t &start);
  uint64_t used() const { return inUse; }

private:
  /// Those of the process are above all that are given out.
  static constexpr uint64_t firstAddress = 1 << 20, spanOfDevice = 1ull << 40, lastAddress = mostDevices * spanOfDevice;

  uint64_t budget, inUse = 0, next;
  const uint64_t endOfDevice;
  const Others others;
  std::map<uint64_t, std::unique_ptr<Region>> regions; // by the start
  Region *last = nullptr;
  uint64_t lastStart = 0;
};

} // namespace ptx

#endif // GNNC_TEST_DEVICE_DEVICEMEMORY_H
