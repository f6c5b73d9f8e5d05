//===- Align.cpp - Columns ------------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Formatter/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace gnnc;

namespace {

using Group = llvm::ArrayRef<Line *>;

/// Inserts blanks so that the positions that `member` names are equal in all lines that have one.
void alignColumn(Group group, size_t Line::*member) {
  size_t column = 0;
  for (const Line *line : group)
    column = std::max(column, line->*member);
  for (Line *line : group) {
    size_t position = line->*member;
    if (position == 0)
      continue;
    line->text.insert(position, column - position, ' ');
    for (size_t Line::*other : {&Line::keywordEnd, &Line::typeBegin, &Line::equal})
      if (line->*other >= position)
        line->*other += column - position;
  }
}

void alignGroup(Group group) {
  bool onlyLets = llvm::all_of(group, [](const Line *line) { return line->first == TokenKind::kw_let; });
  if (group.front()->kind == Line::Kind::Statement && !onlyLets)
    alignColumn(group, &Line::keywordEnd);
  // Types of lines that are right below each other; `input x: real` and, after the lets, `target y: real` are not.
  for (size_t begin = 0; begin < group.size();) {
    size_t end = begin;
    while (end < group.size() && group[end]->typeBegin)
      ++end;
    alignColumn(group.slice(begin, end - begin), &Line::typeBegin);
    begin = end + 1;
  }
  alignColumn(group, &Line::equal);
}

void alignComments(Group group) {
  size_t needed = 0;
  for (const Line *line : group)
    needed = std::max(needed, line->indent + line->text.size() + 2);
  unsigned column = group.front()->sourceColumn;
  bool inColumn = llvm::all_of(group, [&](const Line *line) { return line->sourceColumn == column; });
  size_t target = inColumn && column >= needed ? column : needed;
  for (Line *line : group)
    line->text.append(target - line->indent - line->text.size(), ' ').append(line->comment);
}

/// Calls `each` for all maximal runs of lines that belong together.
void forRuns(std::vector<Line> &lines, llvm::function_ref<bool(const Line &)> isMember,
             llvm::function_ref<bool(const Line &, const Line &)> goTogether,
             llvm::function_ref<bool(const Line &)> isTransparent, llvm::function_ref<void(Group)> each) {
  std::vector<Line *> run;
  auto flush = [&] {
    if (!run.empty())
      each(run);
    run.clear();
  };
  for (Line &line : lines) {
    if (line.blankBefore)
      flush();
    if (isTransparent(line))
      continue;
    if (!isMember(line) || (!run.empty() && !goTogether(*run.back(), line)))
      flush();
    if (isMember(line))
      run.push_back(&line);
  }
  flush();
}

} // namespace

void gnnc::align(std::vector<Line> &lines) {
  auto isComment = [](const Line &line) { return line.kind == Line::Kind::Comment; };
  forRuns(
      lines, [&](const Line &line) { return line.kind != Line::Kind::Other && !isComment(line); },
      [](const Line &a, const Line &b) { return a.kind == b.kind && a.indent == b.indent; }, isComment, alignGroup);
  forRuns(
      lines, [](const Line &line) { return !line.comment.empty(); },
      [](const Line &a, const Line &b) { return a.indent == b.indent; }, [](const Line &) { return false; },
      alignComments);
}
