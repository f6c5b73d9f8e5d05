//===- LibraryCall.h - Raised layers as calls of the library ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_LIBRARYCALL_H
#define GNNC_IMPORT_LIBRARYCALL_H

#include "compiler/Import/ExportedProgram.h"
#include <optional>
#include <set>

namespace gnnc::pt2 {

/// A dimension of a layer, and the text that the model has for it.
struct LayerDim {
  int64_t extent;
  std::string text;
};

/// A raised layer in the form that is written out if no layer of the library computes the same.
struct RaisedLayer {
  struct Input {
    bool isOfEdges;
    std::vector<LayerDim> shape;
  };
  struct Weight {
    std::string name;       // in `body`
    std::string moduleName; // in the module: `lin.weight`
    const StoredTensor *tensor;
    bool isTransposed;
    std::vector<LayerDim> shape;
  };
  std::string className;     // `GCNConv`
  std::string body;          // `(in: dim, out: dim) { ... }`
  std::vector<int64_t> dims; // arguments of the parameters of `body`
  std::vector<Input> inputs;
  std::vector<LayerDim> result;
  std::vector<Weight> weights;
  std::set<double> numbers;        // constants that the body has
  std::set<std::string> functions; // functions and aggregations that the body calls
};

/// A layer of the standard library that computes the same as a raised one.
struct LibraryCall {
  struct Weight {
    std::string name; // `W`, `nn.W1`
    size_t raised;    // index into RaisedLayer::weights
    std::vector<int64_t> sizes;
  };
  std::string instance;            // `GCNConv(in, hidden, bias = false)`
  std::vector<std::string> inputs; // the name that each input is passed by; empty: by position
  std::vector<Weight> weights;
};

/// Finds a layer of the library, with some of its options, that is the same program. The class of the layer proposes
/// it, and areSamePrograms decides.
std::optional<LibraryCall> findLibraryCall(const RaisedLayer &layer, const std::string &stdlib);

/// Names of the library's layers, which `import nn` declares.
std::set<std::string> libraryNames(const std::string &stdlib);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_LIBRARYCALL_H
