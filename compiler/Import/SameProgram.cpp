//===- SameProgram.cpp - Whether two models compute alike -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value becomes a polynomial over atoms: inputs, weights, and what is not linear. Products with weights, sums
// over edges and over dimensions distribute over its terms, and factors that they do not concern are taken out. So
// `mean(u.h for u -> v) @ W` and `mean(u.z for u -> v)` of `z = h @ W` become one form.
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/SameProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include <optional>

using namespace gnnc;
using namespace gnnc::pt2;

namespace {

/// Where an atom of vertices is read: at the vertex itself, or at an end of an edge.
enum class Reader { Self, Source, Destination };

/// An atom. `dims[i]` is the dimension of the whole value along which dimension i of the atom lies.
struct Factor {
  unsigned atom;
  Reader reader = Reader::Self;
  std::vector<unsigned> dims;

  bool operator<(const Factor &other) const {
    return std::tie(atom, reader, dims) < std::tie(other.atom, other.reader, other.dims);
  }
  bool operator==(const Factor &other) const { return !(*this < other) && !(other < *this); }
};

using Monomial = std::vector<Factor>; // sorted

using Polynomial = std::map<Monomial, double>;

enum class AtomPlace { Model, Vertex, Edge };

struct Atom {
  std::string key;
  AtomPlace place = AtomPlace::Model;
  ValueKind kind = ValueKind::Constant;
  std::vector<Polynomial> operands;
  bool isCount = false, isPositive = false; // a number of edges, which is at least 1
  bool mayBeInfinite = false;               // at a vertex without edges: what is divided by their number
  size_t numInner = 0;                      // MatMul: dimensions before those of the weight
};

/// Thrown where a polynomial becomes too long to compare.
struct TooLong {};

/// Makes the forms of values. Two models that share the object share the atoms.
class Forms {
public:
  std::vector<Polynomial> outputs(const ComparedModel &compared);

private:
  Polynomial form(const Value &value);
  Polynomial leaf(const Value &value);
  Polynomial function(const Value &value, std::vector<Polynomial> operands);
  Polynomial select(Polynomial condition, Polynomial yes, Polynomial no, const Value &value);
  Polynomial comparison(ValueKind kind, Polynomial left, Polynomial right, const Value &value);
  Polynomial inverse(const Polynomial &of, const Value &value);
  Polynomial reduce(const Value &value, const Polynomial &of);
  Polynomial sumOverDim(const Value &value, const Polynomial &of, unsigned dim);
  Polynomial multiply(const Polynomial &left, const Polynomial &weight, unsigned rank, const std::string &extent);
  Polynomial aggregate(const Value &value);
  Polynomial sumOverEdges(const Value &value, const Polynomial &of, const std::string &edges, unsigned rank);
  bool isNeverEmpty(const Value &value) const;
  bool isGuarded(const Atom &atom) const;
  Polynomial count(const std::string &edges, bool isPositive);

  const Polynomial &operand(const Value &value, size_t i) const { return forms[value.operands[i]]; }
  const Shape &shapeOf(const Value &value, size_t operand) const {
    return compared->model.values[value.operands[operand]].type.shape;
  }
  Polynomial single(Atom atom, size_t rank);
  std::string edgesOf(const Value &value);
  std::string text(const Polynomial &of) const;
  static const Factor *onlyFactor(const Polynomial &of);
  const Atom *onlyAtom(const Polynomial &of) const;
  std::optional<double> number(const Polynomial &of) const;
  AtomPlace placeOf(const Polynomial &of) const;
  bool mayBeInfinite(const Polynomial &of) const;
  Reader readerOf(const std::vector<const Polynomial *> &all) const;

  std::vector<Atom> atoms;
  std::map<std::string, unsigned> known;
  const ComparedModel *compared = nullptr;
  std::vector<Polynomial> forms; // of the model's values
  size_t numMasks = 0;
};

} // namespace

static void add(Polynomial &to, const Polynomial &what, double scale = 1) {
  for (const auto &[monomial, coefficient] : what) {
    double &sum = to[monomial];
    sum += scale * coefficient;
    if (sum == 0)
      to.erase(monomial);
  }
  if (to.size() > 64)
    throw TooLong();
}

