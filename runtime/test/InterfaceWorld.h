//===- InterfaceWorld.h - Objects that random calls are made on -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What interface-calls does the calls of the C interface on: handles, beside each what is known of it without asking
// the library. A call is wrong if its status is another than what follows from that, if one that fails changes an
// `out` parameter or anything that can be seen of any object, or if one that succeeds gives other numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_INTERFACEWORLD_H
#define GNN_TEST_INTERFACEWORLD_H

#include "FakeLibrary.h"
#include "RandomCampaign.h"
#include "TemporaryFolder.h"
#include "gnn/gnn.h"

#include <algorithm>
#include <memory>
#include <vector>

struct TensorHandle {
  gnn_tensor_t *handle = nullptr;
  uint32_t element = 0;
  std::vector<int64_t> shape;
};

struct GraphHandle {
  gnn_graph_t *handle = nullptr;
  int64_t vertices = 0, givenEdges = 0;
  bool hasTypes = false, isSchema = false;
  uint32_t transforms = 0;
};

/// A model of FakeLibrary, or of FakeSparseLibrary. `in` and `classes` are bound while they are not -1.
struct ModelFacts {
  bool isSparse = false, isMade = false, hasValues = false; // parameters are, and have values
  int64_t in = -1, classes = -1;
};

struct ModelHandle {
  gnn_model_t *handle = nullptr;
  std::shared_ptr<ModelFacts> facts;
};

struct TrainerHandle {
  gnn_trainer_t *handle = nullptr;
  std::shared_ptr<ModelFacts> model; // whose parameters it changes; its handle may be gone
  int64_t vertices = 0;
  std::string optimizer;
};

/// A file of parameters, of a checkpoint if `optimizer` is not empty.
struct WeightsFile {
  std::string path;
  int64_t in = 0, classes = 0;
  std::string optimizer;
};

class World {
public:
  explicit World(Random &random);
  ~World();
  World(const World &) = delete;
  World &operator=(const World &) = delete;

  /// One call, valid or not; many are followed by others that look at what it did.
  void callSomething();
  int64_t calls() const { return numCalls; }

private:
  // Calls on tensors, graphs and data sets: InterfaceCalls.cpp.
  void createTensor();
  void createTensorWrongly();
  void viewTensor();
  void shareTensor();
  void exchangeTensor();
  void fileTensor();
  void writeTensor();
  void destroyTensor();
  void createGraph();
  void createGraphWrongly();
  void createSchema();
  void transformGraph();
  void askGraph();
  void extendEdges();
  void destroyGraph();
  void useDataset();

  // Calls on models and trainers: InterfaceModelCalls.cpp.
  void openModel();
  void openModelWrongly();
  void bindDim();
  void askModel();
  void initializeModel();
  void useParameter();
  void saveModel();
  void loadModel();
  void infer();
  void inferWrongly();
  void destroyModel();
  void createTrainer();
  void createTrainerWrongly();
  void step();
  void evaluate();
  void saveTrainer();
  void resumeTrainer();
  void destroyTrainer();

  /// A call that must succeed.
  void accept(gnn_status_t status, const char *call);
  /// `call()` must give `expected` and change nothing. `what` says what is wrong about it.
  template <class Call> void refuse(gnn_status_t expected, const char *what, Call &&call) {
    const std::string before = state();
    const gnn_status_t status = call();
    checkRefusal(status, expected, what, before);
  }
  /// The same of a call that would give a handle.
  template <class Handle, class Call> void refuseHandle(gnn_status_t expected, const char *what, Call &&call) {
    Handle *const untouched = reinterpret_cast<Handle *>(this);
    Handle *out = untouched;
    refuse(expected, what, [&] { return call(&out); });
    expect(out == untouched, std::string(what) + " was refused, but gave something");
  }
  void checkRefusal(gnn_status_t status, gnn_status_t expected, const char *what, const std::string &before);
  /// All that can be seen of all objects.
  std::string state();
  std::string contentOf(gnn_trainer_t *trainer);

  template <class Handle> Handle &any(std::vector<Handle> &handles) {
    return handles[size_t(random.below(int64_t(handles.size())))];
  }
  /// The place of a new handle; where there are `most`, one is replaced.
  template <class Handle, class Destroy> Handle &place(std::vector<Handle> &handles, size_t most, Destroy destroy) {
    if (handles.size() < most)
      return handles.emplace_back();
    Handle &old = any(handles);
    destroy(old.handle);
    return old = Handle();
  }
  void addTensor(gnn_tensor_t *handle, uint32_t element, std::vector<int64_t> shape);
  void expectTensor(const gnn_tensor_t *handle, uint32_t element, const std::vector<int64_t> &shape);
  std::string newPath() { return folder.path("file" + std::to_string(numFiles++)); }

  /// A tensor that is gone with the world; no call writes to it.
  template <class T>
  gnn_tensor_t *tensorOf(uint32_t element, const std::vector<T> &values, const std::vector<int64_t> &shape) {
    gnn_tensor_t *tensor = nullptr;
    void *to = nullptr;
    expect(gnn_tensor_create(element, uint32_t(shape.size()), shape.data(), &tensor) == GNN_OK &&
               gnn_tensor_mutable_data(tensor, &to) == GNN_OK,
           "a tensor is made");
    std::copy(values.begin(), values.end(), static_cast<T *>(to));
    data.push_back(tensor);
    return tensor;
  }
  /// Features, labels and all ids of so many vertices, made by it.
  gnn_input_t features(int64_t vertices, int64_t columns, bool sparse);
  gnn_input_t labels(int64_t vertices, int64_t classes);
  gnn_tensor_t *allVertices(int64_t vertices);
  void checkLogits(ModelHandle &model, const GraphHandle &graph, const gnn_input_t &x, const gnn_tensor_t *logits);

  Random &random;
  TemporaryFolder folder;
  FakeLibrary dense;
  FakeSparseLibrary sparse;
  std::vector<TensorHandle> tensors;
  std::vector<GraphHandle> graphs;
  std::vector<ModelHandle> models;
  std::vector<TrainerHandle> trainers;
  std::vector<WeightsFile> files;
  std::vector<gnn_tensor_t *> data; // what `tensorOf` gave
  int64_t numCalls = 0, numFiles = 0;
  int viewsReleased = 0, viewsMade = 0;
};

#endif // GNN_TEST_INTERFACEWORLD_H
