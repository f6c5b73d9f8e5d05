//===- Import.cpp - gnnc import -------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Import.h"
#include "compiler/Import/ArgumentTable.h"
#include "compiler/Import/Functionalize.h"
#include "compiler/Import/Proof.h"
#include "compiler/Import/Weights.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace gnnc::pt2;

/// Decompositions of a program that was exported in evaluation mode drop its dropout: for training, the model then
/// lacks it.
static llvm::StringRef dropoutNote(const Program &program) {
  auto has = [&](std::initializer_list<llvm::StringRef> ops) {
    return llvm::any_of(program.nodes, [&](const Node &node) {
      return llvm::is_contained(ops, llvm::StringRef(node.target).rsplit('.').first);
    });
  };
  const bool isDecomposed =
      has({"aten.mm", "aten.addmm"}) && !has({"aten.linear", "aten.dropout", "aten.native_dropout"});
  return isDecomposed ? "// run_decompositions has removed dropout, if the model had any. Export without it to keep "
                        "dropout for training.\n\n"
                      : "\n";
}

ImportedModel gnnc::pt2::importModel(const std::string &path, Stage stage, const std::string &stdlib) {
  ImportedModel result;
  llvm::raw_string_ostream os(result.text);
  const Program exported = readProgram(path);
  if (stage == Stage::Graph) {
    exported.print(os);
    return result;
  }
  const Program functional = functionalize(exported);
  if (stage == Stage::Functional) {
    functional.print(os);
    return result;
  }
  checkArguments(functional);
  const RaisedProgram raised = raise(functional);
  if (stage == Stage::Terms) {
    raised.print(os);
    return result;
  }
  if (!llvm::sys::fs::is_directory(stdlib + "/nn")) // otherwise the text would depend on where gnnc is
    throw ImportError("the standard library is not in " + stdlib + ": install gnnc with its stdlib folder");
  ProgramText written = writeProgram(functional, raised, stdlib);
  const ProofResult proof = prove(exported, raised, written, stdlib);
  os << "// Imported by gnnc import from " << llvm::sys::path::filename(path) << ", written by PyTorch "
     << llvm::StringRef(exported.torchVersion).split('+').first << ".\n"
     << dropoutNote(exported) << written.text;
  result.weights = writeWeights(exported, written);
  llvm::raw_string_ostream(result.report) << "equal on " << proof.numGraphs << " graphs within "
                                          << llvm::format("%.1e", proof.maxDifference) << " in float64";
  return result;
}