static Monomial product(const Monomial &left, const Monomial &right) {
  Monomial all = left;
  llvm::append_range(all, right);
  if (all.size() > 64)
    throw TooLong();
  llvm::sort(all);
  return all;
}

static Polynomial product(const Polynomial &left, const Polynomial &right) {
  Polynomial result;
  for (const auto &[one, a] : left)
    for (const auto &[other, b] : right)
      add(result, {{product(one, other), a * b}});
  return result;
}

static Polynomial constant(double number) { return number == 0 ? Polynomial() : Polynomial{{{}, number}}; }

/// Every reader of a polynomial's vertices becomes `reader`.
static Polynomial readAt(const Polynomial &of, Reader reader, const std::vector<Atom> &atoms) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : of) {
    Monomial read = monomial;
    for (Factor &factor : read)
      if (atoms[factor.atom].place == AtomPlace::Vertex)
        factor.reader = reader;
    llvm::sort(read);
    add(result, {{read, coefficient}});
  }
  return result;
}

/// The dimensions of `monomial` are numbered anew.
template <typename Renumber> static Monomial renumbered(Monomial monomial, const Renumber &renumber) {
  for (Factor &factor : monomial)
    for (unsigned &dim : factor.dims)
      dim = renumber(dim);
  llvm::sort(monomial);
  return monomial;
}

/// Dimensions of extent 1 do not count: the others are numbered from 0 on.
static unsigned numberOf(const Shape &shape, size_t dim) {
  return unsigned(
      std::count_if(shape.begin(), shape.begin() + dim, [](const DimExpr &other) { return other != DimExpr(1); }));
}

static unsigned rankOf(const Shape &shape) { return numberOf(shape, shape.size()); }

static std::string shapeText(const Shape &shape) {
  std::string text;
  for (const DimExpr &dim : shape)
    if (dim != DimExpr(1))
      text += dim.str() + ",";
  return text;
}

std::string Forms::text(const Polynomial &of) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[monomial, coefficient] : of) {
    os << llvm::format("%+.12g", coefficient);
    for (const Factor &factor : monomial) {
      os << '*' << factor.atom << "@sd"[int(factor.reader)];
      for (unsigned dim : factor.dims)
        os << '.' << dim;
    }
  }
  return text;
}

const Factor *Forms::onlyFactor(const Polynomial &of) {
  return of.size() == 1 && of.begin()->second == 1 && of.begin()->first.size() == 1 ? &of.begin()->first[0] : nullptr;
}

/// Its reader and dimensions are those of onlyFactor.
const Atom *Forms::onlyAtom(const Polynomial &of) const {
  const Factor *factor = onlyFactor(of);
  return factor ? &atoms[factor->atom] : nullptr;
}

std::optional<double> Forms::number(const Polynomial &of) const {
  if (of.empty())
    return 0;
  return of.size() == 1 && of.begin()->first.empty() ? std::optional(of.begin()->second) : std::nullopt;
}

AtomPlace Forms::placeOf(const Polynomial &of) const {
  AtomPlace place = AtomPlace::Model;
  for (const auto &[monomial, coefficient] : of)
    for (const Factor &factor : monomial)
      place = std::max(place, factor.reader != Reader::Self ? AtomPlace::Edge : atoms[factor.atom].place);
  return place;
}

bool Forms::mayBeInfinite(const Polynomial &of) const {
  return llvm::any_of(of, [&](const auto &term) {
    return llvm::any_of(term.first, [&](const Factor &factor) { return atoms[factor.atom].mayBeInfinite; });
  });
}

/// The one end at which all of them read vertices, or Self.
Reader Forms::readerOf(const std::vector<const Polynomial *> &all) const {
  std::optional<Reader> reader;
  for (const Polynomial *of : all)
    for (const auto &[monomial, coefficient] : *of)
      for (const Factor &factor : monomial) {
        if (atoms[factor.atom].place == AtomPlace::Edge ||
            (reader && *reader != factor.reader && atoms[factor.atom].place == AtomPlace::Vertex))
          return Reader::Self;
        if (atoms[factor.atom].place == AtomPlace::Vertex)
          reader = factor.reader;
      }
  return reader.value_or(Reader::Self);
}

