//===- GnnAttrs.td - Attributes of the gnn dialect ---------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregators, enumerations of ops, and `#gnn.model`: the tables that a module carries from the checked model to the compiled library.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ATTRS_TD
#define GNN_ATTRS_TD

include "dialects/Gnn/IR/GnnDialect.td"
include "dialects/Gnn/IR/GnnInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Gnn_Attr<string name, string mnemonicText> : AttrDef<Gnn_Dialect, name> {
  let mnemonic = mnemonicText;
}

class Gnn_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::gnnc::gnn";
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Gnn_End : Gnn_Enum<"End", "an end of edges",
    [I32EnumAttrCase<"Destination", 0, "destination">, I32EnumAttrCase<"Source", 1, "source">]>;

def Gnn_Predicate : Gnn_Enum<"Predicate", "a comparison",
    [I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">, I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
     I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]>;

def Gnn_Extremum : Gnn_Enum<"Extremum", "maximum or minimum",
    [I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">]>;

def Gnn_DegreeKind : Gnn_Enum<"DegreeKind", "which edges of a vertex are counted",
    [I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">]>;

def Gnn_ResultRole : Gnn_Enum<"ResultRole", "what a result of a program is",
    [I32EnumAttrCase<"Output", 0, "output">, I32EnumAttrCase<"VertexLoss", 1, "vertex_loss">, I32EnumAttrCase<"Correct", 2, "correct">,
     I32EnumAttrCase<"Loss", 3, "loss">, I32EnumAttrCase<"Gradient", 4, "gradient">, I32EnumAttrCase<"State", 5, "state">]>;

def Gnn_Init : Gnn_Enum<"Init", "how a parameter starts",
    [I32EnumAttrCase<"Zeros", 0, "zeros">, I32EnumAttrCase<"Ones", 1, "ones">, I32EnumAttrCase<"GlorotUniform", 2, "glorot_uniform">,
     I32EnumAttrCase<"GlorotNormal", 3, "glorot_normal">, I32EnumAttrCase<"KaimingUniform", 4, "kaiming_uniform">,
     I32EnumAttrCase<"Uniform", 5, "uniform">, I32EnumAttrCase<"Normal", 6, "normal">, I32EnumAttrCase<"Constant", 7, "constant">]>;

//===----------------------------------------------------------------------===//
// Aggregators
//===----------------------------------------------------------------------===//

class Gnn_Aggregator<string name, string mnemonicText, list<string> methods = []>
    : AttrDef<Gnn_Dialect, name, [DeclareAttrInterfaceMethods<Gnn_AggregatorInterface, methods>]> {
  let mnemonic = mnemonicText;
}

def Gnn_SumAttr : Gnn_Aggregator<"Sum", "sum"> {
  let summary = "the sum; 0 over nothing";
  let description = [{State: the sum, from +0, so that no state is -0 and merging with the identity is exact.}];
}

def Gnn_ProdAttr : Gnn_Aggregator<"Prod", "prod"> {
  let summary = "the product; 1 over nothing";
  let description = [{State: the product.}];
}

def Gnn_MaxAttr : Gnn_Aggregator<"Max", "max", ["tracksArg"]> {
  let summary = "the largest value; 0 over nothing";
  let description = [{
    State: the value and the id of its edge, -1 before the first. Of equal values the first wins; the first NaN wins over everything.
  }];
}

def Gnn_MinAttr : Gnn_Aggregator<"Min", "min", ["tracksArg"]> {
  let summary = "the smallest value; 0 over nothing";
  let description = [{As `#gnn.max`.}];
}

def Gnn_LogSumExpAttr : Gnn_Aggregator<"LogSumExp", "logsumexp"> {
  let summary = "the logarithm of the sum of exponentials; 0 over nothing";
  let description = [{
    State: the largest value m, and the sum of exp(x - m) (Milakov and Gimelshein 2018, algorithm 3). A value of -inf counts for nothing.
  }];
}

//===----------------------------------------------------------------------===//
// The tables of a model
//===----------------------------------------------------------------------===//

class Gnn_List<string elementType> : ArrayRefParameter<elementType> {
  let parser = "::gnnc::gnn::parseList<" # elementType # ">($_parser)";
  let printer = "::gnnc::gnn::printList($_printer, $_self)";
}
class Gnn_OptionalList<string elementType> : OptionalArrayRefParameter<elementType> {
  let parser = "::gnnc::gnn::parseList<" # elementType # ">($_parser)";
  let printer = "::gnnc::gnn::printList($_printer, $_self)";
}
class Gnn_Optional<string cppType, string value> : DefaultValuedParameter<cppType, value>;
def Gnn_Text : StringRefParameter<>;
def Gnn_OptionalText : StringRefParameter<"", "\"\""> {
  let printer = "$_printer.printString($_self)";
}

def Gnn_DimensionAttr : Gnn_Attr<"Dimension", "dimension"> {
  let summary = "a named dimension: its value where fixed, else its fallback";
  let description = [{Example: `#gnn.dimension<name = "in", fixed = 1433>`. -1: not given.}];
  let parameters = (ins Gnn_Text:$name, Gnn_Optional<"int64_t", "-1">:$fixed, Gnn_Optional<"int64_t", "-1">:$fallback,
                        Gnn_OptionalText:$doc);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_VertexTypeAttr : Gnn_Attr<"VertexType", "vertex_type"> {
  let summary = "a type of vertices; `rows` says how many where tables have a row for each";
  let parameters = (ins Gnn_Text:$name, Gnn_OptionalText:$rows);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_RelationAttr : Gnn_Attr<"Relation", "relation"> {
  let summary = "a relation: edges from vertices of one type to vertices of another";
  let description = [{
    `types`: how many types its edges have, with those that `inverse_relations` adds, empty where nothing reads them. `one_loop`: of the loops of a vertex the last is there, or one that is added; `mark_loops`: added loops are told by their type, -1, even where the data have none; `no_loops`: none is there; `loop_kinds`: those of the data and those that are missing are there, and types of edges are gnnc::EdgeKind. `pairs`: pairs of vertices that are no edges of the graph.
  }];
  let parameters = (ins Gnn_Text:$name, "unsigned":$source, "unsigned":$destination, Gnn_Optional<"bool", "false">:$sparse_input,
                        Gnn_Optional<"bool", "false">:$self_loops, Gnn_Optional<"bool", "false">:$symmetric,
                        Gnn_Optional<"bool", "false">:$inverse_relations,
                        Gnn_OptionalText:$types, Gnn_Optional<"bool", "false">:$pairs,
                        Gnn_Optional<"bool", "false">:$one_loop, Gnn_Optional<"bool", "false">:$mark_loops,
                        Gnn_Optional<"bool", "false">:$no_loops, Gnn_Optional<"bool", "false">:$loop_kinds);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// True if every vertex has a loop.
    bool addsLoops() const { return getSelfLoops() || getOneLoop() || getLoopKinds(); }
  }];
}

def Gnn_ParameterAttr : Gnn_Attr<"Parameter", "parameter"> {
  let summary = "a parameter, trained unless `state`, and how it starts";
  let parameters = (ins Gnn_Text:$name, "::gnnc::gnn::FieldType":$type, "::gnnc::gnn::Init":$init,
                        OptionalParameter<"::mlir::FloatAttr">:$init_arg, Gnn_Text:$fan_in, Gnn_Text:$fan_out,
                        Gnn_Optional<"bool", "false">:$state, Gnn_OptionalText:$doc);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_InputAttr : Gnn_Attr<"Input", "input"> {
  let summary = "an input or target that the caller binds";
  let description = [{
    `sparse`: the values of a sparse input, one for each edge of relation `type.id`. `row_normalized`: divided by the row's sum when bound.
  }];
  let parameters = (ins Gnn_Text:$name, "::gnnc::gnn::FieldType":$type, Gnn_Optional<"bool", "false">:$target,
                        Gnn_Optional<"bool", "false">:$sparse, Gnn_Optional<"bool", "false">:$row_normalized, Gnn_OptionalText:$doc);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_OutputAttr : Gnn_Attr<"Output", "output"> {
  let summary = "a named result of inference";
  let parameters = (ins Gnn_Text:$name, "::gnnc::gnn::FieldType":$type, Gnn_OptionalText:$doc);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_TrainingAttr : Gnn_Attr<"Training", "training"> {
  let summary = "how the source says that the model is trained";
  let description = [{`loss_output`: index of the output that the loss is of, -1 where it is none.}];
  let parameters = (ins Gnn_Text:$loss, Gnn_Optional<"int64_t", "-1">:$loss_output, Gnn_Text:$optimizer,
                        "::mlir::FloatAttr":$learning_rate, "::mlir::FloatAttr":$weight_decay,
                        Gnn_OptionalList<"::mlir::StringAttr">:$decayed_layers, "int64_t":$epochs,
                        Gnn_Optional<"int64_t", "-1">:$patience);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Gnn_ModelAttr : Gnn_Attr<"Model", "model"> {
  let summary = "the tables of a model";
  let description = [{
    The module attribute `gnn.model`. Ids in field types are indices into `vertex_types` and `relations`; entry 0 is the graph's own.
    `training` is there iff the model has a loss.
  }];
  let parameters = (ins Gnn_Text:$name, "::mlir::FloatType":$real, Gnn_OptionalList<"::gnnc::gnn::DimensionAttr">:$dimensions,
                        Gnn_List<"::gnnc::gnn::VertexTypeAttr">:$vertex_types, Gnn_List<"::gnnc::gnn::RelationAttr">:$relations,
                        Gnn_OptionalList<"::gnnc::gnn::ParameterAttr">:$params, Gnn_OptionalList<"::gnnc::gnn::InputAttr">:$inputs,
                        Gnn_OptionalList<"::gnnc::gnn::OutputAttr">:$outputs, OptionalParameter<"::gnnc::gnn::TrainingAttr">:$training,
                        Gnn_OptionalText:$doc);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral attributeName = "gnn.model";
    /// The model of the module that `op` is in, or null.
    static ModelAttr of(::mlir::Operation *op);
  }];
}

def Gnn_ResultAttr : Gnn_Attr<"Result", "result"> {
  let summary = "role and name of a result of a program";
  let description = [{
    `name` is that of the output, of the parameter that a gradient is for, or of the state whose next value it is. Example:
    `#gnn.result<gradient "conv1.W">`.
  }];
  let parameters = (ins "::gnnc::gnn::ResultRole":$role, Gnn_Text:$name);
  let assemblyFormat = "`<` $role $name `>`";
}

#endif // GNN_ATTRS_TD
