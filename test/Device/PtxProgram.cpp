//===- PtxProgram.cpp - PTX as it is run ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxProgram.h"

#include <algorithm>

namespace ptx {

namespace {

Step::Kind kindOf(const Instruction &instruction) {
  const std::string &op = instruction.op;
  if (op == "ld" || op == "ldu")
    return Step::Load;
  if (op == "st")
    return Step::Store;
  if (op == "bra")
    return Step::Branch;
  if (op == "ret" || op == "exit")
    return Step::Return;
  if (op == "shfl")
    return Step::Shuffle;
  if (op == "bar" || op == "barrier")
    return instruction.has("warp") ? Step::WarpBarrier : Step::BlockBarrier;
  if (op != "mov")
    return Step::Arithmetic;
  return instruction.operands[0].kind == Operand::Vector   ? Step::Unpack
         : instruction.operands[1].kind == Operand::Vector ? Step::Pack
                                                           : Step::Move;
}

Lanes lanesOf(const Instruction &shuffle) {
  for (auto [name, lanes] :
       {std::pair{"up", Lanes::Up}, {"down", Lanes::Down}, {"bfly", Lanes::Butterfly}, {"idx", Lanes::Indexed}})
    if (shuffle.has(name))
      return lanes;
  throw Error("unknown shuffle");
}

/// Makes the steps of a kernel, and registers for its constants.
class Builder {
public:
  explicit Builder(const Kernel &kernel) : kernel(kernel) { program.registers.assign(kernel.numRegisters, 0); }

  Program build() {
    for (const Instruction &instruction : kernel.body) {
      try {
        program.steps.push_back(stepOf(instruction));
      } catch (const Error &error) {
        throw Error("kernel " + kernel.name + ", PTX line " + std::to_string(instruction.line) + ": " + error.what());
      }
    }
    return std::move(program);
  }

private:
  Step stepOf(const Instruction &instruction) {
    const std::vector<Operand> &operands = instruction.operands;
    Step step;
    step.kind = kindOf(instruction);
    step.guard = instruction.guard;
    step.guardIsNegated = instruction.guardIsNegated;
    step.instruction = &instruction;
    step.mask = instruction.isComparison ? ~0ull : truncate(~0ull, instruction.resultBits());
    switch (step.kind) {
    case Step::Load:
    case Step::Store: {
      step.isConstant = instruction.has("nc");
      const Operand &address = operands[step.kind == Step::Store ? 0 : 1];
      const Operand &data = operands[step.kind == Step::Store ? 1 : 0];
      step.bytes = uint8_t(instruction.type.bits / 8);
      step.sources[0] = address.reg == Operand::noRegister ? uint32_t(zero) : address.reg;
      step.value = address.value;
      take(data, step.result, step.parts);
      break;
    }
    case Step::Branch:
      step.value = operands.back().value;
      break;
    case Step::Return:
    case Step::BlockBarrier:
      break;
    case Step::WarpBarrier:
      step.sources[0] = registerOf(operands.back());
      break;
    case Step::Shuffle: // `shfl.sync.mode.b32 result[|valid], value, lane, clamp, mask`
      for (unsigned i = 0; i < 4; ++i)
        step.sources[i] = registerOf(operands[operands.size() - 4 + i]);
      step.value = uint64_t(lanesOf(instruction));
      break;
    case Step::Arithmetic:
      step.function = functionOf(instruction);
      [[fallthrough]];
    default:
      take(operands[0], step.result, step.parts);
      for (size_t i = 1; i < std::min<size_t>(operands.size(), 5); ++i)
        take(operands[i], step.sources[i - 1], step.parts);
    }
    return step;
  }

  void take(const Operand &operand, uint32_t &number, const std::vector<uint32_t> *&parts) {
    if (operand.kind == Operand::Vector)
      parts = &operand.regs;
    else
      number = registerOf(operand);
  }

  uint32_t registerOf(const Operand &operand) {
    if (operand.kind == Operand::Register)
      return operand.reg;
    auto [found, isNew] = constants.try_emplace(operand.value, uint32_t(program.registers.size()));
    if (isNew)
      program.registers.push_back(operand.value);
    return found->second;
  }

  const Kernel &kernel;
  Program program;
  std::map<uint64_t, uint32_t> constants;
};

} // namespace

Program programOf(const Kernel &kernel) { return Builder(kernel).build(); }

} // namespace ptx
