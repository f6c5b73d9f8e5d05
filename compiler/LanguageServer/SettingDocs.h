//===- SettingDocs.h - What editors say of settings -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_LANGUAGESERVER_SETTINGDOCS_H
#define GNNC_LANGUAGESERVER_SETTINGDOCS_H

#include "compiler/LanguageServer/Analysis.h"

namespace gnnc::lsp {

/// The setting of `graph`, `train` or `schedule`, or the initialiser, whose name is at `offset`: where it stands, and a
/// text in Markdown.
std::optional<std::pair<llvm::SMRange, std::string>> settingAt(const Analysis &analysis, size_t offset);

} // namespace gnnc::lsp

#endif // GNNC_LANGUAGESERVER_SETTINGDOCS_H
