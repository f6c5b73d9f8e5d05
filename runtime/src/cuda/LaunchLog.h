//===- LaunchLog.h - Which kernel it may have been --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's fault ends the context of its GPU, which all models there share, and shows in the next call of any of
// them, without a name. So each notes what it asked for and has not seen the end of. A kernel is *told* if the device
// itself writes its number before it begins: that costs about as much as a small kernel, so it is for first launches,
// which faults mostly show in; of others the suspects are all that were asked for since the last wait. With
// GNN_NAME_FAULTS=1 in the environment all are told.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_LAUNCHLOG_H
#define GNN_CUDA_LAUNCHLOG_H

#include <cstdint>
#include <string>
#include <vector>

namespace gnn::rt {

/// The launches of one user of a GPU. Thread safe, since others read the log after a fault.
class LaunchLog {
public:
  explicit LaunchLog(int ordinal);
  ~LaunchLog();
  LaunchLog(const LaunchLog &) = delete;
  LaunchLog &operator=(const LaunchLog &) = delete;

  /// Whether all kernels are to be told, for this process.
  static bool tellsAll();

  /// Where the device writes: a name + 1. It is zero now and stays readable, after a fault too.
  void setProgress(volatile uint32_t *counter);
  uint32_t addName(std::string name); // "kernel gnn_multiply"
  const std::string &name(uint32_t index) const { return names[index]; }

  /// Asked for, and not told.
  void noteUntold(uint32_t name) { noteUntold(std::vector<uint32_t>{name}); }
  void noteUntold(const std::vector<uint32_t> &kernels);
  /// All that was asked for is done.
  void noteEnd();

  /// The fault that ended the GPU's context, the same for all its users. The first caller's `error` is kept.
  std::string faultOf(const std::string &error);
  /// The same if somebody asked; else empty.
  std::string knownFault() const;

private:
  std::vector<std::string> suspects() const;

  const int ordinal;
  volatile uint32_t *progress = nullptr;
  std::vector<std::string> names;
  std::vector<bool> untold; // [names]
  bool hasUntold = false;
};

} // namespace gnn::rt

#endif // GNN_CUDA_LAUNCHLOG_H
