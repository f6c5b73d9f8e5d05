//===- Formatter.h - One way to lay out .gnn files --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lays out a source: indentation, blanks between tokens, one statement a line, aligned declarations. Works on tokens
// and comments, so nothing of the text is lost; where the author breaks lines inside an expression or list is kept, and
// a block that is written in one line stays in one. docs/gnnc.md states the rules.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FORMATTER_FORMATTER_H
#define GNNC_FORMATTER_FORMATTER_H

#include "compiler/Frontend/Diagnostics.h"
#include <optional>
#include <string>

namespace gnnc {

/// The formatted text of a source, which is followed by a NUL. None if it does not parse; `diagnostics` says why.
/// Formatting twice is formatting once. Throws std::logic_error rather than return a text that means something else.
std::optional<std::string> format(llvm::StringRef text, DiagnosticEngine &diagnostics);

} // namespace gnnc

#endif // GNNC_FORMATTER_FORMATTER_H
