//===- Headers.cpp - What an application includes -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/Headers.h"
#include "compiler/Version.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace gnnc;
using llvm::StringRef;

/// Words that no member can be called: keywords of C and C++, and macros of the headers that are included.
static const llvm::StringSet<> &keywords() {
  static const llvm::StringSet<> set = {
      "alignas",  "alignof", "and",     "asm",       "auto",     "bool",     "break",     "case",      "catch",
      "char",     "class",   "const",   "constexpr", "continue", "decltype", "default",   "delete",    "do",
      "double",   "else",    "enum",    "explicit",  "export",   "extern",   "false",     "float",     "for",
      "friend",   "goto",    "if",      "inline",    "int",      "long",     "mutable",   "namespace", "new",
      "noexcept", "not",     "nullptr", "operator",  "or",       "private",  "protected", "public",    "register",
      "return",   "short",   "signed",  "sizeof",    "static",   "std",      "struct",    "switch",    "template",
      "this",     "throw",   "true",    "try",       "typedef",  "typeid",   "typename",  "union",     "unsigned",
      "using",    "virtual", "void",    "volatile",  "while",    "xor",      "gnn",       "NULL",      "EOF",
      "errno",    "assert",  "stdin",   "stdout",    "stderr",   "offsetof", "and_eq",    "bitand",    "bitor",
      "compl",    "not_eq",  "or_eq",   "xor_eq",    "linux",    "unix",     "va_arg"};
  return set;
}

/// `text` as an identifier of C and C++.
static std::string identifier(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(0, "m");
  return keywords().contains(result) ? result + "_" : result;
}

namespace {

/// Prints to a header; the two languages differ in little but what a tensor is.
class HeaderWriter {
public:
  HeaderWriter(gnn::ModelAttr model, StringRef stem, StringRef digest, llvm::raw_ostream &os)
      : model(model), prefix(identifier(stem)), symbol(linkedSymbol(stem)), digest(digest), os(os) {
    for (gnn::InputAttr input : gnn::declaredInputs(model))
      if (!input.getTarget())
        inputs.push_back(input);
  }

  void writeC();
  void writeCpp();

private:
  void writeTitle(StringRef open, StringRef close);
  void describe(gnn::FieldType type, StringRef doc);
  void describe(gnn::InputAttr input);
  void writeCInputs();
  void writeCBind();
  void writeCInfer(StringRef name, StringRef arguments, StringRef passed);
  void writeCppInfer(StringRef name, StringRef arguments, StringRef passed);
  void writeCppModel();
  void writeLinked();

