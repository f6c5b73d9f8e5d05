//===- ContractSums.cpp - Sums that others imply --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-contract-sums pass. What a sum over edges folds is read as a product of factors with named indices, as in
// Einstein's notation; two such products are compared factor by factor.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/Transforms/Passes.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_CONTRACTSUMS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

using Indices = SmallVector<unsigned>;

/// A field and the index that each of its dimensions has.
struct Factor {
  Value field;
  Indices indices;
};

/// The sum over all indices but `free` of the product of `factors`.
struct Term {
  Indices free;
  SmallVector<Factor> factors;
  unsigned numIndices = 0;

  static Term of(Value value) {
    Term term;
    for (unsigned dim = 0; dim < fieldOf(value).getRank(); ++dim)
      term.free.push_back(term.numIndices++);
    term.add(value, term.free);
    return term;
  }

private:
  static constexpr size_t maxFactors = 32; // from there on products are factors

  void add(Value value, ArrayRef<unsigned> indices) {
    Operation *op = factors.size() < maxFactors ? value.getDefiningOp() : nullptr;
    if (auto product = dyn_cast_if_present<MulOp>(op)) {
      add(product.getLhs(), indices);
      return add(product.getRhs(), indices);
    }
    if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op))
      return add(broadcast.getOperand(),
                 llvm::map_to_vector(broadcast.getDims(), [&](int64_t dim) { return indices[dim]; }));
    if (auto reduce = dyn_cast_if_present<ReduceOp>(op); reduce && isa<SumAttr>(reduce.getAggregator())) {
      Indices inner(indices);
      inner.insert(inner.begin() + reduce.getDim(), numIndices++);
      return add(reduce.getOperand(), inner);
    }
    // A choice between something and 0 is a product with 0 or 1.
    if (auto choice = dyn_cast_if_present<SelectOp>(op); choice && numberOf(choice.getOtherwise()) == 0) {
      add(choice.getCondition(), indices);
      return add(choice.getThen(), indices);
    }
    Factor factor{value, Indices(indices)};
    bool isBool = fieldOf(value).getElement().isInteger(1);
    if (!isBool || llvm::none_of(factors, [&](const Factor &known) {
          return known.field == factor.field && known.indices == factor.indices;
        }))
      factors.push_back(factor);
  }
};

/// The vertex field that all edges of a group `toward` an end share as `value`, the parameter that it is, or null.
Value sharedBy(Value value, End toward) {
  if (fieldOf(value).isParameter())
    return value;
  Operation *op = value.getDefiningOp();
  bool isShared = toward == End::Destination ? isa<ReadDestinationOp>(op) : isa<ReadSourceOp>(op);
  return isShared ? op->getOperand(0) : Value();
}

/// A sum of which another may be a contraction, as the product of its factors.
struct KnownSum {
  AggregateOp op;
  Value result;
  Term term;
};

class Contraction {
public:
  Contraction(const KnownSum &known, const Term &wanted, End toward) : known(known), wanted(wanted), toward(toward) {}

  /// Whether the factors of `wanted` are those of `known` and what its edges share.
  bool match() {
    SmallVector<Factor> rest = wanted.factors;
    for (const Factor &factor : known.term.factors)
      if (!takeEqual(rest, factor))
        return false;
    for (const Factor &factor : rest) {
      Value shared = sharedBy(factor.field, toward);
      if (!shared || !fieldOf(shared).isReal())
        return false;
      sharedFactors.push_back({shared, factor.indices});
    }
    return !sharedFactors.empty() && coversIndices();
  }

  /// The contraction, as a vertex field.
  Value build(FieldBuilder &field) const {
    Value sum = known.result;
    FieldType type = fieldOf(sum);
    for (const Factor &factor : sharedFactors) {
      auto dims = llvm::map_to_vector(factor.indices, [&](unsigned index) { return int64_t(positionOf(index)); });
      sum = field.mul(field.broadcast(factor.field, type, dims), sum);
    }
    for (unsigned dim = type.getRank(); dim-- > 0;)
      if (!llvm::is_contained(wanted.free, indexAt.lookup(known.term.free[dim])))
        sum = field.sumOver(sum, dim);
    return sum;
  }

private:
  /// Removes from `factors` the factor that is `factor` under the renaming of indices so far, or one that extends it.
  bool takeEqual(SmallVectorImpl<Factor> &factors, const Factor &factor) {
    for (auto *other = factors.begin(); other != factors.end(); ++other) {
      if (other->field != factor.field)
        continue;
      llvm::SmallDenseMap<unsigned, unsigned> extended = indexAt;
      bool equal = llvm::all_of(llvm::zip_equal(factor.indices, other->indices), [&](auto pair) {
        auto [from, to] = pair;
        return extended.try_emplace(from, to).first->second == to;
      });
      if (!equal)
        continue;
      indexAt = extended;
      factors.erase(other);
      return true;
    }
    return false;
  }