/// Whether the atom is finite though its operands may be infinite: an inverse of a number that is at least 1, or 0
/// where the number is.
bool Forms::isGuarded(const Atom &atom) const {
  if (atom.kind == ValueKind::Div || atom.kind == ValueKind::Rsqrt) {
    const Atom *number = onlyAtom(atom.operands[0]);
    return number && (number->isPositive || (number->kind == ValueKind::Maximum && !number->mayBeInfinite &&
                                             this->number(number->operands[1]).value_or(0) > 0));
  }
  if (atom.kind != ValueKind::Select || !this->number(atom.operands[1]))
    return false;
  const Atom *test = onlyAtom(atom.operands[0]), *inverse = onlyAtom(atom.operands[2]);
  return test && inverse && test->kind == ValueKind::Equal && test->operands[1].empty() &&
         (inverse->kind == ValueKind::Div || inverse->kind == ValueKind::Rsqrt) &&
         inverse->operands[0] == test->operands[0];
}

/// The atom as a polynomial of `rank` dimensions. Its key is completed by its operands. What reads all its vertices at
/// one end is an atom of vertices that is read there.
Polynomial Forms::single(Atom atom, size_t rank) {
  std::vector<const Polynomial *> all;
  for (const Polynomial &operand : atom.operands)
    all.push_back(&operand);
  const Reader reader = readerOf(all);
  if (reader != Reader::Self)
    for (Polynomial &operand : atom.operands)
      operand = readAt(operand, Reader::Self, atoms);
  for (const Polynomial &operand : atom.operands) {
    atom.place = std::max(atom.place, placeOf(operand));
    atom.key += "(" + text(operand) + ")";
  }
  atom.key += "#" + std::to_string(rank);
  const bool mayDivide = atom.kind == ValueKind::Div || atom.kind == ValueKind::Rsqrt || atom.kind == ValueKind::Log ||
                         atom.kind == ValueKind::Log1p || atom.kind == ValueKind::Sqrt || atom.kind == ValueKind::Pow;
  for (const Polynomial &operand : atom.operands)
    atom.mayBeInfinite |= mayBeInfinite(operand);
  atom.mayBeInfinite = (atom.mayBeInfinite || mayDivide) && !isGuarded(atom);
  auto [place, isNew] = known.try_emplace(atom.key, unsigned(atoms.size()));
  if (isNew)
    atoms.push_back(std::move(atom));
  Factor factor{place->second, reader, {}};
  for (unsigned dim = 0; dim < rank; ++dim)
    factor.dims.push_back(dim);
  return {{{factor}, 1}};
}

Polynomial Forms::leaf(const Value &value) {
  Atom atom;
  atom.kind = value.kind;
  const bool isWeight = value.kind == ValueKind::Param || value.kind == ValueKind::State;
  atom.place = value.type.kind == GraphKind::P   ? AtomPlace::Model
               : value.type.kind == GraphKind::V ? AtomPlace::Vertex
                                                 : AtomPlace::Edge;
  if (isWeight) {
    auto tensor = compared->tensors.find(value.name);
    // A weight without a tensor is in one of the models alone.
    atom.key = tensor != compared->tensors.end() ? "weight " + tensor->second
                                                 : "own " + std::to_string(uintptr_t(compared)) + value.name;
  } else if (value.kind == ValueKind::DropoutMask) {
    atom.key = "mask " + std::to_string(numMasks++) + " " + std::to_string(value.number);
  } else {
    atom.key = "leaf " + std::to_string(int(value.kind)) + value.name + " " + std::to_string(value.relation) + " " +
               std::to_string(int(value.loops));
    if (value.kind == ValueKind::EdgeType)
      atom.key += compared->model.relations[value.relation].transforms.marksLoops ? " marked" : "";
  }
  atom.key += " " + shapeText(value.type.shape);
  return single(std::move(atom), rankOf(value.type.shape));
}

std::string Forms::edgesOf(const Value &value) {
  std::string edges =
      std::to_string(value.relation) + " " + std::to_string(int(value.toward)) + " " + std::to_string(int(value.loops));
  return value.filtered ? edges + " if " + text(forms[value.operands.back()]) : edges;
}

