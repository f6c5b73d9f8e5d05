//===- Blas.cpp - cuBLASLt, opened at run time ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/Blas.h"

#include "runtime/src/core/Guard.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <glob.h>
#include <map>
#include <mutex>

namespace gnn::rt {

namespace blas {

namespace {

template <class Member> bool find(void *opened, const char *symbol, Member &member) {
  member = reinterpret_cast<Member>(dlsym(opened, symbol));
  return member != nullptr;
}

bool findAll(void *opened, Library &library) {
  size_t (*getVersion)() = nullptr;
  bool isWhole = find(opened, "cublasLtGetVersion", getVersion);
#define GNN_BLAS_FIND(member, symbol, parameters) isWhole = isWhole && find(opened, #symbol, library.member);
  GNN_BLAS_FUNCTIONS(GNN_BLAS_FIND)
#undef GNN_BLAS_FIND
  library.version = isWhole ? getVersion() : 0;
  return isWhole;
}

/// Where a library of this name may be: what GNN_CUBLASLT says, a file or its folder, or else the loader's path and the
/// folders of the CUDA toolkit.
std::vector<std::string> pathsOf(const std::string &name) {
  if (const char *given = std::getenv("GNN_CUBLASLT"); given && *given)
    return {given, std::string(given) + "/" + name};
  std::vector<std::string> paths{name};
  for (const char *folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/targets/*/lib/"}) {
    glob_t found{};
    if (glob((folder + name).c_str(), 0, nullptr, &found) == 0)
      paths.insert(paths.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
  }
  return paths;
}

} // namespace

const Library *Library::find(unsigned major) {
  struct Opened {
    Library library;
    bool isRight;
  };
  static std::mutex mutex;
  static std::map<unsigned, Opened> known;
  std::lock_guard<std::mutex> lock(mutex);
  auto [at, isNew] = known.try_emplace(major);
  auto &[library, isRight] = at->second;
  if (isNew)
    for (const std::string &path : pathsOf("libcublasLt.so." + std::to_string(major)))
      if (void *opened = isRight ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) // stays open
        isRight = findAll(opened, library) && library.version / 10000 == major;
  return isRight ? &library : nullptr;
}

} // namespace blas

namespace {

/// What NVIDIA advises for Hopper; of small budgets nothing is taken, so that they are for the model.
constexpr size_t workspaceBytes = size_t(32) << 20, leastBudget = 16 * workspaceBytes;

/// Once in a process, on standard error.
void noteMissing(const Device &device) {
  static std::once_flag noted;
  std::call_once(noted, [&] {
    std::fprintf(stderr,
                 "gnnrt: note: no cuBLASLt works with %s, so dense products take the runtime's own kernels, which are "
                 "slower: install libcublasLt.so.13 or .12, or set GNN_CUBLASLT to its folder\n",
                 device.label().c_str());
  });
}

/// The power of two that an address is a multiple of, as far as the library cares.
uint32_t alignmentOf(cuda::Address address) {
  uint32_t alignment = 256;
  while (address % alignment)
    alignment /= 2;
  return alignment;
}

} // namespace

std::unique_ptr<Blas> Blas::open(const std::shared_ptr<Device> &device) {
  if (device->api().isOnPaper)
    return nullptr;
  for (unsigned major : {13, 12}) {
    if (int(major) > device->api().version / 1000) // which needs a newer driver
      continue;
    const blas::Library *library = blas::Library::find(major);
    blas::Handle handle = nullptr;
    if (library && library->create(&handle) == blas::success)
      return std::unique_ptr<Blas>(new Blas(device, *library, handle));
  }
  noteMissing(*device);
  return nullptr;
}

Blas::Blas(std::shared_ptr<Device> used, const blas::Library &found, blas::Handle created)
    : device(std::move(used)), library(found), handle(created),
      functionName(device->addFunctionName("a product by " + name())) {
  try {
    if (device->memory().limit() >= leastBudget)
      workspace = device->allocate(workspaceBytes);
  } catch (const Error &) { // others have the memory: products do without
  }
}

Blas::~Blas() {
  Device::Scope scope(*device);
  library.destroy(handle);
}

std::string Blas::name() const {
  return "cuBLASLt " + std::to_string(library.version / 10000) + "." + std::to_string(library.version / 100 % 100);
}

/// Row by row is column by column of the transposed matrix, so the library computes c^T = b^T a^T.
std::optional<BlasCall> Blas::prepare(const DenseProduct &product) const {
  blas::Operation operation = nullptr;
  blas::Layout layouts[3] = {};
  blas::Preference made = nullptr;
  auto isDone = [](blas::Status status) { return status == blas::success; };
  auto layout = [&](unsigned which, int64_t rows, int64_t columns) {
    const uint32_t element = which == 2 ? product.result : product.factors;
    const int type = element == GNN_F32 ? blas::typeF32 : element == GNN_BF16 ? blas::typeBf16 : blas::typeF16;
    return isDone(library.layoutCreate(&layouts[which], type, uint64_t(rows), uint64_t(columns), rows));
  };
  const int32_t transposeLeft = product.transposeB, transposeRight = product.transposeA;
  bool isWhole = isDone(library.operationCreate(&operation, blas::computeF32, blas::typeF32));
  BlasCall::Owned<blas::Operation> ownedOperation(operation, library.operationDestroy);
  isWhole = isWhole && isDone(library.operationSet(operation, blas::operationTransposeA, &transposeLeft, 4)) &&
            isDone(library.operationSet(operation, blas::operationTransposeB, &transposeRight, 4)) &&
            (transposeLeft ? layout(0, product.k, product.n) : layout(0, product.n, product.k)) &&
            (transposeRight ? layout(1, product.m, product.k) : layout(1, product.k, product.m)) &&
            layout(2, product.n, product.m);
  BlasCall::Owned<blas::Layout> left(layouts[0], library.layoutDestroy), right(layouts[1], library.layoutDestroy),
      result(layouts[2], library.layoutDestroy);
  isWhole = isWhole && isDone(library.preferenceCreate(&made));
  BlasCall::Owned<blas::Preference> preference(made, library.preferenceDestroy);
  auto prefer = [&](int attribute, auto value) {
    isWhole = isWhole && isDone(library.preferenceSet(made, attribute, &value, sizeof value));
  };
  prefer(blas::preferenceWorkspaceBytes, uint64_t(workspace.bytes()));
  prefer(blas::preferenceReductionSchemes, uint32_t(blas::reductionInComputeType));
  prefer(blas::preferenceAlignmentA, alignmentOf(product.b));
  prefer(blas::preferenceAlignmentB, alignmentOf(product.a));
  prefer(blas::preferenceAlignmentC, alignmentOf(product.c));
  prefer(blas::preferenceAlignmentD, alignmentOf(product.c));
  blas::Heuristic best{};
  int count = 0;
  isWhole = isWhole &&
            isDone(library.findAlgorithms(handle, operation, layouts[0], layouts[1], layouts[2], layouts[2], made,
                                          /*most=*/1, &best, &count)) &&
            count == 1 && isDone(best.state) && best.workspaceBytes <= workspace.bytes();
  if (!isWhole)
    return std::nullopt;
  return BlasCall(*this, std::move(ownedOperation), std::move(left), std::move(right), std::move(result), product,
                  best);
}

BlasCall::BlasCall(const Blas &used, Owned<blas::Operation> made, Owned<blas::Layout> first, Owned<blas::Layout> second,
                   Owned<blas::Layout> third, const DenseProduct &whole, const blas::Heuristic &chosen)
    : owner(&used), operation(std::move(made)), left(std::move(first)), right(std::move(second)),
      result(std::move(third)), product(whole), algorithm(chosen.algorithm), workspaceBytes(chosen.workspaceBytes) {}

void BlasCall::launch(Device &device) {
  const float one = 1, zero = 0;
  auto pointer = [](cuda::Address address) { return reinterpret_cast<void *>(address); };
  device.announce(owner->functionName, /*isFirst=*/!wasLaunched);
  wasLaunched = true;
  const blas::Status status =
      owner->library.multiply(owner->handle, operation.get(), &one, pointer(product.b), left.get(), pointer(product.a),
                              right.get(), &zero, pointer(product.c), result.get(), pointer(product.c), result.get(),
                              &algorithm, pointer(owner->workspace.address()), workspaceBytes, device.workStream());
  if (status == blas::success)
    return;
  device.finish(); // what failed may be something before it
  fail(GNN_ERROR_DEVICE, device.label(), ": a product by ", owner->name(), " failed: status ", status);
}

} // namespace gnn::rt
