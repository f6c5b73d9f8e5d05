//===- KnownConditions.h - Conditions of the `if`s around -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some weights exist under a condition only. Whether a program may read one follows from the `if`s around, and not from
// the values of options.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_KNOWNCONDITIONS_H
#define GNNC_FRONTEND_SEMA_KNOWNCONDITIONS_H

#include "compiler/Frontend/AST.h"
#include <string>
#include <vector>

namespace gnnc {

struct Frame;

/// A condition as its source has it; `given(a)` for the `?` behind the input `a`.
std::string conditionText(const ast::Expr &condition);

/// Conditions that hold where evaluation stands. Two conditions are the same if they are written alike; parts of `and`,
/// `or` and `not` count one by one.
class KnownConditions {
public:
  /// `condition`, which is read in `frame`, has the value `value` from here on.
  void add(const Frame *frame, const ast::Expr &condition, bool value);
  /// True if it follows that `condition` has the value `value`.
  bool imply(const Frame *frame, const ast::Expr &condition, bool value = true) const;

  size_t size() const { return known.size(); }
  /// Forgets all but the first `size` conditions.
  void shrink(size_t size) { known.resize(size); }

private:
  struct Condition {
    const Frame *frame = nullptr;
    std::string text;
    bool value = false;
  };
  std::vector<Condition> known;
};

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_KNOWNCONDITIONS_H
