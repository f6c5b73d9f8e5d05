//===- ShapeText.h - Sizes of a graph and of a machine ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_SHAPETEXT_H
#define GNN_TOOLS_TRAIN_SHAPETEXT_H

#include "tools/gnn-train/ShapePlan.h"

#include <set>
#include <string>

namespace gnn::train_tool {

/// Reads "vertex=111M,edge=1.6G,in=128": numbers of vertices and edges by the names of types and relations, entries of
/// sparse inputs by theirs, dimensions of the model. Of one type of vertices, or one relation, `vertex` or `edge` is
/// the name too; vertex.paper and edge.cites are always. Dimensions are bound in `dims`, and these finished. Throws
/// GNN_ERROR_ARGUMENT for what is no such name or number, GNN_ERROR_MISMATCH for what is missing.
GraphShape parseShape(const rt::Library &library, rt::Dims &dims, const std::string &text);
/// The form of a library that such a text is about: of an input in both forms it has entries, or that is a table.
std::shared_ptr<const rt::Library> libraryOfShape(const std::shared_ptr<const rt::Library> &library,
                                                  const std::string &text);

/// Such a text of a graph that is there.
std::string shapeTextOf(const rt::Library &library, const rt::Dims &dims, const rt::Binding &graph);

struct Machine {
  MachineRates rates{/*disk=*/1e9, /*link=*/1.25e9, /*memory=*/20e9, /*arithmetic=*/200e9};
  std::set<std::string> stated; // the others are as above
};
/// Reads "disk=2GB/s,link=10Gbit/s,memory=100GB/s,arithmetic=1T/s". Throws GNN_ERROR_ARGUMENT.
Machine parseMachine(const std::string &text);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_SHAPETEXT_H