Polynomial Forms::count(const std::string &edges, bool isPositive) {
  Atom atom;
  atom.key = "count " + edges;
  atom.place = AtomPlace::Vertex;
  atom.isCount = true;
  atom.isPositive = isPositive;
  return single(std::move(atom), 0);
}

Polynomial Forms::comparison(ValueKind kind, Polynomial left, Polynomial right, const Value &value) {
  if (kind == ValueKind::Less || kind == ValueKind::LessEqual) {
    std::swap(left, right);
    kind = kind == ValueKind::Less ? ValueKind::Greater : ValueKind::GreaterEqual;
  }
  auto negated = [](const Polynomial &of) {
    Polynomial result = constant(1);
    add(result, of, -1);
    return result;
  };
  if (kind == ValueKind::NotEqual)
    return negated(comparison(ValueKind::Equal, left, right, value));
  const Atom *counted = onlyAtom(left);
  if (counted && counted->isCount && right.empty() && kind == ValueKind::Greater)
    return counted->isPositive ? constant(1) : negated(comparison(ValueKind::Equal, left, right, value));
  if (kind == ValueKind::Equal && counted && counted->isPositive && right.empty())
    return constant(0);
  if (kind == ValueKind::Equal && text(right) < text(left) && !right.empty())
    std::swap(left, right);
  Atom atom;
  atom.kind = kind;
  atom.key = "compare " + std::to_string(int(kind));
  atom.operands = {left, right};
  return single(std::move(atom), rankOf(value.type.shape));
}

Polynomial Forms::select(Polynomial condition, Polynomial yes, Polynomial no, const Value &value) {
  if (std::optional<double> constant = number(condition))
    return *constant != 0 ? yes : no;
  if (yes == no)
    return yes;
  // `not c` is 1 - c.
  if (auto one = condition.find({}); one != condition.end() && one->second == 1 && condition.size() == 2) {
    Polynomial inverted;
    add(inverted, condition, -1);
    add(inverted, constant(1));
    condition = inverted;
    std::swap(yes, no);
  }
  // An input of edges is 1 on an edge that is added.
  const Atom *test = onlyAtom(condition), *other = onlyAtom(no);
  const Atom *type =
      test && test->kind == ValueKind::Greater && test->operands[0].empty() ? onlyAtom(test->operands[1]) : nullptr;
  if (type && type->kind == ValueKind::EdgeType && other && other->kind == ValueKind::Input &&
      other->place == AtomPlace::Edge && number(yes) == 1.0)
    return no;
  // Where a number of edges is not 0 it is at least 1.
  if (test && test->kind == ValueKind::Equal && test->operands[1].empty() && other && other->kind == ValueKind::Rsqrt &&
      onlyFactor(condition)->reader == onlyFactor(no)->reader) {
    const Atom *bounded = onlyAtom(other->operands[0]), *counted = onlyAtom(test->operands[0]);
    if (bounded && counted && counted->isCount && bounded->kind == ValueKind::Maximum &&
        bounded->operands[0] == test->operands[0] && number(bounded->operands[1]) == 1.0) {
      Atom root;
      root.kind = ValueKind::Rsqrt;
      root.key = "function " + std::to_string(int(ValueKind::Rsqrt));
      root.operands = {test->operands[0]};
      no = readAt(single(std::move(root), 0), onlyFactor(condition)->reader, atoms);
    }
  }
  Atom atom;
  atom.kind = ValueKind::Select;
  atom.key = "select";
  atom.operands = {std::move(condition), std::move(yes), std::move(no)};
  return single(std::move(atom), rankOf(value.type.shape));
}

