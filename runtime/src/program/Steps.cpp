//===- Steps.cpp - The operands of a step ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Steps.h"

namespace gnn::rt {

bool isBack(const gnn_step_t &sweep) {
  return sweep.row_depth < 0 || (sweep.col_depth >= 0 && sweep.col_depth == sweep.row_depth - 1);
}

uint32_t directionOf(const gnn_step_t &sweep) { return isBack(sweep) ? 1 - sweep.direction : sweep.direction; }

} // namespace gnn::rt
