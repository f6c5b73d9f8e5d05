//===- HtmlPage.h - Pages for a browser -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the HTML pages that the programs write: each page is one file that loads no other file and runs no
// script.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_HTMLPAGE_H
#define GNN_SUPPORT_HTMLPAGE_H

#include <string>
#include <vector>

namespace gnn::tools {

/// Text as HTML and SVG take it.
std::string escaped(const std::string &text);

/// A whole document of `body`, which is HTML; `title` is text, and becomes its heading too.
std::string htmlPage(const std::string &title, const std::string &body);

std::string htmlHeading(const std::string &text);

/// A row of a table; its cells are HTML.
std::string htmlRow(const std::vector<std::string> &cells, const char *tag = "td");

} // namespace gnn::tools

#endif // GNN_SUPPORT_HTMLPAGE_H