Polynomial Forms::function(const Value &value, std::vector<Polynomial> operands) {
  const Atom *first = operands.empty() ? nullptr : onlyAtom(operands[0]);
  if (value.kind == ValueKind::Maximum && first && first->isPositive && number(operands[1]) == 1.0)
    return operands[0];
  Atom atom;
  atom.kind = value.kind;
  atom.key = "function " + std::to_string(int(value.kind));
  const bool hasShape = value.kind == ValueKind::Reshape || value.kind == ValueKind::Pad ||
                        value.kind == ValueKind::Slice || value.kind == ValueKind::Concat ||
                        value.kind == ValueKind::Transpose || value.kind == ValueKind::Rows ||
                        value.kind == ValueKind::Reduce;
  if (hasShape)
    atom.key += " " + shapeText(value.type.shape);
  for (size_t i = 0; i < value.operands.size(); ++i) // elementwise functions have one shape
    if (shapeOf(value, i) != value.type.shape)
      atom.key += " " + std::to_string(i) + " is " + shapeText(shapeOf(value, i));
  if (value.kind == ValueKind::Slice)
    atom.key += " from " + value.offset.str();
  if (value.kind == ValueKind::Cast)
    atom.key += " to " + std::to_string(int(value.type.element));
  for (unsigned dim : value.dims)
    atom.key += " " + std::to_string(value.operands.empty() ? dim : numberOf(shapeOf(value, 0), dim));
  if (value.kind == ValueKind::Reduce || value.kind == ValueKind::Total)
    atom.key += " by " + std::to_string(int(value.reduction));
  if (value.kind == ValueKind::Total || value.kind == ValueKind::Rows)
    atom.key += " of " + std::to_string(value.type.type);
  atom.operands = std::move(operands);
  Polynomial result = single(std::move(atom), rankOf(value.type.shape));
  if (value.kind == ValueKind::Total)
    atoms[result.begin()->first[0].atom].place = AtomPlace::Model;
  return result;
}

Polynomial Forms::inverse(const Polynomial &of, const Value &value) {
  if (std::optional<double> constant = number(of); constant && *constant != 0)
    return {{{}, 1 / *constant}};
  Polynomial scaled;
  double scale = 1;
  if (of.size() == 1)
    scale = of.begin()->second;
  add(scaled, of, 1 / scale);
  Atom atom;
  atom.kind = ValueKind::Div;
  atom.key = "inverse";
  atom.operands = {scaled};
  Polynomial result;
  add(result, single(std::move(atom), rankOf(value.type.shape)), 1 / scale);
  return result;
}

/// The sum over dimension `dim` of each term; factors without the dimension are taken out.
Polynomial Forms::sumOverDim(const Value &value, const Polynomial &of, unsigned dim) {
  const Shape &shape = shapeOf(value, 0);
  if (shape[dim] == DimExpr(1))
    return of;
  const std::string extent = shape[dim].str();
  const unsigned rank = rankOf(shape);
  dim = numberOf(shape, dim);
  Polynomial result;
  for (const auto &[monomial, coefficient] : of) {
    Monomial inner, outer;
    for (const Factor &factor : monomial)
      (llvm::is_contained(factor.dims, dim) ? inner : outer).push_back(factor);
    // Dimensions that the inner factors have are numbered from 0 on; the one that is summed comes last.
    std::vector<unsigned> kept;
    for (unsigned other = 0; other < rank; ++other)
      if (other != dim &&
          llvm::any_of(inner, [&](const Factor &factor) { return llvm::is_contained(factor.dims, other); }))
        kept.push_back(other);
    auto number = [&](unsigned other) {
      return other == dim ? unsigned(kept.size()) : unsigned(llvm::find(kept, other) - kept.begin());
    };
    Atom atom;
    atom.kind = ValueKind::Reduce;
    atom.key = "sum over " + extent;
    atom.operands = {{{renumbered(inner, number), 1}}};
    Polynomial sum = single(std::move(atom), kept.size());
    auto place = [&](unsigned other) { return other < dim ? other : other - 1; };
    Polynomial placed;
    for (const auto &[term, scale] : sum)
      placed[renumbered(term, [&](unsigned i) { return place(kept[i]); })] = scale;
    add(result, product(placed, {{renumbered(outer, place), coefficient}}));
  }
  return result;
}

