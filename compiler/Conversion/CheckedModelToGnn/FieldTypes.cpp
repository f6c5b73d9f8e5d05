//===- FieldTypes.cpp - Field types of checked values ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and tables of a checked model as types and attributes of the gnn dialect.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/CheckedModelToGnn/FieldTypes.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

FieldTypes::FieldTypes(const CheckedModel &model, MLIRContext &context, RealType real)
    : context(context), realType(real == RealType::F64 ? FloatType::getF64(&context) : FloatType::getF32(&context)) {
  for (const Dimension &dimension : model.dims)
    if (dimension.fixed >= 0)
      fixed[dimension.name] = dimension.fixed;
}

Type FieldTypes::element(ElementKind kind) const {
  switch (kind) {
  case ElementKind::Real:
    return realType;
  case ElementKind::F32:
    return FloatType::getF32(&context);
  case ElementKind::F64:
    return FloatType::getF64(&context);
  case ElementKind::I32:
    return IntegerType::get(&context, 32);
  case ElementKind::I64:
    return IntegerType::get(&context, 64);
  case ElementKind::Bool:
    return IntegerType::get(&context, 1);
  }
  llvm_unreachable("unknown element kind");
}

std::string FieldTypes::dim(const DimExpr &dim) const {
  auto lookup = [&](StringRef name) -> std::optional<DimExpr> {
    auto it = fixed.find(name);
    return it == fixed.end() ? std::nullopt : std::optional<DimExpr>(DimExpr(it->second));
  };
  std::optional<DimExpr> substituted = dim.substitute(lookup);
  assert(substituted && "semantic analysis bounds the values of dimensions");
  return substituted->str();
}

FieldType FieldTypes::field(const ValueType &type) const {
  static constexpr gnn::GraphKind kinds[] = {gnn::GraphKind::P, gnn::GraphKind::V, gnn::GraphKind::S, gnn::GraphKind::D,
                                             gnn::GraphKind::E};
  SmallVector<StringAttr> dims;
  for (const DimExpr &expr : type.shape)
    dims.push_back(StringAttr::get(&context, dim(expr)));
  bool isParameter = type.kind == gnnc::GraphKind::P;
  return FieldType::get(&context, kinds[static_cast<unsigned>(type.kind)], isParameter ? 0 : type.type, dims,
                        element(type.element));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static Init initOf(Initializer initializer) {
  static constexpr Init inits[] = {Init::Zeros,          Init::Ones,    Init::GlorotUniform, Init::GlorotNormal,
                                   Init::KaimingUniform, Init::Uniform, Init::Normal,        Init::Constant};
  return inits[static_cast<unsigned>(initializer)];
}

static bool hasArgument(Init init) { return init == Init::Uniform || init == Init::Normal || init == Init::Constant; }

static ParameterAttr parameterAttr(const Parameter &param, const FieldTypes &types, MLIRContext &context) {
  ValueType type{gnnc::GraphKind::P, 0, param.shape, ElementKind::Real};
  Init init = initOf(param.init);
  FloatAttr argument =
      hasArgument(init) ? FloatAttr::get(FloatType::getF64(&context), param.initArgument) : FloatAttr();
  return ParameterAttr::get(&context, param.name, types.field(type), init, argument, types.dim(param.fanIn),
                            types.dim(param.fanOut), param.isState, param.doc);
}

static TrainingAttr trainingAttr(const CheckedModel &model, MLIRContext &context) {
  if (model.loss < 0)
    return {};
  const TrainingDefaults &training = model.training;
  Builder builder(&context);
  SmallVector<StringAttr> decayed;
  for (const std::string &layer : training.decayedLayers)
    decayed.push_back(builder.getStringAttr(layer));
  return TrainingAttr::get(&context, model.lossKind, model.lossOutput, training.optimizer,
                           builder.getF64FloatAttr(training.learningRate),
                           builder.getF64FloatAttr(training.weightDecay), decayed, training.epochs, training.patience);
}

ModelAttr gnnc::modelTables(const CheckedModel &model, const FieldTypes &types, MLIRContext &context) {
  SmallVector<DimensionAttr> dims;
  SmallVector<VertexTypeAttr> vertexTypes;
  SmallVector<RelationAttr> relations;
  SmallVector<ParameterAttr> params;
  SmallVector<InputAttr> inputs;
  SmallVector<OutputAttr> outputs;
  for (const Dimension &dim : model.dims)
    dims.push_back(DimensionAttr::get(&context, dim.name, dim.fixed, dim.fallback, dim.doc));
  auto dimIfAsked = [&](const DimExpr &dim) { return dim == DimExpr(0) ? std::string() : types.dim(dim); };
  for (const VertexType &type : model.vertexTypes)
    vertexTypes.push_back(VertexTypeAttr::get(&context, type.name, dimIfAsked(type.rows)));
  for (const Relation &relation : model.relations)
    relations.push_back(RelationAttr::get(
        &context, relation.name, relation.sourceType, relation.destinationType, relation.isSparseInput,
        relation.transforms.selfLoops, relation.transforms.symmetric, relation.transforms.inverseRelations,
        dimIfAsked(relation.types), relation.isPairs, relation.transforms.oneLoop, relation.transforms.marksLoops,
        relation.transforms.noLoops, relation.transforms.loopKinds));
  for (const Parameter &param : model.params)
    params.push_back(parameterAttr(param, types, context));
  for (const Input &input : model.inputs)
    inputs.push_back(InputAttr::get(&context, input.name, types.field(input.type), input.isTarget, input.sparse,
                                    input.rowNormalized, input.doc));
  for (const Output &output : model.outputs)
    outputs.push_back(OutputAttr::get(&context, output.name, types.field(model.values[output.value].type), output.doc));
  return ModelAttr::get(&context, model.name, types.real(), dims, vertexTypes, relations, params, inputs, outputs,
                        trainingAttr(model, context), model.doc);
}

ModelAttr gnnc::withForm(ModelAttr tables, unsigned index, FieldType other) {
  SmallVector<InputAttr> inputs(tables.getInputs());
  const InputAttr input = inputs[index];
  inputs.push_back(InputAttr::get(input.getContext(), input.getName(), other, input.getTarget(), !input.getSparse(),
                                  input.getRowNormalized(), input.getDoc()));
  return ModelAttr::get(tables.getContext(), tables.getName(), tables.getReal(), tables.getDimensions(),
                        tables.getVertexTypes(), tables.getRelations(), tables.getParams(), inputs, tables.getOutputs(),
                        tables.getTraining(), tables.getDoc());
}
