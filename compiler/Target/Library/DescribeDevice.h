//===- DescribeDevice.h - Tables of device functions ----------*- C++ -* -===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of device functions, by which executors call them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_DESCRIBEDEVICE_H
#define GNNC_TARGET_LIBRARY_DESCRIBEDEVICE_H

#include "compiler/Target/Library/LibraryImage.h"
#include "dialects/Support/ExtentTable.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc {

/// The functions of the kernels of `module` in its device module, which is still in the gpu dialect; without code.
/// Nothing, if the module has none.
std::optional<DeviceImage> describeDevice(mlir::ModuleOp module, ExtentTable &extents);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_DESCRIBEDEVICE_H