/// `left` times a weight: the last dimension of `left`, which has this extent, with the first of `weight`.
Polynomial Forms::multiply(const Polynomial &left, const Polynomial &weight, unsigned rank, const std::string &extent) {
  Polynomial result;
  if (extent == "1") {
    for (const auto &[columns, scale] : weight)
      result[renumbered(columns, [&](unsigned dim) { return dim + rank; })] = scale;
    return product(left, result);
  }
  const unsigned last = rank - 1;
  for (const auto &[monomial, coefficient] : left) {
    Monomial inner, outer;
    for (const Factor &factor : monomial)
      (llvm::is_contained(factor.dims, last) ? inner : outer).push_back(factor);
    std::vector<unsigned> kept;
    for (unsigned other = 0; other < last; ++other)
      if (llvm::any_of(inner, [&](const Factor &factor) { return llvm::is_contained(factor.dims, other); }))
        kept.push_back(other);
    auto number = [&](unsigned other) {
      return other == last ? unsigned(kept.size()) : unsigned(llvm::find(kept, other) - kept.begin());
    };
    for (const auto &[columns, scale] : weight) {
      size_t numColumns = 0;
      for (const Factor &factor : columns)
        for (unsigned dim : factor.dims)
          numColumns = std::max<size_t>(numColumns, dim);
      Atom atom;
      atom.kind = ValueKind::MatMul;
      atom.key = "product " + extent;
      atom.numInner = kept.size();
      atom.operands = {{{renumbered(inner, number), 1}}, {{columns, 1}}};
      Polynomial term = single(std::move(atom), kept.size() + numColumns);
      Polynomial placed;
      for (const auto &[factors, one] : term)
        placed[renumbered(
            factors, [&](unsigned i) { return i < kept.size() ? kept[i] : unsigned(i - kept.size() + last); })] = one;
      add(result, product(placed, {{outer, coefficient * scale}}));
    }
  }
  return result;
}

/// The sum over edges of each term. Factors of the vertex itself are taken out, unless they may be infinite where the
/// sum is 0, and so are products with weights whose columns no other factor has.
Polynomial Forms::sumOverEdges(const Value &value, const Polynomial &of, const std::string &edges, unsigned rank) {
  const Reader own = value.toward == End::Destination ? Reader::Destination : Reader::Source;
  Polynomial result;
  for (const auto &[monomial, coefficient] : of) {
    Monomial inner, outer;
    for (Factor factor : monomial) {
      const AtomPlace place = atoms[factor.atom].place;
      const bool isOwn = place == AtomPlace::Model || (place == AtomPlace::Vertex && factor.reader == own &&
                                                       (isNeverEmpty(value) || !atoms[factor.atom].mayBeInfinite));
      if (isOwn && place == AtomPlace::Vertex)
        factor.reader = Reader::Self;
      (isOwn ? outer : inner).push_back(factor);
    }
    llvm::sort(outer);
    if (inner.empty()) {
      add(result, product(count(edges, false), {{outer, coefficient}}));
      continue;
    }
    auto isPulled = [&](const Factor &factor) {
      const Atom &atom = atoms[factor.atom];
      if (atom.kind != ValueKind::MatMul || atom.operands.size() != 2 || atom.operands[0].size() != 1)
        return false;
      for (size_t i = atom.numInner; i < factor.dims.size(); ++i)
        for (const Factor &other : inner)
          if (!(other == factor) && llvm::is_contained(other.dims, factor.dims[i]))
            return false;
      // Columns come last, so that the product can be formed again.
      for (size_t i = atom.numInner; i < factor.dims.size(); ++i)
        if (factor.dims[i] != rank - (factor.dims.size() - i))
          return false;
      return llvm::count(inner, factor) == 1;
    };
    auto pulled = llvm::find_if(inner, isPulled);
    if (pulled != inner.end()) {
      const Factor factor = *pulled;
      const Atom atom = atoms[factor.atom];
      const unsigned numColumns = unsigned(factor.dims.size() - atom.numInner), last = unsigned(rank) - numColumns;
      Monomial rest;
      for (const Factor &other : inner)
        if (!(other == factor))
          rest.push_back(other);
      Polynomial rows;
      const bool isOfEdges = atom.place == AtomPlace::Edge; // then its operand has its readers
      for (const auto &[factors, one] : isOfEdges ? atom.operands[0] : readAt(atom.operands[0], factor.reader, atoms))
        rows[product(rest,
                     renumbered(factors, [&](unsigned i) { return i < atom.numInner ? factor.dims[i] : last; }))] = one;
      Polynomial sum = sumOverEdges(value, rows, edges, last + 1);
      Polynomial all = multiply(sum, atom.operands[1], last + 1, atom.key.substr(8, atom.key.find('(') - 8));
      add(result, product(all, {{outer, coefficient}}));
      continue;
    }
    std::vector<unsigned> kept;
    for (unsigned dim = 0; dim < rank; ++dim)
      if (llvm::any_of(inner, [&](const Factor &factor) { return llvm::is_contained(factor.dims, dim); }))
        kept.push_back(dim);
    Atom atom;
    atom.kind = ValueKind::Aggregate;
    atom.key = "sum " + edges;
    // Operands of edges keep the end that they are read at: the product is one of each edge, not of its source.
    atom.key +=
        "(" +
        text({{renumbered(inner, [&](unsigned dim) { return unsigned(llvm::find(kept, dim) - kept.begin()); }), 1}}) +
        ")";
    atom.place = AtomPlace::Vertex;
    atom.mayBeInfinite = mayBeInfinite({{inner, 1}});
    Polynomial sum = single(std::move(atom), kept.size()), placed;
    for (const auto &[term, scale] : sum)
      placed[renumbered(term, [&](unsigned i) { return kept[i]; })] = scale;
    add(result, product(placed, {{outer, coefficient}}));
  }
  return result;
}

