//===- FrontendTesting.h - Helpers of the front end's tests -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the front end on texts and gives back what it says, as text.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_UNIT_FRONTEND_FRONTENDTESTING_H
#define GNNC_TEST_UNIT_FRONTEND_FRONTENDTESTING_H

#include "compiler/Frontend/Frontend.h"
#include <string>
#include <vector>

namespace gnnc::testing {

struct Outcome {
  std::vector<std::string> codes; // of the diagnostics, in order
  std::string rendered;           // rich, without colour
  std::string brief;              // short
  std::string model;              // printed; empty if there is none
  std::string fixed;              // the text with every suggested replacement; empty if a diagnostic suggests none
};

/// Options with the standard library of the checkout, without warnings of unused names.
FrontendOptions defaultOptions();
/// Checks `text`; a file of layers only is in order.
Outcome check(llvm::StringRef text, FrontendOptions options = defaultOptions());
/// The printed checked model of layer `L` of `text`.
std::string layerModel(llvm::StringRef text);

/// A fenced block of a Markdown text: "```gnn error E0311" has the info string "gnn error E0311".
struct Block {
  std::string info, text;
};
std::vector<Block> fencedBlocks(llvm::StringRef markdown);

/// The contents of a file of the checkout.
std::string readSource(llvm::StringRef relativePath);
/// Where a file or folder of the checkout is.
std::string pathInCheckout(llvm::StringRef relativePath);
/// The files of a folder of the checkout that end so, sorted, with the folder.
std::vector<std::string> listSources(llvm::StringRef folder, llvm::StringRef ending);
/// Compares with a golden file of the checkout. With GNNC_UPDATE_GOLDEN set in the environment, writes it instead.
void requireGolden(llvm::StringRef relativePath, llvm::StringRef actual);

} // namespace gnnc::testing

#endif // GNNC_TEST_UNIT_FRONTEND_FRONTENDTESTING_H
