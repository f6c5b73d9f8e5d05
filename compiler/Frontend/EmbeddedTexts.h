//===- EmbeddedTexts.h - Texts that the program carries ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prelude and the pages of the diagnostic codes, embedded at build time (cmake/EmbedTexts.cmake).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_EMBEDDEDTEXTS_H
#define GNNC_FRONTEND_EMBEDDEDTEXTS_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gnnc {

/// The text embedded from the file whose name without ending is `stem`: `Prelude`, `E0311`.
std::optional<llvm::StringRef> embeddedText(llvm::StringRef stem);

} // namespace gnnc

#endif // GNNC_FRONTEND_EMBEDDEDTEXTS_H