  unsigned positionOf(unsigned index) const {
    return llvm::find_if(known.term.free, [&](unsigned from) { return indexAt.lookup(from) == index; }) -
           known.term.free.begin();
  }

  /// Whether the dimensions of the known sum are all the indices that there are, each once, and those of shared fields
  /// and of the result stand in their order.
  bool coversIndices() const {
    ArrayRef<unsigned> free = known.term.free;
    llvm::SmallDenseSet<unsigned> covered;
    for (unsigned from : free) {
      auto to = indexAt.find(from);
      if (to == indexAt.end() || !covered.insert(to->second).second)
        return false;
    }
    if (covered.size() != wanted.numIndices || indexAt.size() != free.size())
      return false;
    auto inOrder = [&](ArrayRef<unsigned> indices) {
      return llvm::is_sorted(indices, [&](unsigned a, unsigned b) { return positionOf(a) < positionOf(b); });
    };
    return inOrder(wanted.free) &&
           llvm::all_of(sharedFactors, [&](const Factor &factor) { return inOrder(factor.indices); });
  }

  const KnownSum &known;
  const Term &wanted;
  End toward;
  SmallVector<Factor> sharedFactors;
  llvm::SmallDenseMap<unsigned, unsigned> indexAt; // from indices of the known sum to those of the wanted
};

struct ContractSumsPass : gnn::impl::ContractSumsBase<ContractSumsPass> {
  void runOnOperation() override {
    std::vector<KnownSum> known;
    for (auto sum : llvm::make_early_inc_range(getOperation().getBody().front().getOps<AggregateOp>())) {
      if (!isa<SumAttr>(sum.getAggregator()) || sum.getFilter() || sum.getBy() || !fieldOf(sum.getResult()).isReal())
        continue;
      OpBuilder builder(sum);
      FieldBuilder field(builder, sum.getLoc());
      if (Value value = contract(field, known, sum, sum.getOperand())) {
        sum.getResult().replaceAllUsesWith(value);
        sum.erase();
        ++numContracted;
      } else {
        known.push_back({sum, sum.getResult(), Term::of(sum.getOperand())});
      }
    }
  }

private:
  /// The sum over edges of `value` instead of what `sum` folds, taken from known ones; null if that cannot be.
  Value contract(FieldBuilder &field, ArrayRef<KnownSum> known, AggregateOp sum, Value value) {
    Term wanted = Term::of(value);
    for (const KnownSum &candidate : known) {
      AggregateOp op = candidate.op;
      if (op.getToward() != sum.getToward() || fieldOf(op.getResult()).getId() != fieldOf(sum.getResult()).getId() ||
          fieldOf(op.getOperand()).getId() != fieldOf(sum.getOperand()).getId())
        continue;
      Contraction contraction(candidate, wanted, sum.getToward());
      if (contraction.match())
        return contraction.build(field);
    }
    return contractTerms(field, known, sum, value);
  }

  /// The same for a product of which one factor is a sum of two: each on its own.
  Value contractTerms(FieldBuilder &field, ArrayRef<KnownSum> known, AggregateOp sum, Value value) {
    auto product = value.getDefiningOp<MulOp>();
    for (unsigned i = 0; product && i < 2; ++i) {
      Operation *factor = product->getOperand(i).getDefiningOp();
      if (!isa<AddOp>(factor))
        continue;
      SmallVector<Value> parts;
      for (Value operand : factor->getOperands()) {
        // Only to be read: nothing uses the product.
        Value part = field.mul(product->getOperand(1 - i), operand);
        Value contracted = contract(field, known, sum, part);
        if (!contracted)
          return {};
        parts.push_back(contracted);
      }
      return field.add(parts[0], parts[1]);
    }
    return {};
  }
};

} // namespace
