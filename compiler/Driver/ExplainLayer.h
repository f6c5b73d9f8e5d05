//===- ExplainLayer.h - gnnc explain GCNConv --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DRIVER_EXPLAINLAYER_H
#define GNNC_DRIVER_EXPLAINLAYER_H

#include "compiler/Frontend/Frontend.h"
#include <optional>
#include <string>

namespace gnnc {

/// The page of a layer of the standard library, in Markdown: the comment above the layer, and what its declaration
/// says of options, inputs and weights. None if the library has no layer `name`; `suggestion` is then "did you mean
/// `x`?" if it has one of a similar name.
std::optional<std::string> explainLayer(const FrontendOptions &options, const std::string &name,
                                        std::string &suggestion);

} // namespace gnnc

#endif // GNNC_DRIVER_EXPLAINLAYER_H
