//===- StarAttrs.td - Attributes of the star dialect --------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef STAR_ATTRS_TD
#define STAR_ATTRS_TD

include "dialects/Gnn/IR/GnnInterfaces.td"
include "dialects/Gnn/IR/GnnTypes.td"
include "dialects/Star/IR/StarDialect.td"
include "dialects/Star/IR/StarEnums.td"
include "mlir/IR/AttrTypeBase.td"

def Star_OperandAttr : AttrDef<Star_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "an input or output of a kernel: its access, the field outside the kernel, and how it is stored";
  let description = [{
    A bool takes a byte; with `bits`, which fields of vertices that steps keep for each other may have, it takes a bit
    (GNN_BITS of program.h). Several f32 of a vertex or an edge may be stored as `bf16` or `f16`: they are rounded when
    they are stored, and f32 again when they are loaded.

    Examples: `#star.operand<row !gnn.field<V, [out], f32>>`, `#star.operand<row !gnn.field<V, [out], i1> bits>`,
    `#star.operand<col !gnn.field<V, [out], f32> bf16>`
  }];
  let parameters = (ins EnumParameter<Star_Access>:$access, "::gnnc::gnn::FieldType":$type, "::gnnc::star::Storage":$storage);
  let assemblyFormat = "`<` $access $type `` custom<Storage>($storage) `>`";
  let genVerifyDecl = 1;
}

def Star_MappingAttr : AttrDef<Star_Dialect, "Mapping"> {
  let mnemonic = "mapping";
  let summary = "how a kernel is spread over the threads of a device";
  let description = [{
    `threads`, a power of 2 up to the 32 of a warp, share a row: each has every so many of its vectors. A block has `block` threads, and so
    `block / threads` rows at a time.

    Example: `#star.mapping<threads = 8, block = 256>`
  }];
  let parameters = (ins "unsigned":$threads, "unsigned":$block);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Star_SoftmaxSumAttr : AttrDef<Star_Dialect, "SoftmaxSum", [DeclareAttrInterfaceMethods<Gnn_AggregatorInterface>]> {
  let mnemonic = "softmax_sum";
  let summary = "the sum of values weighted by a softmax; 0 over nothing";
  let description = [{
    `normaliser` is the reduction of the same sweep, a `#gnn.logsumexp`, that the weights are normalised by; its dimension i is dimension
    `dims[i]` here. With (m, s) the state of the normaliser, the state is the sum of exp(x - m) times the value, so that it has to be scaled
    wherever m changes. The states that the methods are given have more components, of the normaliser at the same element: `buildStep`
    what the sum so far is multiplied by (`decay` of `star.online_softmax`), `buildMerge` the same for either side (`buildFactors`),
    `buildFinish` m and s.

    Example: `#star.softmax_sum<0, [0]>`
  }];
  let parameters = (ins "unsigned":$normaliser, OptionalArrayRefParameter<"int64_t">:$dims);
  let assemblyFormat = "`<` $normaliser `,` `[` (`]`) : ($dims^ `]`)? `>`";
  let extraClassDeclaration = [{
    /// What sums relative to `left` and to `right` are multiplied by to be relative to the larger of these.
    static std::pair<::mlir::Value, ::mlir::Value> buildFactors(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::Value left,
                                                                ::mlir::Value right);
  }];
}

def Star_ScheduleAttr : AttrDef<Star_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "how a kernel runs, whatever it computes";
  let description = [{
    One number for each knob of dialects/Support/Schedule.def that was chosen; the others are left to the lowering and to the runtime.
    Results do not depend on it but for the order in which numbers are added.

    - `tile`: elements of the last dimension that one pass over the edges of a row keeps in registers, where the state of the reductions
      does not fit as a whole. At most as many as the instruction set has registers for.
    - `prefetch`: edges between the one that is computed and the one whose other end is asked for, where the executor wants that.
    - `partition`: ranges of columns that the executor goes over one after the other.
    - `hilbert`: ranges of rows, and of columns, of a sweep without reductions and row results; the executor goes over the tiles of the two
      along a Hilbert curve.
    - `pass`: elements of the last dimension that the executor computes at a time, of kernels that may be called so.
    - `threads`: of a device, that share a row (`#star.mapping`).
    - `hot`: columns whose rows each block of a device loads into its shared memory first.
    - `split`: edges of a row that one thread, or group of a device's threads, goes over; rows of more are hubs, split into segments or,
      on a device where there are no reductions, into pieces of this many.

    Example: `#star.schedule<tile = 64>`
  }];
  let parameters = (ins OptionalParameter<"int64_t">:$tile, OptionalParameter<"int64_t">:$prefetch,
                        OptionalParameter<"int64_t">:$partition, OptionalParameter<"int64_t">:$hilbert,
                        OptionalParameter<"int64_t">:$pass, OptionalParameter<"int64_t">:$threads,
                        OptionalParameter<"int64_t">:$hot, OptionalParameter<"int64_t">:$split);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// `schedule`, or none where it is null, with a knob set.
    static ScheduleAttr with(ScheduleAttr schedule, ::mlir::MLIRContext *context, const Knob &knob, int64_t value);
    /// The value of a knob; 0: not chosen.
    int64_t valueOf(const Knob &knob) const;
  }];
}

#endif // STAR_ATTRS_TD
