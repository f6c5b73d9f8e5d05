//===- GradientTableTest.cpp - What the gradient checks cover -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gnn-verify compares the gradients of a model with differences, and compiled ones, in double, with those. This test
// checks that every layer and function that ships, every op that has an adjoint, and every aggregator is between a
// parameter and the loss of a model that a test of test/Execution gives to gnn-verify. An elementwise op may be in the
// model of not-finite-test instead, which compares compiled gradients with the oracle's and PyTorch's. The oracle's
// slopes of every function are compared with differences in GradientsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/SemanticIndex.h"
#include "compiler/Pipelines/Pipelines.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <catch2/catch.hpp>
#include <set>

using namespace gnnc;
using namespace gnnc::gnn;

using Names = std::set<std::string>;

namespace {

/// A test that gives a model to gnn-verify.
struct VerifiedModel {
  std::string path;
  std::vector<std::pair<std::string, std::string>> defines;
};

} // namespace

static std::vector<VerifiedModel> verifiedModels() {
  std::vector<VerifiedModel> models;
  for (const char *folder : {"Features", "Stdlib"}) {
    std::error_code error;
    const std::string root = std::string(GNNC_SOURCE_DIR) + "/test/Execution/" + folder;
    for (llvm::sys::fs::directory_iterator file(root, error), end; !error && file != end; file.increment(error)) {
      auto text = llvm::MemoryBuffer::getFile(file->path());
      llvm::StringRef run = text ? (*text)->getBuffer().split('\n').first : "";
      if (!run.consume_front("// RUN: gnn-verify "))
        continue;
      VerifiedModel model{file->path(), {}};
      llvm::SmallVector<llvm::StringRef> words;
      run.split(words, ' ');
      for (size_t i = 0; i + 1 < words.size(); ++i)
        if (words[i] == "-D")
          model.defines.push_back({words[i + 1].split('=').first.str(), words[i + 1].split('=').second.str()});
      models.push_back(model);
    }
    REQUIRE(!error);
  }
  return models;
}

/// Adds the ops of `program` that a gradient flows through, those that fold with their aggregator.
static void addOps(ProgramOp program, Names &names) {
  llvm::DenseSet<mlir::Value> wanted;
  for (mlir::Operation &op : program.getBody().front().without_terminator()) {
    const bool flows = llvm::isa<ParamOp>(op) ||
                       (llvm::isa<DifferentiableOpInterface>(op) &&
                        llvm::any_of(op.getOperands(), [&](mlir::Value operand) { return wanted.contains(operand); }));
    if (flows && fieldOf(op.getResult(0)).isReal())
      wanted.insert(op.getResult(0));
  }
  mlir::BackwardSliceOptions options([](mlir::Operation *op) { return !llvm::isa<ProgramOp>(op); });
  options.inclusive = true;
  llvm::SetVector<mlir::Operation *> ofLoss;
  ReturnOp results = program.getReturn();
  for (unsigned i = 0; i < results.getNumOperands(); ++i)
    if (results.getRole(i).getRole() == ResultRole::VertexLoss)
      mlir::getBackwardSlice(results.getOperand(i), &ofLoss, options);
  for (mlir::Operation *op : ofLoss) {
    if (!wanted.contains(op->getResult(0)))
      continue;
    std::string name = op->getName().getStringRef().str();
    names.insert(name);
    if (auto aggregator = op->getAttrOfType<AggregatorInterface>("aggregator")) {
      llvm::raw_string_ostream stream(name);
      stream << ' ' << aggregator;
    }
    names.insert(name);
  }
}

/// What the frontend reads of `model`, and the ops of its program as it is differentiated.
static void addModel(const VerifiedModel &model, mlir::MLIRContext &context, Names &used, Names &ops) {
  INFO(model.path);
  SemanticIndex index;
  FrontendOptions options;
  options.stdlibPath = std::string(GNNC_SOURCE_DIR) + "/stdlib";
  options.defines = model.defines;
  options.index = &index;
  Frontend frontend(options);
  REQUIRE(frontend.loadFile(model.path));
  std::optional<CheckedModel> checked = frontend.check();
  REQUIRE(checked);
  for (const auto &[start, use] : index.uses)
    used.insert(std::string(use.definition.Start.getPointer(), use.definition.End.getPointer()));
  mlir::OwningOpRef<mlir::ModuleOp> module = importModel(*checked, context, frontend.sources(), RealType::F64);
  REQUIRE(module);
  mlir::PassManager manager(&context);
  populateSimplificationPipeline(manager);
  REQUIRE(mlir::succeeded(manager.run(*module)));
  addOps(module->lookupSymbol<ProgramOp>("forward"), ops);
}

TEST_CASE("every layer, op and aggregator has a gradient check") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();

  Names used, ops;
  const std::vector<VerifiedModel> models = verifiedModels();
  REQUIRE(!models.empty());
  for (const VerifiedModel &model : models)
    addModel(model, context, used, ops);

  Names usedElementwise, elementwiseOps;
  addModel({std::string(GNNC_SOURCE_DIR) + "/test/Verify/Inputs/NotFinite/elementwise.gnn", {}}, context,
           usedElementwise, elementwiseOps);

  FrontendOptions options;
  options.stdlibPath = std::string(GNNC_SOURCE_DIR) + "/stdlib";
  Frontend shipped(options);
  REQUIRE(shipped.loadBuffer("import nn\n", "all.gnn"));
  REQUIRE(shipped.declared().layers.size() > 30);
  for (const auto &layer : shipped.declared().layers) {
    INFO("layer " << layer.getKey().str());
    CHECK(used.count(layer.getKey().str()) == 1);
  }
  for (const auto &function : shipped.declared().functions) {
    INFO("function " << function.getKey().str());
    CHECK(used.count(function.getKey().str()) == 1);
  }

  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "gnn" && name.hasInterface<DifferentiableOpInterface>()) {
      const std::string op = name.getStringRef().str();
      INFO(op);
      CHECK(((name.hasInterface<ElementwiseOpInterface>() && elementwiseOps.count(op)) || ops.count(op)));
    }
  for (const char *fold : {"gnn.aggregate #gnn.sum", "gnn.aggregate #gnn.prod", "gnn.aggregate #gnn.max",
                           "gnn.aggregate #gnn.min", "gnn.aggregate #gnn.logsumexp", "gnn.reduce #gnn.sum",
                           "gnn.reduce #gnn.prod", "gnn.reduce #gnn.max", "gnn.reduce #gnn.min",
                           "gnn.reduce #gnn.logsumexp", "gnn.total #gnn.sum", "gnn.total #gnn.max",
                           "gnn.total #gnn.min"}) {
    INFO(fold);
    CHECK(ops.count(fold) == 1);
  }
}
