//===- lsp_fuzz.cpp - Any messages to the language server -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line is a message. The server is initialised and has a document open, so that messages reach its depths. It
// answers a request once.
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Server.h"

using namespace gnnc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t responses = 0;
  lsp::Server server({}, [&](const std::string &body) {
    nlohmann::json message = nlohmann::json::parse(body);
    responses += message.contains("id");
  });
  server.handle(R"({"id":0,"method":"initialize","params":{}})");
  server.handle(R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"a","text":"fn f(x) = x\n"}}})");
  size_t messages = 1;
  llvm::StringRef rest(reinterpret_cast<const char *>(data), size);
  while (!rest.empty()) {
    auto [line, others] = rest.split('\n');
    server.handle(line.str());
    ++messages;
    rest = others;
  }
  if (responses > messages)
    __builtin_trap();
  return 0;
}
