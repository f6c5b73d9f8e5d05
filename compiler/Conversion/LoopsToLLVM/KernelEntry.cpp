//===- KernelEntry.cpp - Entry points of kernels --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/KernelEntry.h"
#include "compiler/Kernels/KernelFunction.h"
#include "gnn/program.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstddef>

using namespace mlir;

namespace gnnc {

namespace {

/// Loads what a source of an argument names.
class ArgumentLoader {
public:
  ArgumentLoader(OpBuilder &builder, Location loc, Value args, ArrayAttr constants)
      : builder(builder), loc(loc), pointer(LLVM::LLVMPointerType::get(builder.getContext())), args(args),
        constants(constants) {}

  Value load(StringRef source) {
    if (source == "flags")
      return load(args, offsetof(gnn_kernel_args_t, flags), builder.getI32Type());
    if (source.consume_front("extent ")) {
      Value table = load(args, offsetof(gnn_kernel_args_t, extents), pointer);
      return load(table, numberOf(source) * sizeof(int64_t), builder.getI64Type());
    }
    if (source.consume_front("constant "))
      return builder.create<LLVM::ConstantOp>(loc, cast<TypedAttr>(constants[numberOf(source)]));
    if (source.starts_with("pass_") || source == "col_stride")
      return load(args, offsetInArgs(source), builder.getI64Type());
    if (source.consume_front("given ")) {
      Value null = builder.create<LLVM::ZeroOp>(loc, pointer);
      return builder.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ne, load(source), null);
    }
    if (source.consume_front("tensors ")) {
      Value tensors = load(args, offsetof(gnn_kernel_args_t, tensors), pointer);
      return load(tensors, numberOf(source) * sizeof(void *), pointer);
    }
    if (source.consume_front("block."))
      return load(load(args, offsetof(gnn_kernel_args_t, block), pointer), offsetInBlock(source), pointer);
    return load(args, offsetInArgs(source), pointer);
  }

private:
  static size_t numberOf(StringRef source) {
    size_t number = 0;
    bool failed = source.getAsInteger(10, number);
    assert(!failed && "a tensor, an extent or a constant has a number");
    (void)failed;
    return number;
  }
  static size_t offsetInBlock(StringRef field) {
    return llvm::StringSwitch<size_t>(field)
        .Case("offsets", offsetof(gnn_block_t, offsets))
        .Case("ends", offsetof(gnn_block_t, ends))
        .Case("cols", offsetof(gnn_block_t, cols))
        .Case("row_id", offsetof(gnn_block_t, row_id))
        .Case("col_id", offsetof(gnn_block_t, col_id))
        .Case("edge_id", offsetof(gnn_block_t, edge_id))
        .Case("edge_id32", offsetof(gnn_block_t, edge_id32))
        .Case("edge_type", offsetof(gnn_block_t, edge_type))
        .Case("row_pos", offsetof(gnn_block_t, row_pos));
  }
  static size_t offsetInArgs(StringRef field) {
    static_assert(offsetof(gnn_random_t, step_key) == 0, "a pointer to gnn_random_t is one to its key");
    return llvm::StringSwitch<size_t>(field)
        .Case("random.step_key", offsetof(gnn_kernel_args_t, random))
        .Case("scratch", offsetof(gnn_kernel_args_t, scratch))
        .Case("state", offsetof(gnn_kernel_args_t, state))
        .Case("state_in", offsetof(gnn_kernel_args_t, state_in))
        .Case("pass_begin", offsetof(gnn_kernel_args_t, pass_begin))
        .Case("pass_end", offsetof(gnn_kernel_args_t, pass_end))
        .Case("col_stride", offsetof(gnn_kernel_args_t, col_stride));
  }

  Value load(Value base, size_t offset, Type type) {
    Value address = builder.create<LLVM::GEPOp>(loc, pointer, builder.getI8Type(), base,
                                                ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    return builder.create<LLVM::LoadOp>(loc, type, address);
  }

  OpBuilder &builder;
  Location loc;
  Type pointer;
  Value args;
  ArrayAttr constants;
};

} // namespace

void buildKernelEntry(OpBuilder &builder, StringRef name, FlatSymbolRefAttr body, ArrayRef<StringAttr> sources,
                      ArrayAttr constants, StringAttr isa, Location loc) {
  Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), {pointer, i64, i64});
  auto entry = builder.create<LLVM::LLVMFuncOp>(loc, name, type);
  entry->setAttr(KernelFunction::isaAttribute, isa);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> operands = {block->getArgument(1), block->getArgument(2)};
  ArgumentLoader loader(builder, loc, block->getArgument(0), constants);
  for (StringAttr source : sources)
    operands.push_back(loader.load(source.getValue()));
  builder.create<LLVM::CallOp>(loc, TypeRange(), body, operands);
  builder.create<LLVM::ReturnOp>(loc, ValueRange());
}

} // namespace gnnc
