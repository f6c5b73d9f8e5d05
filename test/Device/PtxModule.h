//===- PtxModule.h - PTX as data --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the PTX that a compiled library carries into instructions that `PtxMachine` runs. Knows what LLVM prints for
// our kernels; anything else is an error with its line.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_PTXMODULE_H
#define GNNC_TEST_DEVICE_PTXMODULE_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The type of an instruction: `.f32` is {'f', 32}; kinds are u, s, f, b and p.
struct Type {
  char kind = 0;
  unsigned bits = 0;
};

struct Operand {
  enum Kind { Register, Immediate, Address, Label, Vector } kind = Immediate;
  uint32_t reg = 0;           // Register; Address: its base, or noRegister
  uint64_t value = 0;         // Immediate; Address: what is added to the base; Label: an instruction
  bool isFloat = false;       // Immediate: the bits of a float, as written
  std::vector<uint32_t> regs; // Vector

  static constexpr uint32_t noRegister = ~0u;
};

/// `@%p1 ld.global.v4.f32 {...}, [%rd1+16];` is op `ld`, with the other parts in `modifiers`.
struct Instruction {
  std::string op;
  std::vector<std::string> modifiers;
  Type type, from; // `from`: of what is converted
  std::vector<Operand> operands;
  uint32_t guard = Operand::noRegister; // the predicate it depends on
  bool guardIsNegated = false;
  bool isWide = false, isComparison = false;
  unsigned line = 0;

  bool has(const char *modifier) const;
  unsigned resultBits() const { return isWide ? 2 * type.bits : type.bits; }
};

struct Parameter {
  unsigned offset, bytes;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  unsigned parameterBytes = 0;
  unsigned numRegisters = 0;
  unsigned localBytes = 0;
  unsigned maxThreads = 0;       // of a block; 0: any
  std::string text;              // from its name to the end of its body
  unsigned line = 0;             // where that starts
  std::vector<Instruction> body; // of `readBody`
};

struct Variable {
  uint64_t offset = 0;
  std::vector<uint8_t> data;
};

struct Module {
  std::map<std::string, Kernel> kernels;
  std::map<std::string, Variable> globals; // offsets in one piece of memory
  std::map<std::string, Variable> shared;  // offsets in the memory of a block
  uint64_t globalBytes = 0, sharedBytes = 0;
};

/// Where addresses of each kind start: a thread sees all memory in one space.
constexpr uint64_t localBase = 1ull << 60, sharedBase = 2ull << 60, parameterBase = 3ull << 60,
                   globalsBase = 4ull << 60;

/// Special registers have the first numbers of every kernel.
enum SpecialRegister : uint32_t { tidX, ntidX, ctaidX, nctaidX, laneId, zero, numSpecialRegisters };

/// All but the bodies of kernels: a library has many kernels, and a run few of them.
Module parse(const std::string &text);

/// Reads what a kernel of `module` does, and the shared memory that it declares.
void readBody(Module &module, Kernel &kernel);

} // namespace ptx

#endif // GNNC_TEST_DEVICE_PTXMODULE_H
