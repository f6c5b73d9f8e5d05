//===- Sarif.h - Diagnostics for other tools --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Static Analysis Results Interchange Format, version 2.1.0, which code hosts and editors read.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SARIF_H
#define GNNC_FRONTEND_SARIF_H

#include "compiler/Frontend/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace gnnc {

/// One log of one run, of the diagnostics of any number of files.
class SarifLog {
public:
  void add(const DiagnosticEngine &engine, const llvm::SourceMgr &sources);
  /// The document, with the codes that it has as rules.
  std::string text(llvm::StringRef version) const;

private:
  llvm::json::Array results;
  std::set<DiagnosticCode> codes;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SARIF_H
