//===- DescribePrograms.h - What steps say together -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_DESCRIBEPROGRAMS_H
#define GNNC_TARGET_LIBRARY_DESCRIBEPROGRAMS_H

#include "compiler/Target/Library/LibraryImage.h"

namespace gnnc {

/// Fills in phases and layers of steps, and how each program uses tensors, from what the steps are.
void describePrograms(LibraryImage &image);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_DESCRIBEPROGRAMS_H
