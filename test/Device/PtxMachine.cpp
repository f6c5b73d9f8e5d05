//===- PtxMachine.cpp - PTX run on the CPU --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, memory and barriers; what an instruction computes is in PtxArithmetic.cpp.
//
//===----------------------------------------------------------------------===//

#include "PtxMachine.h"

#include <cstring>
#include <unordered_set>

namespace ptx {

namespace {

/// A thread that runs longer than this is taken to run for ever.
constexpr uint64_t maxInstructions = 2'000'000'000;

/// What memory moves at once. An access is of at most 16 aligned bytes, so it lies in one.
constexpr uint64_t sectorBytes = 32;

uint32_t launches = 0; // of all machines: memory outlives them

struct Thread {
  uint64_t *registers = nullptr;
  std::vector<uint8_t> local;
  uint64_t pc = 0;
  enum { Runs, Waits, Ended } state = Runs;
  uint32_t mask = 0;      // of the warp barrier that it waits at
  uint64_t exchanged = 0; // by a shuffle
  uint32_t id = 0;
};

class Block {
public:
  /// `isEstimate`: as of Machine::estimate. `isCounted`: what it moves.
  Block(const Module &module, const Kernel &kernel, const Program &program, const Grid &grid, uint32_t index,
        const std::vector<uint8_t> &parameters, DeviceMemory &memory, Region &globals, bool isEstimate, bool isCounted)
      : kernel(kernel), steps(program.steps), index(index), isEstimate(isEstimate), isCounted(isCounted),
        parameters(parameters), memory(memory), globals(globals), shared(module.sharedBytes + grid.sharedBytes),
        clocks(isEstimate ? 0 : grid.threads), threads(grid.threads) {
    registers.reserve(grid.threads * program.registers.size());
    for (uint32_t t = 0; t < grid.threads; ++t) {
      Thread &thread = threads[t];
      thread.id = t;
      thread.registers = registers.data() + registers.size();
      registers.insert(registers.end(), program.registers.begin(), program.registers.end());
      thread.local.assign(kernel.localBytes, 0xff);
      thread.registers[tidX] = t;
      thread.registers[ntidX] = grid.threads;
      thread.registers[ctaidX] = index;
      thread.registers[nctaidX] = grid.blocks;
      thread.registers[laneId] = t % warpSize;
    }
  }

  uint64_t run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Thread &thread : threads)
        if (thread.state == Thread::Runs) {
          runThread(thread);
          moved = true;
        }
      moved |= openBarriers();
    }
    for (const Thread &thread : threads)
      if (thread.state == Thread::Waits)
        reportDivergence(thread);
    return executed;
  }

  /// Bytes of global memory.
  uint64_t moved() const { return sectorBytes * sectors.size(); }
  /// The same of mapped memory.
  uint64_t readOfHost() const { return sectorBytes * hostSectors.size(); }

