//===- BuildImage.h - Tables from outlined programs -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the tables of a library off a module of `star.program`s and `star.kernel`s.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_BUILDIMAGE_H
#define GNNC_TARGET_LIBRARY_BUILDIMAGE_H

#include "compiler/Target/Library/LibraryImage.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

/// The tables of `module`: outlined, with the bytes of scratch and state on each kernel where the lowering to loops has
/// set them. The manifest and the instruction sets are left empty.
///
/// Tensors: parameters and states first, in the order of the model, then inputs and targets, then what programs use.
/// Results of the same role and name in two programs are one tensor. A P field and the V field that is a view of it are
/// one tensor.
LibraryImage buildImage(mlir::ModuleOp module);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_BUILDIMAGE_H
