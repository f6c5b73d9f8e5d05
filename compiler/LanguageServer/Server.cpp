//===- Server.cpp - The language server -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/Server.h"
#include "compiler/Formatter/Formatter.h"
#include "compiler/LanguageServer/Protocol.h"
#include "compiler/LanguageServer/Transport.h"
#include "compiler/LanguageServer/Uri.h"
#include <cerrno>
#include <stdexcept>
#include <system_error>

using namespace gnnc;
using namespace gnnc::lsp;
using Json = nlohmann::json;

namespace {

enum ErrorCode {
  parseError = -32700,
  invalidRequest = -32600,
  methodNotFound = -32601,
  invalidParams = -32602,
  internalError = -32603,
  serverNotInitialized = -32002,
  requestFailed = -32803,
};

/// A request that cannot be fulfilled, for a reason that people should read.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string pathOf(const Json &params) {
  return pathOfUri(params.at("textDocument").at("uri").get_ref<const std::string &>());
}

size_t offsetOf(const Document &document, const Json &params) {
  return document.analysis->offset(readPosition(params.at("position")));
}

} // namespace

Server::Server(FrontendOptions options, Send send) : workspace(std::move(options)), sendBody(std::move(send)) {}

//===----------------------------------------------------------------------===//
// JSON-RPC
//===----------------------------------------------------------------------===//

void Server::send(Json message) {
  message["jsonrpc"] = "2.0";
  sendBody(message.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace));
}

