//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON-RPC 2.0 and the language server protocol, version 3.17: takes one message at a time and answers through a
// callback. Any bytes may come in; a message that is malformed gives an error response or, as a notification, nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_SERVER_H
#define GNNC_LANGUAGESERVER_SERVER_H

#include "compiler/LanguageServer/Workspace.h"
#include <functional>
#include <nlohmann/json.hpp>

namespace gnnc::lsp {

class Server {
public:
  using Json = nlohmann::json;
  using Send = std::function<void(const std::string &)>;

  /// `send` gets the bodies of messages to the editor.
  Server(FrontendOptions options, Send send);

  /// Handles one message.
  void handle(const std::string &message);
  /// Set once the editor has said `exit`: the exit code.
  std::optional<int> exitCode() const { return exit; }

private:
  using Request = Json (Server::*)(const Json &params);
  using Notification = void (Server::*)(const Json &params);

  void request(const std::string &method, const Json &id, const Json &params);
  void notification(const std::string &method, const Json &params);
  void send(Json message);
  void sendError(const Json &id, int code, const std::string &message);

  Json initialize(const Json &params);
  Json shutdown(const Json &params);
  Json hover(const Json &params);
  Json definition(const Json &params);
  Json references(const Json &params);
  Json documentHighlight(const Json &params);
  Json completion(const Json &params);
  Json signatureHelp(const Json &params);
  Json semanticTokensFull(const Json &params);
  Json prepareRename(const Json &params);
  Json rename(const Json &params);
  Json inlayHint(const Json &params);
  Json documentSymbol(const Json &params);
  Json formatting(const Json &params);
  Json codeAction(const Json &params);

  void didOpen(const Json &params);
  void didChange(const Json &params);
  void didClose(const Json &params);
  void exitNow(const Json &params);

  /// The document that `params` names; throws if it is not open.
  const Document &documentOf(const Json &params) const;
  void publish(const std::vector<const Document *> &documents);

  Workspace workspace;
  Send sendBody;
  bool initialized = false, isShutDown = false;
  std::optional<int> exit;
};

/// Serves the editor at the other ends of two streams until it says `exit` or `in` ends. Returns the exit code.
int serve(FrontendOptions options, std::FILE *in, std::FILE *out);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_SERVER_H
