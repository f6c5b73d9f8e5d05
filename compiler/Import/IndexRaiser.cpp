//===- IndexRaiser.cpp - Gathering and scattering along edges ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc::pt2;

namespace {

/// Lists of edges and their ends, gathering, scattering, and concatenation.
class IndexRaiser : public OpRaiser {
public:
  using OpRaiser::OpRaiser;

  void arange(const Node &node);
  void repeat(const Node &node);
  void select(const Node &node);
  void indexTensor(const Node &node);
  void indexSelect(const Node &node);
  void concatenate(const Node &node);
  void stack(const Node &node);
  void scatterAdd(const Node &node);
  void indexAdd(const Node &node);
  void scatterReduce(const Node &node);
  void indexPut(const Node &node);

private:
  Meaning withOneLoop(Meaning whole);
  Meaning gather(const Node &node, const Meaning &from, const Meaning &at);
  Meaning keepEdges(const Node &node, const Meaning &from, EdgeFilter filter);
  void scatter(const Node &node, const Meaning &into, const Meaning &at, const Meaning &what,
               const std::string &reduction);
  const Term *sumPieces(const Meaning &at, const Meaning &what);
};

} // namespace

void IndexRaiser::arange(const Node &node) {
  const Argument &end = need(node, "end");
  const bool isAll = number(node, "start", 0) == 0 && number(node, "step", 1) == 1 &&
                     end.kind == Argument::Kind::SymInt && meaning(node, end).isVertexField();
  if (!isAll)
    refuse(node, "counts something other than the vertices, which cannot be expressed");
  set(node, {Meaning::Kind::Index, {vertices}, {{0, true, -1}}, {}, {End::Self}, {}, {}, {}});
}

/// A list [1, n] of vertices twice is a list of edges from each to itself.
void IndexRaiser::repeat(const Node &node) {
  const Meaning &value = meaning(node, need(node, "self"));
  const Argument &repeats = need(node, "repeats");
  const bool isPairs = value.kind == Meaning::Kind::Index && value.axes.size() == 2 && value.axes[1].isOpen &&
                       repeats.items.size() == 2 && repeats.items[0].integer == 2 && repeats.items[1].integer == 1;
  if (!isPairs)
    refuse(node, "repeats features, which cannot be expressed yet");
  set(node, {Meaning::Kind::EdgeList, value.pieces, {}, {}, {}, {value.ends, value.ends}, {}, {}});
}

void IndexRaiser::select(const Node &node) {
  const Meaning &list = meaning(node, need(node, "self"));
  int64_t row = integer(node, "index", 0);
  row += row < 0 ? 2 : 0;
  if (list.kind != Meaning::Kind::EdgeList || integer(node, "dim", 0) != 0 || row < 0 || row > 1)
    refuse(node, "selects one row of a tensor that is no list of edges");
  set(node, {Meaning::Kind::Index, list.pieces, {{0, true, -1}}, {}, list.rows[row], {}, {}, {}});
}

Meaning IndexRaiser::keepEdges(const Node &node, const Meaning &from, EdgeFilter filter) {
  if (from.pieces != std::vector<Piece>{edges} || (from.kind == Meaning::Kind::Real && !from.axes[0].isOpen))
    refuse(node, "filters something other than the edges of the data");
  Meaning kept = from;
  kept.pieces[0].filter = filter;
  // A term of an edge is the same whatever the filter; what it is aggregated over has the filter.
  return kept;
}

Meaning IndexRaiser::gather(const Node &node, const Meaning &from, const Meaning &at) {
  if (from.kind != Meaning::Kind::Real || !from.isVertexField() || !from.axes[0].isOpen)
    refuse(node, "gathers rows of something other than values of vertices");
  if (at.axes.size() != 1)
    refuse(node, "gathers by an index of several dimensions");
  Meaning rows = from;
  rows.pieces = at.pieces;
  rows.terms.clear();
  for (End end : at.ends)
    rows.terms.push_back(terms().at(end, from.terms[0]));
  return rows;
}

void IndexRaiser::indexTensor(const Node &node) {
  const Meaning &self = meaning(node, need(node, "self"));
  const Argument &indices = need(node, "indices");
  if (indices.items.empty() || llvm::any_of(llvm::drop_end(indices.items),
                                            [](const Argument &item) { return item.kind != Argument::Kind::None; }))
    refuse(node, "takes elements by several indices, which cannot be expressed");
  const Meaning &last = meaning(node, indices.items.back());
  const size_t axis = indices.items.size() - 1;
  if (last.kind == Meaning::Kind::EdgeMask && axis == (self.kind == Meaning::Kind::EdgeList ? 1 : 0))
    return set(node, keepEdges(node, self, last.mask));
  if (last.kind != Meaning::Kind::Index || axis != 0)
    refuse(node, "takes elements by a mask that is not that of loops, or along features, which cannot be expressed");
  set(node, gather(node, self, last));
}

