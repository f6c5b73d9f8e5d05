//===- Outputs.h - The files that gnnc writes -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their names, and that none of them is a source.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_OUTPUTS_H
#define GNNC_DRIVER_OUTPUTS_H

#include "compiler/Driver/Options.h"

namespace gnnc {

/// The library, or whatever else is written: in the current folder under the name of the source unless -o says
/// otherwise.
std::string outputPath(const Options &options);

/// The header or manifest beside a library.
std::string companionPath(const Options &options, llvm::StringRef extension);

inline constexpr llvm::StringLiteral headerExtension = ".h", cppHeaderExtension = ".hpp", manifestExtension = ".json";

/// Whether a file that would be written is one of those that were read, by whatever name, or any other source that is
/// there; says so. To be called before anything is written: -o, or a FILE forgotten after --sarif, must cost no model.
bool wouldLoseSource(const Options &options, llvm::ArrayRef<std::string> read);

} // namespace gnnc

#endif // GNNC_DRIVER_OUTPUTS_H
