//===- ImportModel.h - gnnc import ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_IMPORTMODEL_H
#define GNNC_DRIVER_IMPORTMODEL_H

#include "compiler/Driver/Options.h"

namespace gnnc {

/// `gnnc import`: writes the model of a `.pt2` file and its weights, or one stage of the way there. Returns the exit
/// code.
int importExportedModel(const Options &options);

} // namespace gnnc

#endif // GNNC_DRIVER_IMPORTMODEL_H
