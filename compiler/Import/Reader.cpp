//===- Reader.cpp - Reads the graph and the weights of a .pt2 file --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Import/Archive.h"
#include "compiler/Import/ExportedProgram.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SwapByteOrder.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace gnnc::pt2;
namespace json = llvm::json;

static constexpr uint64_t maxJsonBytes = 256u << 20;
static constexpr int64_t maxElements = int64_t(1) << 32;

/// Parses `text`. The parser and the destructor recurse, so nesting is limited first.
static json::Value parseJson(const std::string &text, const std::string &what) {
  constexpr int maxDepth = 64; // PyTorch's files have about 12
  int depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isString && c == '\\')
      ++i;
    else if (c == '"')
      isString = !isString;
    else if (!isString && (c == '{' || c == '['))
      depth += 1;
    else if (!isString && (c == '}' || c == ']'))
      depth -= 1;
    if (depth > maxDepth)
      throw ImportError(what + " is nested too deeply");
  }
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    throw ImportError(what + " is no JSON: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

namespace {

/// Reads fields of JSON objects; whatever is missing or of another kind is an error that names the field.
struct Fields {
  const json::Object *object;
  std::string what;

  Fields(const json::Value *value, const std::string &what)
      : object(value ? value->getAsObject() : nullptr), what(what) {
    if (!object)
      throw ImportError(what + " is no object");
  }

  const json::Value *get(llvm::StringRef name) const {
    const json::Value *value = object->get(name);
    return value && value->kind() != json::Value::Null ? value : nullptr;
  }
  const json::Value *need(llvm::StringRef name) const {
    if (const json::Value *value = get(name))
      return value;
    throw ImportError(what + " has no " + name.str());
  }
  Fields in(llvm::StringRef name) const { return Fields(need(name), what + "." + name.str()); }
  const json::Array &list(llvm::StringRef name) const {
    if (const json::Array *array = need(name)->getAsArray())
      return *array;
    throw ImportError(what + "." + name.str() + " is no list");
  }
  std::string text(llvm::StringRef name) const {
    if (auto value = need(name)->getAsString())
      return value->str();
    throw ImportError(what + "." + name.str() + " is no string");
  }
  int64_t integer(llvm::StringRef name) const {
    if (auto value = need(name)->getAsInteger())
      return *value;
    throw ImportError(what + "." + name.str() + " is no integer");
  }
  bool flag(llvm::StringRef name) const { return get(name) && get(name)->getAsBoolean().value_or(false); }

  /// A union is an object with one field, whose name is the case.
  std::pair<llvm::StringRef, const json::Value *> only() const {
    if (object->size() != 1)
      throw ImportError(what + " has " + std::to_string(object->size()) + " cases, expected one");
    return {llvm::StringRef(object->begin()->first), &object->begin()->second};
  }
};

class Reader {
public:
  explicit Reader(Archive archive) : archive(std::move(archive)) {}
  Program read();

private:
  Argument argument(const json::Value &value, const std::string &what);
  Argument listItem(llvm::StringRef kind, const json::Value &value, const std::string &what);
  TensorType tensorType(const Fields &meta);
  Node node(const Fields &fields);
  void signature(const Fields &fields);
  StoredTensor stored(const std::string &name, bool isParameter);
  void loadConfigs();

  Archive archive;
  Program program;
  std::map<std::string, std::pair<std::string, json::Value>> configs; // by a weight's name: the folder, the entry
};

} // namespace

static double realOf(const json::Value &value, const std::string &what) {
  if (auto number = value.getAsNumber())
    return *number;
  llvm::StringRef text = value.getAsString().value_or("");
  if (text == "Infinity" || text == "inf")
    return std::numeric_limits<double>::infinity();
  if (text == "-Infinity" || text == "-inf")
    return -std::numeric_limits<double>::infinity();
  if (text == "NaN" || text == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  throw ImportError(what + " is no number");
}

static Argument makeArgument(Argument::Kind kind, std::string text, int64_t integer = 0, double real = 0) {
  return {kind, std::move(text), integer, real, {}};
}

static Argument integerArgument(const json::Value &value, const std::string &what) {
  if (auto number = value.getAsInteger())
    return makeArgument(Argument::Kind::Int, "", *number, double(*number));
  throw ImportError(what + " is no integer");
}

/// An item of a list such as `as_ints`, which does not say its own case.
Argument Reader::listItem(llvm::StringRef kind, const json::Value &value, const std::string &what) {
  if (kind == "as_ints")
    return integerArgument(value, what);
  if (kind == "as_floats")
    return makeArgument(Argument::Kind::Float, "", 0, realOf(value, what));
  if (kind == "as_tensors")
    return makeArgument(Argument::Kind::Tensor, Fields(&value, what).text("name"));
  if (kind == "as_sym_ints") {
    auto [name, item] = Fields(&value, what).only();
    if (name == "as_int")
      return integerArgument(*item, what);
    if (name == "as_name" && item->getAsString())
      return makeArgument(Argument::Kind::SymInt, item->getAsString()->str());
    throw ImportError(what + " has the unknown case " + name.str());
  }
  if (kind == "as_optional_tensors")
    return argument(value, what);
  return makeArgument(Argument::Kind::Other, kind.str());
}

Argument Reader::argument(const json::Value &value, const std::string &what) {
  auto [kind, content] = Fields(&value, what).only();
  if (kind == "as_none")
    return {};
  if (kind == "as_tensor")
    return makeArgument(Argument::Kind::Tensor, Fields(content, what).text("name"));
  if (kind == "as_int")
    return integerArgument(*content, what);
  if (kind == "as_float")
    return makeArgument(Argument::Kind::Float, "", 0, realOf(*content, what));
  if (kind == "as_bool" && content->getAsBoolean())
    return makeArgument(Argument::Kind::Bool, "", *content->getAsBoolean(), *content->getAsBoolean());
  if (kind == "as_string" && content->getAsString())
    return makeArgument(Argument::Kind::String, content->getAsString()->str());
  if (kind == "as_scalar_type" && content->getAsInteger())
    return makeArgument(Argument::Kind::Element, "", *content->getAsInteger());
  if (kind == "as_layout" && content->getAsInteger())
    return makeArgument(Argument::Kind::Int, "", *content->getAsInteger());
  if (kind == "as_sym_int" || kind == "as_sym_bool" || kind == "as_sym_float") {
    auto [name, item] = Fields(content, what).only();
    if (name == "as_int")
      return integerArgument(*item, what);
    if (name == "as_name" && item->getAsString())
      return makeArgument(kind == "as_sym_int" ? Argument::Kind::SymInt : Argument::Kind::Other,
                          item->getAsString()->str());
    return makeArgument(Argument::Kind::Other, kind.str());
  }
  if (const json::Array *array = content->getAsArray()) {
    Argument list = makeArgument(Argument::Kind::List, kind.str());
    for (const json::Value &item : *array)
      list.items.push_back(listItem(kind, item, what));
    return list;
  }
  return makeArgument(Argument::Kind::Other, kind.str());
}

TensorType Reader::tensorType(const Fields &meta) {
  TensorType type;
  type.element = ScalarType(meta.integer("dtype"));
  for (const json::Value &value : meta.list("sizes")) {
    auto [kind, item] = Fields(&value, meta.what + ".sizes").only();
    Size size;
    if (kind == "as_int") {
      size.number = item->getAsInteger().value_or(-1);
      if (size.number < 0 || size.number > maxElements)
        throw ImportError(meta.what + ".sizes has a size that cannot be");
    } else {
      size.symbol = Fields(item, meta.what + ".sizes").text("expr_str");
    }
    type.sizes.push_back(size);
  }
  return type;
}

/// `FILE:LINE` of the innermost frame of a stack trace as Python prints it.
static std::string placeOf(llvm::StringRef trace) {
  size_t begin = trace.rfind("File \"");
  if (begin == llvm::StringRef::npos)
    return "";
  llvm::StringRef frame = trace.substr(begin + 6);
  auto [file, rest] = frame.split("\", line ");
  return (file + ":" + rest.take_while(llvm::isDigit)).str();
}

/// The modules of `L__self__,,__main__.Net;L__self__conv1,conv1,torch_geometric.nn.GCNConv`.
static std::vector<ModuleCall> modulesOf(llvm::StringRef stack) {
  std::vector<ModuleCall> modules;
  llvm::SmallVector<llvm::StringRef> calls;
  stack.split(calls, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef call : calls) {
    llvm::SmallVector<llvm::StringRef, 3> parts;
    call.split(parts, ',');
    if (parts.size() == 3 && parts[0] != parts[1]) // PyTorch's own marker repeats its name
      modules.push_back({parts[1].str(), parts[2].str()});
  }
  return modules;
}

Node Reader::node(const Fields &fields) {
  Node node;
  node.target = fields.text("target");
  llvm::StringRef target = node.target;
  if (target.consume_front("torch.ops."))
    node.target = target.str();
  const std::string what = "the node " + node.target;
  for (const json::Value &value : fields.list("outputs")) {
    Argument output = argument(value, what + "'s output");
    auto add = [&](const Argument &item) {
      if (item.text.empty() && item.kind != Argument::Kind::None)
        throw ImportError(what + " has an output without a name");
      node.outputs.push_back(item.text);
    };
    if (output.kind == Argument::Kind::List)
      for (const Argument &item : output.items)
        add(item);
    else
      add(output);
  }
  node.name = fields.get("name") ? fields.text("name") : node.outputs.empty() ? "" : node.outputs.front();
  for (const json::Value &value : fields.list("inputs")) {
    Fields input(&value, what + "'s input");
    node.inputs.emplace_back(input.text("name"), argument(*input.need("arg"), input.what));
  }
  Fields metadata = fields.in("metadata");
  if (metadata.get("stack_trace"))
    node.place = placeOf(metadata.text("stack_trace"));
  if (metadata.get("nn_module_stack"))
    node.modules = modulesOf(metadata.text("nn_module_stack"));
  return node;
}

void Reader::signature(const Fields &fields) {
  for (const json::Value &value : fields.list("input_specs")) {
    auto [kind, content] = Fields(&value, "the signature").only();
    Fields spec(content, "the signature's " + kind.str());
    if (kind == "user_input") {
      auto [argumentKind, item] = spec.in("arg").only();
      if (argumentKind != "as_tensor")
        throw ImportError("an input of the program is no tensor (" + argumentKind.str() +
                          "); export a module whose inputs are tensors");
      program.userInputs.push_back(Fields(item, spec.what).text("name"));
    } else if (kind == "parameter" || kind == "buffer" || kind == "tensor_constant") {
      std::string name = spec.text(kind == "parameter" ? "parameter_name"
                                   : kind == "buffer"  ? "buffer_name"
                                                       : "tensor_constant_name");
      std::string value = spec.in("arg").text("name");
      program.storeds[value] = stored(name, kind == "parameter");
      program.storedOrder.push_back(value);
    } else {
      throw ImportError("the program has an input of the kind " + kind.str() + ", which cannot be imported");
    }
  }
  for (const json::Value &value : fields.list("output_specs")) {
    auto [kind, content] = Fields(&value, "the signature").only();
    if (kind != "user_output")
      throw ImportError("the program writes its own state (" + kind.str() +
                        "); call model.eval() before torch.export.export");
    auto [argumentKind, item] = Fields(content, "the signature's output").in("arg").only();
    if (argumentKind != "as_tensor")
      throw ImportError("an output of the program is no tensor (" + argumentKind.str() + "); return tensors only");
    program.outputs.push_back(Fields(item, "the signature's output").text("name"));
  }
}

void Reader::loadConfigs() {
  for (const char *folder : {"data/weights/", "data/constants/"}) {
    std::string entry = std::string(folder) + (folder == std::string("data/weights/") ? "model_weights_config.json"
                                                                                      : "model_constants_config.json");
    if (!archive.has(entry))
      continue;
    json::Value parsed = parseJson(archive.read(entry, maxJsonBytes), entry);
    for (auto &[name, value] : *Fields(&parsed, entry).in("config").object)
      configs.try_emplace(name.str(), folder, value);
  }
}

static int64_t bytesOf(ScalarType element) {
  switch (element) {
  case ScalarType::Float:
    return 4;
  case ScalarType::Long:
  case ScalarType::Double:
    return 8;
  case ScalarType::Bool:
    return 1;
  default:
    return 0;
  }
}

static double elementAt(const char *bytes, ScalarType element) {
  auto load = [&](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return double(value);
  };
  return element == ScalarType::Float    ? load(float())
         : element == ScalarType::Double ? load(double())
         : element == ScalarType::Long   ? load(int64_t())
                                         : load(uint8_t());
}

StoredTensor Reader::stored(const std::string &name, bool isParameter) {
  auto config = configs.find(name);
  if (config == configs.end())
    throw ImportError(archive.file() + " has no weights for " + name);
  Fields entry(&config->second.second, name);
  if (entry.flag("use_pickle"))
    throw ImportError(name + " is pickled Python (a subclass of Tensor, or sparse); keep it as a plain tensor");
  Fields meta = entry.in("tensor_meta");
  StoredTensor tensor{name, tensorType(meta), isParameter, {}};
  const int64_t width = bytesOf(tensor.type.element);
  if (!width)
    throw ImportError(name + " has an element type that cannot be imported (number " +
                      std::to_string(int(tensor.type.element)) + "); call model.float() before the export");
  const std::string bytes =
      archive.read(config->second.first + entry.text("path_name"), std::numeric_limits<uint64_t>::max());
  // The last element's place, in numbers that cannot overflow: every size and stride is at most 2^32.
  std::vector<int64_t> strides;
  for (const json::Value &value : meta.list("strides"))
    strides.push_back(Fields(&value, name + ".strides").integer("as_int"));
  const int64_t offset = meta.in("storage_offset").integer("as_int");
  int64_t count = 1;
  __int128 last = offset;
  bool isSane = strides.size() == tensor.type.sizes.size() && offset >= 0;
  for (size_t axis = 0; isSane && axis < strides.size(); ++axis) {
    const Size &size = tensor.type.sizes[axis];
    isSane = !size.isOpen() && strides[axis] >= 0 && strides[axis] <= maxElements;
    last += __int128(strides[axis]) * (size.number - 1);
    isSane = isSane && (count *= size.number) <= maxElements;
  }
  if (!isSane || (count > 0 && (last + 1) * width > __int128(bytes.size())))
    throw ImportError(name + " lies outside of its file: the .pt2 file is damaged");
  if (count > int64_t(bytes.size()) / width)
    throw ImportError(name + " is an expanded view; export a copy of it (contiguous())");
  std::vector<int64_t> index(strides.size());
  tensor.numbers.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t element = offset;
    for (size_t axis = 0; axis < index.size(); ++axis)
      element += index[axis] * strides[axis];
    tensor.numbers.push_back(elementAt(bytes.data() + element * width, tensor.type.element));
    for (size_t axis = index.size(); axis-- > 0 && ++index[axis] == tensor.type.sizes[axis].number;)
      index[axis] = 0;
  }
  return tensor;
}

Program Reader::read() {
  if (archive.has("byteorder") && archive.read("byteorder", 64) != (llvm::sys::IsLittleEndianHost ? "little" : "big"))
    throw ImportError(archive.file() + " was written on a machine of the other byte order");
  for (const std::string &name : archive.names())
    if (llvm::StringRef(name).starts_with("models/") && name != "models/model.json")
      throw ImportError(archive.file() + " has several models (" + name + "); save one by torch.export.save");
  json::Value parsed = parseJson(archive.read("models/model.json", maxJsonBytes), "models/model.json");
  Fields file(&parsed, "models/model.json");
  Fields schema = file.in("schema_version");
  if (schema.integer("major") != 8)
    throw ImportError(archive.file() + " has version " + std::to_string(schema.integer("major")) + "." +
                      std::to_string(schema.integer("minor")) +
                      " of the schema of exported programs; gnnc reads version 8, that of PyTorch 2.8 to 2.15");
  if (file.get("torch_version"))
    program.torchVersion = file.text("torch_version");
  Fields module = file.in("graph_module");
  Fields graph = module.in("graph");
  for (const auto &[name, value] : *graph.in("tensor_values").object)
    program.tensors[name.str()] = tensorType(Fields(&value, name.str()));
  loadConfigs();
  signature(module.in("signature"));
  for (const json::Value &value : graph.list("nodes"))
    program.nodes.push_back(node(Fields(&value, "a node")));
  // Every value is defined once and before its uses, so that no later stage has to ask.
  std::set<std::string> defined(program.userInputs.begin(), program.userInputs.end());
  defined.insert(program.storedOrder.begin(), program.storedOrder.end());
  auto check = [&](const Argument &argument, const std::string &user, auto &self) -> void {
    if ((argument.kind == Argument::Kind::Tensor || argument.kind == Argument::Kind::SymInt) &&
        !defined.count(argument.text))
      throw ImportError(user + " reads " + argument.text + ", which nothing before it defines");
    for (const Argument &item : argument.items)
      self(item, user, self);
  };
  for (const Node &node : program.nodes) {
    for (const auto &[name, argument] : node.inputs)
      check(argument, node.name, check);
    for (const std::string &output : node.outputs)
      if (!output.empty() && !defined.insert(output).second)
        throw ImportError(output + " is defined twice");
  }
  for (const std::string &output : program.outputs)
    if (!defined.count(output))
      throw ImportError("the program returns " + output + ", which nothing defines");
  for (const std::string &input : program.userInputs)
    if (!program.tensors.count(input))
      throw ImportError("the input " + input + " has no type");
  return std::move(program);
}

Program gnnc::pt2::readProgram(const std::string &path) { return Reader(Archive(path)).read(); }

Program gnnc::pt2::readProgram(llvm::StringRef bytes, const std::string &name) {
  return Reader(Archive(name, bytes)).read();
}

const Argument *Node::find(llvm::StringRef input) const {
  for (const auto &[name, argument] : inputs)
    if (name == input)
      return &argument;
  return nullptr;
}

void gnnc::pt2::refuse(const Node &node, const std::string &why) {
  std::string message = node.name + " (" + node.target + ")";
  if (!node.modules.empty() && !node.modules.back().path.empty())
    message += " in the module " + node.modules.back().path;
  if (!node.place.empty())
    message += ", " + node.place;
  throw ImportError(message + ": " + why);
}

static void printArgument(const Argument &argument, llvm::raw_ostream &os) {
  switch (argument.kind) {
  case Argument::Kind::None:
    os << "none";
    return;
  case Argument::Kind::Int:
    os << argument.integer;
    return;
  case Argument::Kind::Bool:
    os << (argument.integer ? "true" : "false");
    return;
  case Argument::Kind::Float:
    os << llvm::format("%.9g", argument.real);
    return;
  case Argument::Kind::Element:
    os << "element " << argument.integer;
    return;
  case Argument::Kind::String:
    os << '"' << argument.text << '"';
    return;
  case Argument::Kind::List:
    os << '[';
    llvm::interleaveComma(argument.items, os, [&](const Argument &item) { printArgument(item, os); });
    os << ']';
    return;
  case Argument::Kind::Tensor:
  case Argument::Kind::SymInt:
  case Argument::Kind::Other:
    os << argument.text;
    return;
  }
}

void Program::print(llvm::raw_ostream &os) const {
  for (const std::string &value : storedOrder)
    os << value << " = " << (storeds.at(value).isParameter ? "parameter " : "buffer ") << storeds.at(value).name
       << "\n";
  os << "inputs " << llvm::join(userInputs, ", ") << "\n";
  for (const Node &node : nodes) {
    os << llvm::join(node.outputs, ", ") << (node.outputs.empty() ? "" : " = ") << node.target << '(';
    llvm::interleaveComma(node.inputs, os, [&](const auto &input) { printArgument(input.second, os); });
    os << ')';
    if (!node.modules.empty() && !node.modules.back().path.empty())
      os << "  # " << node.modules.back().path;
    os << "\n";
  }
  os << "outputs " << llvm::join(outputs, ", ") << "\n";
}
