//===- AtenEvaluator.cpp - Exported programs in float64 -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/AtenEvaluator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace gnnc::pt2;

static std::vector<int64_t> rowMajor(const std::vector<int64_t> &sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t axis = sizes.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * sizes[axis];
  return strides;
}

Tensor Tensor::dense(std::vector<int64_t> sizes, std::vector<double> numbers) {
  std::vector<int64_t> strides = rowMajor(sizes);
  return {std::make_shared<std::vector<double>>(std::move(numbers)), std::move(sizes), std::move(strides), 0};
}

Tensor Tensor::filled(std::vector<int64_t> sizes, double value) {
  constexpr int64_t maxCount = int64_t(1) << 26; // the graphs of a proof are small; a damaged file may ask for any size
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || size > maxCount || (count *= size) > maxCount)
      throw ImportError("the program makes a tensor of more than 2^26 elements from a graph of 40 vertices");
  return dense(std::move(sizes), std::vector<double>(count, value));
}

int64_t Tensor::count() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>()); }

int64_t Tensor::place(int64_t i) const {
  int64_t result = offset;
  for (size_t axis = sizes.size(); axis-- > 0; i /= sizes[axis])
    result += i % sizes[axis] * strides[axis];
  return result;
}

std::vector<double> Tensor::numbers() const {
  std::vector<double> result;
  for (int64_t i = 0, end = count(); i < end; ++i)
    result.push_back(at(i));
  return result;
}

namespace {

using Elementwise = std::function<double(const std::vector<double> &)>;

class Evaluator {
public:
  explicit Evaluator(const Program &program, std::map<std::string, Tensor> values)
      : program(program), tensors(std::move(values)) {}
  std::vector<Tensor> run();

private:
  Tensor evaluate(const std::string &op);
  bool elementwise(const std::string &op, Tensor &result);
  bool shapes(const std::string &op, Tensor &result);
  bool constants(const std::string &op, Tensor &result);
  bool products(const std::string &op, Tensor &result);
  bool indices(const std::string &op, Tensor &result);
  bool norms(const std::string &op, Tensor &result);

  const Argument *find(llvm::StringRef name) const {
    const Argument *argument = node->find(name);
    return argument && argument->kind != Argument::Kind::None ? argument : nullptr;
  }
  const Argument &need(llvm::StringRef name) const {
    if (const Argument *argument = find(name))
      return *argument;
    refuse(*node, "has no argument " + name.str());
  }
  const Argument &first() const {
    require(!node->inputs.empty());
    return node->inputs.front().second;
  }
  Tensor tensor(const Argument &argument) const;
  Tensor tensor(llvm::StringRef name) const { return tensor(need(name)); }
  int64_t size(const Argument &argument) const;
  std::vector<int64_t> sizes(llvm::StringRef name) const;
  int64_t integer(llvm::StringRef name, int64_t otherwise) const { return find(name) ? size(*find(name)) : otherwise; }
  double number(llvm::StringRef name, double otherwise) const { return find(name) ? tensor(name).at(0) : otherwise; }
  int64_t axis(int64_t axis, int64_t rank) const;
  Tensor map(std::vector<Tensor> operands, const Elementwise &function) const;
  Tensor multiply(const Tensor &left, const Tensor &right) const;
  Tensor overAxis(const Tensor &of, int64_t axis, const std::string &reduction, bool keeps) const;
  void require(bool condition) const {
    if (!condition)
      refuse(*node, "has operands that do not fit");
  }

  const Program &program;
  const Node *node = nullptr;
  std::map<std::string, Tensor> tensors;
  std::map<std::string, int64_t> symbols;
};

} // namespace

Tensor Evaluator::tensor(const Argument &argument) const {
  if (argument.isNumber())
    return Tensor::filled({}, argument.kind == Argument::Kind::Float ? argument.real : double(argument.integer));
  if (auto size = symbols.find(argument.text); size != symbols.end())
    return Tensor::filled({}, double(size->second));
  auto found = tensors.find(argument.text);
  if (found == tensors.end())
    refuse(*node, "reads " + argument.text + ", which is no tensor");
  return found->second;
}