private:
  [[noreturn]] void fail(const Thread &thread, const std::string &what) const {
    throw Error("kernel " + kernel.name + ", block " + std::to_string(index) + ", thread " + std::to_string(thread.id) +
                ", PTX line " + std::to_string(kernel.body[thread.pc].line) + ": " + what);
  }

  void runThread(Thread &thread) {
    while (thread.state == Thread::Runs) {
      if (thread.pc >= steps.size()) {
        thread.state = Thread::Ended;
        return;
      }
      const Step &step = steps[thread.pc];
      if (++executed > maxInstructions)
        fail(thread, "the kernel does not end");
      if (step.guard != Operand::noRegister && bool(thread.registers[step.guard]) == step.guardIsNegated) {
        ++thread.pc;
        continue;
      }
      run(thread, step);
    }
  }

  void run(Thread &thread, const Step &step) {
    uint64_t *const registers = thread.registers;
    switch (step.kind) {
    case Step::Arithmetic: {
      const uint64_t values[4] = {registers[step.sources[0]], registers[step.sources[1]], registers[step.sources[2]],
                                  registers[step.sources[3]]};
      registers[step.result] = step.function(*step.instruction, values) & step.mask;
      break;
    }
    case Step::Move:
      registers[step.result] = registers[step.sources[0]] & step.mask;
      break;
    case Step::Pack:
    case Step::Unpack:
      repack(registers, step);
      break;
    case Step::Load:
    case Step::Store:
      transfer(thread, step, step.kind == Step::Store);
      break;
    case Step::Branch:
      thread.pc = step.value;
      return;
    case Step::Return:
      thread.state = Thread::Ended;
      return;
    case Step::WarpBarrier:
    case Step::Shuffle:
      thread.mask = uint32_t(registers[step.sources[step.kind == Step::Shuffle ? 3 : 0]]);
      if (!(thread.mask >> (thread.id % warpSize) & 1))
        fail(thread, "divergent barrier: the thread is not of those that meet");
      thread.exchanged = registers[step.sources[0]];
      thread.state = Thread::Waits;
      return;
    case Step::BlockBarrier:
      thread.state = Thread::Waits;
      return;
    }
    ++thread.pc;
  }

  /// A number of its parts, or its parts of a number.
  static void repack(uint64_t *registers, const Step &step) {
    const unsigned bits = step.instruction->type.bits / unsigned(step.parts->size());
    uint64_t whole = 0;
    for (size_t i = 0; i < step.parts->size(); ++i) {
      uint64_t &part = registers[(*step.parts)[i]];
      if (step.kind == Step::Pack)
        whole |= truncate(part, bits) << (i * bits);
      else
        part = truncate(registers[step.sources[0]] >> (i * bits), bits);
    }
    if (step.kind == Step::Pack)
      registers[step.result] = whole & step.mask;
  }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  void transfer(Thread &thread, const Step &step, bool isWrite) {
    const uint64_t at = step.value + thread.registers[step.sources[0]];
    const unsigned bytes = step.bytes, count = step.parts ? unsigned(step.parts->size()) : 1;
    uint8_t *memory = locate(thread, at, bytes * count, isWrite, step.isConstant);
    if (isWrite && isEstimate && at < localBase)
      return fillWithNone(memory, at, bytes * count);
    for (unsigned i = 0; i < count; ++i) {
      uint64_t &number = thread.registers[step.parts ? (*step.parts)[i] : step.result];
      if (isWrite) {
        std::memcpy(memory + i * bytes, &number, bytes);
        continue;
      }
      uint64_t value = 0;
      std::memcpy(&value, memory + i * bytes, bytes);
      number = step.instruction->type.kind == 's' ? uint64_t(extend(value, 8 * bytes)) : value;
    }
  }

  /// The bytes at an address, once all that can be wrong with it has been looked at.
  uint8_t *locate(Thread &thread, uint64_t at, unsigned bytes, bool isWrite, bool isConstant) {
    if (at % bytes != 0)
      fail(thread, "an access of " + std::to_string(bytes) + " bytes is not aligned");
    Region *region = nullptr;
    uint64_t start = at & (15ull << 60);
    switch (start) {
    case localBase:
      if (at - start + bytes > thread.local.size())
        fail(thread, "out of bounds of local memory");
      return thread.local.data() + (at - start);
    case parameterBase:
      if (at - start + bytes > parameters.size())
        fail(thread, "out of bounds of the parameters");
      return const_cast<uint8_t *>(parameters.data()) + (at - start);
    case sharedBase:
      region = at - start + bytes <= shared.data.size() ? &shared : nullptr;
      break;
    case globalsBase:
      region = at - start + bytes <= globals.data.size() ? &globals : nullptr;
      break;
    default:
      region = memory.find(at, bytes, start);
      if (const uint8_t *mapped = region || isWrite ? nullptr : MappedMemory::get().find(at, bytes)) {
        hostSectors.insert(at / sectorBytes);
        return const_cast<uint8_t *>(mapped);
      }
      if (isCounted)
        sectors.insert(at / sectorBytes);
    }
    if (!region)
      fail(thread, std::string("out of bounds: a ") + (isWrite ? "write" : "read") + " of " + std::to_string(bytes) +
                       " bytes lies in no allocation");
    if (isEstimate)
      return region->data.data() + (at - start);
    const Region::Kind kind = isWrite ? Region::Write : isConstant ? Region::ConstantRead : Region::Read;
    if (const Access *other =
            region->note(at - start, bytes, kind, {index, thread.id, clocks.now(thread.id)}, launches, clocks)) {
      if (isConstant)
        fail(thread, "ld.global.nc reads bytes that block " + std::to_string(other->block) + ", thread " +
                         std::to_string(other->thread) + " of the same launch writes");
      fail(thread, std::string("race: a ") + (isWrite ? "write" : "read") + " and an access of block " +
                       std::to_string(other->block) + ", thread " + std::to_string(other->thread) +
                       " have no barrier between them");
    }
    return region->data.data() + (at - start);
  }

  //===--------------------------------------------------------------------===//
  // Barriers
  //===--------------------------------------------------------------------===//

  bool openBarriers() {
    bool opened = false;
    for (Thread &thread : threads) {
      if (thread.state != Thread::Waits)
        continue;
      std::vector<uint32_t> meeting = othersOf(thread);
      if (meeting.empty())
        continue;
      if (steps[thread.pc].kind == Step::Shuffle)
        shuffle(steps[thread.pc], meeting);
      if (!isEstimate)
        clocks.meet(meeting);
      for (uint32_t t : meeting) {
        threads[t].state = Thread::Runs;
        ++threads[t].pc;
      }
      opened = true;
    }
    return opened;
  }

  /// The threads that wait with this one, if all that it waits for do.
  std::vector<uint32_t> othersOf(const Thread &thread) const {
    const bool ofBlock = steps[thread.pc].kind == Step::BlockBarrier;
    const uint32_t first = ofBlock ? 0 : thread.id / warpSize * warpSize;
    const uint32_t last = ofBlock ? uint32_t(threads.size()) : std::min(first + warpSize, uint32_t(threads.size()));
    std::vector<uint32_t> meeting;
    for (uint32_t t = first; t < last; ++t) {
      if (!ofBlock && !(thread.mask >> (t - first) & 1))
        continue;
      if (threads[t].state != Thread::Waits || threads[t].pc != thread.pc || threads[t].mask != thread.mask)
        return {};
      meeting.push_back(t);
    }
    return meeting;
  }

  [[noreturn]] void reportDivergence(const Thread &thread) const {
    const bool ofBlock = steps[thread.pc].kind == Step::BlockBarrier;
    const uint32_t first = ofBlock ? 0 : thread.id / warpSize * warpSize;
    for (uint32_t t = first; t < threads.size(); ++t) {
      if (!ofBlock && (t - first >= warpSize || !(thread.mask >> (t - first) & 1)))
        continue;
      const Thread &other = threads[t];
      if (other.state == Thread::Ended)
        fail(thread, "divergent barrier: thread " + std::to_string(t) + " has ended");
      if (other.pc != thread.pc || other.mask != thread.mask)
        fail(thread, "divergent barrier: thread " + std::to_string(t) + " waits at line " +
                         std::to_string(kernel.body[other.pc].line));
    }
    fail(thread, "divergent barrier: threads that it waits for are not there");
  }

  /// `shfl.sync.mode.b32 result[|valid], value, lane, clamp, mask`.
  void shuffle(const Step &step, const std::vector<uint32_t> &meeting) {
    const Instruction &instruction = *step.instruction;
    for (uint32_t t : meeting) {
      Thread &thread = threads[t];
      const uint32_t lane = t % warpSize, by = uint32_t(thread.registers[step.sources[1]]);
      const uint32_t clamp = uint32_t(thread.registers[step.sources[2]]);
      const uint32_t segment = (clamp >> 8) & 31, most = (lane & segment) | (clamp & 31 & ~segment);
      uint32_t from = lane;
      bool valid = false;
      switch (Lanes(step.value)) {
      case Lanes::Butterfly:
        from = lane ^ (by & 31);
        valid = from <= most;
        break;
      case Lanes::Indexed:
        from = (lane & segment) | (by & 31 & ~segment);
        valid = from <= most;
        break;
      case Lanes::Down:
        from = lane + (by & 31);
        valid = from <= most;
        break;
      case Lanes::Up:
        from = lane - (by & 31);
        valid = int32_t(from) >= int32_t(most);
        break;
      }
      if (!valid)
        from = lane;
      if (!(thread.mask >> from & 1))
        fail(thread, "a shuffle reads from a thread that does not take part");
      thread.registers[instruction.operands[0].reg] = threads[t - lane + from].exchanged;
      if (instruction.operands.size() == 6)
        thread.registers[instruction.operands[1].reg] = valid;
    }
  }

  const Kernel &kernel;
  const std::vector<Step> &steps;
  uint32_t index;
  const bool isEstimate, isCounted;
  const std::vector<uint8_t> &parameters;
  DeviceMemory &memory;
  Region &globals;
  Region shared;
  Clocks clocks;
  std::vector<uint64_t> registers; // of all threads
  std::vector<Thread> threads;
  std::unordered_set<uint64_t> sectors;     // of global memory that were touched
  std::unordered_set<uint64_t> hostSectors; // of mapped memory
  uint64_t executed = 0;
};

} // namespace

