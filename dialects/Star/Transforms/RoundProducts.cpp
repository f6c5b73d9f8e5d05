//===- RoundProducts.cpp - Dense products of bf16 -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Transforms/Passes.h"

using namespace gnnc;
using namespace gnnc::star;

namespace gnnc::star {
#define GEN_PASS_DEF_ROUNDPRODUCTS
#include "dialects/Star/Transforms/Passes.h.inc"
} // namespace gnnc::star

namespace {
class RoundProducts : public star::impl::RoundProductsBase<RoundProducts> {
public:
  using RoundProductsBase::RoundProductsBase;

  void runOnOperation() override {
    getOperation().walk([&](MatMulOp product) { round(product); });
    getOperation().walk([&](MatMulTNOp product) { round(product); });
  }

private:
  template <class Product> void round(Product product) {
    if (!llvm::cast<gnn::FieldType>(product.getX().getType()).getElement().isF32())
      return;
    product.setOfBf16(true);
    ++numRounded;
  }
};
} // namespace
