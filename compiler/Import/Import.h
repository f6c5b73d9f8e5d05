//===- Import.h - gnnc import ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_IMPORT_H
#define GNNC_IMPORT_IMPORT_H

#include "compiler/Import/ExportedProgram.h"

namespace gnnc::pt2 {

/// The stages of an import.
enum class Stage {
  Graph,      // the exported program as it was read
  Functional, // the same without ops in place
  Terms,      // raised
  Program     // the text, proved
};

struct ImportedModel {
  std::string text;    // of the stage
  std::string weights; // Program: a safetensors file
  std::string report;  // Program: one line about the proof
};

/// Reads the `.pt2` file and goes as far as `stage`. Throws ImportError for what cannot be imported.
ImportedModel importModel(const std::string &path, Stage stage, const std::string &stdlib);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_IMPORT_H
