//===- Isa.cpp - Instruction sets of the CPU target -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Isa.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

namespace gnnc {

namespace {
struct IsaInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral suffix;
  unsigned vectorBits;
  bool hasFma;
};

constexpr Isa isas[] = {Isa::X86_64_V2, Isa::X86_64_V3, Isa::X86_64_V4};
constexpr IsaInfo infos[] = {
    {"x86-64-v2", ".v2", 128, false},
    {"x86-64-v3", ".v3", 256, true},
    {"x86-64-v4", ".v4", 512, true},
};

const IsaInfo &info(Isa isa) { return infos[static_cast<unsigned>(isa)]; }
} // namespace

llvm::ArrayRef<Isa> allIsas() { return isas; }
llvm::StringRef isaName(Isa isa) { return info(isa).name; }
llvm::StringRef isaSuffix(Isa isa) { return info(isa).suffix; }
unsigned vectorBits(Isa isa) { return info(isa).vectorBits; }
bool hasFma(Isa isa) { return info(isa).hasFma; }

std::optional<Isa> parseIsa(llvm::StringRef name) {
  for (Isa isa : isas)
    if (isaName(isa) == name)
      return isa;
  return std::nullopt;
}

std::optional<Isa> hostIsa() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  std::optional<Isa> best;
  for (auto [isa, feature] :
       {std::pair(Isa::X86_64_V2, "sse4.2"), {Isa::X86_64_V3, "avx2"}, {Isa::X86_64_V4, "avx512vl"}})
    if (features.lookup(feature))
      best = isa;
  return best;
}

} // namespace gnnc
