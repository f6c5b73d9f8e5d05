//===- Model.h - A compiled library with its parameters ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library, the values of its dimensions, its parameters and where it computes. `gnn_model_t` is this class behind a
// handle.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_MODEL_H
#define GNN_MODEL_MODEL_H

#include "gnn/model.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Executor.h"
#include "runtime/src/model/ModelInference.h"
#include "runtime/src/program/InputForms.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

class FixedFields;

class Model {
public:
  /// Each call of the C interface that a model takes part in, also through a trainer, holds one meanwhile. Throws
  /// GNN_ERROR_ARGUMENT, before anything is touched, if another call does, unless both are `Shared`.
  class Use {
  public:
    enum Kind { Alone, Shared };

    explicit Use(Model &model, Kind kind = Alone);
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    Model &model;
    const Kind kind;
  };

  /// Takes back what dimensions and parameters a model got while this lives, unless it is kept. Executors over them
  /// must be gone by then.
  class Attempt {
  public:
    explicit Attempt(Model &model);
    ~Attempt();
    Attempt(const Attempt &) = delete;
    Attempt &operator=(const Attempt &) = delete;
    void keep() { isKept = true; }

  private:
    Model &model;
    std::optional<Dims> before; // none: the model has had them all along
    const std::shared_ptr<const Library> *form;
    bool isKept = false;
  };

  /// `engine` is for `library`.
  Model(std::shared_ptr<const Library> library, std::unique_ptr<Engine> engine);
  /// On the processor.
  Model(std::shared_ptr<const Library> library, unsigned threads);

  /// In the form that has been chosen, if one has been.
  const std::shared_ptr<const Library> &library() const { return *current.load(std::memory_order_acquire); }
  /// The library for these inputs. Of a model that reads an input in both forms the first data chooses, unless
  /// `setInputForm` has, and all that follows is read in that one. For any number of threads at once.
  const std::shared_ptr<const Library> &libraryFor(const Features &inputs);
  /// The form that `libraryFor` would choose.
  const std::shared_ptr<const Library> &formFor(const Features &inputs) const;
  /// Chooses a form, unless one has been chosen. Returns true if that is the form now.
  bool keep(const std::shared_ptr<const Library> &form);
  /// Chooses the dense form of a model that has both, as `keep` does.
  void keepDense();
  /// Reads the input in this form, whatever the data is like. Before the first data. Throws GNN_ERROR_MISMATCH if the
  /// library does not have it.
  void setInputForm(InputForm form);
  Dims &dims() { return dimensions; }
  const Dims &dims() const { return dimensions; }
  Engine &engine() { return *machine; }

  /// Fixes the dimensions and makes the parameters, uninitialised; nothing if that is done. Where it throws, nothing is
  /// changed.
  void materialize();
  /// Gives all parameters and states their first values.
  void initialize(uint64_t seed);
  /// Reads parameters and states by name (safetensors); their shapes bind open dimensions. A checkpoint is read
  /// likewise, without the state of its optimizer. Throws GNN_ERROR_MISMATCH, changing nothing, if one is missing,
  /// superfluous or of another shape.
  void load(const std::string &path);
  void save(const std::string &path) const;
  /// `load` and `save` from and to tensors by name; `origin` names them in messages.
  void setParameters(const std::map<std::string, Tensor> &tensors, const std::string &origin);
  std::map<std::string, Tensor> parameterTensors() const;
  bool hasValues() const { return areSet; }
  /// Whether `materialize` has been done.
  bool isMaterialized() const { return isMade; }
  /// How often a call had the model alone, which may have changed parameters.
  uint64_t numUsesAlone() const { return timesAlone; }
  bool isUsedAlone() const { return users < 0; }

  /// Library indices of parameters and states, in the library's order.
  const std::vector<uint32_t> &parameters() const { return indices; }
  /// The value of one of them, shared. After `materialize`.
  Tensor &parameter(uint32_t tensor) { return values[tensor]; }
  size_t parameterBytes() const;

  /// An executor over this model's parameters. See Whole.
  std::unique_ptr<Executor> executor(const Binding &binding, const gnn_program_t &program, bool parametersStay = false,
                                     FixedFields *shared = nullptr);
  /// The same on another engine, once parameters are made.
  std::unique_ptr<Executor> executor(Engine &engine, const Binding &binding, const gnn_program_t &program,
                                     bool parametersStay = false, FixedFields *shared = nullptr);

  ModelInference &inference() { return answers; }

private:
  void make(Dims bound);

  std::shared_ptr<const Library> opened;
  std::shared_ptr<const Library> formed[2]; // by InputForm; null where there is one form
  std::atomic<const std::shared_ptr<const Library> *> current{&opened};
  std::unique_ptr<Engine> machine;
  Dims dimensions;
  std::vector<uint32_t> indices;
  std::vector<Tensor> values;          // [library tensors]
  bool isMade = false, areSet = false; // parameters, and their values
  std::atomic<int> users{0};           // calls that are `Shared`, or -1: one that is `Alone`
  std::atomic<uint64_t> timesAlone{0};
  ModelInference answers; // last: it reads all else
};

/// Says to an executor, or the like, where the parameters of a model lie.
template <class Executor> void placeParameters(Model &model, Executor &executor) {
  for (uint32_t index : model.parameters())
    executor.place(index, static_cast<char *>(model.parameter(index).mutableData()));
}

} // namespace gnn::rt

struct gnn_model_t {
  std::shared_ptr<gnn::rt::Model> value;
  bool staysThere = false; // outputs
};

#endif // GNN_MODEL_MODEL_H
