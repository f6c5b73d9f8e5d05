//===- FakeBlas.cpp - A libcublasLt for machines without a GPU ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of cuBLASLt that the runtime calls, for f32, bf16 and f16 over the emulated device: in the library of
// the fake libcuda, which libcublasLt.so.12 and 13 are links to. They refuse what NVIDIA's refuse or leave undefined:
// types that do not go together, a leading dimension that is too small, sizes that do not fit, pointers less aligned
// than was promised, an algorithm that was chosen for another product, a workspace that is too small.
//
//===----------------------------------------------------------------------===//

#include "FakeClock.h"
#include "FakeDevice.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/cuda/BlasApi.h"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace gnn::rt::blas;
namespace cuda = gnn::rt::cuda;
using cuda::Address;

namespace {

struct FakeHandle {
  bool isOpen = true;
};

struct FakeOperation {
  int computeType, scaleType;
  int32_t isTransposed[2] = {asIs, asIs};
};

struct FakeLayout {
  int type;
  uint64_t rows, columns;
  int64_t leadingDimension;
};

struct FakePreference {
  uint64_t workspaceBytes = 0;
  uint32_t reductionSchemes = 7;
  uint32_t alignments[4] = {256, 256, 256, 256};
};

/// What an algorithm was chosen for: its `data`.
struct Chosen {
  uint32_t m, n, k;
  uint16_t transposes;
  uint8_t factors, result; // of A and B, and of the result: GNN_F32, GNN_BF16 or GNN_F16
  uint32_t leadingDimensions[3];
  uint32_t alignments[4];
  uint32_t workspaceBytes;
  uint32_t magic;
};
static_assert(sizeof(Chosen) <= sizeof(Algorithm));
constexpr uint32_t magic = 0x6c61676f;

Status refuse(const char *why) {
  std::fprintf(stderr, "fake libcublasLt: %s\n", why);
  return invalidValue;
}

template <class Fake, class Opaque> Fake &fakeOf(Opaque *opaque) { return *reinterpret_cast<Fake *>(opaque); }

uint8_t elementOf(const FakeLayout &layout) {
  return uint8_t(layout.type == typeF32 ? GNN_F32 : layout.type == typeBf16 ? GNN_BF16 : GNN_F16);
}

/// What a product is of; false, with the reason said, if that is none.
bool describe(Handle handle, Operation operation, Layout a, Layout b, Layout c, Layout d, Chosen &product) {
  const auto &how = fakeOf<FakeOperation>(operation);
  const FakeLayout &left = fakeOf<FakeLayout>(a), &right = fakeOf<FakeLayout>(b), &result = fakeOf<FakeLayout>(d);
  const char *wrong = nullptr;
  auto check = [&](bool isRight, const char *what) { wrong = wrong || isRight ? wrong : what; };
  const bool isLeftTurned = how.isTransposed[0] == transposed, isRightTurned = how.isTransposed[1] == transposed;
  const uint64_t m = isLeftTurned ? left.columns : left.rows, k = isLeftTurned ? left.rows : left.columns,
                 n = isRightTurned ? right.rows : right.columns, k2 = isRightTurned ? right.columns : right.rows;
  check(fakeOf<FakeHandle>(handle).isOpen, "the handle was destroyed");
  check(how.computeType == computeF32 && how.scaleType == typeF32, "the types of computation are not those of f32");
  check(std::memcmp(&fakeOf<FakeLayout>(c), &result, sizeof result) == 0, "C and D have other layouts");
  for (const FakeLayout *layout : {&left, &right, &result}) {
    check(layout->type == typeF32 || layout->type == typeBf16 || layout->type == typeF16,
          "a matrix is neither of f32 nor of bf16 or f16");
    check(layout->rows > 0 && layout->columns > 0, "a matrix is empty");
    check(layout->leadingDimension >= int64_t(layout->rows), "a leading dimension is less than the rows");
  }
  check(left.type == right.type, "A and B are of different types");
  check(result.type == typeF32 || left.type == result.type, "a result of 16 bits is of other numbers");
  check(k == k2 && result.rows == m && result.columns == n, "the sizes of the matrices do not fit");
  if (wrong)
    return refuse(wrong) == success;
  product = {uint32_t(m),
             uint32_t(n),
             uint32_t(k),
             uint16_t(isLeftTurned + 2 * isRightTurned),
             elementOf(left),
             elementOf(result),
             {uint32_t(left.leadingDimension), uint32_t(right.leadingDimension), uint32_t(result.leadingDimension)},
             {},
             0,
             magic};
  return true;
}

/// A matrix in the memory of the device; null, with the reason said, if it does not lie there as promised.
uint8_t *matrixAt(const void *pointer, const FakeLayout &layout, uint32_t alignment) {
  const auto address = reinterpret_cast<Address>(pointer);
  if (address % alignment != 0)
    return refuse("a matrix is less aligned than was promised"), nullptr;
  const size_t numbers = (layout.columns - 1) * size_t(layout.leadingDimension) + layout.rows;
  uint8_t *memory = fake::find(address, numbers * (layout.type == typeF32 ? sizeof(float) : sizeof(uint16_t)));
  return memory ? memory : (refuse("a matrix is outside of memory"), nullptr);
}

float numberAt(const uint8_t *matrix, uint32_t element, size_t i) {
  return element == GNN_F32 ? reinterpret_cast<const float *>(matrix)[i]
                            : gnn::rt::widened(element, reinterpret_cast<const uint16_t *>(matrix)[i]);
}

void multiplyNow(const Chosen &product, const uint8_t *a, const uint8_t *b, uint8_t *d) {
  const auto [lda, ldb, ldd] = product.leadingDimensions;
  const bool isLeftTurned = product.transposes & 1, isRightTurned = product.transposes & 2;
  for (size_t j = 0; j < product.n; ++j)
    for (size_t i = 0; i < product.m; ++i) {
      float sum = 0;
      for (size_t l = 0; l < product.k; ++l)
        sum = std::fma(numberAt(a, product.factors, isLeftTurned ? l + i * lda : i + l * lda),
                       numberAt(b, product.factors, isRightTurned ? j + l * ldb : l + j * ldb), sum);
      if (product.result == GNN_F32)
        reinterpret_cast<float *>(d)[i + j * ldd] = sum;
      else
        reinterpret_cast<uint16_t *>(d)[i + j * ldd] = gnn::rt::rounded(product.result, sum);
    }
}

/// All of the result.
void fillWithNone(const Chosen &product, uint64_t address, uint8_t *d) {
  const size_t element = product.result == GNN_F32 ? sizeof(float) : sizeof(uint16_t);
  for (uint64_t j = 0; j < product.n; ++j) {
    const uint64_t column = j * product.leadingDimensions[2] * element;
    ptx::fillWithNone(d + column, address + column, product.m * element);
  }
}

} // namespace

