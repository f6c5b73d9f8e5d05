//===- HtmlPage.cpp - Pages for a browser ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/HtmlPage.h"

namespace gnn::tools {

static constexpr const char *style = R"(
body { font: 15px/1.5 sans-serif; color: #222; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
table { border-collapse: collapse; } td, th { padding: 0.2em 0.8em; border-bottom: 1px solid #ddd; text-align: right; }
td:first-child, th:first-child { text-align: left; } td.right { background: #e5f4dc; }
.words td, .words th { text-align: left; }
svg { width: 100%; } .charts svg { max-width: 29em; }
.steps { overflow-x: auto; } .steps svg { min-width: 46em; }
)";

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string htmlPage(const std::string &title, const std::string &body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>" +
         escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n" +
         body + "</body>\n</html>\n";
}

std::string htmlHeading(const std::string &text) { return "<h2>" + escaped(text) + "</h2>\n"; }

std::string htmlRow(const std::vector<std::string> &cells, const char *tag) {
  std::string html = "<tr>";
  for (const std::string &cell : cells)
    html += std::string("<") + tag + ">" + cell + "</" + tag + ">";
  return html + "</tr>\n";
}

} // namespace gnn::tools
