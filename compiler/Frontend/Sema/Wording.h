//===- Wording.h - How messages name things ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of messages: suggestions, shapes, types and pieces of the source.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_WORDING_H
#define GNNC_FRONTEND_SEMA_WORDING_H

#include "compiler/Frontend/CheckedModel.h"
#include <optional>

namespace gnnc {

/// "did you mean `x`?" if one of the candidates is near, else empty.
std::string suggest(llvm::StringRef name, std::vector<std::string> candidates);
/// The nearest candidate, if one is near: at most one edit for names under three letters, else two.
std::optional<std::string> nearest(llvm::StringRef name, std::vector<std::string> candidates);
/// `[heads, out]`
std::string str(const Shape &shape);
/// `real`, `i32`
llvm::StringRef spelling(ElementKind element);
/// `3 arguments`, `1 argument`
std::string plural(size_t count, llvm::StringRef noun);
/// The source text of a range, on one line.
std::string sourceText(llvm::SMRange range);

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_WORDING_H