extern "C" {

#pragma GCC visibility push(default)
#define DECLARE(member, symbol, parameters) Status symbol parameters;
GNN_BLAS_FUNCTIONS(DECLARE)
#undef DECLARE
size_t cublasLtGetVersion();
#pragma GCC visibility pop

size_t cublasLtGetVersion() { return fake::number("blas", 130100); }

Status cublasLtCreate(Handle *handle) {
  const fake::Alone alone;
  if (fake::setting("no-blas") || !fake::current())
    return 1;                                              // not initialised
  static std::vector<std::unique_ptr<FakeHandle>> handles; // kept when they are destroyed: what uses one later is found
  handles.push_back(std::make_unique<FakeHandle>());
  *handle = reinterpret_cast<Handle>(handles.back().get());
  return success;
}

Status cublasLtDestroy(Handle handle) {
  fakeOf<FakeHandle>(handle).isOpen = false;
  return success;
}

Status cublasLtMatmulDescCreate(Operation *operation, int computeType, int scaleType) {
  *operation = reinterpret_cast<Operation>(new FakeOperation{computeType, scaleType});
  return success;
}

Status cublasLtMatmulDescDestroy(Operation operation) {
  delete reinterpret_cast<FakeOperation *>(operation);
  return success;
}

Status cublasLtMatmulDescSetAttribute(Operation operation, int attribute, const void *value, size_t bytes) {
  if ((attribute != operationTransposeA && attribute != operationTransposeB) || bytes != sizeof(int32_t))
    return refuse("unknown attribute of an operation");
  std::memcpy(&fakeOf<FakeOperation>(operation).isTransposed[attribute - operationTransposeA], value, bytes);
  return success;
}

Status cublasLtMatrixLayoutCreate(Layout *layout, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  *layout = reinterpret_cast<Layout>(new FakeLayout{type, rows, columns, leading});
  return success;
}

Status cublasLtMatrixLayoutDestroy(Layout layout) {
  delete reinterpret_cast<FakeLayout *>(layout);
  return success;
}

Status cublasLtMatmulPreferenceCreate(Preference *preference) {
  *preference = reinterpret_cast<Preference>(new FakePreference());
  return success;
}

Status cublasLtMatmulPreferenceDestroy(Preference preference) {
  delete reinterpret_cast<FakePreference *>(preference);
  return success;
}

Status cublasLtMatmulPreferenceSetAttribute(Preference handle, int attribute, const void *value, size_t bytes) {
  auto &preference = fakeOf<FakePreference>(handle);
  const bool isAlignment = attribute >= preferenceAlignmentA && attribute <= preferenceAlignmentD;
  void *target = attribute == preferenceWorkspaceBytes     ? static_cast<void *>(&preference.workspaceBytes)
                 : attribute == preferenceReductionSchemes ? &preference.reductionSchemes
                 : isAlignment                             ? &preference.alignments[attribute - preferenceAlignmentA]
                                                           : nullptr;
  if (!target || bytes != (attribute == preferenceWorkspaceBytes ? sizeof(uint64_t) : sizeof(uint32_t)))
    return refuse("unknown preference");
  std::memcpy(target, value, bytes);
  return success;
}

Status cublasLtMatmulAlgoGetHeuristic(Handle handle, Operation operation, Layout a, Layout b, Layout c, Layout d,
                                      Preference preference, int most, Heuristic *found, int *count) {
  *count = 0;
  Chosen product{};
  if (!describe(handle, operation, a, b, c, d, product))
    return invalidValue;
  const auto &preferred = fakeOf<FakePreference>(preference);
  if (preferred.reductionSchemes != reductionInComputeType)
    return refuse("partial sums may be added in any order"), invalidValue;
  if (most < 1 || fake::setting("no-algorithm"))
    return notSupported;
  std::memcpy(product.alignments, preferred.alignments, sizeof product.alignments);
  product.workspaceBytes = uint32_t(std::min<uint64_t>(preferred.workspaceBytes, product.k > 64 ? 4096 : 0));
  *found = {};
  std::memcpy(&found->algorithm, &product, sizeof product);
  found->workspaceBytes = product.workspaceBytes;
  *count = 1;
  return success;
}

Status cublasLtMatmul(Handle handle, Operation operation, const void *alpha, const void *a, Layout layoutA,
                      const void *b, Layout layoutB, const void *beta, const void *c, Layout layoutC, void *d,
                      Layout layoutD, const Algorithm *algorithm, void *workspace, size_t workspaceBytes,
                      cuda::Stream stream) {
  const fake::Alone alone;
  Chosen product{}, chosen{};
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (!describe(handle, operation, layoutA, layoutB, layoutC, layoutD, product))
    return invalidValue;
  std::memcpy(product.alignments, chosen.alignments, sizeof product.alignments);
  product.workspaceBytes = chosen.workspaceBytes;
  if (std::memcmp(&product, &chosen, sizeof product) != 0)
    return refuse("the algorithm was chosen for another product");
  if (*static_cast<const float *>(alpha) != 1 || *static_cast<const float *>(beta) != 0 || c != d)
    return refuse("the fake computes D = A B only");
  uint8_t *scratch = fake::find(reinterpret_cast<Address>(workspace), workspaceBytes);
  if (workspaceBytes < chosen.workspaceBytes || (workspaceBytes > 0 && !scratch))
    return refuse("the workspace is too small");
  const FakeLayout left = fakeOf<FakeLayout>(layoutA), right = fakeOf<FakeLayout>(layoutB),
                   result = fakeOf<FakeLayout>(layoutD);
  if (!matrixAt(a, left, chosen.alignments[0]) || !matrixAt(b, right, chosen.alignments[1]) ||
      !matrixAt(d, result, chosen.alignments[3]))
    return invalidValue;
  fake::trace("product by cuBLASLt");
  return fake::queue(stream, [=] {
    if (fake::isToFail("cublasLtMatmul"))
      return;
    if (workspaceBytes > 0)
      std::memset(fake::find(reinterpret_cast<Address>(workspace), workspaceBytes), 0xcd, workspaceBytes);
    const uint8_t *first = matrixAt(a, left, chosen.alignments[0]), *second = matrixAt(b, right, chosen.alignments[1]);
    uint8_t *target = matrixAt(d, result, chosen.alignments[3]);
    if (!first || !second || !target)
      fake::fail("a product");
    else if (fake::runsKernels())
      multiplyNow(chosen, first, second, target);
    else
      fillWithNone(chosen, reinterpret_cast<uintptr_t>(d), target);
    if (fake::FakeClock *clock = fake::FakeClock::get()) {
      const double m = double(chosen.m), n = double(chosen.n), k = double(chosen.k);
      clock->kernel(fake::streamAtWork(), sizeof(float) * (m * k + k * n + m * n), 2 * m * n * k, /*isLaunched=*/true);
    }
  });
}

} // extern "C"
