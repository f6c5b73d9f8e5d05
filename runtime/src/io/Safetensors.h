//===- Safetensors.h - Named tensors in files ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader and writer of safetensors files (huggingface/safetensors, README "Format"): what weights and checkpoints are
// stored in.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_SAFETENSORS_H
#define GNN_IO_SAFETENSORS_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/io/FileSystem.h"
#include <map>
#include <string>

namespace gnn::rt {

struct Safetensors {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Tensors are views of `bytes` where their elements are ours and aligned; 16-bit reals become f32, small integers
/// wider ones. Refuses, with the tensor at fault, all that is not exactly a safetensors file: overlaps, gaps, trailing
/// bytes, duplicate keys, sizes that don't match shapes.
Safetensors parseSafetensors(const FileBytes &bytes, const std::string &file);
Safetensors readSafetensors(const std::string &path);

/// Atomic (see atomicWrite). The same content gives the same bytes.
void writeSafetensors(const std::string &path, const Safetensors &content, FileSystem &files = FileSystem::real());

} // namespace gnn::rt

#endif // GNN_IO_SAFETENSORS_H
