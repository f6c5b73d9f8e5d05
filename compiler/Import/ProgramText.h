//===- ProgramText.h - The text of an imported model ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_PROGRAMTEXT_H
#define GNNC_IMPORT_PROGRAMTEXT_H

#include "compiler/Import/Raise.h"

namespace gnnc::pt2 {

/// A weight of the written model and the tensor of the exported program that it is.
struct MappedWeight {
  std::string name;  // `conv1.W`
  std::string value; // in Program::storeds
  bool isTransposed = false;
  std::vector<int64_t> sizes; // in the written model
};

struct ProgramText {
  std::string text;
  std::vector<MappedWeight> weights;
  std::map<std::string, std::string> inputs; // names in the text by names in the exported program
  std::vector<std::string> outputs;
};

/// A model with one layer for each layer module: a layer of the standard library, in the folder `stdlib`, that is the
/// same program, or one that is written out. Layers with equal bodies share a declaration. Laid out as by `gnnc fmt`.
ProgramText writeProgram(const Program &program, const RaisedProgram &raised, const std::string &stdlib);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_PROGRAMTEXT_H