int64_t Evaluator::size(const Argument &argument) const { return int64_t(tensor(argument).at(0)); }

std::vector<int64_t> Evaluator::sizes(llvm::StringRef name) const {
  std::vector<int64_t> result;
  for (const Argument &item : find(name) ? find(name)->items : std::vector<Argument>())
    result.push_back(size(item));
  return result;
}

int64_t Evaluator::axis(int64_t axis, int64_t rank) const {
  axis += axis < 0 ? rank : 0;
  require(axis >= 0 && axis < std::max<int64_t>(rank, 1));
  return axis;
}

/// A view of `from` with the sizes of `sizes`: strides of 0 along what is repeated.
static bool broadcast(Tensor &from, const std::vector<int64_t> &sizes) {
  if (from.sizes.size() > sizes.size())
    return false;
  std::vector<int64_t> strides(sizes.size(), 0);
  const size_t more = sizes.size() - from.sizes.size();
  for (size_t axis = more; axis < sizes.size(); ++axis) {
    if (from.sizes[axis - more] == sizes[axis])
      strides[axis] = from.strides[axis - more];
    else if (from.sizes[axis - more] != 1)
      return false;
  }
  from.sizes = sizes;
  from.strides = strides;
  return true;
}

Tensor Evaluator::map(std::vector<Tensor> operands, const Elementwise &function) const {
  std::vector<int64_t> sizes;
  for (const Tensor &operand : operands) {
    if (operand.sizes.size() > sizes.size())
      sizes.insert(sizes.begin(), operand.sizes.size() - sizes.size(), 1);
    for (size_t i = 1; i <= operand.sizes.size(); ++i)
      if (int64_t &size = sizes[sizes.size() - i]; size == 1)
        size = operand.sizes[operand.sizes.size() - i];
  }
  for (Tensor &operand : operands)
    require(broadcast(operand, sizes));
  Tensor result = Tensor::filled(sizes, 0);
  std::vector<double> arguments(operands.size());
  for (int64_t i = 0, end = result.count(); i < end; ++i) {
    for (size_t j = 0; j < operands.size(); ++j)
      arguments[j] = operands[j].at(i);
    (*result.memory)[i] = function(arguments);
  }
  return result;
}

