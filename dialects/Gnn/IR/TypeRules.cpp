//===- TypeRules.cpp - Types of results of gnn ops ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins of kinds, and the inferred result types of the ops that declare InferTypeOpInterface.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/TypeRules.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

static LogicalResult failAt(std::optional<Location> loc, const Twine &message) {
  return emitOptionalError(loc, message);
}

FailureOr<FieldType> gnnc::gnn::joinKinds(std::optional<Location> loc, ArrayRef<FieldType> types) {
  GraphKind kind = GraphKind::P;
  unsigned id = 0;
  for (FieldType type : types) {
    if (type.isParameter())
      continue;
    bool mixesVertexAndEdge = kind != GraphKind::P && (kind == GraphKind::V) != type.isVertex();
    if (mixesVertexAndEdge)
      return failAt(
          loc, "mixes a vertex field with an edge field; a vertex field must be read at an end of the edges first");
    if (kind != GraphKind::P && id != type.getId())
      return failAt(loc, kind == GraphKind::V ? "mixes fields of two vertex types" : "mixes fields of two relations");
    kind = kind == GraphKind::P || kind == type.getKind() ? type.getKind() : GraphKind::E;
    id = type.getId();
  }
  return types.front().withKind(kind, id);
}

FailureOr<FieldType> gnnc::gnn::joinOperands(std::optional<Location> loc, TypeRange types) {
  SmallVector<FieldType> fields;
  for (Type type : types) {
    auto field = dyn_cast<FieldType>(type);
    if (!field)
      return failAt(loc, "operands must be fields");
    fields.push_back(field);
    if (field.getDims() != fields.front().getDims())
      return failAt(loc, "operands differ in shape");
    if (field.getElement() != fields.front().getElement())
      return failAt(loc, "operands differ in element type");
  }
  return joinKinds(loc, fields);
}

FieldType gnnc::gnn::withoutDim(FieldType type, unsigned dim) {
  SmallVector<StringAttr> dims(type.getDims());
  dims.erase(dims.begin() + dim);
  return type.withDims(dims);
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, ValueRange operands,
                                          DictionaryAttr, OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &results) {
  FailureOr<FieldType> joined = joinOperands(loc, operands.getTypes());
  if (failed(joined))
    return failure();
  results.push_back(joined->withElement(IntegerType::get(context, 1)));
  return success();
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                         DictionaryAttr, OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type> &results) {
  auto condition = cast<FieldType>(operands[0].getType()), then = cast<FieldType>(operands[1].getType());
  FailureOr<FieldType> joined =
      joinOperands(loc, {condition.withElement(then.getElement()), then, operands[2].getType()});
  if (failed(joined))
    return failure();
  results.push_back(*joined);
  return success();
}

static LogicalResult inferReduced(std::optional<Location> loc, Value operand, int64_t dim,
                                  SmallVectorImpl<Type> &results) {
  FieldType type = fieldOf(operand);
  if (dim < 0 || dim >= type.getRank())
    return failAt(loc, "has no dimension " + Twine(dim) + " to reduce");
  results.push_back(withoutDim(type, dim));
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, ValueRange operands,
                                         DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferReduced(loc, operands[0], adaptor.getDim(), results);
}

LogicalResult ArgReduceOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, ValueRange operands,
                                            DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                            SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(inferReduced(loc, operands[0], adaptor.getDim(), results)))
    return failure();
  results[0] = cast<FieldType>(results[0]).withElement(IntegerType::get(context, 64));
  return success();
}

/// The type of `x` times a parameter of dimensions `w` ([k, b..]).
static FailureOr<FieldType> productType(std::optional<Location> loc, FieldType x, ArrayRef<StringAttr> w,
                                        bool transposeW) {
  if (w.empty())
    return failAt(loc, "needs a parameter with a dimension");
  ArrayRef<StringAttr> contracted = transposeW ? w.drop_front() : w.take_front();
  ArrayRef<StringAttr> kept = transposeW ? w.take_front() : w.drop_front();
  if (x.getRank() < contracted.size() || x.getDims().take_back(contracted.size()) != contracted)
    return failAt(loc, "last dimensions of the first operand differ from those of the parameter");
  SmallVector<StringAttr> dims(x.getDims().drop_back(contracted.size()));
  llvm::append_range(dims, kept);
  return x.withDims(dims);
}

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                         DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                         SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FieldType x = fieldOf(adaptor.getX()), w = fieldOf(adaptor.getW());
  if (x.getElement() != w.getElement())
    return failAt(loc, "operands differ in element type");
  FailureOr<FieldType> product = productType(loc, x, w.getDims(), adaptor.getTransposeW());
  if (failed(product))
    return failure();
  results.push_back(*product);
  return success();
}

LogicalResult TypedMatMulOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands,
                                              DictionaryAttr attributes, OpaqueProperties properties,
                                              RegionRange regions, SmallVectorImpl<Type> &results) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FieldType x = fieldOf(adaptor.getX()), w = fieldOf(adaptor.getW()), index = fieldOf(adaptor.getIndex());
  if (x.getElement() != w.getElement())
    return failAt(loc, "operands differ in element type");
  if (w.getRank() == 0 || index.getRank() != 0)
    return failAt(loc, "needs a parameter with a dimension and an index without");
  FailureOr<FieldType> joined = joinKinds(loc, {x, index});
  if (failed(joined))
    return failure();
  FailureOr<FieldType> product = productType(loc, *joined, w.getDims().drop_front(), adaptor.getTransposeW());
  if (failed(product))
    return failure();
  results.push_back(*product);
  return success();
}

LogicalResult IndexOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc, ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange, SmallVectorImpl<Type> &results) {
  FieldType table = fieldOf(operands[0]), index = fieldOf(operands[1]);
  if (table.getRank() == 0 || index.getRank() != 0)
    return failAt(loc, "needs a table with a dimension and an index without");
  FailureOr<FieldType> joined = joinKinds(loc, {table, index});
  if (failed(joined))
    return failure();
  results.push_back(withoutDim(*joined, 0));
  return success();
}

LogicalResult TotalOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange operands,
                                        DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
                                        SmallVectorImpl<Type> &results) {
  FieldType type = fieldOf(operands[0]).withKind(GraphKind::P, 0);
  results.push_back(Adaptor(operands, attributes, properties, regions).getOnes() ? type.withDims({}) : type);
  return success();
}
