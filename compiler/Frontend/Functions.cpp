//===- Functions.cpp - Functions of the language itself ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that need no declaration.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gnnc;

std::vector<std::string> gnnc::builtinNames() {
  return {
#define UNARY(KIND, NAME, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"

#define BINARY(KIND, NAME, OPERANDS, CONSTANT, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"

#define FUNCTION(NAME, USAGE, DOC) NAME,
#include "compiler/Frontend/Functions.def"
  };
}

bool gnnc::isBuiltin(llvm::StringRef name) { return llvm::is_contained(builtinNames(), name.str()); }

std::optional<Reduction> gnnc::reductionNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Reduction>>(name)
      .Case("sum", Reduction::Sum)
      .Case("mean", Reduction::Mean)
      .Case("max", Reduction::Max)
      .Case("min", Reduction::Min)
      .Case("prod", Reduction::Prod)
      .Case("logsumexp", Reduction::LogSumExp)
      .Default(std::nullopt);
}

std::optional<ValueKind> gnnc::degreeKind(llvm::StringRef name) {
  if (name == "in_degree")
    return ValueKind::InDegree;
  return name == "out_degree" ? std::optional(ValueKind::OutDegree) : std::nullopt;
}
