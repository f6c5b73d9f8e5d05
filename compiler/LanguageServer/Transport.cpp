//===- Transport.cpp - Messages over two streams ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Transport.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace {

constexpr size_t maxBody = 64 << 20, maxHeader = 4096;

/// One line without its end; none at the end of the stream. Of a long line the beginning.
std::optional<std::string> readLine(std::FILE *in) {
  std::string line;
  int c;
  while ((c = std::fgetc(in)) != EOF && c != '\n')
    if (line.size() < maxHeader)
      line += static_cast<char>(c);
  if (c == EOF)
    return std::nullopt;
  return line;
}

/// Reads `size` bytes and keeps at most `maxBody` of them.
std::optional<std::string> readBody(std::FILE *in, size_t size) {
  std::string body;
  constexpr size_t chunk = 1 << 16;
  char buffer[chunk];
  while (size > 0) {
    size_t count = std::fread(buffer, 1, std::min(size, chunk), in);
    if (count == 0)
      return std::nullopt;
    size -= count;
    if (body.size() <= maxBody)
      body.append(buffer, count);
  }
  return body;
}

} // namespace

std::optional<std::string> gnnc::lsp::readMessage(std::FILE *in) {
  std::optional<size_t> length;
  while (std::optional<std::string> line = readLine(in)) {
    llvm::StringRef text = llvm::StringRef(*line).rtrim("\r");
    if (text.consume_front_insensitive("content-length:")) {
      size_t value;
      if (!text.trim().getAsInteger(10, value))
        length = value;
    } else if (text.empty() && length) {
      std::optional<std::string> body = readBody(in, *length);
      if (!body || body->size() <= maxBody)
        return body;
      length.reset();
    }
  }
  return std::nullopt;
}

void gnnc::lsp::writeMessage(std::FILE *out, const std::string &body) {
  std::fprintf(out, "Content-Length: %zu\r\n\r\n", body.size());
  std::fwrite(body.data(), 1, body.size(), out);
  std::fflush(out);
}