/// Whether each vertex has an edge among these.
bool Forms::isNeverEmpty(const Value &value) const {
  return !value.filtered && (value.loops == Loops::One || compared->model.relations[value.relation].transforms.oneLoop);
}

Polynomial Forms::aggregate(const Value &value) {
  const std::string edges = edgesOf(value);
  if (value.kind == ValueKind::InDegree || value.kind == ValueKind::OutDegree) {
    Value degree = value;
    degree.toward = value.kind == ValueKind::InDegree ? End::Destination : End::Source;
    return value.type.shape.empty() ? count(edgesOf(degree), isNeverEmpty(value)) : leaf(value);
  }
  if (value.kind == ValueKind::Aggregate && !value.byType) {
    if (value.reduction == Reduction::Count)
      return count(edges, isNeverEmpty(value));
    if (value.reduction == Reduction::Sum)
      return sumOverEdges(value, operand(value, 0), edges, rankOf(value.type.shape));
    if (value.reduction == Reduction::Mean) {
      Value scalar = value;
      scalar.type.shape.clear();
      scalar.kind = ValueKind::Maximum;
      scalar.dims.clear();
      scalar.operands.clear();
      Polynomial number = function(scalar, {count(edges, isNeverEmpty(value)), constant(1)});
      return product(sumOverEdges(value, operand(value, 0), edges, rankOf(value.type.shape)), inverse(number, scalar));
    }
  }
  Atom atom;
  atom.kind = value.kind;
  atom.key = std::string(value.kind == ValueKind::Softmax ? "softmax " : "aggregate ") +
             std::to_string(int(value.reduction)) + (value.byType ? " by type " : " ") + edges + "(" +
             text(operand(value, 0)) + ")" + shapeText(value.type.shape);
  atom.place = value.kind == ValueKind::Softmax ? AtomPlace::Edge : AtomPlace::Vertex;
  atom.mayBeInfinite = mayBeInfinite(operand(value, 0));
  return single(std::move(atom), rankOf(value.type.shape));
}

Polynomial Forms::reduce(const Value &value, const Polynomial &of) {
  if (value.reduction == Reduction::Sum)
    return sumOverDim(value, of, value.dims[0]);
  if (value.reduction == Reduction::Mean) {
    Polynomial result;
    const DimExpr &extent = shapeOf(value, 0)[value.dims[0]];
    if (extent == DimExpr(1))
      return of;
    Atom atom;
    atom.key = "inverse of extent " + extent.str();
    return product(sumOverDim(value, of, value.dims[0]), single(std::move(atom), 0));
  }
  return function(value, {of});
}