void IndexRaiser::indexSelect(const Node &node) {
  const Meaning &self = meaning(node, need(node, "self"));
  if (self.kind != Meaning::Kind::Real || axisOf(node, integer(node, "dim", 0), self.axes.size()) != 0)
    refuse(node, "selects along a dimension other than the vertices");
  set(node, gather(node, self, index(node, need(node, "index"))));
}

/// Edges that are no loops, and behind them one for each vertex, are edges with one loop at each vertex.
Meaning IndexRaiser::withOneLoop(Meaning whole) {
  if (whole.pieces != edgesThenLoops)
    return whole;
  auto areLoops = [](const std::vector<End> &ends) { return ends.empty() || ends[1] == End::Self; };
  if (!areLoops(whole.ends) || !areLoops(whole.rows[0]) || !areLoops(whole.rows[1]))
    return whole;
  whole.pieces = {{false, EdgeFilter::OneLoop}};
  for (std::vector<End> *ends : {&whole.ends, &whole.rows[0], &whole.rows[1]})
    ends->resize(std::min<size_t>(ends->size(), 1));
  if (whole.terms.size() == 2)
    whole.terms = {terms().withLoops(whole.terms[0], whole.terms[1])};
  return whole;
}

void IndexRaiser::concatenate(const Node &node) {
  std::vector<Meaning> parts;
  for (const Argument &item : need(node, "tensors").items)
    parts.push_back(meaning(node, item));
  if (parts.empty() || llvm::any_of(parts, [&](const Meaning &part) { return part.kind != parts[0].kind; }))
    refuse(node, "concatenates indices with numbers");
  Meaning whole = parts[0];
  const bool isList = whole.kind == Meaning::Kind::EdgeList;
  const size_t axis = axisOf(node, integer(node, "dim", 0), isList ? 2 : whole.axes.size());
  const bool isAlongRows = isList ? axis == 1 : whole.axes[axis].isOpen;
  if (isAlongRows) {
    for (const Meaning &part : llvm::drop_begin(parts)) {
      if (part.axes.size() != whole.axes.size() || part.pieces.empty())
        refuse(node, "concatenates rows of different shapes");
      for (size_t i = 0; i < whole.axes.size(); ++i)
        if (!whole.axes[i].isLike(part.axes[i]))
          refuse(node, "concatenates rows of different shapes");
      llvm::append_range(whole.pieces, part.pieces);
      llvm::append_range(whole.terms, part.terms);
      llvm::append_range(whole.ends, part.ends);
      for (int row : {0, 1})
        llvm::append_range(whole.rows[row], part.rows[row]);
    }
    return set(node, withOneLoop(whole));
  }
  auto isColumn = [&](const Meaning &part) {
    return part.kind == Meaning::Kind::Real && part.axes.size() == axis + 1 && !part.axes[axis].isOpen &&
           part.axes[axis].size == 1;
  };
  if (whole.axes.size() > 2 && llvm::all_of(parts, isColumn)) { // as `stack` is decomposed
    for (Meaning &part : parts)
      part.axes.pop_back();
    return set(node, {Meaning::Kind::Stack, {}, {}, {}, {}, {}, {}, parts});
  }
  if (whole.kind != Meaning::Kind::Real || axis + 1 != whole.axes.size())
    refuse(node, "concatenates along a dimension other than rows and features");
  for (const Meaning &part : parts)
    if (part.pieces != whole.pieces || part.axes.size() != whole.axes.size() || part.axes.back().dim < 0)
      refuse(node, "concatenates features of different vertices or edges, or a single feature");
  for (size_t piece = 0; piece < whole.terms.size(); ++piece) {
    std::vector<const Term *> operands;
    for (const Meaning &part : parts)
      operands.push_back(part.terms[piece]);
    whole.terms[piece] = terms().concat(operands);
  }
  whole.axes.back().dim = whole.terms[0]->shape.back();
  whole.axes.back().size = terms().extent(whole.axes.back().dim);
  set(node, whole);
}

/// Factors of a product.
static void addFactors(const Term *term, std::vector<const Term *> &factors) {
  if (term->kind == Term::Kind::Function && term->name == "*")
    for (const Term *operand : term->operands)
      addFactors(operand, factors);
  else
    factors.push_back(term);
}

