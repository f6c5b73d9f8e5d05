//===- ExportedProgram.h - A program of torch.export -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of a `.pt2` file as data: values by name, nodes in order, the signature and the weights. Nothing in it is
// interpreted. Raising and the evaluator share this file and no other.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_EXPORTEDPROGRAM_H
#define GNNC_IMPORT_EXPORTEDPROGRAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gnnc::pt2 {

/// Why a file cannot be imported: a sentence for the user that says what to do.
class ImportError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// PyTorch's element types by their numbers in the file.
enum class ScalarType { Unknown = 0, Byte = 1, Long = 5, Half = 6, Float = 7, Double = 8, Bool = 12, BFloat16 = 13 };

/// A size: a number, or a symbol that is open.
struct Size {
  int64_t number = 0;
  std::string symbol; // empty: `number`

  bool isOpen() const { return !symbol.empty(); }
};

struct TensorType {
  ScalarType element = ScalarType::Unknown;
  std::vector<Size> sizes;
};

/// An argument of a node.
struct Argument {
  enum class Kind { None, Tensor, Int, SymInt, Float, Bool, String, Element, List, Other };
  Kind kind = Kind::None;
  std::string text;            // name of a tensor or symbol, a string, or what an `Other` is called in the file
  int64_t integer = 0;         // Int, Bool, Element
  double real = 0;             // Float; also the value of an Int
  std::vector<Argument> items; // List

  bool isNumber() const { return kind == Kind::Int || kind == Kind::Float || kind == Kind::Bool; }
};

/// A module that was being called where a node was recorded.
struct ModuleCall {
  std::string path; // `convs.0`; empty: the exported module
  std::string type; // `torch_geometric.nn.conv.gcn_conv.GCNConv`
};

struct Node {
  std::string name, target; // `aten.relu.default`
  std::vector<std::pair<std::string, Argument>> inputs;
  std::vector<std::string> outputs;
  std::vector<ModuleCall> modules; // from the outside in
  std::string place;               // the innermost line of Python: `FILE:LINE`

  const Argument *find(llvm::StringRef input) const;
};

/// Parameters, buffers and constants; numbers are row-major.
struct StoredTensor {
  std::string name; // `conv1.lin.weight`
  TensorType type;
  bool isParameter = false;
  std::vector<double> numbers;
};

struct Program {
  std::string torchVersion;
  std::vector<std::string> userInputs;         // names of values
  std::map<std::string, StoredTensor> storeds; // by the name of the value
  std::vector<std::string> storedOrder;
  std::vector<std::string> outputs;
  std::vector<Node> nodes;
  std::map<std::string, TensorType> tensors;

  /// One line a node: `relu = aten.relu.default(add)  # conv1`.
  void print(llvm::raw_ostream &os) const;
};

/// A sentence about `node`: where it is, and what is wrong.
[[noreturn]] void refuse(const Node &node, const std::string &why);

/// Reads a file that `torch.export.save` of PyTorch 2.8 or later wrote. Throws ImportError for any other.
Program readProgram(const std::string &path);
/// The same of a file in memory, which errors call `name`.
Program readProgram(llvm::StringRef bytes, const std::string &name);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_EXPORTEDPROGRAM_H
