//===- Shrink.cpp - The smallest model that still fails -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/Shrink.h"
#include <algorithm>
#include <cctype>
#include <vector>

namespace gnnc::verify {

namespace {

struct Range {
  size_t begin, end;
};

class Shrinker {
public:
  Shrinker(std::string source, llvm::function_ref<bool(const std::string &)> fails, int budget)
      : text(std::move(source)), fails(fails), budget(budget) {}

  std::string run() {
    for (size_t before = text.size() + 1; before > text.size() && budget > 0;) {
      before = text.size();
      dropLines();
      simplifyBrackets();
      simplifyNumbers();
    }
    return text;
  }

private:
  /// Takes `candidate` if it is smaller and still fails.
  bool take(const std::string &candidate) {
    if (candidate.size() >= text.size() || --budget < 0 || !fails(candidate))
      return false;
    text = candidate;
    return true;
  }
  std::string with(Range range, const std::string &replacement) const {
    return text.substr(0, range.begin) + replacement + text.substr(range.end);
  }

  void dropLines();
  void simplifyBrackets();
  void simplifyNumbers();
  bool simplifyBracket(size_t open);
  size_t closing(size_t open) const;
  std::vector<Range> parts(size_t open, size_t close) const;

  std::string text;
  llvm::function_ref<bool(const std::string &)> fails;
  int budget;
};

} // namespace

/// Runs of lines, long ones first, from the end: what comes last is used least.
void Shrinker::dropLines() {
  for (size_t length : {8, 4, 2, 1}) {
    std::vector<size_t> starts = {0};
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n')
        starts.push_back(i + 1);
    for (size_t line = starts.size(); line-- > 0;) {
      const size_t end = starts[std::min(line + length, starts.size() - 1)];
      if (starts[line] < end && end <= text.size())
        take(with({starts[line], end}, ""));
    }
  }
}

/// The bracket that closes the one at `open`, or the end.
size_t Shrinker::closing(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i;
  }
  return text.size();
}

static bool isOperator(const std::string &text, size_t at) {
  return at > 0 && at + 1 < text.size() && text[at - 1] == ' ' && text[at + 1] == ' ' &&
         std::string("+-*/@<>,").find(text[at]) != std::string::npos;
}

/// What commas, operators and the `for` of a comprehension separate between two brackets.
std::vector<Range> Shrinker::parts(size_t open, size_t close) const {
  std::vector<Range> result;
  size_t begin = open + 1;
  auto end = [&](size_t at, size_t next) {
    if (at > begin)
      result.push_back({begin, at});
    begin = next;
  };
  for (size_t i = open + 1; i < close; ++i) {
    if (text[i] == '(') {
      i = closing(i);
    } else if (text[i] == ',') {
      end(i, i + 2);
    } else if (isOperator(text, i)) {
      end(i - 1, i + 2);
    } else if (text.compare(i, 5, " for ") == 0 || text.compare(i, 4, " if ") == 0) {
      end(i, close);
      return result;
    }
  }
  end(close, close);
  return result;
}

/// Puts a part, or a number, in the place of a bracketed expression with the name of the function before it.
bool Shrinker::simplifyBracket(size_t open) {
  const size_t close = closing(open);
  if (close == text.size())
    return false;
  size_t begin = open;
  if (begin > 0 && text[begin - 1] == '>') // dimensions of a reduction
    begin = text.rfind('<', begin);
  if (begin == std::string::npos)
    return false;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_'))
    --begin;
  const Range whole{begin, close + 1};
  if (take(with(whole, "0.5")) || take(with(whole, "")))
    return true;
  for (const Range &part : parts(open, close))
    if (take(with(whole, text.substr(part.begin, part.end - part.begin))))
      return true;
  const size_t condition = text.find(" if ", open);
  return condition < close && take(with({condition, close}, ""));
}

void Shrinker::simplifyBrackets() {
  for (size_t open = text.find('('); open != std::string::npos && budget > 0;)
    if (!simplifyBracket(open))
      open = text.find('(', open + 1);
}

/// Sizes of dimensions: two digits to one.
void Shrinker::simplifyNumbers() {
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i])) && std::isdigit(static_cast<unsigned char>(text[i + 1])))
      take(with({i, i + 2}, "3"));
}

std::string shrink(std::string source, llvm::function_ref<bool(const std::string &)> fails, int budget) {
  return Shrinker(std::move(source), fails, budget).run();
}

} // namespace gnnc::verify