void Server::sendError(const Json &id, int code, const std::string &message) {
  send({{"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::handle(const std::string &text) {
  Json message = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (message.is_discarded())
    return sendError(nullptr, parseError, "the message is no JSON");
  bool isMessage = message.is_object() && message.contains("method") && message["method"].is_string();
  bool isResponse = message.is_object() && !message.contains("method") && message.contains("id");
  if (isResponse) // the server asks for nothing
    return;
  bool hasId = isMessage && message.contains("id");
  if (!isMessage || (hasId && !message["id"].is_string() && !message["id"].is_number()))
    return sendError(nullptr, invalidRequest, "the message is no request");
  std::string method = message["method"];
  Json params = message.value("params", Json::object());
  if (hasId)
    request(method, message["id"], params);
  else
    notification(method, params);
}

void Server::request(const std::string &method, const Json &id, const Json &params) {
  static const std::map<std::string, Request> requests = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"textDocument/hover", &Server::hover},
      {"textDocument/definition", &Server::definition},
      {"textDocument/references", &Server::references},
      {"textDocument/documentHighlight", &Server::documentHighlight},
      {"textDocument/completion", &Server::completion},
      {"textDocument/signatureHelp", &Server::signatureHelp},
      {"textDocument/semanticTokens/full", &Server::semanticTokensFull},
      {"textDocument/prepareRename", &Server::prepareRename},
      {"textDocument/rename", &Server::rename},
      {"textDocument/inlayHint", &Server::inlayHint},
      {"textDocument/documentSymbol", &Server::documentSymbol},
      {"textDocument/formatting", &Server::formatting},
      {"textDocument/codeAction", &Server::codeAction},
  };
  auto handler = requests.find(method);
  if (handler == requests.end())
    return sendError(id, methodNotFound, "there is no method " + method);
  if (!initialized && method != "initialize")
    return sendError(id, serverNotInitialized, "the first request is `initialize`");
  if (isShutDown)
    return sendError(id, invalidRequest, "the server is shut down");
  try {
    send({{"id", id}, {"result", (this->*handler->second)(params)}});
  } catch (const Json::exception &) {
    sendError(id, invalidParams, "the parameters of " + method + " are not as they should be");
  } catch (const Refusal &refusal) {
    sendError(id, requestFailed, refusal.what());
  } catch (const std::exception &error) {
    sendError(id, internalError, error.what());
  }
}

/// Notifications have no answer: those that are unknown or malformed are dropped.
void Server::notification(const std::string &method, const Json &params) {
  static const std::map<std::string, Notification> notifications = {
      {"textDocument/didOpen", &Server::didOpen},
      {"textDocument/didChange", &Server::didChange},
      {"textDocument/didClose", &Server::didClose},
      {"exit", &Server::exitNow},
  };
  auto handler = notifications.find(method);
  bool isActive = (initialized && !isShutDown) || method == "exit";
  if (handler == notifications.end() || !isActive)
    return;
  try {
    (this->*handler->second)(params);
  } catch (const Json::exception &) {
  } catch (const Refusal &) {
  }
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

Json Server::initialize(const Json &) {
  initialized = true;
  return capabilities();
}

Json Server::shutdown(const Json &) {
  isShutDown = true;
  return nullptr;
}

void Server::exitNow(const Json &) { exit = isShutDown ? 0 : 1; }

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

const Document &Server::documentOf(const Json &params) const {
  std::string path = pathOf(params);
  const Document *document = workspace.find(path);
  if (!document)
    throw Refusal(path + " is not open");
  return *document;
}

void Server::publish(const std::vector<const Document *> &documents) {
  for (const Document *document : documents) {
    Json list = Json::array();
    for (const Diagnostic &diagnostic : document->analysis->diagnostics().diagnostics())
      list.push_back(toJson(diagnostic, *document->analysis));
    send({{"method", "textDocument/publishDiagnostics"},
          {"params",
           {{"uri", uriOfPath(document->path)}, {"version", document->version}, {"diagnostics", std::move(list)}}}});
  }
}

void Server::didOpen(const Json &params) {
  const Json &document = params.at("textDocument");
  publish(workspace.update(pathOf(params), document.at("text"), document.value("version", int64_t(0))));
}

void Server::didChange(const Json &params) {
  const Document &document = documentOf(params);
  std::string text = document.text;
  for (const Json &change : params.at("contentChanges")) {
    const std::string &inserted = change.at("text").get_ref<const std::string &>();
    if (!change.contains("range")) {
      text = inserted;
      continue;
    }
    Range range = readRange(change["range"]);
    LineTable lines(text);
    size_t begin = lines.offset(range.start), end = lines.offset(range.end);
    text.replace(begin, end < begin ? 0 : end - begin, inserted);
  }
  int64_t version = params["textDocument"].value("version", document.version);
  publish(workspace.update(document.path, std::move(text), version));
}

void Server::didClose(const Json &params) {
  std::string path = documentOf(params).path;
  publish(workspace.close(path));
  send({{"method", "textDocument/publishDiagnostics"},
        {"params", {{"uri", uriOfPath(path)}, {"diagnostics", Json::array()}}}});
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Json Server::hover(const Json &params) {
  const Document &document = documentOf(params);
  std::optional<Hover> found = lsp::hover(*document.analysis, offsetOf(document, params));
  if (!found)
    return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", found->markdown}}}, {"range", toJson(found->range)}};
}

Json Server::definition(const Json &params) {
  const Document &document = documentOf(params);
  Json result = Json::array();
  for (const Location &location : definitions(*document.analysis, offsetOf(document, params)))
    if (Json place = toJson(location); !place.is_null())
      result.push_back(std::move(place));
  return result;
}

Json Server::references(const Json &params) {
  const Document &document = documentOf(params);
  Json result = Json::array();
  for (const auto &[path, ranges] : workspace.uses(document, offsetOf(document, params)))
    for (const Range &range : ranges)
      result.push_back(toJson(Location{path, range}));
  return result;
}

Json Server::documentHighlight(const Json &params) {
  const Document &document = documentOf(params);
  Json result = Json::array();
  auto uses = workspace.uses(document, offsetOf(document, params));
  for (const Range &range : uses[document.path])
    result.push_back({{"range", toJson(range)}});
  return result;
}

Json Server::completion(const Json &params) {
  const Document &document = documentOf(params);
  Json items = Json::array();
  for (const CompletionItem &item : complete(*document.analysis, offsetOf(document, params)))
    items.push_back(toJson(item));
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json Server::signatureHelp(const Json &params) {
  const Document &document = documentOf(params);
  std::optional<Signature> signature = signatureAt(*document.analysis, offsetOf(document, params));
  return signature ? toJson(*signature) : Json();
}

Json Server::semanticTokensFull(const Json &params) { return {{"data", semanticTokens(*documentOf(params).analysis)}}; }

Json Server::prepareRename(const Json &params) {
  const Document &document = documentOf(params);
  size_t offset = offsetOf(document, params);
  auto isAround = [&](const Range &range) {
    const Analysis &analysis = *document.analysis;
    return offset >= analysis.offset(range.start) && offset <= analysis.offset(range.end);
  };
  auto uses = workspace.uses(document, offset);
  for (const Range &range : uses[document.path])
    if (isAround(range))
      return toJson(range);
  return nullptr;
}

Json Server::rename(const Json &params) {
  const Document &document = documentOf(params);
  Workspace::Renaming renaming = workspace.rename(document, offsetOf(document, params), params.at("newName"));
  if (!renaming.refusal.empty())
    throw Refusal(renaming.refusal);
  Json changes = Json::object();
  for (const auto &[path, edits] : renaming.edits)
    for (const Edit &edit : edits)
      changes[uriOfPath(path)].push_back(toJson(edit));
  return {{"changes", std::move(changes)}};
}

Json Server::inlayHint(const Json &params) {
  const Document &document = documentOf(params);
  const Analysis &analysis = *document.analysis;
  Range range = readRange(params.at("range"));
  Json result = Json::array();
  constexpr int typeHint = 1;
  for (const InlayHint &hint : inlayHints(analysis, analysis.offset(range.start), analysis.offset(range.end)))
    result.push_back({{"position", toJson(hint.position)}, {"label", hint.label}, {"kind", typeHint}});
  return result;
}

Json Server::documentSymbol(const Json &params) {
  const Document &document = documentOf(params);
  Json result = Json::array();
  for (const Symbol &symbol : document.analysis->symbols())
    result.push_back(toJson(symbol, *document.analysis));
  return result;
}

/// One edit, of the lines between what stays at the beginning and what stays at the end.
Json Server::formatting(const Json &params) {
  const Document &document = documentOf(params);
  DiagnosticEngine diagnostics;
  std::optional<std::string> formatted = format(document.text, diagnostics);
  if (!formatted || *formatted == document.text)
    return Json::array(); // the diagnostics of a text with errors are on show
  llvm::StringRef before = document.text, after = *formatted;
  size_t begin = 0;
  while (begin < before.size() && begin < after.size() && before[begin] == after[begin])
    ++begin;
  begin = before.take_front(begin).rfind('\n') + 1;
  before = before.drop_front(begin);
  after = after.drop_front(begin);
  size_t same = 0;
  while (same < before.size() && same < after.size() &&
         before[before.size() - 1 - same] == after[after.size() - 1 - same])
    ++same;
  while (same > 0 && before[before.size() - same] != '\n')
    --same;
  LineTable lines(document.text);
  Range range{lines.position(begin), lines.position(begin + before.size() - same)};
  return Json::array({toJson(Edit{range, after.drop_back(same).str()})});
}

/// The fixes that diagnostics propose.
Json Server::codeAction(const Json &params) {
  const Document &document = documentOf(params);
  const Analysis &analysis = *document.analysis;
  Range range = readRange(params.at("range"));
  const char *begin = analysis.text().data() + analysis.offset(range.start);
  const char *end = analysis.text().data() + analysis.offset(range.end);
  auto touches = [&](llvm::SMRange place) {
    return analysis.isInDocument(place) && place.End.getPointer() >= begin && place.Start.getPointer() <= end;
  };
  Json result = Json::array();
  for (const Diagnostic &diagnostic : analysis.diagnostics().diagnostics())
    for (const Diagnostic::Help &help : diagnostic.helps) {
      bool isHere = touches(help.range) || (!diagnostic.labels.empty() && touches(diagnostic.labels.front().range));
      if (!isHere || !analysis.isInDocument(help.range))
        continue;
      std::string verb = help.range.Start == help.range.End ? "Insert" : "Replace with";
      Json edits = Json::array({toJson(Edit{analysis.range(help.range), help.replacement})});
      result.push_back({{"title", verb + " `" + help.replacement + "`"},
                        {"kind", "quickfix"},
                        {"diagnostics", Json::array({toJson(diagnostic, analysis)})},
                        {"edit", {{"changes", {{uriOfPath(document.path), std::move(edits)}}}}}});
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

int lsp::serve(FrontendOptions options, std::FILE *in, std::FILE *out) {
  Server server(std::move(options), [&](const std::string &body) { writeMessage(out, body); });
  while (!server.exitCode()) {
    std::optional<std::string> message = readMessage(in);
    if (std::ferror(in))
      throw std::system_error(errno, std::generic_category(), "cannot read the standard input");
    if (!message)
      return 1; // the editor went away without a word
    server.handle(*message);
    if (std::ferror(out))
      return 3; // an answer is lost, which is reported where the program ends
  }
  return *server.exitCode();
}