Polynomial Forms::form(const Value &value) {
  std::vector<Polynomial> all;
  for (unsigned operand : value.operands)
    all.push_back(forms[operand]);
  Polynomial result;
  std::vector<unsigned> places; // Broadcast: where the dimensions of the operand are
  for (size_t i = 0; value.kind == ValueKind::Broadcast && i < value.dims.size(); ++i)
    if (shapeOf(value, 0)[i] != DimExpr(1))
      places.push_back(numberOf(value.type.shape, value.dims[i]));
  switch (value.kind) {
  case ValueKind::Constant:
    return constant(value.number);
  case ValueKind::Training:
    return constant(0);
  case ValueKind::Input:
  case ValueKind::Target:
  case ValueKind::Param:
  case ValueKind::State:
  case ValueKind::EdgeType:
  case ValueKind::VertexId:
  case ValueKind::DropoutMask:
    return leaf(value);
  case ValueKind::InDegree:
  case ValueKind::OutDegree:
  case ValueKind::Aggregate:
  case ValueKind::Softmax:
    return aggregate(value);
  case ValueKind::Neg:
    add(result, all[0], -1);
    return result;
  case ValueKind::Not:
    result = constant(1);
    add(result, all[0], -1);
    return result;
  case ValueKind::And:
    return product(all[0], all[1]);
  case ValueKind::Cast:
    return value.type.element == ElementKind::Real ? all[0] : function(value, all);
  case ValueKind::Add:
  case ValueKind::Sub:
    result = all[0];
    add(result, all[1], value.kind == ValueKind::Add ? 1 : -1);
    return result;
  case ValueKind::Mul:
    return product(all[0], all[1]);
  case ValueKind::Div:
    return product(all[0], inverse(all[1], value));
  case ValueKind::Equal:
  case ValueKind::NotEqual:
  case ValueKind::Less:
  case ValueKind::LessEqual:
  case ValueKind::Greater:
  case ValueKind::GreaterEqual:
    return comparison(value.kind, all[0], all[1], value);
  case ValueKind::Select:
    return select(all[0], all[1], all[2], value);
  case ValueKind::Broadcast:
    for (const auto &[monomial, coefficient] : all[0])
      result[renumbered(monomial, [&](unsigned dim) { return places[dim]; })] = coefficient;
    return result;
  case ValueKind::Reduce:
    return reduce(value, all[0]);
  case ValueKind::MatMul:
    return multiply(all[0], all[1], rankOf(shapeOf(value, 0)), shapeOf(value, 1)[0].str());
  case ValueKind::Reshape:
    return shapeText(value.type.shape) == shapeText(shapeOf(value, 0)) ? all[0] : function(value, all);
  case ValueKind::ReadSource:
    return readAt(all[0], Reader::Source, atoms);
  case ValueKind::ReadDestination:
    return readAt(all[0], Reader::Destination, atoms);
  default:
    return function(value, all);
  }
}

std::vector<Polynomial> Forms::outputs(const ComparedModel &of) {
  compared = &of;
  forms.clear();
  numMasks = 0;
  for (const Value &value : of.model.values)
    forms.push_back(form(value));
  std::vector<Polynomial> result;
  for (const Output &output : of.model.outputs)
    result.push_back(forms[output.value]);
  return result;
}

/// Whether both ask for the same edges. Marks of added loops are the types of edges alone, which leaf() tells apart.
static bool haveSameEdges(const CheckedModel &left, const CheckedModel &right) {
  return std::equal(left.relations.begin(), left.relations.end(), right.relations.begin(), right.relations.end(),
                    [](const Relation &one, const Relation &other) {
                      const GraphTransforms &a = one.transforms, &b = other.transforms;
                      return one.sourceType == other.sourceType && one.destinationType == other.destinationType &&
                             one.isPairs == other.isPairs && one.isSparseInput == other.isSparseInput &&
                             std::tie(a.symmetric, a.inverseRelations, a.selfLoops, a.oneLoop, a.noLoops,
                                      a.loopKinds) == std::tie(b.symmetric, b.inverseRelations, b.selfLoops, b.oneLoop,
                                                               b.noLoops, b.loopKinds);
                    });
}

bool gnnc::pt2::areSamePrograms(const ComparedModel &left, const ComparedModel &right) {
  if (left.model.outputs.size() != right.model.outputs.size() || !haveSameEdges(left.model, right.model))
    return false;
  for (auto [one, other] : llvm::zip(left.model.outputs, right.model.outputs)) {
    const ValueType &type = left.model.values[one.value].type, &wanted = right.model.values[other.value].type;
    if (type.kind != wanted.kind || type.shape != wanted.shape)
      return false;
  }
  try {
    Forms forms;
    return forms.outputs(left) == forms.outputs(right);
  } catch (const TooLong &) {
    return false;
  }
}
