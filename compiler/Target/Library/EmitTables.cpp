//===- EmitTables.cpp - Tables of a library as LLVM IR --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function a struct of program.h, fields in its order. LLVM's natural struct layout on x86-64 is the C one.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/EmitTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/TargetParser/Triple.h"

using namespace gnnc;
using llvm::ArrayRef;
using llvm::Constant;
using llvm::StringRef;

namespace {

class TableEmitter {
public:
  TableEmitter(const LibraryImage &image, llvm::Module &module)
      : image(image), module(module), context(module.getContext()) {
    for (auto [index, dim] : llvm::enumerate(image.dims))
      dimIndex[dim.name] = index;
  }

  llvm::GlobalVariable *emit();

private:
  Constant *u16(uint16_t value) { return llvm::ConstantInt::get(llvm::Type::getInt16Ty(context), value); }
  Constant *u32(uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value); }
  Constant *i64(int64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value, /*IsSigned=*/true);
  }
  Constant *real(double value) { return llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), value); }
  Constant *null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context)); }
  Constant *record(ArrayRef<Constant *> fields) { return llvm::ConstantStruct::getAnon(context, fields); }

  /// A record whose first field is its own size in bytes.
  Constant *sized(ArrayRef<Constant *> fields, uint64_t size) {
    llvm::SmallVector<Constant *> all = {u32(size)};
    llvm::append_range(all, fields);
    Constant *result = record(all);
    assert(module.getDataLayout().getTypeAllocSize(result->getType()) == size && "layout differs from program.h");
    return result;
  }

  /// Read-only private data; null for an empty array, since its address means nothing.
  Constant *pointerTo(Constant *data, StringRef name) {
    auto *global = new llvm::GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, data, name);
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }
  Constant *array(ArrayRef<Constant *> elements, StringRef name) {
    if (elements.empty())
      return null();
    return pointerTo(
        llvm::ConstantArray::get(llvm::ArrayType::get(elements.front()->getType(), elements.size()), elements), name);
  }
  Constant *string(StringRef text) {
    Constant *&global = strings[text];
    if (!global)
      global = pointerTo(llvm::ConstantDataArray::getString(context, text), "str");
    return global;
  }
  Constant *indices(ArrayRef<uint32_t> values, StringRef name) {
    if (values.empty())
      return null();
    return pointerTo(llvm::ConstantDataArray::get(context, values), name);
  }
  template <typename Range, typename Function> Constant *table(const Range &range, StringRef name, Function emitOne) {
    return array(llvm::map_to_vector(range, emitOne), name);
  }

  Constant *hiddenFunction(const std::string &symbol);
  Constant *extent(const DimExpr &expr);
  Constant *tensor(const TensorImage &tensor);
  Constant *knobs(const gnn_knobs_t &knobs) {
    return record({u32(knobs.split), u16(knobs.partition), u16(knobs.pass), u16(knobs.hilbert), u16(0)});
  }
  Constant *kernel(const KernelImage &kernel);
  Constant *tuning(const TuningImage &tuning);
  Constant *isa(const IsaImage &isa);
  Constant *deviceFunction(const DeviceFunctionImage &function);
  Constant *deviceCode(const DeviceCodeImage &code);
  Constant *device(const DeviceImage &device);
  Constant *step(const StepImage &step);
  Constant *program(const ProgramImage &program);

  const LibraryImage &image;
  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::StringMap<uint32_t> dimIndex;
  llvm::StringMap<Constant *> strings;
};

Constant *TableEmitter::hiddenFunction(const std::string &symbol) {
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *index = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, index, index}, /*isVarArg=*/false);
  auto *function = llvm::cast<llvm::Function>(module.getOrInsertFunction(symbol, type).getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  return function;
}

