//===- Format.h - gnnc fmt --------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_FORMAT_H
#define GNNC_DRIVER_FORMAT_H

#include "compiler/Driver/Options.h"

namespace gnnc {

/// `gnnc fmt`: formats files in place, or says which are not formatted. Returns the exit code. A file with errors is
/// left alone and its errors are shown.
int formatFiles(const Options &options);

} // namespace gnnc

#endif // GNNC_DRIVER_FORMAT_H
