//===- ModelData.h - The data set that a model is bound to ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and targets of a model have the names of features and labels of a data set. Widths of features, numbers of
// edge types and of classes are dimensions of the model.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_MODELDATA_H
#define GNN_TRAIN_MODELDATA_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/data/Dataset.h"

namespace gnn::rt {

/// The features of the data set by name; targets of the model that are no feature's name get the labels.
Features featuresFor(const Library &library, const Dataset &dataset);

/// Binds the widths of features and, for classification, the number of classes unless it is known. Throws
/// GNN_ERROR_MISMATCH if the data set has more classes than the model.
void bindDataset(Dims &dims, const Library &library, const Graph &graph, const Dataset &dataset,
                 const Features &features);

/// For classification, binds the number of classes by the largest label, unless it is known or the model's default
/// suffices. Throws GNN_ERROR_DATA, with `origin`, where that is more classes than labels.
void bindClasses(Dims &dims, const Library &library, const Features &features, const std::string &origin);

/// Splits are of one type of vertices, or of the edges of one relation. Throws GNN_ERROR_MISMATCH where the loss is
/// over others: the ids would be taken for theirs.
void requireSplitsOfLoss(const Library &library, const Graph &graph, const Dataset &dataset);

} // namespace gnn::rt

#endif // GNN_TRAIN_MODELDATA_H
