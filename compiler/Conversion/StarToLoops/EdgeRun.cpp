//===- EdgeRun.cpp - Edges whose numbers threads read together ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/EdgeRun.h"

using namespace mlir;

namespace gnnc {

Value EdgeRun::tell(Number number, Value place, llvm::function_ref<Value(Value)> read) {
  LoopBuilder &b = function.loops();
  Value &known = ofMine[static_cast<unsigned>(number)];
  if (!known)
    known = b.at(*b.scopeOf(block), [&] { return read(mine); });
  return function.threads.shuffleFrom(known, place);
}

} // namespace gnnc