Constant *TableEmitter::extent(const DimExpr &expr) {
  Constant *terms = table(expr.terms(), "terms", [&](const auto &term) {
    llvm::SmallVector<uint32_t> factors;
    for (const std::string &name : term.first) {
      assert(dimIndex.count(name) && "extent over an unknown dimension");
      factors.push_back(dimIndex.lookup(name));
    }
    return record({i64(term.second), u32(factors.size()), u32(0), indices(factors, "factors")});
  });
  return record({u32(expr.terms().size()), u32(0), terms});
}

Constant *TableEmitter::tensor(const TensorImage &tensor) {
  return sized({u32(tensor.role), string(tensor.name), u32(tensor.domain), u32(tensor.type), u32(tensor.element),
                u32(tensor.shape.size()), indices(tensor.shape, "shape"), u32(tensor.source), u32(tensor.init),
                real(tensor.initArgument), u32(tensor.fanIn), u32(tensor.fanOut), u32(tensor.flags), u32(0)},
               sizeof(gnn_tensor_info_t));
}

Constant *TableEmitter::kernel(const KernelImage &kernel) {
  return sized({u32(kernel.kind), string(kernel.name), u32(kernel.needs), u32(kernel.access.size()),
                indices(kernel.access, "access"), u32(kernel.numInputs), u32(kernel.totalFolds.size()),
                indices(kernel.totalFolds, "folds"), u32(kernel.scratchBytes), u32(kernel.stateBytes),
                u32(uint32_t(kernel.passes)), knobs(kernel.knobs)},
               sizeof(gnn_kernel_t));
}

Constant *TableEmitter::tuning(const TuningImage &tuning) {
  Constant *ofKernels = table(tuning.knobs, "knobs", [&](const gnn_knobs_t &one) { return knobs(one); });
  return record({i64(tuning.vertices), i64(tuning.edges), i64(tuning.longest), u32(tuning.threads), u32(0), ofKernels});
}

Constant *TableEmitter::isa(const IsaImage &isa) {
  Constant *run =
      table(image.kernels, "run", [&](const KernelImage &kernel) { return hiddenFunction(kernel.name + isa.suffix); });
  Constant *merge = table(image.kernels, "merge", [&](const KernelImage &kernel) {
    return kernel.kind == GNN_KERNEL_SWEEP && kernel.totalFolds.empty()
               ? hiddenFunction(kernel.name + ".merge" + isa.suffix)
               : null();
  });
  return record({string(isa.name), run, merge});
}

Constant *TableEmitter::deviceFunction(const DeviceFunctionImage &function) {
  return sized({u32(function.split), function.name.empty() ? null() : string(function.name), u32(function.groupThreads),
                u32(function.blockThreads), u32(function.sharedBytes), u32(function.scratchBytes),
                u32(function.stateBytes), u32(function.hotCols), u32(function.parameters.size()),
                indices(function.parameters, "parameters")},
               sizeof(gnn_device_function_t));
}

Constant *TableEmitter::deviceCode(const DeviceCodeImage &code) {
  const llvm::Align alignment(64); // of what drivers read in place
  Constant *data = pointerTo(llvm::ConstantDataArray::getString(context, code.data, /*AddNull=*/code.isPtx), "code");
  llvm::cast<llvm::GlobalVariable>(data)->setAlignment(alignment);
  return record({u32(code.arch), u32(code.isPtx), data, i64(code.data.size() + code.isPtx)});
}

Constant *TableEmitter::device(const DeviceImage &device) {
  auto describe = [&](const DeviceFunctionImage &one) { return deviceFunction(one); };
  Constant *code = table(device.code, "device_code", [&](const DeviceCodeImage &one) { return deviceCode(one); });
  return pointerTo(record({u32(device.code.size()), u32(0), code, table(device.run, "device_run", describe),
                           table(device.merge, "device_merge", describe)}),
                   "device");
}