Machine::Machine(Module given, bool isCounted)
    : loaded(std::move(given)), globals(loaded.globalBytes), isCounted(isCounted) {
  for (const auto &[name, variable] : loaded.globals)
    std::copy(variable.data.begin(), variable.data.end(), globals.data.begin() + int64_t(variable.offset));
}

const Program &Machine::programOf(const std::string &name) {
  auto found = programs.find(name);
  if (found == programs.end()) {
    Kernel &kernel = loaded.kernels.at(name);
    readBody(loaded, kernel);
    found = programs.emplace(name, ptx::programOf(kernel)).first;
  }
  return found->second;
}

const Kernel &Machine::checked(const std::string &name, const Grid &grid,
                               const std::vector<uint8_t> &parameters) const {
  auto found = loaded.kernels.find(name);
  if (found == loaded.kernels.end())
    throw Error("there is no kernel " + name);
  const Kernel &kernel = found->second;
  if (parameters.size() != kernel.parameterBytes)
    throw Error("kernel " + name + " has other parameters");
  if (kernel.maxThreads && grid.threads > kernel.maxThreads)
    throw Error("kernel " + name + " may have blocks of " + std::to_string(kernel.maxThreads) + " threads, not " +
                std::to_string(grid.threads));
  return kernel;
}

void Machine::run(const std::string &name, const Grid &grid, const std::vector<uint8_t> &parameters,
                  DeviceMemory &memory) {
  const Kernel &kernel = checked(name, grid, parameters);
  const Program &program = programOf(name);
  ++launches;
  for (uint32_t number = 0; number < grid.blocks; ++number) {
    Block block(loaded, kernel, program, grid, number, parameters, memory, globals, /*isEstimate=*/false, isCounted);
    numExecuted += block.run();
    numMoved += block.moved();
    numReadOfHost += block.readOfHost();
  }
}

uint64_t Machine::estimate(const std::string &name, const Grid &grid, const std::vector<uint8_t> &parameters,
                           DeviceMemory &memory) {
  constexpr uint64_t most = 8;
  const Kernel &kernel = checked(name, grid, parameters);
  const Program &program = programOf(name);
  const uint64_t all = grid.blocks, some = std::min(all, most);
  uint64_t moved = 0;
  for (uint64_t i = 0; i < some; ++i) { // each in the middle of its share, as rows may be in the order of their length
    Block block(loaded, kernel, program, grid, uint32_t((2 * i + 1) * all / (2 * some)), parameters, memory, globals,
                /*isEstimate=*/true, /*isCounted=*/true);
    numExecuted += block.run();
    moved += block.moved();
  }
  return moved * all / some;
}

} // namespace ptx