/// Whether the term is 0 where the sum over the edges `at` is over nothing, and else 1 / sqrt(such a sum), which is
/// finite, or NaN with all of the sum.
static bool isRootOfSum(const Term *term, const Meaning &at) {
  if (at.pieces.size() != 1 || term->kind != Term::Kind::Function || term->name != "select")
    return false;
  const Term *test = term->operands[0], *zero = term->operands[1], *root = term->operands[2];
  if (test->kind != Term::Kind::Function || test->name != "==" || zero->kind != Term::Kind::Constant ||
      zero->number != 0 || root->kind != Term::Kind::Function || root->name != "rsqrt")
    return false;
  const Term *total = root->operands[0];
  return test->operands[0] == total && total->kind == Term::Kind::Aggregate && total->name == "sum" &&
         total->filter == at.pieces[0].filter && total->end == at.ends[0];
}

/// The sum over all pieces of what arrives at a vertex. A factor that all pieces have at that end, and that is finite
/// for every graph, is taken out: the sum of nothing is 0 either way.
const Term *IndexRaiser::sumPieces(const Meaning &at, const Meaning &what) {
  std::vector<std::vector<const Term *>> factors(at.pieces.size());
  for (size_t piece = 0; piece < at.pieces.size(); ++piece)
    addFactors(what.terms[piece], factors[piece]);
  std::vector<const Term *> common;
  auto find = [&](size_t piece, const Term *own) {
    return llvm::find_if(factors[piece], [&](const Term *factor) {
      return at.ends[piece] == End::Self
                 ? factor == own
                 : factor->kind == Term::Kind::At && factor->end == at.ends[piece] && factor->operands[0] == own;
    });
  };
  for (const Term *factor : std::vector<const Term *>(factors[0])) {
    const Term *own = at.ends[0] == End::Self                                       ? factor
                      : factor->kind == Term::Kind::At && factor->end == at.ends[0] ? factor->operands[0]
                                                                                    : nullptr;
    // A sum that is never over nothing may have any factor taken out, and one over nothing the root of another one.
    const bool isNeverEmpty = at.pieces.size() == 1 && at.pieces[0].filter == EdgeFilter::OneLoop;
    if (!own || own->kind == Term::Kind::Constant || !own->shape.empty() ||
        !(isNeverEmpty || isBounded(own) || isRootOfSum(own, at)))
      continue;
    bool isCommon = true;
    for (size_t piece = 0; piece < factors.size(); ++piece)
      isCommon &= factors[piece].size() > 1 && find(piece, own) != factors[piece].end();
    if (!isCommon)
      continue;
    for (size_t piece = 0; piece < factors.size(); ++piece)
      factors[piece].erase(find(piece, own));
    common.push_back(own);
  }
  const Term *total = nullptr;
  for (size_t piece = 0; piece < at.pieces.size(); ++piece) {
    const Term *term = factors[piece][0];
    for (const Term *factor : llvm::drop_begin(factors[piece]))
      term = terms().function("*", {term, factor});
    if (!at.pieces[piece].isVertices)
      term = terms().aggregate("sum", at.ends[piece], at.pieces[piece].filter, term);
    total = total ? terms().function("+", {total, term}) : term;
  }
  for (const Term *factor : common)
    total = terms().function("*", {factor, total});
  return total;
}

void IndexRaiser::scatter(const Node &node, const Meaning &into, const Meaning &at, const Meaning &what,
                          const std::string &reduction) {
  if (!into.isVertexField() || !into.axes[0].isOpen)
    refuse(node, "scatters into something other than values of vertices");
  if (what.pieces != at.pieces || what.axes.empty() || !what.axes[0].isOpen)
    refuse(node, "scatters by indices of other edges than those of its values");
  bool fits = into.axes.size() == what.axes.size() && (at.axes.size() == what.axes.size() || at.axes.size() == 1);
  for (size_t i = 1; fits && i < what.axes.size(); ++i)
    fits = into.axes[i].size == what.axes[i].size && (at.axes.size() == 1 || at.axes[i].size == what.axes[i].size);
  if (!fits)
    refuse(node, "scatters into a part of a tensor, which cannot be expressed");
  Meaning whole = what;
  whole.pieces = {vertices};
  whole.axes[0] = into.axes[0];
  if (reduction == "sum") {
    whole.terms = {terms().function("+", {into.terms[0], sumPieces(at, what)})};
    return set(node, whole);
  }
  const bool startsFromZero = into.terms[0]->kind == Term::Kind::Constant && into.terms[0]->number == 0;
  if (!startsFromZero || at.pieces.size() != 1 || at.pieces[0].isVertices || what.terms[0]->place != Place::Edge)
    refuse(node, "takes a " + reduction +
                     " over edges and added loops, or from a start other than 0, which cannot be "
                     "expressed yet");
  whole.terms = {terms().aggregate(reduction, at.ends[0], at.pieces[0].filter, what.terms[0])};
  set(node, whole);
}

