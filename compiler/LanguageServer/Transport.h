//===- Transport.h - Messages over two streams ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The framing of the language server protocol: header lines, an empty line, the body.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_TRANSPORT_H
#define GNNC_LANGUAGESERVER_TRANSPORT_H

#include <cstdio>
#include <optional>
#include <string>

namespace gnnc::lsp {

/// The body of the next message; none at the end of the stream. Headers that are not understood are skipped, as are
/// bodies of more than 64 MiB.
std::optional<std::string> readMessage(std::FILE *in);
void writeMessage(std::FILE *out, const std::string &body);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_TRANSPORT_H
