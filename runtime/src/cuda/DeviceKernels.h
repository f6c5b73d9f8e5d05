//===- DeviceKernels.h - The runtime's own kernels --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the functions of Kernels.c, prepared once and launched often, and those together that end a training step.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICEKERNELS_H
#define GNN_CUDA_DEVICEKERNELS_H

#include "runtime/src/cuda/DeviceModule.h"
#include "runtime/src/engine/RowPicks.h"
#include "runtime/src/engine/TrainingStep.h"

#include <cstring>

namespace gnn::rt {

/// A launch with its parameters.
class DeviceCall {
public:
  DeviceCall(DeviceFunction function, Launch shape) : function(function), shape(shape) {}

  /// Adds a parameter of 4 or 8 bytes.
  template <class T> DeviceCall &with(T value) {
    static_assert(std::is_trivial_v<T> && sizeof(T) <= sizeof(uint64_t));
    values.push_back(0);
    std::memcpy(&values.back(), &value, sizeof value);
    return *this;
  }
  void launch(Device &device);
  /// Beside what the device computes: on a stream that is not its own.
  void launchAside(Device &device, cuda::Stream stream);

private:
  void **parameters();

  DeviceFunction function;
  Launch shape;
  std::vector<uint64_t> values;
  std::vector<void *> pointers; // to them
  bool wasLaunched = false;
};

/// A matrix whose element (i, d) is at i stride + d depthStride; of GNN_F32, GNN_BF16 or GNN_F16.
struct Matrix {
  cuda::Address data;
  int64_t stride, depthStride;
  uint32_t element = GNN_F32;
};

class DeviceKernels {
public:
  explicit DeviceKernels(std::shared_ptr<Device> device);

  /// result[s] = left right^T over the s-th `slotDepth` of `depth`: [slots, m, n]. All sizes are positive.
  DeviceCall multiply(const Matrix &left, const Matrix &right, cuda::Address result, int64_t m, int64_t n,
                      int64_t depth, int64_t slotDepth, uint32_t resultElement = GNN_F32);
  /// `count` f32 as numbers of `element`, GNN_BF16 or GNN_F16; at least one.
  DeviceCall round(uint32_t element, cuda::Address from, cuda::Address to, int64_t count);
  /// `kind` (GNN_FOLD_*) over the `count` numbers at the beginning of every slot; at least one slot and one number.
  DeviceCall fold(uint32_t kind, uint32_t element, cuda::Address result, cuda::Address slots, size_t stride,
                  int64_t numSlots, int64_t count);
  /// Numbers that differ between steps: gnn_random_t, and the relevant members of UpdateRule.
  struct StepNumbers {
    uint64_t key;
    float rate, stepSize, rootCorrection;
  };
  /// A result of a training program, to be looked through: every `stride`-th word from `words` on has the exponent of a
  /// number, of which the bits `exponent` are set where that is not finite.
  struct CheckedResult {
    cuda::Address words;
    int64_t count;
    uint32_t stride, exponent;
  };
  /// `result` lies at `data`; its numbers are `bytes` bytes of `element`.
  static CheckedResult checked(cuda::Address data, uint32_t element, size_t bytes);
  /// The verdict on a step: its loss, and the first of the results that is not finite.
  struct StepVerdict {
    float loss;
    int32_t refusedBy; // or `nothing`
  };
  static constexpr int32_t nothing = INT32_MAX;
  /// found[block], of `numBlocks`, is the first of the `count` CheckedResult at `results` in which the block finds a
  /// number that is not finite.
  DeviceCall check(cuda::Address results, int64_t count, cuda::Address found, uint32_t numBlocks);
  /// The StepVerdict at `verdict`, from what so many blocks found.
  DeviceCall verdict(cuda::Address found, int64_t count, cuda::Address loss, cuda::Address verdict);
  /// As cpu/ClipGradients.h, of the `count` CheckedResult at `gradients`: the sum of squares of each of `numBlocks`, by
  /// one block the factor that comes of them in place of the first, and gradients times that factor.
  DeviceCall squares(cuda::Address gradients, int64_t count, cuda::Address squares, uint32_t numBlocks);
  DeviceCall factor(cuda::Address squares, int64_t count, double mostNorm);
  DeviceCall scale(cuda::Address gradients, int64_t count, cuda::Address factor, uint32_t numBlocks);
  /// engine/Update.h for f32, with the StepNumbers at `numbers`, unless the step is refused; at least one element.
  DeviceCall update(const Update &update, cuda::Address gradient, bool hasMoments, cuda::Address numbers,
                    cuda::Address verdict);
  /// A state becomes the bytes at `next`, unless the step is refused; at least one byte.
  DeviceCall updateState(const StateUpdate &state, cuda::Address next, cuda::Address verdict);

  /// At least one row of at least one byte, in tables that lie as allocated memory does.
  DeviceCall pick(const RowPicks &picks);

  /// Rows of edges that a device keeps, as the kernel reads them: those from `first` on of all that are kept, where the
  /// edges of each begin, one more than rows, and their cols.
  struct KeptEdges {
    cuda::Address offsets, cols;
    uint32_t first, unused = 0;
  };
  /// Rows of edges (struct Csr): those of the host, and `numTables` KeptEdges at `kept`.
  struct EdgeRows {
    cuda::Address offsets, cols, kept;
    uint32_t numTables;
  };
  /// Buffers of a draw from `count` rows, at least one, by gnn_draw_edges. `keptPlaces`, `ids` and `places` may be 0
  /// for none.
  struct EdgeDrawing {
    cuda::Address rows, keptPlaces, ids;
    int64_t count;
    uint64_t seed;
    uint32_t most;
    bool isRepeated;
    cuda::Address seen, drawn, places;
  };
  DeviceCall drawEdges(const EdgeRows &of, const EdgeDrawing &drawing);

  static constexpr uint32_t blockThreads = 256;

private:
  DeviceModule module;
  DeviceFunction multiplyFunction, roundFunction, checkFunction, verdictFunction, sgd, adam, stateFunction;
  DeviceFunction squaresFunction, factorFunction, scaleFunction;
  DeviceFunction pickLines, pickWords, pickBytes, drawFunction;
  DeviceFunction folds[3][3]; // by kind; f32, i32, i64
};

/// The launches that end a training step: a look at its results, and updates of a model's parameters and states, step
/// after step in the same places. What differs between steps is in the device's memory.
class DeviceUpdates {
public:
  /// `results` are those of the program, the loss first; `numbers` has the StepNumbers.
  DeviceUpdates(Device &device, DeviceKernels &kernels, const TrainingStep &step,
                const std::vector<cuda::Address> &results, cuda::Address numbers);

  /// Whether it is about these arrays, with the same decay.
  bool isFor(const TrainingStep &step) const;
  /// Copies of the arrays in this process are out of date: after a launch of a graph that has what `launch` asks for.
  void noteChanges() const;
  void launch(Device &device);
  /// Where the DeviceKernels::StepVerdict is, after a launch.
  cuda::Address verdict() const { return verdictMemory.address(); }

private:
  const bool hasMoments;
  const double mostNorm;
  const std::vector<Update> updates;
  const std::vector<StateUpdate> states;
  const std::vector<cuda::Address> places; // of their arrays
  DeviceArray checked, found, squares, verdictMemory;
  std::vector<DeviceCall> calls;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICEKERNELS_H
