//===- Driver.h - gnnc ------------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_DRIVER_H
#define GNNC_DRIVER_DRIVER_H

namespace gnnc {

/// The program `gnnc`: returns its exit code (Options.h).
int runDriver(int argc, char **argv);

} // namespace gnnc

#endif // GNNC_DRIVER_DRIVER_H
