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
#include "dialects/Gnn/Transforms/Signs.h"
#include <deque>

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
  bool isInverted = false; // of a condition: 1 where it does not hold

  bool isOf(const Factor &other) const { return field == other.field && isInverted == other.isInverted; }
};

/// The sum over all indices but `free` of the product of `factors`.
struct Term {
  Indices free;
  SmallVector<Factor> factors;
  unsigned numIndices = 0;

  /// The product of `values`, which are of one shape.
  static Term of(ArrayRef<Value> values) {
    Term term;
    for (unsigned dim = 0; dim < fieldOf(values.front()).getRank(); ++dim)
      term.free.push_back(term.numIndices++);
    for (Value value : values)
      term.add(value, term.free);
    return term;
  }

  /// Whether elements are summed before edges are.
  bool isContracted() const { return numIndices > free.size(); }

private:
  static constexpr size_t maxFactors = 32; // from there on products are factors

  void add(Value value, ArrayRef<unsigned> indices, bool isInverted = false) {
    Operation *op = factors.size() < maxFactors ? value.getDefiningOp() : nullptr;
    if (auto product = dyn_cast_if_present<MulOp>(op)) {
      add(product.getLhs(), indices);
      return add(product.getRhs(), indices);
    }
    if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op))
      return add(broadcast.getOperand(),
                 llvm::map_to_vector(broadcast.getDims(), [&](int64_t dim) { return indices[dim]; }), isInverted);
    if (auto reduce = dyn_cast_if_present<ReduceOp>(op); reduce && isa<SumAttr>(reduce.getAggregator())) {
      Indices inner(indices);
      inner.insert(inner.begin() + reduce.getDim(), numIndices++);
      return add(reduce.getOperand(), inner);
    }
    // A choice between something and 0 is a product with 0 or 1.
    if (auto choice = dyn_cast_if_present<SelectOp>(op)) {
      const bool zeroFirst = numberOf(choice.getThen()) == 0;
      if (zeroFirst || numberOf(choice.getOtherwise()) == 0) {
        add(choice.getCondition(), indices, zeroFirst);
        return add(zeroFirst ? choice.getOtherwise() : choice.getThen(), indices);
      }
    }
    Factor factor{value, Indices(indices), isInverted};
    bool isBool = fieldOf(value).getElement().isInteger(1);
    if (!isBool || llvm::none_of(factors, [&](const Factor &known) {
          return known.isOf(factor) && known.indices == factor.indices;
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
  Term term;
};

class Contraction {
public:
  Contraction(const KnownSum &known, const Term &wanted, End toward) : known(&known), wanted(&wanted), toward(toward) {}

  /// Whether the factors of `wanted` are those of `known`, what its edges share, and others of edges that are there
  /// where `known` is.
  bool match() {
    SmallVector<Factor> rest = wanted->factors;
    for (const Factor &factor : known->term.factors)
      if (!takeEqual(rest, factor))
        return false;
    for (const Factor &factor : rest) {
      if (Value shared = sharedBy(factor.field, toward); shared && fieldOf(shared).isReal())
        sharedFactors.push_back({shared, factor.indices});
      else if (factor.field.getDefiningOp()->isBeforeInBlock(known->op) && fieldOf(factor.field).isReal())
        others.push_back(factor);
      else
        return false;
    }
    return !sharedFactors.empty() && coversIndices();
  }

  AggregateOp sweep() const { return known->op; }
  /// Whether the known sum alone gives the wanted one.
  bool isExact() const { return others.empty(); }

  /// Where it does not: what else to sum in the sweep of the known one.
  Value buildOther(FieldBuilder &field) const {
    Value product = sweep().getOperand();
    for (const Factor &factor : others)
      product = field.mul(product, repeat(field, factor, fieldOf(product)));
    return field.sumEdges(product, toward, fieldOf(sweep().getResult()).getId());
  }

  /// The contraction of `sum`, the known one or the other, as a vertex field.
  Value build(FieldBuilder &field, Value sum) const {
    FieldType type = fieldOf(sum);
    for (const Factor &factor : sharedFactors)
      sum = field.mul(repeat(field, factor, type), sum);
    for (unsigned dim = type.getRank(); dim-- > 0;)
      if (!llvm::is_contained(wanted->free, indexAt.lookup(known->term.free[dim])))
        sum = field.sumOver(sum, dim);
    return sum;
  }

private:
  Value repeat(FieldBuilder &field, const Factor &factor, FieldType type) const {
    auto dims = llvm::map_to_vector(factor.indices, [&](unsigned index) { return int64_t(positionOf(index)); });
    return field.broadcast(factor.field, type, dims);
  }

  /// Removes from `factors` the factor that is `factor` under the renaming of indices so far, or one that extends it.
  bool takeEqual(SmallVectorImpl<Factor> &factors, const Factor &factor) {
    for (auto *other = factors.begin(); other != factors.end(); ++other) {
      if (!other->isOf(factor))
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
    return llvm::find_if(known->term.free, [&](unsigned from) { return indexAt.lookup(from) == index; }) -
           known->term.free.begin();
  }

  /// Whether the dimensions of the known sum are all the indices that there are, each once, and those of shared fields
  /// and of the result stand in their order.
  bool coversIndices() const {
    ArrayRef<unsigned> free = known->term.free;
    llvm::SmallDenseSet<unsigned> covered;
    for (unsigned from : free) {
      auto to = indexAt.find(from);
      if (to == indexAt.end() || !covered.insert(to->second).second)
        return false;
    }
    if (covered.size() != wanted->numIndices || indexAt.size() != free.size())
      return false;
    auto inOrder = [&](ArrayRef<unsigned> indices) {
      return llvm::is_sorted(indices, [&](unsigned a, unsigned b) { return positionOf(a) < positionOf(b); });
    };
    auto allInOrder = [&](ArrayRef<Factor> factors) {
      return llvm::all_of(factors, [&](const Factor &factor) { return inOrder(factor.indices); });
    };
    return inOrder(wanted->free) && allInOrder(sharedFactors) && allInOrder(others);
  }

  const KnownSum *known;
  const Term *wanted;
  End toward;
  SmallVector<Factor> sharedFactors, others;
  llvm::SmallDenseMap<unsigned, unsigned> indexAt; // from indices of the known sum to those of the wanted
};

/// One of the products whose sum an expression is.
struct Part {
  SmallVector<Value> factors;
  bool isNegative = false;
};

/// Whether `value` is a sum over elements, or a multiple of one. Its rounding is relative to what it sums.
bool isRoundedSum(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isa<SumAttr>(reduce.getAggregator());
  if (auto choice = dyn_cast<SelectOp>(op))
    return (numberOf(choice.getThen()) == 0 && isRoundedSum(choice.getOtherwise())) ||
           (numberOf(choice.getOtherwise()) == 0 && isRoundedSum(choice.getThen()));
  return isa<MulOp, NegOp, BroadcastOp>(op) && llvm::any_of(op->getOperands(), isRoundedSum);
}

/// Whether the terms of `op`, a sum or difference, can be summed apart within the error of the expression as it is
/// written: they do not cancel, or one has an error of its own that is as large as what summing apart adds.
bool canSumApart(Operation *op) { return !mayCancel(op) || llvm::any_of(op->getOperands(), isRoundedSum); }

/// Writes `value` as a sum of products, over sums, differences and slopes: `select c, x, x * k` is x times
/// `select c, 1, k`, as the gradient of a leaky ReLU is. Values that are used twice at every level are read 2^level
/// times: what is `depth` levels down stays a factor.
SmallVector<Part> expand(Value value, unsigned depth = 6) {
  constexpr size_t maxParts = 4;
  SmallVector<Part> parts;
  Operation *op = depth > 0 ? value.getDefiningOp() : nullptr;
  if (auto product = dyn_cast_if_present<MulOp>(op)) {
    for (const Part &left : expand(product.getLhs(), depth - 1))
      for (const Part &right : expand(product.getRhs(), depth - 1)) {
        parts.push_back({left.factors, left.isNegative != right.isNegative});
        parts.back().factors.append(right.factors);
      }
  } else if (isa_and_present<AddOp, SubOp>(op) && canSumApart(op)) {
    parts = expand(op->getOperand(0), depth - 1);
    for (Part &part : expand(op->getOperand(1), depth - 1)) {
      part.isNegative ^= isa<SubOp>(op);
      parts.push_back(part);
    }
  } else if (auto choice = dyn_cast_if_present<SelectOp>(op)) {
    auto scaled = choice.getOtherwise().getDefiningOp<MulOp>();
    std::optional<double> slope =
        scaled && scaled.getLhs() == choice.getThen() ? numberOf(scaled.getRhs()) : std::nullopt;
    if (slope) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfterValue(choice.getCondition());
      FieldBuilder field(builder, op->getLoc());
      Value one = field.constant(choice.getThen(), 1), factor = field.where(choice.getCondition(), one, *slope);
      parts = expand(choice.getThen(), depth - 1);
      for (Part &part : parts)
        part.factors.push_back(factor);
    }
  }
  if (parts.empty() || parts.size() > maxParts)
    parts = {{{value}}};
  return parts;
}

struct ContractSumsPass : gnn::impl::ContractSumsBase<ContractSumsPass> {
  using ContractSumsBase::ContractSumsBase;

  void runOnOperation() override {
    known.clear();
    for (auto sum : llvm::make_early_inc_range(getOperation().getBody().front().getOps<AggregateOp>())) {
      if (!isa<SumAttr>(sum.getAggregator()) || sum.getFilter() || sum.getBy() || !fieldOf(sum.getResult()).isReal())
        continue;
      if (Value value = contract(sum)) {
        sum.getResult().replaceAllUsesWith(value);
        sum.erase();
        ++numContracted;
      } else {
        note(sum);
      }
    }
  }

private:
  void note(AggregateOp sum) { known.push_back({sum, Term::of(sum.getOperand())}); }

  /// Builds the result of `sum` from known sums and from other sums that are folded in the sweeps of known ones.
  /// Returns null if that is not possible.
  Value contract(AggregateOp sum) {
    SmallVector<Part> parts = expand(sum.getOperand());
    SmallVector<Term> wanted;
    for (const Part &part : parts)
      wanted.push_back(Term::of(part.factors));
    SmallVector<std::optional<Contraction>, 4> contractions;
    Operation *sweep = nullptr; // the known sum in whose sweep others are folded
    for (const Term &term : wanted) {
      contractions.push_back(findContraction(term, sum));
      if (contractions.back() && !contractions.back()->isExact())
        sweep = contractions.back()->sweep();
    }
    for (auto [part, contraction] : llvm::zip_equal(parts, contractions))
      if (!contraction && !(sweep && isFoldedAt(part, sum.getToward(), sweep)))
        return {};
    OpBuilder builder(sum);
    FieldBuilder field(builder, sum.getLoc());
    Value result;
    for (auto [part, contraction] : llvm::zip_equal(parts, contractions)) {
      Value value = contraction ? build(field, *contraction) : fold(field, part, sum, sweep);
      if (!result)
        result = part.isNegative ? field.neg(value) : value;
      else
        result = part.isNegative ? field.sub(result, value) : field.add(result, value);
    }
    return result;
  }

  /// From a known sum alone, if there is one; else from another in the sweep of one, where that leaves out a sum over
  /// elements for each edge.
  std::optional<Contraction> findContraction(const Term &wanted, AggregateOp sum) {
    std::optional<Contraction> best;
    for (const KnownSum &candidate : known) {
      AggregateOp op = candidate.op;
      if (op.getToward() != sum.getToward() || fieldOf(op.getResult()).getId() != fieldOf(sum.getResult()).getId() ||
          fieldOf(op.getOperand()).getId() != fieldOf(sum.getOperand()).getId())
        continue;
      Contraction contraction(candidate, wanted, sum.getToward());
      if (!contraction.match())
        continue;
      if (contraction.isExact())
        return contraction;
      if (!best && wanted.isContracted() && keep == Keep::Fast)
        best = contraction;
    }
    return best;
  }

  Value build(FieldBuilder &field, const Contraction &contraction) {
    if (contraction.isExact())
      return contraction.build(field, contraction.sweep().getResult());
    OpBuilder there(&getContext());
    there.setInsertionPointAfter(contraction.sweep());
    FieldBuilder other(there, field.loc);
    auto sum = contraction.buildOther(other).getDefiningOp<AggregateOp>();
    note(sum);
    return contraction.build(field, sum.getResult());
  }

  /// Whether the sum over edges of `part` can be folded where the sum `sweep` is, but for what edges share.
  static bool isFoldedAt(const Part &part, End toward, Operation *sweep) {
    return llvm::all_of(part.factors, [&](Value factor) {
      return sharedBy(factor, toward) || factor.getDefiningOp()->isBeforeInBlock(sweep);
    });
  }

  Value fold(FieldBuilder &field, const Part &part, AggregateOp sum, Operation *sweep) {
    OpBuilder there(&getContext());
    there.setInsertionPointAfter(sweep);
    FieldBuilder other(there, field.loc);
    Value product, result;
    for (Value factor : part.factors)
      if (!sharedBy(factor, sum.getToward()))
        product = product ? other.mul(product, factor) : factor;
    result = other.sumEdges(product, sum.getToward(), fieldOf(sum.getResult()).getId());
    note(result.getDefiningOp<AggregateOp>());
    for (Value factor : part.factors)
      if (Value shared = sharedBy(factor, sum.getToward()))
        result = field.mul(result, shared);
    return result;
  }

  std::deque<KnownSum> known; // contractions refer to them while more come
};

} // namespace
