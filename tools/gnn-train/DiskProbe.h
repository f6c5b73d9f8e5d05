//===- DiskProbe.h - How fast a disk reads and writes -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_DISKPROBE_H
#define GNN_TOOLS_TRAIN_DISKPROBE_H

#include "runtime/src/stream/Lanes.h"

#include <string>
#include <utility>
#include <vector>

namespace gnn::train_tool {

/// The rate of consecutive transfers, given as total bytes at some seconds: the slope of a line through all but the
/// first quarter, since a limited disk (a control group, a rented machine) starts faster than it can go on.
double rateOf(const std::vector<std::pair<double, double>> &bytesAt);

/// Writes so many bytes at most to a file without a name in a folder, past the page cache as spill files are, and reads
/// them again. Takes four seconds at most. Throws GNN_ERROR_IO with the folder named.
rt::DiskRates measureDisk(const std::string &folder, size_t mostBytes);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_DISKPROBE_H
