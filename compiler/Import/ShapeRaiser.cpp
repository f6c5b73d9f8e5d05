//===- ShapeRaiser.cpp - Shapes and constants ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/OpRaiser.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc::pt2;

namespace {

/// Filled tensors, changes of shape, and sizes.
class ShapeRaiser : public OpRaiser {
public:
  using OpRaiser::OpRaiser;

  void fill(const Node &node);
  void view(const Node &node);
  void reshapeLast(const Node &node, Meaning &value, const std::vector<Axis> &wanted);
  void expand(const Node &node);
  void permute(const Node &node);
  void unsqueeze(const Node &node);
  void size(const Node &node);
  void addSizes(const Node &node);
  void nothing(const Node &) {}
};

} // namespace

void ShapeRaiser::fill(const Node &node) {
  llvm::StringRef op = opOf(node);
  const double value = op.ends_with("ones") || op == "ones_like"               ? 1
                       : op == "full" || op == "full_like" || op == "new_full" ? number(node, "fill_value", 0)
                       : op == "scalar_tensor"                                 ? number(node, "s", 0)
                                                                               : 0;
  Meaning filled = constant(value);
  if (op.ends_with("_like")) {
    const Meaning like = real(node, "self");
    filled.pieces = like.pieces;
    filled.axes = like.axes;
    for (Axis &axis : filled.axes)
      axis.dim = -1;
  } else if (const Argument *size = node.find("size")) {
    filled.axes = axesOf(node, *size, filled.pieces);
  }
  filled.terms.assign(std::max<size_t>(filled.pieces.size(), 1), terms().constant(value));
  set(node, filled);
}

/// Replaces the axis of size -1 of `wanted`, and returns whether the axes differ by those of extent 1 alone.
static bool isOnlyOfOnes(const std::vector<Axis> &axes, std::vector<Axis> &wanted) {
  int64_t known = 1, all = 1;
  size_t numOwn = 0, numWanted = 0;
  Axis *any = nullptr;
  bool isOpen = false, wantsOpen = false;
  for (const Axis &axis : axes) {
    isOpen |= axis.isOpen;
    all *= axis.isOpen ? 1 : axis.size;
    numOwn += axis.isOpen || axis.size != 1;
  }
  for (Axis &axis : wanted) {
    wantsOpen |= axis.isOpen;
    if (!axis.isOpen && axis.size == -1)
      any = &axis;
    else
      known *= axis.isOpen ? 1 : axis.size;
  }
  if (any && isOpen && !wantsOpen && known == all)
    *any = *llvm::find_if(axes, [](const Axis &axis) { return axis.isOpen; });
  else if (any && isOpen == wantsOpen && known > 0 && all % known == 0)
    any->size = all / known;
  for (const Axis &axis : wanted)
    numWanted += axis.isOpen || axis.size != 1;
  return numOwn == numWanted;
}

/// Splits the last axis of features, or joins the last two.
void ShapeRaiser::reshapeLast(const Node &node, Meaning &value, const std::vector<Axis> &wanted) {
  auto staticAxes = [](const std::vector<Axis> &axes) {
    std::vector<int64_t> sizes;
    for (const Axis &axis : axes)
      if (!axis.isOpen && axis.size != 1)
        sizes.push_back(axis.size);
    return sizes;
  };
  const std::vector<int64_t> from = staticAxes(value.axes), to = staticAxes(wanted);
  const bool splits = from.size() + 1 == to.size() && !from.empty(),
             joins = to.size() + 1 == from.size() && !to.empty();
  const size_t same = std::min(from.size(), to.size()) - 1;
  const bool fits = (splits && from.back() == to.back() * to[same]) || (joins && to.back() == from.back() * from[same]);
  if (!fits || !std::equal(from.begin(), from.begin() + same, to.begin()) || value.axes.back().dim < 0 ||
      llvm::any_of(value.terms, [](const Term *term) { return term->shape.empty(); }))
    refuse(node, "reshapes features in a way that cannot be expressed yet; the last dimension can become two, and the "
                 "last two can become one");
  std::vector<Axis> axes;
  for (const Axis &axis : value.axes)
    if (axis.isOpen || axis.size != 1)
      axes.push_back(axis);
  for (const Term *&term : value.terms) {
    term = splits ? terms().split(term, to[same], to.back()) : terms().flatten(term);
    if (!term)
      refuse(node, "reshapes features that are no product with a parameter, which cannot be expressed yet");
  }
  axes.resize(axes.size() - (splits ? 1 : 2));
  const std::vector<int> &shape = value.terms[0]->shape;
  if (splits)
    axes.push_back({to[same], false, shape.end()[-2]});
  axes.push_back({to.back(), false, shape.back()});
  value.axes = axes;
}

/// Axes of extent 1 come and go; of the others, the last may be split, and the last two be joined.
void ShapeRaiser::view(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  std::vector<Piece> pieces;
  std::vector<Axis> wanted = axesOf(node, need(node, node.find("size") ? "size" : "shape"), pieces);
  if (value.kind == Meaning::Kind::Real && !isOnlyOfOnes(value.axes, wanted))
    reshapeLast(node, value, wanted);
  std::vector<Axis> kept;
  for (const Axis &axis : value.axes)
    if (axis.isOpen || axis.size != 1)
      kept.push_back(axis);
  size_t next = 0;
  for (Axis &axis : wanted) {
    if (!axis.isOpen && axis.size == 1)
      continue;
    const bool isAny = !axis.isOpen && axis.size == -1;
    if (isAny && next == kept.size()) {
      axis.size = 1;
      continue;
    }
    if (next == kept.size() || !(isAny || axis.isLike(kept[next])) ||
        (axis.isOpen && !pieces.empty() && pieces != value.pieces))
      refuse(node, "reshapes features, which cannot be expressed yet");
    axis = kept[next++];
  }
  if (next != kept.size())
    refuse(node, "reshapes features, which cannot be expressed yet");
  value.axes = wanted;
  set(node, value);
}