  gnn::ModelAttr model;
  std::string prefix, symbol;
  StringRef digest;
  llvm::SmallVector<gnn::InputAttr> inputs;
  llvm::raw_ostream &os;
};

/// Comments of the source go into comments of C: nothing in them may end one or look as if one began.
std::string commentText(StringRef text) {
  std::string result;
  for (char c : text) {
    bool endsComment = c == '/' && !result.empty() && result.back() == '*';
    bool beginsComment = c == '*' && !result.empty() && result.back() == '/';
    if (endsComment || beginsComment)
      result += ' ';
    result += c == '\n' ? ' ' : c;
  }
  while (!result.empty() && (result.back() == '\\' || result.back() == ' '))
    result.pop_back();
  return result;
}

void HeaderWriter::writeTitle(StringRef open, StringRef close) {
  os << open << " " << model.getName();
  if (!model.getDoc().empty())
    os << ": " << commentText(model.getDoc());
  os << close << "\n" << open << " Written by gnnc " << gnncVersion << "." << close << "\n";
}

/// `[vertices, hidden] f32: what it is`
void HeaderWriter::describe(gnn::FieldType type, StringRef doc) {
  os << "[" << (type.isVertex() ? "vertices" : "edges");
  for (mlir::StringAttr dim : type.getDims())
    os << ", " << dim.getValue();
  os << "] " << type.getElement();
  if (!doc.empty())
    os << ": " << commentText(doc);
}

void HeaderWriter::describe(gnn::InputAttr input) {
  if (!input.getSparse())
    return describe(input.getType(), input.getDoc());
  gnn::RelationAttr relation = model.getRelations()[input.getType().getId()];
  os << "sparse [vertices, " << model.getVertexTypes()[relation.getSource()].getRows() << "] "
     << input.getType().getElement();
  if (!input.getDoc().empty())
    os << ": " << commentText(input.getDoc());
}

//===----------------------------------------------------------------------===//
// C
//===----------------------------------------------------------------------===//

void HeaderWriter::writeCInputs() {
  os << "/* Tensors that the model reads. Rows of sparse inputs are CSR (gnn_input_t). */\ntypedef struct " << prefix
     << "_inputs_t {\n";
  for (gnn::InputAttr input : inputs) {
    std::string name = identifier(input.getName());
    os << "  /* ";
    describe(input);
    os << " */\n";
    if (input.getSparse())
      os << "  const gnn_tensor_t *" << name << "_indptr, *" << name << "_indices, *" << name << "_values;\n  int64_t "
         << name << "_columns;\n";
    else
      os << "  const gnn_tensor_t *" << name << ";\n";
  }
  if (inputs.empty())
    os << "  char unused;\n";
  os << "} " << prefix << "_inputs_t;\n\n/* Tensors that the model computes, owned by the caller. */\ntypedef struct "
     << prefix << "_outputs_t {\n";
  for (gnn::OutputAttr output : model.getOutputs()) {
    os << "  gnn_tensor_t *" << identifier(output.getName()) << "; /* ";
    describe(output.getType(), output.getDoc());
    os << " */\n";
  }
  os << "} " << prefix << "_outputs_t;\n\n";
}

/// Inputs as the runtime takes them.
void HeaderWriter::writeCBind() {
  os << "static inline void " << prefix << "_bind(const " << prefix << "_inputs_t *inputs, gnn_input_t *bound) {\n";
  if (inputs.empty())
    os << "  (void)inputs;\n  (void)bound;\n";
  for (auto [index, input] : llvm::enumerate(inputs)) {
    std::string name = identifier(input.getName()), slot = "  bound[" + std::to_string(index) + "].";
    bool sparse = input.getSparse();
    auto member = [&](StringRef suffix, bool given) {
      return given ? "inputs->" + name + suffix.str() : std::string("NULL");
    };
    os << slot << "name = \"" << input.getName() << "\";\n"
       << slot << "dense = " << member("", !sparse) << ";\n"
       << slot << "indptr = " << member("_indptr", sparse) << ";\n"
       << slot << "indices = " << member("_indices", sparse) << ";\n"
       << slot << "values = " << member("_values", sparse) << ";\n"
       << slot << "columns = " << (sparse ? "inputs->" + name + "_columns" : "0") << ";\n";
  }
  os << "}\n\n";
}

/// The function `name`: `arguments` and `passed` are those that it has between inputs and outputs, in its own head and
/// in its call of the runtime.
void HeaderWriter::writeCInfer(StringRef name, StringRef arguments, StringRef passed) {
  os << "static inline gnn_status_t " << prefix << "_" << name
     << "(gnn_model_t *model, const gnn_graph_t *graph, const " << prefix << "_inputs_t *inputs,\n    " << arguments
     << prefix << "_outputs_t *outputs) {\n";
  os << "  gnn_tensor_t *results[" << model.getOutputs().size() << "];\n  gnn_input_t bound["
     << std::max<size_t>(inputs.size(), 1) << "];\n  gnn_status_t status;\n  " << prefix << "_bind(inputs, bound);\n";
  os << "  status = gnn_model_" << name << "(model, graph, bound, " << inputs.size() << passed
     << ", results);\n  if (status != GNN_OK)\n    return status;\n";
  for (auto [index, output] : llvm::enumerate(model.getOutputs()))
    os << "  outputs->" << identifier(output.getName()) << " = results[" << index << "];\n";
  os << "  return status;\n}\n";
}

void HeaderWriter::writeC() {
  std::string guard = StringRef(prefix).upper() + "_H";
  writeTitle("/*", " */");
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n#include \"gnn/gnn.h\"\n#include <stddef.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "extern const struct gnn_library_t " << symbol << ";\n\n"
     << "/* The model of the library that the program is linked with; see gnn_model_from_linked. */\n"
     << "static inline gnn_status_t " << prefix << "_open(const gnn_model_options_t *options, gnn_model_t **out) {\n"
     << "  return gnn_model_from_linked(";
  writeLinked();
  os << ", options, out);\n}\n\n";
  writeCInputs();
  writeCBind();
  writeCInfer("infer", "", "");
  os << "\n/* For some vertices alone; see gnn_model_infer_at. */\n";
  writeCInfer("infer_at", "const char *vertex_type, const gnn_tensor_t *vertices, ", ", vertex_type, vertices");
  os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

//===----------------------------------------------------------------------===//
// C++
//===----------------------------------------------------------------------===//

void HeaderWriter::writeCppInfer(StringRef name, StringRef arguments, StringRef passed) {
  os << "  Outputs " << name << "(const gnn::Graph &graph, const Inputs &" << (inputs.empty() ? "" : "inputs")
     << arguments << ") {\n"
     << "    std::map<std::string, gnn::Tensor> results = gnn::Model::" << name << "(graph, {";
  llvm::interleaveComma(inputs, os, [&](gnn::InputAttr input) {
    os << "{\"" << input.getName() << "\", inputs." << identifier(input.getName()) << "}";
  });
  os << "}" << passed << ");\n    return {";
  llvm::interleaveComma(model.getOutputs(), os,
                        [&](gnn::OutputAttr output) { os << "std::move(results.at(\"" << output.getName() << "\"))"; });
  os << "};\n  }\n";
}

/// The table, and what the header was written for.
void HeaderWriter::writeLinked() { os << "&" << symbol << ", \"" << model.getName() << "\", \"" << digest << "\""; }

void HeaderWriter::writeCppModel() {
  static constexpr StringRef options = "const gnn::ModelOptions &options = {}";
  os << "class Model : public gnn::Model {\npublic:\n"
     << "  /// The library that the program is linked with.\n"
     << "  explicit Model(" << options << ")\n      : gnn::Model(gnn::LinkedLibrary{";
  writeLinked();
  os << "}, options) {}\n"
     << "  /// A library of this model at `path`, compiled in whatever way.\n"
     << "  explicit Model(const std::string &path, " << options << ")\n"
     << "      : gnn::Model(path, options) {\n    expect(\"" << model.getName() << "\", {";
  llvm::interleaveComma(model.getOutputs(), os,
                        [&](gnn::OutputAttr output) { os << "\"" << output.getName() << "\""; });
  os << "});\n  }\n\n";
  os << "  /// Computes the outputs over a graph, to which the transforms are applied that the model asks for.\n";
  writeCppInfer("infer", "", "");
  os << "  /// Computes the outputs of `vertices` alone, a row of each output for each vertex (gnn_model_infer_at).\n";
  writeCppInfer("inferAt",
                ", const std::vector<int64_t> &vertices,\n                  const std::string &vertexType = \"\"",
                ", vertices, vertexType");
  os << "};\n";
}

void HeaderWriter::writeCpp() {
  std::string guard = StringRef(prefix).upper() + "_HPP";
  writeTitle("//", "");
  os << "#ifndef " << guard << "\n#define " << guard << "\n\n#include \"gnn/gnn.hpp\"\n\n"
     << "extern \"C\" const struct gnn_library_t " << symbol << ";\n\nnamespace " << prefix << " {\n\n"
     << "/// Tensors that the model reads.\nstruct Inputs {\n";
  for (gnn::InputAttr input : inputs) {
    os << "  " << (input.getSparse() ? "gnn::SparseFeature " : "gnn::Tensor ") << identifier(input.getName())
       << "; ///< ";
    describe(input);
    os << "\n";
  }
  os << "};\n\n/// Tensors that the model computes.\nstruct Outputs {\n";
  for (gnn::OutputAttr output : model.getOutputs()) {
    os << "  gnn::Tensor " << identifier(output.getName()) << "; ///< ";
    describe(output.getType(), output.getDoc());
    os << "\n";
  }
  os << "};\n\n";
  writeCppModel();
  os << "\n} // namespace " << prefix << "\n\n#endif\n";
}

} // namespace

std::string gnnc::linkedSymbol(StringRef stem) { return identifier(stem) + "_library"; }

std::string gnnc::cHeader(gnn::ModelAttr model, StringRef stem, StringRef digest) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  HeaderWriter(model, stem, digest, stream).writeC();
  return stream.str();
}

std::string gnnc::cppHeader(gnn::ModelAttr model, StringRef stem, StringRef digest) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  HeaderWriter(model, stem, digest, stream).writeCpp();
  return stream.str();
}