void IndexRaiser::stack(const Node &node) {
  Meaning all{Meaning::Kind::Stack, {}, {}, {}, {}, {}, {}, {}};
  for (const Argument &item : need(node, "tensors").items)
    all.stacked.push_back(realOf(node, item));
  if (all.stacked.empty() ||
      axisOf(node, integer(node, "dim", 0), all.stacked[0].axes.size() + 1) != all.stacked[0].axes.size())
    refuse(node, "stacks tensors along a dimension other than a new last one, which cannot be expressed yet");
  set(node, all);
}

void IndexRaiser::scatterAdd(const Node &node) {
  Meaning into = real(node, "self");
  if (axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0)
    refuse(node, "scatters along features");
  const Meaning &at = index(node, need(node, "index"));
  Meaning what = real(node, "src");
  if (at.axes.size() != what.axes.size())
    refuse(node, "scatters by an index of another rank");
  scatter(node, into, at, what, "sum");
}

void IndexRaiser::indexAdd(const Node &node) {
  Meaning into = real(node, "self");
  const Meaning &at = index(node, need(node, "index"));
  if (axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0 || at.axes.size() != 1 ||
      number(node, "alpha", 1) != 1)
    refuse(node, "adds along features, or multiples");
  scatter(node, into, at, real(node, "source"), "sum");
}

void IndexRaiser::scatterReduce(const Node &node) {
  static const std::map<std::string, std::string> names = {
      {"amax", "max"}, {"amin", "min"}, {"mean", "mean"}, {"sum", "sum"}};
  auto name = names.find(need(node, "reduce").text);
  Meaning into = real(node, "self");
  if (name == names.end() || axisOf(node, integer(node, "dim", 0), into.axes.size()) != 0)
    refuse(node, "reduces by " + need(node, "reduce").text + ", which cannot be expressed yet");
  if (integer(node, "include_self", 1) && name->second != "sum")
    refuse(node, "includes the start in a " + name->second + ", which cannot be expressed yet");
  const Meaning &at = index(node, need(node, "index"));
  Meaning what = real(node, "src");
  if (at.axes.size() != what.axes.size())
    refuse(node, "scatters by an index of another rank");
  scatter(node, into, at, what, name->second);
}

/// index_put with `accumulate`, to which index_add decomposes; without, the values of loops at their vertices.
void IndexRaiser::indexPut(const Node &node) {
  const Argument &indices = need(node, "indices");
  if (indices.items.size() == 1 && !integer(node, "accumulate", 0)) {
    Meaning into = real(node, "self");
    const Meaning &at = index(node, indices.items[0]);
    const Meaning values = real(node, "values");
    const std::vector<Piece> loops = {{false, EdgeFilter::Loops}};
    if (into.isVertexField() && into.terms[0]->kind == Term::Kind::Constant && at.pieces == loops &&
        values.pieces == loops && values.axes.size() == into.axes.size()) {
      into.axes = values.axes;
      into.terms = {terms().lastLoop(values.terms[0], into.terms[0])};
      return set(node, into);
    }
  }
  if (indices.items.size() != 1 || !integer(node, "accumulate", 0))
    refuse(node, "writes elements by an index; two writes of one element would be undefined");
  scatter(node, real(node, "self"), index(node, indices.items[0]), real(node, "values"), "sum");
}

void gnnc::pt2::addIndexOps(RaiseTable &table, RaiseContext &context) {
  RaiseTable::Family<IndexRaiser> family(table, context);
  family.add(&IndexRaiser::arange, {"aten.arange"});
  family.add(&IndexRaiser::repeat, {"aten.repeat"});
  family.add(&IndexRaiser::select, {"aten.select"});
  family.add(&IndexRaiser::indexTensor, {"aten.index"});
  family.add(&IndexRaiser::indexSelect, {"aten.index_select"});
  family.add(&IndexRaiser::concatenate, {"aten.cat"});
  family.add(&IndexRaiser::stack, {"aten.stack"});
  family.add(&IndexRaiser::scatterAdd, {"aten.scatter_add"});
  family.add(&IndexRaiser::indexAdd, {"aten.index_add"});
  family.add(&IndexRaiser::indexPut, {"aten.index_put"});
  family.add(&IndexRaiser::scatterReduce, {"aten.scatter_reduce"});
}