void ShapeRaiser::expand(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  std::vector<Piece> pieces;
  std::vector<Axis> wanted;
  if (opOf(node) == "expand_as") {
    const Meaning &other = meaning(node, need(node, "other"));
    wanted = other.axes;
    pieces = other.pieces;
  } else {
    wanted = axesOf(node, need(node, "size"), pieces);
  }
  if (wanted.size() < value.axes.size())
    refuse(node, "expands to fewer dimensions");
  for (size_t i = 0; i < wanted.size(); ++i) {
    Axis &axis = wanted[wanted.size() - 1 - i];
    axis.dim = -1;
    if (i >= value.axes.size())
      continue;
    const Axis &old = value.axes[value.axes.size() - 1 - i];
    if (old.isOpen || old.size != 1) {
      if (!old.isLike(axis) && !(axis.size == -1 && !axis.isOpen))
        refuse(node, "expands to a shape that does not fit");
      axis = old;
    } else if (axis.size == -1 && !axis.isOpen) {
      axis = old;
    }
  }
  if (!value.pieces.empty() && !pieces.empty() && pieces != value.pieces)
    refuse(node, "expands values of vertices to edges, or the other way round");
  if (value.pieces.empty() && !pieces.empty()) {
    value.pieces = pieces;
    value.terms.assign(pieces.size(), value.terms[0]);
  }
  value.axes = wanted;
  set(node, value);
}

void ShapeRaiser::permute(const Node &node) {
  Meaning value = real(node, "self");
  const bool isMatrix = value.pieces.empty() && value.axes.size() == 2;
  bool swaps = opOf(node) == "t" || opOf(node) == "transpose" || opOf(node) == "numpy_T";
  if (const Argument *dims = node.find("dims"))
    swaps = dims->items.size() == 2 && dims->items[0].integer == 1 && dims->items[1].integer == 0;
  if (!isMatrix || !swaps || value.terms[0]->kind == Term::Kind::Function)
    refuse(node, "permutes features, which cannot be expressed yet");
  std::swap(value.axes[0], value.axes[1]);
  if (value.terms[0]->shape.size() == 2)
    value.terms[0] = terms().transpose(value.terms[0]);
  set(node, value);
}

void ShapeRaiser::unsqueeze(const Node &node) {
  Meaning value = meaning(node, need(node, "self"));
  if (value.kind != Meaning::Kind::Real && value.kind != Meaning::Kind::Index)
    refuse(node, "changes the shape of a list of edges");
  if (!node.find("dim") || node.find("dim")->kind != Argument::Kind::Int)
    refuse(node, "squeezes all dimensions of extent 1; name one");
  int64_t axis = integer(node, "dim", 0);
  if (opOf(node) == "unsqueeze") {
    size_t place = axisOf(node, axis, value.axes.size() + 1);
    value.axes.insert(value.axes.begin() + place, Axis());
  } else {
    size_t place = axisOf(node, axis, value.axes.size());
    if (value.axes[place].isOpen || value.axes[place].size != 1)
      return set(node, value); // PyTorch squeezes nothing then
    value.axes.erase(value.axes.begin() + place);
  }
  set(node, value);
}

void ShapeRaiser::size(const Node &node) {
  const Meaning &value = meaning(node, need(node, "self"));
  const int64_t axis = integer(node, "dim", 0);
  const bool isOpen = value.kind == Meaning::Kind::EdgeList ? axis == 1 || axis == -1
                                                            : value.axes[axisOf(node, axis, value.axes.size())].isOpen;
  if (!isOpen)
    refuse(node, "takes a size that is not open");
  set(node, {Meaning::Kind::Size, value.pieces, {}, {}, {}, {}, {}, {}});
}

void ShapeRaiser::addSizes(const Node &node) {
  Meaning sum{Meaning::Kind::Size, {}, {}, {}, {}, {}, {}, {}};
  for (const auto &[name, argument] : node.inputs) {
    if (argument.kind != Argument::Kind::SymInt)
      return; // whoever reads it is refused
    llvm::append_range(sum.pieces, meaning(node, argument).pieces);
  }
  if (sum.pieces == edgesThenLoops)
    sum.pieces = {{false, EdgeFilter::OneLoop}};
  set(node, sum);
}

void gnnc::pt2::addShapeOps(RaiseTable &table, RaiseContext &context) {
  RaiseTable::Family<ShapeRaiser> family(table, context);
  family.add(&ShapeRaiser::fill,
             {"aten.full", "aten.full_like", "aten.new_full", "aten.new_ones", "aten.new_zeros", "aten.ones",
              "aten.ones_like", "aten.scalar_tensor", "aten.zeros", "aten.zeros_like"});
  family.add(&ShapeRaiser::view, {"aten.view", "aten.reshape", "aten._unsafe_view"});
  family.add(&ShapeRaiser::expand, {"aten.expand", "aten.expand_as"});
  family.add(&ShapeRaiser::permute, {"aten.permute", "aten.t", "aten.transpose", "aten.numpy_T"});
  family.add(&ShapeRaiser::unsqueeze, {"aten.unsqueeze", "aten.squeeze"});
  family.add(&ShapeRaiser::size, {"aten.sym_size"});
  family.add(&ShapeRaiser::addSizes, {"_operator.add"});
  family.add(&ShapeRaiser::nothing,
             {"_operator.eq", "_operator.ge", "_operator.gt", "_operator.le", "_operator.lt", "_operator.ne"});
}
