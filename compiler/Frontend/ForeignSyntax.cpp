//===- ForeignSyntax.cpp - What other languages write ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gnnc;

static constexpr char powers[] = "a power is `pow(x, 2)`";

std::string gnnc::adviceOn(const Token &found, llvm::StringRef expected) {
  const llvm::StringRef text = found.text;
  if (expected == "an expression") {
    // The token before, on whose last character `**` ends: an operator with an operand before it.
    if (text == "*" && text.data()[-1] == '*')
      return powers;
    return llvm::StringSwitch<std::string>(text)
        .Cases("if", "else", "?", "`select(condition, a, b)` is `a` where the condition holds, else `b`")
        .Cases("while", "repeat", "`repeat` is a statement of a body: `repeat 3 { h = step(h) }`")
        .Case("lambda", "functions stand outside of models: `fn square(x) = x * x`")
        .Default("");
  }
  if (expected == "a setting")
    return llvm::StringSwitch<std::string>(text)
        .Cases("=", ":", "a setting is a name and its value: `optimizer adam`")
        .Case(",", "settings stand side by side: `graph { self_loops symmetric }`")
        .Default("");
  if (expected.starts_with("`->`") && text == "in")
    return "the edges into v are `u -> v`: `sum(u.h for u -> v)`";
  if (expected.starts_with("`->`") && (text == "<" || text == "<-"))
    return "`u -> v` is the edge from u to v, `v -> u` the one from v to u";
  if (expected.starts_with("a name") && (text == "int" || text == "float" || text == "real" || text == "bool"))
    return "the type stands behind the name: `x: real[d]`, `n: i32`";
  return "";
}

std::string gnnc::adviceOnCharacter(llvm::StringRef character) {
  return llvm::StringSwitch<std::string>(character)
      .Case("#", "comments begin with `//`")
      .Case("^", powers)
      .Case("?", "`select(condition, a, b)` is `a` where the condition holds, else `b`")
      .Case("&", "conditions are joined by `and`")
      .Case("|", "conditions are joined by `or`")
      .Case("$", "names consist of letters a-z, digits and `_`")
      .Default("");
}
