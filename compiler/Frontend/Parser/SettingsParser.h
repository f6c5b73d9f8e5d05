//===- SettingsParser.h - Settings ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks `graph`, `train` and `schedule`.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_PARSER_SETTINGSPARSER_H
#define GNNC_FRONTEND_PARSER_SETTINGSPARSER_H

#include "compiler/Frontend/Parser/ComponentItems.h"
#include "compiler/Frontend/Parser/ExprParser.h"

namespace gnnc {

/// Parses the blocks `graph`, `train` and `schedule`.
class SettingsParser : ParserBase {
public:
  explicit SettingsParser(ParserState &state) : ParserBase(state), exprs(state) {}

  bool parseGraph(ComponentItems &items);
  bool parseSettings(llvm::SmallVectorImpl<ast::Setting> &settings);

private:
  bool parseVertexTypes(ComponentItems &items);
  bool parseRelation(ComponentItems &items);
  bool parseBraces(llvm::function_ref<bool()> entry);
  std::optional<ast::Setting> parseSetting();

  ExprParser exprs;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_PARSER_SETTINGSPARSER_H
