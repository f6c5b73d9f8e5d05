//===- Raise.h - From tensors and indices to terms --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_RAISE_H
#define GNNC_IMPORT_RAISE_H

#include "compiler/Import/ExportedProgram.h"
#include "compiler/Import/Terms.h"

namespace gnnc::pt2 {

/// A module whose work becomes the body of a layer.
struct LayerModule {
  std::string path, type;
};

/// An input of the model: features of vertices or of edges, or the edges themselves.
struct RaisedInput {
  std::string name;
  Place place = Place::Model; // Model: the list of edges
  std::vector<int64_t> sizes; // without the first dimension
};

struct RaisedProgram {
  TermBuilder terms;
  std::vector<RaisedInput> inputs; // in the order of the exported program
  std::vector<LayerModule> layers; // in the order of their first node
  std::vector<const Term *> outputs;

  void print(llvm::raw_ostream &os) const;
};

/// Finds what every axis ranges over and which edges every list of indices has, and expresses the outputs as terms.
/// `program` has no in-place ops. Throws ImportError for what cannot be expressed exactly.
RaisedProgram raise(const Program &program);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_RAISE_H
