//===- Protocol.h - Our structures as JSON ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions between what the server computes and what the protocol calls it. Readers throw nlohmann::json
// exceptions on what is not as it should be.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_PROTOCOL_H
#define GNNC_LANGUAGESERVER_PROTOCOL_H

#include "compiler/LanguageServer/Completion.h"
#include "compiler/LanguageServer/Queries.h"
#include "compiler/LanguageServer/SemanticTokens.h"
#include "compiler/LanguageServer/Signatures.h"
#include "compiler/LanguageServer/Workspace.h"
#include <nlohmann/json.hpp>

namespace gnnc::lsp {

Position readPosition(const nlohmann::json &json);
Range readRange(const nlohmann::json &json);

nlohmann::json toJson(const Position &position);
nlohmann::json toJson(const Range &range);
/// Null for a place in no file.
nlohmann::json toJson(const Location &location);
nlohmann::json toJson(const Edit &edit);
nlohmann::json toJson(const CompletionItem &item);
nlohmann::json toJson(const Signature &signature);
nlohmann::json toJson(const Symbol &symbol, const Analysis &analysis);
/// A diagnostic with notes and helps in its message, and secondary labels as related information.
nlohmann::json toJson(const Diagnostic &diagnostic, const Analysis &analysis);
/// The capabilities of the server: the result of `initialize`.
nlohmann::json capabilities();

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_PROTOCOL_H