Constant *TableEmitter::step(const StepImage &step) {
  return sized({u32(step.kind), u32(step.kernel), u32(step.relation), u32(step.direction), u32(step.vertexType),
                u32(step.flags), u32(step.phase), u32(step.layer), u32(step.rowDepth), u32(step.colDepth),
                u32(step.tensors.size()), u32(step.k), u32(step.n), indices(step.tensors, "tensors")},
               sizeof(gnn_step_t));
}

Constant *TableEmitter::program(const ProgramImage &program) {
  Constant *steps = table(program.steps, "steps", [&](const StepImage &one) { return step(one); });
  Constant *uses = table(program.uses, "uses", [&](const gnn_use_t &use) {
    return record({u32(use.tensor), u32(use.accesses), u32(uint32_t(use.depth)), u32(uint32_t(use.first)),
                   u32(uint32_t(use.last)), u32(use.is_kept)});
  });
  return sized({u32(program.kind), string(program.name), u32(program.steps.size()), u32(program.results.size()), steps,
                indices(program.results, "results"), u32(program.uses.size()), u32(0), uses},
               sizeof(gnn_program_t));
}

llvm::GlobalVariable *TableEmitter::emit() {
  Constant *dims = table(image.dims, "dims", [&](const DimImage &dim) {
    return record({string(dim.name), i64(dim.fixed), i64(dim.fallback)});
  });
  Constant *vertexTypes = table(image.vertexTypes, "vertex_types", [&](const VertexTypeImage &type) {
    return record({string(type.name), u32(type.rows), u32(type.isTable)});
  });
  Constant *relations = table(image.relations, "relations", [&](const RelationImage &relation) {
    return record({string(relation.name), u32(relation.sourceType), u32(relation.destinationType), u32(relation.kind),
                   u32(relation.transforms), u32(relation.types), u32(0)});
  });
  Constant *extents = table(image.extents, "extents", [&](const DimExpr &expr) { return extent(expr); });
  Constant *tensors = table(image.tensors, "tensors", [&](const TensorImage &one) { return tensor(one); });
  Constant *kernels = table(image.kernels, "kernels", [&](const KernelImage &one) { return kernel(one); });
  Constant *isas = table(image.isas, "isas", [&](const IsaImage &one) { return isa(one); });
  Constant *programs = table(image.programs, "programs", [&](const ProgramImage &one) { return program(one); });

  Constant *tunings = table(image.tunings, "tunings", [&](const TuningImage &one) { return tuning(one); });

  Constant *library = sized({u32(GNN_LIBRARY_MAGIC),
                             u32(GNN_ABI_VERSION),
                             u32(image.real),
                             string(image.name),
                             string(image.manifest),
                             i64(image.manifest.size()),
                             u32(image.dims.size()),
                             u32(image.extents.size()),
                             u32(image.vertexTypes.size()),
                             u32(image.relations.size()),
                             u32(image.tensors.size()),
                             u32(image.kernels.size()),
                             u32(image.isas.size()),
                             u32(image.programs.size()),
                             dims,
                             extents,
                             vertexTypes,
                             relations,
                             tensors,
                             kernels,
                             isas,
                             programs,
                             image.device ? device(*image.device) : null(),
                             u32(image.tunings.size()),
                             u32(0),
                             tunings},
                            sizeof(gnn_library_t));
  return new llvm::GlobalVariable(module, library->getType(), /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
                                  library, image.symbol);
}

} // namespace

std::unique_ptr<llvm::Module> gnnc::emitTables(const LibraryImage &image, llvm::LLVMContext &context, bool isShared) {
  auto module = std::make_unique<llvm::Module>(image.name, context);
  module->setTargetTriple("x86_64-unknown-linux-gnu");
  module->setDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  module->setPICLevel(llvm::PICLevel::BigPIC);
  llvm::GlobalVariable *library = TableEmitter(image, *module).emit();
  if (isShared)
    llvm::GlobalAlias::create(GNN_LIBRARY_SYMBOL, library);
  return module;
}