bool Evaluator::elementwise(const std::string &op, Tensor &result) {
  using Arguments = const std::vector<double> &;
  static const std::map<std::string, double (*)(double)> unary = {
      {"relu", [](double x) { return x != x ? x : std::max(x, 0.0); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"elu", [](double x) { return x > 0 ? x : std::expm1(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"abs", [](double x) { return std::abs(x); }},
      {"square", [](double x) { return x * x; }},
      {"bitwise_not", [](double x) { return double(x == 0); }},
      {"logical_not", [](double x) { return double(x == 0); }},
      {"reciprocal", [](double x) { return 1 / x; }}};
  static const std::map<std::string, double (*)(double, double)> binary = {
      {"mul", [](double x, double y) { return x * y; }},
      {"div", [](double x, double y) { return x / y; }},
      {"pow", [](double x, double y) { return std::pow(x, y); }},
      {"maximum", [](double x, double y) { return x != x   ? x
                                                  : y != y ? y
                                                           : std::max(x, y); }},
      {"minimum", [](double x, double y) { return x != x   ? x
                                                  : y != y ? y
                                                           : std::min(x, y); }},
      {"eq", [](double x, double y) { return double(x == y); }},
      {"ne", [](double x, double y) { return double(x != y); }},
      {"lt", [](double x, double y) { return double(x < y); }},
      {"le", [](double x, double y) { return double(x <= y); }},
      {"gt", [](double x, double y) { return double(x > y); }},
      {"ge", [](double x, double y) { return double(x >= y); }}};
  if (auto function = unary.find(op); function != unary.end()) {
    result = map({tensor("self")}, [&](Arguments x) { return function->second(x[0]); });
  } else if (auto function = binary.find(op); function != binary.end()) {
    result = map({tensor("self"), tensor(find("exponent") ? "exponent" : "other")},
                 [&](Arguments x) { return function->second(x[0], x[1]); });
  } else if (op == "add" || op == "sub" || op == "rsub") {
    const double alpha = number("alpha", 1);
    result = map({tensor("self"), tensor("other")}, [&](Arguments x) {
      return op == "add" ? x[0] + alpha * x[1] : op == "sub" ? x[0] - alpha * x[1] : x[1] - alpha * x[0];
    });
  } else if (op == "clamp" || op == "clamp_min") {
    result = map({tensor("self"), Tensor::filled({}, number("min", -std::numeric_limits<double>::infinity())),
                  Tensor::filled({}, number("max", std::numeric_limits<double>::infinity()))},
                 [](Arguments x) { return x[0] != x[0] ? x[0] : std::min(std::max(x[0], x[1]), x[2]); });
  } else if (op == "leaky_relu") {
    const double slope = number("negative_slope", 0.01);
    result = map({tensor("self")}, [&](Arguments x) { return x[0] > 0 ? x[0] : slope * x[0]; });
  } else if (op == "where") {
    result = map({tensor("condition"), tensor("self"), tensor("other")},
                 [](Arguments x) { return x[0] != 0 ? x[1] : x[2]; });
  } else if (op == "masked_fill") {
    result =
        map({tensor("self"), tensor("mask"), tensor("value")}, [](Arguments x) { return x[1] != 0 ? x[2] : x[0]; });
  } else {
    return false;
  }
  return true;
}

bool Evaluator::constants(const std::string &op, Tensor &result) {
  llvm::StringRef name = op;
  const bool isLike = name.consume_back("_like");
  if (!isLike)
    name.consume_front("new_");
  if (op == "arange") {
    const double start = number("start", 0), step = number("step", 1), end = number("end", 0);
    std::vector<double> numbers;
    require(step > 0 && (end - start) / step < 1e7);
    for (double x = start; x < end; x += step)
      numbers.push_back(x);
    const int64_t count = int64_t(numbers.size());
    result = Tensor::dense({count}, std::move(numbers));
    return true;
  }
  if (op == "scalar_tensor") {
    result = tensor("s");
    return true;
  }
  if (name != "zeros" && name != "ones" && name != "full")
    return false;
  result = Tensor::filled(isLike ? tensor("self").sizes : sizes("size"), name == "full"   ? number("fill_value", 0)
                                                                         : name == "ones" ? 1
                                                                                          : 0);
  return true;
}

bool Evaluator::shapes(const std::string &op, Tensor &result) {
  auto isOf = [&](std::initializer_list<const char *> names) { return llvm::is_contained(names, op); };
  if (isOf({"alias", "detach", "dropout", "contiguous", "to", "clone", "_to_copy", "lift_fresh_copy",
            "native_dropout"})) {
    require(op != "dropout" || integer("train", 0) == 0);
    result = tensor(first());
    if (isOf({"clone", "_to_copy", "lift_fresh_copy"}))
      result = Tensor::dense(result.sizes, result.numbers());
  } else if (isOf({"view", "reshape", "_unsafe_view"})) {
    Tensor self = tensor("self");
    std::vector<int64_t> wanted = sizes(find("size") ? "size" : "shape");
    int64_t known = 1;
    for (int64_t size : wanted)
      known *= size == -1 ? 1 : size;
    for (int64_t &size : wanted)
      if (size == -1)
        size = known ? self.count() / known : 0;
    if (self.strides != rowMajor(self.sizes))
      self = Tensor::dense(self.sizes, self.numbers());
    self.strides = rowMajor(wanted);
    self.sizes = wanted;
    require(self.count() == tensor("self").count());
    result = self;
  } else if (isOf({"expand", "expand_as"})) {
    result = tensor("self");
    std::vector<int64_t> wanted = op == "expand" ? sizes("size") : tensor("other").sizes;
    for (size_t i = 1; i <= wanted.size(); ++i)
      if (int64_t &size = wanted[wanted.size() - i]; size == -1) {
        require(i <= result.sizes.size());
        size = result.sizes[result.sizes.size() - i];
      }
    require(broadcast(result, wanted));
  } else if (isOf({"permute", "t", "numpy_T", "transpose"})) {
    Tensor self = tensor("self");
    std::vector<int64_t> order(self.sizes.size());
    std::iota(order.rbegin(), order.rend(), 0);
    if (op == "permute")
      order = sizes("dims");
    if (op == "transpose") {
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[axis(integer("dim0", 0), self.rank())], order[axis(integer("dim1", 0), self.rank())]);
    }
    require(int64_t(order.size()) == self.rank());
    result = self;
    for (size_t i = 0; i < order.size(); ++i) {
      result.sizes[i] = self.sizes[axis(order[i], self.rank())];
      result.strides[i] = self.strides[axis(order[i], self.rank())];
    }
  } else if (op == "unsqueeze") {
    result = tensor("self");
    int64_t place = axis(integer("dim", 0), result.rank() + 1);
    result.sizes.insert(result.sizes.begin() + place, 1);
    result.strides.insert(result.strides.begin() + place, 0);
  } else if (op == "squeeze") {
    result = tensor("self");
    int64_t place = axis(integer("dim", 0), result.rank());
    if (result.sizes[place] == 1) {
      result.sizes.erase(result.sizes.begin() + place);
      result.strides.erase(result.strides.begin() + place);
    }
  } else if (op == "repeat") {
    Tensor self = tensor("self");
    std::vector<int64_t> repeats = sizes("repeats");
    require(int64_t(repeats.size()) == self.rank());
    result = Tensor::filled(self.sizes, 0);
    for (size_t i = 0; i < repeats.size(); ++i)
      result.sizes[i] *= repeats[i];
    result = Tensor::filled(result.sizes, 0);
    for (int64_t i = 0, end = result.count(); i < end; ++i) {
      int64_t rest = i, place = self.offset;
      for (size_t a = repeats.size(); a-- > 0; rest /= result.sizes[a])
        place += rest % result.sizes[a] % self.sizes[a] * self.strides[a];
      (*result.memory)[i] = (*self.memory)[place];
    }
  } else if (op == "cat" || op == "stack") {
    std::vector<Tensor> parts;
    for (const Argument &item : need("tensors").items)
      parts.push_back(tensor(item));
    require(!parts.empty());
    const int64_t along = axis(integer("dim", 0), parts[0].rank() + (op == "stack" ? 1 : 0));
    for (Tensor &part : parts)
      if (op == "stack") {
        part.sizes.insert(part.sizes.begin() + along, 1);
        part.strides.insert(part.strides.begin() + along, 0);
      }
    std::vector<int64_t> all = parts[0].sizes;
    all[along] = 0;
    for (const Tensor &part : parts)
      all[along] += part.sizes[along];
    result = Tensor::filled(all, 0);
    int64_t begin = 0;
    for (const Tensor &part : parts) {
      Tensor view = result;
      view.offset = begin * result.strides[along];
      view.sizes[along] = part.sizes[along];
      require(view.sizes == part.sizes);
      for (int64_t i = 0, end = part.count(); i < end; ++i)
        view.at(i) = part.at(i);
      begin += part.sizes[along];
    }
  } else {
    return false;
  }
  return true;
}

Tensor Evaluator::multiply(const Tensor &left, const Tensor &right) const {
  require(left.rank() >= 1 && right.rank() == 2 && left.sizes.back() == right.sizes[0]);
  std::vector<int64_t> sizes = left.sizes;
  const int64_t inner = sizes.back(), columns = sizes.back() = right.sizes[1];
  Tensor result = Tensor::filled(sizes, 0);
  for (int64_t i = 0, end = result.count(); i < end; ++i)
    for (int64_t k = 0; k < inner; ++k)
      (*result.memory)[i] += left.at(i / columns * inner + k) * right.at(k * columns + i % columns);
  return result;
}

bool Evaluator::products(const std::string &op, Tensor &result) {
  auto plus = [&](const Tensor &left, const Tensor &right) {
    return map({left, right}, [](const std::vector<double> &x) { return x[0] + x[1]; });
  };
  if (op == "linear") {
    Tensor weight = tensor("weight");
    require(weight.rank() == 2);
    std::swap(weight.sizes[0], weight.sizes[1]);
    std::swap(weight.strides[0], weight.strides[1]);
    result = multiply(tensor("input"), weight);
    if (find("bias"))
      result = plus(result, tensor("bias"));
  } else if (op == "mm" || op == "matmul") {
    result = multiply(tensor("self"), tensor(op == "mm" ? "mat2" : "other"));
  } else if (op == "addmm") {
    require(number("alpha", 1) == 1 && number("beta", 1) == 1);
    result = plus(multiply(tensor("mat1"), tensor("mat2")), tensor("self"));
  } else {
    return false;
  }
  return true;
}

bool Evaluator::indices(const std::string &op, Tensor &result) {
  auto row = [&](double index, int64_t rows) {
    int64_t i = int64_t(index);
    i += i < 0 ? rows : 0;
    require(i >= 0 && i < rows);
    return i;
  };
  if (op == "select") {
    result = tensor("self");
    const int64_t along = axis(integer("dim", 0), result.rank());
    result.offset += row(double(integer("index", 0)), result.sizes[along]) * result.strides[along];
    result.sizes.erase(result.sizes.begin() + along);
    result.strides.erase(result.strides.begin() + along);
  } else if (op == "index" || op == "index_select") {
    Tensor self = tensor("self");
    int64_t along = op == "index" ? int64_t(need("indices").items.size()) - 1 : axis(integer("dim", 0), self.rank());
    const Argument &which = op == "index" ? need("indices").items.at(need("indices").items.size() - 1) : need("index");
    Tensor index = tensor(which);
    require(index.rank() == 1 && along < self.rank());
    std::vector<double> rows = index.numbers();
    // A mask is a list of the places where it is true.
    if (auto type = program.tensors.find(which.text);
        type != program.tensors.end() && type->second.element == ScalarType::Bool) {
      require(int64_t(rows.size()) == self.sizes[along]);
      std::vector<double> places;
      for (size_t i = 0; i < rows.size(); ++i)
        if (rows[i] != 0)
          places.push_back(double(i));
      rows = places;
    }
    std::vector<int64_t> all = self.sizes;
    all[along] = int64_t(rows.size());
    result = Tensor::filled(all, 0);
    for (int64_t i = 0, end = result.count(); i < end; ++i) {
      int64_t rest = i, place = self.offset;
      for (size_t a = all.size(); a-- > 0; rest /= all[a])
        place += (int64_t(a) == along ? row(rows[rest % all[a]], self.sizes[a]) : rest % all[a]) * self.strides[a];
      (*result.memory)[i] = (*self.memory)[place];
    }
  } else if (op == "scatter_add" || op == "scatter_reduce" || op == "index_add" || op == "index_put") {
    const bool isPut = op == "index_put", isOfRows = isPut || op == "index_add";
    require(!isPut || need("indices").items.size() == 1);
    const bool writes = isPut && !integer("accumulate", 0); // of several values of one element the last counts
    Tensor self = tensor("self"), index = isPut ? tensor(need("indices").items[0]) : tensor("index"),
           source = tensor(isPut      ? "values"
                           : isOfRows ? "source"
                                      : "src");
    const std::string reduction = op == "scatter_reduce" ? need("reduce").text : "sum";
    const bool includesStart = op != "scatter_reduce" || integer("include_self", 1);
    const double scale = op == "index_add" ? number("alpha", 1) : 1;
    const int64_t along = axis(integer("dim", 0), self.rank());
    if (isOfRows) {
      require(index.rank() == 1 && along < source.rank() && index.sizes[0] == source.sizes[along]);
      std::vector<int64_t> strides(source.sizes.size(), 0);
      strides[along] = index.strides[0];
      index.sizes = source.sizes;
      index.strides = strides;
    }
    require(index.rank() == self.rank() && source.rank() == self.rank());
    for (int64_t a = 0; a < self.rank(); ++a)
      require(index.sizes[a] <= source.sizes[a] && (a == along || index.sizes[a] <= self.sizes[a]));
    result = Tensor::dense(self.sizes, self.numbers());
    std::vector<int64_t> counts(result.count(), includesStart ? 1 : 0);
    for (int64_t i = 0, end = index.count(); i < end; ++i) {
      int64_t rest = i, from = source.offset, to = 0;
      for (size_t a = index.sizes.size(); a-- > 0; rest /= index.sizes[a]) {
        int64_t at = rest % index.sizes[a];
        from += at * source.strides[a];
        to += (int64_t(a) == along ? row(index.at(i), self.sizes[a]) : at) * result.strides[a];
      }
      double &sum = (*result.memory)[to], x = (*source.memory)[from] * scale;
      const bool isFirst = counts[to]++ == 0;
      sum = isFirst || writes     ? x
            : reduction == "amax" ? std::max(sum, x)
            : reduction == "amin" ? std::min(sum, x)
            : reduction == "prod" ? sum * x
                                  : sum + x;
    }
    for (size_t i = 0; reduction == "mean" && i < counts.size(); ++i)
      (*result.memory)[i] /= double(std::max<int64_t>(counts[i], 1));
  } else {
    return false;
  }
  return true;
}

Tensor Evaluator::overAxis(const Tensor &of, int64_t along, const std::string &reduction, bool keeps) const {
  Tensor first = of;
  first.sizes[along] = 1;
  Tensor result = Tensor::filled(first.sizes, 0);
  for (int64_t i = 0, end = result.count(); i < end; ++i) {
    double total = reduction == "amax"   ? -std::numeric_limits<double>::infinity()
                   : reduction == "amin" ? std::numeric_limits<double>::infinity()
                                         : 0;
    for (int64_t k = 0; k < of.sizes[along]; ++k) {
      double x = (*of.memory)[first.place(i) + k * of.strides[along]];
      total = reduction == "amax" ? std::max(total, x) : reduction == "amin" ? std::min(total, x) : total + x;
    }
    (*result.memory)[i] = reduction == "mean" ? total / double(of.sizes[along]) : total;
  }
  if (!keeps) {
    result.sizes.erase(result.sizes.begin() + along);
    result.strides.erase(result.strides.begin() + along);
  }
  return result;
}

bool Evaluator::norms(const std::string &op, Tensor &result) {
  using Arguments = const std::vector<double> &;
  auto minus = [&](const Tensor &left, const Tensor &right) {
    return map({left, right}, [](Arguments x) { return x[0] - x[1]; });
  };
  auto scaleAndShift = [&](Tensor centred, Tensor variance) {
    const double eps = number("eps", 1e-5);
    result = map({centred, variance}, [&](Arguments x) { return x[0] / std::sqrt(x[1] + eps); });
    if (find("weight"))
      result = map({result, tensor("weight")}, [](Arguments x) { return x[0] * x[1]; });
    if (find("bias"))
      result = map({result, tensor("bias")}, [](Arguments x) { return x[0] + x[1]; });
  };
  if (op == "batch_norm" || op == "_native_batch_norm_legit_no_training") {
    require(integer("training", 0) == 0 && tensor("input").rank() == 2);
    scaleAndShift(minus(tensor("input"), tensor("running_mean")), tensor("running_var"));
  } else if (op == "layer_norm" || op == "native_layer_norm") {
    Tensor input = tensor("input");
    require(sizes("normalized_shape").size() == 1);
    Tensor centred = minus(input, overAxis(input, input.rank() - 1, "mean", true));
    Tensor squares = map({centred}, [](Arguments x) { return x[0] * x[0]; });
    scaleAndShift(centred, overAxis(squares, input.rank() - 1, "mean", true));
  } else if (op == "softmax" || op == "_softmax" || op == "log_softmax" || op == "_log_softmax") {
    Tensor self = tensor("self");
    const int64_t along = axis(integer("dim", -1), self.rank());
    Tensor shifted = minus(self, overAxis(self, along, "amax", true));
    Tensor total = overAxis(map({shifted}, [](Arguments x) { return std::exp(x[0]); }), along, "sum", true);
    const bool isLog = llvm::StringRef(op).contains("log");
    result = map({shifted, total}, [&](Arguments x) { return isLog ? x[0] - std::log(x[1]) : std::exp(x[0]) / x[1]; });
  } else if (op == "max") { // its places are not read
    Tensor self = tensor("self");
    result = overAxis(self, axis(integer("dim", 0), self.rank()), "amax", false);
  } else if (op == "linalg_vector_norm") {
    require(number("ord", 2) == 2 && sizes("dim").size() == 1);
    Tensor squares = map({tensor("self")}, [](Arguments x) { return x[0] * x[0]; });
    result = overAxis(squares, axis(sizes("dim")[0], squares.rank()), "sum", integer("keepdim", 0));
    result = map({result}, [](Arguments x) { return std::sqrt(x[0]); });
  } else if (op == "std" || op == "var" || (op == "mean" && sizes("dim").empty())) {
    require(op == "mean" || (sizes("dim").empty() && number(find("unbiased") ? "unbiased" : "correction", 1) == 0));
    auto mean = [&](const std::vector<double> &all) {
      return std::accumulate(all.begin(), all.end(), 0.0) / double(all.size());
    };
    const double middle = mean(tensor("self").numbers());
    Tensor squares = map({tensor("self")}, [&](Arguments x) { return (x[0] - middle) * (x[0] - middle); });
    const double variance = mean(squares.numbers());
    result = Tensor::filled({}, op == "mean" ? middle : op == "std" ? std::sqrt(variance) : variance);
  } else if (op == "mean" || op == "sum" || op == "amax" || op == "amin") {
    Tensor self = tensor("self");
    require(sizes("dim").size() == 1);
    result = overAxis(self, axis(sizes("dim")[0], self.rank()), op, integer("keepdim", 0));
  } else {
    return false;
  }
  return true;
}

Tensor Evaluator::evaluate(const std::string &op) {
  Tensor result;
  if (elementwise(op, result) || constants(op, result) || shapes(op, result) || products(op, result) ||
      indices(op, result) || norms(op, result))
    return result;
  refuse(*node, "this op cannot be evaluated");
}

std::vector<Tensor> Evaluator::run() {
  for (const Node &next : program.nodes) {
    node = &next;
    llvm::StringRef target = next.target;
    if (target.consume_front("_operator.")) {
      require(next.inputs.size() == 2);
      if (target == "add" && !next.outputs.empty())
        symbols[next.outputs[0]] = size(next.inputs[0].second) + size(next.inputs[1].second);
      continue; // others guard assumptions of the export
    }
    target.consume_front("aten.");
    std::string op = target.split('.').first.str();
    if (llvm::StringRef(op).starts_with("_assert") || llvm::StringRef(op).starts_with("sym_constrain"))
      continue;
    if (op == "sym_size") {
      Tensor self = tensor("self");
      symbols[next.outputs.at(0)] = self.sizes[axis(integer("dim", 0), self.rank())];
      continue;
    }
    const bool isInPlace = op.back() == '_';
    if (isInPlace)
      op.pop_back();
    Tensor result = evaluate(op);
    if (isInPlace) {
      Tensor self = tensor(first());
      require(self.sizes == result.sizes);
      for (int64_t i = 0, end = result.count(); i < end; ++i)
        self.at(i) = result.at(i);
      result = self;
    }
    tensors[next.outputs.at(0)] = result;
  }
  std::vector<Tensor> outputs;
  for (const std::string &output : program.outputs)
    outputs.push_back(tensors.at(output));
  return outputs;
}

std::vector<Tensor> gnnc::pt2::evaluateProgram(const Program &program, std::map<std::string, Tensor> values) {
  return Evaluator(program, std::move(values)).run();
}
