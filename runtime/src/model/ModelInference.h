//===- ModelInference.h - What a model answers over graphs ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inference and pullbacks of a model over graphs that come and go, with what is prepared for these and kept from call
// to call.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_MODELINFERENCE_H
#define GNN_MODEL_MODELINFERENCE_H

#include "runtime/src/exec/InferencePool.h"
#include "runtime/src/grow/StoredGraphs.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace gnn::rt {

class GrownRows;
class Model;
class SnapshotRows;
struct GraphEpoch;
struct Snapshot;

class ModelInference {
public:
  /// `model` must outlive this.
  explicit ModelInference(Model &model);
  ~ModelInference();

  /// Runs @infer: the outputs by name, in the order of original vertex ids. Prepared work is kept for the next call
  /// with the same graph and sparse inputs with entries in the same places, wherever they lie in memory. `staysThere`:
  /// the outputs stay in the memory of the device that computes them. For any number of threads at once.
  std::vector<std::pair<std::string, Tensor>> infer(const std::shared_ptr<const Graph> &graph, const Features &inputs,
                                                    bool staysThere = false);

  /// The same for vertices of one type alone, by their original ids; empty: of the only one. Each output of that type
  /// has a row for each, those of other types have none. What they read through edges is found in the graph, and the
  /// program run over that; where its results depend on more (Obstacles.h), over the whole graph.
  std::vector<std::pair<std::string, Tensor>> inferAt(const std::shared_ptr<const Graph> &graph, const Features &inputs,
                                                      const std::string &vertexType, Span<const int64_t> vertices);

  /// Calls `body` with the pullback of a plan, prepared and bound to these inputs, and the binding. Parameters are to
  /// be placed. For any number of threads at once.
  void pullBack(const std::shared_ptr<const PullbackPlan> &plan, const Features &inputs,
                const std::function<void(const Binding &, Pullback &)> &body);

  /// Vertices of one type that are asked for together; empty: of the only one.
  struct Request {
    std::string vertexType;
    Span<const int64_t> vertices;
  };
  /// The same over a graph that grows, for each of several requests. Throws GNN_ERROR_MISMATCH if the results depend on
  /// more.
  std::vector<std::vector<Tensor>> inferAt(const Snapshot &snapshot, const std::vector<Request> &requests);

  /// Statistics of the rows that are stored for answers (StoredRows.h).
  struct StoredState {
    int64_t chosen, known, taken; // vertices; those of which all rows are known; rows that answers took so far
  };
  /// Computes all stored rows over a snapshot that are not known. Throws as `inferAt`, and GNN_ERROR_ARGUMENT if the
  /// graph has no memory for any.
  StoredState store(const Snapshot &snapshot, bool onlyCount = false);
  /// The newest snapshot of the same graph over which `store` has computed all rows; null if there is none. Answers
  /// over it find their rows even while later snapshots are stored.
  std::shared_ptr<const Snapshot> newestStored(const Snapshot &snapshot);

  /// Gives up what was prepared for graphs that nobody has any more. Whoever has the model alone has its engine, too:
  /// then it is left to that one's end.
  void forgetEnded();
  /// Gives up stored rows, once no graph ends meanwhile. The model is used alone.
  void forgetStored();

private:
  class GraphEnds;

  const std::shared_ptr<const Library> &library() const;
  const gnn_program_t &inferProgram() const;
  Inference &bind(const InferencePool::Lease &lease, const std::shared_ptr<const Graph> &graph, const Features &inputs);
  Executor &wholeOf(Engine &engine, Inference &inference);
  InferAt &atOf(Engine &engine, Inference &inference);
  std::shared_ptr<GrownRows> storedFor(const Snapshot &snapshot, const SnapshotRows &changed, const Binding &binding,
                                       InferAt &at);

  Model &model;
  InferencePool pool;
  StoredGraphs storedGraphs;
  std::mutex making;              // of who makes the rows of an epoch
  std::atomic<int> forgetting{0}; // threads on which a graph ended, and which give up what was prepared for it
  const std::shared_ptr<GraphEnds> ends;
};

} // namespace gnn::rt

#endif // GNN_MODEL_MODELINFERENCE_H
