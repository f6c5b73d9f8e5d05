//===- Wording.cpp - How messages name things -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suggestions, shapes, types and pieces of the source.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gnnc;

std::optional<std::string> gnnc::nearest(llvm::StringRef name, std::vector<std::string> candidates) {
  constexpr size_t maxLength = 64;         // edit distance takes quadratic time
  unsigned best = name.size() < 3 ? 2 : 3; // one more than what is allowed
  std::optional<std::string> result;
  if (name.size() > maxLength)
    return result;
  llvm::sort(candidates);
  for (const std::string &candidate : candidates)
    if (candidate != name && name.equals_insensitive(candidate))
      return candidate;
  size_t bestPrefix = 0; // letters that the name and the result begin with: of equally near candidates, more are better
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    size_t prefix = std::mismatch(name.begin(), name.end(), candidate.begin(), candidate.end()).first - name.begin();
    bool isNearer = distance < best || (result && distance == best && prefix > bestPrefix);
    if (isNearer && distance < std::max(name.size(), candidate.size())) {
      best = distance;
      bestPrefix = prefix;
      result = candidate;
    }
  }
  return result;
}

std::string gnnc::suggest(llvm::StringRef name, std::vector<std::string> candidates) {
  std::optional<std::string> near = nearest(name, std::move(candidates));
  return near ? "did you mean `" + *near + "`?" : "";
}

std::string gnnc::str(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + shape[i].str();
  return text + "]";
}

llvm::StringRef gnnc::spelling(ElementKind element) {
  static constexpr llvm::StringLiteral names[] = {"real", "f32", "f64", "i32", "i64", "bool"};
  return names[static_cast<unsigned>(element)];
}

std::string gnnc::plural(size_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

std::string gnnc::sourceText(llvm::SMRange range) {
  constexpr size_t maxShown = 60;
  if (!range.isValid())
    return "";
  llvm::StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  std::string line;
  for (char c : text) {
    bool isBlank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!isBlank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    if (line.size() == maxShown)
      return line + "...";
  }
  return line;
}
