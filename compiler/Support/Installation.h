//===- Installation.h - Where our own files are -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what is installed beside the running program. A build tree has the same layout.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_INSTALLATION_H
#define GNNC_SUPPORT_INSTALLATION_H

#include <string>

namespace gnnc {

/// The folder of the standard library of layers, `PREFIX/share/gnnc/stdlib`, which holds `nn`. `program` is argv[0].
std::string stdlibFolder(const char *program);

} // namespace gnnc

#endif // GNNC_SUPPORT_INSTALLATION_H
